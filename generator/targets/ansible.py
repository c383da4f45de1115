"""What consumers take as variables: for Ansible roles that loop instead of taking regions."""

from __future__ import annotations

from typing import TYPE_CHECKING

from generator.targets.artifact import Artifact

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from generator.catalog.evidence import Evidence
    from generator.catalog.model import Catalog
    from generator.rendering import Render

_FILE = "ansible/themelio_gpu_consumers.yml"


def artifacts(
    catalog: Catalog, _evidence: Mapping[str, Evidence], render: Render
) -> Iterator[Artifact]:
    """The variables of each cluster."""
    for cluster in catalog.clusters:
        text = render(f"clusters/{_FILE}", sold=cluster.sold, in_notebooks=cluster.in_notebooks)
        yield Artifact(f"clusters/{cluster.name}/{_FILE}", text)
