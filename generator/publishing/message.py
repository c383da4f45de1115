"""The commit message: which labels come, change and go, from which catalog, and what to restart."""

from __future__ import annotations

import json
import math
import re
from fnmatch import fnmatchcase
from typing import TYPE_CHECKING, Any, NamedTuple

import yaml

from generator.places import pointers
from generator.places.placed import Refused

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from generator.catalog.model import Catalog
    from generator.publishing.plan import Step

_SHOWN = 100
"""Labels that a line of the message names; the rest are counted."""

_LABEL = re.compile(
    r"(?<![\w./-])(?:requests\.)?([a-z0-9][a-z0-9.-]*/[A-Za-z0-9](?:[A-Za-z0-9._-]*[A-Za-z0-9])?)"
)
_EXPRESSION = "/spec/selectors/0/cel/expression"


def message(steps: Sequence[Step], catalog: Catalog, commit: str) -> str:
    """The message for publishing the steps; `commit` names the catalog's, and may be empty."""
    added, changed, removed = labels(steps, catalog)
    lines = [
        *_line("Labels added", added),
        *_line("Labels changed", changed),
        *_line("Labels removed", removed),
    ]
    restarts = list(_restarts(steps))
    parts = [
        ["Bring the GPU labels up to date with the catalog"],
        lines or ["The labels themselves stay as they are."],
        restarts,
        [commit] if commit else [],
    ]
    return "\n\n".join("\n".join(part) for part in parts if part) + "\n"


def _line(head: str, names: Sequence[str]) -> Iterator[str]:
    if names:
        more = f" and {len(names) - _SHOWN} more" if len(names) > _SHOWN else ""
        yield f"{head}: {', '.join(names[:_SHOWN])}{more}"


def labels(steps: Sequence[Step], catalog: Catalog) -> tuple[list[str], list[str], list[str]]:
    """The labels that the steps add, change and remove, as far as the places' texts show them."""
    offered = [offering.label for offering in catalog.offerings]
    retired = [one.label for one in catalog.retired_labels]
    domains = {label.partition("/")[0] for label in (*offered, *retired)}
    places = [_place(step, domains) for step in steps]
    known = {label for place in places for label in place.before}
    kept = {label for place in places for label in place.after}
    touched = {label for place in places for label in place.touched}
    vanished = {label for place in places for label in place.before.keys() - place.after}
    return (
        [label for label in offered if label in kept - known],
        [label for label in offered if label in touched & known],
        sorted(vanished - set(offered)),
    )


class _Place(NamedTuple):
    """What a place tells of each label, before and after."""

    before: Mapping[str, Sequence[str]]
    after: Mapping[str, Sequence[str]]
    is_same: bool

    @property
    def touched(self) -> set[str]:
        """The labels of which it tells something else."""
        old, new = self.before, self.after
        if len(old) == len(new) == 1:  # all of the place tells of the one label that it is about
            return set() if self.is_same else old.keys() & new.keys()
        return {label for label in old.keys() | new.keys() if old.get(label) != new.get(label)}


def _place(step: Step, domains: set[str]) -> _Place:
    before, after = _lines(step, step.found or ""), _lines(step, step.wanted)
    return _Place(_parts(before, domains), _parts(after, domains), before == after)


def _lines(step: Step, text: str) -> list[str]:
    """What a place holds, item by item; a node is kept as one line of JSON."""
    if text and step.place.startswith("pointer "):
        data = json.loads(text, object_hook=_plainly)
        text = yaml.safe_dump(data, sort_keys=False, allow_unicode=True, width=math.inf)
    return text.splitlines()


def _plainly(said: dict[str, Any]) -> object:
    """A mapping or a typed scalar, of which `meaning` tells the kind."""
    return dict(said["pairs"]) if "pairs" in said else said.get("plain", said)


def _parts(lines: Sequence[str], domains: set[str]) -> dict[str, list[str]]:
    """The lines that tell of each label: its own, and those below it that are indented deeper.

    A line tells of the first label that it names: the rest of it says what to write instead.
    """
    parts: dict[str, list[str]] = {}
    label, depth = "", 0
    for line in lines:
        indentation = len(line) - len(line.lstrip())
        named = [one for one in _LABEL.findall(line) if one.partition("/")[0] in domains]
        if named:
            label, depth = named[0], indentation
        elif indentation <= depth:
            label = ""
        if label:
            parts.setdefault(label, []).append(re.sub(r"[ -]+", " ", line).strip(" ,'\""))
    return parts


_READERS = {
    "Restart web and k8s-root-actor: they read the ConfigMap when they start.": (
        "clusters/*/configmap.yaml",
        "clusters/*/ansible/themelio_gpu_labels.yml",
    ),
    "Restart the Waldur site agent: it reads its configuration when it starts.": (
        "clusters/*/waldur/site-agent.yaml.j2",
        "clusters/*/ansible/themelio_gpu_consumers.yml",
    ),
    "Restart Kubeflow's jupyter-web-app: it reads the form when it starts.": (
        "clusters/*/kubeflow/spawner-vendors.yaml",
        "clusters/*/ansible/themelio_gpu_consumers.yml",
    ),
}
"""What to restart where one of these artifacts has changed."""


def _restarts(steps: Sequence[Step]) -> Iterator[str]:
    changed = [step for step in steps if step.state != "in step"]
    for words, patterns in _READERS.items():
        if any(fnmatchcase(step.artifact, pattern) for step in changed for pattern in patterns):
            yield words
    if any(_changes_expression(step) for step in changed):
        # Source: kubernetes/kubernetes#141103, fixed by #141110.
        yield "Restart kube-scheduler: it may keep the old selectors of a class that has changed."


def _changes_expression(step: Step) -> bool:
    """Whether a class that was there already selects devices in another way."""
    if "/deviceclasses/" not in step.artifact or step.found is None:
        return False
    return _expression(step.found) not in (None, _expression(step.wanted))


def _expression(text: str) -> str | None:
    try:
        return pointers.resolve(pointers.parse(text, ".yaml"), _EXPRESSION).node.text
    except Refused:
        return None
