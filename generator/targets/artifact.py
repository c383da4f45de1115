"""What a target makes, and what it is made from."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from generator.catalog.evidence import Evidence
    from generator.catalog.model import Catalog
    from generator.rendering import Render


class Artifact(NamedTuple):
    """One generated file: its path below the output folder, with `/`, and its text."""

    path: str
    text: str


Artifacts: TypeAlias = "Mapping[str, tuple[str, Artifact]]"
"""Every artifact by its path, with the name of the target that made it."""

Target: TypeAlias = "Callable[[Catalog, Mapping[str, Evidence], Render], Iterator[Artifact]]"
"""A pure function from the catalog, and the evidence by cluster name, to artifacts."""
