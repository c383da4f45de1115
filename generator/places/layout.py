"""Layout: how a consumer's document writes its nodes.

What the place itself shows counts first, then what stands on the way to it, then the document.
"""

from __future__ import annotations

import re
from functools import cached_property
from itertools import chain
from typing import TYPE_CHECKING, TypeVar

from generator import yamltext

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from generator.yamltext import Node

_Found = TypeVar("_Found")
_BLANKS = re.compile(r"[ \t]*")


def is_null(node: Node) -> bool:
    """Whether nothing stands here: an empty or null plain scalar."""
    return node.kind == "scalar" and not node.style and node.text in ("", "~", "null")


def is_typed(node: Node) -> bool:
    """Whether a scalar may be something else than text: a number, a boolean, nothing."""
    return not node.style and yamltext.is_ambiguous(node.text)


def descendants(node: Node) -> Iterator[Node]:
    """The node and all below it, keys too, in the order of the text."""
    stack = [node]
    while stack:
        node = stack.pop()
        yield node
        stack += reversed(node.items or list(chain(*node.pairs)))


class Layout:
    """The layout of a document around the node at the end of a way from its root."""

    def __init__(self, text: str, way: Sequence[Node], *, is_json: bool) -> None:
        self.text = text
        self.way = way
        self.node = way[-1]
        self.is_json = is_json

    def _first(self, probe: Callable[[Node], _Found | None], default: _Found) -> _Found:
        nodes = chain(descendants(self.node), reversed(self.way), descendants(self.way[0]))
        return next((found for node in nodes if (found := probe(node)) is not None), default)

    # --- lines

    def column(self, node: Node) -> int:
        """The 0-based column at which a node starts."""
        return node.start - self._line(node.start)

    def starts_line(self, offset: int) -> bool:
        """Whether only blanks stand before the offset on its line."""
        return not self.text[self._line(offset) : offset].strip(" \t")

    def indentation(self, offset: int) -> str:
        """The blanks that start the offset's line."""
        match = _BLANKS.match(self.text, self._line(offset))
        return match[0] if match else ""

    def _line(self, offset: int) -> int:
        return self.text.rfind("\n", 0, offset) + 1

    def _is_broken(self, node: Node) -> bool:
        return "\n" in self.text[node.start : node.end]

    # --- quotes

    @cached_property
    def quote(self) -> str:
        """The quotes of the first scalar that could as well have had the others."""

        def probe(node: Node) -> str | None:
            is_free = node.style in ("'", '"') and not set(node.text) & set("'\"\\\n")
            return node.style if is_free else None

        return self._first(probe, '"')

    @cached_property
    def quotes_keys(self) -> bool:
        """Whether the place quotes a key that needs no quotes."""
        return any(_is_quoted_freely(key) for key in self._keys)

    @cached_property
    def quotes_values(self) -> bool:
        """Whether the place quotes a value that needs no quotes."""
        keys = set(map(id, self._keys))
        return any(_is_quoted_freely(n) for n in descendants(self.node) if id(n) not in keys)

    @cached_property
    def _keys(self) -> list[Node]:
        return [key for node in descendants(self.node) for key, _ in node.pairs]

    # --- block style

    @cached_property
    def step(self) -> int:
        """Columns between a mapping and a mapping in it."""
        return self._first(lambda node: self._nested(node, "mapping"), 2)

    @cached_property
    def dash(self) -> int:
        """Columns between a mapping and the dashes of a sequence in it."""
        return self._first(lambda node: self._nested(node, "sequence"), 2)

    def _nested(self, node: Node, kind: str) -> int | None:
        if node.flow:
            return None
        values = [value for _, value in node.pairs if value.kind == kind and not value.flow]
        return self.column(values[0]) - self.column(node) if values else None

    @cached_property
    def gap(self) -> int:
        """Blanks between a dash and its item."""

        def probe(node: Node) -> int | None:
            if node.flow or not node.items:
                return None
            between = self.text[node.start + 1 : node.items[0].start]
            return len(between) if between and not between.strip(" ") else None

        return self._first(probe, 1)

    # --- flow style, and JSON

    def breaks(self, kind: str) -> bool:
        """Whether collections of the kind have their members on lines of their own."""

        def probe(node: Node) -> bool | None:
            return self._is_broken(node) if node.kind == kind and _is_filled_flow(node) else None

        return self._first(probe, self.is_json and self._is_broken(self.way[0]))

    @cached_property
    def base(self) -> str:
        """The indentation of the line that closes the place's collection."""
        node = self.node
        closes_line = node.flow and node.value and self.starts_line(node.end - 1)
        return self.indentation(node.end - 1 if closes_line else node.start)

    @cached_property
    def unit(self) -> str:
        """What one more level of collections adds to the indentation."""

        def probe(node: Node) -> str | None:
            if not _is_filled_flow(node) or not self.starts_line(_first_member(node).start):
                return None
            outer = self.indentation(node.end - 1)
            inner = self.indentation(_first_member(node).start)
            return (inner[len(outer) :] or None) if inner.startswith(outer) else None

        return self._first(probe, "  ")

    @cached_property
    def trailing_comma(self) -> str:
        """A comma where the place's last member has one."""
        if self.is_json or not _is_filled_flow(self.node):
            return ""
        last = yamltext.end_of(self.node.items[-1] if self.node.items else self.node.pairs[-1][1])
        return "," * self.text[last : self.node.end].lstrip().startswith(",")

    def padding(self, kind: str) -> str:
        """The blanks inside the brackets of one-line collections of the kind."""

        def probe(node: Node) -> str | None:
            if node.kind != kind or not _is_filled_flow(node) or self._is_broken(node):
                return None
            return self.text[node.start + 1 : _first_member(node).start]

        return self._first(probe, " " if kind == "mapping" and not self.is_json else "")

    @cached_property
    def comma(self) -> str:
        """A comma with the blanks after it, within a line."""

        def probe(node: Node) -> str | None:
            starts = node.items or [key for key, _ in node.pairs]
            ends = node.items or [value for _, value in node.pairs]
            if not node.flow or len(starts) < 2 or self._is_broken(node):
                return None
            return self.text[ends[0].end : starts[1].start]

        return self._first(probe, ", " if self.colon == ": " else ",")

    @cached_property
    def colon(self) -> str:
        """A colon with the blanks around it."""

        def probe(node: Node) -> str | None:
            gaps = [self.text[key.end : value.start] for key, value in node.pairs]
            return next((gap for gap in gaps if "\n" not in gap), None)

        return self._first(probe, ": ") if self.is_json else ": "


def _is_quoted_freely(node: Node) -> bool:
    return node.kind == "scalar" and node.style in ("'", '"') and yamltext.is_plain(node.text)


def _is_filled_flow(node: Node) -> bool:
    """Whether the node has brackets and members; the pair of `[a: 1]` has no brackets."""
    return node.flow and bool(node.value) and _first_member(node).start > node.start


def _first_member(node: Node) -> Node:
    return node.items[0] if node.items else node.pairs[0][0]
