"""Git without this machine's settings, and a catalog with its generated files."""

import shutil

import pytest

from tests.publish.world import API, CATALOG, PAGE, Catalog, Checkout


@pytest.fixture(autouse=True)
def own_git(monkeypatch):
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", "/dev/null")
    monkeypatch.setenv("GIT_CONFIG_SYSTEM", "/dev/null")
    for who in ("AUTHOR", "COMMITTER"):
        monkeypatch.setenv(f"GIT_{who}_NAME", "Ada")
        monkeypatch.setenv(f"GIT_{who}_EMAIL", "ada@example.org")


@pytest.fixture(scope="session")
def generated(tmp_path_factory):
    catalog = Catalog(tmp_path_factory.mktemp("generated") / "catalog")
    catalog.write(CATALOG)
    return catalog.path.parent


@pytest.fixture
def catalog(tmp_path, generated):
    """A catalog whose files are generated, with the consumers `web`, `docs`, `api` and `ops`."""
    shutil.copytree(generated, tmp_path / "catalog")
    return Catalog(tmp_path / "catalog")


@pytest.fixture
def web(tmp_path):
    return Checkout(tmp_path / "web")


@pytest.fixture
def docs(tmp_path):
    return Checkout(tmp_path / "docs", **{"gpus.md": PAGE})


@pytest.fixture
def api(tmp_path):
    return Checkout(tmp_path / "api", **{"openapi.yaml": API})


@pytest.fixture
def ops(tmp_path):
    return Checkout(tmp_path / "ops", **{"base/classes/own.yaml": "a: 1\n"})
