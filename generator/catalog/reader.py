"""Bytes in, catalog out: strict where YAML readers disagree, and every fault with its position.

Three stages: syntax (its first error), shape with name formats (all findings), rules across
fields (all findings).
"""

from __future__ import annotations

import re
from itertools import islice
from typing import TYPE_CHECKING, Any

import yaml

from generator import yamltext
from generator.catalog import assembly, rules, shape
from generator.catalog.source import Source
from generator.findings import Invalid
from generator.yamlfaults import NotYaml, faults_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from generator.catalog.model import Catalog
    from generator.catalog.source import Members, Place
    from generator.findings import Finding

MAX_BYTES = 4 * 1024 * 1024
"""Some 10,000 offerings; a larger file is a mistake, and would only cost memory."""

_QUOTE = "YAML readers disagree on it, or read no text: write {} in quotes"
_INTEGER = re.compile(r"-?(?:0|[1-9][0-9]{0,17})")
_DECIMAL = re.compile(r"-?(?:0|[1-9][0-9]{0,17})\.[0-9]{1,18}")
_BRACES = re.compile(r"\{[{%#]")
_MARKER = re.compile(r"\b(?:BEGIN|END)[ \t]+gpu-catalog\b")
_CONFLICT = re.compile(r"^(?:<{7}|\|{7}|={7}|>{7})(?=\s|$)", re.MULTILINE)
_CONTROL = re.compile(  # with what reorders a line for its reader: bidirectional controls
    "[\x00-\x1f\x7f-\x9f\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff\ufffe\uffff\ud800-\udfff]"
)
_CONTROL_BUT_LINE_FEED = re.compile("(?!\n)" + _CONTROL.pattern)


def read(data: bytes, path: str) -> tuple[Catalog, Source, list[Finding]]:
    """The catalog, its source for positions, and its warnings and notes; raises Invalid."""
    source, content = _converted(_decoded(data, path), path)
    catalog = assembly.catalog(content)
    findings = [source.locate(problem) for problem in rules.problems(catalog, content)]
    errors = [finding for finding in findings if finding.severity == "error"]
    if errors:
        raise Invalid(*_in_order(findings))
    return catalog, source, _in_order(findings)


def _decoded(data: bytes, path: str) -> str:
    if len(data) > MAX_BYTES:
        message = f"the catalog is larger than {MAX_BYTES >> 20} MiB"
        raise Invalid(Source(path, "").at(0, "GC102", message))
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        text = data.decode("utf-8-sig", "replace")
        start = len(data[: error.start].decode("utf-8-sig", "replace"))
        message = f"byte 0x{data[error.start]:02x} is not UTF-8"
        finding = Source(path, text).at(start, "GC106", message, "save the file as UTF-8")
        raise Invalid(finding) from error
    if odd := list(islice(_odd_line_ends(Source(path, text)), shape.MAX_FINDINGS)):
        raise Invalid(*odd)
    return text


def _odd_line_ends(source: Source) -> Iterator[Finding]:
    """Line ends to libyaml alone: to others a comment goes on behind them."""
    if not source.text.isascii():
        for found in re.finditer("[\x85\u2028\u2029]", source.text):
            message = f"to some readers of YAML U+{ord(found[0]):04X} ends the line"
            hint = "take it out, or write it as an escape between double quotes"
            yield source.at(found.start(), "GC106", message, hint)


def _not_yaml(source: Source, error: NotYaml) -> Finding:
    conflict = _CONFLICT.search(source.text)
    if conflict is None:
        return source.at(error.offset, "GC101", str(error), error.hint)
    hint = "resolve the conflict, then run `nox -s generate`"
    return source.at(conflict.start(), "GC101", "holds conflict markers", hint)


def _converted(text: str, path: str) -> tuple[Source, dict[str, Any]]:
    """The document as plain data of the schema's shape; raises Invalid with all findings."""
    conversion = _Conversion(Source(path, text))
    try:
        content = conversion.content()
    except NotYaml as error:
        raise Invalid(_not_yaml(Source(path, text), error)) from error
    source = Source(path, text, conversion.place)
    findings = conversion.findings
    findings += [
        finding
        for finding in shape.findings(content, source)
        if (finding.line, finding.column) not in conversion.reported
    ]
    if findings:
        raise Invalid(*_in_order(findings))
    return source, content


def _in_order(findings: Sequence[Finding]) -> list[Finding]:
    return sorted(findings, key=lambda one: (one.line or 0, one.column or 0, one.code))


class _Conversion:
    """Events to data and places. Collects what is refused whatever the schema says.

    Nothing is built in between: reading is a large part of a run on a large catalog.
    """

    def __init__(self, source: Source) -> None:
        self._source = source
        self._next: Callable[[], Any]
        self._depth = 0
        self._good_keys: set[str] = set()  # the same few stand in every offering
        self.place: Place = 0
        self.findings: list[Finding] = []

    @property
    def reported(self) -> set[tuple[int | None, int | None]]:
        """Positions that have a finding already."""
        return {(finding.line, finding.column) for finding in self.findings}

    def report(self, offset: int, code: str, message: str, hint: str = "") -> None:
        self.findings.append(self._source.at(offset, code, message, hint))
        if len(self.findings) == shape.MAX_FINDINGS:
            raise Invalid(*_in_order(self.findings))

    def content(self) -> Any:  # noqa: ANN401 - whatever YAML holds
        """The data of the one document, whose place it notes; raises NotYaml and Invalid."""
        with faults_of(self._source.text):
            next_event: Callable[[], Any] = yaml.CSafeLoader(self._source.text).get_event
            self._next = next_event
            content, documents = None, 0
            while type(event := next_event()) is not yaml.StreamEndEvent:
                if type(event) is yaml.DocumentStartEvent:
                    documents += 1
                    event = next_event()
                    if documents == 1:
                        content, self.place = self._value(event, "")
                        continue
                    if documents == 2:
                        hint = "keep one document"
                        self.report(event.start_mark.index, "GC102", "a second document", hint)
                    self._skip(event)
        if not documents:
            hint = "start it with `schema_version: 1`"
            raise Invalid(self._source.at(0, "GC102", "the catalog is empty", hint))
        return content

    def _value(self, event: Any, key: str) -> tuple[Any, Place]:  # noqa: ANN401 - an event
        kind, start = type(event), event.start_mark.index
        if event.anchor is not None or (kind is not yaml.AliasEvent and event.tag is not None):
            self._graph(event)
        if kind is yaml.ScalarEvent:
            text: str = event.value
            if not text.isprintable() or "{" in text or "gpu-catalog" in text:
                self._text(text, start, key)
            return (text if event.style else _plain(text)), start
        if kind is yaml.AliasEvent:
            return {}, start
        self._enter(start)
        data, members = self._mapping() if kind is yaml.MappingStartEvent else self._sequence()
        self._depth -= 1
        return data, (start, members)

    def _enter(self, start: int) -> None:
        if self._depth == yamltext.MAX_DEPTH:
            raise NotYaml(f"nested deeper than {yamltext.MAX_DEPTH} levels", start)
        self._depth += 1

    def _sequence(self) -> tuple[list[Any], Members]:
        items, places = [], []
        while type(event := self._next()) is not yaml.SequenceEndEvent:
            item, place = self._value(event, "")
            items.append(item)
            places.append(place)
        return items, places

    def _mapping(self) -> tuple[dict[str, Any], Members]:
        """The mapping by its usable keys; of a key that stands twice the first."""
        mapping: dict[str, Any] = {}
        places: dict[str, tuple[int, Place]] = {}
        next_event, good_keys = self._next, self._good_keys
        while type(event := next_event()) is not yaml.MappingEndEvent:
            name: str = event.value if type(event) is yaml.ScalarEvent else ""
            common = name in good_keys and name not in places and event.anchor is event.tag is None
            if common or self._is_usable(event, places):
                mapping[name], place = self._value(next_event(), name)
                places[name] = event.start_mark.index, place
            else:
                self._skip(event)
                self._skip(self._next())
        return mapping, places

    def _skip(self, event: Any) -> None:  # noqa: ANN401 - an event
        """Read over a value that is not looked into."""
        if type(event) in (yaml.MappingStartEvent, yaml.SequenceStartEvent):
            self._enter(event.start_mark.index)
            while not isinstance(inner := self._next(), yaml.CollectionEndEvent):
                self._skip(inner)
            self._depth -= 1

    def _graph(self, event: Any) -> None:  # noqa: ANN401 - an event
        is_alias = type(event) is yaml.AliasEvent
        what = "an alias" if is_alias else "an anchor" if event.anchor else "a tag"
        hint = "write the value out: readers of YAML differ on anchors, aliases and tags"
        self.report(event.start_mark.index, "GC104", f"{what} is not allowed here", hint)

    def _text(self, text: str, start: int, key: str) -> None:
        """Control characters, what Ansible would run as a template, and what marks a region."""
        control = (_CONTROL_BUT_LINE_FEED if key == "cel" else _CONTROL).search(text)
        if control:
            message = f"holds the character U+{ord(control[0]):04X}"
            self.report(start, "GC106", message, "texts are one line without controls")
        braces = _BRACES.search(text)
        if braces:
            message = f"holds `{braces[0]}`, which Ansible would run as a template"
            self.report(start, "GC107", message, "write it without these braces")
        marker = _MARKER.search(text)
        if marker:
            message = f"holds `{marker[0]}`, which marks a region of a generated file"
            self.report(start, "GC108", message, "write it otherwise")

    def _is_usable(self, key: Any, places: Mapping[str, tuple[int, Place]]) -> bool:  # noqa: ANN401
        """Whether the event is a key of which there is no other; reports what is wrong with it."""
        start: int = key.start_mark.index
        if type(key) is not yaml.ScalarEvent:
            self.report(start, "GC105", "a key must be text", "write a plain name")
        elif key.value in places:
            line = self._source.at(places[key.value][0], "GC103", "").line
            message = f"the key `{key.value}` stands twice, first in line {line}"
            self.report(start, "GC103", message, "keep one of them")
        elif key.value == "<<" and not key.style:
            self.report(start, "GC104", "a merge key is not allowed", "write the keys out")
        else:
            self._key(key, start)
            return True
        return False

    def _key(self, key: Any, start: int) -> None:  # noqa: ANN401 - an event
        text: str = key.value
        if key.anchor is not None or key.tag is not None:
            self._graph(key)
        elif not key.style and yamltext.is_ambiguous(text):
            hint = _QUOTE.format(yamltext.scalar(text))
            self.report(start, "GC105", f"the key `{text}` is not text to all", hint)
        elif not key.style and text.isidentifier():
            self._good_keys.add(text)
        self._text(text, start, "")


def _plain(text: str) -> str | int | float | bool | shape.Ambiguous:
    """A plain scalar as every YAML reader takes it; Ambiguous where they differ, or it is null."""
    if not yamltext.is_ambiguous(text):
        return text
    if text in ("true", "false"):
        return text == "true"
    if _INTEGER.fullmatch(text):
        return int(text)
    if _DECIMAL.fullmatch(text):
        return float(text)
    return shape.Ambiguous(text)
