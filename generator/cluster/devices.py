"""Resource slices to devices: pools at their newest generation, complete, each device once.

Sources: resource API `types.go`; dynamic-resource-allocation `structured/internal/pools.go`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from generator.cluster.quantities import quantity
from generator.cluster.shapes import Malformed, at, mapping, mappings, name, number, shown

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    Attribute = tuple[str, Any]
    """Its kind (`string`, `version`, ...), and its value."""

KEEPS_OUT = ("NoSchedule", "NoExecute")
_PYTHON_TYPES: dict[str, type] = {"string": str, "version": str, "int": int, "bool": bool}


class Device(NamedTuple):
    """A device of a driver's pool. `node` is None where it is not tied to one.

    `counters` are the counter sets that it draws on: devices that share one are alternatives, so
    they are never added up. `shared` is whether several claims may hold it at once.
    """

    driver: str
    pool: str
    name: str
    node: str | None
    attributes: Mapping[str, Attribute]
    capacity: tuple[tuple[str, str], ...]
    shared: bool
    tainted: bool
    counters: tuple[str, ...]

    def attribute(self, name: str) -> object:
        """The value of an attribute by its name in the slice, or None."""
        return self.attributes[name][1] if name in self.attributes else None


class Slice(NamedTuple):
    """One ResourceSlice."""

    driver: str
    pool: str
    generation: int
    slices: int
    devices: tuple[Device, ...]


class Pool(NamedTuple):
    """A pool at its newest generation. `broken` is why the scheduler takes no device from it."""

    driver: str
    name: str
    devices: tuple[Device, ...]
    broken: str


def read_slice(item: Mapping[str, Any]) -> Slice:
    """A slice of v1, v1beta2 or v1beta1 as the API server prints it; raises Malformed."""
    spec = mapping(item, "spec")
    pool = mapping(spec, "pool")
    origin = name(spec, "driver"), name(pool)
    node = name(spec, "nodeName", "") or None
    return Slice(
        *origin,
        number(pool, "generation", 0),
        number(pool, "resourceSliceCount"),
        tuple(_device(*origin, node, device) for device in mappings(spec, "devices")),
    )


def _device(driver: str, pool: str, node: str | None, item: Mapping[str, Any]) -> Device:
    called = name(item)
    with at("device", called):
        body = mapping(item, "basic", item)  # v1beta1 has it one level down
        return Device(
            driver,
            pool,
            called,
            node or name(body, "nodeName", "") or None,
            _attributes(mapping(body, "attributes", {})),
            tuple(_capacity(mapping(body, "capacity", {}))),
            body.get("allowMultipleAllocations") is True,
            any(taint.get("effect") in KEEPS_OUT for taint in mappings(body, "taints")),
            tuple(name(counter, "counterSet") for counter in mappings(body, "consumesCounters")),
        )


def _attributes(attributes: Mapping[str, Any]) -> dict[str, Attribute]:
    read: dict[str, Attribute] = {}
    for key, value in attributes.items():  # hundreds of thousands of them
        if type(key) is not str:
            raise Malformed(f"an attribute's name is no text: {shown(str(key))}")
        if type(value) is dict and len(value) == 1:
            [(kind, content)] = value.items()
            if type(content) is _PYTHON_TYPES.get(kind) and (kind != "int" or _fits(content)):
                read[key] = kind, content
                continue
        read[key] = _unusual(key, value)
    return read


def _fits(value: object) -> bool:
    return isinstance(value, int) and -(2**63) <= value < 2**63


def _unusual(key: str, value: Any) -> Attribute:  # noqa: ANN401 - whatever stands there
    """Without a kind where there is not exactly one, without content where the kind is unknown."""
    if type(value) is not dict or len(value) != 1:
        return "", None
    [kind] = value
    if kind in _PYTHON_TYPES:
        raise Malformed(f"attribute {shown(key)} is no {kind}")
    return kind, None


def _capacity(capacity: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    for key, value in capacity.items():
        if type(key) is not str:
            raise Malformed(f"a capacity's name is no text: {shown(str(key))}")
        amount = value.get("value") if isinstance(value, dict) else value
        try:
            quantity(str(amount))
        except ValueError:
            raise Malformed(f"capacity {shown(key)} is no quantity") from None
        yield key, str(amount)


def pools(slices: Iterable[Slice]) -> list[Pool]:
    """The pools of all drivers; slices of older generations are on their way out and ignored."""
    newest: dict[tuple[str, str], list[Slice]] = {}
    for one in slices:
        known = newest.setdefault((one.driver, one.pool), [])
        if known and one.generation > known[0].generation:
            known.clear()
        if not known or one.generation == known[0].generation:
            known.append(one)
    return [
        Pool(
            driver,
            name,
            tuple(device for one in members for device in one.devices),
            _broken(members),
        )
        for (driver, name), members in newest.items()
    ]


def _broken(slices: Sequence[Slice]) -> str:
    wanted = slices[0].slices
    if len(slices) < wanted:
        return f"only {len(slices)} of its {wanted} slices are there"
    if len(slices) > wanted:
        return f"{len(slices)} slices are there instead of {wanted}"
    names = [device.name for one in slices for device in one.devices]
    return "a device name stands in it twice" if len(set(names)) < len(names) else ""


def in_whole_pools(pools: Iterable[Pool], devices: Iterable[Device]) -> list[Device]:
    """The devices that the scheduler takes: those of pools that are not broken."""
    broken = {(pool.driver, pool.name) for pool in pools if pool.broken}
    if not broken:
        return list(devices)
    return [device for device in devices if (device.driver, device.pool) not in broken]
