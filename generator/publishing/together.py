"""Several checkouts together: what fails in one leaves the others as they were, if it still can."""

from __future__ import annotations

from typing import TYPE_CHECKING

from generator.findings import Finding, Unsafe
from generator.publishing import checkout

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from generator.publishing.publication import Publication


def write(publications: Sequence[Publication]) -> None:
    """Write in every checkout, or in none; raises Unsafe."""
    written: list[Publication] = []
    try:
        for one in publications:
            one.write()
            written.append(one)
    except BaseException:
        for one in reversed(written):
            one.put_back()
        raise


def commit(publications: Sequence[Publication], messages: Mapping[Path, str]) -> dict[Path, str]:
    """Commit in every checkout that has a message; the names of the commits.

    Where a commit fails, the files of that checkout and of those after it go back. Raises Unsafe.
    """
    commits: dict[Path, str] = {}
    waiting = [one for one in publications if one.root in messages]
    try:
        while waiting:
            root, changed = waiting[0].root, waiting[0].changed
            commits[root] = checkout.commit(root, changed, messages[root])
            waiting.pop(0)
    except BaseException as error:
        for one in waiting:
            one.put_back()
        if isinstance(error, Unsafe):
            made = [_is_committed(root, name) for root, name in commits.items()]
            raise Unsafe(*error.findings, *made) from error
        raise
    return commits


def _is_committed(root: Path, name: str) -> Finding:
    message = f"was published, in commit {name}, before another checkout failed"
    return Finding("GC425", "note", str(root), None, None, message, "its commit stays")
