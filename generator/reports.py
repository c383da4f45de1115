"""The five forms in which findings are printed: text, json, github, gitlab and sarif."""

from __future__ import annotations

import os
import re
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from generator.files import git_root
from generator.findings import Finding

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from generator.findings import Outcome, Severity

PRINTED = 200
"""Findings that the forms for people print; the rest are counted."""

_CONTROLS = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u200e\u200f\u2028-\u202e\u2066-\u2069\ud800-\udfff]"
)
_COLOURS = {"error": "\x1b[1;31m", "warning": "\x1b[1;33m", "note": "\x1b[1;36m"}


def report(outcome: Outcome, form: str) -> None:
    """Print a command's findings to stdout in the form, and its summary to stderr."""
    if form == "text":
        _print(_text(outcome, _colour(sys.stdout.isatty())))
    elif form == "github":
        _print(outcome.output + "".join(_shortened(_github, outcome.findings)))
    else:
        _print(_FORMS[form](outcome) + "\n")
    if outcome.message:
        print(printable(outcome.message), file=sys.stderr)


def _print(text: str) -> None:
    sys.stdout.buffer.write(text.encode("utf-8", "backslashreplace"))


def printable(text: str) -> str:
    """The text without characters that could move a terminal's cursor or reorder its line."""
    return _CONTROLS.sub(lambda match: ascii(match[0])[1:-1], text)


def _colour(terminal: bool) -> Callable[[str, str], str]:
    if not terminal or os.environ.get("NO_COLOR"):
        return lambda text, _severity: text
    return lambda text, severity: f"{_COLOURS[severity]}{text}\x1b[0m"


def _text(outcome: Outcome, colour: Callable[[str, str], str]) -> str:
    def one(finding: Finding) -> str:
        head = colour(f"{finding.severity} {finding.code}", finding.severity)
        lines = [f"{_place(finding)}{head}: {printable(finding.message)}"]
        lines += [printable(finding.excerpt.rstrip("\n"))] if finding.excerpt else []
        lines += [f"hint: {printable(finding.hint)}"] if finding.hint else []
        return "\n".join(lines) + "\n"

    return outcome.output + "".join(_shortened(one, outcome.findings))


def _place(finding: Finding) -> str:
    parts = [finding.path, finding.line, finding.column]
    return printable("".join(f"{part}:" for part in parts if part is not None) + " ").lstrip()


def _shortened(form: Callable[[Finding], str], findings: Sequence[Finding]) -> Iterator[str]:
    yield from map(form, findings[:PRINTED])
    if len(findings) > PRINTED:
        yield f"... and {len(findings) - PRINTED} more\n"


def excerpt(line: str, column: int) -> str:
    """The source line and a caret under its 1-based column, cut to what a terminal shows."""
    start = max(0, column - 61)
    shown, before = line[start : start + 120], line[start : column - 1]
    if not before.isascii():
        from wcwidth import wcwidth

        before = "".join(" " * max(0, wcwidth(character)) for character in before)
    padding = re.sub(r"[^\t]", " ", before)
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


def _json(outcome: Outcome) -> str:
    import json

    fields = ("code", "severity", "path", "line", "column", "message", "hint")
    findings = [{name: getattr(finding, name) for name in fields} for finding in outcome.findings]
    summary = {**_counts(outcome.findings), **outcome.facts}
    return json.dumps({"findings": findings, "summary": summary}, indent=2, ensure_ascii=False)


def _counts(findings: Sequence[Finding]) -> dict[str, int]:
    severities = [finding.severity for finding in findings]
    return {f"{name}s": severities.count(name) for name in ("error", "warning", "note")}


def _from_git_root(path: str) -> str:
    absolute = Path(os.path.abspath(path))  # noqa: PTH100 - resolve() would follow symlinks
    root = git_root(absolute.parent)
    return absolute.relative_to(root).as_posix() if root else path


def _github(finding: Finding) -> str:
    """Source: GitHub's workflow commands; a column is dropped there unless it has a line."""

    def escaped(text: str) -> str:
        return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")

    def as_property(text: str) -> str:
        return escaped(text).replace(":", "%3A").replace(",", "%2C")

    level = "notice" if finding.severity == "note" else finding.severity
    properties = {"file": _from_git_root(finding.path)} if finding.path else {}
    if finding.line is not None:
        properties |= {"line": str(finding.line), "col": str(finding.column or 1)}
    properties["title"] = finding.code
    words = ",".join(f"{name}={as_property(value)}" for name, value in properties.items())
    message = "\n".join(filter(None, (finding.message, finding.hint)))
    return f"::{level} {words}::{escaped(message)}\n"


def _gitlab(outcome: Outcome) -> str:
    """Source: GitLab's Code Quality report; a fingerprint must be unique in it."""
    import hashlib
    import json

    severity = {"error": "major", "warning": "minor", "note": "info"}
    issues, seen = [], dict[str, int]()
    for finding in outcome.findings:
        path = _from_git_root(finding.path) if finding.path else "."
        identity = "\0".join((finding.code, path, finding.message))
        seen[identity] = seen.get(identity, 0) + 1
        digest = hashlib.sha256(f"{identity}\0{seen[identity]}".encode("utf-8", "replace"))
        issues.append(
            {
                "description": ". ".join(filter(None, (finding.message, finding.hint))),
                "check_name": finding.code,
                "fingerprint": digest.hexdigest(),
                "severity": severity[finding.severity],
                "location": {"path": path, "lines": {"begin": finding.line or 1}},
            }
        )
    return json.dumps(issues, indent=2, ensure_ascii=False)


def _sarif(outcome: Outcome) -> str:
    """Source: SARIF 2.1.0 (OASIS)."""
    import json

    codes = sorted({finding.code for finding in outcome.findings})
    run = {
        "tool": {"driver": {"name": "gpu-catalog", "rules": [{"id": code} for code in codes]}},
        "columnKind": "unicodeCodePoints",
        "results": [_sarif_result(finding) for finding in outcome.findings],
    }
    schema = "https://json.schemastore.org/sarif-2.1.0.json"
    document = {"$schema": schema, "version": "2.1.0", "runs": [run]}
    return json.dumps(document, indent=2, ensure_ascii=False)


def _sarif_result(finding: Finding) -> dict[str, Any]:
    from urllib.parse import quote

    message = "\n".join(filter(None, (finding.message, finding.hint)))
    result = {"ruleId": finding.code, "level": finding.severity, "message": {"text": message}}
    if finding.path is None:
        return result
    place: dict[str, Any] = {"artifactLocation": {"uri": quote(_from_git_root(finding.path))}}
    if finding.line is not None:
        place["region"] = {"startLine": finding.line, "startColumn": finding.column or 1}
    return {**result, "locations": [{"physicalLocation": place}]}


_FORMS = {"json": _json, "gitlab": _gitlab, "sarif": _sarif}
