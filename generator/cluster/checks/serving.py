"""Who hands out the GPUs of a node: the DRA driver, a device plugin, both, or nobody.

Sources: Kubernetes `noderesources/fit.go` (device plugin before DRA), NVIDIA's GPU Operator
install guide (the kubelet plugin's label), k8s-device-plugin (the names that it advertises).
"""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING

from generator.cluster.case import Case, Fault, fault, listed
from generator.cluster.checks.versions import version
from generator.cluster.quantities import is_zero
from generator.cluster.shapes import shown
from generator.kubernetes import (
    DRIVER,
    GENERIC_LABEL,
    OLDEST_VERSION,
    OPT_OUT_LABEL,
    PLUGIN_LABEL,
    SHARED_LABEL,
)
from generator.words import counted

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence, Set

    from generator.catalog.model import DeviceClass, Offering
    from generator.cluster.snapshot import Node

    Awaited = Mapping[str, Sequence[tuple[Offering, DeviceClass]]]
    """Nodes by name to which pods are sent for these classes, and that nobody serves."""

PLUGIN_LABELS = (PLUGIN_LABEL, "nvidia.com/gpu.deploy.dra-driver")
_PLUGIN_NAMES = (GENERIC_LABEL, SHARED_LABEL)
_PLUGIN_MIG = "nvidia.com/mig-"


def faults(case: Case) -> Iterator[Fault]:
    """Nodes whose GPUs are handed out twice, or not as their labels ask for."""
    sold = [device for _, matches in case.matched for device in case.usable(matches)]
    gpus = [device for device in case.devices() if device.driver == DRIVER]
    published = {device.node for device in gpus if device.node}
    served = published | {device.node for device in sold if device.node}
    yield from _device_plugin(case, served)
    yield from _left_behind(case, served)
    if case.snapshot.pools is not None:
        awaited = dict(_awaited(case, served))
        yield from _plugin_label(case, published, awaited)
        if all(device.node for device in (*gpus, *sold)):
            yield from _without_slices(case, awaited)


def advertised(case: Case, node: Node) -> dict[str, str]:
    """What a device plugin counts there under the names of GPUs."""
    names = {*case.labels, *_PLUGIN_NAMES, *(one.label for one in case.catalog.retired_labels)}
    return {
        name: amount
        for name, amount in node.allocatable.items()
        if name in names or name.startswith(_PLUGIN_MIG)
    }


def _device_plugin(case: Case, served: Set[str]) -> Iterator[Fault]:
    """A device plugin beside DRA; the same GPU is then given away twice."""
    beside: dict[str, list[str]] = defaultdict(list)
    elsewhere: dict[str, list[str]] = defaultdict(list)
    for node in case.snapshot.nodes or ():
        for name, amount in advertised(case, node).items():
            if not is_zero(amount):
                (beside if node.name in served else elsewhere)[name].append(node.name)
    for name, nodes in sorted(beside.items()):
        yield fault(
            "GC541",
            case.cluster_where(),
            f"a device plugin advertises {shown(name)} beside DRA on {listed(nodes)}",
            f"label these nodes {OPT_OUT_LABEL}=false and restart their"
            " kubelet: device plugin and DRA would give the same GPU to two pods",
            labels=case.labels,
            reason="device plugin beside DRA",
        )
    if case.cluster.device_plugin == "disabled":
        for name, nodes in sorted(elsewhere.items()):
            yield fault(
                "GC541",
                case.cluster_where("device_plugin"),
                f"a device plugin advertises {shown(name)} on {listed(nodes)}, and the catalog"
                " says that it is disabled",
                "disable it there, or write device_plugin: per-node",
                severity="warning",
            )


def _left_behind(case: Case, served: Set[str]) -> Iterator[Fault]:
    """Until 1.35 a name of which a node counts 0 is never asked of DRA (kubernetes#133488).

    The 0 outlives the device plugin, and a restart of the kubelet (`nodestatus/setters.go`).
    """
    if version(case.snapshot.server or "") != OLDEST_VERSION:
        return
    nodes = [node for node in case.snapshot.nodes or () if node.name in served]
    for label in case.labels:
        names = [node.name for node in nodes if is_zero(node.allocatable.get(label))]
        if names:
            yield fault(
                "GC541",
                case.cluster_where("kubernetes"),
                f"Kubernetes 1.34 never asks DRA for {label} on {listed(names)}: a device plugin"
                " has left a count of 0 of it there",
                "upgrade to 1.35, or take the name out of the status of these nodes, as the"
                " runbook does when it has labelled them",
                labels=(label,),
                reason="nodes still count 0 of it",
            )


def _awaited(
    case: Case, served: Set[str]
) -> Iterator[tuple[str, Sequence[tuple[Offering, DeviceClass]]]]:
    for node in case.snapshot.nodes or ():
        if node.name not in served and not _has_plugin(case, node):
            classes = [one for one in case.classes if node.satisfies(one[0].node_selector)]
            if classes:
                yield node.name, classes


def _has_plugin(case: Case, node: Node) -> bool:
    """Whether a device plugin serves some label of the cluster there."""
    return any(not is_zero(node.allocatable.get(label, 0)) for label in case.labels)


def _plugin_label(case: Case, published: Set[str], awaited: Awaited) -> Iterator[Fault]:
    bare = [
        node.name
        for node in case.snapshot.nodes or ()
        if node.name in published
        or any(_is_nvidias(case, *one) for one in awaited.get(node.name, ()))
        if not any(node.labels.get(key) == "true" for key in PLUGIN_LABELS)
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


def _is_nvidias(case: Case, offering: Offering, device_class: DeviceClass) -> bool:
    """Whether NVIDIA's driver serves the class, by its devices or, without any, by its words."""
    drivers = {device.driver for device in case.matches[offering.label].devices}
    return DRIVER in (drivers or device_class.expression)


def _without_slices(case: Case, awaited: Awaited) -> Iterator[Fault]:
    empty: dict[str, list[str]] = defaultdict(list)
    for node, ((first, _), *_) in awaited.items():
        empty[first.label].append(node)
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
