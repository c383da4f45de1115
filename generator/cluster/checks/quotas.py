"""Quotas of tenants: a label without a key is unlimited, and a key that nothing counts is none.

Sources: Kubernetes `pkg/quota/v1/evaluator/core/{pods,resource_claims}.go`, and core validation
`ValidateResourceQuotaResourceName`, which accepts any key with a slash.
"""

from __future__ import annotations

from collections import defaultdict
from itertools import chain
from typing import TYPE_CHECKING, NamedTuple

from generator.cluster.case import Case, Fault, fault, listed
from generator.cluster.quantities import is_zero
from generator.cluster.shapes import shown
from generator.kubernetes import (
    DEVICES_SUFFIX,
    GENERIC_LABEL,
    IMPLICIT_PREFIX,
    MAX_NAME,
    QUOTA_PREFIX,
)
from generator.words import counted, nearest

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from generator.cluster.matching import Matches

NEEDS = ("resourcequotas", "deviceclasses", "resourceslices", "nodes")


class Tenant(NamedTuple):
    """A namespace with quotas; `hard` are the keys that limit it as a whole."""

    namespace: str
    keys: Mapping[str, str]
    hard: Mapping[str, str]


def faults(case: Case) -> Iterator[Fault]:
    """Namespaces in which GPUs are not limited, or not by the key that somebody wrote."""
    quotas = case.snapshot.quotas
    if quotas is None:
        return
    tenants = _tenants(case)
    yield from _unlimited(case, tenants)
    yield from _without_quota(case, tenants)
    yield from _never_counted(case, tenants)
    yield from _side_doors(case, tenants)


def _tenants(case: Case) -> list[Tenant]:
    keys: dict[str, dict[str, str]] = defaultdict(dict)
    hard: dict[str, dict[str, str]] = defaultdict(dict)
    for quota in case.snapshot.quotas or ():
        if not _is_system(quota.namespace):
            keys[quota.namespace].update(quota.hard)
            if not quota.scoped:
                hard[quota.namespace].update(quota.hard)
    return [Tenant(namespace, keys[namespace], hard[namespace]) for namespace in sorted(keys)]


def _is_system(namespace: str) -> bool:
    return namespace.startswith("kube-")


def _unlimited(case: Case, tenants: Sequence[Tenant]) -> Iterator[Fault]:
    if not tenants:
        yield fault(
            "GC550",
            case.cluster_where(),
            "no namespace has a quota",
            "give every tenant's namespace one: no quota means unlimited",
            labels=case.labels,
            reason="no quota",
        )
    for offering in case.cluster.offerings:
        open_to = [one.namespace for one in tenants if offering.quota_key not in one.hard]
        if open_to:
            yield fault(
                "GC550",
                case.where(offering, "label"),
                f"no quota limits {offering.label} in {listed(open_to)}",
                f"add the key {offering.quota_key}, if need be with 0: no key means unlimited,"
                " and a quota with scopes limits only some of the pods",
                labels=(offering.label,),
                reason="no quota",
            )


def _without_quota(case: Case, tenants: Sequence[Tenant]) -> Iterator[Fault]:
    known = {tenant.namespace for tenant in tenants}
    bare = [
        namespace
        for namespace in case.snapshot.namespaces or ()
        if namespace not in known and not _is_system(namespace)
    ]
    if bare:
        yield fault(
            "GC550",
            case.cluster_where(),
            f"{counted(len(bare), 'namespace')} without any quota: {listed(bare)}",
            "whoever may create pods there uses GPUs without limit",
            severity="warning",
        )


def _never_counted(case: Case, tenants: Sequence[Tenant]) -> Iterator[Fault]:
    counted_names = _counted_names(case)
    found: dict[tuple[str, str], list[str]] = defaultdict(list)
    for tenant in tenants:
        for key, amount in tenant.keys.items():
            if why := _why_not_counted(case, key, amount, counted_names):
                found[key, why].append(tenant.namespace)
    for (key, why), namespaces in sorted(found.items()):
        yield fault(
            "GC551",
            case.cluster_where(),
            f"the quota key {shown(key)} in {listed(namespaces)} {why}",
            _meant(case, key),
        )


def _counted_names(case: Case) -> set[str]:
    """Every extended resource that some class or node of the cluster has."""
    classes = case.snapshot.classes or ()
    names = {one.label for one in classes if one.label} | set(case.labels)
    names |= {IMPLICIT_PREFIX + one.name for one in classes}
    for node in case.snapshot.nodes or ():
        names |= node.allocatable.keys()
    return names


def _why_not_counted(case: Case, key: str, amount: str, names: set[str]) -> str:
    resource = key.removeprefix(QUOTA_PREFIX).removeprefix("limits.")
    if "/" not in key or key.endswith(DEVICES_SUFFIX) or not _is_gpu(case, resource):
        return ""
    if not key.startswith(QUOTA_PREFIX):
        return "counts nothing: only requests. counts for extended resources"
    if resource in names or is_zero(amount):
        return ""
    return "counts nothing: neither a class nor a node has this resource"


def _is_gpu(case: Case, resource: str) -> bool:
    """Whether the name is, or was meant to be, one of a GPU."""
    from difflib import get_close_matches

    domains = {label.partition("/")[0] for label in case.labels}
    retired = {one.label for one in case.catalog.retired_labels}
    domain = resource.partition("/")[0]
    return (
        resource in retired
        or "nvidia" in domain
        or bool(get_close_matches(domain, domains, n=1, cutoff=0.8))
    )


def _meant(case: Case, key: str) -> str:
    keys = [offering.quota_key for offering in case.cluster.offerings]
    resource = key.removeprefix("limits.").removeprefix(QUOTA_PREFIX)
    retired = {one.label: one.replaced_by for one in case.catalog.retired_labels}
    if resource in retired:
        instead = [QUOTA_PREFIX + label for label in retired[resource]]
        return f"the label is retired: {' or '.join(instead) or 'nothing'} takes its place"
    near = nearest(QUOTA_PREFIX + resource, keys)
    return f"did you mean {near}?" if near else f"the keys of this cluster: {', '.join(keys)}"


def _side_doors(case: Case, tenants: Sequence[Tenant]) -> Iterator[Fault]:
    """Other names of the same devices, in namespaces that limit them by their labels."""
    doors = _doors(case)
    limited = [
        one for one in tenants if any(o.quota_key in one.hard for o in case.cluster.offerings)
    ]
    for severity, is_open in (("error", _is_missing), ("warning", _is_more_than_nothing)):
        found: dict[tuple[str, ...], list[str]] = defaultdict(list)
        for tenant in limited:
            open_doors = tuple(key for key in doors if is_open(tenant, key))
            if open_doors:
                found[open_doors].append(tenant.namespace)
        for open_doors, namespaces in sorted(found.items()):
            yield fault(
                "GC552",
                case.cluster_where(),
                f"the quota of {listed(namespaces)} leaves other ways to the same GPUs open:"
                f" {', '.join(open_doors)}",
                "set these keys to 0 in the quota: there the GPUs are not counted under their"
                " labels",
                severity=severity,  # type: ignore[arg-type]
                labels=case.labels if severity == "error" else (),
                reason="quota has side doors",
            )


def _is_missing(tenant: Tenant, key: str) -> bool:
    return key not in tenant.hard


def _is_more_than_nothing(tenant: Tenant, key: str) -> bool:
    return key in tenant.hard and not is_zero(tenant.hard[key])


def _doors(case: Case) -> list[str]:
    """The quota keys of every other way to devices of the catalog's classes."""
    ours = {device_class.name for _, device_class in case.classes}
    sold = {id(device) for _, matches in case.matched for device in matches.devices}
    doors: list[str] = []
    for one in case.snapshot.classes or ():
        matches = case.live_matches.get(one.name)
        charged = one.name in ours or one.label in case.labels  # by a label's own key
        if charged or matches is None or not _reaches(matches, sold):
            continue
        if one.label:
            doors.append(QUOTA_PREFIX + one.label)
        if len(one.name) <= MAX_NAME:
            doors.append(QUOTA_PREFIX + IMPLICIT_PREFIX + one.name)
        doors.append(one.name + DEVICES_SUFFIX)
    nodes = case.snapshot.nodes or ()
    if any(not is_zero(node.allocatable.get(GENERIC_LABEL, 0)) for node in nodes):
        doors.append(QUOTA_PREFIX + GENERIC_LABEL)
    return list(dict.fromkeys(door for door in doors if door not in _own_keys(case)))


def _reaches(matches: Matches, devices: set[int]) -> bool:
    """Whether a class may give one of these devices."""
    untold = (device for group in matches.untold.values() for device in group)
    return any(id(device) in devices for device in chain(matches.devices, untold))


def _own_keys(case: Case) -> set[str]:
    return {offering.quota_key for offering in case.cluster.offerings}
