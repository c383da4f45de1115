"""Untrusted objects read field by field: a value of the wrong shape raises Malformed."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence


_SHOWN = 120
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._/+-]{0,315}\Z")


class Malformed(Exception):  # noqa: N818 - says what the object is
    """An object lacks a field, or has it in a wrong shape."""


class at:  # noqa: N801 - reads as `with at("device", name)`; a generator is too slow here
    """Names the part of an object in which something turns out to be malformed."""

    __slots__ = ("_place",)

    def __init__(self, *place: str) -> None:
        self._place = place

    def __enter__(self) -> None:
        pass

    def __exit__(self, _kind: object, error: BaseException | None, _traceback: object) -> None:
        if isinstance(error, Malformed):
            raise Malformed(f"{' '.join(self._place)}: {error}") from None


def text(item: Mapping[str, Any], key: str, default: str | None = None) -> str:
    """A text field; raises Malformed."""
    value = item.get(key, default)
    if not isinstance(value, str):
        raise Malformed(f"`{key}` is {_missing_or(value, 'text')}")
    return value


def name(item: Mapping[str, Any], key: str = "name", default: str | None = None) -> str:
    """A text field fit for a name or a version, which needs no quotes anywhere."""
    value = text(item, key, default)
    if value != default and not _NAME.match(value):
        raise Malformed(f"`{key}` is no name of Kubernetes: {shown(value)}")
    return value


def shown(value: str) -> str:
    """An untrusted text for a message: one line, of a bounded length, without controls."""
    value = value if len(value) <= _SHOWN else value[:_SHOWN] + "..."
    return value if value.isprintable() else ascii(value)


def number(item: Mapping[str, Any], key: str, default: int | None = None) -> int:
    """A whole number field; raises Malformed."""
    value = item.get(key, default)
    if type(value) is not int:
        raise Malformed(f"`{key}` is {_missing_or(value, 'whole number')}")
    return value


def mapping(
    item: Mapping[str, Any], key: str, default: Mapping[str, Any] | None = None
) -> Mapping[str, Any]:
    """A mapping field; raises Malformed."""
    value = item.get(key)
    if value is None:
        value = default
    if not isinstance(value, dict):
        raise Malformed(f"`{key}` is {_missing_or(value, 'mapping')}")
    return value


def mappings(item: Mapping[str, Any], key: str) -> Sequence[Mapping[str, Any]]:
    """A field that is a list of mappings, empty where it is missing; raises Malformed."""
    value = item.get(key)
    if value is None:
        return ()
    if not isinstance(value, list) or not all(isinstance(one, dict) for one in value):
        raise Malformed(f"`{key}` is no list of mappings")
    return value


def texts(item: Mapping[str, Any], key: str) -> dict[str, str]:
    """A field that maps texts to texts, empty where it is missing; raises Malformed."""
    value = mapping(item, key, {})
    for called, content in value.items():
        if not isinstance(called, str) or not isinstance(content, str):
            raise Malformed(f"`{key}` has {shown(str(called))}, where only texts can be")
    return dict(value)


def _missing_or(value: object, wanted: str) -> str:
    return "missing" if value is None else f"no {wanted}"
