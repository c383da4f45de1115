"""A quick sieve over the bytes of many files: only those that may be of interest are read whole."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from generator.files.reading import MAX_BYTES

if TYPE_CHECKING:
    from collections.abc import Sequence

_CHUNK = 256 * 1024
_OVERLAP = 512
"""More than the longest needle, so that one across two chunks is seen."""
_MARKS = 0xFE
"""Both byte order marks of UTF-16 begin with this byte or the next, and no UTF-8 does."""


class TooLarge(Exception):  # noqa: N818 - says what the file is
    """The file is larger than MAX_BYTES."""


class Sieve:
    """Reads files through one buffer; a file of interest holds one of the `needles`."""

    def __init__(self, needles: Sequence[bytes]) -> None:
        self._needles: dict[bytes, list[bytes]] = {}  # by their first byte
        for needle in needles:
            self._needles.setdefault(needle[:1], []).append(needle)
        self._buffer = bytearray(_OVERLAP + _CHUNK)
        self._target = [memoryview(self._buffer)[_OVERLAP:]]

    def read(self, path: str, *, follow: bool = False) -> bytes | None:
        """The file's bytes where it holds a needle, or may be UTF-16; None for any other.

        Raises OSError, also for a link unless `follow`, and TooLarge.
        """
        flags = os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC | (0 if follow else os.O_NOFOLLOW)
        descriptor = os.open(path, flags)
        try:
            size = os.readv(descriptor, self._target)
            if size == _CHUNK and os.fstat(descriptor).st_size > MAX_BYTES:
                raise TooLarge
            if not self._holds(descriptor, size):
                return None
            return _whole(descriptor)
        finally:
            os.close(descriptor)

    def _holds(self, descriptor: int, size: int) -> bool:
        buffer = self._buffer
        start = _OVERLAP
        if size and buffer[start] >= _MARKS:
            return True
        while size:  # a read may be short before the end: network file systems do that
            end = _OVERLAP + size
            for first, needles in self._needles.items():
                # One byte is found many times as quickly as a word, and a rare one is not there.
                at = buffer.find(first, start, end)
                for needle in needles if at >= 0 else ():
                    if buffer.find(needle, at, end) >= 0:
                        return True
            start = max(0, start - size)
            buffer[:_OVERLAP] = buffer[end - _OVERLAP : end]
            size = os.readv(descriptor, self._target)
        return False


def _whole(descriptor: int) -> bytes:
    os.lseek(descriptor, 0, os.SEEK_SET)
    with os.fdopen(os.dup(descriptor), "rb") as file:
        data = file.read(MAX_BYTES + 1)
    if len(data) > MAX_BYTES:
        raise TooLarge
    return data
