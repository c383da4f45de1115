"""Device selectors as Kubernetes evaluates them: true, false, fails, or cannot tell.

The last is the outcome wherever the library cannot be trusted to answer as Kubernetes would.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

from generator.cluster import celrules
from generator.cluster.celtree import tree
from generator.cluster.celvalues import environment
from generator.kubernetes import MAX_CEL_BYTES

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from generator.cluster.celrules import Reading
    from generator.cluster.celtree import Tree
    from generator.cluster.subjects import Subject

Outcome = Literal["true", "false", "fails", "cannot tell"]


class Verdict(NamedTuple):
    """What an expression says of a device, and why where it is neither true nor false."""

    outcome: Outcome
    reason: str = ""


class Selector(NamedTuple):
    """A compiled expression. `always` is its verdict on every device, where it cannot be run."""

    always: Verdict | None
    program: Any
    reading: Reading | None


class Cel:
    """Compiles selectors and evaluates them; raises ImportError without cel-expr-python."""

    def __init__(self) -> None:
        self._checker = environment(checking=True)
        self._runtime = environment(checking=False)
        self._regex = self._runtime.compile("''.matches(pattern)")

    def compile(self, expression: str) -> Selector:
        """The selector of an expression; one that Kubernetes refuses always fails."""
        always = _refused_unread(expression)
        if always is not None:
            return Selector(always, None, None)
        try:
            checked = self._checker.compile(expression).serialize()
        except RuntimeError as error:
            return Selector(_not_compiled(expression, str(error)), None, None)
        try:
            root = tree(checked)
            always = self._refused(root)
            read = celrules.reading(root)
        except RecursionError:
            always, read = Verdict("cannot tell", "too deeply nested"), None
        program = None if always else self._runtime.deserialize(checked)
        return Selector(always, program, read)

    def _refused(self, root: Tree) -> Verdict | None:
        if reason := celrules.refused(root) or self._bad_pattern(root):
            return Verdict("fails", reason)
        reason = celrules.uncertain(root)
        return Verdict("cannot tell", f"{reason} differs in the CEL library") if reason else None

    def _bad_pattern(self, root: Tree) -> str | None:
        for pattern in celrules.patterns(root):
            if self._regex.eval(data={"pattern": pattern}).type().name() == "ERROR":
                return f"invalid regular expression: {pattern!r}"
        return None

    def evaluate(self, selector: Selector, subject: Subject) -> Verdict:
        """The selector's verdict on a device."""
        if subject.unreadable:
            return Verdict(*subject.unreadable)
        if selector.always is not None:
            return selector.always
        assert selector.reading is not None
        reason = _untold(selector.reading, subject)
        if reason:
            return Verdict("cannot tell", reason)
        try:
            value = selector.program.eval(data=_variables(selector.reading, subject))
        except (RuntimeError, ValueError) as error:
            return Verdict("cannot tell", f"the CEL library cannot take the device: {error}")
        name = value.type().name()
        if name == "BOOL":
            return Verdict("true" if value.value() else "false")
        if name == "ERROR":
            return _failure(str(value.value()))
        return Verdict("fails", "the result is no bool")


def _refused_unread(expression: str) -> Verdict | None:
    """A verdict that needs no compiler."""
    if len(expression.encode("utf-8", "replace")) > MAX_CEL_BYTES:
        return Verdict("fails", f"longer than {MAX_CEL_BYTES} bytes")
    if reason := celrules.refused_syntax(expression):
        return Verdict("fails", reason)
    if reason := celrules.beyond_checking(expression):
        return Verdict("cannot tell", f"{reason} is not known to the CEL library")
    return None


def _not_compiled(expression: str, message: str) -> Verdict:
    if unknown := celrules.beyond_library(expression):
        return Verdict("cannot tell", f"{unknown} is not known to the CEL library")
    found = re.search(r"ERROR: <input>:(\d+):(\d+): (.*)", message)
    if found is None:  # a limit of the library's own
        return Verdict("cannot tell", f"the CEL library refuses it: {message.splitlines()[0]}")
    line, column, words = found.groups()
    return Verdict("fails", f"does not compile: {words} (line {line}, column {column})")


def _failure(message: str) -> Verdict:
    """The verdict of an evaluation's error, in Kubernetes' words where they are known."""
    if "cannot tell" in message:
        return Verdict("cannot tell", message.partition(": ")[2])
    if missing := re.search('Key not found in map : "(.*)"', message, re.DOTALL):
        return Verdict("fails", f"no such key: {missing[1]}")
    if "No matching overloads" in message:
        return Verdict("fails", "no such overload" + message.partition("found")[2])
    return Verdict("fails", message.partition(": ")[2] or message)


def _untold(read: Reading, subject: Subject) -> str:
    """Why the device is beyond what the library tells about the expression; else empty."""
    versions = subject.versions
    loose = versions if read.any_loose else versions & read.loose
    if loose:
        names = ", ".join(sorted(loose))
        return f"{names} is a version, which is compared with something else than semver(...)"
    if others := read.expected & subject.ids - versions:
        return f"{', '.join(sorted(others))} is compared with a version and is none"
    if read.all_domains and not (
        read.attribute_domains <= subject.attributes.keys()
        and read.capacity_domains <= subject.capacity.keys()
    ):
        return "it asks which domains there are"
    return ""


def _variables(read: Reading, subject: Subject) -> dict[str, object]:
    """The device as the library sees it. A domain that the device lacks is an empty map."""
    domains = set() if read.all_domains else {*read.attribute_domains, subject.driver}
    return {
        "device": {},
        "device.driver": subject.driver,
        "device.attributes": _with_domains(subject.attributes, domains),
        "device.capacity": _with_domains(subject.capacity, read.capacity_domains),
        "device.allowMultipleAllocations": subject.shared,
    }


def _with_domains(values: Mapping[str, object], domains: Iterable[str]) -> dict[str, object]:
    return {**{domain: {} for domain in domains}, **values}
