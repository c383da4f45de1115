"""Kubernetes' quantities and versions."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from generator.cluster.quantities import NANO, integer, is_zero, precedence, quantity, semver


@pytest.mark.parametrize(
    ("text", "nanos"),
    [
        ("0", 0),
        ("1", NANO),
        ("-1", -NANO),
        ("+1", NANO),
        ("1.5", 3 * NANO // 2),
        (".5", NANO // 2),
        ("1.", NANO),
        ("1k", 1000 * NANO),
        ("1Ki", 1024 * NANO),
        ("40Gi", 40 * 2**30 * NANO),
        ("1.5Gi", 3 * 2**29 * NANO),
        ("23028Mi", 23028 * 2**20 * NANO),
        ("1500m", 3 * NANO // 2),
        ("1e3", 1000 * NANO),
        ("1E3", 1000 * NANO),
        ("1e-3", NANO // 1000),
        ("1E", 10**18 * NANO),
        ("1n", 1),
        ("0.1n", 1),
        ("-0.1n", -1),
        ("16Ei", (2**63 - 1) * NANO),
    ],
)
def test_quantity(text, nanos):
    assert quantity(text) == nanos


@pytest.mark.parametrize(
    "text",
    ["", ".", "k", "1K", "40GB", "40gi", "40 Gi", " 1", "1\n", "1e", "1e999", "0x1", "\u0661"],
)
def test_no_quantity(text):
    with pytest.raises(ValueError, match="not a quantity"):
        quantity(text)
    assert not is_zero(text)


def test_integer():
    assert integer(quantity("40Gi")) == 40 * 2**30
    assert integer(quantity("1500m")) is None
    with pytest.raises(ValueError, match="cannot tell"):
        integer(quantity("100Ti"))


@pytest.mark.parametrize(
    ("text", "lenient", "version"),
    [
        ("8.0.0", False, "8.0.0"),
        ("580.126.9", False, "580.126.9"),
        ("1.2.3-rc.1+build", False, "1.2.3-rc.1"),
        ("v8", True, "8.0.0"),
        ("v8.6", True, "8.6.0"),
        ("570.086.15", True, "570.86.15"),
        ("1.0.00", True, "1.0.0"),
        ("1.2.3-rc.1", True, "1.2.3-rc.1"),
    ],
)
def test_semver(text, lenient, version):
    assert semver(text, lenient=lenient) == version


@pytest.mark.parametrize(
    ("text", "lenient"),
    [
        ("", False),
        ("8.0", False),
        ("v8.0.0", False),
        ("570.086.15", False),
        ("1.2.3-01", False),
        ("1.2.3-", False),
        ("1.2.3\n", False),
        (" 8.0.0", True),
        ("1.2-rc.1", True),
        ("x", True),
        ("", True),
    ],
)
def test_no_semver(text, lenient):
    with pytest.raises(ValueError, match="version"):
        semver(text, lenient=lenient)


def test_precedence():
    versions = "1.0.0-1 1.0.0-2 1.0.0-10 1.0.0-a 1.0.0-a.1 1.0.0-b 1.0.0 1.0.1 1.1.0 1.10.0 2.0.0"
    keys = [precedence(version) for version in versions.split()]
    assert keys == sorted(keys)
    assert len(set(keys)) == len(keys)


@given(st.integers(0, 10**9), st.sampled_from(["", "k", "M", "Ki", "Mi", "Gi", "m", "n"]))
def test_quantities_order_like_numbers(number, suffix):
    assert quantity(f"{number}{suffix}") < quantity(f"{number + 1}{suffix}")
