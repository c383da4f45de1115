"""The page of the product docs, with regions that other pages can take."""

from __future__ import annotations

from typing import TYPE_CHECKING

from generator.markdown import choice, code, prose
from generator.targets.artifact import Artifact

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from generator.catalog.evidence import Evidence
    from generator.catalog.model import Catalog, Offering, RetiredLabel
    from generator.rendering import Render

    Rows = tuple[tuple[str, ...], ...]

_FILE = "docs/gpu-labels.md"
_REASONS = {
    "typo": "a typo, never a label",
    "generic": "did not say which GPU",
    "renamed": "renamed",
    "withdrawn": "no longer offered",
}


def artifacts(
    catalog: Catalog, evidence: Mapping[str, Evidence], render: Render
) -> Iterator[Artifact]:
    """One page for all clusters."""
    enabled = catalog.enabled
    offered = [offering for offering in enabled if not offering.deprecated]
    text = render(
        _FILE,
        labels=_labels(offered, catalog, evidence),
        slices=any(offering.mig_profile for offering in offered),
        example=(offered or enabled)[0].label,
        deprecated=_deprecated([offering for offering in enabled if offering.deprecated]),
        retired=_retired(catalog.retired_labels),
    )
    yield Artifact(_FILE, text)


def _labels(
    offered: Sequence[Offering], catalog: Catalog, evidence: Mapping[str, Evidence]
) -> Rows:
    """Whether each label is verified; with several clusters also where it is available."""
    single = len(catalog.clusters) == 1
    states: dict[str, list[str]] = {offering.label: [] for offering in catalog.offerings}
    for cluster in catalog.clusters:
        recorded = evidence[cluster.name]
        for offering in cluster.offerings:
            state = _state(offering, recorded)
            states[offering.label].append(state if single else f"{cluster.name} ({state})")
    rows = [
        (prose(offering.name), code(offering.label), ", ".join(states[offering.label]))
        for offering in offered
    ]
    return _with_head(rows, "GPU", "`gpuLabel`", "State" if single else "Available in")


def _state(offering: Offering, recorded: Evidence) -> str:
    if offering.device_class is None:
        return "no device class yet"
    return "verified" if recorded.verifies(offering) else "not verified yet"


def _deprecated(offerings: Sequence[Offering]) -> Rows:
    rows = []
    for offering in offerings:
        assert offering.deprecated
        instead = choice(offering.deprecated.replaced_by)
        rows.append(
            (code(offering.label), prose(offering.name), instead, prose(offering.deprecated.note))
        )
    return _with_head(rows, "Label", "GPU", "Write instead", "Note")


def _retired(labels: Sequence[RetiredLabel]) -> Rows:
    rows = [
        (code(retired.label), choice(retired.replaced_by), _REASONS[retired.reason])
        for retired in labels
    ]
    return _with_head(rows, "Old label", "Write instead", "Why")


def _with_head(rows: Sequence[tuple[str, ...]], *head: str) -> Rows:
    return (head, *rows) if rows else ()
