"""`generate` as a process: killed at any moment, run twice at once, started without ballast."""

import json
import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from generator import cli, files

ROOT = Path(__file__).parents[2]
ENVIRONMENT = {**os.environ, "PYTHONPATH": str(ROOT)}
OLD, NEW = "namespace: themelio\n", "namespace: other\n"

pytestmark = pytest.mark.usefixtures("sandbox")


def start(*words):
    command = [sys.executable, "-m", "generator", *words]
    return subprocess.Popen(
        command, env=ENVIRONMENT, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )


def swap():
    """Change the catalog to and fro, so that several files have to be written."""
    text = Path("catalog.yaml").read_text()
    Path("catalog.yaml").write_text(
        text.replace(OLD, NEW) if OLD in text else text.replace(NEW, OLD)
    )


def tree():
    return {
        path: data
        for path, data in files.read_tree(Path("generated")).items()
        if not files.is_temporary(path)
    }


def test_a_kill_leaves_each_file_old_or_new_and_whole():
    old = tree()
    swap()
    assert cli.run(["generate"])[0] == 0
    new = tree()
    chance = random.Random(7)
    started = time.perf_counter()
    assert start("generate").wait() == 0
    longest = time.perf_counter() - started
    killed = 0
    for _ in range(8):
        before = tree()
        swap()
        process = start("generate")
        time.sleep(chance.uniform(0.3, 1.1) * longest)
        process.kill()
        killed += process.wait() == -signal.SIGKILL
        for path, data in tree().items():
            assert data in (old.get(path), new.get(path)), path
        assert tree().keys() == before.keys()
    assert killed
    assert start("generate").wait() == 0
    assert cli.run(["check"])[0] == 0
    assert not list(Path("generated").rglob("*.tmp"))


def killed_before_step(step):
    """Run `generate` in a child that kills itself before its nth change of the disk."""
    child = os.fork()
    if child:
        _, status = os.waitpid(child, 0)
        return os.waitstatus_to_exitcode(status) == -signal.SIGKILL
    left = iter(range(step))

    def counted(real):
        def call(*arguments, **options):
            if next(left, None) is None:
                os.kill(os.getpid(), signal.SIGKILL)
            return real(*arguments, **options)

        return call

    for name in ("replace", "unlink", "fsync", "fdopen", "rmdir"):
        setattr(os, name, counted(getattr(os, name)))
    os._exit(cli.run(["generate"])[0])


def test_a_kill_before_any_step_leaves_each_file_old_or_new_and_the_next_run_heals():
    one = tree()
    swap()
    assert cli.run(["generate"])[0] == 0
    other = tree()
    steps = 0
    while swap() or killed_before_step(steps):
        found = tree()
        assert found.keys() == one.keys()
        assert all(data in (one[path], other[path]) for path, data in found.items())
        assert cli.run(["generate"])[0] == 0
        assert tree() == (other if NEW in Path("catalog.yaml").read_text() else one)
        assert not list(Path("generated").rglob("*.tmp"))
        steps += 1
    assert steps > 10


def test_two_runs_at_once_end_consistent():
    for _ in range(2):
        swap()
        first = start("generate")
        swap()
        second = start("generate")
        assert (first.wait(), second.wait()) == (0, 0)
        assert cli.run(["check"])[0] == 0


def test_two_first_runs_at_once():
    import shutil

    shutil.rmtree("generated")
    assert [run.wait() for run in [start("generate"), start("generate")]] == [0, 0]
    assert cli.run(["check"])[0] == 0


def test_check_sees_no_half_written_tree():
    """A reader waits for the writer: it sees the old tree or the new one, both in sync."""
    with files.locked(Path("generated")):
        web = Path("generated/web/gpuLabels.ts")
        text = web.read_text()
        web.write_text("half")
        check = start("check")
        line = check.stderr.readline()
        web.write_text(text)
    assert line == b"waiting for another run of gpu-catalog on generated\n"
    assert check.wait() == 0


def imported(program):
    """The modules that a program imports in a process of its own, by its own account."""
    done = subprocess.run(
        [
            sys.executable,
            "-c",
            f"{program}\nimport json, sys\nprint(json.dumps(list(sys.modules)))",
        ],
        env=ENVIRONMENT,
        check=True,
        capture_output=True,
        text=True,
    )
    return set(json.loads(done.stdout.splitlines()[-1]))


def test_a_clean_check_imports_only_what_it_needs():
    """Start-up is most of a run: whatever is not in these lists is imported where it is used."""
    libraries = "import argparse, dataclasses, fastjsonschema, jinja2, pathlib, shlex, yaml"
    everything = imported("from generator import cli\nassert cli.run(['check'])[0] == 0")
    own = {name for name in everything if name.startswith("generator")}
    beyond = everything - own - imported(libraries)
    assert {name.partition(".")[0] for name in beyond} <= {
        "_locale",
        "encodings",
        "fcntl",
        "gc",
        "locale",
        "signal",
    }
    assert {name for name in own if name.count(".") == 1} == {
        "generator.catalog",
        "generator.cli",
        "generator.commands",
        "generator.files",
        "generator.findings",
        "generator.gaps",
        "generator.kubernetes",
        "generator.markdown",
        "generator.project",
        "generator.rendering",
        "generator.reports",
        "generator.targets",
        "generator.tree",
        "generator.typescript",
        "generator.words",
        "generator.yamlfaults",
        "generator.yamltext",
    }
    assert {name for name in own if name.startswith("generator.commands.")} == {
        "generator.commands.check"
    }


@pytest.mark.parametrize("words", ["generate", "explain GC301", "explain gpu_a10g"])
def test_heavy_modules_wait_until_they_are_needed(words):
    everything = imported(f"from generator import cli\nassert cli.run({words.split()})[0] == 0")
    assert everything & {"jsonschema", "difflib", "wcwidth", "subprocess"} == set()
