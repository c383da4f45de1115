"""What surrounds a retired label in a text, whatever the language: the input of every judgement."""

from __future__ import annotations

import re
from typing import Literal, NamedTuple

Role = Literal["key", "value", "item", "string", "text", "comment"]
"""How a label stands in its text.

`key`, `value` and `item` are parts of YAML or JSON; a `string` is one of a programming language,
and nothing else is in its quotes; `text` is anything else, mostly part of something longer.
"""


class Owner(NamedTuple):
    """The Kubernetes object that a label stands in; `live` when a cluster has written it."""

    kind: str
    name: str
    live: bool


class Spot(NamedTuple):
    """Where one label stands.

    `path` holds the keys above it, the innermost last: for a `value` its own key, for an `item`
    the list's. `value` is the value of a `key`. `is_word` says that the text around it is prose.
    """

    role: Role
    path: tuple[str, ...] = ()
    value: str = ""
    is_word: bool = False
    owner: Owner | None = None


_BEFORE_WORD = re.compile(r"(?:^|[\s(`*_>\"'\u2018\u201c\u2192])\Z")
_AFTER_WORD = re.compile(r"\Z|[\s.,;:)`*_<!?\"'\u2019\u201d\u2192]")


def is_word(before: str, after: str) -> bool:
    """Whether a label between these texts is a word of a sentence, and not of a command."""
    return bool(_BEFORE_WORD.search(before[-1:]) and _AFTER_WORD.match(after))


def unquoted(before: str, after: str) -> tuple[str, str, bool]:
    """What is left before and after without the quotes that stand right around the label."""
    quote = before[-1:]
    if quote and quote in "\"'`" and after[:1] == quote:
        return before[:-1], after[1:], True
    return before, after, False
