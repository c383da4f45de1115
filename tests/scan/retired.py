"""The retired labels that the tests of scan look for."""

from generator.catalog.model import RetiredLabel
from generator.scan.labels import labels_of
from generator.scan.seen import Seen, look_into

A10G, A100 = "nvidia.com/a10g", "nvidia.com/a100"
MIG = "nvidia.com/a100-mig-1g.5gb"

RETIRED = (
    RetiredLabel("nvidia.com/gpu", "generic", (A10G, A100)),
    RetiredLabel("nvidia.com/mig-1g.5gb", "renamed", (MIG,)),
    RetiredLabel("nvidiax.com/gpu", "typo", (A10G,)),
    RetiredLabel("nvidia.com/v100", "withdrawn", ()),
)
LABELS = labels_of(RETIRED)


def seen_in(name: str, text: str | bytes) -> Seen | None:
    data = text.encode() if isinstance(text, str) else text
    return look_into(name, data, LABELS)


def severities(name: str, text: str | bytes) -> list[str]:
    seen = seen_in(name, text)
    return [one.verdict.severity for one in seen.sightings] if seen else []
