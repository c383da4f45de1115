"""A catalog as one of the two that are compared."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping

    from generator.catalog.evidence import Evidence
    from generator.catalog.model import Catalog, Offering


class Side(NamedTuple):
    """A catalog, and by cluster its evidence and the offerings of labels.

    `classes` are the names of device classes with the clusters that have them.
    """

    catalog: Catalog
    evidence: Mapping[str, Evidence]
    placed: Mapping[str, Mapping[str, Offering]]
    classes: Mapping[str, Collection[str]]

    def some(self, label: str) -> tuple[str, ...]:
        """The clusters that offer the label; none where that is all of them."""
        names = tuple(self.placed[label])
        return names if len(names) < len(self.catalog.clusters) else ()

    @property
    def clusters(self) -> tuple[str, ...]:
        """The names of all clusters."""
        return tuple(one.name for one in self.catalog.clusters)


def side(catalog: Catalog, evidence: Mapping[str, Evidence]) -> Side:
    """A catalog as it is compared."""
    placed: dict[str, dict[str, Offering]] = {one.label: {} for one in catalog.offerings}
    classes: dict[str, list[str]] = {}
    for cluster in catalog.clusters:
        for offering in cluster.offerings:
            placed[offering.label][cluster.name] = offering
            if offering.device_class:
                classes.setdefault(offering.device_class.name, []).append(cluster.name)
    return Side(catalog, evidence, placed, classes)
