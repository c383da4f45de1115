"""Regions: the lines between `BEGIN gpu-catalog NAME` and `END gpu-catalog NAME`.

The comment syntax around the markers is the file's own, and no parser is asked.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from generator.places.placed import (
    NotProduced,
    Placed,
    Refused,
    newline_at,
    without_carriage_returns,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

    from generator.catalog.model import Placement

_MARKER = re.compile(
    r"\b(BEGIN|END)[ \t]+gpu-catalog[ \t]+([a-z0-9](?:[a-z0-9-]*[a-z0-9])?)(?![\w-]*\w)"
)
_COMMENT_WORDS = {"", "c", "dnl", "rem"}
"""Comment syntax that is made of letters: Fortran, m4, batch files."""


class _Marker(NamedTuple):
    word: str
    name: str
    offset: int
    line: int
    next_line: int


class _Region(NamedTuple):
    """A region's body in its text: its offsets, and the marker's indentation."""

    start: int
    end: int
    indent: str

    def body(self, text: str) -> str:
        """The lines without the marker's indentation and without carriage returns."""
        lines = without_carriage_returns(text[self.start : self.end]).split("\n")
        return "\n".join(line.removeprefix(self.indent) for line in lines)


def put(text: str | None, placement: Placement, artifact: str) -> Placed:
    """The text with the artifact's region in the consumer's, indented as its marker is."""
    assert placement.region is not None
    assert placement.marker is not None
    wanted = _content(artifact, placement.region)
    if text is None:
        raise Refused("GC406", "there is no such file", _how_to_mark(placement.marker))
    region = _locate(text, placement.marker)
    found = region.body(text)
    if found == wanted:
        return Placed(text, found, wanted)
    newline = newline_at(text, region.start - 2)
    lines = [region.indent + line if line else "" for line in wanted.split("\n")]
    new = text[: region.start] + newline.join(lines) + text[region.end :]
    if _locate(new, placement.marker).body(new) != wanted:
        raise Refused("GC415", "the region cannot be read back", "take the markers out of it")
    return Placed(new, found, wanted)


def _content(artifact: str, name: str) -> str:
    try:
        return _locate(artifact, name).body(artifact)
    except Refused as refused:
        raise NotProduced(
            "GC416", f"the artifact has no region `{name}`", "name one of its regions"
        ) from refused


def _locate(text: str, name: str) -> _Region:
    markers = _markers(text)
    begin, end = _pair(markers, name)
    _stands_alone(text, begin, markers)
    _stands_alone(text, end, markers)
    _refuse_crossing(markers, begin, end)
    indent = re.match(r"[ \t]*", text[begin.line :])
    assert indent
    return _Region(begin.next_line, end.line, indent[0])


def _markers(text: str) -> list[_Marker]:
    markers = []
    for match in _MARKER.finditer(text):
        line_end = text.find("\n", match.end())
        next_line = line_end + 1 if line_end >= 0 else len(text)
        line = text.rfind("\n", 0, match.start()) + 1
        markers.append(_Marker(match[1], match[2], match.start(), line, next_line))
    return markers


def _pair(markers: Sequence[_Marker], name: str) -> tuple[_Marker, _Marker]:
    """The one BEGIN and the one END of this name, in this order."""
    begins = [marker for marker in markers if (marker.word, marker.name) == ("BEGIN", name)]
    ends = [marker for marker in markers if (marker.word, marker.name) == ("END", name)]
    for marker in (*begins[1:2], *ends[1:2]):
        message = f"a second `{marker.word} gpu-catalog {name}`"
        raise Refused("GC407", message, "keep one pair of markers of a name", marker.offset)
    if not begins or not ends:
        missing = "END" if begins else "BEGIN"
        offset = next((marker.offset for marker in (*begins, *ends)), None)
        message = f"there is no `{missing} gpu-catalog {name}`"
        raise Refused("GC406", message, _how_to_mark(name), offset)
    if ends[0].offset < begins[0].offset:
        message = f"`END gpu-catalog {name}` stands before its BEGIN"
        raise Refused("GC408", message, "put BEGIN above the lines and END below", ends[0].offset)
    return begins[0], ends[0]


def _stands_alone(text: str, marker: _Marker, markers: Sequence[_Marker]) -> None:
    """A page that talks about markers has them in its sentences."""
    before = text[marker.line : marker.offset]
    words = re.sub(r"[^A-Za-z]+", " ", before).strip().lower()
    shares = sum(other.line == marker.line for other in markers) > 1
    if shares or words not in _COMMENT_WORDS:
        message = f"`{marker.word} gpu-catalog {marker.name}` has no line of its own"
        hint = "give each marker a comment of its own; reword a sentence that only mentions it"
        raise Refused("GC408", message, hint, marker.offset)


def _refuse_crossing(markers: Sequence[_Marker], begin: _Marker, end: _Marker) -> None:
    open_at_begin: dict[str, _Marker] = {}
    for marker in markers:
        if marker.offset >= begin.offset:
            break
        if marker.word == "BEGIN":
            open_at_begin[marker.name] = marker
        else:
            open_at_begin.pop(marker.name, None)
    inside = [marker for marker in markers if begin.offset < marker.offset < end.offset]
    for marker in (*inside, *open_at_begin.values()):
        message = f"`{marker.word} gpu-catalog {marker.name}` and the region `{begin.name}` overlap"
        raise Refused("GC408", message, "let regions follow one another", marker.offset)


def _how_to_mark(name: str) -> str:
    return (
        f"put `BEGIN gpu-catalog {name}` and `END gpu-catalog {name}` into comments of their own,"
        " around the lines to be generated"
    )
