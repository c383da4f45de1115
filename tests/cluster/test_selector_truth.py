"""Selectors against what Kubernetes' own code said of them, and where the library cannot follow."""

import json

import pytest

from generator.cluster.cel import Cel
from generator.cluster.devices import read_slice
from generator.cluster.subjects import grouped
from tests.cluster.healthy import FIXTURES, slice_of

CASES = json.loads((FIXTURES / "cel-truth.json").read_bytes())["cases"]

X, C = "device.attributes['gpu.nvidia.com']", "device.capacity['gpu.nvidia.com']"

CANNOT_TELL = {
    "the library has no objects, so `device` is not one": [
        "has(device.attributes)",
        "has(device.driver)",
        "has(device.allowMultipleAllocations)",
        "device.?attributes['gpu.nvidia.com'].?type.orValue('') == 'gpu'",
    ],
    "in the library a domain that no attribute has cannot be both empty and absent": [
        "'memory' in device.capacity",
    ],
    "in the library a version and a text are unequal, in Kubernetes that fails": [
        f"{X}.cudaComputeCapability == '8.0.0' || true",
        f"{X}.cudaComputeCapability in ['8.0.0']",
        f"{X}.cudaComputeCapability == {X}.vlike",
        f"quantity('1') == {X}.type",
    ],
    "whether Kubernetes holds a quantity as an integer depends on how it was written": [
        f"{C}.huge.isInteger()",
        f"{C}.huge.asInteger() > 0",
    ],
    "the library lacks Kubernetes' functions of lists, sets, texts and addresses": [
        "[1, 2, 3].isSorted()",
        "[semver('1.0.0'), semver('2.0.0')].isSorted()",
        f"['gpu', {X}.type].isSorted()",
        f"[{X}.type, {X}.series].isSorted()",
        "[2, 3].sum() == 5 && [2, 3].min() == 2 && [2, 3].max() == 3",
        "[1, 2, 3].slice(0, 2) == [1, 2]",
        "[1, 2].reverse() == [2, 1]",
        "[{'a': 2}, {'a': 1}].sortBy(x, x.a)[0].a == 1",
        "sets.contains(['gpu', 'mig'], ['gpu'])",
        f"sets.contains(['gpu', 'mig'], [{X}.type])",
        f"'%s'.format([{X}.cudaComputeCapability]) == '8.0.0'",
        f"{X}.brand.find('vid') == 'vid'",
        f"{X}.brand.find('xyz') == ''",
        f"{X}.uuid.findAll('[0-9]+').size() > 3",
        f"{X}.uuid.findAll('0+', 1).size() == 1",
        "ip('10.0.0.1').family() == 4",
        "url('https://a.b').getHost() == 'a.b'",
    ],
    "the library lacks loops over keys and values": [
        f"{X}.all(k, v, v != 'mig')",
        f"{X}.exists(k, v, v == 'gpu')",
        f"{X}.exists(k, v, v == 'nope')",
        f"{X}.all(k, v, v != 'nope')",
        f"{X}.transformList(k, v, k).size() > 3",
        f"{X}.existsOne(k, v, k == 'type')",
        "device.attributes.exists(d, m, 'type' in m)",
    ],
    "list attributes depend on a feature gate that nobody can see": [
        f"{X}.modes.includes('a')",
        f"{X}.type == 'gpu'",
    ],
    "of a key that stands twice the library takes the first, Kubernetes the last": [
        "{'a': 1, 'a': 2}.a == 1",
    ],
    "the library nests less deeply": ["(" * 60 + "true" + ")" * 60],
    "the library does not estimate costs": [
        next(case["expression"] for case in CASES if ".all(z3, " in case["expression"]),
        "device.attributes.all(d, device.attributes[d].all(k, device.attributes.all(e,"
        " device.attributes[e].all(l, k != '' && l != ''))))",
    ],
}
"""Every expression of the cases that is not told, by why that is so."""


@pytest.fixture(scope="module")
def cel():
    return Cel()


def verdict(cel, case):
    device = {"name": "d", **case["device"]}
    item = slice_of("node", [device], driver=case["device"]["driver"])
    [(subject, _)] = grouped(read_slice(item).devices, None)
    return cel.evaluate(cel.compile(case["expression"]), subject).outcome


def truth(case):
    return case["result"] if case["result"] in ("true", "false") else "fails"


def test_every_case_agrees_or_is_listed(cel):
    listed = {expression for group in CANNOT_TELL.values() for expression in group}
    outcomes = [(case["expression"], truth(case), verdict(cel, case)) for case in CASES]
    wrong = [one for one in outcomes if one[2] not in ("cannot tell", one[1])]
    untold = {expression for expression, _, outcome in outcomes if outcome == "cannot tell"}
    assert len(outcomes) == 214
    assert wrong == []
    assert untold == listed
