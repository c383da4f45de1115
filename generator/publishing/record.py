"""The record `.gpu-catalog.json` in a consumer's root: what every place held when last published.

Two levels of names, sorted: the file, its place, and the SHA-256 of the place's content without
what belongs to the consumer, such as its line endings.
"""

from __future__ import annotations

import hashlib
import json
from typing import TYPE_CHECKING, TypeAlias

from generator.catalog.rules.consumers import RECORD

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ["RECORD", "Record", "Unreadable", "digest", "parse", "write"]

Record: TypeAlias = "Mapping[str, Mapping[str, str]]"


class Unreadable(Exception):  # noqa: N818 - says what the record is
    """The record is none, at `offset` of its text."""

    def __init__(self, message: str, offset: int) -> None:
        super().__init__(message)
        self.offset = offset


def parse(text: str) -> Record:
    """The record in a file's text; raises Unreadable."""
    try:
        content = json.loads(text)
    except json.JSONDecodeError as error:
        raise Unreadable(error.msg.lower(), error.pos) from error
    except RecursionError as error:
        raise Unreadable("nested too deeply", 0) from error
    except ValueError as error:
        raise Unreadable("it holds a number that is too long", 0) from error
    if not isinstance(content, dict) or not all(map(_is_places, content.values())):
        raise Unreadable("does not map files to places and their SHA-256", 0)
    return content


def _is_places(value: object) -> bool:
    return isinstance(value, dict) and all(isinstance(text, str) for text in value.values())


def write(record: Record) -> bytes:
    """The record's bytes: sorted, so that two branches conflict only where they differ."""
    return (json.dumps(record, indent=2, sort_keys=True, ensure_ascii=False) + "\n").encode()


def digest(content: str) -> str:
    """The SHA-256 of a place's content."""
    return hashlib.sha256(content.encode("utf-8", "surrogateescape")).hexdigest()
