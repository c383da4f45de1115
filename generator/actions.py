"""k8s-root-actor's contract as plain code: whether a GPU label works, and what becomes of it.

It reads the `gpu_labels` document strictly, checks `options.gpus` and `options.gpuLabel` of an
action, and renders the label into the workload. Positions are `action_file`'s business.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from generator.kubernetes import MAX_DEVICES_PER_POD
from generator.words import nearest

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from generator.catalog.model import Catalog, Deprecation, RetiredLabel
    from generator.findings import Severity

DEPLOYMENT = "k8s-deployment"
INFERENCE_SERVICE = "k8s-inferenceservice"
GPU_TYPES = (DEPLOYMENT, INFERENCE_SERVICE)
"""The action types whose `gpus` and `gpuLabel` are read; every other type passes untouched."""


class Entry(NamedTuple):
    """What `gpu_labels` says of one label."""

    node_selector: Mapping[str, str]
    mig_enabled: str


class Labels(NamedTuple):
    """The labels that an action can ask for, by cluster, and what is known of the others."""

    clusters: Mapping[str, Mapping[str, Entry]]
    retired: Mapping[str, RetiredLabel]
    deprecated: Mapping[str, Deprecation]


class Request(NamedTuple):
    """What an action asks for. `gpus` is None where the file does not give a valid number."""

    type: str
    gpus: int | None
    label: str | None


class Fault(NamedTuple):
    """What is wrong with a request, and at which of its fields: `gpus` or `gpuLabel`."""

    code: str
    severity: Severity
    field: str
    message: str
    hint: str = ""


class Refused(ValueError):  # noqa: N818 - what its readers do with the document
    """The readers of `THEMELIO_GPU_LABELS_CONFIG` do not accept the document."""


# --- the gpu_labels document -------------------------------------------------------------------


def read_gpu_labels(document: str) -> dict[str, Entry]:
    """The entries of a `gpu_labels` document, in its order; raises Refused."""
    import yaml

    from generator.yamlfaults import CARELESS

    try:
        data = yaml.safe_load(document)
    except (yaml.YAMLError, *CARELESS, RecursionError) as error:
        raise Refused(f"not YAML: {error}") from error
    labels = _mapping(data, "the document", only={"gpu_labels"})["gpu_labels"]
    return {
        _text(label, "a label"): _entry(entry, f"gpu_labels[{label!r}]")
        for label, entry in _mapping(labels, "gpu_labels").items()
    }


def _entry(data: object, where: str) -> Entry:
    fields = _mapping(data, where, only={"node_selector", "mig_enabled"})
    selector = _mapping(fields["node_selector"], f"{where}.node_selector")
    for key, value in selector.items():
        _text(key, f"a key of {where}.node_selector")
        _text(value, f"{where}.node_selector[{key!r}]")
    return Entry(selector, _text(fields["mig_enabled"], f"{where}.mig_enabled"))


def _mapping(data: object, where: str, only: set[str] | None = None) -> dict[str, Any]:
    if not isinstance(data, dict) or not data:
        raise Refused(f"{where} must be a mapping that is not empty")
    if only is not None and set(data) != only:
        raise Refused(f"{where} must hold exactly {' and '.join(sorted(only))}")
    return data


def _text(data: object, where: str) -> str:
    if not isinstance(data, str):
        raise Refused(f"{where} must be a string, not {data!r}")
    return data


# --- an action's request -----------------------------------------------------------------------


def labels_of(catalog: Catalog, documents: Mapping[str, str]) -> Labels:
    """What actions can ask for, from each cluster's `gpu_labels` document; raises Refused."""
    return Labels(
        {cluster: read_gpu_labels(document) for cluster, document in documents.items()},
        {retired.label: retired for retired in catalog.retired_labels},
        {
            offering.label: offering.deprecated
            for offering in catalog.offerings
            if offering.deprecated is not None
        },
    )


def faults(request: Request, labels: Labels, cluster: str | None = None) -> Iterator[Fault]:
    """What k8s-root-actor or Kubernetes would not do as asked, on one cluster or on any."""
    if request.type not in GPU_TYPES:
        return
    if request.gpus is not None and request.gpus > MAX_DEVICES_PER_POD:
        yield Fault(
            "GC611",
            "warning",
            "gpus",
            f"{request.gpus} GPUs can never be allocated to one pod through DRA:"
            f" a claim holds at most {MAX_DEVICES_PER_POD} devices",
            "spread the work over several pods",
        )
    if request.label is not None:
        if request.gpus == 0:
            message = "names a GPU label but asks for no GPU: the label has no effect"
            yield Fault("GC610", "warning", "gpuLabel", message, "set `gpus` to at least 1")
        yield from _label_faults(request.label, labels, cluster)
    elif request.gpus:
        message = f"`gpuLabel` is required when `gpus` is more than 0 in a {request.type}"
        known = _list(labels.clusters[cluster] if cluster else _every(labels))
        yield Fault("GC605", "error", "gpus", message, f"add `gpuLabel`, one of {known}")


def _label_faults(label: str, labels: Labels, cluster: str | None) -> Iterator[Fault]:
    if retired := labels.retired.get(label):
        message = f"{label} is retired ({retired.reason}) and never valid again"
        yield Fault("GC607", "error", "gpuLabel", message, _instead(retired.replaced_by))
        return
    having = [name for name, entries in labels.clusters.items() if label in entries]
    lacking = [name for name in labels.clusters if name not in having]
    if not having:
        yield Fault("GC606", "error", "gpuLabel", f"{label} is no GPU label", _meant(label, labels))
    elif cluster in lacking:
        message = f"{label} is not offered on cluster {cluster}"
        yield Fault("GC608", "error", "gpuLabel", message, f"it is offered on {_list(having)}")
    elif cluster is None and lacking:
        message = f"{label} is not offered on {_list(lacking)}, only on {_list(having)}"
        yield Fault("GC608", "note", "gpuLabel", message)
    if having and (deprecated := labels.deprecated.get(label)):
        message = f"{label} is deprecated" + (f": {deprecated.note}" if deprecated.note else "")
        yield Fault("GC609", "warning", "gpuLabel", message, _instead(deprecated.replaced_by))


def _instead(replacements: Iterable[str]) -> str:
    return f"use {' or '.join(replacements)} instead" if replacements else "nothing replaces it"


def _meant(label: str, labels: Labels) -> str:
    known = _every(labels)
    near = nearest(label, known)
    return f"did you mean {near}?" if near else f"use one of {_list(known)}"


def _every(labels: Labels) -> list[str]:
    return list(dict.fromkeys(label for entries in labels.clusters.values() for label in entries))


def _list(words: Iterable[str]) -> str:
    return ", ".join(words)


# --- the workload ------------------------------------------------------------------------------


def workload(request: Request, name: str, entries: Mapping[str, Entry]) -> dict[str, Any]:
    """The Kubernetes object of a request without faults: what the label decides, and no more.

    The label stands in requests and limits, and the node selector is the entry's; image and all
    else are the action's own, so a placeholder stands for the image. Sources: `apps/v1`
    Deployment, `serving.kserve.io/v1beta1` InferenceService.
    """
    container: dict[str, Any] = {"name": "main", "image": "registry.invalid/image-of-the-action"}
    pod: dict[str, Any] = {"containers": [container]}
    if request.gpus and request.label is not None:
        count = {request.label: str(request.gpus)}
        container["resources"] = {"requests": count, "limits": count}
        pod["nodeSelector"] = dict(entries[request.label].node_selector)
    if request.type == INFERENCE_SERVICE:
        container["name"] = "kserve-container"
        return _object("serving.kserve.io/v1beta1", "InferenceService", name, {"predictor": pod})
    app = {"app": name}
    template = {"metadata": {"labels": app}, "spec": pod}
    spec = {"selector": {"matchLabels": app}, "template": template}
    return _object("apps/v1", "Deployment", name, spec)


def _object(version: str, kind: str, name: str, spec: dict[str, Any]) -> dict[str, Any]:
    return {"apiVersion": version, "kind": kind, "metadata": {"name": name}, "spec": spec}
