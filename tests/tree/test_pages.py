"""The pages of the codes about usage, files and drift: their examples are run as they stand."""

import re
import subprocess
from pathlib import Path

import pytest

from generator import cli, gaps, pages
from generator.project import open_project

CONSOLE = ["GC001", "GC002", *(code for code in pages.codes() if "GC301" <= code <= "GC319")]


def examples(code, language):
    text = pages.page(code).text
    wrong, right = re.findall(rf"```{language}\n(.*?)```", text, re.DOTALL)
    return wrong, right


class Shell:
    """Runs the commands of a transcript; `gpu-catalog` in this process, all else in a shell."""

    def __init__(self):
        self.code = 0
        self.output = ""

    def run(self, command):
        if command.startswith("gpu-catalog "):
            self.code, text, summary = cli.run(command.split()[1:])
            self.output = f"{text}{summary}\n"
        elif command == "echo $?":
            self.output = f"{self.code}\n"
        else:
            done = subprocess.run(command, shell=True, check=True, capture_output=True, text=True)
            self.output = done.stdout + done.stderr


def matches(expected, output):
    """Whether the output is what the page shows; `...` stands for anything."""
    pattern = "".join(
        "(?:.*\n)*?" if line == "..." else ".*?".join(map(re.escape, line.split("..."))) + "\n"
        for line in expected.splitlines()
    )
    return re.fullmatch(pattern, output) is not None


def replay(shell, transcript):
    seen = ""
    for step in re.split(r"^\$ ", transcript, flags=re.MULTILINE)[1:]:
        command, _, expected = step.partition("\n")
        shell.run(command)
        assert matches(expected, shell.output), f"$ {command}\n{shell.output}"
        seen += shell.output
    return seen


@pytest.mark.parametrize("code", CONSOLE)
@pytest.mark.usefixtures("sandbox")
def test_the_transcripts_are_what_happens(code):
    wrong, right = examples(code, "console")
    shell = Shell()
    assert code in replay(shell, wrong)
    replay(shell, right)
    assert shell.code == 0
    assert code not in shell.output


def test_the_codes_of_drift_have_transcripts():
    assert len(CONSOLE) == 12


def gaps_of(catalog, evidence=None):
    texts = {"catalog.yaml": catalog, "evidence/themelio.yaml": evidence}
    data = {path: text.encode() for path, text in texts.items() if text}
    project = open_project(Path("catalog.yaml"), lambda path: data.get(str(path)))
    return list(gaps.warnings(project))


def codes_of(catalog, evidence=None):
    return {finding.code for finding in gaps_of(catalog, evidence)}


def test_without_device_class(sandbox):
    wrong, right = examples("GC320", "yaml")
    catalog = (sandbox / "catalog.yaml").read_text()
    clusters = catalog[catalog.index("clusters:") :]
    assert codes_of("schema_version: 1\n" + wrong + clusters) == {"GC320"}
    assert "GC320" not in codes_of("schema_version: 1\n" + right + clusters)


def test_any_gpu_works_without_a_device_class(sandbox):
    wrong, _ = examples("GC320", "yaml")
    catalog = (sandbox / "catalog.yaml").read_text()
    text = f"schema_version: 1\n{wrong}{catalog[catalog.index('clusters:') :]}"
    generic = text.replace("nvidia.com/a10g", "nvidia.com/gpu")
    [finding] = gaps_of(generic)
    assert finding.message == (
        "nvidia.com/gpu has no device class: on themelio the driver's gpu.nvidia.com gives any"
        " whole GPU for it"
    )


def test_without_evidence(sandbox):
    wrong, right = examples("GC321", "yaml")
    catalog = (sandbox / "catalog.yaml").read_text()
    assert codes_of(catalog) == {"GC321"}
    assert codes_of(catalog, wrong) == {"GC321"}
    assert codes_of(catalog, right) == set()
