"""Which offering of the new catalog is which of the old one."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Iterator, Sequence

    from generator.catalog.model import Offering

_Thing = TypeVar("_Thing")


class Pairing(NamedTuple):
    """Offerings that are the same thing in both catalogs, and those that only one of them has.

    `kept` are old labels whose component has gone on to another label: the offering that had the
    label, and the one that has it now.
    """

    pairs: Sequence[tuple[Offering, Offering]]
    kept: Sequence[tuple[Offering, Offering]]
    removed: Sequence[Offering]
    added: Sequence[Offering]


def pairing(old: Sequence[Offering], new: Sequence[Offering]) -> Pairing:
    """Pairs by component, then by label, then by devices; in no step does an order matter."""
    pairs: list[tuple[Offering, Offering]] = []
    removed, added = list(old), list(new)
    for identity in (_component, _label, _devices):
        found = list(alike(removed, added, identity))
        pairs += found
        paired = {id(one) for pair in found for one in pair}
        removed = [one for one in removed if id(one) not in paired]
        added = [one for one in added if id(one) not in paired]
    before = {one.label: one for one in old}
    after = {one.label: one for one in new}
    kept = [(before[one.label], one) for one in added if one.label in before]
    kept += [(one, after[one.label]) for one in removed if one.label in after]
    return Pairing(
        pairs,
        kept,
        [one for one in removed if one.label not in after],
        [one for one in added if one.label not in before],
    )


def alike(
    old: Sequence[_Thing], new: Sequence[_Thing], identity: Callable[[_Thing], Hashable]
) -> Iterator[tuple[_Thing, _Thing]]:
    """Pairs with one identity, where it is that of exactly one thing on both sides."""
    after = _by(new, identity)
    for key, ones in _by(old, identity).items():
        others = after.get(key, ())
        if key is not None and len(ones) == len(others) == 1:
            yield ones[0], others[0]


def _by(
    things: Sequence[_Thing], identity: Callable[[_Thing], Hashable]
) -> dict[Hashable, list[_Thing]]:
    found: dict[Hashable, list[_Thing]] = {}
    for one in things:
        found.setdefault(identity(one), []).append(one)
    return found


def _component(offering: Offering) -> Hashable:
    return offering.component


def _label(offering: Offering) -> Hashable:
    return offering.label


def _devices(offering: Offering) -> Hashable:
    if offering.device_class is None:
        return None
    names = frozenset(offering.device_class.product_names)
    return names or offering.device_class.expression, offering.mig_profile
