"""The Waldur site agent's configuration, as a template for Ansible.

Source: waldur-site-agent-k8s-ut-namespace 1.0.7, `_waldur_limits_to_quota`: a component's quota
key is looked up by its `type`, else by its name, and is written as it stands in the mapping.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from generator.targets.artifact import Artifact

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from generator.catalog.evidence import Evidence
    from generator.catalog.model import Catalog
    from generator.rendering import Render

_FILE = "waldur/site-agent.yaml.j2"


def artifacts(
    catalog: Catalog, _evidence: Mapping[str, Evidence], render: Render
) -> Iterator[Artifact]:
    """The template of each cluster."""
    for cluster in catalog.clusters:
        text = render(f"clusters/{_FILE}", cluster=cluster, sold=cluster.sold)
        yield Artifact(f"clusters/{cluster.name}/{_FILE}", text)
