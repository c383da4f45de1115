"""The labels as an OpenAPI schema, to be put into an API's own document."""

from __future__ import annotations

from typing import TYPE_CHECKING

from generator.targets.artifact import Artifact

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from generator.catalog.evidence import Evidence
    from generator.catalog.model import Catalog
    from generator.rendering import Render

_FILE = "openapi/gpu-label.yaml"


def artifacts(
    catalog: Catalog, _evidence: Mapping[str, Evidence], render: Render
) -> Iterator[Artifact]:
    """One schema of every label that some cluster has."""
    yield Artifact(_FILE, render(_FILE, offerings=catalog.enabled))
