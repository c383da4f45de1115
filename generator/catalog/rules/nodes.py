"""Nodes: what an offering looks for, against what the nodes that serve it through DRA carry."""

from __future__ import annotations

from typing import TYPE_CHECKING

from generator.catalog.source import Problem

if TYPE_CHECKING:
    from collections.abc import Iterator

    from generator.catalog.assembly import Data
    from generator.catalog.model import Catalog
    from generator.yamltext import Where


def problems(catalog: Catalog, content: Data) -> Iterator[Problem]:
    """Selectors that no node with the DRA driver can satisfy; once each, however many clusters."""
    yield from dict.fromkeys(_unsatisfied(catalog, content))


def _unsatisfied(catalog: Catalog, content: Data) -> Iterator[Problem]:
    index_of = catalog.index_of
    for number, cluster in enumerate(catalog.clusters):
        overrides = content["clusters"][number].get("overrides", {})
        carried = cluster.dra_node_labels
        for offering in cluster.offerings:
            where: Where = ("offerings", index_of[offering.label])
            if "node_selector" in overrides.get(offering.key, {}):
                where = ("clusters", number, "overrides", offering.key)
            for key, wanted in offering.node_selector.items() if offering.device_class else ():
                if carried.get(key, wanted) != wanted:
                    yield _contradiction(offering.key, key, wanted, carried[key], where)


def _contradiction(offering: str, key: str, wanted: str, carried: str, where: Where) -> Problem:
    message = f"`{offering}` looks for {key}={wanted}, where the nodes of DRA have {carried}"
    hint = "drop the key: the rollout labels the nodes, and a node has one value of it"
    return Problem("GC260", (*where, "node_selector", key), message, hint)
