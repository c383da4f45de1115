"""What each target's files should say, from the catalog: the other side of `readers`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tests.targets.readers import SITE

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from generator.catalog.evidence import Evidence
    from generator.catalog.model import Catalog, Cluster, Offering

    Recorded = Mapping[str, Evidence]


def each_cluster(expect: Callable[[Cluster, Recorded], Any]) -> Callable[..., dict[str, Any]]:
    return lambda catalog, recorded: {
        cluster.name: expect(cluster, recorded) for cluster in catalog.clusters
    }


def expect_gpu_labels(cluster: Cluster, _recorded: Recorded) -> Any:
    entries = [
        (
            offering.label,
            {
                "node_selector": dict(offering.node_selector),
                "mig_enabled": "true" if offering.mig_profile else "false",
            },
        )
        for offering in cluster.offerings
    ]
    name, key = cluster.config_map_name, cluster.config_map_key
    return ("v1", "ConfigMap"), name, cluster.namespace, key, entries


def expect_ansible(cluster: Cluster, _recorded: Recorded) -> Any:
    return {
        "themelio_gpu_quota_mapping": quota_mapping(cluster),
        "themelio_gpu_backend_components": backend_components(cluster),
        "themelio_gpu_vendors": vendors(cluster),
    }


def quota_mapping(cluster: Cluster) -> dict[str, str]:
    return {
        offering.component: f"requests.{offering.label}"
        for offering in cluster.offerings
        if offering.component is not None
    }


def backend_components(cluster: Cluster) -> dict[str, dict[str, Any]]:
    return {
        offering.component: {"label": offering.name, **offering.waldur}
        for offering in cluster.offerings
        if offering.component is not None
    }


def vendors(cluster: Cluster) -> list[dict[str, str]]:
    return [
        {"limitsKey": offering.label, "uiName": offering.name}
        for offering in cluster.offerings
        if offering.notebooks and not offering.deprecated
    ]


def expect_waldur(cluster: Cluster, _recorded: Recorded) -> Any:
    url, token, uuid = SITE.values()
    return cluster.name, (url, token), uuid, quota_mapping(cluster), backend_components(cluster)


def expect_kubeflow(cluster: Cluster, _recorded: Recorded) -> Any:
    return {"spawnerFormDefaults": {"gpus": {"value": {"vendors": vendors(cluster)}}}}


def expect_deviceclasses(cluster: Cluster, recorded: Recorded) -> Any:
    return [
        (
            offering.device_class.name,
            offering.label,
            offering.device_class.expression,
            "verified" if recorded[cluster.name].verifies(offering) else "unverified",
        )
        for offering in cluster.offerings
        if offering.device_class
    ]


def expect_web(catalog: Catalog, _recorded: Recorded) -> Any:
    sold = [offering for offering in catalog.offerings if offering.component]
    return (
        [(offering.component, offering.label) for offering in sold],
        [offering.component for offering in sold if offering.deprecated],
    )


def expect_openapi(catalog: Catalog, _recorded: Recorded) -> Any:
    offerings = enabled(catalog)
    described = [f"{offering.label}: {offering.name}{_mark(offering)}" for offering in offerings]
    return "string", [offering.label for offering in offerings], described


def _mark(offering: Offering) -> str:
    if offering.deprecated is None:
        return ""
    if not offering.deprecated.replaced_by:
        return " (deprecated)"
    return f" (deprecated: use {choice(offering.deprecated.replaced_by)})"


def enabled(catalog: Catalog) -> list[Offering]:
    return [one for one in catalog.offerings if clusters_with(catalog, one.label)]


def clusters_with(catalog: Catalog, label: str) -> list[Cluster]:
    return [one for one in catalog.clusters if label in {its.label for its in one.offerings}]


def choice(labels: tuple[str, ...]) -> str:
    return " or ".join(filter(None, (", ".join(labels[:-1]), labels[-1])))


def expect_docs(catalog: Catalog, recorded: Recorded) -> Any:
    offered = [one for one in enabled(catalog) if not one.deprecated]
    labels = [(one.name, one.label, _where(one, catalog, recorded)) for one in offered]
    deprecated = [
        (one.label, one.name, _instead(one.deprecated.replaced_by), one.deprecated.note)
        for one in enabled(catalog)
        if one.deprecated
    ]
    retired = [(one.label, _instead(one.replaced_by)) for one in catalog.retired_labels]
    rows = {"gpu-labels": labels, "gpu-labels-deprecated": deprecated}
    example = (offered or enabled(catalog))[0].label
    return (
        {**rows, "gpu-labels-retired": retired},
        {"options": {"gpus": 1, "gpuLabel": example}},
    )


def _instead(labels: tuple[str, ...]) -> str:
    return choice(labels) if labels else "nothing"


def _where(offering: Offering, catalog: Catalog, recorded: Recorded) -> str:
    states = []
    for cluster in clusters_with(catalog, offering.label):
        [own] = [one for one in cluster.offerings if one.label == offering.label]
        state = "verified" if recorded[cluster.name].verifies(own) else "not verified yet"
        states.append((cluster.name, state if own.device_class else "no device class yet"))
    if len(catalog.clusters) == 1:
        return states[0][1]
    return ", ".join(f"{name} ({state})" for name, state in states)


def expect_rollout(cluster: Cluster, _recorded: Recorded) -> Any:
    served = [one for one in cluster.offerings if one.device_class]
    rows = [
        (
            one.label,
            one.component or "none",
            one.device_class.name if one.device_class else "none",
            ",".join(f"{key}={value}" for key, value in one.node_selector.items()),
        )
        for one in cluster.offerings
    ]
    pods = [(dict(one.node_selector), [one.label]) for one in served]
    actions = [{"gpus": 1, "gpuLabel": one.label} for one in served]
    return rows, pods, actions, [(f"requests.{one.label}", "1") for one in served]


EXPECTED: dict[str, Callable[[Catalog, Recorded], Any]] = {
    "gpu_labels": each_cluster(expect_gpu_labels),
    "ansible": each_cluster(expect_ansible),
    "waldur": each_cluster(expect_waldur),
    "kubeflow": each_cluster(expect_kubeflow),
    "deviceclasses": each_cluster(expect_deviceclasses),
    "web": expect_web,
    "openapi": expect_openapi,
    "docs": expect_docs,
    "rollout": each_cluster(expect_rollout),
}
