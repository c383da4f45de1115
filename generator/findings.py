"""Findings: the one value that every command reports, and the exceptions that end a command."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

Severity = Literal["error", "warning", "note"]


class Finding(NamedTuple):
    """Something that a user should know, at a place in one of their files.

    `line` and `column` are 1-based and None where there is no position. `excerpt` is what the
    text form shows under the message: the source line with a caret, or a diff.
    """

    code: str
    severity: Severity
    path: str | None
    line: int | None
    column: int | None
    message: str
    hint: str = ""
    excerpt: str = ""


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a command leaves for the command line to print, and the facts of its summary.

    `output` is the command's own text for stdout, `message` one line for stderr. `facts` join the
    counts in the summary of `--format json`. `exit_code` None means: 1 with an error, else 0.
    """

    findings: Sequence[Finding] = ()
    message: str = ""
    output: str = ""
    facts: Mapping[str, object] = field(default_factory=dict)
    exit_code: int | None = None


class Stopped(Exception):  # noqa: N818 - not always an error of the program; the name is a verb's result
    """Ends a command with findings; each subclass is one exit code of the design."""

    exit_code: int

    def __init__(self, *findings: Finding) -> None:
        super().__init__("; ".join(finding.message for finding in findings))
        self.findings = findings


class Misused(Stopped):
    """The command line asks for something that cannot be."""

    exit_code = 2


class Invalid(Stopped):
    """The catalog or another input is invalid; nothing was written."""

    exit_code = 3


class Unsafe(Stopped):
    """A file or a consumer repository cannot be read or written safely."""

    exit_code = 4


class Interrupted(Stopped):
    """A signal has ended the command, and what is done already has to be told."""

    def __init__(self, exit_code: int, *findings: Finding) -> None:
        super().__init__(*findings)
        self.exit_code = exit_code


def misused(message: str, hint: str, code: str = "GC001") -> Misused:
    """The exception for words of the command line, which have no position."""
    return Misused(Finding(code, "error", None, None, None, message, hint))


def is_failure(findings: Sequence[Finding], *, strict: bool) -> bool:
    """Whether the findings make a command exit 1: an error, or with `strict` a warning too."""
    failing = {"error", "warning"} if strict else {"error"}
    return any(finding.severity in failing for finding in findings)
