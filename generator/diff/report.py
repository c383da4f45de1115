"""Everything that there is to say of a change from one catalog to another."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

from generator.diff.comparing import compare
from generator.diff.effects import Effects, Index, effects
from generator.diff.meaning import changes
from generator.diff.sides import side

if TYPE_CHECKING:
    from collections.abc import Sequence

    from generator.diff.change import Change
    from generator.diff.comparing import Difference
    from generator.project import Project


class Report(NamedTuple):
    """The changes, the gravest first, with their facts and reach; and what they reach together."""

    changes: Sequence[tuple[Difference, Change, Effects]]
    total: Effects


def report(old: Project, new: Project) -> Report:
    """Compare two projects; raises Invalid where one cannot be rendered."""
    old = replace(old, path=new.path)  # a file's name stands in the header of every artifact
    before, after = (side(each.catalog, each.evidence) for each in (old, new))
    facts = compare(before, after)
    catalogs = old.catalog, new.catalog
    index = Index(_texts(old), _texts(new))
    return Report(
        [
            (fact, change, effects(index.reached(fact), catalogs, [fact]))
            for fact, change in changes(facts, before, after)
        ],
        effects(index.artifacts, catalogs, facts),
    )


def _texts(project: Project) -> dict[str, str]:
    return {path: artifact.text for path, (_, artifact) in project.artifacts().items()}
