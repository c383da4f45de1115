"""TypeScript text as prettier leaves it: properties of an object and arrays, both of strings."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

_WIDTH = 80
_ESCAPED = re.compile("[\\\\\x00-\x1f\x7f-\x9f\u2028\u2029\ufeff\ud800-\udfff]")
_IDENTIFIER = re.compile(r"[A-Za-z_$][A-Za-z0-9_$]*\Z")


def string(text: str) -> str:
    """A string literal with the quotes that need fewer escapes."""
    quote = "'" if text.count('"') > text.count("'") else '"'
    escaped = _ESCAPED.sub(_escape, text).replace(quote, "\\" + quote)
    return quote + escaped + quote


def _escape(match: re.Match[str]) -> str:
    return "\\\\" if match[0] == "\\" else f"\\u{ord(match[0]):04x}"


def string_property(key: str, text: str) -> str:
    """One property of an object that is indented by two, with its comma."""
    name = key if _IDENTIFIER.match(key) else string(key)
    value = string(text)
    fits = len(f"  {name}: {value},") <= _WIDTH
    # prettier never breaks behind a key that is hardly longer than the indentation
    return f"{name}: {value}," if fits or len(name) < 5 else f"{name}:\n    {value},"


def string_array(texts: Sequence[str], column: int) -> str:
    """An array that starts at the 0-based column of a statement, which ends behind it."""
    strings = [string(text) for text in texts]
    line = f"[{', '.join(strings)}]"
    if column + len(line) < _WIDTH:
        return line
    return "[\n" + "".join(f"  {text},\n" for text in strings) + "]"
