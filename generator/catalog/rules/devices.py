"""Devices: what a device class selects, and that no two classes select the same device."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from generator.catalog.source import Problem
from generator.kubernetes import MAX_CEL_BYTES

if TYPE_CHECKING:
    from collections.abc import Iterator

    from generator.catalog.assembly import Data
    from generator.catalog.model import Catalog, Cluster, Offering
    from generator.findings import Severity
    from generator.yamltext import Where

_DRIVER_FIRST = re.compile(r"\s*device\.driver\s*==\s*(['\"])[^'\"]+\1\s*(&&|\Z)")


def problems(catalog: Catalog, content: Data) -> Iterator[Problem]:
    """Classes that select nothing definite, that may fail on a device, or that overlap."""
    for index, offering in enumerate(content["offerings"]):
        if "device_class" in offering:
            yield from _selection(offering["device_class"], ("offerings", index, "device_class"))
    for number, cluster in enumerate(catalog.clusters):
        yield from _too_long(cluster, number, catalog, content)
        yield from _overlaps(cluster, catalog)


def _selection(device_class: Data, where: Where) -> Iterator[Problem]:
    composed = [key for key in ("products", "product_names") if key in device_class]
    raw = device_class.get("cel")
    if (raw is None) == (not composed):
        found = "both products and cel" if composed else "neither products nor cel"
        hint = "give products and/or product_names, or one raw `cel` expression instead"
        yield Problem("GC204", where, f"the device class has {found}", hint)
    elif raw is not None and not _DRIVER_FIRST.match(raw):
        message = "the expression does not start by comparing device.driver"
        hint = (
            "start it with device.driver == 'gpu.nvidia.com' && : an expression that fails on one"
            " device of any driver keeps every pod that asks for the label pending"
        )
        yield Problem("GC218", (*where, "cel"), message, hint, "warning")


def _too_long(cluster: Cluster, number: int, catalog: Catalog, content: Data) -> Iterator[Problem]:
    """Source: resource API, CELSelectorExpressionMaxLength; it counts bytes."""
    overrides = content["clusters"][number].get("overrides", {})
    index_of = catalog.index_of
    for offering in cluster.offerings:
        if offering.device_class is None:
            continue
        size = len(offering.device_class.expression.encode())
        if size > MAX_CEL_BYTES:
            where: Where = ("offerings", index_of[offering.label], "device_class")
            if {"products", "product_names"} & set(overrides.get(offering.key, ())):
                where = ("clusters", number, "overrides", offering.key)
            message = f"the selector on {cluster.name} has {size} bytes, more than {MAX_CEL_BYTES}"
            yield Problem("GC113", where, message, "name fewer products")


def _overlaps(cluster: Cluster, catalog: Catalog) -> Iterator[Problem]:
    """A device in two classes is sold twice: each label's quota counts it without the other."""
    index_of = catalog.index_of
    holders: dict[tuple[str | None, str, bool], Offering] = {}  # the first, deprecated or not
    for offering in cluster.offerings:
        if offering.device_class is None:
            continue
        others: dict[str, Offering] = {}
        deprecated = offering.deprecated is not None
        for product in offering.device_class.product_names or (offering.device_class.expression,):
            devices = offering.mig_profile, product
            known = [holders.get((*devices, kind)) for kind in (False, True)]
            others |= {one.label: one for one in known if one and one is not offering}
            holders.setdefault((*devices, deprecated), offering)
        for other in others.values():
            where = ("offerings", index_of[offering.label], "device_class")
            message = f"selects the same devices as {other.key} on {cluster.name}"
            hint = "each device belongs to one offering; a deprecated one may share for a while"
            severity: Severity = "warning" if deprecated or other.deprecated else "error"
            yield Problem("GC220", where, message, hint, severity)
