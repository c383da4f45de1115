"""Git, as far as it is needed: where a checkout begins, and its commands."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from generator.files.paths import reason, unsafe

if TYPE_CHECKING:
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


def git(root: Path, *arguments: str, data: bytes | None = None) -> bytes:
    """Run git in `root` and return its stdout; raises Unsafe with git's own words."""
    import subprocess

    # A hook that runs us names its own repository; here only `root` says which is meant.
    environment = {name: text for name, text in os.environ.items() if name not in _GIT_PLACES}
    try:
        done = subprocess.run(
            ["git", "-C", str(root), *arguments],
            input=data or b"",
            capture_output=True,
            check=False,
            env=environment,
        )
    except OSError as error:
        raise unsafe(root, f"git cannot be run: {reason(error)}", "install git") from error
    if done.returncode != 0:
        words = done.stderr.decode("utf-8", "replace").strip() or f"exit {done.returncode}"
        raise unsafe(root, f"git {arguments[0]} failed: {words}")
    return done.stdout
