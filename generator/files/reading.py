"""Read files and whole folders: regular ones only, of a bounded size, and never waiting."""

from __future__ import annotations

import contextlib
import errno
import os
import stat
from typing import TYPE_CHECKING

from generator.files.paths import failed, unsafe

if TYPE_CHECKING:
    from pathlib import Path

MAX_BYTES = 64 * 1024 * 1024
_CHUNK = 64 * 1024
_LARGE_CHUNK = 1024 * 1024
_FLAGS = os.O_RDONLY | os.O_CLOEXEC | os.O_NONBLOCK  # a named pipe must not make anybody wait
_FLAGS_IN_TREE = _FLAGS | os.O_NOFOLLOW


def read(path: Path, max_bytes: int = MAX_BYTES) -> bytes:
    """The bytes of a regular file; raises Unsafe when there is none, or it cannot be read."""
    data = read_if_exists(path, max_bytes)
    if data is None:
        raise unsafe(path, "there is no such file", "check the path, and the folder you are in")
    return data


def read_if_exists(path: Path, max_bytes: int = MAX_BYTES) -> bytes | None:
    """The bytes of a regular file, or None where nothing is; raises Unsafe for anything else."""
    try:
        descriptor = os.open(path, _FLAGS)
    except (FileNotFoundError, NotADirectoryError):
        return None
    except (OSError, ValueError) as error:
        raise failed(path, "cannot be read", error) from error
    try:
        if not stat.S_ISREG(os.fstat(descriptor).st_mode):
            raise unsafe(path, "is not a regular file", "name a file")
        return _read(descriptor, max_bytes)
    except OSError as error:
        raise failed(path, "cannot be read", error) from error
    finally:
        os.close(descriptor)


def read_tree(root: Path) -> dict[str, bytes]:
    """Every file below a folder but git's own, by its path with `/`; empty where there is none.

    Nothing is followed out of the folder: a symlink or a special file raises Unsafe.
    """
    found: dict[str, bytes] = {}
    try:
        descriptor = os.open(root, os.O_RDONLY | os.O_CLOEXEC | os.O_DIRECTORY)
    except FileNotFoundError:
        return found
    except OSError as error:
        raise failed(root, "cannot be listed", error) from error
    _read_folder(descriptor, str(root), "", found)
    return found


def heads(root: Path, size: int) -> dict[str, bytes]:
    """The first bytes of every file below a folder, by its path with `/`.

    Left out are links, other repositories, and whatever cannot be read.
    """
    found: dict[str, bytes] = {}
    for folder, folders, names in os.walk(root):
        folders[:] = [
            name
            for name in sorted(folders)
            if name != ".git" and not os.path.lexists(f"{folder}/{name}/.git")
        ]
        for path in (f"{folder}/{name}" for name in sorted(names)):
            with contextlib.suppress(OSError):
                if stat.S_ISREG(os.lstat(path).st_mode):
                    found[os.path.relpath(path, root)] = _head(path, size)
    return found


def _head(path: str, size: int) -> bytes:
    descriptor = os.open(path, _FLAGS_IN_TREE)
    try:
        return os.read(descriptor, size)
    finally:
        os.close(descriptor)


def _read_folder(folder: int, root: str, prefix: str, found: dict[str, bytes]) -> None:
    # There are thousands of small files: each is opened by its name in its folder, and costs no
    # more than to open, read and close it. Closes the folder's descriptor.
    folders = []
    name = ""
    try:
        with os.scandir(folder) as entries:
            for entry in entries:
                name = entry.name
                if name == ".git":
                    continue
                if entry.is_file(follow_symlinks=False):
                    descriptor = os.open(name, _FLAGS_IN_TREE, dir_fd=folder)
                    try:
                        found[prefix + name] = _read(descriptor, MAX_BYTES)
                    finally:
                        os.close(descriptor)
                elif entry.is_dir(follow_symlinks=False):
                    folders.append(name)
                else:
                    message, hint = "is a symlink or a special file", "replace it by a plain file"
                    raise unsafe(f"{root}/{prefix}{name}", message, hint)
        for name in folders:
            inner = os.open(name, _FLAGS_IN_TREE | os.O_DIRECTORY, dir_fd=folder)
            _read_folder(inner, root, f"{prefix}{name}/", found)
    except OSError as error:
        raise failed(f"{root}/{prefix}{name}", "cannot be read", error) from error
    finally:
        os.close(folder)


def _read(descriptor: int, max_bytes: int) -> bytes:
    data = os.read(descriptor, _CHUNK)
    if len(data) < _CHUNK and not os.read(descriptor, 1):
        return data
    os.lseek(descriptor, 0, os.SEEK_SET)
    chunks, size = [], 0
    while size <= max_bytes and (chunk := os.read(descriptor, _LARGE_CHUNK)):
        chunks.append(chunk)
        size += len(chunk)
    if size > max_bytes:
        raise OSError(errno.EFBIG, f"it is larger than {max_bytes >> 20} MiB")
    return b"".join(chunks)
