"""One run of gpu-catalog at a time on a folder; the lock goes with the process, however it ends."""

from __future__ import annotations

import contextlib
import errno
import fcntl
import os
import sys
from typing import TYPE_CHECKING

from generator.files.paths import failed, make_folder, remove

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

_WITHOUT_LOCKS = {errno.ENOLCK, errno.ENOSYS, errno.EOPNOTSUPP}
"""Errors of file systems that know no locks: there, runs are not kept apart."""


@contextlib.contextmanager
def locked(folder: Path) -> Iterator[None]:
    """Hold the folder against other runs of gpu-catalog, making it first; waits for its turn.

    A folder that was made for this, and stays empty, goes again.
    """
    made: list[str] = []
    while True:
        make_folder(str(folder), made)
        try:
            descriptor = _lock(folder, fcntl.LOCK_EX)
        except FileNotFoundError:
            continue
        if _is_at(folder, descriptor):  # and was not removed by another run while this one waited
            break
        os.close(descriptor)
    try:
        yield
    finally:
        remove(os.rmdir, reversed(made))
        os.close(descriptor)


@contextlib.contextmanager
def unchanging(folder: Path) -> Iterator[None]:
    """Read from the folder while no run of gpu-catalog writes to it; waits for one that does."""
    try:
        descriptor = _lock(folder, fcntl.LOCK_SH)
    except FileNotFoundError:
        yield
        return
    try:
        yield
    finally:
        os.close(descriptor)


def _lock(folder: Path, kind: int) -> int:
    """The descriptor that holds the lock; raises FileNotFoundError or Unsafe."""
    try:
        descriptor = os.open(folder, os.O_RDONLY | os.O_CLOEXEC | os.O_DIRECTORY)
    except FileNotFoundError:
        raise
    except OSError as error:
        raise failed(folder, "cannot be used", error) from error
    try:
        fcntl.flock(descriptor, kind | fcntl.LOCK_NB)
    except BlockingIOError:
        sys.stderr.write(f"waiting for another run of gpu-catalog on {folder}\n")
        fcntl.flock(descriptor, kind)
    except OSError as error:
        if error.errno not in _WITHOUT_LOCKS:
            os.close(descriptor)
            raise failed(folder, "cannot be locked", error) from error
    return descriptor


def _is_at(folder: Path, descriptor: int) -> bool:
    try:
        return os.path.samestat(os.fstat(descriptor), os.stat(folder))
    except FileNotFoundError:
        return False
