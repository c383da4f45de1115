"""The live `gpu_labels` ConfigMap against the generated one, label by label."""

from __future__ import annotations

from typing import TYPE_CHECKING

from generator.actions import Entry, Refused, read_gpu_labels
from generator.cluster.case import Case, Fault, fault
from generator.cluster.shapes import shown

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

NEEDS = ("configmaps",)


def faults(case: Case) -> Iterator[Fault]:
    """What web and k8s-root-actor read on the cluster and should not."""
    cluster, found = case.cluster, case.snapshot.config_maps
    if found is None:
        return
    wanted = cluster.namespace, cluster.config_map_name
    data = next((one.data for one in found if (one.namespace, one.name) == wanted), None)
    name = f"ConfigMap {cluster.config_map_name} in namespace {cluster.namespace}"
    if data is None:
        yield _fault(case, f"{name} is not on the cluster", case.labels)
    elif cluster.config_map_key not in data:
        yield _fault(case, f"{name} has no key {cluster.config_map_key}", case.labels)
    else:
        yield from _differences(case, name, data[cluster.config_map_key])


def _differences(case: Case, name: str, document: str) -> Iterator[Fault]:
    generated = {
        offering.label: Entry(offering.node_selector, offering.mig_enabled)
        for offering in case.cluster.offerings
    }
    try:
        live = read_gpu_labels(document)
    except Refused as error:
        message = f"{name} is refused by its readers: {shown(str(error))}"
        yield _fault(case, message, case.labels)
        return
    for label in dict.fromkeys((*generated, *live)):
        if label not in live:
            yield _fault(case, f"{name} lacks {label}", [label])
        elif label not in generated:
            yield _fault(case, f"{name} holds {shown(label)}, which is not generated", ())
        elif live[label] != generated[label]:
            yield _fault(case, f"{name} has another entry for {label} than generated", [label])


def _fault(case: Case, message: str, labels: Sequence[str]) -> Fault:
    return fault(
        "GC560",
        case.cluster_where("config_map"),
        message,
        f"apply clusters/{case.cluster.name}/configmap.yaml of the generated files",
        labels=labels,
        reason="ConfigMap differs",
    )
