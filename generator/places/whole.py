"""A whole file; its line endings stay the consumer's."""

from __future__ import annotations

from generator.places.placed import Placed, newline_at, without_carriage_returns


def put(text: str | None, artifact: str) -> Placed:
    """The artifact, with the line endings of the file that it replaces."""
    if text is None:
        return Placed(artifact, None, artifact)
    found = without_carriage_returns(text)
    same = found == artifact
    placed = text if same else artifact.replace("\n", newline_at(text, 0))
    return Placed(placed, found, artifact)
