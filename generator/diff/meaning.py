"""What each difference means, the gravest first."""

from __future__ import annotations

from typing import TYPE_CHECKING

from generator.catalog.model import Offering
from generator.diff import classes, clusters, offerings, settings
from generator.diff.change import LEVELS, Change

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from generator.diff.comparing import Difference
    from generator.diff.sides import Side

_MEANINGS: Mapping[str, Callable[[Difference, Side, Side], Change]] = {
    "class": classes.device_class,
    "cluster": clusters.cluster,
    "component": offerings.component,
    "consumer": settings.consumer,
    "deprecated": settings.deprecated,
    "enabled": offerings.enabled,
    "expression": classes.expression,
    "feature_gates": clusters.feature_gates,
    "files": settings.placements,
    "guard": clusters.guard,
    "label": offerings.label,
    "mig_profile": offerings.mig_profile,
    "node_selector": settings.node_selector,
    "notebooks": settings.notebooks,
    "offering": offerings.offering,
    "products": classes.products,
    "renamed": clusters.renamed,
    "replaced_by": settings.replaced_by,
    "retired": settings.retired,
    "verified": classes.verified,
    "waldur": settings.waldur,
    **dict.fromkeys(clusters.SETTINGS, clusters.setting),
    **dict.fromkeys(("name", "note", "reason", "order"), settings.cosmetic),
}


def changes(facts: Iterable[Difference], old: Side, new: Side) -> list[tuple[Difference, Change]]:
    """Each fact with what it means for who goes from the old catalog to the new one."""
    found = [(fact, _meaning(fact, old, new)) for fact in facts]
    return sorted(found, key=lambda one: LEVELS.index(one[1].level))


def _meaning(fact: Difference, old: Side, new: Side) -> Change:
    change = _MEANINGS[fact.aspect](fact, old, new)
    if change.level in ("safe", "cosmetic") or _is_used(fact, old, new):
        return change
    nobody = "No cluster offered it" if fact.old else "No cluster offers it yet"
    return Change("safe", "GC812", change.title, f"{nobody}, so nothing changes for anybody.")


def _is_used(fact: Difference, old: Side, new: Side) -> bool:
    """Whether anybody can be affected; that a cluster begins to offer it is a fact of its own."""
    if fact.aspect == "enabled" or not isinstance(fact.old or fact.new, Offering):
        return True
    return bool(old.placed[fact.old.label] if fact.old else new.placed[fact.new.label])
