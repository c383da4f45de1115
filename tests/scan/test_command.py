"""`gpu-catalog scan` as a whole: what it prints, and its exit codes."""

import io
import json
import sys
from pathlib import Path

import pytest

from generator import cli
from generator.commands import scan
from tests.scan.running import CATALOG, FIXED, SURE, run_scan, write


def exit_code(catalog: Path, *words: str | Path) -> int:
    with pytest.raises(SystemExit) as ended:
        cli.main(["scan", "--catalog", str(catalog), *map(str, words)])
    assert isinstance(ended.value.code, int)
    return ended.value.code


def test_exit_codes(catalog: Path, tree: Path) -> None:
    write(
        tree, {"a.yaml": SURE, "docs/a.md": "Not nvidiax.com/gpu.\n", "a.sh": "x nvidiax.com/gpu\n"}
    )
    assert exit_code(catalog, tree) == 1
    assert exit_code(catalog, tree, "--diff") == 1
    assert exit_code(catalog, tree / "docs") == 0
    assert exit_code(catalog, tree / "a.sh") == 0
    assert exit_code(catalog, tree / "a.sh", "--strict") == 1
    assert exit_code(catalog, tree, "--fix") == 0
    assert (tree / "a.yaml").read_text() == FIXED
    assert exit_code(catalog, tree) == 0
    assert exit_code(catalog) == 2
    assert exit_code(catalog, tree / "nothing") == 4
    assert exit_code(tree / "nothing.yaml", tree) == 4
    assert exit_code(tree / "a.yaml", tree) == 3


def test_text(catalog: Path, tree: Path, capfd: pytest.CaptureFixture[str]) -> None:
    write(tree, {"a.yaml": "options: {gpuLabel: nvidiax.com/gpu}\n"})
    exit_code(catalog, tree)
    printed = capfd.readouterr()
    assert printed.out == (
        f"{tree}/a.yaml:1:21: error GC701: nvidiax.com/gpu is retired (a typo), and stands in"
        " `gpuLabel`\n"
        "  options: {gpuLabel: nvidiax.com/gpu}\n"
        "                      ^\n"
        "hint: write nvidia.com/a10g\n"
    )
    assert printed.err == "1 file looked into; 1 error\n"


def test_json(catalog: Path, tree: Path, capfd: pytest.CaptureFixture[str]) -> None:
    write(tree, {"a.yaml": SURE, "b.zip": ""})
    exit_code(catalog, tree, "--fix", "--format", "json")
    assert json.loads(capfd.readouterr().out) == {
        "findings": [],
        "summary": {
            "errors": 0,
            "warnings": 0,
            "notes": 0,
            "files": 1,
            "not_looked_into": {"archives": [f"{tree}/b.zip"]},
            "fixed": 1,
        },
    }


def test_a_catalog_that_retires_nothing(catalog: Path, tree: Path) -> None:
    catalog.write_text(
        CATALOG.partition("retired_labels")[0] + CATALOG[CATALOG.index("clusters") :]
    )
    outcome = run_scan(catalog, tree)
    assert outcome.message == "the catalog retires no label: there is nothing to look for"
    assert outcome.findings == ()


def test_many_passed_over_paths_are_counted(catalog: Path, tree: Path) -> None:
    write(tree, {f"{number}.zip": "" for number in range(5)})
    names = ", ".join(f"{tree}/{number}.zip" for number in range(3))
    message = f"0 files looked into; not looked into archives: {names} and 2 more"
    assert run_scan(catalog, tree).message == message


@pytest.mark.parametrize("terminal", [True, False])
def test_progress_on_a_terminal_after_a_second(
    catalog: Path, tree: Path, monkeypatch: pytest.MonkeyPatch, terminal: bool
) -> None:
    write(tree, {f"{number}.yaml": "" for number in range(200)})
    screen = io.StringIO()
    screen.isatty = lambda: terminal  # type: ignore[method-assign]
    monkeypatch.setattr(sys, "stderr", screen)
    seconds = iter(range(1000))
    monkeypatch.setattr(scan.time, "monotonic", lambda: next(seconds))
    run_scan(catalog, tree)
    shown = "\r128 files ...\r192 files ...\r\x1b[K" if terminal else ""
    assert screen.getvalue() == shown
