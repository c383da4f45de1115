"""What the runbook of a cluster says: which steps there are, in which order, and their words."""

from __future__ import annotations

import json
import shlex
from types import SimpleNamespace
from typing import TYPE_CHECKING

from generator.kubernetes import PLATFORM_NAMESPACES, SYSTEM_PREFIX, UNGATED_VERSION
from generator.markdown import choice, code
from generator.rendering import Quoted

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from generator.catalog.model import Catalog, Cluster, Offering

_ALWAYS = ("prepare", "save", "quotas", "guard", "config", "restart", "scan", "announce")
_STEPS = (
    "prepare",
    "save",
    "kubernetes",
    "empty",
    "charts",
    "labels",
    "mig",
    "evidence",
    "quotas",
    "guard",
    "classes",
    "config",
    "restart",
    "smoke",
    "scan",
    "announce",
)
"""In this order no new label is ever free, and no old one is taken away unseen."""

_NAMESPACE_LABEL = "kubernetes.io/metadata.name"


def values(catalog: Catalog, cluster: Cluster) -> dict[str, object]:
    """Everything that the templates of the runbook print or ask about."""
    served = [offering for offering in cluster.offerings if offering.device_class]
    profiles = tuple(dict.fromkeys(one.mig_profile for one in served if one.mig_profile))
    steps = [name for name in _STEPS if name in _ALWAYS or (served and (profiles or name != "mig"))]
    return {
        "cluster": cluster,
        "steps": steps,
        "step": SimpleNamespace(
            **{name: Quoted(str(number)) for number, name in enumerate(steps, start=1)}
        ),
        "dra": bool(served),
        "per_node": cluster.device_plugin == "per-node",
        "kubectl": _command("kubectl", "--context", cluster),
        "helm": _command("helm", "--kube-context", cluster),
        "offerings": _table(cluster.offerings),
        "tenants": _tenants(cluster),
        "system_prefix": Quoted(SYSTEM_PREFIX),
        "selectors": tuple(dict.fromkeys(map(_selector, served))),
        "profiles": profiles,
        "first": served[0] if served else None,
        "minor": ".".join(map(str, cluster.version)),
        "gates": cluster.feature_gates if cluster.version < UNGATED_VERSION else (),
        "quota_columns": _quota_columns(cluster.offerings),
        "unsold": tuple(one.label for one in cluster.offerings if one.component is None),
        "checkouts": tuple(f"{one.name}=../{one.name}" for one in catalog.consumers),
        "folders": tuple(f"../{one.name}" for one in catalog.consumers),
        "labels_before": _labels_before(cluster.dra_node_labels),
        "uncounted": _uncounted(cluster.offerings),
        "replaced": _replaced(catalog, cluster),
    }


def _command(name: str, option: str, cluster: Cluster) -> Quoted:
    """The command with the cluster's context; without one it uses the current context."""
    context = cluster.kube_context
    return Quoted(shlex.join((name, option, context) if context else (name,)))


def _tenants(cluster: Cluster) -> str:
    """For `kubectl --selector`, which knows no beginnings of names."""
    platform = dict.fromkeys((*PLATFORM_NAMESPACES, cluster.namespace))
    return f"{_NAMESPACE_LABEL} notin ({','.join(platform)})"


def _selector(offering: Offering) -> str:
    return ",".join(f"{key}={value}" for key, value in offering.node_selector.items())


def _table(offerings: Iterable[Offering]) -> tuple[tuple[str, ...], ...]:
    def row(offering: Offering) -> tuple[str, ...]:
        cells = (offering.label, offering.component, _class(offering), _selector(offering))
        return tuple(code(cell) if cell else "none" for cell in cells)

    return ("Label", "Waldur component", "Device class", "Nodes"), *map(row, offerings)


def _class(offering: Offering) -> str | None:
    return offering.device_class.name if offering.device_class else None


def _quota_columns(offerings: Iterable[Offering]) -> str:
    """For `kubectl get --output custom-columns`: each label's key in each quota."""
    keys = ((offering.key, offering.quota_key.replace(".", r"\.")) for offering in offerings)
    columns = (f"{name}:.spec.hard.{key}" for name, key in keys)
    return ",".join(("NAMESPACE:.metadata.namespace", "QUOTA:.metadata.name", *columns))


def _labels_before(keys: Iterable[str]) -> str:
    """For `kubectl get nodes --output go-template`: what `kubectl label` is told to go back."""
    words = (
        f'{key}{{{{with index $labels "{key}"}}}}={{{{.}}}}{{{{else}}}}-{{{{end}}}}' for key in keys
    )
    node = "node/{{.metadata.name}}{{$labels := .metadata.labels}}"
    return f'{{{{range .items}}}}{" ".join((node, *words))}{{{{"\\n"}}}}{{{{end}}}}'


def _uncounted(offerings: Iterable[Offering]) -> str:
    """A merge patch of a node's status that takes every label out of it."""
    nothing = dict.fromkeys(offering.label for offering in offerings)
    return json.dumps({"status": {"capacity": nothing, "allocatable": nothing}})


def _replaced(catalog: Catalog, cluster: Cluster) -> tuple[tuple[str, ...], ...]:
    rows = [(code(old), choice(new)) for old, new in _replacements(catalog, cluster)]
    return (("Old label", "Write instead"), *rows) if rows else ()


def _replacements(catalog: Catalog, cluster: Cluster) -> Iterator[tuple[str, tuple[str, ...]]]:
    for offering in cluster.offerings:
        if offering.deprecated:
            yield offering.label, offering.deprecated.replaced_by
    for retired in catalog.retired_labels:
        yield retired.label, retired.replaced_by
