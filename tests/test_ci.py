"""What CI, hooks and the noxfile say of each other and of the command line."""

import re
from pathlib import Path

import pytest
import yaml

from generator.cli import COMMANDS

SESSIONS = set(re.findall(r"@nox\.session\ndef (\w+)", Path("noxfile.py").read_text()))
CI = (".ci/run", ".github/workflows/gpu-catalog.yml", ".gitlab-ci.yml")


@pytest.mark.parametrize("path", CI)
def test_ci_calls_sessions_that_exist(path: str) -> None:
    calls = re.findall(r"nox -s ([\w ]+?)(?: --.*)?$", Path(path).read_text(), re.MULTILINE)
    assert calls
    assert {session for call in calls for session in call.split()} <= SESSIONS


@pytest.mark.parametrize("path", CI)
def test_ci_checks_drift_runs_the_tests_and_asks_the_consumers(path: str) -> None:
    text = Path(path).read_text()
    for session in ("check", "tests", "consumers"):
        assert re.search(rf"nox -s (\w+ )*{session}\b", text), session


def test_ci_sets_up_and_tests_as_the_readme_says() -> None:
    lines = Path(".ci/run").read_text().splitlines()
    shown = re.findall(r"```sh\n(.*nox -s .*)\n```", Path("README.md").read_text())
    setup, tests = shown[0].rpartition(" && ")[0], shown[1]
    assert setup in lines
    assert tests in lines
    assert lines[-1] == tests, "the last words of CI are those of the tests"


def test_merge_requests_show_findings() -> None:
    assert "nox -s check -- --format github" in Path(CI[1]).read_text()
    gitlab = yaml.safe_load(Path(CI[2]).read_text())["check"]
    report = gitlab["artifacts"]["reports"]["codequality"]
    assert f"nox -s check -- --format gitlab > {report}" in gitlab["script"]
    assert gitlab["artifacts"]["when"] == "always"


def test_the_hook_calls_a_command() -> None:
    [hook] = yaml.safe_load(Path(".pre-commit-hooks.yaml").read_text())
    program, command, *options = hook["entry"].split()
    assert (program, options) == ("gpu-catalog", ["--fail-on-change"])
    assert command in COMMANDS
    assert not hook["pass_filenames"]
    assert hook["always_run"], "pre-commit names no deleted file, so `files` would miss it"
    assert "files" not in hook


def test_what_is_generated_is_marked_for_git() -> None:
    lines = Path(".gitattributes").read_text().splitlines()
    assert "generated/** linguist-generated=true text eol=lf" in lines


def test_the_default_sessions_exist() -> None:
    [listed] = re.findall(r"nox.options.sessions = \[(.*)\]", Path("noxfile.py").read_text())
    assert set(re.findall(r'"(\w+)"', listed)) <= SESSIONS
