"""The plan in words: findings of `publish --check`, of refusals, and of what publishing does."""

from __future__ import annotations

from typing import TYPE_CHECKING

from generator import difference
from generator.findings import Finding
from generator.places.placed import NotProduced
from generator.publishing.plan import Text
from generator.publishing.record import RECORD
from generator.reports import finding_in

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path

    from generator.catalog.source import Source
    from generator.findings import Severity
    from generator.publishing.plan import Plan, Refusal, State, Step
    from generator.publishing.publication import Publication

_FOUND: Mapping[State, tuple[str, Severity, str, str]] = {
    "behind": (
        "GC401",
        "warning",
        "the {place} is behind the catalog",
        "`gpu-catalog publish --commit` brings the catalog's state here",
    ),
    "edited": (
        "GC402",
        "error",
        "the {place} was edited here since it was published",
        "make the change in the catalog, and undo it here",
    ),
    "unpublished": (
        "GC403",
        "error",
        "the {place} does not hold what the catalog has for it, and was never published here",
        "`gpu-catalog publish --commit` brings the catalog's state here",
    ),
}

_ABSENT: Mapping[State, str] = {
    "behind": "is not here yet, and the catalog has it now",
    "edited": "was deleted here since it was published",
    "unpublished": "is not here, and nothing was ever published here",
}
"""The message where there is no file."""


def found(plan: Plan, root: Path) -> Iterator[Finding]:
    """What `--check` reports: a finding for every place that is out of step."""
    for step in plan.changes:
        if step.after is None:
            severity: Severity = "warning" if step.state == "behind" else "error"
            message = "is no longer produced from the catalog"
            hint = "`gpu-catalog publish --commit` deletes it"
            yield Finding("GC404", severity, str(root / step.to), None, None, message, hint)
        else:
            code, severity, message, hint = _FOUND[step.state]
            message = _ABSENT[step.state] if step.before is None else message
            yield _with_diff(step, root, code, severity, message, hint)


def done(plan: Plan, root: Path) -> Iterator[Finding]:
    """What publishing says of the work of others that it replaces or deletes."""
    for step in plan.changes:
        hint = "to keep the edit, make it in the catalog"
        if step.state == "edited":
            goes = "the edit is replaced" if step.after else "the edit goes with the file"
            message = f"the {{place}} was edited here since it was published: {goes}"
            yield _with_diff(step, root, "GC402", "warning", message, hint)
        elif step.state == "unpublished" and (step.found or "").strip():
            goes = "what stood there is replaced" if step.after else "it goes with what it held"
            message = f"no record says that the {{place}} was published: {goes}"
            yield _with_diff(step, root, "GC403", "warning", message, hint)
        for offset in step.lost:
            assert step.before is not None
            yield finding_in(
                step.before.text,
                offset,
                str(root / step.to),
                "GC420",
                "warning",
                f"a comment inside the {step.place} is not kept",
                "move comments out of the node that is published",
            )


def left_over(plan: Plan, root: Path) -> Iterator[Finding]:
    """Files that were published once, and that no entry names any more."""
    for to in plan.leftovers:
        message = f"`{to}` is no longer published: it stays as it is"
        hint = "delete it where nobody needs it, or name it in the catalog's `consumers` again"
        yield Finding("GC423", "warning", str(root / RECORD), None, None, message, hint)


def unreadable(publication: Publication, severity: Severity) -> Iterator[Finding]:
    """A record that cannot be read: nothing is known of what was published."""
    fault = publication.unreadable
    if fault is not None:
        text = Text.of(publication.found[RECORD]).text
        path = str(publication.root / RECORD)
        hint = "`gpu-catalog publish` makes it anew"
        message = f"cannot be read: {fault}"
        yield finding_in(text, fault.offset, path, "GC422", severity, message, hint)


def refused(refusal: Refusal, root: Path, source: Source) -> Finding:
    """A refusal at its position: in the consumer's file, or in the catalog."""
    entry, reason, text = refusal
    if isinstance(reason, NotProduced):
        where = (*entry.where, "artifact")
        return source.finding(reason.code, where, reason.message, reason.hint)
    path = str(root / entry.to)
    if reason.offset is None:
        return Finding(reason.code, "error", path, None, None, reason.message, reason.hint)
    return finding_in(text, reason.offset, path, reason.code, "error", reason.message, reason.hint)


def foreign(plan: Plan, root: Path) -> Iterator[Finding]:
    """Whole files that are not ours, which only `--adopt` replaces."""
    for step in plan.changes:
        if step.is_foreign:
            message = "does not have the header of a generated file, and would be replaced"
            hint = "compare it with the artifact, then publish with --adopt"
            yield Finding("GC405", "error", str(root / step.to), None, None, message, hint)


def _with_diff(
    step: Step, root: Path, code: str, severity: Severity, message: str, hint: str
) -> Finding:
    path, line, diff = str(root / step.to), None, ""
    if step.before is not None:
        before, after = step.before.data, step.after.data if step.after else b""
        line = difference.first_line(before, after)
        diff = difference.unified(path, before, after)
    return Finding(code, severity, path, line, None, message.format(place=step.place), hint, diff)
