"""Projects of texts, for the tests of diff."""

from collections.abc import Collection
from pathlib import Path

from generator.catalog import reader
from generator.catalog.evidence import ClassEvidence, Evidence
from generator.catalog.model import Catalog
from generator.diff.comparing import Difference
from generator.diff.report import Report, report
from generator.diff.sides import Side, side
from generator.diff.wording import steps
from generator.project import Project

BASE = (Path(__file__).parent / "base.yaml").read_text()


def edited(*edits: tuple[str, str], text: str = BASE) -> str:
    """The base catalog with pieces of its text replaced, each wherever it stands."""
    for old, new in edits:
        assert old in text, old
        text = text.replace(old, new)
    return text


def project(text: str, verified: Collection[str] = ()) -> Project:
    """The project of a catalog in which these classes, as `cluster/class`, are verified."""
    catalog, source, warnings = reader.read(text.encode(), "catalog.yaml")
    return Project(Path("catalog.yaml"), catalog, source, evidence(catalog, verified), warnings)


def evidence(catalog: Catalog, verified: Collection[str]) -> dict[str, Evidence]:
    return {
        cluster.name: Evidence(
            "1.36.4",
            ("580.126.9",),
            {
                one.device_class.name: ClassEvidence(
                    one.label, one.device_class.expression, 2, {}, {}
                )
                for one in cluster.offerings
                if one.device_class and f"{cluster.name}/{one.device_class.name}" in verified
            },
        )
        for cluster in catalog.clusters
    }


def side_of(one: Project) -> Side:
    return side(one.catalog, one.evidence)


def backwards(fact: Difference) -> Difference:
    """The same fact, for who goes from the new catalog to the old one."""
    return fact._replace(old=fact.new, new=fact.old, before=fact.after, after=fact.before)


def of(*edits: tuple[str, str]) -> Report:
    return report(project(BASE), project(edited(*edits)))


def said(found: Report, index: int = 0) -> list[str]:
    """The steps of one change, without the artifacts that it reaches."""
    _, change, effects = found.changes[index]
    return [f"{when}: {what}" for when, what in steps(change, effects) if when != "files"]
