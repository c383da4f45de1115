"""Where labels stand in YAML and JSON: by parsing, and by outline where nothing parses."""

from __future__ import annotations

from bisect import bisect_left
from typing import TYPE_CHECKING

from generator import yamltext
from generator.scan.outline import spot_in
from generator.scan.spots import Owner, Spot
from generator.yamlfaults import NotYaml

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from generator.scan.labels import Hit
    from generator.scan.spots import Role
    from generator.yamltext import Node


def spots(text: str, hits: Sequence[Hit]) -> list[Spot]:
    """The spot of each hit of a YAML or JSON text."""
    try:
        roots = yamltext.parse(text)
    except NotYaml:
        return [spot_in(text, hit) for hit in hits]
    found: dict[Hit, Spot] = {}
    for root in roots:
        found.update(_below(text, root, _inside(root, hits), "text", (), None))
    return [found.get(hit) or Spot("comment") for hit in hits]


def _inside(node: Node, hits: Sequence[Hit]) -> Sequence[Hit]:
    low = bisect_left(hits, node.start, key=lambda hit: hit.start)
    return hits[low : bisect_left(hits, node.end, key=lambda hit: hit.start)]


def _below(
    text: str,
    node: Node,
    hits: Sequence[Hit],
    role: Role,
    path: tuple[str, ...],
    owner: Owner | None,
) -> Iterator[tuple[Hit, Spot]]:
    """The spots of the hits in a node; paths begin anew in every Kubernetes object."""
    if node.kind == "scalar":
        for hit in hits:
            whole = node.text == hit.form and node.style not in ("|", ">")
            spot = Spot(role, path, owner=owner)
            yield hit, spot if whole else _part(text, node, hit, path, owner)
    for item in node.items:
        if below := _inside(item, hits):
            yield from _below(text, item, below, "item", path, owner)
    own = _owner(node)
    path, owner = ((), own) if own else (path, owner)
    for key, value in node.pairs:
        name = key.text if key.kind == "scalar" else ""
        for hit in _inside(key, hits):
            whole = name == hit.form
            words = value.text if value.kind == "scalar" else ""
            yield hit, Spot("key" if whole else "text", path, words, owner=owner)
        if below := _inside(value, hits):
            yield from _below(text, value, below, "value", (*path, name), owner)


def _part(text: str, node: Node, hit: Hit, path: tuple[str, ...], owner: Owner | None) -> Spot:
    """The spot of a hit that is a part of a scalar, which may be a document itself."""
    if node.style == '"' and "\n" in node.text and hit.form in node.text:
        # Its lines are escapes, as in JSON.
        before = text.count(hit.form, node.start, hit.start)
        start = -1
        for _ in range(before + 1):
            start = node.text.find(hit.form, start + 1)
        inside = hit._replace(start=start, end=start + len(hit.form))
        return spot_in(node.text, inside, 0, path, owner)
    return spot_in(text, hit, node.start, path, owner)


def _owner(node: Node) -> Owner | None:
    fields = {key.text: value for key, value in node.pairs if key.kind == "scalar"}
    if not {"apiVersion", "kind"} <= fields.keys() or fields["kind"].kind != "scalar":
        return None
    about = fields.get("metadata", node)
    metadata = {
        key.text: value.text
        for key, value in about.pairs
        if key.kind == "scalar" and value.kind == "scalar"
    }
    name = "/".join(filter(None, (metadata.get("namespace"), metadata.get("name"))))
    live = bool(metadata.get("uid") or metadata.get("resourceVersion"))
    return Owner(fields["kind"].text, name, live)
