"""Kubernetes' two value types of device attributes and capacity: quantities and versions.

Sources: apimachinery `pkg/api/resource/quantity.go`, apiserver `pkg/cel/library/{quantity,
semverlib}.go`, blang/semver. Quantities are whole numbers of nanos, the smallest step there is.
"""

from __future__ import annotations

import re
from functools import lru_cache
from math import inf
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

NANO = 10**9
_MAX = (2**63 - 1) * NANO
_MAX_EXPONENT = 400

_QUANTITY = re.compile(
    r"([+-]?)(?=\.?[0-9])([0-9]*)(?:\.([0-9]*))?(?:([numkMGTPE]|[KMGTPE]i|)|[eE]([+-]?[0-9]{1,9}))\Z"
)
_DECIMAL = {"n": -9, "u": -6, "m": -3, "": 0, "k": 3, "M": 6, "G": 9, "T": 12, "P": 15, "E": 18}
_BINARY = {"Ki": 10, "Mi": 20, "Gi": 30, "Ti": 40, "Pi": 50, "Ei": 60}

_NUMBER = "0|[1-9][0-9]{0,19}"
_SEMVER = re.compile(
    rf"({_NUMBER})\.({_NUMBER})\.({_NUMBER})"
    rf"(?:-((?:{_NUMBER}|[0-9]*[A-Za-z-][0-9A-Za-z-]*)"
    rf"(?:\.(?:{_NUMBER}|[0-9]*[A-Za-z-][0-9A-Za-z-]*))*))?"
    r"(?:\+[0-9A-Za-z-]+(?:\.[0-9A-Za-z-]+)*)?\Z"
)


@lru_cache(1024)
def quantity(text: str) -> int:
    """The nanos of a quantity such as `40Gi`, `1500m` or `1e3`; raises ValueError."""
    match = _QUANTITY.match(text)
    if match is None:
        raise ValueError(f"not a quantity: {text!r}")
    sign, whole, fraction, suffix, exponent = match.groups()
    fraction = fraction or ""
    digits = int((whole + fraction) or "0")
    if suffix in _BINARY:
        nanos = min(_scaled(digits << _BINARY[suffix], 9 - len(fraction)), _MAX)
    else:
        power = int(exponent) if exponent else _DECIMAL[suffix or ""]
        if abs(power) > _MAX_EXPONENT:
            raise ValueError(f"not a quantity of a usable size: {text!r}")
        nanos = _scaled(digits, power + 9 - len(fraction))
    return -nanos if sign == "-" else nanos


def integer(nanos: int) -> int | None:
    """The quantity as a whole number, or None where it is none; raises ValueError where unsure.

    Kubernetes has one only while it holds the quantity as an int64; below 10**14 it always does.
    """
    if nanos % NANO:
        return None
    if abs(nanos) >= 10**14 * NANO:
        raise ValueError("cannot tell whether Kubernetes holds the quantity as an integer")
    return nanos // NANO


def _scaled(digits: int, power: int) -> int:
    """The digits times a power of ten, rounded up to a whole number."""
    if power >= 0:
        return digits * int(10**power)
    return -(-digits // int(10**-power))


def is_zero(text: object) -> bool:
    """Whether the text is a quantity of nothing, as in a quota that forbids."""
    try:
        return quantity(str(text)) == 0
    except ValueError:
        return False


def amount(text: str) -> float:
    """The quantity for comparing; what is none counts for more than any."""
    try:
        return quantity(text)
    except ValueError:
        return inf


def smallest(texts: Iterable[str]) -> str:
    """The smallest of these quantities."""
    return min(texts, key=amount)


def semver(text: str, *, lenient: bool = False) -> str:
    """A version in its canonical form, without build metadata; raises ValueError.

    Lenient as in `semver(text, true)`: a `v` in front, missing parts and leading zeros are mended.
    """
    match = _SEMVER.match(_mended(text) if lenient else text)
    if match is None:
        raise ValueError(f"not a semantic version: {text!r}")
    return ".".join(match.groups()[:3]) + (f"-{match[4]}" if match[4] else "")


def _mended(text: str) -> str:
    parts = text.removeprefix("v").split(".", 2)
    parts = [_without_zeros(part) if len(part) > 1 else part for part in parts]
    if len(parts) < 3 and re.search("[+-]", parts[-1]):
        raise ValueError(f"a short version cannot have a pre-release: {text!r}")
    return ".".join(parts + ["0"] * (3 - len(parts)))


def _without_zeros(part: str) -> str:
    part = part.lstrip("0")
    return part if part[:1].isdigit() else "0" + part


def precedence(version: str) -> tuple[object, ...]:
    """A sort key of canonical versions; pre-releases come before their release."""
    numbers, _, pre = version.partition("-")
    release = tuple(int(number) for number in numbers.split("."))
    if not pre:
        return (*release, 1)
    identifiers = [
        (0, int(word), "") if word.isdigit() else (1, 0, word) for word in pre.split(".")
    ]
    return (*release, 0, *identifiers)
