"""JSON as text: the same nodes with positions as YAML's, read as JSON is written.

YAML readers refuse some JSON: tabs, keys of more than 1,024 characters, surrogate pairs.
"""

from __future__ import annotations

import re
from json import JSONDecodeError, JSONDecoder

from generator.yamlfaults import NotYaml
from generator.yamltext import MAX_DEPTH, Node

_DECODER = JSONDecoder()
_BLANK = re.compile(r"[ \t\r\n]*")
LITERAL = re.compile(r"-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][-+]?[0-9]+)?|true|false|null")


class NotJson(NotYaml):
    """The text is no JSON document at `offset`."""


def parse(text: str) -> Node:
    """The document's node; raises NotJson. Strings have the style `"`, other scalars none."""
    node = _node(text, _skip(text, 0), 0)
    end = _skip(text, node.end)
    if end != len(text):
        raise NotJson("text after the document", end)
    return node


def _node(text: str, start: int, depth: int) -> Node:
    opening = text[start : start + 1]
    if opening == '"':
        return _string(text, start)
    if opening in ("{", "["):
        if depth == MAX_DEPTH:
            raise NotJson(f"nested deeper than {MAX_DEPTH} levels", start)
        return _object(text, start, depth) if opening == "{" else _array(text, start, depth)
    match = LITERAL.match(text, start)
    if match is None:
        raise NotJson("a JSON value is expected here", start)
    return Node("scalar", match[0], start, match.end(), "", False, None, None)


def _string(text: str, start: int) -> Node:
    if text[start : start + 1] != '"':
        raise NotJson("a string is expected here", start)
    try:
        value, end = _DECODER.raw_decode(text, start)
    except JSONDecodeError as error:
        raise NotJson(error.msg.lower(), error.pos) from error
    return Node("scalar", value, start, end, '"', False, None, None)


def _array(text: str, start: int, depth: int) -> Node:
    items: list[Node] = []
    position = _skip(text, start + 1)
    closed = text[position : position + 1] == "]"
    while not closed:
        items.append(_node(text, position, depth + 1))
        position, closed = _next(text, items[-1].end, "]")
    return Node("sequence", items, start, position + 1, "", True, None, None)


def _object(text: str, start: int, depth: int) -> Node:
    pairs: list[tuple[Node, Node]] = []
    position = _skip(text, start + 1)
    closed = text[position : position + 1] == "}"
    while not closed:
        key = _string(text, position)
        value = _node(text, _after(text, _skip(text, key.end), ":"), depth + 1)
        pairs.append((key, value))
        position, closed = _next(text, value.end, "}")
    return Node("mapping", pairs, start, position + 1, "", True, None, None)


def _next(text: str, end: int, closing: str) -> tuple[int, bool]:
    """Where the next member starts, or where the collection is closed."""
    position = _skip(text, end)
    if text[position : position + 1] == closing:
        return position, True
    return _after(text, position, ","), False


def _after(text: str, position: int, sign: str) -> int:
    if text[position : position + 1] != sign:
        raise NotJson(f"`{sign}` is expected here", position)
    return _skip(text, position + 1)


def _skip(text: str, position: int) -> int:
    match = _BLANK.match(text, position)
    return match.end() if match else position
