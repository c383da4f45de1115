"""What Kubernetes' selectors do differently from plain CEL, read off a checked expression.

Sources: dynamic-resource-allocation `cel/compile.go`, apiserver `pkg/cel/environment/base.go` and
`pkg/cel/library/cost.go`, and what their code answered to some 200 expressions.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Literal, NamedTuple

from generator.cluster.celtree import walk
from generator.cluster.celvalues import QUANTITY_TYPE, VERSION_TYPE

if TYPE_CHECKING:
    from collections.abc import Iterator

    from generator.cluster.celtree import Tree

    Use = Literal["strict", "loose", "keys"]

_ATTRIBUTES = "map(string, dyn)"
_CAPACITY = f"map(string, {QUANTITY_TYPE})"
_DOMAINS = (f"map(string, {_ATTRIBUTES})", f"map(string, {_CAPACITY})")
_MAPS = (_ATTRIBUTES, _CAPACITY, *_DOMAINS)
_LOOKUPS = ("_[_]", "_[?_]", "_?._")

# Literals and comments, so that names are looked for in the code alone.
_LITERALS = re.compile(
    r"""(?sx) [rRbB]{0,2} (?: '''.*?''' | \"\"\".*?\"\"\" | '(?:\\.|[^'\\\n])*'
        | "(?:\\.|[^"\\\n])*" ) | //[^\n]* """
)
_NOT_IN_LIBRARY = re.compile(
    r"""(?x) \b (?: find | findAll | isSorted | sum | min | max | indexOf | lastIndexOf | slice
        | reverse | distinct | flatten | sort | sortBy | transformList | transformMap
        | transformMapEntry | existsOne | isIP | ip | isCIDR | cidr | isURL | url
        | optFlatMap ) \s* \(
      | \b (?: sets | lists | format | ip ) \s* \.
      | \. (?: all | exists | exists_one ) \s* \( \s* \w+ \s* , \s* \w+ \s* , """
)
_DEVICE_AS_OBJECT = re.compile(
    r"(?x) \b has \s* \( \s* device \s* \. \s* \w+ \s* \) | \b device \s* \. \s* \?"
)
_DIFFERENT_FUNCTIONS = {"format", "join", "reverse", "quote"}
_MAX_LOOPS = 3

_STRICT_FUNCTIONS = {
    *("isLessThan", "isGreaterThan", "compareTo", "major", "minor", "patch", "semver", "isSemver"),
    *("quantity", "isQuantity", "_!=_", "_<_", "_<=_", "_>_", "_>=_", "_&&_", "_||_", "!_"),
    *("@not_strictly_false", "startsWith", "endsWith", "contains", "matches", "lowerAscii"),
    *("upperAscii", "string", "int", "uint", "double", "bool"),
}
"""Functions that do to a version in the library what they do to one in Kubernetes."""


def beyond_library(expression: str) -> str | None:
    """What the expression uses that Kubernetes knows and the CEL library does not."""
    found = _NOT_IN_LIBRARY.search(_code(expression))
    return found[0].strip(" .(\n") if found else None


def beyond_checking(expression: str) -> str | None:
    """What the expression uses that the library takes for something else."""
    found = _DEVICE_AS_OBJECT.search(_code(expression))
    return found[0] if found else None


def refused_syntax(expression: str) -> str | None:
    """Syntax that the library accepts and Kubernetes does not."""
    return "unsupported syntax: '`'" if "`" in _code(expression) else None


def _code(expression: str) -> str:
    return _LITERALS.sub("''", expression)


def refused(root: Tree) -> str | None:
    """Why Kubernetes refuses the class although the library compiles its expression."""
    if root.type not in ("bool", "dyn") or root.name == "dyn":
        return f"must evaluate to bool, not {root.type}"
    for node in walk(root):
        if node.kind == "list" and len({part.type for part in node.parts}) > 1:
            return "a list with items of different types"
        if node.kind == "map" and len({part.type for part in node.parts[1::2]}) > 1:
            return "a map with values of different types"
        if node.name in ("_==_", "_!=_") and _costs_too_much(node):
            return f"too complex: {node.name.strip('_')} of {node.parts[0].type}"
    return None


def _costs_too_much(comparison: Tree) -> bool:
    types = {part.type for part in comparison.parts}
    unequal_quantities = comparison.name == "_!=_" and QUANTITY_TYPE in types
    return unequal_quantities or not types.isdisjoint(("optional_type", "type"))


def patterns(root: Tree) -> Iterator[str]:
    """The regular expressions that are written out, which Kubernetes checks at once."""
    for node in walk(root):
        if node.name == "matches" and node.parts[-1].kind == "constant":
            yield node.parts[-1].name


def uncertain(root: Tree) -> str | None:
    """Why Kubernetes' outcome cannot be told from the library's, whatever the device."""
    for node in walk(root):
        if node.kind == "call" and node.name in _DIFFERENT_FUNCTIONS:
            return f"{node.name}()"
        if node.name in ("_==_", "_!=_", "@in") and _meets_anything(node):
            return f"{node.name.strip('_@')} of {node.parts[0].type}"
        if node.kind == "map":
            keys = [key.name for key in node.parts[::2] if key.kind == "constant"]
            if len(set(keys)) < len(keys):
                return "a map with a key twice"
    if _loops(root) > _MAX_LOOPS:
        return "nested loops"
    return "asInteger() of a fraction" if _fraction_as_integer(root) else None


def _meets_anything(comparison: Tree) -> bool:
    """Whether a version or a quantity in front is compared with what may be anything else."""
    left, right = comparison.parts
    if comparison.name == "_!=_":
        return left.type == right.type == VERSION_TYPE
    if left.type == VERSION_TYPE and comparison.name == "_==_" and _lookup(right)[1] is not None:
        return False
    return left.type in (VERSION_TYPE, QUANTITY_TYPE) and "dyn" in right.type


def _fraction_as_integer(root: Tree) -> bool:
    nodes = list(walk(root))
    return any(node.name in ("asInteger", "isInteger") for node in nodes) and any(
        node.name == "quantity" and "." in node.parts[0].name for node in nodes
    )


def _loops(node: Tree) -> int:
    """How deep loops are nested; `cel.bind` is a loop over nothing."""
    own = node.kind == "loop" and not (node.parts[0].kind == "list" and not node.parts[0].parts)
    return own + max(map(_loops, node.parts), default=0)


class Reading(NamedTuple):
    """What an expression reads of a device.

    `everything` is whether it may read more ids than it names, `all_domains` whether it may see
    which domains there are. `loose` are ids that are used in a way in which the library treats a
    version otherwise than Kubernetes does; with `any_loose` every id may be. `expected` are ids
    that are compared with a version in front of them, which fails on anything else.
    """

    attributes: frozenset[str]
    capacity: frozenset[str]
    attribute_domains: frozenset[str]
    capacity_domains: frozenset[str]
    loose: frozenset[str]
    expected: frozenset[str]
    everything: bool
    all_domains: bool
    any_loose: bool


def reading(root: Tree) -> Reading:
    """What the expression reads."""
    reader = _Reader()
    reader.read(root, "loose")
    ids = {kind: frozenset(found) for kind, found in reader.ids.items()}
    return Reading(
        ids[_ATTRIBUTES],
        ids[_CAPACITY],
        ids[_DOMAINS[0]],
        ids[_DOMAINS[1]],
        ids["loose"],
        ids["expected"],
        everything="everything" in reader.flags,
        all_domains="all domains" in reader.flags,
        any_loose="any loose" in reader.flags,
    )


class _Reader:
    """Walks an expression with the use that is made of each value: strict, loose, or its keys."""

    def __init__(self) -> None:
        self.ids: dict[str, set[str]] = {kind: set() for kind in (*_MAPS, "loose", "expected")}
        self.flags: set[str] = set()

    def read(self, node: Tree, use: Use) -> None:
        looked_into, key = _lookup(node)
        if looked_into is not None and looked_into.type in _MAPS:
            asked = node.kind == "has" or node.name == "@in"
            self._look(looked_into.type, key, "strict" if asked else use)
            if node.name == "@in" and looked_into.type in _DOMAINS:
                self.flags.add("all domains")
            for part in node.parts:
                self._read_inside(part)
        elif node.type in _MAPS:
            self.flags.add("everything")
            if node.type in _DOMAINS:
                self.flags.add("all domains")
            if use != "keys":
                self.flags.add("any loose")
            self._read_inside(node)
        else:
            if node.name == "_==_" and node.parts[0].type == VERSION_TYPE:
                self.ids["expected"].update(filter(None, [_lookup(node.parts[1])[1]]))
            for part, part_use in _uses(node, use):
                self.read(part, part_use)

    def _look(self, kind: str, key: str | None, use: Use) -> None:
        if key is not None:
            self.ids[kind].add(key)
            if kind == _ATTRIBUTES and use != "strict":
                self.ids["loose"].add(key)
        else:
            self.flags.add("everything")
            if kind == _ATTRIBUTES:
                self.flags.add("any loose")

    def _read_inside(self, node: Tree) -> None:
        """A map that is only looked into, or a key: what stands below it."""
        if _lookup(node)[0] is not None:
            self.read(node, "strict")
        else:
            for part in node.parts:
                self.read(part, "loose")


def _lookup(node: Tree) -> tuple[Tree | None, str | None]:
    """The map that a node looks into, and the key where it is written out."""
    if node.kind in ("select", "has"):
        return node.parts[0], node.name
    if node.kind == "call" and node.name in (*_LOOKUPS, "@in"):
        key, looked_into = node.parts if node.name == "@in" else reversed(node.parts)
        return looked_into, key.name if key.kind == "constant" else None
    return None, None


def _uses(node: Tree, use: Use) -> Iterator[tuple[Tree, Use]]:
    """The parts of a node that is no lookup, each with the use that is made of it."""
    parts = node.parts
    if node.name in ("_==_", "@in"):
        yield parts[0], "strict" if VERSION_TYPE in parts[1].type else "loose"
        yield parts[1], "strict" if node.name == "_==_" else "loose"
    elif node.name in ("orValue", "or"):
        yield from ((part, use) for part in parts)
    elif node.name == "_?_:_":
        yield parts[0], "strict"
        yield from ((part, use) for part in parts[1:])
    else:
        inner: Use = "strict" if node.name in _STRICT_FUNCTIONS else "loose"
        keys = node.kind == "loop" or node.name == "size"
        yield from ((part, "keys" if keys and part.type in _MAPS else inner) for part in parts)
