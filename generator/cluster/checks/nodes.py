"""Nodes: who hands out their GPUs, and whether the offerings' node selectors reach them.

Sources: Kubernetes `noderesources/fit.go` (device plugin before DRA), NVIDIA's GPU Operator
install guide (the kubelet plugin's label).
"""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING

from generator.cluster.case import Case, Fault, fault, listed
from generator.cluster.checks.versions import version
from generator.cluster.quantities import is_zero
from generator.cluster.shapes import shown
from generator.kubernetes import DRIVER, OLDEST_VERSION, OPT_OUT_LABEL, PLUGIN_LABEL
from generator.words import counted

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from generator.catalog.model import Offering
    from generator.cluster.devices import Device
    from generator.cluster.matching import Matches
    from generator.cluster.snapshot import Node

    ByNode = dict[str, list[Device]]

NEEDS = ("nodes", "resourceslices")

PLUGIN_LABELS = (PLUGIN_LABEL, "nvidia.com/gpu.deploy.dra-driver")


def faults(case: Case) -> Iterator[Fault]:
    """Nodes that do not do what their devices and the catalog's selectors need."""
    gpus: ByNode = defaultdict(list)
    for device in case.devices():
        if device.driver == DRIVER and device.node:
            gpus[device.node].append(device)
    if case.snapshot.nodes is not None:
        yield from _selectors(case)
        yield from _device_plugin(case, gpus)
        if case.snapshot.pools is not None:
            if all(one.node for one in case.devices() if one.driver == DRIVER):
                yield from _without_slices(case, gpus)
            yield from _plugin_label(case, gpus)
    yield from _whole_and_parts(case, gpus)


def _plugin_label(case: Case, gpus: ByNode) -> Iterator[Fault]:
    bare = [
        node.name
        for node in case.snapshot.nodes or ()
        if (node.name in gpus or _awaits_dra(case, node))
        and not any(node.labels.get(key) == "true" for key in PLUGIN_LABELS)
    ]
    if bare:
        yield fault(
            "GC540",
            case.cluster_where(),
            f"{counted(len(bare), 'GPU node')} without the label {PLUGIN_LABEL}=true:"
            f" {listed(bare)}",
            "label them: the kubelet plugin is placed by it, and moved away for a driver upgrade",
            severity="warning",
        )


def _awaits_dra(case: Case, node: Node) -> bool:
    """Whether pods with some label are sent to the node, and no device plugin serves them there."""
    if any(not is_zero(node.allocatable.get(label, 0)) for label in case.labels):
        return False
    return any(node.satisfies(offering.node_selector) for offering in case.cluster.offerings)


def _device_plugin(case: Case, gpus: ByNode) -> Iterator[Fault]:
    """A device plugin beside DRA; the same GPU is then given away twice.

    In 1.34 even a label of which a node has 0 is never asked of DRA (kubernetes#133488).
    """
    beside: dict[str, list[str]] = defaultdict(list)
    elsewhere: dict[str, list[str]] = defaultdict(list)
    zero_counts = version(case.snapshot.server or "") == OLDEST_VERSION
    for node in case.snapshot.nodes or ():
        for name, amount in node.allocatable.items():
            ours = name in case.labels
            if not is_zero(amount) and (ours or name.startswith("nvidia.com/")):
                (beside if node.name in gpus else elsewhere)[name].append(node.name)
            elif ours and zero_counts and node.name in gpus:
                beside[name].append(node.name)
    for name, names in sorted(beside.items()):
        yield fault(
            "GC541",
            case.cluster_where(),
            f"a device plugin advertises {shown(name)} beside DRA on {listed(names)}",
            f"label these nodes {OPT_OUT_LABEL}=false and restart their"
            " kubelet: device plugin and DRA would give the same GPU to two pods",
            labels=case.labels,
            reason="device plugin beside DRA",
        )
    if case.cluster.device_plugin == "disabled":
        for name, names in sorted(elsewhere.items()):
            yield fault(
                "GC541",
                case.cluster_where("device_plugin"),
                f"a device plugin advertises {shown(name)} on {listed(names)}, and the catalog"
                " says that it is disabled",
                "disable it there, or write device_plugin: per-node",
                severity="warning",
            )


def _selectors(case: Case) -> Iterator[Fault]:
    nodes = case.nodes_by_name()
    matches = {offering.label: found for offering, found in case.matched}
    for offering in case.cluster.offerings:
        selected = {name for name, node in nodes.items() if node.satisfies(offering.node_selector)}
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
            yield from _missed(case, offering, matches[offering.label], selected)
            yield from _taints(case, offering, matches[offering.label], nodes, selected)


def _missed(
    case: Case, offering: Offering, matches: Matches, selected: set[str]
) -> Iterator[Fault]:
    usable = [device for device in case.usable(matches) if not device.tainted and device.node]
    missed = [device for device in usable if device.node not in selected]
    if missed:
        none_left = len(missed) == len(usable)
        yield fault(
            "GC542",
            case.where(offering, "node_selector"),
            f"{len(missed):,} of {counted(len(usable), 'device')} of {offering.label} are on nodes"
            f" that its node selector misses: {listed({str(one.node) for one in missed})}",
            f"label these nodes: {_words(offering)}",
            severity="error" if none_left else "warning",
            labels=(offering.label,) if none_left else (),
            reason="node selector misses all devices",
        )


def _without_slices(case: Case, gpus: ByNode) -> Iterator[Fault]:
    empty: dict[str, list[str]] = defaultdict(list)
    for node in case.snapshot.nodes or ():
        if node.name not in gpus and _awaits_dra(case, node):
            offerings = case.cluster.offerings
            first = next(one for one in offerings if node.satisfies(one.node_selector))
            empty[first.label].append(node.name)
    for offering in case.cluster.offerings:
        if names := empty.get(offering.label):
            yield fault(
                "GC543",
                case.where(offering, "node_selector"),
                f"{counted(len(names), 'node')} selected for GPUs that publish none through DRA:"
                f" {listed(names)}",
                "look at the DRA driver's kubelet plugin there: is it placed on the node, does its"
                " log name MIG without instances, or DynamicMIG on a GPU without MIG?",
                severity="warning",
            )


def _taints(
    case: Case, offering: Offering, matches: Matches, nodes: dict[str, Node], selected: set[str]
) -> Iterator[Fault]:
    """The workload of an action tolerates nothing."""
    tainted: dict[str, set[str]] = defaultdict(set)
    for device in case.usable(matches):
        if device.node in nodes and device.node in selected:
            for taint in nodes[device.node].taints:
                tainted[taint].add(device.node)
    for taint, names in sorted(tainted.items()):
        yield fault(
            "GC545",
            case.where(offering, "node_selector"),
            f"{counted(len(names), 'node')} of {offering.label} with the taint {shown(taint)},"
            f" which its workloads do not tolerate: {listed(names)}",
            "take the taint off, or let an admission plugin such as ExtendedResourceToleration add"
            " the toleration",
            severity="warning",
        )


def _whole_and_parts(case: Case, gpus: ByNode) -> Iterator[Fault]:
    """A GPU beside its own MIG devices: what the plugin read at its start is no longer true."""
    parents = {
        device.attribute("parentUUID")
        for devices in gpus.values()
        for device in devices
        if not device.counters and _type(device) == "mig"
    }
    stale = [node for node, devices in gpus.items() if parents and _has_whole(devices, parents)]
    if stale:
        yield fault(
            "GC544",
            case.cluster_where(),
            f"whole GPUs are published together with their own MIG devices on {listed(stale)}",
            "restart the DRA driver's kubelet plugin there: it reads the devices only at its start",
            labels=_labels_on(case, set(stale)),
            reason="stale devices",
        )


def _has_whole(devices: Sequence[Device], uuids: set[object]) -> bool:
    return any(_type(one) == "gpu" and one.attribute("uuid") in uuids for one in devices)


def _labels_on(case: Case, nodes: set[str]) -> Sequence[str]:
    return [
        offering.label
        for offering, matches in case.matched
        if any(device.node in nodes for device in matches.devices)
    ]


def _type(device: Device) -> object:
    return device.attribute("type")


def _words(offering: Offering) -> str:
    return " ".join(f"{key}={value}" for key, value in offering.node_selector.items())
