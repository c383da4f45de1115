"""Findings as CI systems take them: GitHub's workflow commands, GitLab's code quality, SARIF.

Paths are relative to the root of the git checkout that holds the file. These systems want a file
for everything: a finding without one is placed at the catalog.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

from generator import files
from generator.pages import page
from generator.reports import gravest, printable

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from generator.findings import Finding, Outcome

_EXCERPT = 4000
"""Characters of a diff that an annotation shows."""


def github(outcome: Outcome, catalog: str) -> str:
    """Workflow commands; an `endColumn` is not given, as GitHub drops it on longer diffs."""
    shown = gravest(outcome.findings)
    more = len(outcome.findings) - len(shown)
    commands = [_command(finding, path) for finding, path in _placed(shown, catalog)]
    return "".join((outcome.output, *commands, f"... and {more} more\n" if more else ""))


def _command(finding: Finding, path: str) -> str:
    """Source: GitHub's documentation of workflow commands, and actions/toolkit's `command.ts`."""

    def escaped(text: str) -> str:
        return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")

    def as_property(text: str) -> str:
        return escaped(text).replace(":", "%3A").replace(",", "%2C")

    level = "notice" if finding.severity == "note" else finding.severity
    properties = {"file": path, "line": finding.line, "col": finding.column, "title": finding.code}
    words = ",".join(
        f"{name}={as_property(str(value))}"
        for name, value in properties.items()
        if value is not None
    )
    parts = (finding.message, finding.excerpt[:_EXCERPT].rstrip("\n"), finding.hint)
    message = printable("\n".join(filter(None, parts)))
    return f"::{level} {words}::{escaped(message)}\n"


def gitlab(outcome: Outcome, catalog: str) -> str:
    """Source: GitLab's code quality report format; a fingerprint must be unique in it.

    It holds no line, so that a finding stays the same one when lines above it come and go.
    """
    import hashlib

    severity = {"error": "major", "warning": "minor", "note": "info"}
    issues, seen = [], dict[str, int]()
    for finding, path in _placed(outcome.findings, catalog):
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
    return _json(issues)


def sarif(outcome: Outcome, catalog: str) -> str:
    """Source: SARIF 2.1.0 (OASIS), with what GitHub's code scanning asks for beyond it."""
    codes = sorted({finding.code for finding in outcome.findings})
    results = [
        _result(finding, path, codes.index(finding.code))
        for finding, path in _placed(outcome.findings, catalog)
    ]
    driver = {"name": "gpu-catalog", "rules": [_rule(code) for code in codes]}
    run = {"tool": {"driver": driver}, "columnKind": "unicodeCodePoints", "results": results}
    schema = "https://json.schemastore.org/sarif-2.1.0.json"
    return _json({"$schema": schema, "version": "2.1.0", "runs": [run]})


def _rule(code: str) -> dict[str, Any]:
    found = page(code)
    assert found is not None
    return {
        "id": code,
        "shortDescription": {"text": found.title},
        "fullDescription": {"text": " ".join(found.meaning.split())},
        "help": {"text": found.text, "markdown": found.text},
    }


def _result(finding: Finding, path: str, rule: int) -> dict[str, Any]:
    from urllib.parse import quote

    place: dict[str, Any] = {"artifactLocation": {"uri": quote(os.fsencode(path))}}
    if finding.line is not None:
        region = {"startLine": finding.line, "startColumn": finding.column}
        place["region"] = {name: value for name, value in region.items() if value is not None}
    return {
        "ruleId": finding.code,
        "ruleIndex": rule,
        "level": finding.severity,
        "message": {"text": "\n".join(filter(None, (finding.message, finding.hint)))},
        "locations": [{"physicalLocation": place}],
    }


def _json(document: object) -> str:
    import json

    return json.dumps(document, indent=2, ensure_ascii=False) + "\n"


def _placed(findings: Sequence[Finding], catalog: str) -> Iterator[tuple[Finding, str]]:
    """Each finding with its file, or the catalog where it has none."""
    known: dict[str, str] = {}
    for finding in findings:
        path = finding.path or catalog
        if path not in known:
            known[path] = _from_git_root(path)
        yield finding, known[path]


def _from_git_root(path: str) -> str:
    absolute = Path(os.path.abspath(path))  # noqa: PTH100 - resolve() would follow symlinks
    root = files.git_root(absolute.parent)
    return absolute.relative_to(root).as_posix() if root else path


FORMS: Mapping[str, Callable[[Outcome, str], str]] = {
    "github": github,
    "gitlab": gitlab,
    "sarif": sarif,
}
