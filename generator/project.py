"""A project: a catalog, the evidence of its clusters, and the artifacts made from both."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from generator import files
from generator.catalog import reader
from generator.catalog.evidence import Evidence, read_evidence
from generator.rendering import renderer
from generator.targets import TARGETS, Artifact

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from pathlib import Path

    from generator.catalog.model import Catalog
    from generator.catalog.source import Source
    from generator.findings import Finding


@dataclass(frozen=True, slots=True)
class Project:
    """A valid catalog with its source (for positions), its evidence and its warnings."""

    path: Path
    catalog: Catalog
    source: Source
    evidence: Mapping[str, Evidence]
    warnings: Sequence[Finding]

    def artifacts(self) -> dict[str, tuple[str, Artifact]]:
        """Every artifact by its path, with its target's name; rendered anew at each call."""
        render = renderer(self.path.name)
        return {
            artifact.path: (target, artifact)
            for target, artifacts in TARGETS.items()
            for artifact in artifacts(self.catalog, self.evidence, render)
        }


def open_project(
    path: Path, read: Callable[[Path], bytes | None] = files.read_if_exists
) -> Project:
    """Read the catalog and its clusters' evidence through `read`; raises Invalid or Unsafe."""
    data = read(path)
    if data is None:
        raise files.unsafe(path, "there is no such file", "name the catalog with --catalog FILE")
    catalog, source, warnings = reader.read(data, str(path))
    evidence = {
        cluster.name: read_evidence(read(path.parent / cluster.evidence), cluster.evidence)
        for cluster in catalog.clusters
    }
    return Project(path, catalog, source, evidence, warnings)
