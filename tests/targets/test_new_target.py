"""A new target needs its module, its templates and a line in TARGETS: its tests come with it."""

import pytest

from generator.targets import TARGETS, Artifact
from tests.targets import catalogs, checks

PRELUDE = """
from generator.targets import TARGETS
from tests.targets.test_new_target import prices
TARGETS["prices"] = prices
"""


def prices(catalog, _evidence, render):
    """A throw-away target: one more file about the labels."""
    text = render("openapi/gpu-label.yaml", offerings=catalog.enabled)
    yield Artifact("billing/prices.yaml", text)


@pytest.fixture
def project(monkeypatch):
    monkeypatch.setitem(TARGETS, "prices", prices)
    return catalogs.project("difficult")


@pytest.fixture
def made(project):
    return checks.by_target(project)["prices"]


def test_it_lacks_golden_files_until_they_are_accepted(made, tmp_path):
    assert checks.golden(made, tmp_path) == ["billing/prices.yaml"]
    assert checks.golden(made, tmp_path, write=True) == []
    (tmp_path / "billing/prices.yaml").write_text("prices: none\n")
    assert checks.golden(made, tmp_path) == ["billing/prices.yaml"]


def test_its_layout_is_looked_at(made):
    assert list(checks.layout(made)) == []
    assert list(checks.layout({"a.yaml": "a: 1 \n\n"})) == [
        "a.yaml: does not start with the header",
        "a.yaml: does not end in one line feed",
        "a.yaml: has blanks before a line's end",
    ]


def test_it_is_read_back(project, made):
    assert list(checks.read_back(project, "prices", made)) == []
    [fault] = checks.read_back(project, "prices", {"billing/prices.yaml": "a: no\n"})
    assert "{'a': False}" in fault


def test_it_is_sabotaged(project, made):
    assert list(checks.sabotage(project, made)) == []


def test_it_is_made_elsewhere(project):
    catalog = catalogs.GOLDEN / "difficult" / "catalog.yaml"
    elsewhere = checks.digests(catalog, PRELUDE, **checks.SURROUNDINGS["turkish"])
    assert elsewhere["prices"] == checks.digests_of(project)["prices"]
