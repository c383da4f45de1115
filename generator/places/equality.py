"""Equality of nodes: the same data in any layout, and the same text wherever it stands."""

from __future__ import annotations

from itertools import chain
from typing import TYPE_CHECKING

from generator.places.layout import is_null, is_typed

if TYPE_CHECKING:
    from collections.abc import Sequence

    from generator.yamltext import Node


def meaning(node: Node) -> str:
    """What the node says, whatever its layout, as text that is equal for equal data only."""
    import json

    return json.dumps(_data(node), sort_keys=True, separators=(",", ":"))


def _data(node: Node) -> object:
    if node.kind == "alias":
        return {"alias": node.anchor}
    if node.tag is not None:
        return {"tag": node.tag, "value": _data(node._replace(tag=None))}
    if node.kind == "sequence":
        return [_data(item) for item in node.items]
    if node.kind == "mapping":
        pairs = [(_key(key), _data(value)) for key, value in node.pairs]
        return {"pairs": sorted(pairs, key=lambda pair: pair[0])}
    if is_typed(node):
        return {"plain": "null" if is_null(node) else node.text}
    return node.text


def _key(node: Node) -> str:
    """Keys are compared as text, as pointers do: JSON has no others."""
    return node.text if node.kind == "scalar" else meaning(node)


def alike(one: Node, other: Node) -> bool:
    """Whether two nodes say the same, spelled the same way; where they stand does not count."""
    if one.kind != other.kind or one[4:] != other[4:]:
        return False
    if one.kind in ("scalar", "alias"):
        return one.value == other.value
    ones, others = _members(one), _members(other)
    return len(ones) == len(others) and all(map(alike, ones, others))


def alike_but_for(way: Sequence[Node], other: Node, wanted: str) -> bool:
    """`alike` down a way to a node which, on the other side, has to say what is wanted."""
    if len(way) == 1:
        return meaning(other) == wanted
    if way[0].kind != other.kind or way[0][4:] != other[4:]:
        return False
    ones, others = _members(way[0]), _members(other)
    return len(ones) == len(others) and all(
        alike_but_for(way[1:], new, wanted) if old is way[1] else alike(old, new)
        for old, new in zip(ones, others, strict=True)
    )


def _members(node: Node) -> list[Node]:
    return node.items or [*chain(*node.pairs)]
