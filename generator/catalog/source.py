"""The catalog's text: where a path such as `("offerings", 3, "label")` stands in it."""

from __future__ import annotations

import re
from bisect import bisect_right
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from generator.findings import Finding
from generator.reports import excerpt

if TYPE_CHECKING:
    from generator.findings import Severity
    from generator.yamltext import Where

_SHOWN = 200
"""Characters around a finding that may be shown: a line can be a whole minified file."""

_WORD = re.compile(r"[A-Za-z0-9.-]+")
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


Place: TypeAlias = "int | tuple[int, Members]"
"""Where a value begins: of a collection with its members, by key with the key's offset too."""
Members: TypeAlias = "list[Place] | dict[str, tuple[int, Place]]"


@dataclass(frozen=True)
class Source:
    """A document's path, its text without a byte order mark, and where what stands in it."""

    path: str
    text: str
    place: Place = 0

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
        """A number, or true or false, as it is written there."""
        found = _WORD.match(self.text, self._offset(where, on_key=False))
        return found[0] if found else ""

    @cached_property
    def _line_starts(self) -> list[int]:
        lengths = [len(line) + 1 for line in self.text.split("\n")]
        return list(accumulate(lengths, initial=0))

    def _line_and_column(self, offset: int) -> tuple[int, int]:
        line = bisect_right(self._line_starts, offset)
        return line, offset - self._line_starts[line - 1] + 1

    def _offset(self, where: Where, *, on_key: bool) -> int:
        """Where the path leads, or as far as it does."""
        place, key = self.place, None
        for step in where:
            members = () if isinstance(place, int) else place[1]
            if isinstance(members, dict) and step in members:
                key, place = members[step]
            elif isinstance(members, list) and isinstance(step, int) and step < len(members):
                key, place = None, members[step]
            else:
                key = None
                break
        if on_key and key is not None:
            return key
        return place if isinstance(place, int) else place[0]


def _cut(words: str) -> str:
    return words if len(words) <= _LONGEST else f"{words[:_LONGEST]}..."
