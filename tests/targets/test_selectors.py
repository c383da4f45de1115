"""The CEL of a device class: what it selects, and that no device makes it fail."""

from itertools import product

import pytest
from cel_expr_python import cel
from cel_expr_python.ext import ext_optional
from hypothesis import given

from generator.catalog.selectors import expression
from tests.targets.catalogs import legal

ENVIRONMENT = cel.NewEnv(
    variables={"device": cel.Type.DYN}, extensions=[ext_optional.ExtOptional()]
)


def matches(selector, driver="gpu.nvidia.com", **attributes):
    """What the selector makes of a device; an error is told from false."""
    device = {"driver": driver, "attributes": {"gpu.nvidia.com": attributes}}
    found = ENVIRONMENT.compile(selector).eval(data={"device": device})
    assert found.type() == cel.Type.BOOL, found
    return found.value()


@pytest.mark.parametrize(
    ("names", "profile", "text"),
    [
        pytest.param(
            ["NVIDIA A10G"],
            None,
            "device.driver == 'gpu.nvidia.com' &&\n"
            "device.attributes['gpu.nvidia.com'].?type.orValue('') == 'gpu' &&\n"
            "device.attributes['gpu.nvidia.com'].?productName.orValue('') == 'NVIDIA A10G'",
            id="one-product",
        ),
        pytest.param(
            ["NVIDIA A100-SXM4-40GB", "NVIDIA A100-PCIE-40GB", "NVIDIA A100-SXM4-40GB"],
            "1g.5gb+me",
            "device.driver == 'gpu.nvidia.com' &&\n"
            "device.attributes['gpu.nvidia.com'].?type.orValue('') == 'mig' &&\n"
            "device.attributes['gpu.nvidia.com'].?profile.orValue('') == '1g.5gb+me' &&\n"
            "device.attributes['gpu.nvidia.com'].?productName.orValue('') in"
            " ['NVIDIA A100-SXM4-40GB', 'NVIDIA A100-PCIE-40GB']",
            id="slices-of-two-products",
        ),
        pytest.param(
            ["O'Neill \\ \u2028"],
            None,
            "device.driver == 'gpu.nvidia.com' &&\n"
            "device.attributes['gpu.nvidia.com'].?type.orValue('') == 'gpu' &&\n"
            "device.attributes['gpu.nvidia.com'].?productName.orValue('')"
            r" == 'O\'Neill \\ \u2028'",
            id="escapes",
        ),
    ],
)
def test_one_clause_a_line_the_driver_first(names, profile, text):
    assert expression(names, profile) == text


ABSENT = object()
VALUES = {
    "type": [ABSENT, "gpu", "mig", "vfio", 7],
    "profile": [ABSENT, "1g.5gb", "1g.5gb+me", True],
    "productName": [ABSENT, "NVIDIA A10", "NVIDIA A10G", "NVIDIA A100-SXM4-40GB", 7],
}
DEVICES = [
    {name: value for name, value in zip(VALUES, values, strict=True) if value is not ABSENT}
    for values in product(*VALUES.values())
]


@pytest.mark.parametrize("profile", [None, "1g.5gb"])
@pytest.mark.parametrize("names", [["NVIDIA A10"], ["NVIDIA A10G", "NVIDIA A100-SXM4-40GB"]])
def test_selects_equal_devices_and_fails_on_none(names, profile):
    selector = expression(names, profile)
    kind = {"type": "gpu"} if profile is None else {"type": "mig", "profile": profile}
    for device in DEVICES:
        wanted = device.get("productName") in names and kind.items() <= device.items()
        assert matches(selector, **device) == wanted
        assert not matches(selector, driver="dra.example.org", **device)


@given(legal(64), legal(64))
def test_any_product_name_is_compared_as_it_stands(name, other):
    for names in ([name], [name, "NVIDIA A10G"]):
        selector = expression(names, None)
        assert matches(selector, type="gpu", productName=name)
        assert matches(selector, type="gpu", productName=other) == (other in names)
        assert not matches(selector, type="gpu", productName=name + "x")
