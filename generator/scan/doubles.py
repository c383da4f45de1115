"""Keys that a fix would give a mapping twice, told by brackets and indentation in any language.

Of two equal keys, kubectl takes the last without a word; TypeScript and most readers of YAML
refuse them.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from generator.scan.outline import is_comment, start_of_line

if TYPE_CHECKING:
    from collections.abc import Sequence

    from generator.scan.labels import Hit

_FAR = 50_000
"""Characters after a key among which its mapping ends, or is taken to end."""

# What follows a key: `nvidia.com/a: 1`, `"nvidia.com/a": 1`, `["nvidia.com/a"] = 1`, and the same
# with its quotes escaped.
_COLON = r"""\\?["'`]?\]?[ \t]*(?::|=(?!=))"""
_IS_KEY = re.compile(_COLON)
_KEY = rf"""(?P<key>(?:\[?\\?["'`]|(?<![A-Za-z0-9_./-]))(?P<name>%s){_COLON})"""
# Longer than a sign: keys, rows, asides (comments and a template's tags), strings, words.
_STEPS = rf"""(?x) {_KEY}
    | (?P<row> (?: \n | \\n ) (?P<indent> [ \t]* ) (?: -[ \t]+ )* )
    | (?P<aside> \{{ [{{%%\#] (?s:.{{0,500}}?) [}}%%\#] \}}
        | (?<!\S) (?: \# | // ) .*? (?= \n | \\n | \Z ) )
    | (?P<opening> [{{\[] ) | (?P<closing> [}}\]] ) | (?P<comma> [,;] )
    | (?P<rest> \\. | "(?: [^"\\\n] | \\. )*" | '[^'\n]*' | `[^`\n]*`
        | (?: [A-Za-z]{{2}}'[a-z] | [^\s,;{{}}\[\]"'`\\] )+ )
"""
_FLOATING = re.compile(r"\r?\n|\\n|\Z|#|//|,|\{[{%#]")
"""How rows begin that may be less indented than the mapping in which they stand."""


def doubled(text: str, sure: Sequence[Hit]) -> set[Hit]:
    """Those of the hits that are keys, and that another key would equal once they are fixed."""
    keys = [hit for hit in sure if _IS_KEY.match(text, hit.end)]
    found: set[Hit] = set()
    for new in {hit.choices[0] for hit in keys}:
        equal = {hit.start: hit for hit in keys if hit.choices[0] == new}
        names = {new, *(hit.form for hit in equal.values())}
        if sum(map(text.count, names)) < 2:
            continue
        alternatives = "|".join(map(re.escape, sorted(names)))
        starts = [match.start("key") for match in re.finditer(_KEY % alternatives, text)]
        for start in starts[:-1]:
            if not is_comment(text, start):
                pair = _with_next(re.compile(_STEPS % alternatives), text, start)
                found.update(equal[one] for one in pair if one in equal)
    return found


def _with_next(steps: re.Pattern[str], text: str, start: int) -> Sequence[int]:
    """Where the names of the key at `start` and of the next one of its mapping stand, if any."""
    own = steps.match(text, start)
    assert own
    before = start_of_line(text, start).rpartition("\\n")[2]
    column = len(before)
    # What stands before the key on its row holds the mapping, and may be followed by less indent.
    indent = column - len(before.lstrip(" \t")) if before.strip(" \t-") else column
    row, depth, goes_on = start - column, 0, False
    for step in steps.finditer(text, own.end(), own.end() + _FAR):
        kind = step.lastgroup
        if kind == "row":
            dedented = len(step["indent"]) < indent and not _FLOATING.match(text, step.end())
            if dedented and not depth and not goes_on:
                break
            row = step.start("indent")
        elif kind == "opening":
            depth += 1
        elif kind == "closing":
            depth -= 1
            if depth < 0:
                break
        elif kind == "key" and not depth and (goes_on or step.start() - row == column):
            return own.start("name"), step.start("name")
        if kind not in ("row", "aside"):
            goes_on = kind == "comma"
    return ()
