"""Quotas of tenants: a label without a key is unlimited, and a key that nothing counts is none.

Sources: Kubernetes `pkg/quota/v1/evaluator/core/{pods,resource_claims}.go`, and core validation
`ValidateResourceQuotaResourceName`, which accepts any key with a slash.
"""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING

from generator.cluster.case import Case, Fault, fault, listed
from generator.cluster.checks import doors
from generator.cluster.checks.versions import version
from generator.cluster.quantities import amount, is_zero
from generator.cluster.shapes import shown
from generator.cluster.tenants import are_named, is_tenant, read_tenants
from generator.kubernetes import DEVICES_SUFFIX, IMPLICIT_PREFIX, OLDEST_VERSION, QUOTA_PREFIX
from generator.words import counted, nearest

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from generator.cluster.tenants import Tenant

NEEDS = ("resourcequotas", "deviceclasses", "resourceslices", "nodes")


def faults(case: Case) -> Iterator[Fault]:
    """Namespaces in which GPUs are not limited, or not by the key that somebody wrote."""
    quotas = case.snapshot.quotas
    if quotas is None:
        return
    tenants = read_tenants(case)
    named = are_named(case)
    limited = [one for one in tenants if named or _limits_gpus(case, one)]
    yield from _unlimited(case, limited)
    yield from _without_quota(case, limited, tenants)
    yield from _held_back(case, tenants)
    yield from _never_counted(case, tenants)
    yield from doors.faults(case, tenants)


def _limits_gpus(case: Case, tenant: Tenant) -> bool:
    """Whether some quota of the namespace is about GPUs, which only a tenant's is."""
    return any("/" in key and _is_gpu(case, _resource(key)) for key, _ in tenant.written)


def _unlimited(case: Case, limited: Sequence[Tenant]) -> Iterator[Fault]:
    for offering in case.cluster.offerings:
        open_to = [one.namespace for one in limited if offering.quota_key not in one.hard]
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


def _without_quota(
    case: Case, limited: Sequence[Tenant], tenants: Sequence[Tenant]
) -> Iterator[Fault]:
    """Namespaces in which nothing limits GPUs: a gap where they are known to be tenants'."""
    known = {one.namespace for one in limited}
    others = (*(case.snapshot.namespaces or ()), *(one.namespace for one in tenants))
    bare = {name for name in others if name not in known and is_tenant(case, name)}
    named = are_named(case)
    if bare:
        yield fault(
            "GC550",
            case.cluster_where(),
            f"no quota limits GPUs in {counted(len(bare), 'namespace')}: {listed(bare)}",
            "give each a quota with a key for every label, if need be with 0: no quota means"
            " unlimited"
            if named
            else "whoever may create pods there uses GPUs without limit; to have tenants told from"
            " others, dump the namespaces of tenants alone (`gpu-catalog cluster check --help`)",
            severity="error" if named else "warning",
            labels=case.labels if named else (),
            reason="no quota",
        )
    if not limited and not (named and bare):
        yield fault(
            "GC550",
            case.cluster_where(),
            "no namespace of a tenant has a quota for GPUs",
            "give every tenant's namespace one: no quota means unlimited",
            labels=case.labels,
            reason="no quota",
        )


def _held_back(case: Case, tenants: Sequence[Tenant]) -> Iterator[Fault]:
    """Keys of a label's own class: the claim for a pod with the label is charged to them too.

    Until 1.35 it is so to the first of the two only (kubernetes#134210).
    """
    for offering, device_class in case.classes:
        keys = [device_class.name + DEVICES_SUFFIX]
        if version(case.snapshot.server or "") != OLDEST_VERSION:
            keys.append(QUOTA_PREFIX + IMPLICIT_PREFIX + device_class.name)
        for key in keys:
            namespaces = [
                one.namespace
                for one in tenants
                if key in one.hard and offering.quota_key in one.hard
                if amount(one.hard[key]) < amount(one.hard[offering.quota_key])
            ]
            if namespaces:
                yield fault(
                    "GC553",
                    case.where(offering, "device_class"),
                    f"the quota of {listed(namespaces)} gives fewer of {key} than of"
                    f" {offering.label}, and a pod with the label is charged to both",
                    f"take that key away, or set it to at least what {offering.quota_key} says:"
                    " 0 forbids the label",
                    labels=(offering.label,),
                    reason="its class has less quota",
                )


def _never_counted(case: Case, tenants: Sequence[Tenant]) -> Iterator[Fault]:
    counted_names = _counted_names(case)
    found: dict[tuple[str, str], set[str]] = defaultdict(set)
    for tenant in tenants:
        for key, written in tenant.written:
            if why := _why_not_counted(case, key, written, counted_names):
                found[key, why].add(tenant.namespace)
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


def _why_not_counted(case: Case, key: str, written: str, names: set[str]) -> str:
    resource = _resource(key)
    if "/" not in key or key.endswith(DEVICES_SUFFIX) or not _is_gpu(case, resource):
        return ""
    if not key.startswith(QUOTA_PREFIX):
        return "counts nothing: only requests. counts for extended resources"
    if resource in names or is_zero(written):
        return ""
    return "counts nothing: neither a class nor a node has this resource"


def _resource(key: str) -> str:
    """What the key is about, in whichever way it says so."""
    return key.removeprefix(QUOTA_PREFIX).removeprefix("limits.")


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
    """Compares what is behind the slash alone: names of one domain are all alike."""
    keys = {one.label.rpartition("/")[2]: one.quota_key for one in case.cluster.offerings}
    resource = _resource(key)
    retired = {one.label: one.replaced_by for one in case.catalog.retired_labels}
    if resource in retired:
        instead = [QUOTA_PREFIX + label for label in retired[resource]]
        return f"the label is retired: {' or '.join(instead) or 'nothing'} takes its place"
    near = nearest(resource.rpartition("/")[2], keys)
    if near is None:
        return f"the keys of this cluster: {', '.join(keys.values())}"
    return f"did you mean {keys[near]}?"
