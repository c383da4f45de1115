"""Everything that the catalog and the artifacts say of one offering, or of one retired label."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from generator.catalog.model import Cluster, Offering, RetiredLabel
    from generator.project import Project
    from generator.targets import Artifacts


class Line(NamedTuple):
    """A line of an artifact."""

    path: str
    number: int
    text: str


class Explanation(NamedTuple):
    """What was asked for, the facts by their names, and every line of an artifact that names it."""

    title: str
    facts: Mapping[str, str]
    lines: list[Line]

    def text(self, out: str) -> str:
        """For people, with the artifacts in the folder `out`."""
        width = max(map(len, self.facts)) + 2
        facts = "".join(f"  {name:<{width}}{value}\n" for name, value in self.facts.items())
        lines = "".join(f"{out}/{line.path}:{line.number}: {line.text}\n" for line in self.lines)
        return f"{self.title}\n{facts}\n{lines}"


def explain(project: Project, asked: str) -> Explanation | None:
    """The offering or retired label with this name; None where there is none.

    An offering may be asked for by its label, component, quota key or device class.
    """
    for number, offering in enumerate(project.catalog.offerings):
        if asked in _names(offering):
            return _offering(project, offering, _position(project, "offerings", number))
    for number, retired in enumerate(project.catalog.retired_labels):
        if asked == retired.label:
            return _retired(project, retired, _position(project, "retired_labels", number))
    return None


def known(project: Project) -> list[str]:
    """Every name that can be asked for."""
    offerings = [name for offering in project.catalog.offerings for name in _names(offering)]
    return offerings + [retired.label for retired in project.catalog.retired_labels]


def _names(offering: Offering) -> list[str]:
    device_class = offering.device_class.name if offering.device_class else None
    names = (offering.label, offering.component, offering.quota_key, device_class)
    return [name for name in names if name]


def _position(project: Project, *where: str | int) -> str:
    line, column = project.source.position(where)
    return f"{project.path}:{line}:{column}"


def _offering(project: Project, offering: Offering, position: str) -> Explanation:
    facts = {
        "catalog": position,
        "component": offering.component or "none: Waldur never sold it",
        "label": f"{offering.label} (what actions write as options.gpuLabel)",
        "quota key": offering.quota_key,
        "MIG": offering.mig_profile or "no: a whole GPU",
        "notebooks": "offered" if offering.notebooks and not offering.deprecated else "not offered",
        "device class": offering.device_class.name if offering.device_class else "none yet",
    }
    if offering.deprecated:
        instead = ", ".join(offering.deprecated.replaced_by) or "nothing, it goes"
        facts["deprecated"] = f"{offering.deprecated.note} Instead: {instead}".strip()
    for cluster in project.catalog.clusters:
        facts[f"on {cluster.name}"] = _on(cluster, project, offering.label)
    return Explanation(
        f"{offering.label}: {offering.name}",
        facts,
        list(_lines(project.artifacts(), _names(offering))),
    )


def _on(cluster: Cluster, project: Project, label: str) -> str:
    for offering in cluster.offerings:
        if offering.label == label:
            selector = ", ".join(f"{key}={value}" for key, value in offering.node_selector.items())
            verified = project.evidence[cluster.name].verifies(offering)
            return f"{'verified' if verified else 'not verified'}, on nodes with {selector}"
    return "not offered"


def _retired(project: Project, retired: RetiredLabel, position: str) -> Explanation:
    facts = {
        "catalog": position,
        "retired": retired.reason,
        "instead": " or ".join(retired.replaced_by) or "nothing replaces it",
    }
    lines = _lines(project.artifacts(), [retired.label])
    return Explanation(f"{retired.label}: a retired label", facts, list(lines))


def pattern(names: Iterable[str]) -> re.Pattern[str]:
    """Matches one of the names where it stands alone, or as the name of a YAML file."""
    words = "|".join(map(re.escape, sorted(names, key=len, reverse=True)))
    return re.compile(rf"(?<![\w./-])(?:{words})(?:\.yaml)?(?![\w/-]|\.\w)")


def _lines(artifacts: Artifacts, names: Iterable[str]) -> Iterator[Line]:
    search = pattern(names).search
    for path, (_, artifact) in sorted(artifacts.items()):
        if search(artifact.text):
            for number, line in enumerate(artifact.text.split("\n"), start=1):
                if search(line):
                    yield Line(path, number, line.strip())
