"""Where labels stand in TypeScript, Python and Go: in a comment, a string, or a longer one."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from generator.scan.outline import rest_of_line, spot_in, start_of_line
from generator.scan.spots import Spot, is_word, unquoted

if TYPE_CHECKING:
    from collections.abc import Sequence

    from generator.scan.labels import Hit

_LINE_STRINGS = r'"[^"\\\n]*(?:\\.[^"\\\n]*)*"|\'[^\'\\\n]*(?:\\.[^\'\\\n]*)*\''
_C_COMMENTS = r"(?P<comment>//[^\n]*|/\*.*?(?:\*/|\Z))"

# An open comment or string ends with the text, so that one stray quote costs one pass at most.
_TOKENS: dict[str, re.Pattern[str]] = {
    "python": re.compile(
        r'(?P<comment>#[^\n]*)|(?P<long>"""(?:[^\\]|\\.)*?(?:"""|\Z)'
        rf"|'''(?:[^\\]|\\.)*?(?:'''|\Z))|{_LINE_STRINGS}",
        re.DOTALL,
    ),
    "go": re.compile(rf"{_C_COMMENTS}|(?P<long>`[^`]*(?:`|\Z))|{_LINE_STRINGS}", re.DOTALL),
    "typescript": re.compile(
        rf"{_C_COMMENTS}|(?P<long>`[^`\\]*(?:\\.[^`\\]*)*(?:`|\Z))|{_LINE_STRINGS}", re.DOTALL
    ),
}
LANGUAGES = frozenset(_TOKENS)
"""What `spots` reads."""
_VALUE = re.compile(r"""\s*[:=]\s*["']?([A-Za-z0-9_.]*)""")


def spots(language: str, text: str, hits: Sequence[Hit]) -> list[Spot]:
    """The spot of each hit of a source text."""
    found: list[Spot] = []
    tokens = _TOKENS[language].finditer(text)
    token = next(tokens, None)
    for hit in hits:
        while token and token.end() <= hit.start:
            token = next(tokens, None)
        inside = token if token and token.start() <= hit.start else None
        found.append(_spot(language, text, hit, inside))
    return found


def _spot(language: str, text: str, hit: Hit, token: re.Match[str] | None) -> Spot:
    if token and token["comment"]:
        return Spot("comment")
    before, after = start_of_line(text, hit.start), rest_of_line(text, hit.end)
    _, rest, quoted = unquoted(before, after)
    if token and token["long"] and token.end() != hit.end + 1:
        # Several lines may hold a manifest, and a template literal holds code as well.
        inner = spot_in(text, hit, token.start())
        if inner.role in ("key", "value", "item"):
            return inner
        if language == "python":  # a docstring quotes what it talks about
            return Spot("text", is_word=True)
    if quoted:
        value = _VALUE.match(rest)
        return Spot("string", value=value[1] if value else "")
    return Spot("text", is_word=is_word(before, after))
