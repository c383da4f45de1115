"""The page of each cluster code: its wrong example has the code, its right one does not.

An object of an example is merged into the healthy cluster's object of that name, where null takes
a field away; sections of a catalog replace the catalog's.
"""

import re
from pathlib import Path

import pytest
import yaml

from generator import pages
from tests.cluster.healthy import CATALOG, Live, codes, run

PAGES = {code: pages.page(code).text for code in pages.codes() if code.startswith("GC5")}
HEADINGS = ("Wrong", "Right")


def example(code, heading):
    [text] = re.findall(rf"## {heading}\n\n```\w+\n(.*?)```", PAGES[code], re.DOTALL)
    return text


def merged(old, new):
    """JSON merge patch."""
    if not isinstance(old, dict) or not isinstance(new, dict):
        return new
    both = {key: merged(old.get(key), value) for key, value in new.items()}
    return {key: value for key, value in (old | both).items() if value is not None}


def with_object(live, item):
    items = getattr(live, f"{item['kind'].lower()}{'es' if item['kind'] == 'DeviceClass' else 's'}")
    name = item["metadata"]["name"]
    for number, known in enumerate(items):
        if known["metadata"]["name"] == name:
            items[number] = merged(known, item)
            return
    items.append(item)


def with_sections(text):
    def sections(catalog):
        parts = re.split(r"(?m)^(?=[a-z_]+:)", catalog)
        return {part.partition(":")[0]: part for part in parts}

    kept = {key: part for key, part in sections(CATALOG).items() if key != "retired_labels"}
    return "".join((kept | sections(text)).values())


def codes_of_objects(text):
    documents = list(yaml.safe_load_all(text))
    catalog = with_sections(text) if "offerings" in documents[0] else CATALOG
    live = Live(catalog)
    if catalog is CATALOG:
        for item in documents:
            with_object(live, item)
    return codes(live.checked(catalog))


OBJECTS = sorted(PAGES.keys() - {"GC501", "GC502", "GC503", "GC504", "GC505", "GC570"})


@pytest.mark.parametrize("code", OBJECTS)
def test_objects(code):
    assert code in codes_of_objects(example(code, "Wrong"))
    assert code not in codes_of_objects(example(code, "Right"))


@pytest.fixture(autouse=True)
def _folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("catalog.yaml").write_text(CATALOG)
    Live().write(Path("dump"))


def check():
    return run("cluster", "check", "themelio", "--from", "dump")[1]


@pytest.mark.parametrize("code", ["GC501", "GC570"])
def test_evidence(code):
    Path("evidence").mkdir()
    for heading in HEADINGS:
        Path("evidence/themelio.yaml").write_text(example(code, heading))
        assert (code in check()) == (heading == "Wrong")


def test_a_dump():
    Path("dump/nodes.json").unlink()
    for heading in HEADINGS:
        Path("dump/nodes.yaml").write_text(example("GC502", heading))
        assert ("GC502" in check()) == (heading == "Wrong")


def test_missing_dumps():
    for heading in HEADINGS:
        Live().write(Path("dump"))
        for path in Path("dump").iterdir():
            if path.as_posix() not in example("GC504", heading).splitlines():
                path.unlink()
        assert ("GC504" in check()) == (heading == "Wrong")


def test_the_cel_library(monkeypatch):
    """The right command installs the extra, without which the library is not there."""
    extras = {heading: "[cluster]" in example("GC503", heading) for heading in HEADINGS}
    assert extras == {"Wrong": False, "Right": True}
    assert "GC503" not in check()

    def missing():
        raise ImportError

    monkeypatch.setattr("generator.cluster.cel.Cel.__init__", lambda _: missing())
    assert "GC503" in check()


def test_contexts(monkeypatch):
    monkeypatch.setenv("PATH", "/nowhere")  # the right context comes as far as kubectl
    for heading in HEADINGS:
        words = example("GC505", heading).split()
        assert ("GC505" in run(*words[1:])[1]) == (heading == "Wrong")
