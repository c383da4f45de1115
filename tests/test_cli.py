"""The command line from end to end: exit codes, options, and where everything is printed."""

import json
import os
import pty
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from generator import cli
from generator.commands import check
from generator.findings import Finding, Outcome

pytestmark = pytest.mark.usefixtures("sandbox")

ROOT = Path(__file__).parents[1]
COMMAND = [sys.executable, "-m", "generator"]
ENVIRONMENT = {**os.environ, "PYTHONPATH": str(ROOT)}


def generator(*words, **options):
    return subprocess.run(
        [*COMMAND, *words], env=ENVIRONMENT, check=False, capture_output=True, text=True, **options
    )


def drift():
    Path("generated/web/gpuLabels.ts").write_text("mine\n")


def spoil():
    Path("catalog.yaml").write_text("offerings: {")


def forbid():
    Path("generated/web/gpuLabels.ts").unlink()
    Path("generated/web/gpuLabels.ts").mkdir()


def link_to_itself():
    Path("loop").symlink_to("loop")


def nothing():
    pass


def count():
    """How many files the sandbox's catalog makes."""
    return sum(path.is_file() for path in Path("generated").rglob("*"))


@pytest.mark.parametrize(
    ("prepare", "words", "code"),
    [
        pytest.param(nothing, "check", 0, id="in order"),
        pytest.param(nothing, "generate", 0, id="nothing to do"),
        pytest.param(nothing, "explain GC301", 0, id="explained"),
        pytest.param(nothing, "--help", 0, id="help"),
        pytest.param(nothing, "check --help", 0, id="help of a command"),
        pytest.param(drift, "check", 1, id="drift"),
        pytest.param(drift, "generate", 0, id="drift, mended"),
        pytest.param(drift, "generate --fail-on-change", 1, id="drift, mended, and told"),
        pytest.param(nothing, "generate --fail-on-change", 0, id="no change"),
        pytest.param(nothing, "check --strict", 1, id="warnings are errors"),
        pytest.param(nothing, "", 2, id="no command"),
        pytest.param(nothing, "chek", 2, id="unknown command"),
        pytest.param(nothing, "check --no-such-option", 2, id="unknown option"),
        pytest.param(nothing, "check --form json", 2, id="abbreviated option"),
        pytest.param(nothing, "check --format xml", 2, id="unknown form"),
        pytest.param(nothing, "explain gpu_h100", 2, id="unknown offering"),
        pytest.param(nothing, "generate --out .", 2, id="output over the catalog"),
        pytest.param(spoil, "check", 3, id="invalid catalog"),
        pytest.param(spoil, "generate", 3, id="invalid catalog, generate"),
        pytest.param(spoil, "explain gpu_a10g", 3, id="invalid catalog, explain"),
        pytest.param(nothing, "check --catalog none.yaml", 4, id="no catalog"),
        pytest.param(nothing, "check --out catalog.yaml", 4, id="the output is a file"),
        pytest.param(forbid, "generate", 4, id="a folder where a file should be"),
        pytest.param(link_to_itself, "generate --out loop", 4, id="the output leads to itself"),
        pytest.param(link_to_itself, "check --catalog loop", 4, id="the catalog leads to itself"),
        pytest.param(link_to_itself, "generate --catalog loop", 4, id="it does, and writing"),
    ],
)
def test_exit_codes(prepare, words, code):
    prepare()
    assert cli.run(words.split())[0] == code


@pytest.mark.parametrize("words", ["check", "generate", "check --format json"])
def test_a_bug_alone_shows_a_traceback(words, monkeypatch):
    def broken(_path):
        raise RuntimeError("of ours")

    monkeypatch.setattr("generator.project.files.read_if_exists", broken)
    monkeypatch.setattr("generator.project.open_project.__defaults__", (broken,))
    code, text, summary = cli.run(words.split())
    assert (code, text) == (70, "")
    assert summary.startswith("Traceback (most recent call last):\n")
    assert summary.endswith(
        "RuntimeError: of ours\ngpu-catalog: this is a bug in gpu-catalog, not in your files"
    )


def test_a_missing_package_is_named_with_what_to_do(monkeypatch):
    monkeypatch.setitem(sys.modules, "jinja2", None)
    monkeypatch.delitem(sys.modules, "generator.rendering")
    words = "install gpu-catalog with pip, or run it through nox"
    summary = f"gpu-catalog: the package jinja2 is not installed: {words}"
    assert cli.run(["check"]) == (4, "", summary)


def test_a_command_may_name_its_exit_code(monkeypatch):
    monkeypatch.setattr(check, "run", lambda _options: Outcome(exit_code=1))
    assert cli.run(["check"]) == (1, "", "")


@pytest.mark.parametrize(
    ("severity", "strict", "code"),
    [
        ("error", False, 1),
        ("error", True, 1),
        ("warning", False, 0),
        ("warning", True, 1),
        ("note", False, 0),
        ("note", True, 0),
    ],
)
def test_severities(severity, strict, code, monkeypatch):
    found = Finding("GC301", severity, "a", None, None, "message")
    monkeypatch.setattr(check, "run", lambda _options: Outcome([found]))
    assert cli.run(["check", *(["--strict"] if strict else [])])[0] == code


@pytest.mark.parametrize("prepare", [nothing, drift], ids=["in order", "drift"])
def test_nothing_is_written_when_the_catalog_is_invalid(prepare, sandbox):
    prepare()
    spoil()
    before = {path: path.is_file() and path.read_bytes() for path in sandbox.rglob("*")}
    assert cli.run(["generate"])[0] == 3
    assert cli.run(["generate", "--out", "new/folder"])[0] == 3
    assert {path: path.is_file() and path.read_bytes() for path in sandbox.rglob("*")} == before


def test_evidence_is_named_as_it_is_reached_from_here():
    Path("sub/evidence").mkdir(parents=True)
    Path("catalog.yaml").rename("sub/catalog.yaml")
    Path("sub/evidence/themelio.yaml").write_text("- a\n")
    text = cli.run(["check", "--catalog", "sub/catalog.yaml"])[1]
    assert text.startswith("sub/evidence/themelio.yaml:1:1: error GC501: ")


def test_the_output_folder_stands_beside_the_catalog():
    Path("sub").mkdir()
    Path("catalog.yaml").rename("sub/gpus.yaml")
    assert cli.run(["generate", "--catalog", "sub/gpus.yaml"])[0] == 0
    assert "from gpus.yaml." in Path("sub/generated/web/gpuLabels.ts").read_text()


def test_findings_go_to_stdout_and_the_summary_to_stderr():
    drift()
    done = generator("check")
    assert done.returncode == 1
    assert done.stdout.startswith(
        "generated/web/gpuLabels.ts:1: error GC303: was edited by hand\n--- generated/web/gpuLabels"
    )
    assert done.stderr == (
        f"generated: 1 of {count()} files have drifted from catalog.yaml; 1 error, 1 warning\n"
    )


def test_a_file_that_nothing_makes_is_counted_too():
    made = count()
    Path("generated/old.ts").write_bytes(Path("generated/web/gpuLabels.ts").read_bytes())
    Path("generated/manifest.json").unlink()  # then the header alone tells what is ours
    assert cli.run(["check"])[2].startswith(f"generated: 2 of {made + 1} files have drifted")


def test_json_is_the_whole_of_stdout():
    drift()
    done = generator("check", "--format", "json")
    document = json.loads(done.stdout)
    assert [finding["code"] for finding in document["findings"]] == ["GC303", "GC321"]
    assert document["summary"] == {
        "errors": 1,
        "warnings": 1,
        "notes": 0,
        "files": count(),
        "drifted": 1,
    }


def test_json_of_generate():
    drift()
    Path("generated/web/.gpu-catalog-0.tmp").touch()
    _, text, _ = cli.run(["generate", "--format", "json"])
    assert json.loads(text)["summary"] == {
        "errors": 0,
        "warnings": 2,
        "notes": 0,
        "files": count(),
        "written": ["web/gpuLabels.ts"],
        "deleted": ["web/.gpu-catalog-0.tmp"],
    }


class TestStreams:
    def test_a_reader_that_has_seen_enough(self):
        drift()
        reader, writer = os.pipe()
        os.close(reader)
        done = subprocess.run(
            [*COMMAND, "check"], env=ENVIRONMENT, check=False, stdout=writer, stderr=subprocess.PIPE
        )
        os.close(writer)
        assert done.returncode == 1
        assert b"have drifted" in done.stderr
        assert b"Traceback" not in done.stderr
        assert b"Broken pipe" not in done.stderr

    def test_help_for_a_reader_that_is_gone(self):
        reader, writer = os.pipe()
        os.close(reader)
        done = subprocess.run(
            [*COMMAND, "--help"],
            env=ENVIRONMENT,
            check=False,
            stdout=writer,
            stderr=subprocess.PIPE,
        )
        os.close(writer)
        assert (done.returncode, done.stderr) == (0, b"")

    @pytest.mark.parametrize("closed", [">&-", "2>&-", ">&- 2>&-", "<&-"])
    def test_closed_streams(self, closed):
        script = f'"{sys.executable}" -m generator check {closed}'
        done = subprocess.run(script, shell=True, env=ENVIRONMENT, check=False, capture_output=True)
        assert done.returncode == 0
        assert b"Traceback" not in done.stderr

    def test_a_stdout_that_cannot_be_written(self):
        with Path("catalog.yaml").open() as readable:
            done = subprocess.run(
                [*COMMAND, "explain", "GC301"],
                env=ENVIRONMENT,
                check=False,
                stdout=readable,
                stderr=subprocess.PIPE,
            )
        assert done.returncode == 4
        assert done.stderr == (
            b"gpu-catalog: cannot write to standard output: Bad file descriptor\n"
        )

    def test_an_interrupt_is_no_bug(self):
        program = (
            "import os, signal\n"
            "from generator import cli, project\n"
            "import generator.commands.check as check\n"
            "check.open_project = lambda path: os.kill(os.getpid(), signal.SIGINT)\n"
            "cli.main(['check'])\n"
        )
        done = subprocess.run(
            [sys.executable, "-c", program], env=ENVIRONMENT, check=False, capture_output=True
        )
        assert (done.returncode, done.stdout, done.stderr) == (128 + signal.SIGINT, b"", b"")

    @pytest.mark.parametrize(
        ("environment", "coloured"),
        [
            ({"TERM": "xterm"}, True),
            ({"TERM": "xterm", "NO_COLOR": ""}, True),
            ({"TERM": "xterm", "NO_COLOR": "1"}, False),
            ({"TERM": "dumb"}, False),
        ],
    )
    def test_colour_is_for_terminals(self, environment, coloured):
        ours, theirs = pty.openpty()
        subprocess.run(
            [*COMMAND, "check"],
            env={**ENVIRONMENT, "NO_COLOR": "", **environment},
            check=True,
            stdout=theirs,
            stderr=subprocess.DEVNULL,
        )
        os.close(theirs)
        output = os.read(ours, 10_000)
        os.close(ours)
        assert (b"\x1b[1;33mwarning GC321\x1b[0m" in output) is coloured
        assert (b"\x1b" in output) is coloured

    def test_no_colour_in_a_pipe(self):
        assert "\x1b" not in generator("check").stdout

    def test_any_locale_will_do(self):
        Path("catalog.yaml").write_text(
            Path("catalog.yaml").read_text().replace("name: NVIDIA A10G", "name: NVIDIÄ A10G 🚀")
        )
        done = subprocess.run(
            [*COMMAND, "check"],
            env={**ENVIRONMENT, "LC_ALL": "C", "PYTHONIOENCODING": "ascii"},
            check=False,
            capture_output=True,
        )
        assert done.returncode == 1
        assert "NVIDIÄ A10G 🚀".encode() in done.stdout


def test_help_names_every_command_and_the_exit_codes(capsys):
    assert cli.run(["--help"]) == (0, "", "")
    text = capsys.readouterr().out
    for command in cli.COMMANDS:
        assert f"\n    {command} " in text
    assert "4 unsafe file or repository, 70 a bug in gpu-catalog" in " ".join(text.split())


@pytest.mark.parametrize("command", ["check", "generate", "explain"])
def test_help_of_a_command_has_the_shared_options(command, capsys):
    assert cli.run([command, "--help"])[0] == 0
    text = capsys.readouterr().out
    for option in ("--catalog FILE", "--out DIR", "--format {text,json,github,gitlab", "--strict"):
        assert option in text


def test_the_console_script_is_the_same_command():
    import tomllib

    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    assert project["scripts"] == {"gpu-catalog": "generator.cli:console"}
