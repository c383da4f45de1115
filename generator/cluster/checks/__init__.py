"""The checks of a cluster, one module a subject: what they need, and their faults."""

from __future__ import annotations

from typing import TYPE_CHECKING

from generator.cluster.case import Case, Fault, fault
from generator.cluster.checks import classes, configmap, nodes, quotas, selectors, versions

if TYPE_CHECKING:
    from collections.abc import Iterator

SUBJECTS = {
    "versions": versions,
    "classes": classes,
    "selectors": selectors,
    "nodes": nodes,
    "quotas": quotas,
    "ConfigMap": configmap,
}


def faults(case: Case) -> Iterator[Fault]:
    """Every fault of the cluster, and which checks were not done for want of a dump."""
    for subject in SUBJECTS.values():
        yield from subject.faults(case)
    for resource in case.snapshot.missing:
        undone = [name for name, subject in SUBJECTS.items() if resource in subject.NEEDS]
        if undone:
            yield fault(
                "GC504",
                case.cluster_where(),
                f"{resource} is missing: the checks of {', '.join(undone)} are not done, or not"
                " whole",
                f"add {resource}.json; nothing is called ready until then",
                severity="warning",
                labels=case.labels,
                reason=f"{resource} not checked",
            )
