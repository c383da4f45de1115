"""References: every name leads to something, and to something that people may use."""

from __future__ import annotations

from typing import TYPE_CHECKING

from generator.catalog.assembly import key_of
from generator.catalog.source import Problem
from generator.words import Nearest

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from generator.catalog.assembly import Data
    from generator.catalog.model import Catalog
    from generator.yamltext import Where


def problems(catalog: Catalog, content: Data) -> Iterator[Problem]:
    """References to products, offerings and labels that are not there, or no longer offered."""
    nearest = Nearest()
    yield from _products(content, nearest)
    yield from _replacements(catalog, content, nearest)
    yield from _retired(catalog, content)
    yield from _cluster_offerings(content, nearest)
    yield from _overrides(content, nearest)


def _unknown(
    what: str, name: str, known: Iterable[str], where: Where, nearest: Nearest, *, on_key: bool
) -> Problem:
    names = list(known)
    near = nearest(name, names)
    hint = f"did you mean `{near}`?" if near else f"known: {', '.join(names[:12]) or 'none'}"
    return Problem("GC209", where, f"there is no {what} `{name}`", hint, on_key=on_key)


def _products(content: Data, nearest: Nearest) -> Iterator[Problem]:
    families = content.get("products", {})
    holders: list[tuple[Where, Data]] = [
        (("offerings", index, "device_class"), offering.get("device_class", {}))
        for index, offering in enumerate(content["offerings"])
    ]
    for index, cluster in enumerate(content["clusters"]):
        for key, override in cluster.get("overrides", {}).items():
            holders.append((("clusters", index, "overrides", key), override))
    for where, holder in holders:
        for place, family in enumerate(holder.get("products", ())):
            if family not in families:
                at = (*where, "products", place)
                yield _unknown("product family", family, families, at, nearest, on_key=False)


def _replacements(catalog: Catalog, content: Data, nearest: Nearest) -> Iterator[Problem]:
    """What people are told to write instead must be a label that they can write."""
    offered = {one.label: one.deprecated is None for one in catalog.offerings}
    enabled = _enabled(catalog, content)
    for section, key in (("offerings", "deprecated"), ("retired_labels", None)):
        for index, holder in enumerate(content.get(section, ())):
            where: Where = (section, index) if key is None else (section, index, key)
            named = holder if key is None else holder.get(key, {})
            for place, label in enumerate(named.get("replaced_by", ())):
                at = (*where, "replaced_by", place)
                if label not in offered:
                    yield _unknown(
                        "offering with the label", label, offered, at, nearest, on_key=False
                    )
                elif not offered[label]:
                    message = f"`{label}` is deprecated itself"
                    yield Problem("GC217", at, message, "name a label that is still offered")
                elif label not in enabled:
                    message = f"`{label}` is offered on no cluster"
                    hint = "name a label that is, or list its offering in a cluster's `offerings`"
                    yield Problem("GC217", at, message, hint, "warning")


def _enabled(catalog: Catalog, content: Data) -> set[str]:
    """The labels that some cluster offers; all of them while a cluster's list has a typo."""
    known = {key_of(offering) for offering in content["offerings"]}
    listed = {key for cluster in content["clusters"] for key in cluster.get("offerings", ())}
    found = catalog.enabled if listed <= known else catalog.offerings
    return {offering.label for offering in found}


def _retired(catalog: Catalog, content: Data) -> Iterator[Problem]:
    offered = {offering.label for offering in catalog.offerings}
    for index, retired in enumerate(content.get("retired_labels", ())):
        where: Where = ("retired_labels", index)
        if retired["label"] in offered:
            message = f"`{retired['label']}` is retired and an offering's label at once"
            hint = "to keep an old label alive for a while, make it a deprecated offering instead"
            yield Problem("GC216", (*where, "label"), message, hint)
        if "replaced_by" not in retired and retired["reason"] != "withdrawn":
            message = f"`{retired['label']}` says no replaced_by"
            hint = "add replaced_by: [the label to write instead]; only withdrawn ones have none"
            yield Problem("GC223", where, message, hint)


def _cluster_offerings(content: Data, nearest: Nearest) -> Iterator[Problem]:
    keys = dict.fromkeys(key_of(offering) for offering in content["offerings"])
    for index, cluster in enumerate(content["clusters"]):
        for place, key in enumerate(cluster.get("offerings", ())):
            if key not in keys:
                where = ("clusters", index, "offerings", place)
                yield _unknown("offering", key, keys, where, nearest, on_key=False)


def _overrides(content: Data, nearest: Nearest) -> Iterator[Problem]:
    offerings = {key_of(offering): offering for offering in content["offerings"]}
    for index, cluster in enumerate(content["clusters"]):
        for key, override in cluster.get("overrides", {}).items():
            where = ("clusters", index, "overrides", key)
            if key not in offerings:
                yield _unknown("offering", key, offerings, where, nearest, on_key=True)
            elif key not in cluster.get("offerings", offerings):
                message = f"`{key}` is overridden, but not offered on this cluster"
                hint = "add it to the cluster's offerings, or drop the override"
                yield Problem("GC226", where, message, hint, on_key=True)
            elif "products" in override or "product_names" in override:
                yield from _overridden_class(offerings[key], key, where)


def _overridden_class(offering: Data, key: str, where: Where) -> Iterator[Problem]:
    device_class = offering.get("device_class")
    if device_class is None or "cel" in device_class:
        what = "a raw cel expression" if device_class else "no device_class"
        message = f"`{key}` has {what}: there are no products to override"
        hint = "give the offering products, or drop the override"
        yield Problem("GC226", where, message, hint, on_key=True)
