"""The case that started this project: web and Waldur each had another label for the A10G.

`stale-a10g/` holds the catalog before and after it was put right, consumers that still have the old
labels, what scan says of them, what `--fix` makes of them, and the text of the pull request.
"""

import shutil
from pathlib import Path

import pytest

from generator import cli

CASE = Path(__file__).parent / "stale-a10g"


@pytest.fixture
def consumers(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    shutil.copytree(CASE / "consumers", tmp_path / "consumers")
    shutil.copy(CASE / "after.yaml", tmp_path / "catalog.yaml")
    monkeypatch.chdir(tmp_path)
    return tmp_path / "consumers"


def contents(root: Path) -> dict[str, str]:
    return {
        path.relative_to(root).as_posix(): path.read_text()
        for path in sorted(root.rglob("*"))
        if path.is_file()
    }


@pytest.mark.usefixtures("consumers")
def test_the_old_labels_are_found() -> None:
    code, text, summary = cli.run(["scan", "consumers"])
    assert text == (CASE / "scan.txt").read_text()
    assert (code, summary) == (1, "7 files looked into; 9 errors, 2 notes")


def test_they_are_put_right_where_that_is_sure(consumers: Path) -> None:
    code, text, summary = cli.run(["scan", "consumers", "--fix"])
    assert contents(consumers) == contents(CASE / "fixed")
    assert "web/src/gpu/labels.ts:3:14: nvidia.com/gpu -> nvidia.com/a10g\n" in text
    assert (code, summary) == (1, "7 files looked into; 4 errors, 2 notes")

    _, again, _ = cli.run(["scan", "consumers"])
    assert text.endswith(again)
    assert "GC701" not in again


def test_the_pull_request_says_what_the_catalogs_change_means() -> None:
    code, text, _ = cli.run(
        ["diff", str(CASE / "before.yaml"), str(CASE / "after.yaml"), "--format", "markdown"]
    )
    name = f"`{CASE / 'before.yaml'}`"
    assert code == 1
    assert text.replace(name, "`git:main`") == (CASE / "pull-request.md").read_text()
