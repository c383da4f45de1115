"""Waldur's settings: what makes no quota, or another one than was sold.

Sources: Mastermind `marketplace/utils.py` `get_components_map` (limits only of these components),
Waldur's site agent, plugin k8s-ut-namespace, `backend.py` `_waldur_limits_to_quota`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from generator.catalog.assembly import WALDUR_DEFAULTS
from generator.catalog.source import Problem

if TYPE_CHECKING:
    from collections.abc import Iterator

    from generator.catalog.assembly import Data
    from generator.catalog.model import Catalog
    from generator.yamltext import Where


def problems(_catalog: Catalog, content: Data) -> Iterator[Problem]:
    """Settings of a component, or of all, that leave tenants without the quota they bought."""
    everywhere = WALDUR_DEFAULTS | content.get("waldur", {})
    yield from _without_quota(("waldur",), content.get("waldur", {}), everywhere)
    for index, offering in enumerate(content["offerings"]):
        own = offering.get("waldur", {})
        yield from _without_quota(("offerings", index, "waldur"), own, everywhere | own)


def _without_quota(where: Where, own: Data, settings: Data) -> Iterator[Problem]:
    kind = settings["accounting_type"]
    has_limits = kind == "limit" or (kind == "one" and settings.get("is_prepaid"))
    if "accounting_type" in own and not has_limits:
        message = f"Waldur keeps no limit of a component of `{kind}`: its tenants get no quota"
        hint = "write `limit`, or set the quota key yourself: a label without one is unlimited"
        yield Problem("GC227", (*where, "accounting_type"), message, hint, "warning")
    if own.get("unit_factor", 1) != 1:
        message = "the site agent's plugin counts one device a unit, whatever the factor"
        hint = "drop unit_factor, and sell whole devices"
        yield Problem("GC227", (*where, "unit_factor"), message, hint, "warning")
