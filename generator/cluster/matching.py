"""Which devices each class selects, each kind of device evaluated once."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, NamedTuple

from generator.cluster.cel import Verdict
from generator.cluster.subjects import grouped

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from generator.cluster.cel import Cel, Selector
    from generator.cluster.devices import Device
    from generator.cluster.subjects import Subject

    Reasons = dict[str, list[Device]]


class Matches(NamedTuple):
    """What a class's selectors say of all devices; `fails` and `untold` are by their reasons.

    `kinds` are the matched devices by what selectors see of them: classes share lists.
    """

    devices: list[Device]
    kinds: list[list[Device]]
    fails: Reasons
    untold: Reasons


def matches(
    cel: Cel, classes: Mapping[str, Sequence[str]], devices: Iterable[Device]
) -> dict[str, Matches]:
    """The matches of each class, given by name with its selectors' expressions."""
    compiled = {
        name: [cel.compile(expression) for expression in expressions]
        for name, expressions in classes.items()
    }
    found = {name: Matches([], [], {}, {}) for name in classes}
    for subject, members in grouped(devices, _ids_read(compiled.values())) if classes else ():
        for name, selectors in compiled.items():
            _add(found[name], _verdict(cel, selectors, subject), members)
    return found


def _ids_read(compiled: Iterable[Sequence[Selector]]) -> frozenset[str] | None:
    """The ids of attributes and capacity that the selectors read; None where that may be any."""
    readings = [one.reading for selectors in compiled for one in selectors if one.reading]
    if any(reading.everything for reading in readings):
        return None
    return frozenset().union(*(reading.attributes | reading.capacity for reading in readings))


def _verdict(cel: Cel, selectors: Sequence[Selector], subject: Subject) -> Verdict:
    """All selectors must be true; as in Kubernetes, the first that is not decides."""
    for selector in selectors:
        verdict = cel.evaluate(selector, subject)
        if verdict.outcome != "true":
            return verdict
    return Verdict("true")


def _add(found: Matches, verdict: Verdict, members: list[Device]) -> None:
    if verdict.outcome == "true":
        found.devices.extend(members)
        found.kinds.append(members)
    elif verdict.outcome == "fails":
        found.fails.setdefault(verdict.reason, []).extend(members)
    elif verdict.outcome == "cannot tell":
        found.untold.setdefault(verdict.reason, []).extend(members)


class Supply(NamedTuple):
    """Devices of a class that can be handed out.

    `devices` are those that can surely be held at the same time: of partitions that exclude each
    other (`alternatives`) one for each GPU at the least. `tainted` devices are not among them.
    """

    devices: int
    tainted: int
    alternatives: int
    nodes: Mapping[str, int]
    products: Mapping[str, int]
    profiles: Mapping[str, int]


def supply(devices: Iterable[Device]) -> Supply:
    """What these devices, of complete pools, supply."""
    tainted = alternatives = 0
    used: set[tuple[str, str, str]] = set()
    nodes, products, profiles = Counter[str](), Counter[object](), Counter[object]()
    for device in devices:
        if device.tainted:
            tainted += 1
            continue
        if device.counters:
            alternatives += 1
            sets = {(device.driver, device.pool, counters) for counters in device.counters}
            if not used.isdisjoint(sets):
                continue
            used |= sets
        nodes[device.node or ""] += 1
        products[device.attribute("productName")] += 1
        profiles[device.attribute("profile")] += 1
    return Supply(nodes.total(), tainted, alternatives, nodes, _named(products), _named(profiles))


def _named(counts: Mapping[object, int]) -> dict[str, int]:
    return {name: count for name, count in counts.items() if isinstance(name, str) and name}
