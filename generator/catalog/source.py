"""The catalog's text and nodes: where a path such as `("offerings", 3, "label")` stands in it."""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate
from typing import TYPE_CHECKING, NamedTuple

from generator.findings import Finding
from generator.reports import excerpt

if TYPE_CHECKING:
    from generator.findings import Severity
    from generator.yamltext import Node, Where

_SHOWN = 200
"""Characters around a finding that may be shown: a line can be a whole minified file."""

_MANY = 20
"""Keys of a mapping that are looked up in an index."""

_LONGEST = 1000
"""Of a message or a hint: the text that it quotes can be as long as the file."""


class Problem(NamedTuple):
    """A finding that knows its path in the document, not yet its line.

    With `on_key` it is about the key of the path's last step, else about the value.
    """

    code: str
    where: Where
    message: str
    hint: str = ""
    severity: Severity = "error"
    on_key: bool = False


@dataclass(frozen=True)
class Source:
    """A document's path, its text without a byte order mark, and its root node."""

    path: str
    text: str
    root: Node | None

    def finding(
        self,
        code: str,
        where: Where,
        message: str,
        hint: str = "",
        severity: Severity = "error",
        *,
        on_key: bool = False,
    ) -> Finding:
        """A finding at the deepest node of the path that the document has."""
        return self.locate(Problem(code, where, message, hint, severity, on_key))

    def locate(self, problem: Problem) -> Finding:
        """The problem as a finding, with its line, column and source line."""
        offset = self._offset(problem.where, on_key=problem.on_key)
        return self.at(offset, problem.code, problem.message, problem.hint, problem.severity)

    def at(
        self, offset: int, code: str, message: str, hint: str = "", severity: Severity = "error"
    ) -> Finding:
        """A finding at an offset of the text."""
        line, column = self._line_and_column(offset)
        start = offset - min(column, _SHOWN) + 1
        shown = excerpt(self.text[start : offset + _SHOWN].split("\n", 1)[0], offset - start + 1)
        return Finding(code, severity, self.path, line, column, _cut(message), _cut(hint), shown)

    def position(self, where: Where) -> tuple[int, int]:
        """The 1-based line and column of the deepest node of the path that the document has."""
        return self._line_and_column(self._offset(where, on_key=False))

    def written(self, where: Where) -> str:
        """A scalar as it is written there, without its quotes."""
        node, _ = self._reach(where)
        return node.text if node and node.kind == "scalar" else ""

    @cached_property
    def _line_starts(self) -> list[int]:
        lengths = [len(line) + 1 for line in self.text.split("\n")]
        return list(accumulate(lengths, initial=0))

    @cached_property
    def _pairs(self) -> dict[int, dict[str, tuple[Node, Node]]]:
        """The pairs by their keys of each mapping that was asked for: one can have thousands."""
        return {}

    def _line_and_column(self, offset: int) -> tuple[int, int]:
        line = bisect_right(self._line_starts, offset)
        return line, offset - self._line_starts[line - 1] + 1

    def _offset(self, where: Where, *, on_key: bool) -> int:
        node, key = self._reach(where)
        target = key if on_key and key else node
        return target.start if target else 0

    def _reach(self, where: Where) -> tuple[Node | None, Node | None]:
        """The deepest node of the path, and its key where the whole path was found."""
        node, key = self.root, None
        for step in where:
            found = self._child(node, step) if node else None
            if found is None:
                return node, None
            key, node = found
        return node, key

    def _child(self, node: Node, step: str | int) -> tuple[Node | None, Node] | None:
        """The key (None in a sequence) and value at one step of a path."""
        if isinstance(step, int):
            return (None, node.items[step]) if step < len(node.items) else None
        if len(node.pairs) < _MANY:
            for pair in node.pairs:
                if pair[0].value == step:
                    return pair
            return None
        if id(node) not in self._pairs:
            scalars = (pair for pair in reversed(node.pairs) if pair[0].kind == "scalar")
            self._pairs[id(node)] = {pair[0].text: pair for pair in scalars}
        return self._pairs[id(node)].get(step)


def _cut(words: str) -> str:
    return words if len(words) <= _LONGEST else f"{words[:_LONGEST]}..."
