"""Spelling: an artifact's node written as the layout of a consumer's document has it.

Texts have line feeds; their first line starts where the place starts.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from generator import jsontext, yamltext
from generator.places.layout import is_null, is_typed

if TYPE_CHECKING:
    from collections.abc import Iterator

    from generator.places.layout import Layout
    from generator.yamltext import Node

_UNFIT_FOR_BLOCK = re.compile(r"[^\n\x20-\x7e\u00a1-\ud7ff]|\A[ \n]|[ \n]\Z|[ ]\n")
_BRACKETS = {"sequence": ("[", "]"), "mapping": ("{", "}")}


def scalar(node: Node, layout: Layout) -> str:
    """A scalar in place of a scalar, or of nothing."""
    parent = layout.way[-2]
    if layout.is_json or parent.flow:
        return _separator(layout) + _value(node, layout)
    column = layout.column(parent) + (layout.step if parent.kind == "mapping" else 1 + layout.gap)
    return _separator(layout) + _block(node, layout, column)


def flow(node: Node, layout: Layout) -> str:
    """A collection in flow style, on one line or on several as the place or the document has it."""
    return _separator(layout) + _flow(node, layout, layout.base)


def block(node: Node, layout: Layout) -> str:
    """A collection in place of a block collection of its kind."""
    column, parent = layout.column(layout.node), layout.way[-2]
    if node.value:
        return _block(node, layout, column)
    is_shallow = parent.kind == "mapping" and column <= layout.column(parent)
    return " " * (layout.step if is_shallow else 0) + "".join(_BRACKETS[node.kind])


def opened(node: Node, layout: Layout) -> tuple[int, int, str]:
    """A block collection in place of nothing, or of empty brackets: the span, and its text."""
    here, parent, text = layout.node, layout.way[-2], layout.text
    is_nothing = here.start == here.end
    if not is_nothing and (parent.kind == "sequence" or layout.starts_line(here.start)):
        return here.start, here.end, _block(node, layout, layout.column(here))
    if parent.kind == "sequence":
        column = layout.column(parent) + 1 + layout.gap
        return here.start, here.end, " " * layout.gap + _block(node, layout, column)
    column = layout.column(parent) + _offset(node, layout)
    start, end = len(text[: here.start].rstrip(" \t")), here.end
    rest = text[end:].split("\n", 1)[0].removesuffix("\r")
    if is_nothing and rest.lstrip().startswith("#"):
        start = end = end + len(rest)  # the comment stays with its key
    return start, end, "\n" + " " * column + _block(node, layout, column)


def _separator(layout: Layout) -> str:
    """A blank where nothing stands, directly behind its colon or dash."""
    start, end = layout.node.start, layout.node.end
    return " " if start == end and layout.text[start - 1 : start].strip() else ""


def _value(node: Node, layout: Layout) -> str:
    return _scalar(node, layout, quotes=layout.quotes_values)


def _key(node: Node, layout: Layout) -> str:
    node = node._replace(style='"') if layout.is_json else node
    return _scalar(node, layout, quotes=layout.quotes_keys)


def _scalar(node: Node, layout: Layout, *, quotes: bool) -> str:
    if is_null(node):
        return "null"
    if layout.is_json:
        import json

        is_literal = is_typed(node) and jsontext.LITERAL.fullmatch(node.text)
        return node.text if is_literal else json.dumps(node.text, ensure_ascii=False)
    if is_typed(node) or (not quotes and yamltext.is_plain(node.text)):
        return node.text
    return yamltext.quoted(node.text, layout.quote)


def _flow(node: Node, layout: Layout, base: str | None) -> str:
    """The node in flow style, closed at an indentation; all on one line where that is None."""
    if node.kind == "scalar":
        return _value(node, layout)
    opening, closing = _BRACKETS[node.kind]
    if not node.value:
        return opening + closing
    if base is None or not layout.breaks(node.kind):
        padding = layout.padding(node.kind)
        members = layout.comma.join(_members(node, layout, None))
        return opening + padding + members + padding + closing
    inner = base + layout.unit
    members = f",\n{inner}".join(_members(node, layout, inner))
    return f"{opening}\n{inner}{members}{layout.trailing_comma}\n{base}{closing}"


def _members(node: Node, layout: Layout, base: str | None) -> Iterator[str]:
    for item in node.items:
        yield _flow(item, layout, base)
    for key, value in node.pairs:
        yield _key(key, layout) + layout.colon + _flow(value, layout, base)


def _block(node: Node, layout: Layout, column: int) -> str:
    """The node from this column on; a scalar's further lines, too, start there."""
    if node.kind == "scalar":
        return _text_block(node, column) or _value(node, layout)
    if not node.value:
        return "".join(_BRACKETS[node.kind])
    lead = "-" + " " * layout.gap
    lines = [lead + _block(item, layout, column + len(lead)) for item in node.items]
    lines += [_pair(key, value, layout, column) for key, value in node.pairs]
    return ("\n" + " " * column).join(lines)


def _pair(key: Node, value: Node, layout: Layout, column: int) -> str:
    inner = column + _offset(value, layout)
    is_nested = value.kind != "scalar" and value.value
    between = "\n" + " " * inner if is_nested else " "
    return f"{_key(key, layout)}:{between}{_block(value, layout, inner)}"


def _offset(value: Node, layout: Layout) -> int:
    return layout.dash if value.kind == "sequence" else layout.step


def _text_block(node: Node, column: int) -> str:
    """The text of several lines that the artifact has as a block; empty where it is another."""
    text = node.text.removesuffix("\n")
    if node.style not in ("|", ">") or "\n" not in text or _UNFIT_FOR_BLOCK.search(text):
        return ""
    head = "|" if node.text.endswith("\n") else "|-"
    lines = [" " * column + line if line else "" for line in text.split("\n")]
    return "\n".join((head, *lines))
