"""Replace and delete files together: all of them, or none."""

from __future__ import annotations

import contextlib
import os
import stat
from typing import TYPE_CHECKING, NamedTuple

from generator.files.paths import (
    TEMPORARY,
    failed,
    inside,
    make_folder,
    naming,
    reason,
    remove,
    unsafe,
)
from generator.files.reading import read_if_exists
from generator.findings import Unsafe

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping
    from pathlib import Path

    from generator.findings import Finding


class _Old(NamedTuple):
    """A file as it was before it was replaced or deleted; without status where there was none."""

    path: Path
    data: bytes
    status: os.stat_result | None


def replace_all(
    root: Path, writes: Mapping[str, bytes], deletes: Iterable[str], last: str | None = None
) -> None:
    """Write and delete files below `root`, all or nothing as far as a file system allows.

    Every new text is staged in a temporary file beside its target first; only then come the
    deletes, the renames, and the rename of `last`. Whatever fails, everything is put back, and a
    kill leaves each file old or new, whole. Mode and owner are kept, folders that a delete leaves
    empty go. Refused are read-only files, and folders where a file should be. Raises Unsafe.
    """
    order = sorted(writes, key=lambda relative: (relative == last, relative))
    gone = [path for name in sorted(deletes) if _status(path := inside(root, name))]
    staged: dict[Path, str] = {}
    made: list[str] = []
    undo: list[_Old] = []
    try:
        for relative in order:
            target = inside(root, relative)
            status = _status(target)
            make_folder(str(target.parent), made)
            staged[target] = _stage(target, writes[relative], status)
        # Deletes come first: where case does not count, a name's old spelling is the same file.
        for path in gone:
            undo.append(_old(path))
            with naming(path, "cannot be deleted"):
                os.unlink(path)
        for target, temporary in staged.items():
            undo.append(_old(target))
            with naming(target, "cannot be replaced"):
                os.replace(temporary, target)
    except BaseException as error:
        remove(os.unlink, staged.values())
        lost = [finding for old in reversed(undo) for finding in _put_back(old)]
        remove(os.rmdir, reversed(made))
        if lost:
            raise Unsafe(*getattr(error, "findings", ()), *lost) from error
        raise
    _flush({path.parent for path in (*gone, *staged)})
    for path in gone:
        _remove_empty(path.parent, root)


def _status(path: Path) -> os.stat_result | None:
    """The status of a file that may be replaced, None where nothing is; raises Unsafe."""
    try:
        status = os.lstat(path)
    except (FileNotFoundError, NotADirectoryError):
        return None
    except OSError as error:
        raise failed(path, "cannot be written", error) from error
    if not stat.S_ISREG(status.st_mode):
        kind = "a folder" if stat.S_ISDIR(status.st_mode) else "a special file"
        raise unsafe(path, f"is {kind} where a file should be", "move it away")
    if not status.st_mode & stat.S_IWUSR:
        raise unsafe(path, "is read-only", "make it writable, or find out who wants it so")
    return status


def _stage(target: Path, data: bytes, status: os.stat_result | None) -> str:
    """The path of a new temporary file beside the target that holds the data, safe on disk."""
    temporary = f"{target.parent}/{TEMPORARY}{os.urandom(6).hex()}.tmp"
    with naming(target, "cannot be written"):
        descriptor = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o666)
        try:
            with os.fdopen(descriptor, "wb") as file:
                if status:
                    _resemble(descriptor, status)
                file.write(data)
                file.flush()
                os.fsync(descriptor)
        except BaseException:
            remove(os.unlink, [temporary])
            raise
    return temporary


def _resemble(descriptor: int, status: os.stat_result) -> None:
    """Give the empty temporary file the owner and mode of the file that it will replace."""
    new = os.fstat(descriptor)
    if (new.st_uid, new.st_gid) != (status.st_uid, status.st_gid):
        with contextlib.suppress(PermissionError):  # only root can give files away
            os.fchown(descriptor, status.st_uid, status.st_gid)
    if new.st_mode != status.st_mode:
        os.fchmod(descriptor, stat.S_IMODE(status.st_mode))


def _old(path: Path) -> _Old:
    data = read_if_exists(path)
    return _Old(path, data or b"", None if data is None else os.stat(path))


def _put_back(old: _Old) -> Iterator[Finding]:
    """Make the file as it was; yields a finding where that fails too."""
    try:
        now = read_if_exists(old.path)
        if old.status is None and now is not None:
            os.unlink(old.path)
        elif old.status is not None and now != old.data:
            temporary = _stage(old.path, old.data, old.status)
            os.utime(temporary, ns=(old.status.st_atime_ns, old.status.st_mtime_ns))
            os.replace(temporary, old.path)
    except (OSError, Unsafe) as error:
        message = f"could not be put back as it was: {reason(error)}"
        yield from unsafe(old.path, message, "restore it with git").findings


def _remove_empty(folder: Path, root: Path) -> None:
    while folder != root:
        try:
            os.rmdir(folder)
        except OSError:
            return
        folder = folder.parent


def _flush(folders: Iterable[Path]) -> None:
    """Make renames last through a power cut, where the file system can."""
    for folder in folders:
        with contextlib.suppress(OSError):
            descriptor = os.open(folder, os.O_RDONLY | os.O_CLOEXEC)
            try:
                os.fsync(descriptor)
            finally:
                os.close(descriptor)
