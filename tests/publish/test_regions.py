"""Regions: the lines between the markers, wherever those stand."""

import pytest

from tests.publish.world import place, refusal

ARTIFACT = """\
# Generated
top:
  # BEGIN gpu-catalog labels
  a: 1

  b:
    - 2
  # END gpu-catalog labels
  # BEGIN gpu-catalog empty
  # END gpu-catalog empty
"""


def put(text, region="labels", marker=None):
    return place(text, ARTIFACT, region=region, marker=marker or region).text


def refused(text, region="labels", marker=None):
    return refusal(text, ARTIFACT, region=region, marker=marker or region)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param(
            "x\n# BEGIN gpu-catalog labels\nold\n# END gpu-catalog labels\ny\n",
            "x\n# BEGIN gpu-catalog labels\na: 1\n\nb:\n  - 2\n# END gpu-catalog labels\ny\n",
            id="replaced, indented as the marker is",
        ),
        pytest.param(
            "x:\n    # BEGIN gpu-catalog labels\n    # END gpu-catalog labels",
            "x:\n    # BEGIN gpu-catalog labels\n    a: 1\n\n    b:\n      - 2\n"
            "    # END gpu-catalog labels",
            id="filled, deeper, at the end of a file without a last line feed",
        ),
        pytest.param(
            "\t// BEGIN gpu-catalog labels\n\t// END gpu-catalog labels\n",
            "\t// BEGIN gpu-catalog labels\n\ta: 1\n\n\tb:\n\t  - 2\n\t// END gpu-catalog labels\n",
            id="tabs before the marker",
        ),
        pytest.param(
            "x\n{# BEGIN gpu-catalog labels #}\r\n{# END gpu-catalog labels #}\r\n{{ y }}\n",
            "x\n{# BEGIN gpu-catalog labels #}\r\na: 1\r\n\r\nb:\r\n  - 2\r\n"
            "{# END gpu-catalog labels #}\r\n{{ y }}\n",
            id="CRLF where the marker has it, other lines as they are",
        ),
        pytest.param(
            "- one:\n\n  ```yaml\n  # BEGIN gpu-catalog labels\n"
            "  # END gpu-catalog labels\n  ```\n",
            "- one:\n\n  ```yaml\n  # BEGIN gpu-catalog labels\n  a: 1\n\n  b:\n    - 2\n"
            "  # END gpu-catalog labels\n  ```\n",
            id="inside a fenced example",
        ),
    ],
)
def test_the_region_is_filled(text, expected):
    assert put(text) == expected
    assert put(expected) == expected


@pytest.mark.parametrize(
    "syntax",
    [
        "# {}",
        "// {} do not edit",
        "/* {} */",
        " * {}",
        "<!-- {} -->",
        "<!--{}-->",
        "-- {}",
        "; {}",
        "{{# {} #}}",
        "{{{{/* {} */}}}}",
        "[//]: # ({})",
        ".. {}",
        "%% {}",
        "REM {}",
        "dnl {}",
        "{}",
    ],
)
def test_any_comment_syntax(syntax):
    begin, end = (syntax.format(f"{word} gpu-catalog labels") for word in ("BEGIN", "END"))
    text = f"x\n{begin}\n{end}\ny\n"
    indent = " " if syntax.startswith(" ") else ""
    lines = f"{indent}a: 1\n\n{indent}b:\n{indent}  - 2\n"
    assert put(text) == f"x\n{begin}\n{lines}{end}\ny\n"


def test_the_consumer_may_have_other_marker_names():
    text = "# BEGIN gpu-catalog ours\n# END gpu-catalog ours\n"
    filled = "# BEGIN gpu-catalog ours\na: 1\n\nb:\n  - 2\n# END gpu-catalog ours\n"
    assert put(text, marker="ours") == filled


def test_other_regions_stay_as_they_are():
    others = "# BEGIN gpu-catalog first\n1\n# END gpu-catalog first\n"
    text = f"{others}# BEGIN gpu-catalog labels\n# END gpu-catalog labels\n# BEGIN gpu-catalog x\n"
    assert put(text).startswith(others)
    assert put(text).endswith("# BEGIN gpu-catalog x\n")


def test_an_empty_region_of_the_artifact_empties_the_place():
    text = "# BEGIN gpu-catalog empty\nold\n# END gpu-catalog empty\n"
    assert put(text, "empty") == "# BEGIN gpu-catalog empty\n# END gpu-catalog empty\n"


def test_what_the_marker_of_the_consumer_adds_does_not_count():
    """The record's content is the artifact's, however deep and with whatever line endings."""
    flat = place(
        put("# BEGIN gpu-catalog labels\n# END gpu-catalog labels\n"),
        ARTIFACT,
        region="labels",
        marker="labels",
    )
    deep = place(
        put("\t# BEGIN gpu-catalog labels\r\n\t# END gpu-catalog labels\r\n"),
        ARTIFACT,
        region="labels",
        marker="labels",
    )
    assert flat.found == deep.found == flat.wanted == "a: 1\n\nb:\n  - 2\n"


BEGIN, END = "# BEGIN gpu-catalog labels", "# END gpu-catalog labels"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param(None, ("GC406", None), id="no file"),
        pytest.param("x\n", ("GC406", None), id="no markers"),
        pytest.param(f"x\n{BEGIN}\n", ("GC406", BEGIN[2:]), id="no END"),
        pytest.param(f"x\n{END}\n", ("GC406", END[2:]), id="no BEGIN"),
        pytest.param(f"{BEGIN}-2\n{END}-2\n", ("GC406", None), id="only a longer name"),
        pytest.param(f"{BEGIN}_2\n{END}_2\n", ("GC406", None), id="only a name of another form"),
        pytest.param(f"{BEGIN}-A\n{END}-A\n", ("GC406", None), id="only a name with a capital"),
        pytest.param(
            f"{BEGIN}\n{END}\n  {BEGIN} again\n{END}\n",
            ("GC407", f"{BEGIN[2:]} again"),
            id="doubled",
        ),
        pytest.param(f"{BEGIN}\n{END}\n{END}\n", ("GC407", END[2:]), id="END twice"),
        pytest.param(f"{END}\n{BEGIN}\n", ("GC408", END[2:]), id="END first"),
        pytest.param(
            f"{BEGIN}\n# BEGIN gpu-catalog x\n# END gpu-catalog x\n{END}\n",
            ("GC408", "BEGIN gpu-catalog x"),
            id="another region inside",
        ),
        pytest.param(
            f"# BEGIN gpu-catalog x\n{BEGIN}\n{END}\n# END gpu-catalog x\n",
            ("GC408", "BEGIN gpu-catalog x"),
            id="inside another region",
        ),
        pytest.param(
            f"# BEGIN gpu-catalog x\n{BEGIN}\n# END gpu-catalog x\n{END}\n",
            ("GC408", "END gpu-catalog x"),
            id="crossed",
        ),
        pytest.param(
            f"{BEGIN}\n# BEGIN gpu-catalog x\n{END}\n# END gpu-catalog x\n",
            ("GC408", "BEGIN gpu-catalog x"),
            id="crossed the other way",
        ),
        pytest.param(
            "<!-- BEGIN gpu-catalog labels --><!-- END gpu-catalog labels -->\n",
            ("GC408", "BEGIN gpu-catalog labels --><!-- END gpu-catalog labels -->"),
            id="on one line",
        ),
        pytest.param(
            "Write `BEGIN gpu-catalog labels` above,\nand `END gpu-catalog labels` below.\n",
            ("GC408", "BEGIN gpu-catalog labels` above,"),
            id="a page that talks about markers",
        ),
        pytest.param(
            f"{BEGIN}\nand END gpu-catalog labels.\n",
            ("GC408", "END gpu-catalog labels."),
            id="an END in a sentence",
        ),
        pytest.param(
            f"Markers such as `{BEGIN[2:]}` help:\n\n{BEGIN}\n{END}\n",
            ("GC407", BEGIN[2:]),
            id="a page that talks about markers and has them",
        ),
    ],
)
def test_refusals(text, expected):
    assert refused(text) == expected


def test_a_region_that_the_artifact_does_not_have():
    assert refused(f"{BEGIN}\n{END}\n", region="nothing", marker="labels") == ("GC416", None)


def test_generated_text_that_holds_markers_is_refused():
    artifact = "# BEGIN gpu-catalog a\n# BEGIN gpu-catalog b\n# END gpu-catalog a\n"
    text = "# BEGIN gpu-catalog b\n# END gpu-catalog b\n"
    assert refusal(text, artifact, region="a", marker="b") == ("GC416", None)
