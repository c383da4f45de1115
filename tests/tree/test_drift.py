"""Drift in words: a code, a severity, a place and a remedy for each kind."""

import pytest

from generator import drift, tree
from generator.targets import Artifact
from generator.tree import MANIFEST, Drift, Plan

MADE = {"a.yaml": ("target", Artifact("a.yaml", "1\n2\n3\n"))}
WANTED = {"a.yaml": b"1\n2\n3\n", MANIFEST: b"{}\n"}


def plan(kind, path="a.yaml", found=b"1\ntwo\n3\n"):
    return Plan([Drift(kind, path)], WANTED, {"a.yaml": found, path: found})


@pytest.mark.parametrize("kind", drift.FOUND)
def test_every_kind_has_its_own_code(kind):
    finding, *others = drift.found(plan(kind, found=b"{"), "generated")
    assert others == []
    assert finding.path == "generated/a.yaml"
    assert finding.message
    assert finding.hint
    assert [words.code for words in drift.FOUND.values()].count(finding.code) == 1


def test_what_differs_is_shown():
    (finding,) = drift.found(plan("edited"), "out")
    assert (finding.line, finding.column) == (2, None)
    assert finding.excerpt == (
        "--- out/a.yaml\tas it is\n"
        "+++ out/a.yaml\tas it should be\n"
        "@@ -1,3 +1,3 @@\n"
        " 1\n"
        "-two\n"
        "+2\n"
        " 3\n"
    )


def test_line_endings_are_no_part_of_the_diff():
    (finding,) = drift.found(plan("outdated", found=b"1\r\ntwo\r\n3\r\n"), "out")
    assert "\r" not in finding.excerpt


@pytest.mark.parametrize("kind", ["missing", "stale", "line endings", "foreign", "edited stale"])
def test_what_has_no_other_side_is_told_in_words(kind):
    (finding,) = drift.found(plan(kind), "out")
    assert (finding.line, finding.excerpt) == (None, "")


def test_the_manifests_fault_has_its_place():
    found = b'{\n  "a": {},\n<<<<<<< HEAD\n'
    (finding,) = drift.found(plan("unreadable", MANIFEST, found), "out")
    assert (finding.line, finding.column) == (3, 1)
    assert finding.message == "cannot be read: holds conflict markers"
    assert finding.excerpt == "  <<<<<<< HEAD\n  ^"


def test_what_can_be_read_is_no_fault():
    with pytest.raises(AssertionError, match="the plan says"):
        drift.found(plan("unreadable", MANIFEST, b"{}"), "out")


def told(tell, *kinds):
    found = dict.fromkeys(kinds, b"")
    drifts = [Drift(kind, kind) for kind in kinds]
    findings = tell(Plan(drifts, dict.fromkeys(kinds, b"x\n"), found | {"unreadable": b"{"}), "o")
    return {finding.path.removeprefix("o/"): finding.severity for finding in findings}


ALL = tuple(drift.FOUND)


def test_check_tells_everything():
    severities = told(drift.found, *ALL)
    assert severities == dict.fromkeys(ALL, "error") | {
        "foreign": "warning",
        "left behind": "warning",
    }


def test_generate_tells_what_it_does_not_mend_or_has_overwritten():
    assert told(drift.done, *ALL) == {
        "edited": "warning",
        "foreign": "warning",
        "edited stale": "error",
        "unreadable": "note",
    }


def test_fail_on_change_tells_every_change():
    severities = told(drift.changed, *ALL)
    assert severities == {kind: "error" for kind in ALL if kind != "left behind"} | {
        "foreign": "warning"
    }


@pytest.mark.parametrize(
    ("others", "is_told"),
    [(["missing"], False), (["stale"], False), (["foreign"], True), ([], True)],
)
def test_the_manifest_is_told_when_nothing_else_explains_it(others, is_told):
    drifts = [*(Drift(kind, "a.yaml") for kind in others), Drift("outdated", MANIFEST)]
    findings = drift.found(Plan(drifts, WANTED, {MANIFEST: b"{}", "a.yaml": b""}), "out")
    assert any(finding.path == f"out/{MANIFEST}" for finding in findings) is is_told


def test_a_plan_is_told_as_it_is_made():
    found = {"a.yaml": b"1\n2\n", MANIFEST: tree.manifest({})}
    (finding,) = drift.found(tree.plan(MADE, found), "generated")
    assert (finding.code, finding.path, finding.line) == ("GC303", "generated/a.yaml", 2)
