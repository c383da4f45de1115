"""The GPU vendors of Kubeflow's notebook form, in the shape of its `spawner_ui_config.yaml`.

Source: kubeflow/notebooks, branch notebooks-v1: both keys of a vendor are read with `[]`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from generator.targets.artifact import Artifact

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from generator.catalog.evidence import Evidence
    from generator.catalog.model import Catalog
    from generator.rendering import Render

_FILE = "kubeflow/spawner-vendors.yaml"


def artifacts(
    catalog: Catalog, _evidence: Mapping[str, Evidence], render: Render
) -> Iterator[Artifact]:
    """The vendors of each cluster."""
    for cluster in catalog.clusters:
        text = render(f"clusters/{_FILE}", in_notebooks=cluster.in_notebooks)
        yield Artifact(f"clusters/{cluster.name}/{_FILE}", text)
