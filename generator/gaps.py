"""What the catalog offers on a cluster, and DRA cannot give there, or is not proven to give."""

from __future__ import annotations

from typing import TYPE_CHECKING

from generator.kubernetes import DRIVER, GENERIC_LABEL

if TYPE_CHECKING:
    from collections.abc import Iterator

    from generator.catalog.model import Cluster, Offering
    from generator.findings import Finding
    from generator.project import Project


def warnings(project: Project) -> Iterator[Finding]:
    """A warning for each label of each cluster that has no device class, or no evidence."""
    index_of = project.catalog.index_of
    for cluster in project.catalog.clusters:
        evidence = project.evidence[cluster.name]
        remedy = (
            f"record evidence with `gpu-catalog cluster check {cluster.name} --from DIR --record`"
        )
        for offering in cluster.offerings:
            where = ("offerings", index_of[offering.label])
            if offering.device_class is None:
                yield project.source.finding(
                    "GC320",
                    (*where, "label"),
                    f"{offering.label} has no device class: {_instead(cluster, offering)}",
                    "give the offering a `device_class`",
                    "warning",
                )
            elif not evidence.verifies(offering):
                yield project.source.finding(
                    "GC321",
                    (*where, "device_class"),
                    f"{offering.label} is not verified on {cluster.name}",
                    remedy,
                    "warning",
                    on_key=True,
                )


def _instead(cluster: Cluster, offering: Offering) -> str:
    """The class of the NVIDIA driver's chart has the generic label, for every whole GPU."""
    if offering.label == GENERIC_LABEL:
        return f"on {cluster.name} the driver's {DRIVER} gives any whole GPU for it"
    return f"{cluster.name} cannot give it by DRA"
