"""Entries: a consumer's placements, with every folder spelled out as its files."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from generator.catalog.model import Placement
from generator.places import name_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from generator.catalog.model import Catalog, Consumer
    from generator.targets import Artifacts
    from generator.yamltext import Where


class Entry(NamedTuple):
    """One artifact and its place; `where` is the placement's path in the catalog."""

    placement: Placement
    text: str
    where: Where

    @property
    def to(self) -> str:
        """The file in the checkout."""
        return self.placement.to

    @property
    def place(self) -> str:
        """The place's name within its file."""
        return name_of(self.placement)


def entries(catalog: Catalog, consumer: Consumer, artifacts: Artifacts) -> list[Entry]:
    """What goes where in a consumer's checkout, in the order of the catalog."""
    number = catalog.consumers.index(consumer)
    return [
        Entry(single, artifacts[single.artifact][1].text, ("consumers", number, "files", index))
        for index, placement in enumerate(consumer.files)
        for single in _spelled_out(placement, artifacts)
    ]


def _spelled_out(placement: Placement, artifacts: Artifacts) -> Iterator[Placement]:
    folder = placement.artifact
    if not folder.endswith("/"):
        yield placement
        return
    for path in artifacts:
        if path.startswith(folder):
            yield Placement(path, placement.to + path.removeprefix(folder))


def folders(consumer: Consumer) -> list[str]:
    """The folders in which nothing may stay that is ours and no longer produced."""
    return [placement.to for placement in consumer.files if placement.artifact.endswith("/")]


def is_claimed(catalog: Catalog, consumer: Consumer, to: str, place: str) -> bool:
    """Whether another consumer of the catalog has this place: two may share one checkout."""
    return any(
        place == name_of(placement)
        and (to == placement.to or (placement.to.endswith("/") and to.startswith(placement.to)))
        for other in catalog.consumers
        if other != consumer
        for placement in other.files
    )
