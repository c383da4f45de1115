"""Git without this machine's settings, and a catalog with its generated files."""

import functools
import shutil

import pytest

from generator import rendering
from tests.publish.world import API, CATALOG, PAGE, Catalog, Checkout, isolated_git


@pytest.fixture(autouse=True, scope="module")
def _templates_compiled_once():
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(rendering, "renderer", functools.cache(rendering.renderer))
        yield


@pytest.fixture(autouse=True)
def _own_git():
    with isolated_git():
        yield


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
