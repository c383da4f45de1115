"""Names: what Kubernetes, the driver, Waldur and the generated files accept, before they refuse."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from generator.catalog.source import Problem
from generator.kubernetes import (
    DRIVER_CLASSES,
    MAX_NAME,
    MAX_SUBDOMAIN,
    QUOTA_PREFIX,
    is_dns_subdomain,
    is_extended_resource,
    is_label_value,
    is_qualified_name,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from generator.catalog.assembly import Data
    from generator.catalog.model import Catalog, Offering
    from generator.yamltext import Where

    Named = tuple[str, Where]

OTHER_COMPONENTS = ("cpu", "ram", "storage")
"""What the site agent's configuration sells beside GPUs."""

RESERVED_CLASSES = ("kustomization",)
"""Class names whose file would be another artifact's."""

_MAX_DOMAIN = MAX_SUBDOMAIN - len(QUOTA_PREFIX)
_MIG_NAME = re.compile(r"(?:^|[-._])mig-(?P<profile>[0-9].*)$")


def problems(catalog: Catalog, content: Data) -> Iterator[Problem]:
    """Names that some system refuses, that stand twice, or that one system cannot tell apart."""
    for index, offering in enumerate(catalog.offerings):
        where: Where = ("offerings", index)
        named = "name" in content["offerings"][index].get("device_class", {})
        if is_extended_resource(offering.label):
            yield from _class_name(offering, where)
        else:
            yield from _label(offering, where)
            yield from _class_name(offering, where) if named else ()
        yield from _mig(offering, where)
        yield from _component(offering, where)
    yield from _node_selectors(content)
    yield from _unique(catalog, content)


def _label(offering: Offering, where: Where) -> Iterator[Problem]:
    """Source: helper.IsExtendedResourceName, with the quota's `requests.` before the name."""
    domain, _, name = offering.label.partition("/")
    if "kubernetes.io/" in offering.label:
        why = "Kubernetes keeps `kubernetes.io/` for itself"
    elif offering.label.startswith(QUOTA_PREFIX):
        why = "Kubernetes takes `requests.` for the prefix of a quota key"
    elif len(name) > MAX_NAME:
        why = f"the name behind the slash has {len(name)} characters, more than {MAX_NAME}"
    elif len(domain) > _MAX_DOMAIN:
        why = f"the domain has {len(domain)} characters; {_MAX_DOMAIN} leave room for `requests.`"
    else:
        why = f"`{domain}` is not a DNS name"
    message = f"not an extended resource name: {why}"
    yield Problem("GC201", (*where, "label"), message, "write it like nvidia.com/a100")


def _class_name(offering: Offering, where: Where) -> Iterator[Problem]:
    """Source: resource validation, and the 63 characters of the class's implicit name."""
    if offering.device_class is None:
        return
    name, where = offering.device_class.name, (*where, "device_class", "name")
    hint = "set device_class.name: lower-case letters, digits, `-` and `.`, at most 63 characters"
    if not is_dns_subdomain(name, MAX_NAME):
        yield Problem("GC202", where, f"`{name}` cannot be the name of a DeviceClass", hint)
    elif name in DRIVER_CLASSES:
        hint = "set another device_class.name: an upgrade of the driver overwrites its own classes"
        yield Problem("GC207", where, f"`{name}` is a class of the NVIDIA driver", hint)
    elif name in RESERVED_CLASSES:
        message = f"the file of a class `{name}` would collide with {name}.yaml"
        yield Problem("GC207", where, message, "set another device_class.name")


def _mig(offering: Offering, where: Where) -> Iterator[Problem]:
    """A label may hold no `+`: the device plugin's own form puts a `.` there."""
    found = _MIG_NAME.search(offering.label.partition("/")[2])
    if offering.mig_profile is None:
        if found:
            message = f"the label names the MIG profile {found['profile']}, mig_profile is missing"
            hint = f'add mig_profile: "{found["profile"]}", or name the label otherwise'
            yield Problem("GC208", (*where, "label"), message, hint)
        return
    end = "mig-" + offering.mig_profile.replace("+", ".")
    if not found or not offering.label.endswith(end) or found["profile"] != end[4:]:
        message = f"the label of a MIG offering ends in `{end}`"
        hint = "make the label's name and mig_profile agree"
        yield Problem("GC208", (*where, "label"), message, hint)


def _component(offering: Offering, where: Where) -> Iterator[Problem]:
    if offering.component is None and offering.deprecated is None:
        hint = "add component: the Waldur component type, such as gpu_a100"
        message = "an offering without component must be deprecated"
        yield Problem("GC221", where, message, hint)
    elif offering.component in OTHER_COMPONENTS:
        message = f"`{offering.component}` is a component that every site agent has"
        yield Problem("GC222", (*where, "component"), message, "name it after the GPU: gpu_...")


def _node_selectors(content: Data) -> Iterator[Problem]:
    """Source: content.IsLabelKey and content.IsLabelValue."""
    for index, offering in enumerate(content["offerings"]):
        yield from _selector(offering, ("offerings", index))
    for index, cluster in enumerate(content["clusters"]):
        for key, override in cluster.get("overrides", {}).items():
            yield from _selector(override, ("clusters", index, "overrides", key))


def _selector(holder: Data, where: Where) -> Iterator[Problem]:
    for key, value in holder.get("node_selector", {}).items():
        place = (*where, "node_selector", key)
        if not is_qualified_name(key):
            hint = "at most 63 letters, digits, `-`, `_` and `.`, with or without `domain/` before"
            yield Problem("GC203", place, f"`{key}` is not a label key", hint, on_key=True)
        if not is_label_value(value):
            hint = (
                "at most 63 letters, digits, `-`, `_` and `.`; begin and end with one of the first"
            )
            yield Problem("GC203", place, f"`{value}` is not a label value", hint)


def _unique(catalog: Catalog, content: Data) -> Iterator[Problem]:
    labels = _named(content, "offerings", "label")
    classes: list[Named] = [
        (offering.device_class.name, ("offerings", index, "device_class", "name"))
        for index, offering in enumerate(catalog.offerings)
        if offering.device_class
    ]
    yield from _twice("label", labels)
    yield from _twice("component", _named(content, "offerings", "component"))
    yield from _alike(content)
    yield from _twice("device class", classes)
    yield from _twice("cluster", _named(content, "clusters", "name"))
    yield from _twice("kubectl context", _named(content, "clusters", "kube_context"))
    yield from _twice("consumer", _named(content, "consumers", "name"))
    yield from _twice("retired label", _named(content, "retired_labels", "label"))
    yield from _folded(labels)


def _named(content: Data, section: str, key: str) -> list[Named]:
    """What the members of a section are called under a key, with the paths of these names."""
    members = enumerate(content.get(section, ()))
    return [(one[key], (section, index, key)) for index, one in members if key in one]


def _twice(what: str, named: Iterable[Named]) -> Iterator[Problem]:
    seen: set[str] = set()
    for name, where in named:
        if name in seen:
            yield Problem(
                "GC205", where, f"the {what} `{name}` stands twice", "each must be unique"
            )
        seen.add(name)


def _alike(content: Data) -> Iterator[Problem]:
    """People choose by the names, in Waldur and in Kubeflow's form."""
    seen: set[str] = set()
    for index, offering in enumerate(content["offerings"]):
        name = offering["name"]
        if "deprecated" not in offering:
            if name in seen:
                message = f"another offering is called `{name}` too"
                hint = "give each a name of its own: people choose by it"
                where = ("offerings", index, "name")
                yield Problem("GC206", where, message, hint, "warning")
            seen.add(name)


def _folded(labels: Iterable[Named]) -> Iterator[Problem]:
    """Source: openapi-typescript's member names fold `.`, `-`, `/`; some file systems fold case."""
    seen: dict[str, str] = {}
    for name, where in labels:
        folded = name.replace("/", "_").replace(".", "_").replace("-", "_").lower()
        first = seen.setdefault(folded, name)
        if first != name:
            message = f"consumers cannot tell the label `{name}` from `{first}`"
            hint = "they fold case, `.`, `-`, `_` and `/`: let the names differ in more than that"
            yield Problem("GC206", where, message, hint)
