"""Paths that may be used, folders that are made on the way, and the words when they may not."""

from __future__ import annotations

import contextlib
import errno
import os
import re
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING

from generator.findings import Finding, Unsafe

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

TEMPORARY = ".gpu-catalog-"
"""Prefix of the names of temporary files: what a killed run leaves is recognised by it."""


_HINT = "look at it with `ls -l`"
_HINTS: dict[int | None, str] = {
    errno.EACCES: "run as the user it belongs to, or change its permissions",
    errno.EPERM: "run as the user it belongs to, or change its permissions",
    errno.EFBIG: "is this the right file?",
    errno.EIO: "its disk fails, or the network to it: try again",
    errno.ENOSPC: "make room on its disk",
    errno.EDQUOT: "make room on its disk",
    errno.EROFS: "its disk is read-only: work on another",
    errno.ENOTDIR: "one of its folders is a file: check the path",
    errno.ELOOP: "its symlinks lead in a circle: check the path",
    errno.ENAMETOOLONG: "choose a shorter name",
}
"""What helps, by what the operating system says."""


def unsafe(path: Path | str, message: str, hint: str) -> Unsafe:
    """The exception for a file that cannot be used, as a finding at that file."""
    return Unsafe(Finding("GC002", "error", str(path), None, None, message, hint))


@contextlib.contextmanager
def naming(path: Path | str, what: str) -> Iterator[None]:
    """Raise Unsafe, with the file and what could not be done, where the system refuses it."""
    try:
        yield
    except OSError as error:
        raise failed(path, what, error) from error


def failed(path: Path | str, what: str, error: Exception) -> Unsafe:
    """The exception for a file that the system refuses: what could not be done, and why."""
    hint = _HINTS.get(getattr(error, "errno", None), _HINT)
    return unsafe(path, f"{what}: {reason(error)}", hint)


def reason(error: Exception) -> str:
    """Why it failed, in the operating system's words."""
    return getattr(error, "strerror", None) or str(error)


def is_temporary(relative: str) -> bool:
    """Whether a path is that of a temporary file of `replace_all`, left behind by a killed run."""
    name = relative.rpartition("/")[2]
    return name.startswith(TEMPORARY) and name.endswith(".tmp")


def inside(root: Path, relative: str) -> Path:
    """The path of `relative` below `root`; raises Unsafe where it could lead out of it.

    Refused are absolute paths, `..`, anything in `.git`, and a symlink on the way or at the end.
    """
    parts = PurePosixPath(relative).parts
    if not parts or relative.startswith("/") or ".." in parts or re.search(r"[\\\0]", relative):
        raise unsafe(
            relative, "must be a path inside the folder", "without `..`, `\\` or a leading `/`"
        )
    if any(part.casefold() == ".git" for part in parts):
        raise unsafe(relative, "is inside .git", "choose a path outside of it")
    path = str(root)
    for part in parts:
        path = os.path.join(path, part)
        if os.path.islink(path):
            raise unsafe(path, "is a symlink", "gpu-catalog does not write through symlinks")
    return Path(path)


def make_folder(folder: str, made: list[str]) -> None:
    """Make the folder and those above it where they are missing, and note them in `made`."""
    if folder and not os.path.isdir(folder):
        make_folder(os.path.dirname(folder), made)
        with naming(folder, "cannot be made a folder"):
            try:
                os.mkdir(folder)
                made.append(folder)
            except FileExistsError:
                if not os.path.isdir(folder):  # else another run has just made it
                    message = "is in the way of a folder"
                    raise unsafe(folder, message, "move it away") from None


def remove(how: Callable[[str], None], paths: Iterable[str]) -> None:
    """Remove what can be removed of the paths with `os.unlink` or `os.rmdir`."""
    for path in paths:
        with contextlib.suppress(OSError):
            how(path)
