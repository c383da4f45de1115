"""What it means when a cluster comes, goes, is renamed, or is set up differently."""

from __future__ import annotations

from typing import TYPE_CHECKING

from generator.diff.change import UNLIMITED, Change, listed, spelled
from generator.kubernetes import DRIVER
from generator.markdown import span

if TYPE_CHECKING:
    from generator.diff.comparing import Difference
    from generator.diff.sides import Side


_COMPONENTS = "apiserver, controller-manager, scheduler and kubelet, and restart them"


def cluster(fact: Difference, _old: Side, _new: Side) -> Change:
    """A cluster that only one of the catalogs has."""
    one = fact.new or fact.old
    labels = listed(each.label for each in one.offerings)
    keys = tuple(each.quota_key for each in one.offerings)
    if fact.old is None:
        return Change(
            "action",
            "GC807",
            f"the cluster `{one.name}` is new, and offers {labels}",
            UNLIMITED,
            quota_before=keys,
            quota_clusters=(one.name,),
            before=(f"follow `clusters/{one.name}/rollout/RUNBOOK.md`",),
            rollback="revert and publish; what was applied to the cluster stays there",
        )
    return Change(
        "breaking",
        "GC803",
        f"the cluster `{one.name}` is gone, which offered {labels}",
        "Nothing is generated for it any more. What was applied to it stays as it is: its device"
        " classes go on handing out these labels, so that its quotas must keep their keys.",
    )


def renamed(fact: Difference, _old: Side, _new: Side) -> Change:
    """A cluster that has another name, and the same kubectl context and labels."""
    before, after = fact.old, fact.new
    move = f"move {span(before.evidence)}, if there is one, to {span(after.evidence)}"
    return Change(
        "action",
        "GC810",
        f"the cluster `{before.name}` is called `{after.name}` from now on",
        f"Both have the kubectl context {span(after.kube_context)} and offer the same labels: its"
        " quotas and what was applied to it stay as they are. Its files move to"
        f" `clusters/{after.name}/`.",
        before=(move,) if before.evidence != after.evidence else (),
    )


def feature_gates(fact: Difference, _old: Side, _new: Side) -> Change:
    """Gates that are set by hand, or need not be any more."""
    come = [gate for gate in fact.after if gate not in fact.before]
    gone = [gate for gate in fact.before if gate not in fact.after]
    needed = (
        "Without the gates that its version needs, the API server drops a class's label unseen."
    )
    return Change(
        "action",
        "GC810",
        f"`{fact.new.name}`: the feature gates become {spelled(fact.after)} (they were"
        f" {spelled(fact.before)})",
        needed if come else "A component does not start with a gate that is gone in its version.",
        before=(f"set {listed(come)} on {_COMPONENTS}",) if come else (),
        after=(f"take {listed(gone)} out of {_COMPONENTS}",) if gone else (),
    )


def guard(fact: Difference, _old: Side, _new: Side) -> Change:
    """The driver's own ways to GPUs that the quota guard closes, or leaves to a label's quota."""
    name = fact.new.name
    closed = [key for key in fact.after if key not in fact.before]
    opened = [key for key in fact.before if key not in fact.after]
    apply = (f"apply `clusters/{name}/rollout/quota-guard.yaml` anew in every tenant namespace",)
    if closed:
        return Change(
            "action",
            "GC810",
            f"`{name}`: the quota guard closes {listed(closed)}",
            f"The driver's class `{DRIVER}`, or a device plugin, hands GPUs out by these names,"
            " whatever the catalog says; no quota limits them by a key that it lacks.",
            before=apply,
            rollback="revert and publish, and apply the guard as it was",
        )
    return Change(
        "action",
        "GC810",
        f"`{name}`: the quota guard no longer closes {listed(opened)}",
        "Pods may be charged to this from now on, and the 0 of the guard that is in place refuses"
        " them.",
        after=apply,
        rollback="apply the guard as it was, then revert and publish",
    )


_SEEN = {
    "kubernetes": (
        "Kubernetes {before} becomes {after}",
        "The version decides which feature gates DRA needs, and what Kubespray installs.",
        "bring the cluster to it, then use its files: `clusters/{cluster}/rollout/RUNBOOK.md`",
    ),
    "device_plugin": (
        "the device plugin is {after} instead of {before}",
        "Where plugin and DRA driver hand out the GPUs of one node, a GPU can be given twice.",
        "drain the GPU nodes before the switch: `clusters/{cluster}/rollout/RUNBOOK.md`",
    ),
    "namespace": (
        "the ConfigMap moves from the namespace {before} to {after}",
        "Web and k8s-root-actor read it from their own namespace, and the old one stays behind.",
        "have web and k8s-root-actor read it in {after}; delete the old ConfigMap afterwards",
    ),
    "config_map": (
        "the ConfigMap and key {before} become {after}",
        "Web and k8s-root-actor take the variable from there, and the old one stays behind.",
        "have web and k8s-root-actor read {after}; delete the old ConfigMap afterwards",
    ),
}
_UNSEEN = {
    "kube_context": "the kubectl context is {after} instead of {before}",
    "evidence": "the evidence file is {after} instead of {before}",
}
SETTINGS = (*_SEEN, *_UNSEEN)
"""The facts of a cluster that are one setting each."""


def setting(fact: Difference, _old: Side, _new: Side) -> Change:
    """A setting of one cluster."""
    name = fact.new.name
    values = {side: spelled(getattr(fact, side)) for side in ("before", "after")}
    if fact.aspect in _UNSEEN:
        title = _UNSEEN[fact.aspect].format(**values)
        return Change("cosmetic", "GC813", f"`{name}`: {title}", "gpu-catalog alone uses it.")
    title, why, step = (words.format(cluster=name, **values) for words in _SEEN[fact.aspect])
    return Change("action", "GC810", f"`{name}`: {title}", why, before=(step,))
