"""What each kind of change means, and that a change seen backwards is the same fact."""

import functools
from pathlib import Path
from typing import Any

import pytest
import yaml

from generator.diff.change import Change
from generator.diff.comparing import compare
from generator.diff.meaning import changes
from generator.diff.sides import Side
from tests.diff.projects import backwards, edited, project, side_of

PAIRS = yaml.safe_load((Path(__file__).parent / "pairs.yaml").read_text())
each = pytest.mark.parametrize("pair", PAIRS, ids=lambda pair: pair["id"])


def sides(pair: dict[str, Any]) -> tuple[Side, Side]:
    old, new = pair.get("verified", ([], []))
    before = edited(*map(tuple, pair.get("before", ())))
    after = edited(*map(tuple, pair["edits"]), text=before)
    return read(before, tuple(old)), read(after, tuple(new))


@functools.cache
def read(text: str, verified: tuple[str, ...]) -> Side:
    return side_of(project(text, verified))


def meant(old: Side, new: Side) -> list[Change]:
    return [change for _, change in changes(compare(old, new), old, new)]


@each
def test_what_it_means(pair: dict[str, Any]) -> None:
    found = meant(*sides(pair))
    assert [f"{one.level} {one.code} {one.title}" for one in found] == pair["says"]


@each
def test_nothing_differs_from_itself(pair: dict[str, Any]) -> None:
    for one in sides(pair):
        assert compare(one, one) == []


@each
def test_every_difference_is_there_backwards(pair: dict[str, Any]) -> None:
    old, new = sides(pair)
    rest = [backwards(fact) for fact in compare(old, new)]
    for fact in compare(new, old):
        rest.remove(fact)
    assert rest == []


@each
def test_whoever_must_act_is_told_why_and_how_to_go_back(pair: dict[str, Any]) -> None:
    old, new = sides(pair)
    for change in (*meant(old, new), *meant(new, old)):
        assert change.why or change.level == "cosmetic"
        assert change.rollback or change.level in ("safe", "cosmetic")
        assert change.title.count("`") % 2 == 0
        assert change.why.count("`") % 2 == 0
        assert "None" not in change.title + change.why
