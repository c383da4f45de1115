"""Hold a cluster's snapshot against the catalog: the case, its faults, and who is ready."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from generator.cluster import checks
from generator.cluster.case import Case
from generator.cluster.matching import matches, supply

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from generator.catalog.model import Cluster, Offering
    from generator.cluster.case import Fault
    from generator.cluster.cel import Cel
    from generator.cluster.snapshot import Snapshot
    from generator.project import Project

_DISPROVING = ("GC531", "GC532", "GC533", "GC534")


class Checked(NamedTuple):
    """A case with everything that was found wrong with it."""

    case: Case
    faults: Sequence[Fault]

    def reasons(self, offering: Offering) -> list[str]:
        """Why the offering is not ready, each in a few words; empty where it is."""
        if offering.device_class is None:
            return ["no device class"]
        return list(
            dict.fromkeys(one.reason for one in self.faults if offering.label in one.labels)
        )

    def proven(self, offering: Offering) -> bool:
        """Whether the offering's selector holds: nothing disproves it, and it has devices."""
        matches = self.case.matches.get(offering.label)
        return (
            matches is not None
            and self.case.supplies[offering.label].devices > 0
            and not self.disproven(offering)
        )

    def disproven(self, offering: Offering) -> bool:
        """Whether the devices speak against the offering's selector."""
        matches = self.case.matches.get(offering.label)
        return matches is not None and (
            not matches.devices
            or any(
                one.problem.code in _DISPROVING and offering.label in one.labels
                for one in self.faults
            )
        )


def check(project: Project, cluster: Cluster, snapshot: Snapshot, cel: Cel) -> Checked:
    """Everything that can be said of the cluster."""
    devices = [device for pool in snapshot.pools or () for device in pool.devices]
    generated = {
        one.label: [one.device_class.expression] for one in cluster.offerings if one.device_class
    }
    refused = _refused(cel, generated)
    live = {one.name: one.selectors for one in snapshot.classes or ()}
    if snapshot.pools is None:
        generated, live = {}, {}
    found = matches(cel, generated, devices)
    case = Case(
        project.catalog,
        cluster,
        project.evidence[cluster.name],
        snapshot,
        refused,
        found,
        matches(cel, live, devices),
        {},
    )
    case = case._replace(supplies={name: supply(case.usable(one)) for name, one in found.items()})
    return Checked(case, list(checks.faults(case)))


def _refused(cel: Cel, classes: Mapping[str, Sequence[str]]) -> dict[str, str]:
    """By label, why the API server takes no class with these expressions."""
    return {
        label: always.reason
        for label, expressions in classes.items()
        for always in [cel.compile(expression).always for expression in expressions]
        if always is not None and always.outcome == "fails"
    }
