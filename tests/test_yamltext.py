"""YAML text: scalars that every reader takes for the same string, and nodes with their place."""

import json
from pathlib import Path

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st
from ruamel.yaml import YAML

from generator import yamltext
from generator.yamlfaults import FORBIDDEN, NotYaml

HAZARDS = json.loads((Path(__file__).parent / "fixtures/yaml-scalar-hazards.json").read_text())
READERS = ("pyyaml", "ruamel", "js-yaml", "yaml_", "kubectl_1")
TEXT = st.text(st.characters(exclude_categories=["Cs"]), max_size=30)
WORDS = st.sampled_from([row["scalar"] for row in HAZARDS]) | TEXT


def is_plain_scalar(text: str) -> bool:
    try:
        (root,) = yamltext.parse(f"{text}\n")
    except (NotYaml, ValueError):
        return False
    return root.kind == "scalar" and root.value == text and not root.tag


@pytest.mark.parametrize(
    "row", [row for row in HAZARDS if is_plain_scalar(row["scalar"])], ids=lambda row: row["scalar"]
)
def test_ambiguous_is_what_some_reader_takes_for_something_else(row: dict) -> None:
    """The rows are what each reader really read."""
    text = json.dumps(row["scalar"], ensure_ascii=False)
    read = [
        value for reader, value in row.items() if reader.startswith(READERS) and "key" not in reader
    ]
    assert yamltext.is_ambiguous(row["scalar"]) == any(value != text for value in read)


@given(WORDS)
def test_every_reader_takes_an_emitted_scalar_for_its_text(text: str) -> None:
    document = f"{yamltext.scalar(text)}: {yamltext.scalar(text)}\n"
    expected = {text: text}
    assert yaml.safe_load(document) == expected
    assert yaml.load(document, yaml.CSafeLoader) == expected
    assert YAML(typ="safe", pure=True).load(document) == expected


@given(WORDS)
def test_an_emitted_scalar_stands_on_one_line_of_printable_characters(text: str) -> None:
    emitted = yamltext.scalar(text)
    assert emitted.splitlines() == [emitted]
    assert not FORBIDDEN.search(emitted)


@pytest.mark.parametrize(
    ("text", "emitted"),
    [
        ("NVIDIA A100 MIG", "NVIDIA A100 MIG"),
        ("nvidia.com/a100-mig-1g.5gb", "nvidia.com/a100-mig-1g.5gb"),
        ("false", '"false"'),
        ("y", '"y"'),
        ("1g.5gb", '"1g.5gb"'),
        ("a: b", '"a: b"'),
        ("it's", '"it\'s"'),
        ('say "hi"', "'say \"hi\"'"),
        ('it\'s "hi"', "'it''s \"hi\"'"),
        ('back\\slash "hi"', '"back\\\\slash \\"hi\\""'),
        ("\u2028", '"\\u2028"'),
        ("😀", '"😀"'),
        ("", '""'),
        (" a", '" a"'),
    ],
)
def test_quotes_are_the_ones_that_prettier_chooses(text: str, emitted: str) -> None:
    assert yamltext.scalar(text) == emitted


def test_nodes_know_where_they_start_and_end() -> None:
    text = "a:\n  - x # c\n  # about b\nb: |\n  block\n\nc: {d: [1, 'e']} # end\n"
    (root,) = yamltext.parse(text)
    spans = {where: text[node.start : yamltext.end_of(node)] for where, node in yamltext.walk(root)}
    assert spans[("a",)] == "- x"
    assert spans[("b",)].rstrip() == "|\n  block"
    assert spans[("c",)] == "{d: [1, 'e']}"
    assert spans[("c", "d", 1)] == "'e'"


def test_only_a_line_feed_ends_a_line() -> None:
    text = "a: '\u2028\u0085'\r\nb: c\n"
    (root,) = yamltext.parse(text)
    assert yamltext.line_and_column(text, root.pairs[1][1].start) == (2, 4)


@pytest.mark.parametrize(
    ("text", "offset"),
    [
        ("a: [b\n", 3),
        ("a: [\n", 3),
        ("a: 'b", 3),
        ("a: }", 3),
        ("a: \x01", 3),
        ("a: \ud800", 3),
        ("[" * 200, 100),
    ],
)
def test_what_is_not_yaml_says_where(text: str, offset: int) -> None:
    with pytest.raises(NotYaml) as caught:
        yamltext.parse(text)
    assert caught.value.offset == offset


@pytest.mark.parametrize(
    ("text", "hint"),
    [
        ("a: [1, 2\nb: 3", "close the bracket"),
        ("a:\n\t- x", "indent with spaces, not tabs"),
        ("a: @x", "quote a text that begins with @"),
        ("a: b: c", "quote a text that holds `: `"),
        ("a: 'b", "close the quote"),
        ("a: 'it's'", "quote a text that holds quotes"),
        ("- a\nb: 1", "each behind its own `-`"),
        ("a: - b", "put the list below its key"),
        ("a: 1\nb", "write `key: value`"),
        ('a: "\\q"', "double the backslash"),
        ("a: \x01", "take the character out"),
        ("a: &\n", "quote a text that holds signs of YAML"),
    ],
)
def test_what_is_not_yaml_says_what_mends_it(text: str, hint: str) -> None:
    with pytest.raises(NotYaml) as caught:
        yamltext.parse(text)
    assert hint in caught.value.hint
