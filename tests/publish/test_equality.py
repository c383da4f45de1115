"""Two equalities: the same data in any layout, and the same text at any place."""

import pytest

from generator import jsontext
from generator.places.equality import alike, meaning
from generator.yamltext import parse


def node(text):
    return jsontext.parse(text) if text.startswith(("[", "{")) else parse(text)[0]


SAME = [
    ("a: [x, 'z']", 'a:\n- "x"\n-   z # b'),
    ("a: 1\nb: x", "b: x\na: 1"),
    ("a: ~", "a:"),
    ("a: |-\n  x\n  y", 'a: "x\\ny"'),
    ('{"a": ["x", 1, null]}', "a: [x, 1, ~]"),
]
DIFFERENT = [
    ("a: x", "a: y"),
    ("a: x", "b: x"),
    ("a: 'no'", "a: no"),
    ("a: '1'", "a: 1"),
    ("a: ''", "a:"),
    ("a: 1.0", "a: 1"),
    ("a: [x, y]", "a: [y, x]"),
    ("a: [x]", "a: x"),
    ("a: []", "a: {}"),
    ("a: x\na: x", "a: x"),
    ("a: !b x", "a: x"),
    ("a: *x", "a: x"),
    ("a: [[x], y]", "a: [[x, y]]"),
    ("? [a]\n: x", "? [b]\n: x"),
]


@pytest.mark.parametrize(("one", "other"), SAME)
def test_the_same_meaning(one, other):
    assert meaning(node(one)) == meaning(node(other))


@pytest.mark.parametrize(("one", "other"), DIFFERENT)
def test_another_meaning(one, other):
    assert meaning(node(one)) != meaning(node(other))


@pytest.mark.parametrize("text", [text for pair in SAME + DIFFERENT for text in pair])
def test_alike_wherever_it_stands(text):
    moved = f"\n{text}\n" if text.startswith("{") else f"# moved\n\n{text}\n# too"
    assert alike(node(text), node(moved.lstrip("\n")))


@pytest.mark.parametrize(
    ("one", "other"),
    [
        *DIFFERENT,
        ("a: x", "a: 'x'"),
        ("a: [x]", "a:\n- x"),
        ("a: &b x", "a: x"),
        ("a: x\nb: y", "b: y\na: x"),
        ("a: [x, y]", "a: [x]"),
    ],
)
def test_not_alike(one, other):
    assert not alike(node(one), node(other))
