"""The commit message: which labels come, change and go, from which catalog, and what to restart."""

from __future__ import annotations

import re
from fnmatch import fnmatchcase
from typing import TYPE_CHECKING

from generator.places import pointers
from generator.places.placed import Refused

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from generator.catalog.model import Catalog
    from generator.publishing.plan import Step

_SHOWN = 100
"""Labels that a line of the message names; the rest are counted."""

_LABEL = re.compile(
    r"(?<![\w./-])(?:requests\.)?([a-z0-9][a-z0-9.-]*/[A-Za-z0-9](?:[A-Za-z0-9._-]*[A-Za-z0-9])?)"
)
_EXPRESSION = "/spec/selectors/0/cel/expression"


def message(steps: Sequence[Step], catalog: Catalog, commit: str) -> str:
    """The message for publishing the steps; `commit` names the catalog's, and may be empty."""
    added, changed, removed = labels(steps, catalog)
    lines = [
        *_line("Labels added", added),
        *_line("Labels changed", changed),
        *_line("Labels removed", removed),
    ]
    restarts = list(_restarts(steps))
    parts = [
        ["Bring the GPU labels up to date with the catalog"],
        lines or ["No label is added, changed or removed."],
        restarts,
        [commit] if commit else [],
    ]
    return "\n\n".join("\n".join(part) for part in parts if part) + "\n"


def _line(head: str, names: Sequence[str]) -> Iterator[str]:
    if names:
        more = f" and {len(names) - _SHOWN} more" if len(names) > _SHOWN else ""
        yield f"{head}: {', '.join(names[:_SHOWN])}{more}"


def labels(steps: Sequence[Step], catalog: Catalog) -> tuple[list[str], list[str], list[str]]:
    """The labels that the steps add, change and remove, as far as the places' texts show them."""
    offered = [offering.label for offering in catalog.offerings]
    retired = [one.label for one in catalog.retired_labels]
    domains = {label.partition("/")[0] for label in (*offered, *retired)}
    before = [_parts(step.found or "", domains) for step in steps]
    after = [_parts(step.wanted, domains) for step in steps]
    known = {label for parts in before for label in parts}
    kept = {label for parts in after for label in parts}
    touched = {
        label
        for old, new in zip(before, after, strict=True)
        for label in old.keys() | new.keys()
        if old.get(label) != new.get(label)
    }
    vanished = {label for old, new in zip(before, after, strict=True) for label in old.keys() - new}
    return (
        [label for label in offered if label in kept - known],
        [label for label in offered if label in touched & known],
        sorted(vanished - set(offered)),
    )


def _parts(text: str, domains: set[str]) -> dict[str, list[str]]:
    """The lines that tell of each label: from its own to a blank line or to another label's.

    A text that names one label alone tells of it in every line.
    """
    parts: dict[str, list[str]] = {}
    current: list[str] = []
    for line in text.splitlines():
        named = [label for label in _LABEL.findall(line) if label.partition("/")[0] in domains]
        if named or not line.strip():
            current = named
        for label in current:
            parts.setdefault(label, []).append(re.sub(r"[ -]+", " ", line).strip())
    if len(parts) == 1:
        return dict.fromkeys(parts, text.splitlines())
    return parts


def _restarts(steps: Sequence[Step]) -> Iterator[str]:
    changed = [step for step in steps if step.state != "in step"]
    documents = ("clusters/*/configmap.yaml", "clusters/*/ansible/themelio_gpu_labels.yml")
    if any(fnmatchcase(step.artifact, pattern) for step in changed for pattern in documents):
        yield "Restart web and k8s-root-actor: they read the ConfigMap when they start."
    if any(_changes_expression(step) for step in changed):
        # Source: kubernetes/kubernetes#141103, fixed by #141110.
        yield "Restart kube-scheduler: it may keep the old selectors of a class that has changed."


def _changes_expression(step: Step) -> bool:
    """Whether a class that was there already selects devices in another way."""
    if "/deviceclasses/" not in step.artifact or step.found is None:
        return False
    return _expression(step.found) not in (None, _expression(step.wanted))


def _expression(text: str) -> str | None:
    try:
        return pointers.resolve(pointers.parse(text, ".yaml"), _EXPRESSION).node.text
    except Refused:
        return None
