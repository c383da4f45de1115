"""A device as selectors see it; devices that no selector can tell apart are one subject."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from generator.cluster.celvalues import quantity_value, version_value

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from generator.cluster.cel import Outcome
    from generator.cluster.devices import Attribute, Device

    Values = dict[str, dict[str, object]]

PLAIN = ("string", "int", "bool")
_LISTS = ("strings", "ints", "bools", "versions")


class Subject(NamedTuple):
    """What selectors see of a device: its attributes and capacity by domain and id.

    `ids` are those of attributes, `versions` those of version attributes. `unreadable` is the
    verdict of every selector, even of `true`, where Kubernetes cannot make values of the
    device's attributes.
    """

    driver: str
    shared: bool
    attributes: Mapping[str, Mapping[str, object]]
    capacity: Mapping[str, Mapping[str, object]]
    ids: frozenset[str]
    versions: frozenset[str]
    unreadable: tuple[Outcome, str] | None


def grouped(
    devices: Iterable[Device], ids: frozenset[str] | None
) -> list[tuple[Subject, list[Device]]]:
    """The subjects of devices, read as far as these ids (None: all), each with its devices.

    Attributes that are not plain are always read: one of them may fail every selector.
    """
    groups: dict[tuple[object, ...], list[Device]] = {}
    for device in devices:
        attributes, capacity = tuple(device.attributes.items()), device.capacity
        if ids is not None:
            attributes = tuple(
                one
                for one in attributes
                if one[1][0] not in PLAIN
                or one[0] in ids
                or ("/" in one[0] and one[0].rpartition("/")[2] in ids)
            )
            capacity = tuple(one for one in capacity if one[0].rpartition("/")[2] in ids)
        key = device.driver, device.shared, attributes, capacity
        groups.setdefault(key, []).append(device)
    return [(subject(*key), members) for key, members in groups.items()]  # type: ignore[arg-type]


def subject(
    driver: str,
    shared: bool,
    attributes: Iterable[tuple[str, Attribute]],
    capacity: Iterable[tuple[str, str]],
) -> Subject:
    """The subject of one device. Source: dynamic-resource-allocation `cel/compile.go`."""
    values: Values = {}
    amounts: Values = {}
    versions: set[str] = set()
    unreadable: tuple[Outcome, str] | None = None
    for name, (kind, content) in attributes:
        domain, identifier = _qualified(name, driver)
        value = content
        if kind == "version":
            versions.add(identifier)
            try:
                value = version_value(str(content))
            except ValueError as error:
                unreadable = "fails", f"attribute {name}: {error}"
        elif kind in _LISTS:
            unreadable = unreadable or ("cannot tell", f"attribute {name} is a list")
        elif kind not in PLAIN:
            unreadable = "fails", f"attribute {name}: unsupported attribute value"
        values.setdefault(domain, {})[identifier] = value
    for name, text in capacity:
        domain, identifier = _qualified(name, driver)
        amounts.setdefault(domain, {})[identifier] = quantity_value(text)
    ids = frozenset(identifier for domain in values.values() for identifier in domain)
    return Subject(driver, shared, values, amounts, ids, frozenset(versions), unreadable)


def _qualified(name: str, driver: str) -> tuple[str, str]:
    """An attribute's domain, the driver where none is written, and its id."""
    domain, _, identifier = name.rpartition("/")
    return domain or driver, identifier
