"""Replace and delete files together: all of them, or none."""

from __future__ import annotations

import contextlib
import os
import stat
from typing import TYPE_CHECKING, NamedTuple

from generator.files.interrupts import held_off
from generator.files.paths import (
    TEMPORARY,
    failed,
    inside,
    is_temporary,
    make_folder,
    naming,
    reason,
    remove,
    unsafe,
)
from generator.files.reading import read_if_exists
from generator.findings import Unsafe

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence
    from pathlib import Path

    from generator.findings import Finding


class _Change(NamedTuple):
    """A file before and after; its bytes are None where there is no file."""

    path: Path
    old: bytes | None
    new: bytes | None
    status: os.stat_result | None


class Replaced(NamedTuple):
    """What `replace_all` has done, and can undo."""

    changes: Sequence[_Change]
    made: Sequence[str]

    def put_back(self) -> list[Finding]:
        """Make every file as it was, the last one first; tells what stays as it is now."""
        kept = [finding for change in reversed(self.changes) for finding in _put_back(change)]
        remove(os.rmdir, reversed(self.made))
        return kept


def replace_all(
    root: Path, writes: Mapping[str, bytes], deletes: Iterable[str], last: str | None = None
) -> Replaced:
    """Write and delete files below `root`, all or nothing as far as a file system allows.

    Every new text is staged in a temporary file beside its target first; only then come the
    deletes, the renames, and the rename of `last`. Whatever fails, everything is put back, and a
    kill leaves each file old or new, whole. Mode and owner are kept, folders that a delete leaves
    empty go. Refused are read-only files, and folders where a file should be. Raises Unsafe.
    """
    order = sorted(writes, key=lambda relative: (relative == last, relative))
    gone = [path for name in sorted(deletes) if _status(path := inside(root, name))]
    staged: dict[Path, tuple[str, bytes]] = {}
    made: list[str] = []
    changes: list[_Change] = []
    try:
        for relative in order:
            target = inside(root, relative)
            status = _status(target)
            make_folder(str(target.parent), made)
            with held_off():  # else a temporary file could be left behind that nobody knows of
                staged[target] = _stage(target, writes[relative], status), writes[relative]
        # Deletes come first: where case does not count, a name's old spelling is the same file.
        for path in gone:
            changes.append(_change(path, None))
            with naming(path, "cannot be deleted"):
                os.unlink(path)
        for target, (temporary, data) in staged.items():
            changes.append(_change(target, data))
            with naming(target, "cannot be replaced"):
                os.replace(temporary, target)
        _flush({path.parent for path in (*gone, *staged)})
        for path in gone:
            _remove_empty(path.parent, root)
    except BaseException as error:
        with held_off():
            remove(os.unlink, [temporary for temporary, _ in staged.values()])
            if kept := Replaced(changes, made).put_back():
                raise Unsafe(*getattr(error, "findings", ()), *kept) from error
            raise
    return Replaced(changes, made)


def remove_left_behind(folders: Iterable[Path]) -> None:
    """Remove the temporary files that a killed run left in the folders, which must be locked."""
    for folder in folders:
        with contextlib.suppress(OSError):
            names = filter(is_temporary, os.listdir(folder))
            remove(os.unlink, [f"{folder}/{name}" for name in names])


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


def _change(path: Path, new: bytes | None) -> _Change:
    old = read_if_exists(path)
    return _Change(path, old, new, None if old is None else os.stat(path))


def _put_back(change: _Change) -> Iterator[Finding]:
    """Make the file as it was; yields a finding where that fails, or would undo others' work."""
    path, old, new, status = change
    try:
        now = read_if_exists(path)
        if now == old:
            return
        if now != new:
            message = "was changed meanwhile, by a hook or by somebody: it is not put back"
            yield from unsafe(path, message, "look at it with `git diff`").findings
        elif old is None or status is None:
            os.unlink(path)
        else:
            make_folder(str(path.parent), [])
            temporary = _stage(path, old, status)
            os.utime(temporary, ns=(status.st_atime_ns, status.st_mtime_ns))
            os.replace(temporary, path)
    except (OSError, Unsafe) as error:
        message = f"could not be put back as it was: {reason(error)}"
        yield from unsafe(path, message, "restore it with git").findings


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
