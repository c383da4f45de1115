"""How an outcome is printed: for people, and as JSON."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from generator.findings import Finding

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from generator.findings import Outcome, Severity

PRINTED = 200
"""Findings that the forms for people print; the rest are counted."""

_CONTROLS = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff\ud800-\udfff]"
)
_COLOURS = {"error": "\x1b[1;31m", "warning": "\x1b[1;33m", "note": "\x1b[1;36m"}
_GRAVITY: tuple[Severity, ...] = ("error", "warning", "note")


def text(outcome: Outcome, *, colour: bool = False) -> str:
    """For people: the command's own text, then the findings, each with what it is about."""
    shown = gravest(outcome.findings)
    colours = _COLOURS if colour else {}
    lines = [line for finding in shown for line in _lines(finding, colours)]
    if len(shown) < len(outcome.findings):
        lines.append(f"... and {len(outcome.findings) - len(shown)} more")
    return outcome.output + "".join(f"{line}\n" for line in lines)


def as_json(outcome: Outcome) -> str:
    """One object with all findings, and a summary of counts and the command's facts."""
    import json

    fields = ("code", "severity", "path", "line", "column", "message", "hint")
    findings = [{name: getattr(finding, name) for name in fields} for finding in outcome.findings]
    summary = {**_counts(outcome.findings), **outcome.facts}
    document = {"findings": findings, "summary": summary}
    return json.dumps(document, indent=2, ensure_ascii=False) + "\n"


def summary(outcome: Outcome) -> str:
    """The one line for stderr: the command's own words, and how many findings there are."""
    words = [
        f"{count} {name if count > 1 else name.removesuffix('s')}"
        for name, count in _counts(outcome.findings).items()
        if count
    ]
    return one_line("; ".join(filter(None, (outcome.message, ", ".join(words)))))


def printable(text: str) -> str:
    """The text without characters that could move a terminal's cursor or reorder its line."""
    return _CONTROLS.sub(lambda match: ascii(match[0])[1:-1], text)


def one_line(text: str) -> str:
    """The same where a line's end would start another line, which a CI system may obey."""
    return printable(text).replace("\n", "\\n")


def gravest(findings: Sequence[Finding]) -> Sequence[Finding]:
    """The findings that people read: all, or where there are too many the gravest, in order."""
    if len(findings) <= PRINTED:
        return findings
    return sorted(findings, key=lambda finding: _GRAVITY.index(finding.severity))[:PRINTED]


def _lines(finding: Finding, colours: Mapping[str, str]) -> Iterator[str]:
    place = (finding.path, finding.line, finding.column)
    start = "".join(f"{part}:" for part in place if part is not None)
    head = f"{finding.severity} {finding.code}"
    if colours:
        head = f"{colours[finding.severity]}{head}\x1b[0m"
    message = printable(finding.message).replace("\n", "\n  | ")  # git's words, or hostile text
    yield f"{one_line(start)} {head}: {message}".lstrip(" ")
    if finding.excerpt:
        yield printable(finding.excerpt.rstrip("\n"))
    if finding.hint:
        yield f"hint: {printable(finding.hint)}"


def excerpt(line: str, column: int) -> str:
    """The source line and a caret under its 1-based column, cut to what a terminal shows."""
    start = max(0, column - 61)
    shown, before = line[start : start + 120], line[start : column - 1]
    if not before.isascii():
        from wcwidth import wcwidth

        before = "".join(" " * max(0, wcwidth(character)) for character in before)
    padding = re.sub(r"[^\t]", " ", before) if "\t" in before else " " * len(before)
    return f"  {shown.rstrip()}\n  {padding}^"


def finding_in(
    text: str, offset: int, path: str, code: str, severity: Severity, message: str, hint: str = ""
) -> Finding:
    """A finding at an offset of a file's text, with its line, column and excerpt."""
    from generator.yamltext import line_and_column

    line, column = line_and_column(text, offset)
    start = offset - column + 1
    shown = excerpt(text[start : offset + 200].split("\n", 1)[0], column)
    return Finding(code, severity, path, line, column, message, hint, shown)


def _counts(findings: Sequence[Finding]) -> dict[str, int]:
    severities = [finding.severity for finding in findings]
    return {f"{name}s": severities.count(name) for name in _GRAVITY}
