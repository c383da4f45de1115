"""Pointers: one node is exchanged, in the document's own layout, and nothing else changes."""

import json

import pytest
import yaml

from tests.publish.world import place, refusal

ARTIFACT = """\
# Generated
enum:
  - nvidia.com/a10g
  - nvidia.com/a100
vendors:
  - limitsKey: nvidia.com/a10g
    uiName: NVIDIA "A10G"
  - limitsKey: nvidia.com/a100
    uiName: "no"
schema:
  type: string
  deprecated: true
  maxLength: 63
  description: |-
    Which GPU.

    - a: b
  enum: [nvidia.com/a10g]
empty: []
one: nvidia.com/a10g
count: 2
nothing: null
text: |
  One.
  Two.
"""


def put(text, source, at="/top/it", to="file.yaml"):
    placed = place(text, ARTIFACT, at=at, source_pointer=f"/{source}", to=to)
    again = place(placed.text, ARTIFACT, at=at, source_pointer=f"/{source}", to=to)
    assert again.text == placed.text
    assert again.found == placed.wanted
    return placed.text


BLOCK = {
    "the sequence's own column, and its comments around it": (
        "top:\n  # first\n  it:\n  - x # last\n  # after\n  num: 1\n",
        "enum",
        "top:\n  # first\n  it:\n  - nvidia.com/a10g\n  - nvidia.com/a100 # last\n"
        "  # after\n  num: 1\n",
    ),
    "an indented sequence": (
        "top:\n  it:\n    - x\n\n\n  num: 1\n",
        "enum",
        "top:\n  it:\n    - nvidia.com/a10g\n    - nvidia.com/a100\n\n\n  num: 1\n",
    ),
    "the dash's distance, and the quotes that it has": (
        "top:\n  it:\n  -   limitsKey: 'x'\n      uiName: 'y'\n",
        "vendors",
        "top:\n  it:\n  -   limitsKey: 'nvidia.com/a10g'\n      uiName: 'NVIDIA \"A10G\"'\n"
        "  -   limitsKey: 'nvidia.com/a100'\n      uiName: 'no'\n",
    ),
    "quoted keys": (
        'top:\n  it:\n  - "limitsKey": x\n',
        "vendors",
        'top:\n  it:\n  - "limitsKey": nvidia.com/a10g\n    "uiName": \'NVIDIA "A10G"\'\n'
        '  - "limitsKey": nvidia.com/a100\n    "uiName": "no"\n',
    ),
    "quotes elsewhere in the document": (
        "'a': 'b'\ntop:\n  it:\n  - limitsKey: x\n",
        "vendors",
        "'a': 'b'\ntop:\n  it:\n  - limitsKey: nvidia.com/a10g\n    uiName: 'NVIDIA \"A10G\"'\n"
        "  - limitsKey: nvidia.com/a100\n    uiName: 'no'\n",
    ),
    "a mapping, indented as the document is": (
        "top:\n    it:\n        type: x\n    list:\n    - 1\n",
        "schema",
        "top:\n    it:\n        type: string\n        deprecated: true\n        maxLength: 63\n"
        "        description: |-\n            Which GPU.\n\n            - a: b\n        enum:\n"
        "        - nvidia.com/a10g\n    list:\n    - 1\n",
    ),
    "a block literal ends before the blank lines after it": (
        "top:\n  it: |\n    x\n    y\n\n\n  num: 1\n",
        "text",
        "top:\n  it: |\n    One.\n    Two.\n\n\n  num: 1\n",
    ),
    "a sequence whose last item is a block literal": (
        "top:\n  it:\n    - |\n      x\n\n  num: 1\n",
        "enum",
        "top:\n  it:\n    - nvidia.com/a10g\n    - nvidia.com/a100\n\n  num: 1\n",
    ),
    "a scalar keeps its quotes": (
        "top:\n  it: 'x' # y\n",
        "one",
        "top:\n  it: 'nvidia.com/a10g' # y\n",
    ),
    "a number stays one": ("top:\n  it: 1\n", "count", "top:\n  it: 2\n"),
    "an emptied list": ("top:\n  it:\n    - x\n  n: 1\n", "empty", "top:\n  it:\n    []\n  n: 1\n"),
    "an emptied list that was not indented": (
        "top:\n  it:\n  - x\n  n: 1\n",
        "empty",
        "top:\n  it:\n    []\n  n: 1\n",
    ),
    "a list in a list": (
        "- - x\n  - y\n- z\n",
        "enum",
        "- - nvidia.com/a10g\n  - nvidia.com/a100\n- z\n",
    ),
    "the last node of a file without a last line feed": (
        "top:\n  it:\n  - x",
        "enum",
        "top:\n  it:\n  - nvidia.com/a10g\n  - nvidia.com/a100",
    ),
    "CRLF": (
        "top:\r\n  it:\r\n    - x # y\r\n  # z\r\n",
        "enum",
        "top:\r\n  it:\r\n    - nvidia.com/a10g\r\n    - nvidia.com/a100 # y\r\n  # z\r\n",
    ),
}
FLOW = {
    "one line": (
        "top:\n  it: [ x,y ] # z\n",
        "enum",
        "top:\n  it: [ nvidia.com/a10g,nvidia.com/a100 ] # z\n",
    ),
    "one line of mappings": (
        "top: {it: [{limitsKey: 'x', uiName: 'y'}], num: 1}\n",
        "vendors",
        "top: {it: [{limitsKey: 'nvidia.com/a10g', uiName: 'NVIDIA \"A10G\"'}, "
        "{limitsKey: 'nvidia.com/a100', uiName: 'no'}], num: 1}\n",
    ),
    "several lines": (
        "top:\n  it: [\n      x,\n      y,\n  ]\n",
        "enum",
        "top:\n  it: [\n      nvidia.com/a10g,\n      nvidia.com/a100,\n  ]\n",
    ),
    "prettier's several lines": (
        "top:\n  it:\n    [\n      x,\n    ]\n  num: 1\n",
        "vendors",
        "top:\n  it:\n    [\n      { limitsKey: nvidia.com/a10g, uiName: 'NVIDIA \"A10G\"' },\n"
        '      { limitsKey: nvidia.com/a100, uiName: "no" },\n    ]\n  num: 1\n',
    ),
    "emptied": ("top:\n  it: [x]\n", "empty", "top:\n  it: []\n"),
    "nothing in a flow mapping": (
        "top: {it: , num: 1}\n",
        "enum",
        "top: {it: [nvidia.com/a10g, nvidia.com/a100], num: 1}\n",
    ),
}
OPENED = {
    "an empty list": (
        "a:\n- 1\ntop:\n  it:   [] # y\n  num: 1\n",
        "enum",
        "a:\n- 1\ntop:\n  it:\n  - nvidia.com/a10g\n  - nvidia.com/a100 # y\n  num: 1\n",
    ),
    "nothing, with a comment that stays with its key": (
        "top:\n  it: # y\n  num: 1\n",
        "enum",
        "top:\n  it: # y\n    - nvidia.com/a10g\n    - nvidia.com/a100\n  num: 1\n",
    ),
    "blanks behind the comment": (
        "top:\n  it: # y \t\r\n  num: 1\r\n",
        "enum",
        "top:\n  it: # y \t\r\n    - nvidia.com/a10g\r\n    - nvidia.com/a100\r\n  num: 1\r\n",
    ),
    "null": (
        "top:\n  it: null\n",
        "vendors",
        "top:\n  it:\n    - limitsKey: nvidia.com/a10g\n      uiName: 'NVIDIA \"A10G\"'\n"
        '    - limitsKey: nvidia.com/a100\n      uiName: "no"\n',
    ),
    "an empty mapping": (
        "top:\n  it: {}\n",
        "schema",
        "top:\n  it:\n    type: string\n    deprecated: true\n    maxLength: 63\n"
        "    description: |-\n      Which GPU.\n\n      - a: b\n"
        "    enum:\n      - nvidia.com/a10g\n",
    ),
    "nothing becomes a scalar": (
        "top:\n  it:\n  num: 1\n",
        "one",
        "top:\n  it: nvidia.com/a10g\n  num: 1\n",
    ),
    "nothing at the end of the file": (
        "top:\n  it:",
        "enum",
        "top:\n  it:\n    - nvidia.com/a10g\n    - nvidia.com/a100",
    ),
    "an empty list on a line of its own": (
        "top:\n  it:\n    []\n",
        "enum",
        "top:\n  it:\n    - nvidia.com/a10g\n    - nvidia.com/a100\n",
    ),
}
CASES = {**BLOCK, **FLOW, **OPENED}


@pytest.mark.parametrize(("text", "source", "expected"), CASES.values(), ids=CASES)
def test_yaml(text, source, expected):
    at = "/0" if text.startswith("- -") else "/top/it"
    assert put(text, source, at) == expected


@pytest.mark.parametrize(
    ("text", "at"),
    [
        ("- x\n-\n- z\n", "/1"),
        ("- x\n- ~\n- z\n", "/1"),
        ("- x\n- []\n- z\n", "/1"),
        ("- x\n- - y\n- z\n", "/1"),
    ],
    ids=["nothing", "null", "empty", "a list"],
)
def test_items(text, at):
    assert put(text, "enum", at) == "- x\n- - nvidia.com/a10g\n  - nvidia.com/a100\n- z\n"


JSON = {
    "two blanks": (
        '{\n  "n": 1.0e5,\n  "it": [\n    "x"\n  ],\n  "\\u00e9": "\\ud83d\\ude00"\n}\n',
        "enum",
        '{\n  "n": 1.0e5,\n  "it": [\n    "nvidia.com/a10g",\n    "nvidia.com/a100"\n  ],\n'
        '  "\\u00e9": "\\ud83d\\ude00"\n}\n',
    ),
    "tabs": (
        '{\n\t"it": [],\n\t"n": 1\n}',
        "vendors",
        '{\n\t"it": [\n\t\t{\n\t\t\t"limitsKey": "nvidia.com/a10g",\n'
        '\t\t\t"uiName": "NVIDIA \\"A10G\\""\n\t\t},\n'
        '\t\t{\n\t\t\t"limitsKey": "nvidia.com/a100",\n\t\t\t"uiName": "no"\n\t\t}\n\t],\n'
        '\t"n": 1\n}',
    ),
    "one line": (
        '{"it":[],"b":1}',
        "vendors",
        '{"it":[{"limitsKey":"nvidia.com/a10g","uiName":"NVIDIA \\"A10G\\""},'
        '{"limitsKey":"nvidia.com/a100","uiName":"no"}],"b":1}',
    ),
    "lists on one line": (
        '{\n    "it": ["x", "y"],\n    "b": 1\n}\n',
        "enum",
        '{\n    "it": ["nvidia.com/a10g", "nvidia.com/a100"],\n    "b": 1\n}\n',
    ),
    "numbers and booleans stay what they are": (
        '{\n  "it": {}\n}\n',
        "schema",
        '{\n  "it": {\n    "type": "string",\n    "deprecated": true,\n    "maxLength": 63,\n'
        '    "description": "Which GPU.\\n\\n- a: b",\n'
        '    "enum": [\n      "nvidia.com/a10g"\n    ]\n  }\n}\n',
    ),
    "null": ('{"it": 1}\n', "nothing", '{"it": null}\n'),
}


@pytest.mark.parametrize(("text", "source", "expected"), JSON.values(), ids=JSON)
def test_json(text, source, expected):
    assert put(text, source, "/it", "file.json") == expected
    artifact = yaml.safe_load(ARTIFACT)
    assert json.loads(expected) == {**json.loads(text), "it": artifact[source]}


def test_what_says_the_same_is_left_as_it_is():
    """A formatter may wrap, quote and order as it likes, and comments may stand inside."""
    text = (
        "top:\n  it:\n    [\n      # the first\n      {uiName: 'NVIDIA \"A10G\"', limitsKey: "
        '"nvidia.com/a10g"},\n      {limitsKey: nvidia.com/a100, "uiName": \'no\'}\n    ]\n'
    )
    assert put(text, "vendors") == text


@pytest.mark.parametrize("written", ["no", "~", "2"])
def test_a_scalar_that_is_no_text_is_not_the_same(written):
    text = f"it: [{written}]\n"
    artifact = f'it: ["{written}"]\n'
    assert place(text, artifact, at="/it", source_pointer="/it").text != text


@pytest.mark.parametrize(
    ("text", "at", "expected"),
    [
        (
            "a: 1\n---\nit: [x]\n...\n",
            "/it",
            "a: 1\n---\nit: [nvidia.com/a10g, nvidia.com/a100]\n...\n",
        ),
        ('"a/b~c": [x]\n', "/a~1b~0c", '"a/b~c": [nvidia.com/a10g, nvidia.com/a100]\n'),
        ("200: {it: [x]}\n", "/200/it", "200: {it: [nvidia.com/a10g, nvidia.com/a100]}\n"),
        ("? it\n: [x]\n", "/it", "? it\n: [nvidia.com/a10g, nvidia.com/a100]\n"),
        ("<<: *a\nit: [x]\n", "/it", "<<: *a\nit: [nvidia.com/a10g, nvidia.com/a100]\n"),
        ("&k it: [x]\nb: *k\n", "/it", "&k it: [nvidia.com/a10g, nvidia.com/a100]\nb: *k\n"),
    ],
    ids=[
        "in the second document",
        "escapes",
        "a number as a key",
        "an explicit key",
        "beside a merge",
        "an anchor of a key",
    ],
)
def test_ways(text, at, expected):
    assert put(text, "enum", at) == expected


@pytest.mark.parametrize(
    ("text", "at", "expected"),
    [
        (None, "/it", ("GC409", None)),
        ("", "/it", ("GC409", None)),
        ("a: 1\n", "/it", ("GC409", "a: 1")),
        ("it:\n  a: 1\n", "/it/b", ("GC409", "a: 1")),
        ("it: [1]\n", "/it/1", ("GC409", "[1]")),
        ("it: [1]\n", "/it/00", ("GC409", "[1]")),
        ("it: [1]\n", "/it/-", ("GC409", "[1]")),
        ("it: 1\n", "/it/b", ("GC409", "1")),
        ("a: &x [1]\nit: *x\n", "/it", ("GC410", "*x")),
        ("a: &x {b: [1]}\nit: *x\n", "/it/b", ("GC410", "*x")),
        ("it: &x [1]\n", "/it", ("GC410", "&x [1]")),
        ("a: &x\n  it: [1]\n", "/a/it", ("GC410", "&x")),
        ("it: !!seq [1]\n", "/it", ("GC410", "!!seq [1]")),
        ("it: [&x 1]\nb: *x\n", "/it", ("GC410", "&x 1]")),
        ("it: [1]\nb: 2\nit: [3]\n", "/it", ("GC411", "it: [3]")),
        ("a: {it: [1]}\nb: 2\n'a': 3\n", "/a/it", ("GC411", "'a': 3")),
        ("it: [1]\n---\nit: [2]\n", "/it", ("GC413", "[2]")),
        ("it: {a: 1}\n", "/it", ("GC414", "{a: 1}")),
        ("it: x\n", "/it", ("GC414", "x")),
        ("it: [1\nb: 2\n", "/it", ("GC412", ": 2")),
        ("it: [1]\nb: \x01\n", "/it", ("GC412", "\x01")),
        ("it: [1]\na: {% if x %}\n", "/it", ("GC412", "% if x %}")),
    ],
)
def test_refusals(text, at, expected):
    assert refusal(text, ARTIFACT, at=at, source_pointer="/enum") == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ('{"it": [1],}', ("GC412", "}")),
        ('{"it": [1] // ours\n}', ("GC412", "// ours")),
        ('{"it": [1], "it": [2]}', ("GC411", '"it": [2]}')),
        ('{"a": [1]}', ("GC409", '{"a": [1]}')),
        ('{"it": "a\tb"}', ("GC412", '\tb"}')),
        ("[" * 200, ("GC412", "[" * 100)),
    ],
)
def test_json_refusals(text, expected):
    assert refusal(text, ARTIFACT, at="/it", source_pointer="/enum", to="a.json") == expected


def test_a_template_is_reached_by_regions_only():
    assert refusal("it: [1]\n", ARTIFACT, at="/it", source_pointer="/enum", to="a.yaml.j2") == (
        "GC412",
        None,
    )


def test_a_node_that_the_artifact_does_not_have():
    assert refusal("it: [1]\n", ARTIFACT, at="/it", source_pointer="/gone") == ("GC416", None)


def test_a_splice_that_would_change_something_else_is_refused():
    """U+2028 ends a line for YAML 1.1 alone, so the column that an editor sees is another one."""
    text = "top:\u2028  it:\u2028  - x\u2028  num: 1\n"
    assert [*yaml.safe_load(text)["top"]] == ["it", "num"]
    assert refusal(text, ARTIFACT, at="/top/it", source_pointer="/enum")[0] == "GC415"


def test_comments_inside_the_node_are_named():
    text = (
        "top:\n  # before\n  it: # on the key\n"
        "  - x # one\n  # two\n  - 'y # no' # after\n  # behind\n"
    )
    placed = place(text, ARTIFACT, at="/top/it", source_pointer="/enum")
    assert [text[offset:].split("\n", 1)[0] for offset in placed.lost] == ["# one", "# two"]
    text = "top:\n  it: [ # one\n    x, # two\n    # three\n  ] # after\n"
    placed = place(text, ARTIFACT, at="/top/it", source_pointer="/enum")
    assert [text[offset:].split("\n", 1)[0] for offset in placed.lost] == [
        "# one",
        "# two",
        "# three",
    ]
