"""What brings a catalog onto a cluster: values, the quota guard, smoke tests and the runbook.

Sources of the keys: Kubespray `docs/ansible/vars.md` and `roles/kubespray_defaults`; the values of
the Helm charts `dra-driver-nvidia-gpu` 0.4 and `gpu-operator` 26.3.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from generator.kubernetes import (
    DEVICES_SUFFIX,
    DRIVER,
    GENERIC_LABEL,
    GPU_CLASSES,
    IMPLICIT_PREFIX,
    PLUGIN_LABEL,
    QUOTA_PREFIX,
    SHARED_LABEL,
    UNGATED_VERSION,
)
from generator.targets import runbook
from generator.targets.artifact import Artifact

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from generator.catalog.evidence import Evidence
    from generator.catalog.model import Catalog, Cluster, Offering
    from generator.rendering import Render

_GATE_VARIABLES = (
    "kube_apiserver_feature_gates",
    "kube_controller_feature_gates",
    "kube_scheduler_feature_gates",
    "kubelet_feature_gates",
)
_TEMPLATES = "clusters/rollout/"
_MAX_STEM = 100


def artifacts(
    catalog: Catalog, _evidence: Mapping[str, Evidence], render: Render
) -> Iterator[Artifact]:
    """The folder `rollout` of each cluster."""
    for cluster in catalog.clusters:
        for path, text in _folder(catalog, cluster, render):
            yield Artifact(f"clusters/{cluster.name}/rollout/{path}", text)


def _folder(catalog: Catalog, cluster: Cluster, render: Render) -> Iterator[tuple[str, str]]:
    def made(path: str, **values: object) -> tuple[str, str]:
        return path, render(_TEMPLATES + path, **values)

    yield made("kubespray/k8s_cluster.yml", **_kubernetes(cluster))
    yield made("kubespray/gpu_nodes.yml", labels=tuple(cluster.dra_node_labels.items()))
    yield made("dra-driver-values.yaml", plugin_label=PLUGIN_LABEL)
    yield made(
        "gpu-operator-values.yaml",
        per_node=cluster.device_plugin == "per-node",
        mig=any(offering.mig_profile for offering in cluster.offerings),
        plugin_label=PLUGIN_LABEL,
    )
    yield made("quota-guard.yaml", keys=guard_keys(catalog, cluster))
    yield made(
        "RUNBOOK.md",
        generic=_generic(cluster),
        node_labels=tuple(f"{key}={value}" for key, value in cluster.dra_node_labels.items()),
        **runbook.values(catalog, cluster),
    )
    tested = [offering for offering in cluster.offerings if offering.device_class]
    if tested:
        yield made("smoke-quota.yaml", keys=[offering.quota_key for offering in tested])
    for offering in tested:
        yield from _smoke(offering, render)


def _kubernetes(cluster: Cluster) -> dict[str, object]:
    """Gates are given to each component: Kubespray's `kube_feature_gates` is for kube-proxy too."""
    gated = cluster.version < UNGATED_VERSION
    return {
        "kube_version": cluster.kubernetes if cluster.kubernetes.count(".") > 1 else None,
        "gate_variables": _GATE_VARIABLES if gated else (),
        "gates": [f"{gate}=true" for gate in cluster.feature_gates],
    }


def guard_keys(catalog: Catalog, cluster: Cluster) -> list[str]:
    """The quota keys that are 0 for tenants: each way to a GPU that no label's quota counts.

    A pod with one of our labels is charged to its label's key and, by the scheduler's claim, to
    its class's two; none of them is here. Source: Kubernetes `pkg/quota/v1/evaluator/core`.
    """
    generic = _generic(cluster)
    closed = [] if generic else [QUOTA_PREFIX + GENERIC_LABEL]
    for name in GPU_CLASSES:
        # Without a class of its own the label is served by the driver's, which must stay open.
        if name != DRIVER or generic is None or generic.device_class:
            closed += [QUOTA_PREFIX + IMPLICIT_PREFIX + name, name + DEVICES_SUFFIX]
    if cluster.device_plugin == "per-node":
        own = {offering.label for offering in cluster.offerings}
        names = [SHARED_LABEL, *(one.label for one in catalog.retired_labels)]
        closed += [QUOTA_PREFIX + name for name in names if name not in own]
    return list(dict.fromkeys(closed))


def _generic(cluster: Cluster) -> Offering | None:
    return next((one for one in cluster.offerings if one.label == GENERIC_LABEL), None)


def _smoke(offering: Offering, render: Render) -> Iterator[tuple[str, str]]:
    stem = smoke_stem(offering)
    values = {
        "name": pod_name(stem),
        "label": offering.label,
        "selector": tuple(offering.node_selector.items()),
    }
    for end in ("yaml", "action.yaml"):
        yield f"smoke/{stem}.{end}", render(f"{_TEMPLATES}smoke/component.{end}", **values)


def smoke_stem(offering: Offering) -> str:
    """The file name, without its end, of an offering's smoke tests: its component.

    A label that has none is folded: labels differ in more than `.`, `-`, `_` and case, and the
    `-` for its slash is in no component.
    """
    if offering.component:
        return offering.component
    folded = re.sub(r"[/._]", "-", offering.label).lower()
    if len(folded) <= _MAX_STEM:
        return folded
    from hashlib import sha256

    return f"{folded[: _MAX_STEM - 13]}-{sha256(offering.label.encode()).hexdigest()[:12]}"


def pod_name(stem: str) -> str:
    """The name of the pod in the file; two of these names may be one, their pods never meet."""
    return "smoke-" + stem.replace("_", "-").strip("-")
