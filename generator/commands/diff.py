"""`diff`: what the change from one catalog to another means."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from generator import files
from generator.diff.positions import position
from generator.diff.report import report
from generator.diff.wording import SEVERITIES, as_data, steps
from generator.findings import Finding, Invalid, Outcome, Unsafe, is_failure, misused
from generator.project import Project, open_project

if TYPE_CHECKING:
    import argparse

    from generator.diff.change import Change
    from generator.diff.comparing import Difference
    from generator.diff.effects import Effects

FORMATS = ("markdown",)

_REF = "git:"
_UNKEPT = "GC802"
_FILE = "100"
"""How the mode of a regular file begins in a commit."""


class _Opened(NamedTuple):
    """A project, how it was asked for, and what stands before the paths of its findings."""

    project: Project
    asked: str
    prefix: str = ""


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the command's own arguments."""
    parser.add_argument("old", metavar="OLD", help="a catalog, or git:REF: this one at a commit")
    parser.add_argument("new", metavar="NEW", nargs="?", help="likewise; default: this catalog")
    words = "exit 0 although something breaks, unless a label is forgotten (GC802)"
    parser.add_argument("--allow-breaking", action="store_true", help=words)


def run(options: argparse.Namespace) -> Outcome:
    """Compare the two, each with its own evidence, and say what every difference means."""
    catalog = options.catalog
    old = _open(options.old, catalog)
    if options.new:
        new = _open(options.new, catalog)
    else:
        new = _Opened(open_project(catalog), str(catalog))
    found = report(old.project, new.project)
    findings = [_finding(old, new, *one) for one in found.changes]
    failing = [one for one in findings if _fails(one, allow_breaking=options.allow_breaking)]
    if options.format in ("github", "gitlab", "sarif"):  # they show files as they are now
        findings = [_on_a_file(finding) for finding in findings]
    output = ""
    if options.format == "markdown":
        from generator.diff.markdown import markdown

        output = markdown(found, new.project.path.name, old.asked)
    message = f"{new.asked} compared with {old.asked}"
    code = int(is_failure(failing, strict=options.strict))
    return Outcome(findings, message=message, output=output, facts=as_data(found), exit_code=code)


def _fails(finding: Finding, *, allow_breaking: bool) -> bool:
    """A label that is gone without a trace is a mistake, which is never meant."""
    return not allow_breaking or finding.severity != "error" or finding.code == _UNKEPT


def _finding(
    old: _Opened, new: _Opened, fact: Difference, change: Change, effects: Effects
) -> Finding:
    opened = old if fact.new is None else new
    where = position(fact, opened.project.catalog, new=opened is new)
    severity = SEVERITIES[change.level]
    finding = opened.project.source.finding(change.code, where, change.title, severity=severity)
    said = (f"{when}: {what}" for when, what in steps(change, effects))
    hint = "\n".join(filter(None, (change.why, *said)))  # whole: its last line is the way back
    return finding._replace(path=f"{opened.prefix}{finding.path}", hint=hint)


def _on_a_file(finding: Finding) -> Finding:
    if finding.path and finding.path.startswith(_REF):
        return finding._replace(path=None, line=None, column=None)
    return finding


def _open(asked: str, catalog: Path) -> _Opened:
    if not asked.startswith(_REF):
        hint = "name a catalog's file, or `git:REF` for this one at a commit"
        return _Opened(open_project(Path(asked), missing=hint), asked)
    ref = asked.removeprefix(_REF)
    prefix = f"{asked}:"
    try:
        return _Opened(_at(ref, catalog), asked, prefix)
    except (Invalid, Unsafe) as error:  # the commit has no such file, perhaps
        raise type(error)(*(_in_commit(one, prefix) for one in error.findings)) from error


def _in_commit(finding: Finding, prefix: str) -> Finding:
    return finding._replace(path=f"{prefix}{finding.path}")


def _at(ref: str, catalog: Path) -> Project:
    """The catalog and its evidence as they are in a commit."""
    root = files.git_root(_absolute(catalog).parent)
    if root is None:
        raise misused(f"{catalog} is in no git checkout", "name two files instead")
    commit = _commit(root, ref)

    def read(path: Path) -> bytes | None:
        name = _absolute(path).relative_to(root).as_posix()
        entry = files.git(root, "ls-tree", "-z", "--full-tree", commit, "--", name).decode()
        if not entry:
            return None
        mode, _, blob = entry.split("\t")[0].split()
        if not mode.startswith(_FILE):
            hint = "links and folders of a commit are not followed: name the file itself"
            raise files.unsafe(path, "is not a regular file", hint)
        return files.git(root, "cat-file", "blob", blob)

    return open_project(catalog, read)


def _absolute(path: Path) -> Path:
    return Path(os.path.normpath(path.absolute()))


def _commit(root: Path, ref: str) -> str:
    asked = ("rev-parse", "--verify", "--quiet", "--end-of-options", f"{ref}^{{commit}}")
    try:
        return files.git(root, *asked).decode().strip()
    except Unsafe as error:
        hint = "fetch it first; CI systems clone the newest commit alone (`fetch-depth: 0`)"
        raise misused(f"there is no commit `{ref}`", hint) from error
