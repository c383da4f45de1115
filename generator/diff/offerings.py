"""What it means when an offering comes, goes, or gets another label or component."""

from __future__ import annotations

from typing import TYPE_CHECKING

from generator.diff.change import (
    ANY_GPU,
    RECORD,
    UNLIMITED,
    Change,
    delete_unused,
    listed,
    may_go,
    named,
    on,
    unsold,
    way_back,
)
from generator.kubernetes import GENERIC_LABEL

if TYPE_CHECKING:
    from generator.catalog.model import Offering, RetiredLabel
    from generator.diff.comparing import Difference
    from generator.diff.sides import Side

_REASONS = {
    "typo": "The old label was a typo.",
    "generic": "The old label says no model, so that nobody could tell what it gives.",
}


def label(fact: Difference, old: Side, new: Side) -> Change:
    """A label that became another one, for the same component or the same devices."""
    before, after = fact.before, fact.after
    key, clusters = fact.old.quota_key, old.some(before)
    changed_back = f"actions that say `{after}` by then must be changed back"
    change = Change(
        "breaking",
        "GC801",
        f"`{before}` is renamed to `{after}`",
        f"{named(fact.new.name)} is asked for as `{after}` from now on. Actions that still say"
        f" `{before}` are refused, and workloads that ask for it stay pending.",
        edits=((before, (after,)),),
        quota_before=(fact.new.quota_key,),
        quota_after=may_go(key),
        quota_clusters=clusters,
        after=(RECORD,) if fact.new.device_class else (),
        rollback=f"{way_back(key, clusters)}; {changed_back}",
    )
    heir = new.catalog.offering(before)
    if heir is None:
        retired = _retired(new, before)
        if retired is None:
            return _untold(change, before, (after,), old)
        return _told(change, retired)._replace(edits=((before, retired.replaced_by or (after,)),))
    change = change._replace(quota_after=(), rollback=f"revert and publish; {changed_back}")
    if heir.deprecated is None:
        return change._replace(
            title=f"`{before}` is now {named(heir.name)}, and {named(fact.new.name)} is `{after}`",
            why=f"Actions that say `{before}` are not refused: they get another GPU than before.",
        )
    counted = f" Waldur counts `{fact.new.quota_key}` alone from now on."
    return change._replace(
        level="action",
        code="GC806",
        title=f"`{before}` is renamed to `{after}`, and still works",
        why=f"`{before}` stays as a deprecated offering: actions that say it go on, and can be"
        f" changed when it suits.{'' if heir.component else counted} {UNLIMITED}",
        edits=((before, heir.deprecated.replaced_by or (after,)),),
        quota_before=(*change.quota_before, *(() if heir.component else (key,))),
        before=unsold(heir),
    )


def offering(fact: Difference, old: Side, new: Side) -> Change:
    """An offering that only one of the catalogs has."""
    return _added(fact.new, old, new) if fact.old is None else _removed(fact.old, old, new)


def _added(one: Offering, old: Side, new: Side) -> Change:
    clusters = new.some(one.label)
    kind = "new and deprecated" if one.deprecated else "new"
    title = f"`{one.label}` is {kind} ({named(one.name)}){on(clusters)}"
    change = _available(one, title, clusters, old)
    return change._replace(before=_sell(one.component)) if one.component else change


def _available(one: Offering, title: str, clusters: tuple[str, ...], old: Side) -> Change:
    steps = ["revert and publish", *_delete_class(one, clusters, old)]
    there = " there" if clusters else ""
    steps += [f"and only then drop `{key}` from the quotas{there}" for key in may_go(one.quota_key)]
    return Change(
        "action",
        "GC807",
        title,
        f"{UNLIMITED}{_without_class(one)}",
        quota_before=(one.quota_key,),
        quota_clusters=clusters,
        before=unsold(one),
        after=(RECORD,) if one.device_class else (),
        rollback=", ".join(steps),
    )


def _without_class(one: Offering) -> str:
    if one.device_class:
        return ""
    if one.label == GENERIC_LABEL:
        return f" It has no device class of its own: {ANY_GPU}."
    return " It has no device class: DRA cannot hand it out yet."


def _removed(one: Offering, old: Side, new: Side) -> Change:
    retired = _retired(new, one.label)
    choices = retired.replaced_by if retired else ()
    instead = f" Write {listed(choices, 'or')} instead." if choices else " Nothing replaces it."
    clusters = old.some(one.label)
    plans = (f"take the component `{one.component}` out of Waldur's plans",)
    change = Change(
        "breaking",
        "GC801",
        f"`{one.label}` ({named(one.name)}) is withdrawn",
        f"Actions that say `{one.label}` are refused from now on, and workloads that ask for it"
        f" stay pending.{instead}",
        edits=((one.label, choices),),
        quota_after=may_go(one.quota_key),
        quota_clusters=clusters,
        after=(*_delete_class(one, clusters, new), *(plans if one.component else ())),
        rollback=way_back(one.quota_key, clusters),
    )
    return _told(change, retired) if retired else _untold(change, one.label, choices, old)


def _delete_class(one: Offering, clusters: tuple[str, ...], side: Side) -> tuple[str, ...]:
    return delete_unused(one.device_class.name, clusters, side) if one.device_class else ()


def _sell(component: str) -> tuple[str, ...]:
    return (f"add the component `{component}` to the offering and its plans in Waldur",)


def _retired(new: Side, label: str) -> RetiredLabel | None:
    return next((one for one in new.catalog.retired_labels if one.label == label), None)


def _told(change: Change, retired: RetiredLabel) -> Change:
    reason = _REASONS.get(retired.reason)
    return change._replace(why=f"{change.why} {reason}") if reason else change


def _untold(change: Change, label: str, choices: tuple[str, ...], old: Side) -> Change:
    """The label is gone without a trace: no tool can tell people what to write instead."""
    if not old.placed[label]:  # nobody could write it
        return change
    instead = f" with `replaced_by: [{', '.join(choices)}]`" if choices else ""
    return change._replace(
        code="GC802",
        title=f"{change.title}, and the catalog forgets the old label",
        why=f"{change.why} `gpu-catalog scan` and the docs cannot say what became of it: list"
        f" `{label}` under `retired_labels`{instead}, or keep it as a deprecated offering.",
    )


def enabled(fact: Difference, old: Side, new: Side) -> Change:
    """An offering that some clusters offer now, or no longer."""
    where, clusters = on(fact.clusters), fact.clusters or ()
    if fact.after:
        first = not old.placed[fact.old.label]
        one: Offering = fact.new
        also = "for the first time" if first else "as well"
        title = f"`{one.label}` ({named(one.name)}) is offered{where} {also}"
        change = _available(one, title, clusters, old)
        return change._replace(before=_sell(one.component)) if first and one.component else change
    one = fact.old
    still = list(new.placed.get(one.label, ()))
    return Change(
        "breaking",
        "GC803",
        f"`{one.label}` ({named(one.name)}) is no longer offered{where}",
        "Actions that ask for it there are refused from now on, and workloads stay pending."
        f"{f' It is still offered{on(still)}.' if still else ''}",
        quota_after=may_go(one.quota_key),
        quota_clusters=clusters,
        before=(f"have users of `{one.label}`{where} ask for another label, or go elsewhere",),
        after=_delete_class(one, clusters, new),
        rollback=way_back(one.quota_key, clusters),
    )


def component(fact: Difference, _old: Side, new: Side) -> Change:
    """The Waldur component that an offering is sold as."""
    before, after, key = fact.before, fact.after, fact.new.quota_key
    if before is None:
        return Change(
            "action",
            "GC811",
            f"Waldur sells `{fact.new.label}` as the component `{after}`",
            f"What tenants buy becomes their quota of `{key}`.",
            before=_sell(after),
            rollback="revert and publish, then take the component out of Waldur's plans",
        )
    gone = f"the component `{before}` is gone"
    if after:
        title = f"Waldur's component `{before}` is renamed to `{after}`"
    elif fact.new.component:  # another offering has the label now
        title = f"{gone}: Waldur sells `{fact.new.label}` as `{fact.new.component}`"
    else:
        title = f"Waldur no longer sells `{fact.new.label}`: {gone}"
    steps = (f"add `{after}` to Waldur's offering and plans, and move the limits of `{before}`",)
    own = unsold(fact.new)
    return Change(
        "breaking",
        "GC804",
        title,
        f"The site agent drops the limits of a component that it does not know without a word:"
        f" what tenants bought as `{before}` no longer becomes a quota of `{key}`.",
        quota_before=(key,) if own else (),
        quota_clusters=new.some(fact.new.label) if own else (),
        before=steps if after else own,
        rollback=f"revert and publish; the limits of `{before}` must still be in Waldur",
    )


def mig_profile(fact: Difference, _old: Side, _new: Side) -> Change:
    """The slice of a GPU that a label stands for."""
    before, after = fact.before or "a whole GPU", fact.after or "a whole GPU"
    return Change(
        "breaking",
        "GC805",
        f"`{fact.new.label}` is {after} instead of {before}",
        "Whoever asks for it gets devices of another size than they counted and paid for.",
        before=("configure MIG on the nodes, and restart the DRA driver's kubelet plugin",),
        rollback="revert and publish, and configure MIG as it was",
    )
