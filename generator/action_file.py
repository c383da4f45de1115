"""Action files: the requests in them, with positions, and the findings about each.

Only `type` and `options` of an action are read, and of the options `gpus` and `gpuLabel`. Aliases
and merge keys are followed as k8s-root-actor's YAML reader follows them.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from generator import yamltext
from generator.actions import GPU_TYPES, Labels, Request, faults
from generator.reports import finding_in
from generator.yamlfaults import NotYaml

if TYPE_CHECKING:
    from collections.abc import Iterator

    from generator.findings import Finding, Severity
    from generator.yamltext import Node

    Fields: TypeAlias = dict[str, Node]

NOT_YAML = "GC601"
_WHOLE_NUMBER = re.compile(r"(0|[1-9][0-9]{0,8})\Z")
_NULL = ("", "~", "null", "Null", "NULL")


class Action(NamedTuple):
    """One action of a file: what it asks for, and the offsets to point at."""

    request: Request
    start: int
    fields: dict[str, int]


class ActionFile(NamedTuple):
    """An action file that was read: its actions, and what is wrong with them."""

    path: str
    actions: list[Action]
    findings: list[Finding]


def check_file(path: str, data: bytes, labels: Labels, cluster: str | None = None) -> ActionFile:
    """The actions in a file's bytes, held against the labels; a finding NOT_YAML ends it there."""
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        text = data.decode("utf-8-sig", "replace")
        start = len(data[: error.start].decode("utf-8-sig"))
        hint = "save the file as UTF-8"
        found = finding_in(text, start, path, NOT_YAML, "error", "is not UTF-8", hint)
        return ActionFile(path, [], [found])
    reader = _Reader(path, text)
    actions = reader.read()
    for action in actions:
        for fault in faults(action.request, labels, cluster):
            offset = action.fields.get(fault.field, action.start)
            reader.add(offset, fault.code, fault.message, fault.hint, fault.severity)
    # Two actions can share their options through an alias: one place, one finding.
    distinct = dict.fromkeys(reader.findings)
    order = sorted(distinct, key=lambda finding: (finding.line or 0, finding.column or 0))
    return ActionFile(path, actions, order)


class _Reader:
    """Reads one action file and collects what is wrong with its shape."""

    def __init__(self, path: str, text: str) -> None:
        self.path = path
        self.text = text
        self.findings: list[Finding] = []
        self.anchors: dict[str, list[Node]] = {}

    def add(
        self, offset: int, code: str, message: str, hint: str = "", severity: Severity = "error"
    ) -> None:
        found = finding_in(self.text, offset, self.path, code, severity, message, hint)
        self.findings.append(found)

    def read(self) -> list[Action]:
        try:
            roots = yamltext.parse(self.text)
        except NotYaml as error:
            self.add(error.offset, NOT_YAML, f"is not YAML: {error}", error.hint)
            return []
        if not self._anchor(roots):
            return []
        documents = [root for root in roots if not _is_null(root)]
        if not documents:
            self.add(0, "GC602", "holds no action", "an action has a `type` and `options`")
        return [
            action
            for document in documents
            for node in self._actions(document)
            if (action := self._action(node)) is not None
        ]

    def _anchor(self, roots: list[Node]) -> bool:
        """Note every anchor of the file; false, with a finding, where an alias has none."""
        for root in roots:
            for _, node in yamltext.walk(root):
                if node.kind != "alias" and node.anchor:
                    self.anchors.setdefault(node.anchor, []).append(node)
                if node.kind == "alias" and not self._anchored(node):
                    message = f"is not YAML: the alias *{node.anchor} has no anchor before it"
                    self.add(node.start, NOT_YAML, message)
                    return False
        return True

    def _anchored(self, alias: Node) -> Node | None:
        """The node that an alias stands for: the last one before it with this anchor."""
        before = [
            node for node in self.anchors.get(alias.anchor or "", ()) if node.start < alias.start
        ]
        return before[-1] if before else None

    def _follow(self, node: Node) -> Node:
        return (self._anchored(node) or node) if node.kind == "alias" else node

    def _actions(self, document: Node) -> list[Node]:
        """The actions of one document: those of its list `actions`, or the document itself."""
        fields = self._fields(document, "actions", "type")
        if "actions" not in fields or "type" in fields:
            return [document]
        listed = self._follow(fields["actions"])
        if listed.kind != "sequence":
            self.add(listed.start, "GC602", "`actions` must be a list of actions")
        return [self._follow(item) for item in listed.items]

    def _action(self, node: Node) -> Action | None:
        fields = self._fields(node, "type", "options")
        if "type" not in fields:
            message = "an action must be a mapping with a `type`"
            self.add(node.start, "GC602", message, f"such as {' or '.join(GPU_TYPES)}")
            return None
        kind = self._follow(fields["type"])
        if kind.kind != "scalar":
            self.add(kind.start, "GC602", "`type` must be a text")
            return None
        if kind.text not in GPU_TYPES:
            return Action(Request(kind.text, None, None), node.start, {})
        options = self._options(fields)
        offsets = {name: value.start for name, value in options.items()}
        gpus, label = self._gpus(options), self._label(options)
        return Action(Request(kind.text, gpus, label), node.start, offsets)

    def _options(self, fields: Fields) -> Fields:
        if "options" not in fields or _is_null(self._follow(fields["options"])):
            return {}
        node = self._follow(fields["options"])
        if node.kind != "mapping":
            self.add(node.start, "GC602", "`options` must be a mapping")
        return self._fields(node, "gpus", "gpuLabel")

    def _gpus(self, options: Fields) -> int | None:
        if "gpus" not in options:
            return 0
        node = self._follow(options["gpus"])
        plain = node.kind == "scalar" and not node.style and not node.tag
        if plain and _WHOLE_NUMBER.match(node.text):
            return int(node.text)
        hint = "write a plain number, such as `gpus: 1`"
        self.add(
            options["gpus"].start, "GC604", "`gpus` must be a whole number of at least 0", hint
        )
        return None

    def _label(self, options: Fields) -> str | None:
        if "gpuLabel" not in options:
            return None
        node = self._follow(options["gpuLabel"])
        if node.kind != "scalar":  # no label can be equal to what the file says there
            return " ".join(self.text[node.start : yamltext.end_of(node)].split())
        return None if _is_null(node) else node.text

    def _fields(self, mapping: Node, *names: str) -> Fields:
        """The mapping's fields of these names, those of its merge keys included."""
        fields: Fields = {}
        for key, value in mapping.pairs:
            if key.kind == "scalar" and key.text in names:
                if key.text in fields:
                    self.add(key.start, "GC603", f"`{key.text}` is given twice", "keep one of them")
                fields[key.text] = value
        for merged in self._merged(mapping, set()):
            for key, value in merged.pairs:
                if key.kind == "scalar" and key.text in names:
                    fields.setdefault(key.text, value)
        return fields

    def _merged(self, mapping: Node, seen: set[int]) -> Iterator[Node]:
        """The mappings under a mapping's `<<` keys, and under theirs, the first to win first."""
        for key, value in mapping.pairs:
            if key.kind != "scalar" or key.text != "<<" or key.style:
                continue
            followed = self._follow(value)
            for item in followed.items or [followed]:
                node = self._follow(item)
                if node.start not in seen:
                    seen.add(node.start)
                    yield node
                    yield from self._merged(node, seen)


def _is_null(node: Node) -> bool:
    return node.kind == "scalar" and not node.style and not node.tag and node.text in _NULL
