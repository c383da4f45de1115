"""A checked CEL expression as a tree with static types, decoded from cel-expr-python's bytes.

The bytes are a `cel.expr.CheckedExpr` in protocol buffers' wire format; source of the field
numbers: google/cel-spec `proto/cel/expr/{checked,syntax}.proto`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator

    Message = dict[int, list["int | bytes"]]


class Tree(NamedTuple):
    """One node. `type` is its static type, such as `string`, `map(string, dyn)`.

    `name` is the identifier, the field of a select or has, or the function; the text of a string
    constant. `parts` are operands in order, a call's receiver first.
    """

    kind: str
    name: str
    type: str
    parts: tuple[Tree, ...] = ()


def tree(checked: bytes) -> Tree:
    """The tree of `Expression.serialize()`'s bytes."""
    expression = _message(_one(_message(checked), 2))
    types = {
        _number(entry, 1): _type(_message(_one(entry, 2)))
        for entry in map(_message, expression.get(3, []))
    }
    return _tree(_message(_one(expression, 4)), types)


def walk(node: Tree) -> Iterator[Tree]:
    """The node and all below it."""
    yield node
    for part in node.parts:
        yield from walk(part)


def _tree(message: Message, types: dict[int, str]) -> Tree:
    static = types.get(_number(message, 2), "dyn")

    def parts(*fields: bytes | int) -> tuple[Tree, ...]:
        return tuple(_tree(_message(part), types) for part in fields)

    if 3 in message:
        constant = _message(_one(message, 3))
        return Tree("constant", _text(constant, 6), static)
    if 4 in message:
        return Tree("name", _text(_message(_one(message, 4)), 1), static)
    if 5 in message:
        select = _message(_one(message, 5))
        kind = "has" if _number(select, 3) else "select"
        return Tree(kind, _text(select, 2), static, parts(_one(select, 1)))
    if 6 in message:
        call = _message(_one(message, 6))
        operands = [*call.get(1, []), *call.get(3, [])]
        return Tree("call", _text(call, 2), static, parts(*operands))
    if 7 in message:
        return Tree("list", "", static, parts(*_message(_one(message, 7)).get(1, [])))
    if 8 in message:
        entries = map(_message, _message(_one(message, 8)).get(2, []))
        return Tree("map", "", static, parts(*(entry[n][0] for entry in entries for n in (3, 4))))
    loop = _message(_one(message, 9))
    return Tree("loop", _text(loop, 1), static, parts(*(loop[n][0] for n in (2, 4, 5, 6, 7))))


_PRIMITIVES = {1: "bool", 2: "int", 3: "uint", 4: "double", 5: "string", 6: "bytes"}


def _type(message: Message) -> str:
    if 3 in message:
        return _PRIMITIVES.get(_number(message, 3), "dyn")
    if 6 in message:
        return f"list({_type(_message(_one(_message(_one(message, 6)), 1)))})"
    if 7 in message:
        entry = _message(_one(message, 7))
        return f"map({_type(_message(_one(entry, 1)))}, {_type(_message(_one(entry, 2)))})"
    if 11 in message:
        return "type"
    if 14 in message:
        return _text(_message(_one(message, 14)), 1)
    return "null" if 2 in message else "dyn"


def _one(message: Message, field: int) -> bytes | int:
    return message[field][0] if field in message else b""


def _number(message: Message, field: int) -> int:
    value = _one(message, field)
    return value if isinstance(value, int) else 0


def _text(message: Message, field: int) -> str:
    value = _one(message, field)
    return "" if isinstance(value, int) else value.decode("utf-8", "replace")


def _message(data: bytes | int) -> Message:
    """The fields of one message: numbers and length-delimited bytes, in order."""
    assert isinstance(data, bytes)
    fields: Message = {}
    position = 0
    while position < len(data):
        tag, position = _varint(data, position)
        value: int | bytes
        if tag & 7 == 0:
            value, position = _varint(data, position)
        else:
            length, position = (8, position) if tag & 7 == 1 else _varint(data, position)
            value = data[position : position + length]
            position += length
        fields.setdefault(tag >> 3, []).append(value)
    return fields


def _varint(data: bytes, position: int) -> tuple[int, int]:
    value = shift = 0
    while True:
        byte = data[position]
        position += 1
        value |= (byte & 127) << shift
        shift += 7
        if byte < 128:
            return value, position
