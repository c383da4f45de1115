"""Evidence files: what is written is read back, by every reader, and anything else is refused."""

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st
from ruamel.yaml import YAML

from generator.catalog.evidence import ClassEvidence, Evidence, read_evidence, write_evidence
from generator.findings import Invalid
from tests.cluster.healthy import project

TEXT = st.text(
    st.characters(exclude_categories=["Cs"]) | st.sampled_from(" \n\t\"'#:-{}[]&*!|>%@`\u2028\x85"),
    min_size=1,
    max_size=20,
)
COUNTS = st.dictionaries(TEXT, st.integers(1, 10**9 - 1), max_size=3)
CLASS = st.builds(ClassEvidence, TEXT, TEXT, st.integers(1, 10**9 - 1), COUNTS, COUNTS)
EVIDENCE = st.builds(
    Evidence,
    TEXT,
    st.lists(TEXT, max_size=3).map(tuple),
    st.dictionaries(TEXT, CLASS, max_size=3),
)


@given(EVIDENCE)
def test_what_is_written_is_read_back(evidence):
    text = write_evidence(evidence, "themelio")
    assert read_evidence(text.encode(), "") == evidence
    assert text.endswith("\n")
    assert not any(line != line.rstrip() for line in text.split("\n"))


@given(EVIDENCE)
def test_every_reader_agrees(evidence):
    text = write_evidence(evidence, "themelio")
    old, new = yaml.load(text, yaml.CSafeLoader), YAML(typ="safe", pure=True).load(text)
    assert old == new
    assert old["kubernetes"] == evidence.kubernetes
    for name, one in evidence.classes.items():
        assert old["classes"][name]["expression"] == one.expression
        assert old["classes"][name]["products"] == one.products


GOOD = """\
kubernetes: "1.36.4"
driver_versions:
  - "580.126.9"
classes:
  a10g.nvidia.com:
    label: nvidia.com/a10g
    expression: device.driver == 'gpu.nvidia.com'
    devices: 2
    products: {}
    profiles: {}
"""


def findings(text):
    with pytest.raises(Invalid) as caught:
        read_evidence(text if isinstance(text, bytes) else text.encode(), "evidence/x.yaml")
    assert {one.code for one in caught.value.findings} == {"GC501"}
    assert {one.path for one in caught.value.findings} == {"evidence/x.yaml"}
    return [(one.line, one.column, one.message) for one in caught.value.findings]


def test_good():
    assert read_evidence(GOOD.encode(), "").classes["a10g.nvidia.com"].devices == 2
    assert read_evidence(b"\xef\xbb\xbf" + GOOD.encode(), "") == read_evidence(GOOD.encode(), "")
    assert read_evidence(None, "") == Evidence()


@pytest.mark.parametrize(
    ("old", "new", "line", "column", "message"),
    [
        ('"1.36.4"', "1.36", 1, 13, "must be a text: put 1.36 in quotes"),
        ('"1.36.4"', '""', 1, 13, "must be a text that is not empty"),
        ('"1.36.4"', "[a]", 1, 13, "must be a text that is not empty"),
        ('"1.36.4"', "!!str a", 1, 13, "must be a text that is not empty"),
        ('"1.36.4"', "&a a", 1, 13, "must be a text that is not empty"),
        ("kubernetes:", "kubernetes: a\nkubernetes:", 2, 1, "has the key 'kubernetes' twice"),
        ("kubernetes:", "k8s:", 1, 1, "has an unknown key 'k8s'"),
        ('\n  - "580.126.9"', " a", 2, 18, "must be a list"),
        ("devices: 2", "devices: 0", 8, 14, "must be a whole number of at least 1"),
        ("devices: 2", 'devices: "2"', 8, 14, "must be a whole number of at least 1"),
        ("devices: 2", "devices: 99999999999", 8, 14, "must be a whole number of at least 1"),
        ("products: {}", "products: {a: x}", 9, 19, "must be a whole number of at least 1"),
        ("products: {}", "products: []", 9, 15, "must be a mapping"),
        ("    devices: 2\n", "", 6, 5, "lacks devices"),
    ],
)
def test_faults(old, new, line, column, message):
    assert (line, column, message) in findings(GOOD.replace(old, new, 1))


@pytest.mark.parametrize(
    ("text", "line", "column", "message"),
    [
        ("", 1, 1, "must hold exactly one document"),
        ("a: b\n--- {}\n", 2, 5, "must hold exactly one document"),
        ("a", 1, 1, "must be a mapping"),
        ("{[]: 1}", 1, 2, "must be a text that is not empty"),
        (b"a\n\xff", 2, 1, "is not UTF-8"),
        (b"\xef\xbb\xbfa\nb: \xff", 2, 4, "is not UTF-8"),
    ],
)
def test_no_evidence(text, line, column, message):
    assert (line, column, message) in findings(text)


@pytest.mark.parametrize("text", ["a: [", "[" * 200, "a: \x00", "- a\nb"])
def test_no_yaml(text):
    assert "is not YAML" in findings(text)[0][2]


def test_all_faults_at_once():
    text = GOOD.replace('"1.36.4"', "1.36").replace("devices: 2", "devices: x")
    assert [line for line, _, _ in findings(text)] == [1, 8]


def test_verified_only_while_label_and_expression_are_the_recorded_ones():
    offering = project().catalog.offerings[0]
    one = offering.device_class

    def verified(name=one.name, label=offering.label, expression=one.expression):
        recorded = ClassEvidence(label, expression, 2, {}, {})
        return Evidence("1.36", (), {name: recorded}).verifies(offering)

    assert verified()
    assert not verified(name="other")
    assert not verified(label="nvidia.com/other")
    assert not verified(expression="true")
