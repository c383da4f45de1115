"""What differs between two catalogs, as facts without a judgement.

A fact seen backwards is the same fact with old and new exchanged: nothing here knows which of the
two catalogs is the newer one.
"""

from __future__ import annotations

from operator import attrgetter
from typing import TYPE_CHECKING, Any, NamedTuple

from generator.diff.pairing import alike, pairing
from generator.targets.rollout import guard_keys

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence

    from generator.catalog.model import Catalog, Cluster, Offering
    from generator.diff.pairing import Pairing
    from generator.diff.sides import Side


class Difference(NamedTuple):
    """One fact that differs.

    `old` and `new` are what it is a fact of: an offering, a cluster, a consumer, a retired label;
    None where a catalog has no such thing. `before` and `after` are the fact's values. `clusters`
    are those where it differs, None where that is everywhere, or where clusters do not matter.
    """

    aspect: str
    old: Any
    new: Any
    before: Any = None
    after: Any = None
    clusters: tuple[str, ...] | None = None


def compare(old: Side, new: Side) -> list[Difference]:
    """Every fact that differs, in the order of the catalogs."""
    found = pairing(old.catalog.offerings, new.catalog.offerings)
    return [
        *(Difference("offering", one, None) for one in found.removed),
        *(Difference("offering", None, one) for one in found.added),
        *_enabled(old, new, found.pairs),
        *(fact for pair in found.pairs for fact in _pair(old, new, *pair)),
        *(fact for pair in found.kept for fact in _kept(old, new, *pair)),
        *_components(old.catalog, new.catalog, found.kept),
        *_retired(old.catalog, new.catalog),
        *_clusters(old, new),
        *_named(old.catalog.consumers, new.catalog.consumers, "consumer", _CONSUMER),
        *_order(old.catalog, new.catalog, found),
    ]


_OFFERING: dict[str, Callable[[Any], object]] = {
    "label": lambda one: one.label,
    "component": lambda one: one.component,
    "name": lambda one: one.name,
    "mig_profile": lambda one: one.mig_profile,
    "notebooks": lambda one: one.notebooks,
}
_SOLD: dict[str, Callable[[Any], object]] = {"waldur": lambda one: one.waldur}
_LABEL: dict[str, Callable[[Any], object]] = {
    "class": lambda one: one.device_class and one.device_class.name,
    "deprecated": lambda one: one.deprecated is not None,
}
_DEPRECATED: dict[str, Callable[[Any], object]] = {
    "replaced_by": lambda one: one.deprecated.replaced_by,
    "note": lambda one: one.deprecated.note,
}
_RETIRED: dict[str, Callable[[Any], object]] = {
    "replaced_by": lambda one: one.replaced_by,
    "reason": lambda one: one.reason,
}
_CLUSTER: dict[str, Callable[[Any], object]] = {
    "kubernetes": lambda one: one.kubernetes,
    "feature_gates": lambda one: tuple(sorted(one.feature_gates)),
    "device_plugin": lambda one: one.device_plugin,
    "namespace": lambda one: one.namespace,
    "config_map": lambda one: (one.config_map_name, one.config_map_key),
    "kube_context": lambda one: one.kube_context,
    "evidence": lambda one: one.evidence,
}
_CONSUMER: dict[str, Callable[[Any], object]] = {"files": lambda one: one.files}


def _unlike(
    old: object, new: object, facts: Mapping[str, Callable[[Any], object]]
) -> Iterator[Difference]:
    for aspect, fact in facts.items():
        before, after = fact(old), fact(new)
        if before != after:
            yield Difference(aspect, old, new, before, after)


def _pair(old: Side, new: Side, before: Offering, after: Offering) -> Iterator[Difference]:
    yield from _unlike(before, after, _OFFERING)
    if before.component and after.component:
        yield from _unlike(before, after, _SOLD)
    yield from _kept(old, new, before, after)


def _kept(old: Side, new: Side, before: Offering, after: Offering) -> Iterator[Difference]:
    """What differs for who asks for the label, whatever else became of the offering."""
    yield from _unlike(before, after, _LABEL)
    if before.deprecated and after.deprecated:
        yield from _unlike(before, after, _DEPRECATED)
    yield from _on_clusters(old, new, before, after)


def _components(
    old: Catalog, new: Catalog, kept: Iterable[tuple[Offering, Offering]]
) -> Iterator[Difference]:
    """Components that go or come with an offering whose label is another one's before or after."""
    was, now = ({None, *(one.component for one in each.offerings)} for each in (old, new))
    for before, after in kept:
        if before.component not in now:
            yield Difference("component", before, after, before.component, None)
        if after.component not in was:
            yield Difference("component", before, after, None, after.component)


def _enabled(
    old: Side, new: Side, pairs: Iterable[tuple[Offering, Offering]]
) -> Iterator[Difference]:
    """Where labels are offered in one catalog alone, of the clusters of both.

    A renamed label is held against its new name, unless one of the two is another offering's.
    """
    before, after = ({one.label: one for one in each.catalog.offerings} for each in (old, new))
    known = {one.name for one in new.catalog.clusters}
    shared = sorted(one.name for one in old.catalog.clusters if one.name in known)
    same = [(one, after[one.label]) for one in old.catalog.offerings if one.label in after]
    renamed = [pair for pair in pairs if pair[0].label != pair[1].label]
    for one, other in (*same, *renamed):
        was, now = old.placed[one.label], new.placed[other.label]
        gone = tuple(name for name in shared if name in was and name not in now)
        come = tuple(name for name in shared if name in now and name not in was)
        is_same = one.label == other.label
        if gone and (is_same or one.label not in after):
            yield Difference("enabled", one, other, before=True, after=False, clusters=gone)
        if come and (is_same or other.label not in before):
            yield Difference("enabled", one, other, before=False, after=True, clusters=come)


def _on_clusters(old: Side, new: Side, before: Offering, after: Offering) -> Iterator[Difference]:
    """What an offering is on the clusters of both catalogs; a fact of all of them is one fact."""
    was, now = old.placed[before.label], new.placed[after.label]
    both = [name for name in was if name in now]
    facts: dict[tuple[Any, ...], list[str]] = {}
    for name in both:
        verified = old.evidence[name].verifies(was[name]), new.evidence[name].verifies(now[name])
        for fact in _effective(was[name], now[name], verified):
            facts.setdefault(fact, []).append(name)
    if not both:
        facts = {fact: [] for fact in _effective(before, after, (False, False))}
    for (aspect, value, other), where in facts.items():
        clusters = None if len(where) == len(both) else tuple(sorted(where))
        yield Difference(aspect, before, after, value, other, clusters)


def _effective(
    before: Offering, after: Offering, verified: tuple[bool, bool]
) -> Iterator[tuple[Any, ...]]:
    """Facts that clusters may override, as aspect, before and after."""
    selectors = [tuple(sorted(one.node_selector.items())) for one in (before, after)]
    if selectors[0] != selectors[1]:
        yield "node_selector", *selectors
    was, now = before.device_class, after.device_class
    if was is None or now is None:
        return
    if was.product_names and now.product_names and {*was.product_names} != {*now.product_names}:
        yield "products", was.product_names, now.product_names
    elif was.expression != now.expression:
        if before.mig_profile == after.mig_profile:
            yield "expression", was.expression, now.expression
    elif verified[0] != verified[1] and (before.label, was.name) == (after.label, now.name):
        yield "verified", *verified


def _retired(old: Catalog, new: Catalog) -> Iterator[Difference]:
    """Retired labels; those that an offering had or has now belong to what became of it."""
    offered = {one.label for catalog in (old, new) for one in catalog.offerings}
    before = {one.label: one for one in old.retired_labels}
    after = {one.label: one for one in new.retired_labels}
    for label in dict.fromkeys((*before, *after)):
        if label in before and label in after:
            yield from _unlike(before[label], after[label], _RETIRED)
        elif label not in offered:
            yield Difference("retired", before.get(label), after.get(label))


def _clusters(old: Side, new: Side) -> Iterator[Difference]:
    """Clusters by name, else by kubectl context, if they still offer the same labels."""
    left = [one for one in old.catalog.clusters if one.name not in new.clusters]
    right = [one for one in new.catalog.clusters if one.name not in old.clusters]
    renamed = list(alike(left, right, _reached))
    for before, after in renamed:
        yield Difference("renamed", before, after, before.name, after.name)
        yield from _unlike(before, after, _CLUSTER)
    told = {one.name for pair in renamed for one in pair}
    rest = [[one for one in each.catalog.clusters if one.name not in told] for each in (old, new)]
    yield from _named(rest[0], rest[1], "cluster", _CLUSTER)
    now = {one.name: one for one in rest[1]}
    yield from _guards(old, new, [*renamed, *((o, now[o.name]) for o in rest[0] if o.name in now)])


def _guards(old: Side, new: Side, pairs: Iterable[tuple[Cluster, Cluster]]) -> Iterator[Difference]:
    for before, after in pairs:
        was, now = guard_keys(old.catalog, before), guard_keys(new.catalog, after)
        if was != now:
            yield Difference("guard", before, after, tuple(was), tuple(now))


def _reached(cluster: Cluster) -> Hashable:
    labels = frozenset(one.label for one in cluster.offerings)
    return cluster.kube_context and (cluster.kube_context, labels)


def _named(
    old: Sequence[Any], new: Sequence[Any], kind: str, facts: Mapping[str, Callable[[Any], object]]
) -> Iterator[Difference]:
    """Things that are known by their names."""
    before, after = {one.name: one for one in old}, {one.name: one for one in new}
    for name in dict.fromkeys((*before, *after)):
        if name in before and name in after:
            yield from _unlike(before[name], after[name], facts)
        else:
            yield Difference(kind, before.get(name), after.get(name))


def _order(old: Catalog, new: Catalog, found: Pairing) -> Iterator[Difference]:
    """Whether what both catalogs have stands in another order."""
    was, now = ({one.label: at for at, one in enumerate(each.offerings)} for each in (old, new))
    by_old = sorted(found.pairs, key=lambda pair: was[pair[0].label])
    if by_old != sorted(found.pairs, key=lambda pair: now[pair[1].label]):
        yield Difference("order", "offerings", "offerings")
    for what in ("retired_labels", "clusters", "consumers"):
        name = attrgetter("label" if what == "retired_labels" else "name")
        before, after = ([name(one) for one in getattr(each, what)] for each in (old, new))
        shared = {*before} & {*after}
        if [one for one in before if one in shared] != [one for one in after if one in shared]:
            yield Difference("order", what, what)
