"""The CEL expression of a device class, composed from product names and a MIG profile.

It must not fail on any device of a cluster, whatever attributes that device lacks: one runtime
error keeps the whole pod pending (Kubernetes `dynamicresources`, `CEL-runtime-error-for-*`). So the
driver is compared first, and attributes are read as optionals. Products are compared for equality,
since `NVIDIA A10` is a prefix of both the A10G and the A100.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from generator.kubernetes import DRIVER

if TYPE_CHECKING:
    from collections.abc import Sequence

AND = " &&\n"
"""Between two clauses, so that each stands on a line of its own."""

_ESCAPED = re.compile(r"""[\\'\x00-\x1f\x7f-\x9f\u2028\u2029\ufeff\ufffe\uffff\ud800-\udfff]""")


def expression(product_names: Sequence[str], mig_profile: str | None) -> str:
    """An expression that is true for whole GPUs, or for slices of one profile, of these products.

    `product_names` is not empty; repeated names count once.
    """
    clauses = [_DRIVER_FIRST]
    clauses.append(_is("type", "gpu" if mig_profile is None else "mig"))
    if mig_profile is not None:
        clauses.append(_is("profile", mig_profile))
    names = tuple(dict.fromkeys(product_names))
    if len(names) == 1:
        clauses.append(_is("productName", names[0]))
    else:
        clauses.append(f"{_attribute('productName')} in [{', '.join(map(literal, names))}]")
    return AND.join(clauses)


def literal(text: str) -> str:
    """The text as a CEL string literal in single quotes, of printable characters alone."""
    if not text.isprintable() or "'" in text or "\\" in text:
        text = _ESCAPED.sub(_escape, text)
    return f"'{text}'"


def _is(attribute: str, value: str) -> str:
    return f"{_attribute(attribute)} == {literal(value)}"


def _attribute(name: str) -> str:
    return f"{_ATTRIBUTES}.?{name}.orValue('')"


def _escape(match: re.Match[str]) -> str:
    character = match[0]
    return "\\" + character if character in "\\'" else f"\\u{ord(character):04x}"


_DRIVER_FIRST = f"device.driver == {literal(DRIVER)}"
_ATTRIBUTES = f"device.attributes[{literal(DRIVER)}]"
