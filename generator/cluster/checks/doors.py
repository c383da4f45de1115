"""Side doors: ways to the GPUs of a label that a quota of the label does not count.

Source: Kubernetes `pkg/quota/v1/evaluator/core/{pods,resource_claims}.go`.
"""

from __future__ import annotations

from collections import defaultdict
from itertools import chain
from typing import TYPE_CHECKING

from generator.cluster.case import Case, Fault, fault, listed
from generator.cluster.checks import serving
from generator.cluster.checks.versions import version
from generator.cluster.quantities import is_zero
from generator.kubernetes import (
    DEVICES_SUFFIX,
    IMPLICIT_PREFIX,
    MAX_NAME,
    OLDEST_VERSION,
    QUOTA_PREFIX,
)

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from generator.cluster.matching import Matches
    from generator.cluster.tenants import Tenant


def faults(case: Case, tenants: Sequence[Tenant]) -> Iterator[Fault]:
    """Doors that are open in namespaces which limit GPUs by their labels."""
    keys = {offering.quota_key for offering in case.cluster.offerings}
    limited = [tenant for tenant in tenants if not keys.isdisjoint(tenant.hard)]
    yield from _side_doors(case, limited)
    yield from _uncounted_claims(case, limited)


def _side_doors(case: Case, limited: Sequence[Tenant]) -> Iterator[Fault]:
    """Quota keys of other names for the same devices."""
    doors = _doors(case)
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
        charged = one.name in ours or one.label in case.unclassed  # by a label's own key
        if charged or matches is None or not _reaches(matches, sold):
            continue
        if one.label:
            doors.append(QUOTA_PREFIX + one.label)
        if len(one.name) <= MAX_NAME:
            doors.append(QUOTA_PREFIX + IMPLICIT_PREFIX + one.name)
        doors.append(one.name + DEVICES_SUFFIX)
    for node in case.snapshot.nodes or ():
        counted = serving.advertised(case, node).items()
        doors += [QUOTA_PREFIX + name for name, amount in counted if not is_zero(amount)]
    own = {offering.quota_key for offering in case.cluster.offerings}
    return list(dict.fromkeys(door for door in doors if door not in own))


def _reaches(matches: Matches, devices: set[int]) -> bool:
    """Whether a class may give one of these devices."""
    untold = (device for group in matches.untold.values() for device in group)
    return any(id(device) in devices for device in chain(matches.devices, untold))


def _uncounted_claims(case: Case, limited: Sequence[Tenant]) -> Iterator[Fault]:
    """Until 1.35 a label's key counts what pods ask for alone (kubernetes#134210)."""
    if version(case.snapshot.server or "") != OLDEST_VERSION:
        return
    names = [device_class.name for _, device_class in case.classes]
    names += [one.name for one in case.snapshot.classes or () if one.label in case.unclassed]
    keys = [name + DEVICES_SUFFIX for name in names]
    open_to = [one.namespace for one in limited if any(key not in one.hard for key in keys)]
    if open_to:
        yield fault(
            "GC552",
            case.cluster_where("kubernetes"),
            f"Kubernetes 1.34 counts no claims under a label, and {listed(open_to)} may make them",
            f"upgrade to 1.35, or limit the claims too, each to at least the label's number, as 0"
            f" forbids the label itself: {', '.join(keys)}",
            severity="warning",
        )
