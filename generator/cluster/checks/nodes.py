"""Nodes: whether the offerings' node selectors reach the devices, and pods the nodes."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING

from generator.cluster.case import Case, Fault, fault, listed
from generator.cluster.checks import serving
from generator.cluster.shapes import shown
from generator.kubernetes import DRIVER
from generator.words import counted

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Sequence

    from generator.catalog.model import Offering
    from generator.cluster.matching import Matches
    from generator.cluster.snapshot import Node

NEEDS = ("nodes", "resourceslices")

_STATE = "node.kubernetes.io/"
"""Taints by which Kubernetes itself tells what state a node is in; nobody takes them off."""
_NOT_OPEN = "no node is open"


def faults(case: Case) -> Iterator[Fault]:
    """Nodes that do not do what their devices and the catalog's selectors need."""
    if case.snapshot.nodes is not None:
        yield from _selectors(case)
        yield from serving.faults(case)
    yield from _whole_and_parts(case)


def _selectors(case: Case) -> Iterator[Fault]:
    nodes = case.snapshot.nodes or ()
    matches = {offering.label: found for offering, found in case.matched}
    for offering in case.cluster.offerings:
        selected = [node for node in nodes if node.satisfies(offering.node_selector)]
        if not selected:
            yield fault(
                "GC542",
                case.where(offering, "node_selector"),
                f"no node satisfies the node selector of {offering.label}",
                f"label the GPU nodes: {_words(offering)}",
                labels=(offering.label,),
                reason="no node selected",
            )
        elif offering.label in matches:
            yield from _reached(case, offering, matches[offering.label], selected)


def _reached(
    case: Case, offering: Offering, matches: Matches, selected: Sequence[Node]
) -> Iterator[Fault]:
    """Whether the devices that can be handed out are where pods with the label can go."""
    free = [device for device in case.usable(matches) if not device.tainted]
    on = {device.node for device in free if device.node}
    missed = on - {node.name for node in selected}
    if missed:
        placed = [device for device in free if device.node]
        count = sum(device.node in missed for device in placed)
        none_left = count == len(placed)
        yield fault(
            "GC542",
            case.where(offering, "node_selector"),
            f"{count:,} of {counted(len(placed), 'device')} of {offering.label} are on nodes"
            f" that its node selector misses: {listed(missed)}",
            f"label these nodes: {_words(offering)}",
            severity="error" if none_left else "warning",
            labels=(offering.label,) if none_left else (),
            reason="node selector misses all devices",
        )
    anywhere = any(not device.node for device in free)
    yield from _taints(case, offering, [node for node in selected if anywhere or node.name in on])


def _taints(case: Case, offering: Offering, nodes: Sequence[Node]) -> Iterator[Fault]:
    """What keeps pods away from the nodes of a label: the workload of an action tolerates nothing.

    Where that is said of each of them, the label is not ready.
    """
    kept = (offering.label,) if all(node.taints for node in nodes) else ()
    states: dict[str, list[str]] = defaultdict(list)
    others: dict[str, list[str]] = defaultdict(list)
    for node in nodes:
        for taint in node.taints:
            (states if taint.startswith(_STATE) else others)[taint].append(node.name)
    if states:
        names = {name for found in states.values() for name in found}
        words = {taint.removeprefix(_STATE).partition("=")[0] for taint in states}
        yield fault(
            "GC545",
            case.where(offering, "node_selector"),
            f"{counted(len(names), 'node')} of {offering.label} cordoned or not ready"
            f" ({shown(listed(words))}): {listed(names)}",
            "uncordon them when their work is done, in a rollout at the step that opens the"
            " nodes; why a node is not ready, `kubectl describe node` says",
            severity="warning",
            labels=kept,
            reason=_NOT_OPEN,
        )
    for taint, found in sorted(others.items()):
        yield fault(
            "GC545",
            case.where(offering, "node_selector"),
            f"{counted(len(found), 'node')} of {offering.label} with the taint {shown(taint)},"
            f" which its workloads do not tolerate: {listed(found)}",
            _remedy(offering, taint),
            severity="warning",
            labels=kept,
            reason=_NOT_OPEN,
        )


def _remedy(offering: Offering, taint: str) -> str:
    """The admission plugin tolerates taints whose key is the resource that a pod asks for."""
    if taint.partition("=")[0] != offering.label:
        return "take the taint off"
    return (
        "take the taint off, or let the admission plugin ExtendedResourceToleration add the"
        " toleration: then the label is not called ready here, and works"
    )


def _whole_and_parts(case: Case) -> Iterator[Fault]:
    """A GPU beside its own MIG devices: what the plugin read at its start is no longer true."""
    whole: list[tuple[object, str]] = []
    parents: set[object] = set()
    for device in case.devices():
        if device.driver != DRIVER or not device.node:
            continue
        kind = device.attribute("type")
        if kind == "gpu":
            whole.append((device.attribute("uuid"), device.node))
        elif kind == "mig" and not device.counters:
            parents.add(device.attribute("parentUUID"))
    stale = {node for uuid, node in whole if uuid in parents and uuid is not None}
    if stale:
        yield fault(
            "GC544",
            case.cluster_where(),
            f"whole GPUs are published together with their own MIG devices on {listed(stale)}",
            "restart the DRA driver's kubelet plugin there: it reads the devices only at its start",
            labels=_labels_on(case, stale),
            reason="stale devices",
        )


def _labels_on(case: Case, nodes: Collection[str | None]) -> Sequence[str]:
    return [
        offering.label
        for offering, matches in case.matched
        if any(device.node in nodes for device in matches.devices)
    ]


def _words(offering: Offering) -> str:
    return " ".join(f"{key}={value}" for key, value in offering.node_selector.items())
