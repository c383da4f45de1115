"""Reading a catalog: exact findings, bounded work on hostile text, validators that agree."""

import copy
import json
import re
import resource
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from jsonschema import Draft7Validator

from generator import reports
from generator.catalog import reader, shape
from generator.findings import Invalid, Outcome

ROOT = Path(__file__).parents[2]
BASE = (Path(__file__).parent / "base.yaml").read_text(encoding="utf-8")


def findings(text: str | bytes) -> list:
    data = text if isinstance(text, bytes) else text.encode()
    with pytest.raises(Invalid) as caught:
        reader.read(data, "catalog.yaml")
    return list(caught.value.findings)


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        pytest.param(
            "    mig_profile:",
            "    mig_profil:",
            "catalog.yaml:15:5: error GC110: unknown key `mig_profil`\n"
            "      mig_profil: 1g.5gb\n"
            "      ^\n"
            "hint: did you mean `mig_profile`?\n",
            id="did-you-mean",
        ),
        pytest.param(
            'kubernetes: "1.36.4"',
            "kubernetes: 1.30",
            "catalog.yaml:30:17: error GC105: expected text, found `1.30`\n"
            "      kubernetes: 1.30\n"
            "                  ^\n"
            'hint: quote it: "1.30"\n',
            id="quote-it-as-it-stands",
        ),
        pytest.param(
            "name: NVIDIA A10G",
            "name: '東京 {{ x }}'",
            "catalog.yaml:7:11: error GC107: holds `{{`, which Ansible would run as a template\n"
            "      name: '東京 {{ x }}'\n"
            "            ^\n"
            "hint: write it without these braces\n",
            id="braces",
        ),
        pytest.param(
            "[gpu_a10g, gpu_h100]",
            "[gpu_a10g, gpu_h10]",
            "catalog.yaml:32:27: error GC209: there is no offering `gpu_h10`\n"
            "      offerings: [gpu_a10g, gpu_h10]\n"
            "                            ^\n"
            "hint: did you mean `gpu_h100`?\n",
            id="unknown-offering",
        ),
    ],
)
def test_a_finding_reads_well(old: str, new: str, expected: str) -> None:
    assert old in BASE
    assert reports.text(Outcome(findings(BASE.replace(old, new, 1)))) == expected


@pytest.mark.parametrize(
    ("version", "code", "severity"),
    [
        ("1.34", "GC212", "warning"),
        ("1.35.1", None, None),
        ("1.36", None, None),
        ("1.37.0", None, None),
        ("1.38", "GC213", "note"),
    ],
)
def test_versions_that_are_accepted(version: str, code: str | None, severity: str | None) -> None:
    gates = "[DynamicResourceAllocation, DRAExtendedResource]" if version < "1.36" else "[]"
    text = BASE.replace('"1.36.4"', f'"{version}"\n    feature_gates: {gates}')
    _, _, notes = reader.read(text.encode(), "catalog.yaml")
    assert [(one.code, one.severity) for one in notes] == ([(code, severity)] if code else [])


def test_a_gate_that_is_locked_on_is_a_warning() -> None:
    text = BASE.replace('"1.36.4"', '"1.37"\n    feature_gates: [DRAExtendedResource]')
    _, _, notes = reader.read(text.encode(), "catalog.yaml")
    assert [(one.line, one.column, one.code) for one in notes] == [(31, 21, "GC214")]


def test_a_raw_expression_that_does_not_compare_the_driver_first_is_a_warning() -> None:
    text = BASE.replace("{products: [a10g]}", "{cel: \"device.attributes['x'].y == 'z'\"}")
    _, _, notes = reader.read(text.encode(), "catalog.yaml")
    assert [(one.line, one.column, one.code) for one in notes] == [(10, 25, "GC218")]


def test_a_deprecated_offering_may_share_devices_for_a_while() -> None:
    text = BASE.replace(
        "{accelerator: old}", "{accelerator: old}\n    device_class: {products: [a10g]}"
    ).replace("    offerings: [gpu_a10g, gpu_h100]\n", "")
    catalog, _, notes = reader.read(text.encode(), "catalog.yaml")
    assert [(one.line, one.code, one.severity) for one in notes] == [(25, "GC220", "warning")]
    assert len(catalog.clusters[0].offerings) == 4


def test_two_offerings_share_no_devices_behind_a_deprecated_one() -> None:
    old = "  - name: An old label"
    shared = "{accelerator: old}\n    device_class: {products: [a10g]}"
    text = BASE.replace("{accelerator: old}", shared)
    head, _, rest = text.partition("  - component: gpu_a10g\n")
    kept, _, after = rest.partition(old)
    deprecated, _, tail = after.partition("retired_labels:")
    again = kept.replace("nvidia.com/a10g", "nvidia.com/cheap").partition("  - comp")[0]
    text = (
        f"{head}{old}{deprecated}  - component: gpu_a10g\n{kept}"
        f"  - component: gpu_cheap\n{again}retired_labels:{tail}"
    ).replace("    offerings: [gpu_a10g, gpu_h100]\n", "")
    found = [(one.code, one.severity) for one in findings(text) if one.code == "GC220"]
    assert found == [("GC220", "warning"), ("GC220", "error"), ("GC220", "warning")]


@pytest.mark.parametrize(
    ("settings", "line"),
    [
        ("accounting_type: limit", None),
        ("accounting_type: usage", 35),
        ("accounting_type: one", 35),
        ("accounting_type: one, is_prepaid: true", None),
        ("unit_factor: 1", None),
        ("unit_factor: 8", 35),
    ],
)
def test_what_is_sold_becomes_the_quota(settings: str, line: int | None) -> None:
    text = BASE.replace("measured_unit: GPU, accounting_type: limit", settings)
    notes = reader.read(text.encode(), "catalog.yaml")[2]
    assert [(one.code, one.severity, one.line) for one in notes] == [("GC227", "warning", line)] * (
        line is not None
    )


def test_an_offering_may_be_sold_otherwise() -> None:
    own = "    label: nvidia.com/h100\n    waldur: {accounting_type: one}\n"
    text = BASE.replace("    label: nvidia.com/h100\n", own)
    prepaid = text.replace("{measured_unit: GPU,", "{is_prepaid: true, measured_unit: GPU,")
    assert [one.code for one in reader.read(text.encode(), "c")[2]] == ["GC227"]
    assert reader.read(prepaid.encode(), "c")[2] == []


def test_a_cluster_overrides_a_selector_and_products() -> None:
    text = BASE.replace("{node_selector: {gpu: a10g}}", "{products: [a10g], product_names: [X]}")
    catalog, _, _ = reader.read(text.encode(), "catalog.yaml")
    overridden = catalog.clusters[0].offerings[0]
    assert overridden.device_class.product_names == ("NVIDIA A10G", "X")
    assert overridden.device_class.name == "a10g.nvidia.com"
    assert catalog.offerings[0].device_class.product_names == ("NVIDIA A10G",)


@pytest.mark.parametrize(
    "variant",
    [
        pytest.param(lambda text: text.replace("\n", "\r\n").encode(), id="crlf"),
        pytest.param(lambda text: b"\xef\xbb\xbf" + text.encode(), id="bom"),
        pytest.param(lambda text: text.rstrip("\n").encode(), id="no-final-newline"),
        pytest.param(lambda text: ("---\n" + text + "...\n").encode(), id="document-markers"),
    ],
)
def test_layout_does_not_matter(variant) -> None:
    assert reader.read(variant(BASE), "c")[0] == reader.read(BASE.encode(), "c")[0]


@pytest.mark.parametrize("end", ["\u0085", "\u2028", "\u2029"])
def test_lines_are_ended_by_line_feeds_alone(end: str) -> None:
    """libyaml would obey what all others take for the rest of the comment."""
    found = findings(f"# GPUs {end}x: 1\n# {end}\n{BASE}")
    assert [(one.line, one.column, one.code) for one in found] == [
        (1, 8, "GC106"),
        (2, 3, "GC106"),
    ]


def test_what_no_cluster_offers_replaces_nothing() -> None:
    text = BASE.replace("[gpu_a10g, gpu_h100]", "[gpu_a10g]")
    found = reader.read(text.encode(), "catalog.yaml")[2]
    assert [(one.code, one.severity) for one in found] == [("GC217", "warning")] * 2
    assert found[0].message == "`nvidia.com/h100` is offered on no cluster"


def test_two_offerings_of_one_name_cannot_be_told_apart() -> None:
    text = BASE.replace("name: NVIDIA H100", "name: NVIDIA A10G")
    [found] = reader.read(text.encode(), "catalog.yaml")[2]
    assert (found.code, found.severity) == ("GC206", "warning")
    assert found.message == "another offering is called `NVIDIA A10G` too"


@pytest.mark.parametrize(
    ("data", "expected"),
    [
        pytest.param(b"", [(1, 1, "GC102")], id="empty"),
        pytest.param(b"# only a comment\n", [(1, 1, "GC102")], id="comment"),
        pytest.param(b"[]", [(1, 1, "GC112")], id="list"),
        pytest.param(b"hello", [(1, 1, "GC112")], id="text"),
        pytest.param(b"a: \xff", [(1, 4, "GC106")], id="latin-1"),
        pytest.param("a: ä\nb".encode("utf-16"), [(1, 1, "GC106")], id="utf-16"),
        pytest.param(b"a: \x00", [(1, 4, "GC101")], id="nul"),
        pytest.param(b"\n  - a\n b", [(3, 2, "GC101")], id="broken"),
        pytest.param(b"*a", [(1, 1, "GC104")], id="only-an-alias"),
        pytest.param(b"a: 1\nb: {\n\n", [(2, 4, "GC101")], id="never-closed"),
    ],
)
def test_what_is_no_catalog(data: bytes, expected: list) -> None:
    found = [(one.line, one.column, one.code) for one in findings(data)]
    assert found[: len(expected)] == expected


LEVELS = "\n".join(f"l{n}: &l{n} [{','.join([f'*l{n - 1}'] * 9)}]" for n in range(1, 40))
HOSTILE = {
    "alias-bomb": f"l0: &l0 [a]\n{LEVELS}",
    "deep-flow": "[" * 10_000,
    "deep-block": "".join(" " * n + "a:\n" for n in range(1_500)),
    "deep-list": "- " * 10_000,
    "many-faults": BASE.replace("offerings:", "offerings:\n" + "  - {a: no}\n" * 500, 1),
    "many-keys": "".join(f"key{n}: {n}\n" for n in range(20_000)),
    "many-duplicates": "a: 1\n" * 20_000,
    "long-reference": BASE.replace("products: [a10g]", f"products: [{'x' * 300_000}]"),
    "long-number": BASE.replace('kubernetes: "1.36.4"', f"kubernetes: {'9' * 300_000}"),
    "long-key-twice": f"? {'k' * 300_000}\n: 1\n" * 2,
    "every-key-twice": "".join(f"key{n}: 1\n" for n in range(40_000)) * 2,
    "many-anchors": f"a: [{'&a x, ' * 300_000}]",
    "mappings-where-text-is-unique": BASE.replace(
        "    namespace: themelio\n",
        "    namespace: themelio\n    feature_gates:\n"
        + "".join(f"      - {{a: {n}}}\n" for n in range(30_000)),
    ),
    "many-bad-keys": BASE.replace(
        "node_selector: {accelerator: nvidia-a10g}",
        "node_selector:\n" + "".join(f"      a b{n}: c\n" for n in range(40_000)),
    ),
    "many-bad-references": BASE.replace(
        "retired_labels:\n",
        "retired_labels:\n"
        + "".join(
            f"  - {{label: old.io/a{n}, reason: typo, replaced_by: [nvidia.com/a1og{n}]}}\n"
            for n in range(20_000)
        ),
    ),
    "one-long-line": "a: [" + "b, " * 300_000,
    "long-text": f"name: {'x' * 3_000_000}",
    "garbage": "".join(chr(33 + n * 7 % 90) for n in range(3_000_000)),
    "too-large": "a" * (reader.MAX_BYTES + 1),
}


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_text_ends_with_findings_in_bounds(name: str, tmp_path: Path) -> None:
    """Twenty seconds and a gigabyte are what a hopeless file may cost; most cost a tenth."""
    path = tmp_path / "catalog.yaml"
    path.write_text(HOSTILE[name], encoding="utf-8")
    limit = 1 << 30
    done = subprocess.run(
        [sys.executable, "-m", "generator", "check", "--catalog", str(path)],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=20,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS, (limit, limit)),
        check=False,
    )
    assert done.returncode == 3, done.stderr
    assert "Traceback" not in done.stderr
    assert re.search(r"catalog\.yaml:\d+:\d+: error GC[12]\d\d: ", done.stdout)
    assert len(done.stdout) < 200_000
    assert list(tmp_path.iterdir()) == [path]


def test_two_hundred_findings_are_printed_and_the_rest_counted(tmp_path: Path) -> None:
    path = tmp_path / "catalog.yaml"
    path.write_text(HOSTILE["many-faults"], encoding="utf-8")
    done = subprocess.run(
        [sys.executable, "-m", "generator", "check", "--catalog", str(path)],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.stdout.count(": error GC") == 200
    assert done.stdout.endswith("... and 1800 more\n")


# --- the schema --------------------------------------------------------------------------------

SCHEMA = shape.schema()
GOOD = json.loads(json.dumps(__import__("yaml").safe_load(BASE)))
ANYTHING = st.recursive(
    st.none() | st.booleans() | st.integers(-5, 200) | st.floats(-2, 2) | st.text(max_size=8)
    | st.sampled_from(["nvidia.com/a10g", "gpu_a10g", "1.36", "1g.5gb", "limit", "", "a" * 64]),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=4), inner, max_size=3)
    ),
    max_leaves=5,
)  # fmt: skip


def places(value: object, where: tuple = ()) -> list[tuple]:
    if isinstance(value, dict):
        return [where, *(p for key in value for p in places(value[key], (*where, key)))]
    if isinstance(value, list):
        return [
            where,
            *(p for index, one in enumerate(value) for p in places(one, (*where, index))),
        ]
    return [where]


@settings(max_examples=300, deadline=None)
@given(where=st.sampled_from([place for place in places(GOOD) if place]), value=ANYTHING)
def test_both_validators_agree(where: tuple, value: object) -> None:
    content = copy.deepcopy(GOOD)
    holder = content
    for step in where[:-1]:
        holder = holder[step]
    holder[where[-1]] = value
    assert shape.conforms(content) == Draft7Validator(SCHEMA).is_valid(content)


def test_without_the_quick_validator_jsonschema_answers(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "fastjsonschema", None)
    assert len(reader.read(BASE.encode(), "catalog.yaml")[0].offerings) == 4
    assert [one.code for one in findings(BASE.replace("waldur:", "waldurs:"))] == ["GC110"]


def properties(node: object) -> list[tuple[str, dict]]:
    if isinstance(node, list):
        return [found for one in node for found in properties(one)]
    if not isinstance(node, dict):
        return []
    own = [(key, value) for key, value in node.get("properties", {}).items()]
    return own + [found for value in node.values() for found in properties(value)]


def test_the_schema_is_one_and_describes_every_property() -> None:
    Draft7Validator.check_schema(SCHEMA)
    for name, node in properties(SCHEMA):
        reference = node.get("$ref", "").rpartition("/")[2]
        described = node.get("description") or SCHEMA["definitions"][reference]["description"]
        assert described.endswith("."), name


def test_the_committed_catalog_names_its_schema_for_editors() -> None:
    first = (ROOT / "catalog.yaml").read_text(encoding="utf-8").splitlines()[0]
    path = re.fullmatch(r"# yaml-language-server: \$schema=(\S+)", first)[1]
    assert json.loads((ROOT / path).read_text(encoding="utf-8"))["title"] == "gpu-catalog"
