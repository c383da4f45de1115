"""What it means when something changes that is not about which devices can be had."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from generator.diff.change import Change, listed, named, on, spelled

if TYPE_CHECKING:
    from generator.diff.comparing import Difference
    from generator.diff.sides import Side


def node_selector(fact: Difference, _old: Side, _new: Side) -> Change:
    """The node labels that a label's workloads are sent to."""
    before, after = (_pairs(each) for each in (fact.before, fact.after))
    return Change(
        "action",
        "GC810",
        f"`{fact.new.label}` goes to nodes with `{after}` instead of `{before}`{on(fact.clusters)}",
        "What runs stays where it is; new workloads stay pending until nodes carry these labels.",
        before=(f"check that nodes carry them: `kubectl get nodes -l {after}`",),
    )


def _pairs(selector: tuple[tuple[str, str], ...]) -> str:
    return ",".join(f"{key}={text}" for key, text in selector)


def waldur(fact: Difference, _old: Side, _new: Side) -> Change:
    """The site agent's fields of a component."""
    names = sorted({*fact.before, *fact.after})
    changed = [name for name in names if fact.before.get(name) != fact.after.get(name)]
    words = (
        f"`{name}` {spelled(_text(fact.before.get(name)))} becomes"
        f" {spelled(_text(fact.after.get(name)))}"
        for name in changed
    )
    return Change(
        "action",
        "GC811",
        f"Waldur's component `{fact.new.key}`: {', '.join(words)}",
        "The site agent tells Waldur how the component is counted and sold.",
        before=("check what it does to running contracts and to the next invoice",),
    )


def _text(setting: object) -> str | None:
    """The setting as YAML writes it."""
    return setting if setting is None or isinstance(setting, str) else json.dumps(setting)


def consumer(fact: Difference, _old: Side, _new: Side) -> Change:
    """A repository that receives files, or no longer."""
    if fact.old is None:
        title = f"`{fact.new.name}` receives files from now on"
        why = "Its files are overwritten by `gpu-catalog publish`, and its CI can check them."
        return Change("action", "GC811", title, why)
    title = f"`{fact.old.name}` no longer receives files"
    why = "What was published there stays, and is no longer kept in step."
    step = "delete there what was published, or have somebody keep it by hand"
    return Change("action", "GC811", title, why, after=(step,))


def placements(fact: Difference, _old: Side, _new: Side) -> Change:
    """Which artifacts a consumer receives, and where."""
    gone = [one.to for one in fact.before if one not in fact.after]
    come = [one.to for one in fact.after if one not in fact.before]
    parts = [
        f"{verb} {listed(dict.fromkeys(paths))}"
        for verb, paths in (("gains", come), ("loses", gone))
        if paths
    ]
    title = f"`{fact.new.name}` {' and '.join(parts) or 'receives its files in another order'}"
    if not parts:
        return Change("cosmetic", "GC813", title, "It changes nothing that is published.")
    why = "A place that is no longer listed stays as it is, and is no longer kept in step."
    return Change("action", "GC811", title, why)


def notebooks(fact: Difference, _old: Side, _new: Side) -> Change:
    """Whether Kubeflow's form offers a label."""
    verb = "is offered" if fact.after else "is no longer offered"
    why = "Notebooks that run keep what they have."
    return Change("safe", "GC812", f"`{fact.new.label}` {verb} in Kubeflow's notebook form", why)


def deprecated(fact: Difference, _old: Side, _new: Side) -> Change:
    """Whether an offering is still recommended."""
    one = fact.new
    if not fact.after:
        why = "It is back in Kubeflow's form and in the docs' main table."
        return Change("safe", "GC812", f"`{one.label}` is no longer deprecated", why)
    instead = listed(one.deprecated.replaced_by, "or")
    users = "Actions" if fact.old.component and not one.component else "Actions and quotas"
    why = (
        f"{users} that name it go on as before; it leaves Kubeflow's form and the docs' main table."
    )
    edits = ((one.label, one.deprecated.replaced_by),) if instead else ()
    title = f"`{one.label}` is deprecated{f': use {instead}' if instead else ''}"
    return Change("safe", "GC812", title, why, edits=edits)


def retired(fact: Difference, _old: Side, _new: Side) -> Change:
    """A retired label that no offering of either catalog has or had."""
    one = fact.new or fact.old
    instead = listed(one.replaced_by, "or")
    words = f", write {instead} instead" if instead else ""
    if fact.old is None:
        why = "Nobody could ask for it; from now on `gpu-catalog scan` finds it."
        edits = ((one.label, one.replaced_by),)
        return Change("safe", "GC812", f"`{one.label}` is retired{words}", why, edits=edits)
    why = "`gpu-catalog scan` no longer finds it, and the docs no longer say what to write instead."
    return Change("safe", "GC812", f"`{one.label}` is no longer listed as retired", why)


def replaced_by(fact: Difference, _old: Side, _new: Side) -> Change:
    """What to write instead of a retired or deprecated label."""
    label = fact.new.label
    title = (
        f"instead of `{label}`, people are told to write {listed(fact.after, 'or') or 'nothing'}"
    )
    why = f"Until now that was {listed(fact.before, 'or') or 'nothing'}."
    return Change("safe", "GC812", title, why, edits=((label, fact.after),))


_COSMETIC = {
    "name": "`{subject}` is called {after} instead of {before}",
    "note": "the note of `{subject}` reads {after} instead of {before}",
    "reason": "the reason of `{subject}` is {after} instead of {before}",
    "order": "the order of `{subject}` changes",
}


def cosmetic(fact: Difference, _old: Side, _new: Side) -> Change:
    """What people only read."""
    subject = fact.new if isinstance(fact.new, str) else fact.new.label
    values = {side: getattr(fact, side) for side in ("before", "after")}
    if fact.aspect in ("note", "name"):
        said = spelled if fact.aspect == "note" else named
        values = {side: said(text) for side, text in values.items()}
    title = _COSMETIC[fact.aspect].format(subject=subject, **values)
    return Change("cosmetic", "GC813", title, "Only what people read changes.")
