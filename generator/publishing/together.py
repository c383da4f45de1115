"""Several checkouts together: what fails in one leaves the others as they were, if it still can."""

from __future__ import annotations

from typing import TYPE_CHECKING

from generator.findings import Finding, Unsafe
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
        if kept := _put_back(written.values()):
            raise Unsafe(*_words(error), *kept) from error
        raise
    return written


def commit(
    publications: Sequence[Publication],
    messages: Mapping[Path, str],
    written: Mapping[Path, Replaced],
) -> dict[Path, str]:
    """Commit in every checkout that has a message; the names of the commits.

    Where a commit fails, the files of that checkout and of those after it go back. Raises Unsafe.
    """
    commits: dict[Path, str] = {}
    waiting = [one for one in publications if one.root in messages]
    while waiting:
        root, changed = waiting[0].root, waiting[0].changed
        before = checkout.tip(root)
        try:
            commits[root] = committing.commit(root, changed, messages[root])
        except BaseException as error:
            if (after := checkout.tip(root)) != before:  # it came to the commit before it failed
                commits[root] = after
                waiting.pop(0)
            told = [*_words(error), *_put_back(written[one.root] for one in waiting)]
            if told:
                made = [_is_committed(root, name) for root, name in commits.items()]
                raise Unsafe(*told, *made) from error
            raise
        waiting.pop(0)
    return commits


def _put_back(written: Iterable[Replaced]) -> list[Finding]:
    """Undo what was written; tells what stays."""
    return [finding for one in written for finding in one.put_back()]


def _words(error: BaseException) -> Sequence[Finding]:
    return error.findings if isinstance(error, Unsafe) else ()


def _is_committed(root: Path, name: str) -> Finding:
    message = f"was published, in commit {name}, before another checkout failed"
    return Finding("GC425", "note", str(root), None, None, message, "its commit stays")
