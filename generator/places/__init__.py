"""Places: whole file, region or pointer; where an artifact stands in a consumer's file."""

from __future__ import annotations

from typing import TYPE_CHECKING

from generator.places import pointers, regions, whole

if TYPE_CHECKING:
    from generator.catalog.model import Placement
    from generator.places.placed import Placed


def put(text: str | None, placement: Placement, artifact: str) -> Placed:
    """The consumer's file with the artifact in its place; raises Refused.

    One function for publishing and for checking: nothing is out of step exactly where the text
    that comes out is the text that went in. `text` is None where there is no file, and has no byte
    order mark; every character of it outside the place comes back as it was.
    """
    if placement.region is not None:
        return regions.put(text, placement, artifact)
    if placement.at is not None:
        return pointers.put(text, placement, artifact)
    return whole.put(text, artifact)


def name_of(placement: Placement) -> str:
    """How the record and messages call the place within its file."""
    if placement.marker is not None:
        return f"region {placement.marker}"
    return f"pointer {placement.at}" if placement.at is not None else "file"
