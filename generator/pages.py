"""The page of each code: what it means, with a wrong and a right example."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

_FOLDER = Path(__file__).parent / "codes"


class Page(NamedTuple):
    """A code, its short title, what it means in a sentence or two, and the whole page."""

    code: str
    title: str
    meaning: str
    text: str


def codes() -> list[str]:
    """Every code that has a page."""
    return sorted(path.stem for path in _FOLDER.glob("GC*.md"))


def page(code: str) -> Page | None:
    """The page of a code; None where there is no such code."""
    if code not in codes():
        return None
    text = (_FOLDER / f"{code}.md").read_text(encoding="utf-8")
    heading, _, rest = text.partition("\n")
    meaning = rest.partition("\n## ")[0].strip()
    return Page(code, heading.partition(": ")[2], meaning, text)
