"""A discovery as text: YAML to paste below `products` and `offerings`, with its questions."""

from __future__ import annotations

from typing import TYPE_CHECKING

from generator.cluster.shapes import shown
from generator.words import counted
from generator.yamltext import scalar

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from generator.catalog.model import Catalog, Cluster
    from generator.cluster.discover import Discovery, Entry

_WIDTH = 80


def text(found: Discovery, catalog: Catalog, cluster: Cluster) -> str:
    """The entries, ready to paste; comments alone where there is nothing to propose."""
    lines = [*_remarks(found, cluster)]
    if not found.entries:
        covered = "Every other GPU of the cluster belongs to an offering."
        none = "No GPU is published: is the DRA driver's kubelet plugin running?"
        return "\n".join([*lines, f"# {covered if found.published else none}"]) + "\n"
    families = {
        entry.family: entry for entry in found.entries if entry.family not in catalog.products
    }
    if families:
        lines += ["products:", *(line for one in families.values() for line in _family(one)), ""]
    lines.append("offerings:")
    for entry in found.entries:
        lines += [*_offering(entry), ""]
    return "\n".join(lines)


def _remarks(found: Discovery, cluster: Cluster) -> Iterator[str]:
    for label, count in found.elsewhere.items():
        yield f"# {label} covers {counted(count, 'device')} here: offer it on {cluster.name}, too."
    for name in found.unusable:
        yield f"# No entry is proposed for {shown(name)!r}: a catalog cannot hold these names."
    if found.entries:
        yield "# Add these entries to the catalog's `products` and `offerings`, and name the new"
        yield f"# components in the `offerings` of {cluster.name} if it lists them."


def _family(entry: Entry) -> Iterator[str]:
    if len(entry.products) > 1:
        yield "  # QUESTION: these cards differ in memory size or form factor. Are they one"
        yield "  # offering at one price? If not, make a family and an offering of each."
    yield from _flow(f"  {scalar(entry.family)}: ", entry.products)


def _offering(entry: Entry) -> Iterator[str]:
    yield f"  # {counted(entry.devices, 'device')} on {counted(entry.nodes, 'node')}"
    if entry.like:
        same = ", ".join(entry.like)
        yield f"  # QUESTION: is it the same offering as {same}?"
        yield "  # Then give that one this device_class instead, or its products these names."
    yield f"  - component: {entry.component}"
    yield f"    name: {scalar(entry.name)}"
    yield f"    label: {scalar(entry.label)}"
    if entry.labelled is None:
        yield "    # Their nodes are not known: see which label these have, or give them this one."
    elif not entry.labelled:
        yield "    # No label is on all of these nodes and tells them apart: give them this one."
    yield f"    node_selector: {{ {_pairs(entry.node_selector)} }}"
    if entry.profile:
        yield f"    mig_profile: {scalar(entry.profile)}"
    yield "    device_class:"
    yield from _flow("      products: ", [entry.family])


def _pairs(mapping: Mapping[str, str]) -> str:
    return ", ".join(f"{scalar(key)}: {scalar(value)}" for key, value in mapping.items())


def _flow(start: str, items: Iterable[str]) -> list[str]:
    """A list in one line, or in block style where it would be too long."""
    quoted = [scalar(item) for item in items]
    line = f"{start}[{', '.join(quoted)}]"
    if len(line) <= _WIDTH:
        return [line]
    indent = " " * (len(start) - len(start.lstrip()) + 2)
    return [start.rstrip(), *(f"{indent}- {item}" for item in quoted)]
