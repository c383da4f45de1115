"""DeviceClasses on the cluster against the generated ones, and against each other.

Sources: resource API `types.go` and dynamic-resource-allocation `extendedresourcecache.go`, for
which of two classes of one extended resource name wins.
"""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING

from generator.cluster.case import Case, Fault, fault, listed
from generator.cluster.checks.versions import version
from generator.kubernetes import OLDEST_VERSION, UNGATED_VERSION

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from generator.catalog.model import DeviceClass, Offering
    from generator.cluster.snapshot import LiveClass

NEEDS = ("deviceclasses",)


def faults(case: Case) -> Iterator[Fault]:
    """Classes that are missing, changed or left over, and labels that two classes claim."""
    live = case.snapshot.classes
    if live is None:
        return
    by_name = {one.name: one for one in live}
    for offering, device_class in case.classes:
        yield from _differences(case, offering, device_class, by_name.get(device_class.name))
    yield from _claims(case, live)
    generated = {device_class.name for _, device_class in case.classes}
    for one in live:
        if one.ours and one.name not in generated:
            yield fault(
                "GC522",
                case.cluster_where(),
                f"DeviceClass {one.name} is managed by gpu-catalog and no longer generated",
                f"if nobody uses it any more: kubectl delete deviceclass {one.name}",
            )


def _differences(
    case: Case, offering: Offering, device_class: DeviceClass, live: LiveClass | None
) -> Iterator[Fault]:
    message, reason = "", ""
    hint = f"apply clusters/{case.cluster.name}/deviceclasses of the generated files"
    if live is None:
        message, reason = "is not on the cluster", "class missing"
    elif live.selectors != (device_class.expression,):
        message, reason = "has other selectors on the cluster than generated", "class differs"
    elif live.configured:  # such as to share a GPU that is sold whole
        message, reason = "has a config on the cluster that is not generated", "class differs"
    elif live.label is None:
        message, reason = "has no extendedResourceName on the cluster", "class has no label"
        hint = _stripped(case)
    elif live.label != offering.label:
        message = f"has the extendedResourceName {live.label} on the cluster, not {offering.label}"
        reason = "class has another label"
    if message:
        yield fault(
            "GC520",
            case.where(offering, "device_class"),
            f"DeviceClass {device_class.name} {message}",
            hint,
            labels=(offering.label,),
            reason=reason,
        )


def _stripped(case: Case) -> str:
    """An API server without the gate drops the field from what is applied, without a word."""
    gated = case.cluster.version < UNGATED_VERSION
    default = "is off by default before 1.36" if gated else "must not be switched off"
    return (
        "apply it again, then read it back; if the field is dropped again, the feature gate"
        f" DRAExtendedResource is off in the API server: it {default}"
    )


def _claims(case: Case, live: Sequence[LiveClass]) -> Iterator[Fault]:
    """Labels that another class claims, alone or beside ours."""
    own = {offering.label: (offering, class_.name) for offering, class_ in case.classes}
    claims: dict[str, list[LiveClass]] = defaultdict(list)
    for one in live:
        if one.label is not None:
            claims[one.label].append(one)
    for label, claimants in sorted(claims.items()):
        offering, name = own.get(label, (None, ""))
        others = [one.name for one in claimants if one.name != name]
        if offering is not None and others:
            yield fault(
                "GC521",
                case.where(offering, "label"),
                f"{label} is also the extendedResourceName of DeviceClass {listed(others)}:"
                f" {_winner(case, claimants)}",
                f"take extendedResourceName off {listed(others)}",
                labels=(label,),
                reason="another class claims the label",
            )
        elif len(claimants) > 1:
            yield fault(
                "GC521",
                case.cluster_where(),
                f"{label} is the extendedResourceName of DeviceClass {listed(others)}:"
                f" {_winner(case, claimants)}",
                "leave it on one of them",
                severity="warning",
            )


def _winner(case: Case, claimants: Sequence[LiveClass]) -> str:
    """Source: dynamicresources `extended/cache.go`, since 1.35 (kubernetes#135037)."""
    if len(claimants) == 1:
        return "it hands out the devices of this label"
    if version(case.snapshot.server or "") == OLDEST_VERSION:
        return "Kubernetes 1.34 uses any of them, and not always the same"
    if not all(one.created for one in claimants):
        return "the one that was created last wins"
    newest = max(one.created for one in claimants)
    ties = sorted(one.name for one in claimants if one.created == newest)
    why = "created in the same second, the first name wins" if len(ties) > 1 else "created last"
    return (
        f"{ties[0]} wins ({why}), until one of them is made anew or the scheduler loses track of"
        " an edit (kubernetes/kubernetes#141103)"
    )
