"""The DeviceClasses through which Kubernetes hands out the devices of a label.

The annotation says whether the selectors were seen to match devices of that cluster.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from generator.targets.artifact import Artifact

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from generator.catalog.evidence import Evidence
    from generator.catalog.model import Catalog
    from generator.rendering import Render

_FOLDER = "deviceclasses"


def artifacts(
    catalog: Catalog, evidence: Mapping[str, Evidence], render: Render
) -> Iterator[Artifact]:
    """One manifest a class, and what `kubectl apply -k` reads, for each cluster."""
    for cluster in catalog.clusters:
        folder = f"clusters/{cluster.name}/{_FOLDER}"
        recorded = evidence[cluster.name]
        names = []
        for offering in cluster.offerings:
            if offering.device_class is None:
                continue
            text = render(
                f"clusters/{_FOLDER}/class.yaml",
                device_class=offering.device_class,
                label=offering.label,
                selectors="verified" if recorded.verifies(offering) else "unverified",
            )
            names.append(offering.device_class.name)
            yield Artifact(f"{folder}/{names[-1]}.yaml", text)
        text = render(f"clusters/{_FOLDER}/kustomization.yaml", classes=names)
        yield Artifact(f"{folder}/kustomization.yaml", text)
