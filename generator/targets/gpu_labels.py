"""The `gpu_labels` document: in the ConfigMap that web and k8s-root-actor read, and for Ansible.

Its readers refuse anything but `node_selector` and a `mig_enabled` that is text.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from generator.targets.artifact import Artifact

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from generator.catalog.evidence import Evidence
    from generator.catalog.model import Catalog
    from generator.rendering import Render

_FILES = ("configmap.yaml", "ansible/themelio_gpu_labels.yml")


def artifacts(
    catalog: Catalog, _evidence: Mapping[str, Evidence], render: Render
) -> Iterator[Artifact]:
    """The ConfigMap and the Ansible variable of each cluster."""
    for cluster in catalog.clusters:
        for file in _FILES:
            text = render(f"clusters/{file}", cluster=cluster)
            yield Artifact(f"clusters/{cluster.name}/{file}", text)
