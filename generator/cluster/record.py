"""What a check leaves in the evidence file: classes that hold, and none that does not."""

from __future__ import annotations

from typing import TYPE_CHECKING

from generator.catalog.evidence import ClassEvidence, Evidence
from generator.kubernetes import DRIVER

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from generator.catalog.model import Offering
    from generator.cluster.checking import Checked


def recorded(checked: Checked) -> Evidence:
    """The evidence of this check alone: every class that is proven now."""
    case = checked.case
    proven = {}
    for offering, device_class in case.classes:
        if checked.proven(offering):
            supply = case.supplies[offering.label]
            proven[device_class.name] = ClassEvidence(
                offering.label,
                device_class.expression,
                supply.devices,
                supply.products,
                supply.profiles,
            )
    return Evidence(kubernetes_version(checked), driver_versions(checked), proven)


def is_whole(checked: Checked) -> bool:
    """Whether enough was read to record anything: the devices, and the API server's version."""
    return checked.case.snapshot.server is not None and checked.case.snapshot.pools is not None


def contradicted(checked: Checked) -> list[Offering]:
    """Offerings that are recorded as verified, and that the devices now speak against."""
    case = checked.case
    return [
        offering
        for offering, _ in case.classes
        if case.evidence.verifies(offering) and checked.disproven(offering)
    ]


def without(evidence: Evidence, offerings: Sequence[Offering]) -> Evidence:
    """The evidence without the classes of these offerings."""
    gone = {offering.device_class.name for offering in offerings if offering.device_class}
    kept = {name: one for name, one in evidence.classes.items() if name not in gone}
    return Evidence(evidence.kubernetes, evidence.driver_versions, kept)


def differences(checked: Checked) -> Iterator[str]:
    """What runs on the cluster now and was another version when the evidence was recorded."""
    evidence = checked.case.evidence
    if not evidence.classes:
        return
    server, drivers = kubernetes_version(checked), driver_versions(checked)
    if server and server != evidence.kubernetes:
        yield f"Kubernetes is {server}, the evidence was recorded on {evidence.kubernetes}"
    if drivers and drivers != evidence.driver_versions:
        before = ", ".join(evidence.driver_versions) or "none"
        yield f"the GPU driver is {', '.join(drivers)}, the evidence was recorded with {before}"


def kubernetes_version(checked: Checked) -> str:
    """The API server's version without its `v`; empty where it is not known."""
    return (checked.case.snapshot.server or "").removeprefix("v")


def driver_versions(checked: Checked) -> tuple[str, ...]:
    """Every version of the GPU driver that the devices name."""
    found = {
        device.attribute("driverVersion")
        for device in checked.case.devices()
        if device.driver == DRIVER
    }
    return tuple(sorted(version for version in found if isinstance(version, str) and version))
