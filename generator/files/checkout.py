"""Git, as far as it is needed: where a checkout begins, and its commands."""

from __future__ import annotations

import os
from types import MappingProxyType
from typing import TYPE_CHECKING

from generator.files.paths import reason, unsafe

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

_GIT_PLACES = {
    "GIT_ALTERNATE_OBJECT_DIRECTORIES",
    "GIT_COMMON_DIR",
    "GIT_DIR",
    "GIT_INDEX_FILE",
    "GIT_OBJECT_DIRECTORY",
    "GIT_PREFIX",
    "GIT_WORK_TREE",
}


def git_root(path: Path) -> Path | None:
    """The root of the git checkout around an absolute path, or None outside one."""
    for folder in [path, *path.parents]:
        if (folder / ".git").exists():
            return folder
    return None


def git(
    root: Path,
    *arguments: str,
    data: bytes | None = None,
    environment: Mapping[str, str] = MappingProxyType({}),
) -> bytes:
    """Run git in `root` and return its stdout; raises Unsafe with git's own words."""
    import subprocess

    # A hook that runs us names its own repository; here only `root` says which is meant.
    inherited = {name: text for name, text in os.environ.items() if name not in _GIT_PLACES}
    try:
        done = subprocess.run(
            ["git", "-C", str(root), *arguments],
            input=data or b"",
            capture_output=True,
            check=False,
            env={**inherited, **environment},
        )
    except OSError as error:
        raise unsafe(root, f"git cannot be run: {reason(error)}", "install git") from error
    if done.returncode != 0:
        said = (done.stderr.strip() or done.stdout.strip()).decode("utf-8", "replace")
        words = said or f"exit {done.returncode}"
        raise unsafe(
            root,
            f"git {arguments[0]} failed: {words}",
            "git says why: mend that there, and run this again",
        )
    return done.stdout


def ask_git(root: Path, *arguments: str, data: bytes | None = None) -> bytes:
    """`git`, for a question: nothing is written, and nothing that the repository names is run.

    Its hooks, its file system monitor and its filters are programs, and even `status` runs them.
    """
    listed = git(root, "config", "--list", "--name-only", "-z").decode("utf-8", "surrogateescape")
    filters = {name.rpartition(".")[0] for name in listed.split("\0") if name.startswith("filter.")}
    settings = {"core.fsmonitor": "false", "core.hooksPath": os.devnull}
    for name in filters:
        settings |= {f"{name}.clean": "", f"{name}.process": "", f"{name}.required": "false"}
    given = os.environ.get("GIT_CONFIG_COUNT", "")
    count = int(given) if given.isdecimal() else 0
    environment = {
        "GIT_OPTIONAL_LOCKS": "0",
        "GIT_NO_LAZY_FETCH": "1",
        "GIT_CONFIG_COUNT": str(count + len(settings)),
    }
    for number, (name, value) in enumerate(settings.items(), count):
        environment |= {f"GIT_CONFIG_KEY_{number}": name, f"GIT_CONFIG_VALUE_{number}": value}
    return git(root, *arguments, data=data, environment=environment)
