"""Pointers: one node of a YAML or JSON document, replaced by its position in the text.

A document that is loaded and written again loses comments, spelling and layout, so it is not:
the node's text is exchanged, and the result is parsed and held against the original. Marks of
libyaml are right once the byte order mark is gone.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from generator import jsontext, yamltext
from generator.places import spelling
from generator.places.equality import alike, alike_but_for, meaning
from generator.places.layout import Layout, descendants, is_null
from generator.places.placed import NotProduced, Placed, Refused, newline_at
from generator.yamlfaults import NotYaml

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from generator.catalog.model import Placement
    from generator.yamltext import Node

_NO_UTF8 = re.compile("[\udc80-\udcff]")
"""What bytes that are no UTF-8 have become."""
_INDEX = re.compile(r"0|[1-9][0-9]*")
_COMMENT = re.compile(r"#[^\n]*")


class Target(NamedTuple):
    """The node that a pointer names: its document's number, and the way to it, root first."""

    document: int
    way: tuple[Node, ...]

    @property
    def node(self) -> Node:
        """The node itself."""
        return self.way[-1]


def put(text: str | None, placement: Placement, artifact: str) -> Placed:
    """The text with the artifact's node in place of the consumer's, in the consumer's layout."""
    assert placement.at is not None
    source = _content(artifact, placement)
    if text is None:
        raise Refused("GC409", "there is no such file", "check `to`, and the branch you are on")
    documents = parse(text, placement.to)
    target = resolve(documents, placement.at)
    found, wanted = meaning(target.node), meaning(source)
    if found == wanted:
        return Placed(text, found, wanted)
    _refuse_inner_anchors(target.node)
    layout = Layout(text, target.way, is_json=placement.to.endswith(".json"))
    start, end, new = _exchange(layout, source)
    spliced = text[:start] + new.replace("\n", newline_at(text, start)) + text[end:]
    _verify(spliced, documents, target, wanted, placement.to)
    return Placed(spliced, found, wanted, tuple(_comments(text, target.node)))


# --- reading -----------------------------------------------------------------------------------


def parse(text: str, path: str) -> list[Node]:
    """The documents of a consumer's file; JSON where its name says so. Raises Refused."""
    if path.endswith(".j2"):
        hint = "put markers into the template and name their `region`"
        raise Refused("GC412", "a Jinja template is no YAML document", hint)
    if wild := _NO_UTF8.search(text):
        raise Refused("GC412", "is not UTF-8", "save the file as UTF-8", wild.start())
    try:
        return [jsontext.parse(text)] if path.endswith(".json") else yamltext.parse(text)
    except NotYaml as error:
        hint = "mend the document, or put markers around the place and name a `region`"
        raise Refused("GC412", f"cannot be parsed: {error}", hint, error.offset) from error


def resolve(documents: Sequence[Node], pointer: str) -> Target:
    """The target of the pointer in the one document that has it; raises Refused."""
    found: list[Target] = []
    nowhere: Refused | None = None
    for number, root in enumerate(documents):
        try:
            found.append(_follow(number, root, pointer))
        except _Nowhere as refused:
            nowhere = nowhere or refused
    if len(found) > 1:
        raise Refused(
            "GC413",
            f"`{pointer}` resolves in {len(found)} documents of the file",
            "a pointer must name one node: split the file",
            found[1].node.start,
        )
    if not found:
        raise nowhere or Refused("GC409", "the file holds no document", "check `to`")
    return found[0]


class _Nowhere(Refused):
    """The pointer leads nowhere in one document."""


def _follow(number: int, root: Node, pointer: str) -> Target:
    way = [root]
    for step in pointer.split("/")[1:]:
        _refuse_shared(way[-1])
        way.append(_child(way[-1], step.replace("~1", "/").replace("~0", "~"), pointer))
    _refuse_shared(way[-1])
    return Target(number, tuple(way))


def _child(node: Node, step: str, pointer: str) -> Node:
    if node.kind == "sequence" and _INDEX.fullmatch(step) and int(step) < len(node.items):
        return node.items[int(step)]
    found = [pair for pair in node.pairs if pair[0].kind == "scalar" and pair[0].value == step]
    if len(found) > 1:
        message = f"the key `{step}` stands here a second time"
        hint = "readers disagree on which of them counts: keep one"
        raise Refused("GC411", message, hint, found[1][0].start)
    if not found:
        message = f"`{pointer}` leads nowhere: there is no `{step}` here"
        hint = "check `at` in the catalog, or write the node once by hand"
        raise _Nowhere("GC409", message, hint, node.start)
    return found[0][1]


def _refuse_shared(node: Node) -> None:
    """What an anchor names is read in more than one place of the document."""
    if node.kind == "alias":
        what = f"leads through the alias `*{node.anchor}`"
    elif node.anchor is not None:
        what = f"leads through the anchor `&{node.anchor}`"
    elif node.tag is not None:
        what = f"leads through the tag `{node.tag}`"
    else:
        return
    hint = "write the node out, without anchor, alias or tag, where the pointer leads"
    raise Refused("GC410", f"the pointer {what}", hint, node.start)


def _refuse_inner_anchors(target: Node) -> None:
    """An alias outside the node may want an anchor inside it."""
    for node in descendants(target):
        if node.anchor is not None and node.kind != "alias":
            message = f"the node holds the anchor `&{node.anchor}`, which would be lost"
            raise Refused("GC410", message, "move the anchor out of the node", node.start)


def _content(artifact: str, placement: Placement) -> Node:
    assert placement.source_pointer is not None
    try:
        return resolve(parse(artifact, placement.artifact), placement.source_pointer).node
    except Refused as refused:
        message = f"the artifact has no `{placement.source_pointer}`"
        raise NotProduced("GC416", message, "name its node with `from`") from refused


# --- splicing ----------------------------------------------------------------------------------


def _exchange(layout: Layout, source: Node) -> tuple[int, int, str]:
    """The span to replace and its new text, with line feeds."""
    node = layout.node
    if node.kind != source.kind and not is_null(node):
        message = f"here is a {node.kind}, and the artifact has a {source.kind}"
        raise Refused("GC414", message, "check `at` and `from` in the catalog", node.start)
    if source.kind == "scalar":
        spell = spelling.scalar
    elif layout.way[-2].flow or (node.flow and node.value):
        spell = spelling.flow
    elif node.kind != "scalar" and node.value:
        spell = spelling.block
    else:
        return spelling.opened(source, layout)
    return node.start, _end(layout.text, node), spell(source, layout)


def _end(text: str, node: Node) -> int:
    """Where the node's own text ends; a block literal also holds the blank lines after it."""
    end = yamltext.end_of(node)
    return node.start + len(text[node.start : end].rstrip())


def _verify(spliced: str, before: Sequence[Node], target: Target, wanted: str, path: str) -> None:
    """Parse the result: the place says what it should, and the rest says what it said."""
    try:
        after = parse(spliced, path)
    except Refused:
        after = []
    number = target.document
    rest = [*before[:number], *before[number + 1 :]]
    new_rest = [*after[:number], *after[number + 1 :]]
    kept = len(after) == len(before) and all(map(alike, rest, new_rest))
    if not (kept and alike_but_for(target.way, after[number], wanted)):
        message = "replacing the node would change something else in the file"
        hint = "put markers around the place and name a `region`"
        raise Refused("GC415", message, hint, target.node.start)


def _comments(text: str, target: Node) -> Iterator[int]:
    """Offsets of the comments that the node holds: what stands between its scalars."""
    position = target.start
    for node in descendants(target):
        if node.kind == "scalar":
            for match in _COMMENT.finditer(text, position, node.start):
                yield match.start()
            position = node.end
    for match in _COMMENT.finditer(text, position, _end(text, target)):  # before a bracket
        yield match.start()
