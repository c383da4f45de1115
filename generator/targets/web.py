"""The web application's mapping from Waldur component to label, in TypeScript."""

from __future__ import annotations

from typing import TYPE_CHECKING

from generator.targets.artifact import Artifact

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from generator.catalog.evidence import Evidence
    from generator.catalog.model import Catalog
    from generator.rendering import Render

_FILE = "web/gpuLabels.ts"


def artifacts(
    catalog: Catalog, _evidence: Mapping[str, Evidence], render: Render
) -> Iterator[Artifact]:
    """One module for all clusters."""
    sold = [offering for offering in catalog.offerings if offering.component]
    deprecated = tuple(offering.component for offering in sold if offering.deprecated)
    yield Artifact(_FILE, render(_FILE, sold=sold, deprecated=deprecated))
