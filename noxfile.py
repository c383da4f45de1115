"""What developers and CI run: `nox -s generate`, `check`, `tests`, `lint`, `bench`, ...

Needs nox alone. Every session has its own environment below `.nox`, which is kept, with the
versions of `constraints.txt`; words after `--` go to the session's program.
"""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import nox

nox.needs_version = ">=2025.2.9"
nox.options.default_venv_backend = "uv|virtualenv"
nox.options.reuse_venv = "yes"
nox.options.sessions = ["lint", "check", "tests"]

ROOT = Path(__file__).parent
PROJECT = nox.project.load_toml("pyproject.toml")
DEPENDENCIES = PROJECT["project"]["dependencies"]

os.environ.setdefault("UV_SYSTEM_CERTS", "true")  # trust what pip and git trust on this machine


def _install(session: nox.Session, *groups: str) -> None:
    """Install what the project needs, and these dependency groups, as `constraints.txt` says."""
    wanted = [*DEPENDENCIES, *nox.project.dependency_groups(PROJECT, *groups)]
    session.install("--quiet", "--constraint", "constraints.txt", *wanted)


def _gpu_catalog(session: nox.Session, command: str) -> None:
    _install(session)
    # nox would put stderr into stdout, which a report is redirected from.
    session.run("python", "-m", "generator", command, *session.posargs, stderr=None)


@nox.session
def generate(session: nox.Session) -> None:
    """Write every file in `generated/` that differs from the catalog."""
    _gpu_catalog(session, "generate")


@nox.session
def check(session: nox.Session) -> None:
    """Fail when a file in `generated/` has drifted from the catalog; writes nothing."""
    _gpu_catalog(session, "check")


@nox.session
def tests(session: nox.Session) -> None:
    """Run the tests, on all cores."""
    _install(session, "tests")
    session.run("python", "-m", "pytest", "-n", "auto", "--maxprocesses", "8", *session.posargs)


@nox.session
def lint(session: nox.Session) -> None:
    """Lint, check the formatting and the types."""
    _install(session, "lint")
    session.run("ruff", "check", ".")
    session.run("ruff", "format", "--check", ".")
    session.run("yamllint", "--strict", ".")
    session.run("mypy", *session.posargs)


@nox.session
def bench(session: nox.Session) -> None:
    """Measure whole runs against the cost of importing the libraries; prints ratios."""
    _install(session, "bench")
    session.run("python", "-m", "bench", *session.posargs)


@nox.session
def consumers(session: nox.Session) -> None:
    """Feed every generated file to the code that really reads it."""
    _install(session)
    session.run("python", "-m", "tests.consumers", *session.posargs)


@nox.session
def wheel(session: nox.Session) -> None:
    """Build the wheel, install it into an empty environment, and run it from another folder."""
    _install(session, "wheel")
    folder = Path(session.create_tmp()).resolve()
    shutil.rmtree(folder)
    session.run("python", "-m", "hatchling", "build", "--target", "wheel", "--directory", folder)
    session.run("python", "-m", "venv", folder / "empty")
    pip, constraints = folder / "empty/bin/pip", ROOT / "constraints.txt"
    session.run(pip, "install", "--quiet", "-c", constraints, *folder.glob("*.whl"), external=True)
    catalog = ROOT / "catalog.yaml"
    with session.chdir(folder):
        session.run("empty/bin/gpu-catalog", "check", "--catalog", catalog, external=True)


@nox.session
def constraints(session: nox.Session) -> None:
    """Renew the pins of everything that the sessions install, for each supported Python."""
    _install(session, "constraints")
    alone = {"waldur-site-agent": [], "kserve": ["--no-deps"], "kubectl-and-helm": ["--no-deps"]}
    together = [name for name in PROJECT["dependency-groups"] if name not in alone]
    everything = ["--all-extras", "pyproject.toml", *(f"--group={name}" for name in together)]
    _compile(session, "constraints.txt", *everything)
    for name, options in alone.items():
        _compile(session, f"tests/consumers/{name}.txt", f"--group={name}", *options)


def _compile(session: nox.Session, output: str, *words: str) -> None:
    command = ["uv", "pip", "compile", "--quiet", "--upgrade", "--universal", "--no-annotate"]
    command += ["--python-version=3.11", "--custom-compile-command=nox -s constraints"]
    session.run(*command, f"--output-file={output}", *words)
