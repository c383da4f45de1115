r"""YAML as text: nodes with positions from one event pass, and scalars that all readers agree on.

Nodes are plain data; nothing here decides what a document means. Offsets count characters of the
text without its byte order mark. Facts: libyaml also ends lines at `\r`, NEL and U+2028, so lines
and columns are counted from offsets, and only `\\n` ends a line.
"""

from __future__ import annotations

import functools
import re
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, TypeAlias

import yaml

from generator.yamlfaults import NotYaml, faults_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

MAX_DEPTH = 100

Step: TypeAlias = str | int
Where: TypeAlias = tuple[Step, ...]
"""A path through a document: keys and indices, such as `("offerings", 3, "label")`."""


class Node(NamedTuple):
    """One node of a document.

    `value` is the text of a scalar (empty for an alias, whose name is `anchor`), the items of a
    sequence, or the (key, value) pairs of a mapping. `end` is exact for scalars and flow
    collections; a block collection's own end lies behind the comments that follow it: see
    `end_of`. `style` is the scalar's quote or block character, or "" where it is plain.
    """

    kind: Literal["scalar", "sequence", "mapping", "alias"]
    value: str | list[Node] | list[tuple[Node, Node]]
    start: int
    end: int
    style: str
    flow: bool
    anchor: str | None
    tag: str | None

    @property
    def text(self) -> str:
        """The scalar's text."""
        assert isinstance(self.value, str)
        return self.value

    @property
    def items(self) -> list[Node]:
        """The sequence's items; empty for any other node."""
        return self.value if self.kind == "sequence" else []  # type: ignore[return-value]

    @property
    def pairs(self) -> list[tuple[Node, Node]]:
        """The mapping's keys and values; empty for any other node."""
        return self.value if self.kind == "mapping" else []  # type: ignore[return-value]


def parse(text: str) -> list[Node]:
    """The root node of each document in the text; raises NotYaml at the first fault of syntax.

    The text has no byte order mark. Duplicate keys, anchors, aliases and tags are kept as they
    stand: refusing them is the caller's.
    """
    with faults_of(text):
        return _roots(yaml.CSafeLoader(text).get_event)


def _roots(next_event: Callable[[], Any]) -> list[Node]:
    # Most of a run's time on a large catalog is spent here: events are told apart by their exact
    # class, and a node is made without the detour over the constructor of named tuples.
    make = functools.partial(tuple.__new__, Node)
    nodes: list[Node] = []  # of the collection that is being filled, or the roots
    outer: list[tuple[list[Node], Any]] = []  # what lies around it, with the events that began it
    while True:
        event = next_event()
        kind = type(event)
        if kind is yaml.ScalarEvent:
            start, end = event.start_mark.index, event.end_mark.index
            style = event.style or ""
            nodes.append(
                make(("scalar", event.value, start, end, style, False, event.anchor, event.tag))
            )
        elif kind is yaml.MappingStartEvent or kind is yaml.SequenceStartEvent:
            if len(outer) == MAX_DEPTH:
                raise NotYaml(f"nested deeper than {MAX_DEPTH} levels", event.start_mark.index)
            outer.append((nodes, event))
            nodes = []
        elif kind is yaml.MappingEndEvent or kind is yaml.SequenceEndEvent:
            children = nodes
            nodes, began = outer.pop()
            nodes.append(make(_collection(began, children, event.end_mark.index)))
        elif kind is yaml.AliasEvent:
            start, end = event.start_mark.index, event.end_mark.index
            nodes.append(Node("alias", "", start, end, "", False, event.anchor, None))
        elif kind is yaml.StreamEndEvent:
            return nodes


def _collection(began: Any, children: list[Node], end: int) -> tuple[object, ...]:  # noqa: ANN401
    """The fields of the node of a collection that this event began."""
    rest = began.start_mark.index, end, "", bool(began.flow_style), began.anchor, began.tag
    if type(began) is yaml.SequenceStartEvent:
        return ("sequence", children, *rest)
    return ("mapping", list(zip(children[::2], children[1::2], strict=True)), *rest)


def end_of(node: Node) -> int:
    """Where the node's own text ends: a block collection ends with its last leaf."""
    if node.kind in ("scalar", "alias") or node.flow or not node.value:
        return node.end
    return end_of(node.items[-1] if node.kind == "sequence" else node.pairs[-1][1])


def line_and_column(text: str, offset: int) -> tuple[int, int]:
    """The 1-based line and column of an offset; only a line feed ends a line."""
    start = text.rfind("\n", 0, offset) + 1
    return text.count("\n", 0, start) + 1, offset - start + 1


def walk(node: Node, where: Where = ()) -> Iterator[tuple[Where, Node]]:
    """The node and all below it, with their paths, in the order of the text."""
    yield where, node
    for index, item in enumerate(node.items):
        yield from walk(item, (*where, index))
    for key, value in node.pairs:
        yield from walk(value, (*where, key.text if key.kind == "scalar" else "?"))


# --- scalars -----------------------------------------------------------------------------------

_AMBIGUOUS = re.compile(
    r"""(?x)
      y | Y | yes | Yes | YES | n | N | no | No | NO | on | On | ON | off | Off | OFF
    | true | True | TRUE | false | False | FALSE | null | Null | NULL | ~ | = | <<
    | [-+]? 0 [box]? [0-9a-fA-F_]+                                        # octal, hex, binary
    | [-+]? (?: [0-9][0-9_,]* \.? [0-9_]* | \. [0-9_]+ ) (?: [eE] [-+]? [0-9]+ )?
    | [-+]? [0-9][0-9_]* (?: : [0-5]?[0-9] )+ (?: \. [0-9_]* )?            # sexagesimal
    | [0-9]{4} - [0-9]{1,2} - [0-9]{1,2} (?: [Tt\ \t] .* )?               # date, timestamp
    | [-+]? \. (?: inf | Inf | INF ) | \. (?: nan | NaN | NAN )
    """
)
_LONGEST_WORD = len("false")
_PLAIN = re.compile(r"[A-Za-z][A-Za-z0-9_./()+-]*(?: [A-Za-z0-9_./()+-]+)*\Z")
_ESCAPED = re.compile("[\\\\\x00-\x1f\x7f-\xa0\u2028\u2029\ufeff\ufffe\uffff\ud800-\udfff]")


def is_ambiguous(text: str) -> bool:
    """Whether YAML readers disagree on the plain scalar, or read something else than a string."""
    if len(text) > _LONGEST_WORD and text[0].isalpha():  # most texts: all else starts otherwise
        return False
    return text == "" or _AMBIGUOUS.fullmatch(text) is not None


def is_plain(text: str) -> bool:
    """Whether every reader takes the text, as a plain scalar, for this string."""
    if not _PLAIN.match(text):
        return False
    return len(text) > _LONGEST_WORD or not is_ambiguous(text)


def scalar(value: str | float) -> str:
    """The text, number or boolean as a scalar that every reader takes for it, as prettier quotes.

    Text is plain where that is certain, else in double quotes, or in single ones where it holds a
    `"` and nothing that needs an escape.
    """
    if not isinstance(value, str):
        return _number(value)
    return value if is_plain(value) else quoted(value, '"')


def quoted(text: str, preferred: str) -> str:
    """The text in the preferred quotes, or in the others where it holds the preferred ones.

    Where it holds what needs an escape, only double quotes will do.
    """
    single = ('"' in text) if preferred == '"' else ("'" not in text)
    if single and not _ESCAPED.search(text):
        return "'" + text.replace("'", "''") + "'"
    return '"' + _ESCAPED.sub(_escape, text).replace('"', '\\"') + '"'


def _number(value: float) -> str:
    """Without an exponent: YAML 1.1 readers take `1e-07` for text."""
    if isinstance(value, int):
        return str(value).lower()  # true and false, too
    from decimal import Decimal

    return f"{Decimal(repr(value)):f}"


def _escape(match: re.Match[str]) -> str:
    return "\\\\" if match[0] == "\\" else f"\\u{ord(match[0]):04X}"


def _lines_of(characters: str) -> re.Pattern[str]:
    line = rf"[{characters}]+(?<!\s)"
    return re.compile(rf"(?! ){line}(?:\n{line})*")


_FIT_FOR_LITERAL = _lines_of(r"\x20-\x7e")


@functools.cache
def _fit_for_literal() -> re.Pattern[str]:
    """The same beyond ASCII: few texts ask for it, and it takes milliseconds to compile."""
    return _lines_of(r"\x20-\x7e\u00a1-\u2027\u202a-\ud7ff")


def literal(text: str, indent: int) -> str:
    """The text as a literal block indented by so many blanks, or a scalar where that cannot be."""
    fit = _FIT_FOR_LITERAL if text.isascii() else _fit_for_literal()
    if not fit.fullmatch(text):
        return scalar(text)
    blanks = " " * indent
    return "|-\n" + blanks + text.replace("\n", "\n" + blanks)


def block(data: object) -> list[str]:
    """The lines of nested dicts, lists, strings and numbers as YAML in block style."""
    if isinstance(data, list):
        return [
            ("  " if number else "- ") + line
            for item in data
            for number, line in enumerate(block(item))
        ]
    if isinstance(data, dict):
        lines = []
        for key, value in data.items():
            nested = block(value)
            if isinstance(value, (dict, list)):
                lines += [f"{scalar(key)}:", *(f"  {line}" for line in nested)]
            else:
                lines.append(f"{scalar(key)}: {nested[0]}")
        return lines
    assert isinstance(data, (str, float, int))
    return [scalar(data)]
