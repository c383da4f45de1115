"""Where a label stands in text that looks like YAML or JSON, told by indentation and brackets.

For what no parser reads: Jinja and Helm templates, manifests inside block scalars, strings and
fenced examples. Only the label's line and those above it are looked at.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from generator.scan.spots import Owner, Spot, is_word, unquoted

if TYPE_CHECKING:
    from generator.scan.labels import Hit

_ROWS = 400
"""Lines above a label among which its parent is looked for."""
_WIDTH = 1000
"""Characters before and after a label that are looked at: lines of minified files are endless."""

_QUOTED = re.compile(r'"(?:[^"\\]|\\.)*"' r"|'[^']*'")
_COMMENT = re.compile(r"(?:\A|\s)(?:#|//)")
_KEY = r"""["']?([^\s"'{}\[\],#][^\s"'{}\[\],]*?)["']?\s*:"""
_OWN_KEY = re.compile(rf"\s*(?:-\s+)*{_KEY}\s*\Z")
_HEAD = re.compile(r"([ \t]*)((?:-[ \t]+)*)")
_PARENT = re.compile(rf"{_KEY}[ \t]*(?:[|>{{\[&!#].*)?\Z")
_BRACKET = re.compile(rf"(?:{_KEY}\s*)?([{{\[])|([}}\]])")
_NOTHING = re.compile(r"\s*(?:-\s+)*\Z")
_END = re.compile(r"\s*(?:\Z|[,\]}]|\s#)")
_VALUE = re.compile(r"""\s*:(?=\s|\Z|["'{])\s*["']?([^"',}\s#]*)""")
_VALUE_OF_QUOTED = re.compile(r"""\s*:\s*["']?([^"',}\s#]*)""")


def spot_in(
    text: str, hit: Hit, start: int = 0, above: tuple[str, ...] = (), owner: Owner | None = None
) -> Spot:
    """The spot of a hit in the part of the text that begins at `start`, below the keys `above`."""
    before, after = start_of_line(text, hit.start, start), rest_of_line(text, hit.end)
    line = hit.start - len(before)
    if is_comment(text, hit.start, start):
        return Spot("comment", owner=owner)
    word = is_word(before, after)
    before, after, quoted = unquoted(before, after)
    inside, segment = _brackets(before)
    path = (*above, *_parent(text, start, line, before), *inside)
    value = (_VALUE_OF_QUOTED if quoted else _VALUE).match(after)
    own = _OWN_KEY.match(segment)
    if value and _NOTHING.match(segment):
        return Spot("key", path, value[1], owner=owner)
    if own and _END.match(after):
        return Spot("value", (*path, own[1]), owner=owner)
    is_item = segment != before or "-" in segment
    if _NOTHING.match(segment) and is_item and _END.match(after):
        return Spot("item", path, owner=owner)
    return Spot("text", path, is_word=word and not quoted, owner=owner)


def start_of_line(text: str, position: int, start: int = 0) -> str:
    """What stands before on the line, from `start` on, as far as it matters."""
    low = max(start, position - _WIDTH)
    return text[max(text.rfind("\n", low, position) + 1, low) : position]


def rest_of_line(text: str, position: int) -> str:
    """What follows on the line, without its end, as far as it matters."""
    end = text.find("\n", position, position + _WIDTH)
    return text[position : end if end >= 0 else position + _WIDTH].rstrip("\r")


def is_comment(text: str, position: int, start: int = 0) -> bool:
    """Whether the line says that a comment has begun before this position."""
    before = start_of_line(text, position, start)
    if ("#" in before or "//" in before) and _COMMENT.search(_QUOTED.sub("", before)):
        return True
    low = max(start, position - 2 * _WIDTH)
    for opening, closing in (("{#", "#}"), ("{{/*", "*/"), ("{{- /*", "*/")):
        opened = text.rfind(opening, low, position)
        if opened >= 0 and text[opened - 1 : opened] != "$":  # the length of a shell's array
            return text.find(closing, opened, position) < 0
    return False


def _brackets(before: str) -> tuple[list[str], str]:
    """The keys of the brackets that the line has left open, and what follows the last comma."""
    opened: list[tuple[str, int]] = []
    for match in _BRACKET.finditer(before):
        if match[2]:
            opened.append((match[1] or "", match.end()))
        elif opened:
            opened.pop()
    if not opened:
        return [], before
    segment = before[opened[-1][1] :]
    return [key for key, _ in opened if key], segment[segment.rfind(",") + 1 :]


def _parent(text: str, start: int, line: int, before: str) -> tuple[str, ...]:
    """The key that holds this line, looked for upwards by indentation; empty where none does."""
    head = _HEAD.match(before)
    assert head
    limit = len(head[1]) + bool(head[2])  # a list may stand right below its key
    for _ in range(_ROWS):
        if line <= start or limit <= 0:
            break
        above = max(text.rfind("\n", 0, line - 1) + 1, start, line - _WIDTH)
        row, line = text[above : line - 1].rstrip(), above
        head = _HEAD.match(row)
        assert head
        parent = _PARENT.match(row, head.end()) if head.end() < limit else None
        if parent:
            return (parent[1],)
    return ()
