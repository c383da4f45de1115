"""Words in messages: a number with its noun, and the known name most like an unknown one."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

_COMPARISONS = 20_000
"""A thousand typos among a thousand names would take minutes to compare."""


def counted(number: int, noun: str) -> str:
    """The number with its noun, which takes an s in the plural."""
    return f"{number:,} {noun}{'' if number == 1 else 's'}"


def nearest(name: str, known: Iterable[str]) -> str | None:
    """The known name nearest to this one; None where none is near."""
    from difflib import get_close_matches

    return next(iter(get_close_matches(name, known, n=1)), None)


class Nearest:
    """`nearest` for many names, until it has compared so many that a user would have to wait."""

    def __init__(self) -> None:
        self._left = _COMPARISONS

    def __call__(self, name: str, known: Sequence[str]) -> str | None:
        """The known name nearest to this one; None where none is near, or any more looked for."""
        if self._left <= 0:
            return None
        self._left -= len(known)
        return nearest(name, known)
