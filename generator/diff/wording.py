"""A change in words: what is done, in the order in which it is done."""

from __future__ import annotations

from typing import TYPE_CHECKING

from generator.diff.change import enumerated, listed, on, shortened

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from generator.diff.change import Change, Level
    from generator.diff.effects import Effects
    from generator.diff.report import Report
    from generator.findings import Severity

SEVERITIES: dict[Level, Severity] = {
    "breaking": "error",
    "action": "warning",
    "safe": "note",
    "cosmetic": "note",
}
_SHOWN, _KEYS = 3, 40
"""Names of files, and quota keys, that a line shows."""


def steps(change: Change, effects: Effects) -> Iterator[tuple[str, str]]:
    """When, and what: everything that the change asks for, from quotas to the way back."""
    if change.quota_before:
        yield "first", give(change.quota_before, change.quota_clusters)
    for step in change.before:
        yield "first", step
    for old, choices in change.edits:
        yield "users", edit(old, choices)
    if effects.artifacts:
        yield "files", reach(effects)
    if effects.services:
        yield "restart", enumerated(effects.services)
    for step in change.after:
        yield "then", step
    if change.quota_after:
        yield "then", drop(change.quota_after, change.quota_clusters)
    if change.rollback and change.level in ("breaking", "action"):
        yield "way back", change.rollback


def give(keys: Sequence[str], clusters: Sequence[str]) -> str:
    """How quota keys come."""
    quotas = f"every tenant's quota{on(clusters)}"
    return f"give {quotas} {shortened(keys, _KEYS)}, 0 where nothing was bought"


def drop(keys: Sequence[str], clusters: Sequence[str]) -> str:
    """How quota keys go: too early, or on a cluster too many, and their labels are free to all."""
    what = f"{shortened(keys, _KEYS)} from every quota{on(clusters)}"
    return f"once no workload asks for it{' there' if clusters else ''}, drop {what}"


def edit(old: str, choices: Sequence[str]) -> str:
    """What people change in their action files."""
    if not choices:
        return f"take `gpuLabel: {old}` out of your actions: nothing replaces it"
    return f"change `gpuLabel: {old}` to {listed((f'gpuLabel: {one}' for one in choices), 'or')}"


def reach(effects: Effects) -> str:
    """The artifacts and consumers that change."""
    count = len(effects.artifacts)
    artifacts = (
        f"{count} artifact{'s' if count != 1 else ''}, {shortened(effects.artifacts, _SHOWN)}"
    )
    consumers = (
        f"in {name} {shortened(files, _SHOWN)}" for name, files in effects.consumers.items()
    )
    return "; ".join((artifacts, *consumers))


def as_data(report: Report) -> dict[str, object]:
    """The report for programs, as the summary of `--format json`."""
    return {
        "changes": [
            {
                "class": change.level,
                "code": change.code,
                "title": change.title,
                "why": change.why,
                "edits": [{"old": old, "new": list(new)} for old, new in change.edits],
                "quota_keys_before": change.quota_before,
                "quota_keys_dropped": change.quota_after,
                "quota_clusters": change.quota_clusters,
                "before": change.before,
                "after": change.after,
                "rollback": change.rollback,
                **effects._asdict(),
            }
            for _, change, effects in report.changes
        ],
        **report.total._asdict(),
    }
