"""Versions: the API server's and each kubelet's, against the oldest that can, and the catalog."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING

from generator.cluster.case import Case, Fault, fault, listed
from generator.kubernetes import OLDEST_VERSION, UNGATED_VERSION, version_of

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator

NEEDS = ("version", "nodes")

_UNFINISHED = (
    "finish the upgrade; or write the version that it has now, with its feature gates, into the"
    " catalog, then generate again"
)


def faults(case: Case) -> Iterator[Fault]:
    """Versions that are too old or unreadable, and those that the catalog does not expect."""
    server = case.snapshot.server
    if server is not None:
        yield from _too_old(case, server, "the API server", case.labels)
        yield from _unexpected(case, server)
    needs = _labels_by_node(case)
    nowhere = _ungated_everywhere(case)
    kubelets: dict[tuple[str, bool], list[str]] = defaultdict(list)
    for node in case.snapshot.nodes or ():
        if node.kubelet:
            kubelets[node.kubelet, node.name in needs].append(node.name)
    for (kubelet, needed), names in sorted(kubelets.items()):
        what = f"the kubelet of {listed(names)}"
        labels = {label for name in names if needed for label in needs[name]}
        yield from _too_old(case, kubelet, what, labels)
        if needed:
            yield from _ungated(case, kubelet, what, labels & nowhere)


def _labels_by_node(case: Case) -> dict[str, set[str]]:
    """The labels whose pods are sent to each node, or whose devices are there."""
    labels: dict[str, set[str]] = defaultdict(set)
    for node in case.snapshot.nodes or ():
        for offering in case.cluster.offerings:
            if node.satisfies(offering.node_selector):
                labels[node.name].add(offering.label)
    for offering, matches in case.matched:
        for device in matches.devices:
            labels[device.node or ""].add(offering.label)
    return labels


def _ungated_everywhere(case: Case) -> set[str]:
    """The labels whose pods find no kubelet that is known to prepare a scheduler-made claim."""
    nodes = case.snapshot.nodes or ()
    ungated = {node.name for node in nodes if _is_behind(case, node.kubelet)}
    labels: set[str] = set()
    for offering in case.cluster.offerings:
        selected = {node.name for node in nodes if node.satisfies(offering.node_selector)}
        matches = case.matches.get(offering.label)
        on = {device.node for device in matches.devices} if matches else set()
        goals = selected & on or selected
        if goals and goals <= ungated:
            labels.add(offering.label)
    return labels


def _is_behind(case: Case, text: str) -> bool:
    """Whether the version still needs gates, where the catalog's needs and so declares none."""
    found = version(text)
    return found is not None and OLDEST_VERSION <= found < UNGATED_VERSION <= case.cluster.version


def version(text: str) -> tuple[int, int] | None:
    """Major and minor, or None where the text is no version."""
    try:
        return version_of(text)
    except ValueError:
        return None


def _too_old(case: Case, text: str, what: str, labels: Collection[str]) -> Iterator[Fault]:
    found = version(text)
    if found is None or found < OLDEST_VERSION:
        oldest = ".".join(map(str, OLDEST_VERSION))
        yield fault(
            "GC510",
            case.cluster_where("kubernetes"),
            f"{what} is {text}, and extended resources through DRA need {oldest} or newer",
            "upgrade it; nothing of this catalog works there",
            severity="error" if labels else "warning",
            labels=labels,
            reason="Kubernetes is too old",
        )


def _unexpected(case: Case, text: str) -> Iterator[Fault]:
    found = version(text)
    behind = _is_behind(case, text)
    if found is not None and OLDEST_VERSION <= found != case.cluster.version:
        yield fault(
            "GC511",
            case.cluster_where("kubernetes"),
            f"the catalog says Kubernetes {case.cluster.kubernetes}, the API server is {text}",
            _UNFINISHED
            if behind
            else "write the cluster's version into the catalog, then generate again",
            severity="warning",
            labels=case.labels if behind else (),
            reason="needs feature gates",
        )


def _ungated(case: Case, kubelet: str, what: str, labels: Collection[str]) -> Iterator[Fault]:
    """A kubelet that still needs gates, on a cluster that is written down as needing none."""
    if _is_behind(case, kubelet):
        yield fault(
            "GC511",
            case.cluster_where("kubernetes"),
            f"{what} is {kubelet}, where DRAExtendedResource is off by default",
            _UNFINISHED,
            severity="warning",
            labels=labels,
            reason="needs feature gates",
        )
