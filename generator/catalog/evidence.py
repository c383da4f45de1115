"""Evidence: which device classes were seen to match real devices of a cluster.

`cluster check --record` writes it; a class is verified only while its expression and label equal
the recorded ones.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

    from generator.catalog.model import Offering


@dataclass(frozen=True, slots=True)
class ClassEvidence:
    """One verified class: what was evaluated, and how many devices of which kind it matched."""

    label: str
    expression: str
    devices: int
    products: Mapping[str, int]
    profiles: Mapping[str, int]


@dataclass(frozen=True, slots=True)
class Evidence:
    """What was recorded of one cluster, by DeviceClass name; empty where nothing was."""

    kubernetes: str = ""
    driver_versions: tuple[str, ...] = ()
    classes: Mapping[str, ClassEvidence] = field(default_factory=dict)

    def verifies(self, offering: Offering) -> bool:
        """Whether the offering's class matched devices with the expression that it has today."""
        if offering.device_class is None:
            return False
        recorded = self.classes.get(offering.device_class.name)
        return (
            recorded is not None
            and recorded.label == offering.label
            and recorded.expression == offering.device_class.expression
        )
