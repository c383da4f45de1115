"""Several checkouts together: what fails in one leaves the others as they were, if it still can."""

from __future__ import annotations

from typing import TYPE_CHECKING

from generator import files
from generator.findings import Finding, Interrupted, Unsafe
from generator.publishing import checkout, committing

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from pathlib import Path

    from generator.files import Replaced
    from generator.publishing.publication import Publication


def write(publications: Sequence[Publication]) -> dict[Path, Replaced]:
    """Write in every checkout, or in none; what was done in each. Raises Unsafe."""
    written: dict[Path, Replaced] = {}
    try:
        for one in publications:
            written[one.root] = one.write()
    except BaseException as error:
        with files.held_off():
            if kept := _put_back(written.values()):
                raise Unsafe(*_words(error), *kept) from error
            raise
    return written


def commit(
    publications: Sequence[Publication],
    messages: Mapping[Path, str],
    written: Mapping[Path, Replaced],
) -> tuple[dict[Path, str], list[Finding]]:
    """Commit in every checkout that has a message; the commits' names, and what hooks have done.

    Where a commit fails, or a signal comes, the files of all checkouts that have none by then go
    back. Raises Unsafe and Interrupted.
    """
    before: dict[Path, str] = {}
    commits: dict[Path, str] = {}
    try:
        before |= {root: checkout.tip(root) for root in messages}
        for one in publications:
            if one.root in messages:
                commits[one.root] = committing.commit(one.root, one.changed, messages[one.root])
        committed = [one for one in publications if one.root in commits]
        rewritten = [finding for one in committed for finding in one.rewritten()]
    except BaseException as error:
        with files.held_off():
            _undo(error, before, {root: written[root] for root in messages})
            raise
    return commits, rewritten


def _undo(
    error: BaseException, before: Mapping[Path, str], written: Mapping[Path, Replaced]
) -> None:
    """Put back what did not come to a commit; raises where the error does not say it all."""
    tips = {root: checkout.tip(root) for root in before}
    made = {root: tip for root, tip in tips.items() if tip != before[root]}
    told = [*_words(error), *_put_back(one for root, one in written.items() if root not in made)]
    if isinstance(error, KeyboardInterrupt):
        stand = [_is_committed(root, tip, "the run was interrupted") for root, tip in made.items()]
        if told or stand:
            raise Interrupted(files.exit_code(error), *told, *stand) from error
    elif told:
        stand = [_is_committed(root, tip, "another checkout failed") for root, tip in made.items()]
        raise Unsafe(*told, *stand) from error


def _put_back(written: Iterable[Replaced]) -> list[Finding]:
    """Undo what was written; tells what stays."""
    return [finding for one in written for finding in one.put_back()]


def _words(error: BaseException) -> Sequence[Finding]:
    return error.findings if isinstance(error, Unsafe) else ()


def _is_committed(root: Path, name: str, then: str) -> Finding:
    message = f"was published, in commit {name}, before {then}"
    return Finding("GC425", "note", str(root), None, None, message, "its commit stays")
