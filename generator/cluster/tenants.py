"""Tenants: the namespaces whose quotas are asked for, and what their quotas come to."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING, NamedTuple

from generator.cluster.quantities import smallest
from generator.kubernetes import is_platform

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from generator.cluster.case import Case
    from generator.cluster.snapshot import Quota


class Tenant(NamedTuple):
    """A namespace with quotas: what is written in them, and what that comes to.

    `hard` are the keys that limit the namespace as a whole, each with its smallest amount, since
    Kubernetes enforces every quota.
    """

    namespace: str
    written: Sequence[tuple[str, str]]
    hard: Mapping[str, str]


def read_tenants(case: Case) -> list[Tenant]:
    """The namespaces with quotas, of those that were read where any were: they may be a choice."""
    chosen = None if case.snapshot.namespaces is None else set(case.snapshot.namespaces)
    quotas: dict[str, list[Quota]] = defaultdict(list)
    for quota in case.snapshot.quotas or ():
        if (chosen is None or quota.namespace in chosen) and is_tenant(case, quota.namespace):
            quotas[quota.namespace].append(quota)
    return [_tenant(namespace, found) for namespace, found in sorted(quotas.items())]


def are_named(case: Case) -> bool:
    """Whether the namespaces that were read are the tenants': every cluster has a `default`."""
    found = case.snapshot.namespaces
    return found is not None and "default" not in found


def is_tenant(case: Case, namespace: str) -> bool:
    """Whether the namespace is neither the platform's nor Kubernetes' own."""
    return not is_platform(namespace, case.cluster.namespace)


def _tenant(namespace: str, quotas: Sequence[Quota]) -> Tenant:
    amounts: dict[str, list[str]] = defaultdict(list)
    for quota in quotas:
        for key, amount in {} if quota.scoped else quota.hard.items():
            amounts[key].append(amount)
    return Tenant(
        namespace,
        [pair for quota in quotas for pair in quota.hard.items()],
        {key: smallest(found) for key, found in amounts.items()},
    )
