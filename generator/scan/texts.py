"""Files as text and back, without changing a byte: UTF-8, UTF-16 with its mark, else bytes."""

from __future__ import annotations

import codecs
from typing import NamedTuple

_BINARY_WITHIN = 8192
"""Bytes in which a NUL makes a file binary, as for git."""
_UTF16 = {codecs.BOM_UTF16_LE: "utf-16-le", codecs.BOM_UTF16_BE: "utf-16-be"}


class Text(NamedTuple):
    """A file's text without its byte order mark, and what turns it into the same bytes again.

    `tail` is half a character at the end of UTF-16.
    """

    text: str
    mark: bytes
    encoding: str
    tail: bytes = b""

    def encode(self, text: str) -> bytes:
        """The bytes of a file that is like this one but for its text."""
        return self.mark + text.encode(self.encoding, "surrogatepass") + self.tail


def decode(data: bytes) -> Text | None:
    """The text of a file, or None where it is binary.

    What is neither UTF-8 nor UTF-16 is read as one character a byte.
    """
    encoding = _UTF16.get(data[:2])
    if encoding and not data.startswith(codecs.BOM_UTF32_LE):
        end = len(data) & ~1
        text = data[2:end].decode(encoding, "surrogatepass")
        return Text(text, data[:2], encoding, data[end:])
    if b"\0" in data[:_BINARY_WITHIN]:
        return None
    mark = codecs.BOM_UTF8 if data.startswith(codecs.BOM_UTF8) else b""
    try:
        return Text(data[len(mark) :].decode("utf-8"), mark, "utf-8")
    except UnicodeDecodeError:
        return Text(data.decode("latin-1"), b"", "latin-1")
