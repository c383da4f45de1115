"""A cluster at one moment: its objects with the fields that are held against the catalog."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

from generator.cluster.devices import KEEPS_OUT, pools, read_slice
from generator.cluster.dumps import CODE, RESOURCES
from generator.cluster.shapes import Malformed, mapping, mappings, name, shown, text, texts
from generator.findings import Finding, Invalid

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from generator.cluster.devices import Pool
    from generator.cluster.dumps import Dump, Item

_Value = TypeVar("_Value")

MANAGED_BY = "app.kubernetes.io/managed-by"


class LiveClass(NamedTuple):
    """A DeviceClass. `label` is its extendedResourceName, `ours` whether gpu-catalog manages it.

    `configured` is whether it tells a driver how to prepare its devices.
    """

    name: str
    label: str | None
    selectors: tuple[str, ...]
    configured: bool
    created: str
    ours: bool


class Node(NamedTuple):
    """A node. `taints` are those that keep pods away, as `key=value:effect`.

    `kubelet` is empty where the node has not told its version yet.
    """

    name: str
    labels: Mapping[str, str]
    kubelet: str
    allocatable: Mapping[str, str]
    taints: tuple[str, ...]

    def satisfies(self, selector: Mapping[str, str]) -> bool:
        """Whether pods with this node selector may come here."""
        return all(self.labels.get(key) == value for key, value in selector.items())


class Quota(NamedTuple):
    """A ResourceQuota. A `scoped` one counts some pods only, so it limits no namespace."""

    namespace: str
    hard: Mapping[str, str]
    scoped: bool


class ConfigMap(NamedTuple):
    """A ConfigMap's texts."""

    namespace: str
    name: str
    data: Mapping[str, str]


class Snapshot(NamedTuple):
    """What is known of a cluster, in the order of RESOURCES; None where nothing was read."""

    server: str | None = None
    nodes: Sequence[Node] | None = None
    pools: Sequence[Pool] | None = None
    classes: Sequence[LiveClass] | None = None
    quotas: Sequence[Quota] | None = None
    config_maps: Sequence[ConfigMap] | None = None
    namespaces: Sequence[str] | None = None

    @property
    def missing(self) -> list[str]:
        """The resources of which nothing was read."""
        return [resource for resource, found in zip(RESOURCES, self, strict=True) if found is None]


def snapshot(dumps: Mapping[str, Dump]) -> Snapshot:
    """The snapshot of these dumps by resource; raises Invalid for what no API server prints."""
    faults: list[Finding] = []

    def read(resource: str, convert: Callable[[Item], _Value]) -> list[_Value] | None:
        dump = dumps.get(resource)
        return None if dump is None else _converted(dump, convert, faults)

    server = read("version", lambda item: name(item, "gitVersion"))
    slices = read("resourceslices", read_slice)
    found = Snapshot(
        server[0] if server else None,
        read("nodes", _node),
        None if slices is None else pools(slices),
        read("deviceclasses", _class),
        read("resourcequotas", _quota),
        read("configmaps", _config_map),
    )
    namespaces = read("namespaces", _namespace)
    if faults:
        raise Invalid(*faults)
    kept = None if namespaces is None else [one for one in namespaces if one]
    return found._replace(namespaces=kept)


def _converted(
    dump: Dump, convert: Callable[[Item], _Value], faults: list[Finding]
) -> list[_Value]:
    converted: list[_Value] = []
    seen: set[tuple[str | None, str | None]] = set()
    for number, item in enumerate(dump.items, 1):
        metadata = item.get("metadata")
        known = metadata if isinstance(metadata, dict) else {}
        called, namespace = (_text_or_none(known.get(key)) for key in ("name", "namespace"))
        words = f"object {number}" if called is None else shown(called)
        try:
            converted.append(convert(item))
        except Malformed as error:
            faults.append(_fault(dump, f"{words}: {error}"))
            continue
        if called is not None and (namespace, called) in seen:
            faults.append(_fault(dump, f"{words} stands in it twice: keep one dump in the file"))
        seen.add((namespace, called))
    return converted


def _text_or_none(value: object) -> str | None:
    return value if isinstance(value, str) else None


def _fault(dump: Dump, message: str) -> Finding:
    hint = "have kubectl print it anew: no API server gives this"
    return Finding(CODE, "error", dump.source, None, None, message, hint)


def _node(item: Item) -> Node:
    metadata, status = mapping(item, "metadata"), mapping(item, "status", {})
    return Node(
        name(metadata),
        texts(metadata, "labels"),
        name(mapping(status, "nodeInfo", {}), "kubeletVersion", ""),
        texts(status, "allocatable"),
        tuple(
            f"{text(taint, 'key')}={text(taint, 'value', '')}:{text(taint, 'effect')}"
            for taint in mappings(mapping(item, "spec", {}), "taints")
            if taint.get("effect") in KEEPS_OUT
        ),
    )


def _namespace(item: Item) -> str | None:
    """The name; None of one that is being deleted, where nothing can be made any more."""
    metadata = mapping(item, "metadata")
    return None if metadata.get("deletionTimestamp") else name(metadata)


def _class(item: Item) -> LiveClass:
    metadata, spec = mapping(item, "metadata"), mapping(item, "spec", {})
    return LiveClass(
        name(metadata),
        name(spec, "extendedResourceName", "") or None,
        tuple(_expression(selector) for selector in mappings(spec, "selectors")),
        bool(mappings(spec, "config")),
        text(metadata, "creationTimestamp", ""),
        texts(metadata, "labels").get(MANAGED_BY) == "gpu-catalog",
    )


def _expression(selector: Mapping[str, Any]) -> str:
    return text(mapping(selector, "cel"), "expression").rstrip("\n")


def _quota(item: Item) -> Quota:
    metadata, spec = mapping(item, "metadata"), mapping(item, "spec", {})
    return Quota(
        name(metadata, "namespace"),
        texts(spec, "hard"),
        bool(spec.get("scopes") or spec.get("scopeSelector")),
    )


def _config_map(item: Item) -> ConfigMap:
    metadata = mapping(item, "metadata")
    return ConfigMap(name(metadata, "namespace"), name(metadata), texts(item, "data"))
