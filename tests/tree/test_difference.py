"""Diffs: as `diff -u` writes them, and bounded."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from generator import difference

ONE = b"a\nb\nc\nd\ne\nf\ng\nh\ni\n"


def test_form():
    assert difference.unified("f.yaml", ONE, ONE.replace(b"e", b"E")) == (
        "--- f.yaml\tas it is\n"
        "+++ f.yaml\tas it should be\n"
        "@@ -2,7 +2,7 @@\n"
        " b\n"
        " c\n"
        " d\n"
        "-e\n"
        "+E\n"
        " f\n"
        " g\n"
        " h\n"
    )


def test_two_places():
    wanted = b"A\n" + ONE[2:] + b"j\n"
    hunks = difference.unified("f", ONE, wanted).split("@@")[1::2]
    assert hunks == [" -1,4 +1,4 ", " -7,3 +7,4 "]


@pytest.mark.parametrize(
    ("found", "wanted", "rest"),
    [
        (b"a\n", b"a", "@@ -1 +1 @@\n-a\n+a\n\\ No newline at end of file\n"),
        (b"a", b"a\n", "@@ -1 +1 @@\n-a\n\\ No newline at end of file\n+a\n"),
        (b"", b"a\n", "@@ -0,0 +1 @@\n+a\n"),
        (b"a\n", b"", "@@ -1 +0,0 @@\n-a\n"),
        (b"\xff\n", b"a\n", "@@ -1 +1 @@\n-\\xff\n+a\n"),
        (b"a\n\n\n", b"a\n\n", "@@ -1,3 +1,2 @@\n a\n \n-\n"),
        (b"x" * 600 + b"\n", b"a\n", f"@@ -1 +1 @@\n-{'x' * 500}...\n+a\n"),
    ],
)
def test_edges(found, wanted, rest):
    assert difference.unified("f", found, wanted).split("\n", 2)[2] == rest


@pytest.mark.parametrize(
    ("found", "wanted", "line"),
    [
        (b"a\nb\nc\n", b"a\nB\nc\n", 2),
        (b"", b"a\n", 1),
        (b"a\n", b"a\nb\n", 1),
        (b"a\nb\n", b"a\n", 2),
        (b"a\nb", b"a\nb\n", 2),
    ],
)
def test_first_line_is_one_that_the_file_has(found, wanted, line):
    assert difference.first_line(found, wanted) == line


def test_bounded():
    found = "".join(f"old {number}\n" for number in range(20_000)).encode()
    wanted = "".join(f"new {number}\n" for number in range(30_000)).encode()
    diff = difference.unified("f", found, wanted)
    assert diff.count("\n") == 1004
    assert diff.endswith("+new 499\n... and further differences after these 500 lines\n")


def test_a_small_change_in_a_large_file_is_shown_whole():
    found = "".join(f"line {number}\n" for number in range(30_000)).encode()
    diff = difference.unified("f", found, found.replace(b"line 20000\n", b"other\n"))
    assert diff.split("\n", 2)[2].startswith("@@ -19998,7 +19998,7 @@\n line 19997\n")
    assert "... and" not in diff


TEXTS = st.lists(st.sampled_from(["a", "b", "c", "", "d e"]), max_size=12).map(
    lambda lines: "".join(f"{line}\n" for line in lines).encode()
)


def applied(diff, found):
    """What `patch` would make of the found text."""
    lines, result, taken = found.decode().splitlines(), [], 0
    for line in diff.splitlines()[2:]:
        if line.startswith("@@"):
            start, _, count = line.split()[1].removeprefix("-").partition(",")
            first = int(start) - (count != "0")
            result += lines[taken:first]
            taken = first
        elif line.startswith("+"):
            result.append(line[1:])
        else:
            assert lines[taken] == line[1:]
            result += [line[1:]] if line.startswith(" ") else []
            taken += 1
    return "".join(f"{line}\n" for line in result + lines[taken:]).encode()


@given(TEXTS, TEXTS)
def test_a_diff_leads_from_the_found_to_the_wanted_text(found, wanted):
    assert applied(difference.unified("f", found, wanted), found) == wanted
