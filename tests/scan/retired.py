"""The retired labels that the tests of scan look for."""

from generator.catalog import assembly
from generator.scan.labels import labels_of
from generator.scan.seen import Seen, look_into

A10G, A100 = "nvidia.com/a10g", "nvidia.com/a100"
MIG = "nvidia.com/a100-mig-1g.5gb"

CATALOG = {
    "offerings": [
        {"component": "gpu_a10g", "name": "A10G", "label": A10G, "node_selector": {"a": "b"}},
        {"component": "gpu_a100", "name": "A100", "label": A100, "node_selector": {"a": "b"}},
        {"component": "gpu_mig", "name": "MIG", "label": MIG, "node_selector": {"a": "b"}},
    ],
    "retired_labels": [
        {"label": "nvidia.com/gpu", "reason": "generic", "replaced_by": [A10G, A100]},
        {"label": "nvidia.com/mig-1g.5gb", "reason": "renamed", "replaced_by": [MIG]},
        {"label": "nvidiax.com/gpu", "reason": "typo", "replaced_by": [A10G]},
        {"label": "nvidia.com/v100", "reason": "withdrawn"},
    ],
    "clusters": [],
}
LABELS = labels_of(assembly.catalog(CATALOG))


def seen_in(name: str, text: str | bytes) -> Seen | None:
    data = text.encode() if isinstance(text, str) else text
    return look_into(name, data, LABELS)


def severities(name: str, text: str | bytes) -> list[str]:
    seen = seen_in(name, text)
    return [one.verdict.severity for one in seen.sightings] if seen else []
