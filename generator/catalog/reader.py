"""Bytes in, catalog out: strict where YAML readers disagree, and every fault with its position.

Three stages: syntax (its first error), shape with name formats (all findings), rules across
fields (all findings).
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from generator import yamltext
from generator.catalog import assembly, rules, shape
from generator.catalog.source import Source
from generator.findings import Invalid

if TYPE_CHECKING:
    from collections.abc import Sequence

    from generator.catalog.model import Catalog
    from generator.findings import Finding
    from generator.yamltext import Node

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
    text = _decoded(data, path)
    try:
        roots = yamltext.parse(text)
    except yamltext.NotYaml as error:
        raise Invalid(_not_yaml(Source(path, text, None), error)) from error
    source = Source(path, text, roots[0] if roots else None)
    content = _converted(source, roots)
    catalog = assembly.catalog(content)
    findings = [source.locate(problem) for problem in rules.problems(catalog, content)]
    errors = [finding for finding in findings if finding.severity == "error"]
    if errors:
        raise Invalid(*_in_order(findings))
    return catalog, source, _in_order(findings)


def _decoded(data: bytes, path: str) -> str:
    if len(data) > MAX_BYTES:
        message = f"the catalog is larger than {MAX_BYTES >> 20} MiB"
        raise Invalid(Source(path, "", None).at(0, "GC102", message))
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        text = data.decode("utf-8-sig", "replace")
        start = len(data[: error.start].decode("utf-8-sig", "replace"))
        message = f"byte 0x{data[error.start]:02x} is not UTF-8"
        finding = Source(path, text, None).at(start, "GC106", message, "save the file as UTF-8")
        raise Invalid(finding) from error


def _not_yaml(source: Source, error: yamltext.NotYaml) -> Finding:
    conflict = _CONFLICT.search(source.text)
    if conflict is None:
        return source.at(error.offset, "GC101", str(error))
    hint = "resolve the conflict, then run `nox -s generate`"
    return source.at(conflict.start(), "GC101", "holds conflict markers", hint)


def _converted(source: Source, roots: Sequence[Node]) -> dict[str, Any]:
    """The document as plain data of the schema's shape; raises Invalid with all findings."""
    if not roots:
        hint = "start it with `schema_version: 1`"
        raise Invalid(source.at(0, "GC102", "the catalog is empty", hint))
    conversion = _Conversion(source)
    if len(roots) > 1:
        conversion.report(roots[1].start, "GC102", "a second document", "keep one document")
    content = conversion.data(roots[0])
    findings = conversion.findings
    findings += [
        finding
        for finding in shape.findings(content, source)
        if (finding.line, finding.column) not in conversion.reported
    ]
    if findings:
        raise Invalid(*_in_order(findings))
    return content  # type: ignore[no-any-return]


def _in_order(findings: Sequence[Finding]) -> list[Finding]:
    return sorted(findings, key=lambda one: (one.line or 0, one.column or 0, one.code))


class _Conversion:
    """Nodes to data. Collects what is refused whatever the schema says."""

    def __init__(self, source: Source) -> None:
        self._source = source
        self._good_keys: set[str] = set()  # the same few stand in every offering
        self.findings: list[Finding] = []

    @property
    def reported(self) -> set[tuple[int | None, int | None]]:
        """Positions that have a finding already."""
        return {(finding.line, finding.column) for finding in self.findings}

    def report(self, offset: int, code: str, message: str, hint: str = "") -> None:
        self.findings.append(self._source.at(offset, code, message, hint))
        if len(self.findings) == shape.MAX_FINDINGS:
            raise Invalid(*_in_order(self.findings))

    def data(self, node: Node, key: str = "") -> Any:  # noqa: ANN401 - whatever YAML holds
        if node.anchor is not None or node.tag is not None:
            self._graph(node)
        if node.kind == "scalar":
            text: str = node.value  # type: ignore[assignment] # `node.text` is asked too often here
            if not text.isprintable() or "{" in text or "gpu-catalog" in text:
                self._text(node, key)
            return text if node.style else _plain(text)
        if node.kind == "sequence":
            return [self.data(item) for item in node.items]
        return self._mapping(node)

    def _mapping(self, node: Node) -> dict[str, Any]:
        """The mapping by its usable keys; of a key that stands twice the first."""
        mapping: dict[str, Any] = {}
        again: list[Node] = []
        for key, value in node.pairs:
            name: str = key.value  # type: ignore[assignment] # of a scalar
            is_text = key.kind == "scalar"
            common = is_text and name in self._good_keys and not (key.anchor or key.tag)
            if is_text and name in mapping:
                again.append(key)
            elif common or self._is_usable(key):
                mapping[name] = self.data(value, name)
        if again:
            self._repeated(again, node)
        return mapping

    def _repeated(self, again: Sequence[Node], holder: Node) -> None:
        first = {one.text: one.start for one, _ in reversed(holder.pairs) if one.kind == "scalar"}
        for key in again:
            line = self._source.at(first[key.text], "GC103", "").line
            message = f"the key `{key.text}` stands twice, first in line {line}"
            self.report(key.start, "GC103", message, "keep one of them")

    def _graph(self, node: Node) -> None:
        what = "an alias" if node.kind == "alias" else "an anchor" if node.anchor else "a tag"
        hint = "write the value out: readers of YAML differ on anchors, aliases and tags"
        self.report(node.start, "GC104", f"{what} is not allowed here", hint)

    def _text(self, node: Node, key: str) -> None:
        """Control characters, what Ansible would run as a template, and what marks a region."""
        control = (_CONTROL_BUT_LINE_FEED if key == "cel" else _CONTROL).search(node.text)
        if control:
            message = f"holds the character U+{ord(control[0]):04X}"
            self.report(node.start, "GC106", message, "texts are one line without controls")
        braces = _BRACES.search(node.text)
        if braces:
            message = f"holds `{braces[0]}`, which Ansible would run as a template"
            self.report(node.start, "GC107", message, "write it without these braces")
        marker = _MARKER.search(node.text)
        if marker:
            message = f"holds `{marker[0]}`, which marks a region of a generated file"
            self.report(node.start, "GC108", message, "write it otherwise")

    def _is_usable(self, key: Node) -> bool:
        if key.kind != "scalar":
            self.report(key.start, "GC105", "a key must be text", "write a plain name")
        elif key.text == "<<" and not key.style:
            self.report(key.start, "GC104", "a merge key is not allowed", "write the keys out")
        else:
            self._key(key)
            return True
        return False

    def _key(self, key: Node) -> None:
        if key.anchor is not None or key.tag is not None:
            self._graph(key)
        elif not key.style and yamltext.is_ambiguous(key.text):
            hint = _QUOTE.format(yamltext.scalar(key.text))
            self.report(key.start, "GC105", f"the key `{key.text}` is not text to all", hint)
        elif not key.style and key.text.isidentifier():
            self._good_keys.add(key.text)
        self._text(key, "")


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
