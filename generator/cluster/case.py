"""What the checks look at: a catalog's cluster, and what was found of it; and what they say."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from generator.catalog.source import Problem
from generator.cluster.devices import in_whole_pools

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from generator.catalog.evidence import Evidence
    from generator.catalog.model import Catalog, Cluster, DeviceClass, Offering
    from generator.cluster.devices import Device
    from generator.cluster.matching import Matches, Supply
    from generator.cluster.snapshot import Snapshot
    from generator.findings import Severity
    from generator.yamltext import Where

_LISTED = 3


class Fault(NamedTuple):
    """A problem with the labels that it keeps from being ready, and why in a few words."""

    problem: Problem
    labels: tuple[str, ...]
    reason: str


class Case(NamedTuple):
    """A cluster of the catalog and its snapshot.

    `refused` says by label why no API server takes the generated class. `matches` are those of
    the generated classes by their labels, `supplies` what they supply, `live_matches` those of
    classes on the cluster by their names; these three are empty where no slices were read.
    """

    catalog: Catalog
    cluster: Cluster
    evidence: Evidence
    snapshot: Snapshot
    refused: Mapping[str, str]
    matches: Mapping[str, Matches]
    live_matches: Mapping[str, Matches]
    supplies: Mapping[str, Supply]

    @property
    def labels(self) -> tuple[str, ...]:
        """Every label of the cluster."""
        return tuple(offering.label for offering in self.cluster.offerings)

    @property
    def classes(self) -> Sequence[tuple[Offering, DeviceClass]]:
        """The offerings that have a class, with it."""
        offerings = self.cluster.offerings
        return [(one, one.device_class) for one in offerings if one.device_class is not None]

    @property
    def unclassed(self) -> set[str]:
        """The labels whose offering has no class: another class may serve them."""
        return {one.label for one in self.cluster.offerings if one.device_class is None}

    @property
    def matched(self) -> Iterator[tuple[Offering, Matches]]:
        """The offerings whose class was evaluated, with what it matches."""
        for offering in self.cluster.offerings:
            if offering.label in self.matches:
                yield offering, self.matches[offering.label]

    def devices(self) -> Iterator[Device]:
        """Every device of a pool that the scheduler takes devices from."""
        for pool in self.snapshot.pools or ():
            if not pool.broken:
                yield from pool.devices

    def usable(self, matches: Matches) -> list[Device]:
        """The matched devices that are in such a pool."""
        return in_whole_pools(self.snapshot.pools or (), matches.devices)

    def where(self, offering: Offering, *steps: str) -> Where:
        """The path of an offering in the catalog, or of a part, which the cluster may override."""
        index = self.catalog.index_of[offering.label]
        everywhere, override = self.catalog.offerings[index], ("overrides", offering.key)
        if "node_selector" in steps and offering.node_selector != everywhere.node_selector:
            return self.cluster_where(*override, *steps)
        if "device_class" in steps and offering.device_class != everywhere.device_class:
            return self.cluster_where(*override)
        return ("offerings", index, *steps)

    def cluster_where(self, *steps: str) -> Where:
        """The path of the cluster in the catalog, or of a part of it."""
        index = [one.name for one in self.catalog.clusters].index(self.cluster.name)
        return ("clusters", index, *steps)


def fault(
    code: str,
    where: Where,
    message: str,
    hint: str,
    *,
    severity: Severity = "error",
    labels: Iterable[str] = (),
    reason: str = "",
) -> Fault:
    """A fault at the catalog's line."""
    return Fault(Problem(code, where, message, hint, severity), tuple(labels), reason)


def listed(names: Iterable[str]) -> str:
    """The names in order, the first few of them written out."""
    every = sorted(names)
    shown = ", ".join(every[:_LISTED])
    return shown if len(every) <= _LISTED else f"{shown} and {len(every) - _LISTED} more"
