"""Clusters: Kubernetes versions, feature gates, and where evidence is kept.

Source: KEP-5004 `kep.yaml` and kube_features of 1.34 to 1.37.
"""

from __future__ import annotations

from pathlib import PurePosixPath
from typing import TYPE_CHECKING

from generator.catalog.source import Problem
from generator.kubernetes import (
    GA_VERSION,
    NEWEST_KNOWN_VERSION,
    OLDEST_VERSION,
    REQUIRED_GATES,
    UNGATED_VERSION,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

    from generator.catalog.assembly import Data
    from generator.catalog.model import Catalog, Cluster
    from generator.yamltext import Where


def problems(catalog: Catalog, _content: Data) -> Iterator[Problem]:
    """Clusters on which DRA's extended resources cannot work, or work with a caveat."""
    kept: dict[PurePosixPath, str] = {}
    for index, cluster in enumerate(catalog.clusters):
        where: Where = ("clusters", index)
        yield from _version(cluster, where)
        yield from _gates(cluster, where)
        yield from _evidence(cluster, where, kept)


def _version(cluster: Cluster, where: Where) -> Iterator[Problem]:
    where = (*where, "kubernetes")
    if cluster.version < OLDEST_VERSION:
        message = f"Kubernetes {cluster.kubernetes} cannot serve extended resources through DRA"
        hint = "1.36 or newer needs no gates; 1.34 and 1.35 need both gates switched on"
        yield Problem("GC210", where, message, hint)
    elif cluster.version == OLDEST_VERSION:
        message = "Kubernetes 1.34 counts no quota for DRA, and blocks nodes that had the plugin"
        yield Problem("GC212", where, message, "1.35 is the practical minimum", "warning")
    elif cluster.version > NEWEST_KNOWN_VERSION:
        newest = ".".join(map(str, NEWEST_KNOWN_VERSION))
        message = f"Kubernetes {cluster.kubernetes} is newer than {newest}, the newest known here"
        yield Problem("GC213", where, message, "", "note")


def _gates(cluster: Cluster, where: Where) -> Iterator[Problem]:
    missing = [gate for gate in REQUIRED_GATES if gate not in cluster.feature_gates]
    if OLDEST_VERSION <= cluster.version < UNGATED_VERSION and missing:
        message = f"Kubernetes {cluster.kubernetes} needs the feature gates {' and '.join(missing)}"
        hint = (
            "switch them on on apiserver, controller-manager, scheduler and kubelet, and list them"
        )
        place = (*where, "feature_gates") if cluster.feature_gates else (*where, "kubernetes")
        yield Problem("GC211", place, message, hint)
    for place_in_list, gate in enumerate(cluster.feature_gates):
        if gate == "DRAExtendedResource" and cluster.version >= GA_VERSION:
            message = f"{gate} is locked on in {cluster.kubernetes}, and gone in 1.40"
            hint = "drop it: a component that does not know a gate does not start"
            at = (*where, "feature_gates", place_in_list)
            yield Problem("GC214", at, message, hint, "warning")


def _evidence(cluster: Cluster, where: Where, kept: dict[PurePosixPath, str]) -> Iterator[Problem]:
    where = (*where, "evidence")
    path = PurePosixPath(cluster.evidence)
    parts = {part.casefold() for part in path.parts}
    if path.is_absolute() or parts & {"..", ".git"} or "\\" in cluster.evidence:
        message = f"`{cluster.evidence}` leads out of the catalog's folder"
        yield Problem("GC224", where, message, "write a relative path without `..`")
    elif not parts or cluster.evidence.endswith("/"):
        message = f"`{cluster.evidence}` is a folder, not a file"
        yield Problem("GC224", where, message, f"such as evidence/{cluster.name}.yaml")
    folded = PurePosixPath(str(path).casefold())
    for file, other in kept.items():
        if file == folded:
            message = f"`{cluster.evidence}` already holds the evidence of {other}"
            yield Problem("GC224", where, message, "give each cluster a file of its own")
        elif file in folded.parents or folded in file.parents:
            message = f"`{cluster.evidence}` is in the way of the evidence of {other}"
            yield Problem("GC224", where, message, "one path is a file and a folder: change one")
    kept.setdefault(folded, cluster.name)
