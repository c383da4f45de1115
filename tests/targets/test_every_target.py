"""What holds of every target in TARGETS: a new line there is tested without a new test.

`GOLDEN=write python -m pytest tests/targets` accepts the files as they are now made, and removes
those that are no longer made; look at the difference before you commit it.
"""

import os
import shutil

import pytest
from hypothesis import HealthCheck, given, settings

from generator.targets import TARGETS
from tests.targets import catalogs, checks
from tests.targets.catalogs import CASES, GOLDEN

WRITE = os.environ.get("GOLDEN") == "write"


@pytest.fixture(scope="module", params=CASES)
def project(request):
    return catalogs.project(request.param)


@pytest.fixture(params=TARGETS)
def target(request):
    return request.param


@pytest.fixture
def made(project, target):
    return checks.by_target(project)[target]


def test_makes_the_golden_files(project, made):
    assert made
    assert checks.golden(made, project.path.parent / "generated", write=WRITE) == []


@pytest.mark.parametrize("case", CASES)
def test_golden_folders_hold_nothing_else(case):
    folder = GOLDEN / case / "generated"
    kept = {path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file()}
    wanted = set(catalogs.project(case).artifacts())
    if WRITE:
        for path in kept - wanted:
            (folder / path).unlink()
        kept &= wanted
    assert kept == wanted


def test_is_laid_out_as_every_generated_file(made):
    assert list(checks.layout(made)) == []


def test_says_what_the_catalog_says(project, target, made):
    assert list(checks.read_back(project, target, made)) == []


def test_no_change_goes_unseen(project, made):
    assert list(checks.sabotage(project, made)) == []


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(catalogs.catalogs())
def test_any_legal_text_is_read_back(catalog):
    project = catalogs.opened(catalog)
    for target, made in checks.by_target(project).items():
        assert [*checks.layout(made), *checks.read_back(project, target, made)] == []


@pytest.fixture(scope="module")
def here():
    return checks.digests_of(catalogs.project("difficult"))


@pytest.fixture(scope="module", params=checks.SURROUNDINGS)
def elsewhere(request):
    catalog = GOLDEN / "difficult" / "catalog.yaml"
    return checks.digests(catalog, **checks.SURROUNDINGS[request.param])


def test_is_the_same_wherever_it_is_made(target, here, elsewhere):
    assert elsewhere[target] == here[target]


@pytest.fixture(scope="module")
def with_crlf(tmp_path_factory):
    folder = tmp_path_factory.mktemp("crlf")
    shutil.copytree(GOLDEN / "difficult", folder, dirs_exist_ok=True)
    catalog = folder / "catalog.yaml"
    catalog.write_bytes(catalog.read_bytes().replace(b"\n", b"\r\n"))
    return checks.digests(catalog)


def test_is_the_same_from_a_catalog_with_crlf(target, here, with_crlf):
    assert with_crlf[target] == here[target]
