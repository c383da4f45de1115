"""Markdown text: escaped prose, inline code, and tables, each as prettier leaves it."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

_INERT = re.compile(  # as most names are
    r"[A-Za-z0-9-]+(?:[ ][A-Za-z0-9][A-Za-z0-9-]*|(?<![Ww])\.[0-9][A-Za-z0-9-]*)*"
)
_ACTIVE = re.compile(
    r"[\\`*_{}\[\]<>&|~$#!]"
    r"|:(?=//)|(?<=[Ww]{3})\.|(?<=\w)@(?=\w)"  # what would make a link of an address
)
_INVISIBLE = re.compile(
    r"\A\s|\s\Z|(?<=\s)\s"  # blanks that Markdown would trim or join
    "|[\x00-\x1f\x7f-\xa0\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff\ufffe\uffff\ud800-\udfff]"
)


def prose(text: str) -> str:
    """The text as it reads: nothing in it is taken for Markdown, HTML or a cell's end."""
    if _INERT.fullmatch(text):
        return text
    escaped = _ACTIVE.sub(r"\\\g<0>", text)
    return _INVISIBLE.sub(lambda match: f"&#x{ord(match[0]):x};", escaped)


def code(text: str) -> str:
    """The text as inline code in a table's cell."""
    return span(text).replace("|", "\\|")


def span(text: str) -> str:
    """The text as inline code outside of tables."""
    fence, blank = "`", ""
    if "`" in text:
        fence *= 1 + max(map(len, re.findall("`+", text)))
        blank = " " if text.startswith("`") or text.endswith("`") else ""
    return f"{fence}{blank}{text}{blank}{fence}"


def choice(labels: Sequence[str]) -> str:
    """The labels of which people may take one: `a`, `b` or `c`."""
    if not labels:
        return "nothing"
    *others, last = map(code, labels)
    return f"{', '.join(others)} or {last}" if others else last


def table(rows: Sequence[Sequence[str]]) -> str:
    """A table of Markdown cells, the first row its head, padded to each column's width."""
    widths = [max(3, *map(_width, column)) for column in zip(*rows, strict=True)]
    head, *body = ([_padded(*cell) for cell in zip(row, widths, strict=True)] for row in rows)
    lines = [head, ["-" * columns for columns in widths], *body]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def _padded(cell: str, columns: int) -> str:
    return cell + " " * (columns - _width(cell))


def _width(text: str) -> int:
    """The columns that a terminal or an editor gives to the text."""
    if text.isascii():
        return len(text)
    from wcwidth import wcswidth

    return wcswidth(text)
