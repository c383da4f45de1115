"""What comes of putting an artifact in its place: a new text, or a refusal."""

from __future__ import annotations

import re
from typing import NamedTuple

_LINE_END = re.compile(r"\r?\n")


class Placed(NamedTuple):
    """A consumer's file with an artifact in its place.

    `found` is what stood in the place and `wanted` what stands there now, both without what
    belongs to the consumer: line endings, the marker's indentation, the layout of a node. `found`
    is None where the file or the node was not there. `lost` are offsets of comments in the old
    text that the new one no longer has.
    """

    text: str
    found: str | None
    wanted: str
    lost: tuple[int, ...] = ()


class Refused(Exception):  # noqa: N818 - says what happened
    """The artifact cannot be put in its place safely; `offset` is in the consumer's text."""

    def __init__(self, code: str, message: str, hint: str, offset: int | None = None) -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.hint = hint
        self.offset = offset


class NotProduced(Refused):
    """The artifact itself has no such region or node: the catalog's entry is at fault."""


def newline_at(text: str, offset: int) -> str:
    r"""The line ending of the line at the offset, or of the text's first line; else `\n`."""
    found = _LINE_END.search(text, offset) or _LINE_END.search(text)
    return found[0] if found else "\n"


def without_carriage_returns(text: str) -> str:
    """The text with one kind of line ending."""
    return text.replace("\r\n", "\n")
