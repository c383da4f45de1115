"""The only door to disk and git: read, replace all or nothing, lock, stay inside a folder.

What cannot be read or written safely raises `Unsafe` (exit 4) with the file named.
"""

from __future__ import annotations

import contextlib
import os
import stat
import subprocess
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING

from generator.findings import Finding, Unsafe

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

TEMPORARY = ".gpu-catalog-"
"""Prefix of the names of temporary files: what a killed run leaves is recognised by it."""

_MAX_BYTES = 64 * 1024 * 1024


def unsafe(path: Path | str, message: str, hint: str = "", code: str = "GC002") -> Unsafe:
    """The exception for a file that cannot be used, as a finding at that file."""
    return Unsafe(Finding(code, "error", str(path), None, None, message, hint))


def read(path: Path) -> bytes:
    """The bytes of a regular file; raises Unsafe when there is none, or it cannot be read."""
    data = read_if_exists(path)
    if data is None:
        raise unsafe(path, "there is no such file", "check the path, and the folder you are in")
    return data


def read_if_exists(path: Path) -> bytes | None:
    """The bytes of a regular file, or None where nothing is; raises Unsafe for anything else."""
    try:
        descriptor = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
    except (FileNotFoundError, NotADirectoryError):
        return None
    except (OSError, ValueError) as error:
        raise unsafe(path, f"cannot be read: {_reason(error)}") from error
    with os.fdopen(descriptor, "rb") as file:
        status = os.fstat(descriptor)
        if not stat.S_ISREG(status.st_mode):
            raise unsafe(path, "is not a regular file")
        if status.st_size > _MAX_BYTES:
            raise unsafe(path, f"is larger than {_MAX_BYTES >> 20} MiB")
        try:
            return file.read()
        except OSError as error:
            raise unsafe(path, f"cannot be read: {_reason(error)}") from error


def read_tree(root: Path) -> dict[str, bytes]:
    """Every file below a folder, by its path with `/`; empty where there is no folder.

    Nothing is followed out of the folder: a symlink or a special file raises Unsafe.
    """
    found: dict[str, bytes] = {}
    for relative, entry in _walk(root, ""):
        if entry.is_symlink() or not entry.is_file(follow_symlinks=False):
            raise unsafe(entry.path, "is a symlink or a special file", "replace it by a plain file")
        found[relative] = read(Path(entry.path))
    return found


def _walk(folder: Path, prefix: str) -> Iterator[tuple[str, os.DirEntry[str]]]:
    try:
        entries = sorted(os.scandir(folder), key=lambda entry: entry.name)
    except FileNotFoundError:
        return
    except OSError as error:
        raise unsafe(folder, f"cannot be listed: {_reason(error)}") from error
    for entry in entries:
        if entry.is_dir(follow_symlinks=False):
            yield from _walk(Path(entry.path), f"{prefix}{entry.name}/")
        else:
            yield prefix + entry.name, entry


def inside(root: Path, relative: str) -> Path:
    """The path of `relative` below `root`; raises Unsafe where it could lead out of it.

    Refused are absolute paths, `..`, anything in `.git`, and a symlink on the way or at the end.
    """
    parts = PurePosixPath(relative).parts
    if not parts or relative.startswith("/") or ".." in parts or "\\" in relative:
        raise unsafe(
            relative, "must be a path inside the checkout", "without `..` or a leading `/`"
        )
    if any(part.lower() == ".git" for part in parts):
        raise unsafe(relative, "is inside .git")
    path = root
    for part in parts:
        path = path / part
        if path.is_symlink():
            raise unsafe(path, "is a symlink", "gpu-catalog does not write through symlinks")
    return path


def replace_all(
    root: Path, writes: Mapping[str, bytes], deletes: Sequence[str], last: str | None = None
) -> None:
    """Write and delete files below `root`, all or nothing as far as a file system allows.

    Everything is staged in temporary files beside its target first; only then are they renamed,
    `last` after all others and after the deletes. A file's mode is kept. When staging fails
    nothing has changed; when a rename fails, those before it are rolled back. Raises Unsafe.
    """
    order = sorted(writes, key=lambda relative: (relative == last, relative))
    staged: dict[str, Path] = {}
    made: list[Path] = []
    try:
        for number, relative in enumerate(order):
            staged[relative] = _stage(inside(root, relative), writes[relative], number, made)
    except BaseException:
        _discard(staged.values(), made)
        raise
    _commit(root, order, staged, deletes, last)


def _stage(target: Path, data: bytes, number: int, made: list[Path]) -> Path:
    temporary = target.parent / f"{TEMPORARY}{os.getpid()}-{number}.tmp"
    try:
        for folder in reversed([target.parent, *target.parent.parents]):
            if not folder.exists():
                folder.mkdir()
                made.append(folder)
        mode = stat.S_IMODE(target.stat().st_mode) if target.exists() else None
        with temporary.open("xb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        if mode is not None:
            temporary.chmod(mode)
            if not mode & stat.S_IWUSR:
                raise PermissionError(13, "the file is read-only")
    except OSError as error:
        temporary.unlink(missing_ok=True)
        raise unsafe(target, f"cannot be written: {_reason(error)}") from error
    return temporary


def _commit(
    root: Path,
    order: Sequence[str],
    staged: Mapping[str, Path],
    deletes: Sequence[str],
    last: str | None,
) -> None:
    undo: list[tuple[Path, bytes | None]] = []
    current = root
    steps: list[tuple[str, Path | None]] = [
        (relative, staged[relative]) for relative in order if relative != last
    ]
    steps += [(relative, None) for relative in sorted(deletes)]
    steps += [(relative, staged[relative]) for relative in order if relative == last]
    try:
        for relative, temporary in steps:
            current = inside(root, relative)
            undo.append((current, read_if_exists(current)))
            if temporary is None:
                current.unlink(missing_ok=True)
                _remove_empty(current.parent, root)
            else:
                temporary.replace(current)
    except OSError as error:
        _roll_back(undo)
        _discard(staged.values(), [])
        raise unsafe(current, f"cannot be replaced: {_reason(error)}") from error


def _roll_back(undo: Sequence[tuple[Path, bytes | None]]) -> None:
    for path, data in reversed(undo):
        with contextlib.suppress(OSError):
            if data is None:
                path.unlink(missing_ok=True)
            else:
                path.parent.mkdir(parents=True, exist_ok=True)
                if read_if_exists(path) != data:
                    path.write_bytes(data)


def _discard(temporaries: Iterable[Path], folders: Sequence[Path]) -> None:
    for temporary in temporaries:
        with contextlib.suppress(OSError):
            temporary.unlink(missing_ok=True)
    for folder in reversed(folders):
        with contextlib.suppress(OSError):
            folder.rmdir()


def _remove_empty(folder: Path, root: Path) -> None:
    while folder != root:
        try:
            folder.rmdir()
        except OSError:
            return
        folder = folder.parent


@contextlib.contextmanager
def locked(folder: Path) -> Iterator[None]:
    """Hold the folder against other runs of gpu-catalog, making it first; waits for its turn."""
    import fcntl

    try:
        folder.mkdir(parents=True, exist_ok=True)
        descriptor = os.open(folder, os.O_RDONLY | os.O_CLOEXEC)
    except OSError as error:
        raise unsafe(folder, f"cannot be used: {_reason(error)}") from error
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX)
        yield
    finally:
        os.close(descriptor)


def git_root(path: Path) -> Path | None:
    """The root of the git checkout around a path, or None outside one."""
    for folder in [path, *path.parents]:
        if (folder / ".git").exists():
            return folder
    return None


def git(root: Path, *arguments: str, data: bytes | None = None) -> bytes:
    """Run git in `root` and return its stdout; raises Unsafe with git's own words."""
    try:
        done = subprocess.run(
            ["git", "-C", str(root), *arguments], input=data, capture_output=True, check=False
        )
    except OSError as error:
        raise unsafe(root, f"git cannot be run: {_reason(error)}", "install git") from error
    if done.returncode != 0:
        words = done.stderr.decode("utf-8", "replace").strip() or f"exit {done.returncode}"
        raise unsafe(root, f"git {arguments[0]} failed: {words}")
    return done.stdout


def _reason(error: Exception) -> str:
    return getattr(error, "strerror", None) or str(error)
