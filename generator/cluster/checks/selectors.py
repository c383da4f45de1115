"""Selectors against real devices: each class matches some, none two, and no expression fails.

A runtime error on one device of any driver keeps a whole pod pending (Kubernetes
`dynamicresources_test.go`, CEL-runtime-error-for-*).
"""

from __future__ import annotations

from collections import Counter, defaultdict
from itertools import combinations
from typing import TYPE_CHECKING

from generator.cluster.case import Case, Fault, fault, listed
from generator.cluster.shapes import shown
from generator.cluster.subjects import grouped
from generator.kubernetes import DRIVER
from generator.words import counted

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from generator.catalog.model import Offering
    from generator.cluster.devices import Device
    from generator.cluster.matching import Matches

NEEDS = ("resourceslices",)

_INCOMPLETE = "look again in a minute; if it stays, restart the driver's kubelet plugin there"


def faults(case: Case) -> Iterator[Fault]:
    """Everything that the selectors say of the devices, and the pools that give none."""
    for offering, _ in case.classes:
        if offering.label in case.refused:
            yield _refused(case, offering)
    for offering, matches in case.matched:
        if offering.label in case.refused:
            continue
        yield from _verdicts(case, offering, matches)
        yield from _supply(case, offering, matches)
        yield from _shared(case, offering, matches)
    yield from _overlaps(case)
    yield from _broken_pools(case)


def _verdicts(case: Case, offering: Offering, matches: Matches) -> Iterator[Fault]:
    for reason, devices in matches.fails.items():
        yield fault(
            "GC532",
            case.where(offering, "device_class"),
            f"the selector of {offering.label} fails on {_some(devices)}: {shown(reason)}",
            _without_remedy(devices)
            or "one failing device keeps every pod that asks for the label pending, on all nodes:"
            " compare device.driver first, and read attributes with .?name.orValue('')",
            labels=(offering.label,),
            reason="selector fails",
        )
    for reason, devices in matches.untold.items():
        yield fault(
            "GC533",
            case.where(offering, "device_class"),
            f"what the selector of {offering.label} says of {_some(devices)} cannot be told:"
            f" {shown(reason)}",
            _without_remedy(devices)
            or "write the expression otherwise; what cannot be evaluated here is never verified",
            severity="warning",
            labels=(offering.label,),
            reason="selector cannot be told",
        )


def _refused(case: Case, offering: Offering) -> Fault:
    return fault(
        "GC532",
        case.where(offering, "device_class"),
        f"the selector of {offering.label} is refused: {shown(case.refused[offering.label])}",
        "correct the expression: no API server takes a class with it, so there is no such label",
        labels=(offering.label,),
        reason="selector refused",
    )


def _without_remedy(devices: Sequence[Device]) -> str:
    """What to do where even `true` cannot be evaluated on the devices; else empty."""
    [(subject, _)] = grouped(devices[:1], None)
    if subject.unreadable is None:
        return ""
    return (
        f"no expression helps: the driver {subject.driver} publishes the attribute so, and pods"
        " wait while such a device is there; correct or upgrade that driver"
    )


def _supply(case: Case, offering: Offering, matches: Matches) -> Iterator[Fault]:
    if matches.fails or matches.untold or case.supplies[offering.label].devices:
        return
    label, found = offering.label, len(matches.devices)
    if not found:
        message, hint, reason = f"{label} matches no device", _why_none(case, offering), "no device"
    else:
        tainted = sum(device.tainted for device in case.usable(matches))
        message = (
            f"{label} matches {counted(found, 'device')}, and none can be handed out:"
            f" {tainted} tainted, {found - tainted} in incomplete pools"
        )
        hint, reason = _INCOMPLETE, "no usable device"
        if tainted:
            hint = "see the taints in `kubectl get resourceslices -o yaml`"
    yield fault(
        "GC530",
        case.where(offering, "device_class"),
        message,
        hint,
        labels=(label,),
        reason=reason,
    )


def _why_none(case: Case, offering: Offering) -> str:
    """What is there instead of the wanted devices."""
    gpus = [device for device in case.devices() if device.driver == DRIVER]
    if not gpus:
        return "no driver publishes GPUs: look at the pods of the DRA driver's kubelet plugin"
    wanted = set(offering.device_class.product_names) if offering.device_class else set()
    same = [device for device in gpus if device.attribute("productName") in wanted]
    if same and offering.mig_profile is not None:
        profiles = Counter(str(device.attribute("profile") or "whole GPU") for device in same)
        return (
            f"these cards are there as {_counts(profiles)}; after a change of MIG restart the"
            " kubelet plugin, which reads the devices only when it starts"
        )
    if same:
        return "these cards are there, but only as MIG devices: switching MIG off needs a reset"
    products = Counter(str(device.attribute("productName") or "no product name") for device in gpus)
    return f"the cluster's product names are {_counts(products)}"


def _counts(counts: Counter[str]) -> str:
    return ", ".join(f"{shown(name)} ({count:,})" for name, count in counts.most_common(6))


def _shared(case: Case, offering: Offering, matches: Matches) -> Iterator[Fault]:
    shared = [device for device in matches.devices if device.shared]
    if shared:
        yield fault(
            "GC534",
            case.where(offering, "device_class"),
            f"{offering.label} matches {_some(shared)} that several claims may hold at once",
            "switch ConsumableShares off in the driver, or leave these devices out of the class:"
            " people would be sold whole GPUs and share one",
            labels=(offering.label,),
            reason="shared devices",
        )


def _overlaps(case: Case) -> Iterator[Fault]:
    for (first, left), (second, right) in combinations(case.matched, 2):
        kinds = {id(kind) for kind in left.kinds}
        shared = sum(len(kind) for kind in right.kinds if id(kind) in kinds)
        if not shared:
            continue
        deprecated = bool(first.deprecated or second.deprecated)
        yield fault(
            "GC531",
            case.where(second, "device_class"),
            f"{second.label} and {first.label} both match {counted(shared, 'device')}",
            "each device belongs to one class; a deprecated offering may share for a while",
            severity="warning" if deprecated else "error",
            labels=() if deprecated else (first.label, second.label),
            reason="shares devices with another class",
        )


def _broken_pools(case: Case) -> Iterator[Fault]:
    reasons: dict[str, list[str]] = defaultdict(list)
    for pool in case.snapshot.pools or ():
        if pool.broken:
            reasons[pool.broken].append(f"{pool.name} ({pool.driver})")
    for reason, names in sorted(reasons.items()):
        yield fault(
            "GC535",
            case.cluster_where(),
            f"no device is taken from {counted(len(names), 'pool')}: {reason}: {listed(names)}",
            _INCOMPLETE,
            severity="warning",
        )


def _some(devices: Sequence[Device]) -> str:
    """How many devices, and one of them to look at."""
    one = devices[0]
    return f"{counted(len(devices), 'device')} (such as {one.name} of {one.pool}, {one.driver})"
