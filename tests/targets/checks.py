"""What holds of every target, as functions that return faults: none when all is well."""

from __future__ import annotations

import hashlib
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import yaml

from generator import tree
from generator.rendering import HEADER
from tests.targets.expected import EXPECTED
from tests.targets.readers import READERS, load

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from generator.project import Project

ROOT = Path(__file__).parent.parent.parent


def by_target(project: Project) -> dict[str, dict[str, str]]:
    """Each target's artifacts by their paths."""
    made: dict[str, dict[str, str]] = {}
    for target, artifact in project.artifacts().values():
        made.setdefault(target, {})[artifact.path] = artifact.text
    return made


def golden(made: Mapping[str, str], folder: Path, *, write: bool = False) -> list[str]:
    """Files that are not as they were accepted; `write` accepts them as they are."""
    if write:
        for path, text in made.items():
            (folder / path).parent.mkdir(parents=True, exist_ok=True)
            (folder / path).write_bytes(text.encode())
    kept = {path: (folder / path) for path in made}
    return [
        path
        for path, file in kept.items()
        if not file.exists() or file.read_bytes() != made[path].encode()
    ]


def layout(made: Mapping[str, str]) -> Iterator[str]:
    """What no generated file may be: unmarked, with blanks at line ends, or without an end."""
    for path, text in made.items():
        lines = text.split("\n")
        head = lines[1:3] if lines[0].startswith("#!") else lines[:2]
        if HEADER not in head[0] or "gpu-catalog generate" not in head[1]:
            yield f"{path}: does not start with the header"
        if any(len(line) > 79 for line in head):
            yield f"{path}: the header is wider than 79 columns"
        if not text.endswith("\n") or text.endswith("\n\n"):
            yield f"{path}: does not end in one line feed"
        if any(line != line.rstrip() for line in lines) or "\r" in text:
            yield f"{path}: has blanks before a line's end"


def read_back(project: Project, target: str, made: Mapping[str, str]) -> Iterator[str]:
    """Files on which YAML readers disagree, or that say something else than the catalog."""
    for path, text in made.items():
        if path.endswith((".yaml", ".yml")):
            try:
                load(text)
            except (ValueError, yaml.YAMLError) as error:
                yield f"{path}: {error!r}"
    if target in READERS:
        found = READERS[target](made)
        wanted = EXPECTED[target](project.catalog, project.evidence)
        if found != wanted:
            yield f"{target}: {found} instead of {wanted}"


def sabotage(project: Project, made: Mapping[str, str]) -> Iterator[str]:
    """Changes of a generated file that `check` would not see."""
    artifacts = project.artifacts()
    for path, text in made.items():
        alone = {path: artifacts[path]}
        good = tree.plan(alone, {}).wanted
        assert not tree.plan(alone, good).drifts
        for change, data in _changes(text.encode()):
            drifts = tree.plan(alone, {**good, path: data}).drifts
            if [drift.path for drift in drifts] != [path]:
                yield f"{path}: {change}"
        without = {kept: data for kept, data in good.items() if kept != path}
        if [drift.path for drift in tree.plan(alone, without).drifts] != [path]:
            yield f"{path}: deleted"


def _changes(data: bytes) -> Iterator[tuple[str, bytes]]:
    for place in range(0, len(data), max(1, len(data) // 200)):
        flipped = bytes([data[place] ^ 1])
        yield f"byte {place}", data[:place] + flipped + data[place + 1 :]
    lines = data.splitlines(keepends=True)
    for number, line in enumerate(lines):
        yield f"line {number + 1} lost", b"".join(lines[:number] + lines[number + 1 :])
        yield f"line {number + 1} doubled", b"".join([*lines[:number], line, *lines[number:]])
    yield "empty", b""
    yield "without its end", data[:-1]
    yield "with CRLF", data.replace(b"\n", b"\r\n")
    yield "with a byte order mark", b"\xef\xbb\xbf" + data


# --- determinism: the same bytes whatever surrounds the process

SURROUNDINGS: dict[str, dict[str, str]] = {
    "hash-seed-0": {"PYTHONHASHSEED": "0"},
    "hash-seed-4711": {"PYTHONHASHSEED": "4711"},
    "other-time-zone": {"TZ": "Pacific/Kiritimati"},
    "turkish": {"LC_ALL": "tr_TR.UTF-8", "LANG": "tr_TR.UTF-8"},
    "plain-c": {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"},
    "other-user": {"HOME": "/nonexistent", "USER": "ayşe", "HOSTNAME": "elsewhere"},
}
PROGRAM = """
import os
os.umask(0o077)
from tests.targets import checks
{prelude}
checks.print_digests({catalog!r})
"""


def digests(catalog: Path, prelude: str = "", **environment: str) -> dict[str, str]:
    """What a process of its own, with another umask and working folder, makes of each target."""
    variables = {"PATH": os.environ["PATH"], "PYTHONPATH": str(ROOT), **environment}
    program = PROGRAM.format(prelude=prelude, catalog=str(catalog))
    command = [sys.executable, "-c", program]
    done = subprocess.run(
        command, check=True, capture_output=True, cwd=catalog.parent, env=variables
    )
    return json.loads(done.stdout)


def print_digests(catalog: str) -> None:
    from generator.project import open_project

    json.dump(digests_of(open_project(Path(catalog))), sys.stdout)


def digests_of(project: Project) -> dict[str, str]:
    """A hash of each target's files, their order included."""
    hashes: dict[str, hashlib._Hash] = {}
    for target, artifact in project.artifacts().values():
        content = f"{artifact.path}\0{artifact.text}\0".encode()
        hashes.setdefault(target, hashlib.sha256()).update(content)
    return {target: made.hexdigest() for target, made in hashes.items()}
