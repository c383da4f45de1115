"""What people see of a check: a table of the cluster's offerings, and the same as facts."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from generator.cluster.matching import supply
from generator.cluster.record import driver_versions
from generator.kubernetes import DRIVER, REQUIRED_GATES, UNGATED_VERSION
from generator.words import counted

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from generator.cluster.checking import Checked
    from generator.cluster.matching import Supply

_NODES_SHOWN = 3
_EFFECTIVE_GATE = "DRAExtendedResource"
_SEEN = "seen in the API server, which keeps the extendedResourceName of classes"


class Row(NamedTuple):
    """An offering: its class (empty where it has none), what it supplies, why it is not ready."""

    label: str
    device_class: str
    supply: Supply | None
    reasons: Sequence[str]


def rows(checked: Checked) -> list[Row]:
    """A row for each offering of the cluster."""
    case = checked.case
    return [
        Row(
            offering.label,
            offering.device_class.name if offering.device_class else "",
            case.supplies.get(offering.label),
            checked.reasons(offering),
        )
        for offering in case.cluster.offerings
    ]


def table(checked: Checked) -> str:
    """The cluster in a line or two, then a line for each offering."""
    head = ("label", "class", "devices", "ready")
    lines = [head, *(_cells(row) for row in rows(checked))]
    widths = [max(len(line[column]) for line in lines) for column in range(3)]
    text = "".join(
        "  ".join((*map(str.ljust, line[:3], widths), line[3])).rstrip() + "\n" for line in lines
    )
    return f"{_headline(checked)}\n\n{text}\n"


def _cells(row: Row) -> tuple[str, str, str, str]:
    ready = "no: " + ", ".join(row.reasons) if row.reasons else "yes"
    return row.label, row.device_class or "-", _devices(row.supply), ready


def _devices(supply: Supply | None) -> str:
    if supply is None:
        return "not known"
    words = f"{supply.devices:,}"
    if supply.alternatives:
        words = f"at least {words} ({supply.alternatives:,} alternatives)"
    if supply.nodes:
        words += f" on {_nodes(supply.nodes)}"
    return words + (f", {supply.tainted:,} more tainted" if supply.tainted else "")


def _nodes(nodes: Mapping[str, int]) -> str:
    if len(nodes) > _NODES_SHOWN:
        return counted(len(nodes), "node")
    if len(nodes) == 1:
        return min(nodes) or "no node"
    return ", ".join(f"{node or 'no node'} ({count})" for node, count in sorted(nodes.items()))


def _headline(checked: Checked) -> str:
    snapshot = checked.case.snapshot
    nodes = counted(len(snapshot.nodes), "node") if snapshot.nodes is not None else "nodes unknown"
    gpus = supply(device for device in checked.case.devices() if device.driver == DRIVER)
    words = [
        f"{checked.case.cluster.name}: Kubernetes {snapshot.server or 'unknown'}",
        nodes,
        f"{counted(gpus.devices + gpus.tainted, 'device')} of {DRIVER}",
        f"GPU driver {', '.join(driver_versions(checked)) or 'unknown'}",
    ]
    gates = [f"{gate}: {state}" for gate, state in feature_gates(checked).items()]
    return "\n".join([", ".join(words), *gates])


def feature_gates(checked: Checked) -> dict[str, str]:
    """What is known of the gates that the cluster's version needs: they show by effect only."""
    case = checked.case
    if case.cluster.version >= UNGATED_VERSION:
        return {}
    declared = case.cluster.feature_gates
    states = {gate: f"{'' if gate in declared else 'not '}declared" for gate in REQUIRED_GATES}
    seen = any(one.label for one in case.snapshot.classes or ())
    return {
        gate: f"{state}, {_SEEN if seen and gate == _EFFECTIVE_GATE else 'not seen'}"
        for gate, state in states.items()
    }


def facts(checked: Checked) -> dict[str, object]:
    """The same for `--format json`."""
    snapshot = checked.case.snapshot
    return {
        "cluster": checked.case.cluster.name,
        "kubernetes": snapshot.server,
        "driver_versions": list(driver_versions(checked)),
        "feature_gates": feature_gates(checked),
        "not_checked": snapshot.missing,
        "offerings": [_row_facts(row) for row in rows(checked)],
    }


def _row_facts(row: Row) -> dict[str, object]:
    supply = row.supply
    return {
        "label": row.label,
        "device_class": row.device_class or None,
        "devices": None if supply is None else supply.devices,
        "tainted": None if supply is None else supply.tainted,
        "alternatives": None if supply is None else supply.alternatives,
        "nodes": {} if supply is None else dict(sorted(supply.nodes.items())),
        "ready": not row.reasons,
        "reasons": list(row.reasons),
    }
