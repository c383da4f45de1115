"""What each difference means, the gravest first."""

from __future__ import annotations

from typing import TYPE_CHECKING

from generator.diff import classes, offerings, settings
from generator.diff.change import LEVELS

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from generator.diff.change import Change
    from generator.diff.comparing import Difference, Side

_MEANINGS: Mapping[str, Callable[[Difference, Side, Side], Change]] = {
    "class": classes.device_class,
    "cluster": settings.cluster,
    "component": offerings.component,
    "consumer": settings.consumer,
    "deprecated": settings.deprecated,
    "enabled": offerings.enabled,
    "expression": classes.expression,
    "files": settings.placements,
    "label": offerings.label,
    "mig_profile": offerings.mig_profile,
    "node_selector": settings.node_selector,
    "notebooks": settings.notebooks,
    "offering": offerings.offering,
    "products": classes.products,
    "replaced_by": settings.replaced_by,
    "retired": settings.retired,
    "verified": classes.verified,
    "waldur": settings.waldur,
    **dict.fromkeys(settings.SETTINGS, settings.setting),
    **dict.fromkeys(("name", "note", "reason", "order"), settings.cosmetic),
}


def changes(facts: Iterable[Difference], old: Side, new: Side) -> list[tuple[Difference, Change]]:
    """Each fact with what it means for who goes from the old catalog to the new one."""
    found = [(fact, _MEANINGS[fact.aspect](fact, old, new)) for fact in facts]
    return sorted(found, key=lambda one: LEVELS.index(one[1].level))
