"""The jobs that post what a catalog change means: they parse, and so do their command lines."""

import os
import re
import shlex
import subprocess
from pathlib import Path

import pytest
import yaml

from generator import cli

GITHUB = yaml.safe_load(Path(".github/workflows/catalog-diff.yml").read_text())
GITLAB = yaml.safe_load(Path(".gitlab-ci.yml").read_text())["catalog-diff"]
SCRIPTS = {
    "github": [step["run"] for step in GITHUB["jobs"]["diff"]["steps"] if "run" in step],
    "gitlab": [*GITLAB["before_script"], *GITLAB["script"]],
}
CALL = re.compile(r"^ *gpu-catalog ([^>|;\n]*)", re.MULTILINE)


@pytest.mark.parametrize("system", SCRIPTS)
@pytest.mark.parametrize("allow", ["", "--allow-breaking"])
def test_every_command_line_parses(system: str, allow: str) -> None:
    calls = [call for script in SCRIPTS[system] for call in CALL.findall(script)]
    formats = []
    for call in calls:
        words = (
            call.replace('"$BASE"', "git:main").replace("$ALLOW", allow).replace("$allow", allow)
        )
        options = cli._parser("diff").parse_args(shlex.split(words))
        assert options.old == "git:main"
        formats.append(options.format)
    assert formats == ["markdown", system]


@pytest.mark.parametrize("system", SCRIPTS)
def test_every_script_is_one_of_the_shell(system: str) -> None:
    for script in SCRIPTS[system]:
        subprocess.run(["sh", "-n"], input=script.encode(), check=True)


def test_they_run_for_the_catalog_and_its_evidence() -> None:
    triggers = GITHUB[True]["pull_request"]  # `on` is true to this reader of YAML
    assert triggers["paths"] == ["catalog.yaml", "evidence/**"]
    assert GITLAB["rules"][0]["changes"] == ["catalog.yaml", "evidence/**/*"]


def test_they_fetch_the_base() -> None:
    checkout = GITHUB["jobs"]["diff"]["steps"][0]
    assert checkout["with"]["fetch-depth"] == 0
    assert GITLAB["variables"]["GIT_DEPTH"] == "0"
    assert GITHUB["jobs"]["diff"]["env"]["BASE"] == "git:origin/${{ github.base_ref }}"
    assert GITLAB["variables"]["BASE"] == "git:$CI_MERGE_REQUEST_DIFF_BASE_SHA"


def test_gitlab_posts_once_and_then_renews(tmp_path: Path) -> None:
    """The script, with stand-ins for curl and gpu-catalog that tell what they are asked for."""
    programs = {
        "gpu-catalog": 'echo "### GPU catalog: x"; exit 1',
        "curl": f'echo "$@" >> {tmp_path}/calls; cat {tmp_path}/notes',
    }
    for name, text in programs.items():
        (tmp_path / name).write_text(f"#!/bin/sh\n{text}\n")
        (tmp_path / name).chmod(0o755)
    names = ("BASE", "CI_API_V4_URL", "CI_PROJECT_ID", "CI_MERGE_REQUEST_IID", "GPU_CATALOG_TOKEN")
    environment = {**os.environ, **{name: name.lower() for name in names}}
    environment["PATH"] = f"{tmp_path}{os.pathsep}{environment['PATH']}"
    for notes, asked in (("[]", "POST"), ('[{"id": 7, "body": "### GPU catalog: y"}]', "PUT")):
        (tmp_path / "notes").write_text(notes)
        (tmp_path / "calls").unlink(missing_ok=True)
        script = "set -e\n" + "\n".join(GITLAB["script"][:-2])
        subprocess.run(["sh", "-c", script], cwd=tmp_path, env=environment, check=True)
        last = (tmp_path / "calls").read_text().splitlines()[-1]
        assert f"--request {asked} --data-urlencode body@catalog-diff.md" in last
        assert last.endswith("/notes/7" if asked == "PUT" else "/notes")
