"""Kubeflow's default vendor, which is not ours to set and may name a label that has gone."""

from __future__ import annotations

from typing import TYPE_CHECKING

from generator.places import pointers
from generator.places.layout import is_null
from generator.places.placed import Refused
from generator.reports import finding_in

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from generator.findings import Finding
    from generator.publishing.plan import Step

_VALUE = "/spawnerFormDefaults/gpus/value"


def warnings(steps: Sequence[Step], root: Path) -> Iterator[Finding]:
    """A warning where a notebook form has a default vendor that is none of its vendors."""
    for step in steps:
        if not step.artifact.endswith("/kubeflow/spawner-vendors.yaml") or step.after is None:
            continue
        text = step.after.text
        try:
            documents = pointers.parse(text, step.to)
            default = pointers.resolve(documents, f"{_VALUE}/vendor").node
            vendors = pointers.resolve(documents, f"{_VALUE}/vendors").node
        except Refused:
            continue  # a template, or a form of another shape
        pairs = [pair for item in vendors.items for pair in item.pairs]
        keys = {value.text for key, value in pairs if key.value == "limitsKey"}
        if default.kind == "scalar" and not is_null(default) and default.text not in {"", *keys}:
            message = f"the default vendor `{default.text}` is none of the vendors any more"
            hint = 'set `vendor` to one of the `limitsKey`s, or to "" for none'
            path = str(root / step.to)
            yield finding_in(text, default.start, path, "GC421", "warning", message, hint)
