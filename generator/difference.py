"""What differs between a file as it was found and as it should be: a unified diff, bounded."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

_CONTEXT = 3
_WIDTH = 500
_COMPARED = 500
"""Lines that are compared from the first that differs: comparing takes their square in time."""


def first_line(found: bytes, wanted: bytes) -> int:
    """The 1-based line of the first difference, in the file as it was found."""
    old, new = _lines(found), _lines(wanted)
    return min(_alike(old, new) + 1, max(len(old), 1))


def unified(path: str, found: bytes, wanted: bytes) -> str:
    """A unified diff from the found to the wanted text."""
    from difflib import SequenceMatcher

    old, new = _lines(found), _lines(wanted)
    start = max(0, _alike(old, new) - _CONTEXT)
    shared_end = _alike(old[start:][::-1], new[start:][::-1])
    after = max(0, shared_end - _CONTEXT)
    old, new = old[start : len(old) - after], new[start : len(new) - after]
    old_part, new_part = old[:_COMPARED], new[:_COMPARED]
    matcher = SequenceMatcher(None, old_part, new_part, autojunk=False)
    parts = [f"--- {path}\tas it is\n+++ {path}\tas it should be\n"]
    for group in matcher.get_grouped_opcodes(_CONTEXT):
        parts += _hunk(group, old_part, new_part, start)
    if max(len(old), len(new)) > _COMPARED:
        parts.append(f"... and further differences after these {_COMPARED} lines\n")
    return "".join(parts)


def _hunk(
    group: Sequence[tuple[str, int, int, int, int]],
    old: Sequence[str],
    new: Sequence[str],
    start: int,
) -> Iterator[str]:
    _, old_first, _, new_first, _ = group[0]
    _, _, old_last, _, new_last = group[-1]
    yield f"@@ -{_range(start + old_first, old_last - old_first)}"
    yield f" +{_range(start + new_first, new_last - new_first)} @@\n"
    for kind, old_from, old_to, new_from, new_to in group:
        if kind == "equal":
            yield from (f" {_shown(line)}" for line in old[old_from:old_to])
        else:
            yield from (f"-{_shown(line)}" for line in old[old_from:old_to])
            yield from (f"+{_shown(line)}" for line in new[new_from:new_to])


def _shown(line: str) -> str:
    return line if len(line) <= _WIDTH else f"{line[:_WIDTH]}...\n"


def _range(start: int, length: int) -> str:
    """As `diff -u` counts: from 1, and an empty range by the line before it."""
    first = start + 1 if length else start
    return f"{first}" if length == 1 else f"{first},{length}"


def _lines(data: bytes) -> list[str]:
    """The lines with their ends; one that no line feed ends says so, as `diff` does."""
    text = data.decode("utf-8", "backslashreplace")
    lines = text.split("\n")
    ended = [f"{line}\n" for line in lines[:-1]]
    return [*ended, f"{lines[-1]}\n\\ No newline at end of file\n"] if lines[-1] else ended


def _alike(old: Sequence[str], new: Sequence[str]) -> int:
    """How many first lines are equal."""
    for count, (one, other) in enumerate(zip(old, new, strict=False)):
        if one != other:
            return count
    return min(len(old), len(new))
