"""Git, as far as it is needed: where a checkout begins, and its commands."""

from __future__ import annotations

import contextlib
import os
from types import MappingProxyType
from typing import IO, TYPE_CHECKING

from generator.files.paths import reason, unsafe

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path
    from subprocess import Popen

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
        if os.path.lexists(folder / ".git"):  # False, not an error, where a folder is closed to us
            return folder
    return None


def git(
    root: Path,
    *arguments: str,
    data: bytes | None = None,
    environment: Mapping[str, str] = MappingProxyType({}),
) -> bytes:
    """Run git in `root` and return its stdout; raises Unsafe with git's own words."""
    from subprocess import PIPE, Popen
    from tempfile import TemporaryFile

    # A hook that runs us names its own repository; here only `root` says which is meant.
    inherited = {name: text for name, text in os.environ.items() if name not in _GIT_PLACES}
    command = ["git", "-C", str(root), *arguments]
    # Files, not pipes: a pipe ends only with the last process that a hook left in the background.
    with TemporaryFile() as output, TemporaryFile() as errors:
        try:
            process = Popen(
                command, stdin=PIPE, stdout=output, stderr=errors, env={**inherited, **environment}
            )
        except OSError as error:
            raise unsafe(root, f"git cannot be run: {reason(error)}", "install git") from error
        with process:
            try:
                process.communicate(data)
            except BaseException:
                _let_end(process)
                raise
        said, words = map(_content, (output, errors))
    if process.returncode != 0:
        told = [text.decode("utf-8", "replace").strip() for text in (words, said)]
        why = "\n".join(filter(None, told)) or f"exit {process.returncode}"
        raise unsafe(
            root,
            f"git {arguments[0]} failed: {why}",
            "git says why: mend that there, and run this again",
        )
    return said


def _content(file: IO[bytes]) -> bytes:
    file.seek(0)
    return file.read()


def _let_end(process: Popen[bytes]) -> None:
    """Wait for git after an interrupt: killed, it would leave its locks in the repository."""
    if process.stdin:
        with contextlib.suppress(OSError):
            process.stdin.close()
    while process.poll() is None:
        with contextlib.suppress(KeyboardInterrupt):
            process.wait()


def ask_git(root: Path, *arguments: str, data: bytes | None = None) -> bytes:
    """`git`, for a question: nothing is written, and nothing that the repository names is run.

    Its hooks, its file system monitor and its filters are programs, and even `status` runs them.
    """
    listed = git(root, "config", "--list", "--name-only", "-z")
    names = os.fsdecode(listed).split("\0")
    filters = {name.rpartition(".")[0] for name in names if name.startswith("filter.")}
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
