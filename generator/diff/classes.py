"""What it means when a device class comes, goes, or matches other devices."""

from __future__ import annotations

from typing import TYPE_CHECKING

from generator.diff.change import (
    ANY_GPU,
    RECORD,
    UNLIMITED,
    Change,
    delete_class,
    delete_unused,
    listed,
    on,
)
from generator.kubernetes import DRIVER, GENERIC_LABEL

if TYPE_CHECKING:
    from generator.diff.comparing import Difference
    from generator.diff.sides import Side

_STALE = (
    "What was recorded of the clusters' devices holds for the old expression alone, and"
    " kube-scheduler may go on with that until it is restarted (kubernetes#141103)."
)


def products(fact: Difference, _old: Side, _new: Side) -> Change:
    """The products whose devices a class matches."""
    gone = [name for name in fact.before if name not in fact.after]
    come = [name for name in fact.after if name not in fact.before]
    label, where = fact.new.label, on(fact.clusters)
    if gone:
        also = f", but {listed(come)}" if come else ""
        return Change(
            "breaking",
            "GC805",
            f"`{label}` no longer matches {listed(gone)}{also}{where}",
            f"Those GPUs cannot be had by this label any more: fewer workloads fit. {_STALE}",
            after=(RECORD,),
        )
    return Change(
        "action",
        "GC808",
        f"`{label}` also matches {listed(come)}{where}",
        f"Workloads may get one of these GPUs, too. {_STALE}",
        after=(RECORD,),
    )


def expression(fact: Difference, _old: Side, _new: Side) -> Change:
    """A class whose expression changed in a way that product names do not tell."""
    return Change(
        "action",
        "GC808",
        f"the expression of `{fact.new.device_class.name}` changes{on(fact.clusters)}",
        f"`{fact.new.label}` may match other devices than before. {_STALE}",
        after=(RECORD,),
    )


def verified(fact: Difference, _old: Side, _new: Side) -> Change:
    """Evidence that came or went while the class stayed as it was."""
    name, where = fact.new.device_class.name, on(fact.clusters)
    if fact.after:
        title = f"`{name}` is verified{where}"
        return Change("safe", "GC812", title, "Its expression was seen to match real devices.")
    why = "Nothing says any more that its expression matches a device of the cluster."
    return Change("action", "GC808", f"`{name}` is no longer verified{where}", why, after=(RECORD,))


def device_class(fact: Difference, old: Side, new: Side) -> Change:
    """The name of a label's class, or whether it has one."""
    label, key = fact.new.label, fact.new.quota_key
    was, now = old.some(fact.old.label), new.some(label)
    before, after = fact.before, fact.after
    is_any = label == GENERIC_LABEL
    if after is None:
        without = "Without a class, DRA hands no device out for the label: workloads stay pending."
        return Change(
            "breaking",
            "GC805",
            f"`{label}` loses its device class `{before}`",
            f"From now on {ANY_GPU}." if is_any else without,
            after=delete_unused(before, was, new),
        )
    if before is None or before in new.classes:
        from_driver = (
            f"Until now it was served by the driver's class `{DRIVER}`, with any whole GPU."
        )
        from_now = "From now on DRA hands devices out for it."
        return Change(
            "action",
            "GC807",
            f"`{label}` gets the device class `{after}`",
            f"{from_driver if is_any and before is None else from_now} {UNLIMITED}",
            quota_before=(key,),
            quota_clusters=now,
            after=(RECORD,),
            rollback=", then ".join(("revert and publish", *delete_unused(after, now, old))),
        )
    if fact.old.label != label:
        return Change(
            "action",
            "GC809",
            f"the device class `{before}` becomes `{after}`, as the label is another",
            f"Kubernetes knows no renaming: the old class stays, and hands devices out for"
            f" `{fact.old.label}`, until somebody deletes it.",
            after=(
                RECORD,
                f"{delete_class(before, was)}, once no workload asks for `{fact.old.label}`",
            ),
            rollback=f"revert and publish, then {delete_class(after, now)}",
        )
    return Change(
        "action",
        "GC809",
        f"the device class `{before}` of `{label}` is renamed to `{after}`",
        "Kubernetes knows no renaming: the old class stays until somebody deletes it. While both"
        " claim one label, the younger of them wins, and deleting the other can take the label"
        " away from both (kubernetes#141103).",
        before=(f"{delete_class(before, was)}; nothing new starts until the next is there",),
        after=(RECORD,),
        rollback=f"{delete_class(after, now)}, then revert and publish",
    )
