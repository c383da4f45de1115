"""Quotas of tenants: a label without a key is unlimited, and a key that nothing counts is none.

Sources: Kubernetes `pkg/quota/v1/evaluator/core/{pods,resource_claims}.go`, and core validation
`ValidateResourceQuotaResourceName`, which accepts any key with a slash.
"""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING

from generator.cluster.case import Case, Fault, fault, listed
from generator.cluster.checks import doors
from generator.cluster.quantities import is_zero
from generator.cluster.shapes import shown
from generator.cluster.tenants import is_tenant, read_tenants
from generator.kubernetes import DEVICES_SUFFIX, IMPLICIT_PREFIX, QUOTA_PREFIX
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
    yield from _unlimited(case, tenants)
    yield from _without_quota(case, tenants)
    yield from _never_counted(case, tenants)
    yield from doors.faults(case, tenants)


def _unlimited(case: Case, tenants: Sequence[Tenant]) -> Iterator[Fault]:
    if not tenants:
        yield fault(
            "GC550",
            case.cluster_where(),
            "no namespace of a tenant has a quota",
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
        if namespace not in known and is_tenant(case, namespace)
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
    found: dict[tuple[str, str], set[str]] = defaultdict(set)
    for tenant in tenants:
        for key, amount in tenant.written:
            if why := _why_not_counted(case, key, amount, counted_names):
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
