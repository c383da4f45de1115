"""Drift in words: the findings of `check`, and what `generate` tells of its work."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from generator import difference, tree
from generator.findings import Finding
from generator.reports import PRINTED, finding_in

if TYPE_CHECKING:
    from collections.abc import Mapping

    from generator.findings import Severity
    from generator.tree import Drift, Kind, Plan

_GENERATE = "run `nox -s generate` or `gpu-catalog generate`"


class Words(NamedTuple):
    """How a kind of drift is told."""

    code: str
    severity: Severity
    message: str
    hint: str = ""


FOUND: Mapping[Kind, Words] = {
    "missing": Words("GC301", "error", "is missing", _GENERATE),
    "outdated": Words("GC302", "error", "is outdated", _GENERATE),
    "edited": Words(
        "GC303",
        "error",
        "was edited by hand",
        f"make the change in the catalog or a template, then {_GENERATE}",
    ),
    "stale": Words("GC304", "error", "is stale: nothing makes it any more", _GENERATE),
    "line endings": Words(
        "GC305",
        "error",
        "differs in its line endings only: they must be LF",
        f"let .gitattributes say `generated/** text eol=lf`, then {_GENERATE}",
    ),
    "foreign": Words(
        "GC306",
        "warning",
        "is not a generated file",
        "move it out of this folder; it is left alone",
    ),
    "edited stale": Words(
        "GC307",
        "error",
        "is stale, but was edited by hand: it is kept",
        f"take what you need out of it and delete it, then {_GENERATE}",
    ),
    "unreadable": Words("GC308", "error", "cannot be read", _GENERATE),
    "left behind": Words(
        "GC309", "warning", "is a temporary file that a killed run left behind", _GENERATE
    ),
}
"""What `check` says of a file."""

_DONE: dict[Kind, Words] = {
    "edited": Words(
        "GC303",
        "warning",
        "was edited by hand, and has been overwritten",
        "to keep the edit, make it in the catalog or a template",
    ),
    "foreign": FOUND["foreign"],
    "edited stale": FOUND["edited stale"],
    "unreadable": Words("GC308", "note", "could not be read, and has been made anew"),
}
"""What `generate` says of a file besides what it wrote and deleted."""

_UNPROVEN: dict[Kind, Words] = {
    "outdated": Words(
        "GC302",
        "warning",
        "has been overwritten, and no manifest told whether it was edited by hand",
        _DONE["edited"].hint,
    ),
    "stale": Words(
        "GC304",
        "warning",
        "has been deleted, and no manifest told whether it was edited by hand",
        _DONE["edited"].hint,
    ),
}
"""What `generate` says of it when no manifest says whose work it was."""

_COMMIT = "the new state belongs to the commit"
_CHANGED: dict[Kind, Words] = _DONE | {
    "missing": Words("GC301", "error", "was missing, and has been written", _COMMIT),
    "outdated": Words("GC302", "error", "was outdated, and has been written", _COMMIT),
    "edited": Words(
        "GC303", "error", "was edited by hand, and has been overwritten", _DONE["edited"].hint
    ),
    "stale": Words("GC304", "error", "was stale, and has been deleted", _COMMIT),
    "line endings": Words(
        "GC305", "error", "had other line endings than LF, and has been written", _COMMIT
    ),
    "unreadable": Words("GC308", "error", "could not be read, and has been made anew", _COMMIT),
}
"""What `generate --fail-on-change` says of a file: every change is an error."""


def found(plan: Plan, out: str) -> list[Finding]:
    """What `check` reports of the tree in the folder `out`."""
    return _told(plan, out, FOUND, FOUND)


def done(plan: Plan, out: str) -> list[Finding]:
    """What `generate` reports once the plan is carried out."""
    return _told(plan, out, _DONE, _UNPROVEN)


def changed(plan: Plan, out: str) -> list[Finding]:
    """What `generate --fail-on-change` reports once the plan is carried out."""
    return _told(plan, out, _CHANGED, _CHANGED)


def untracked(plan: Plan, out: str, tracked: set[str] | None) -> list[Finding]:
    """What `generate --fail-on-change` reports besides, where git tracks some files and no others.

    These are in place already, but a commit that does not add them leaves them behind.
    """
    if tracked is None:
        return []
    message, hint = "is not part of the commit: git does not track it", "`git add` it"
    standing = sorted(plan.wanted.keys() - plan.writes.keys() - tracked)
    return [
        Finding("GC310", "error", f"{out}/{path}", None, None, message, hint) for path in standing
    ]


def _told(
    plan: Plan, out: str, words: Mapping[Kind, Words], unproven: Mapping[Kind, Words]
) -> list[Finding]:
    told = [
        (drift, table[drift.kind])
        for drift in plan.drifts
        if drift.kind in (table := unproven if drift.path in plan.unproven else words)
        and not _follows(drift, plan)
    ]
    return [
        _finding(drift, plan, f"{out}/{drift.path}", words, number < PRINTED)
        for number, (drift, words) in enumerate(told)
    ]


def _follows(drift: Drift, plan: Plan) -> bool:
    """Whether it is the manifest, and only because other files are to be written or deleted."""
    return drift == ("outdated", tree.MANIFEST) and (len(plan.writes) > 1 or bool(plan.deletes))


def _finding(drift: Drift, plan: Plan, path: str, words: Words, with_diff: bool) -> Finding:
    code, severity, message, hint = words
    if drift.kind == "unreadable":
        text, offset, fault = _fault(plan.found[drift.path])
        return finding_in(text, offset, path, code, severity, f"{message}: {fault}", hint)
    if drift.kind not in ("outdated", "edited") and drift.path not in plan.unproven:
        return Finding(code, severity, path, None, None, message, hint)
    before, after = tree.with_line_feeds(plan.found[drift.path]), plan.wanted.get(drift.path, b"")
    line = difference.first_line(before, after)
    diff = difference.unified(path, before, after) if with_diff else ""
    return Finding(code, severity, path, line, None, message, hint, diff)


def _fault(manifest: bytes) -> tuple[str, int, str]:
    """The manifest's text, and where and why it cannot be read."""
    try:
        tree.entries_of(manifest)
    except tree.Unreadable as error:
        start = len(manifest[: error.offset].decode("utf-8", "replace"))
        return manifest.decode("utf-8", "replace"), start, str(error)
    raise AssertionError("the plan says that it cannot be read")
