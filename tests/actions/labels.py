"""Labels as two clusters offer them: the old cluster lacks the A100, and keeps an old label."""

from generator.actions import Entry, Labels
from generator.catalog.model import Deprecation, RetiredLabel

A10G = Entry({"accelerator": "nvidia-a10g"}, "false")
A100 = Entry({"accelerator": "nvidia-a100"}, "false")
MIG = Entry({"accelerator": "nvidia-a100", "zone": "1e3"}, "true")

LABELS = Labels(
    clusters={
        "themelio": {
            "nvidia.com/a10g": A10G,
            "nvidia.com/a100": A100,
            "nvidia.com/a100-mig-1g.5gb": MIG,
        },
        "old": {"nvidia.com/a10g": A10G, "nvidia.com/t4": Entry({"gpu": "t4"}, "false")},
    },
    retired={
        "nvidiax.com/gpu": RetiredLabel("nvidiax.com/gpu", "typo", ("nvidia.com/a10g",)),
        "nvidia.com/gpu": RetiredLabel(
            "nvidia.com/gpu", "generic", ("nvidia.com/a10g", "nvidia.com/a100")
        ),
        "nvidia.com/k80": RetiredLabel("nvidia.com/k80", "withdrawn", ()),
    },
    deprecated={"nvidia.com/t4": Deprecation(("nvidia.com/a10g",), "the T4 nodes go in March")},
)
