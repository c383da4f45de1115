"""No fix gives a mapping a key twice; keys of other mappings keep none from being fixed."""

from pathlib import Path

import pytest

from generator.scan import fixing
from generator.scan.seen import findings
from tests.scan.retired import A10G, seen_in
from tests.scan.running import run_scan, write

TYPO = "nvidiax.com/gpu"


def case(name: str, text: str, *, id: str) -> object:  # noqa: A002
    """OLD and NEW in the text are the retired label and its replacement."""
    return pytest.param(name, text.replace("OLD", TYPO).replace("NEW", A10G), id=id)


@pytest.mark.parametrize(
    ("name", "text"),
    [
        case("a.yaml", "hard: {requests.NEW: 8, requests.OLD: 2}\n", id="flow"),
        case("a.yaml", "hard: {requests.OLD: 2, b: {c: [1]}, requests.NEW: 8}\n", id="first"),
        case("a.yaml", "hard:\n  requests.NEW: 8\n\n# x\n  requests.OLD: 2\n", id="block"),
        case("a.yaml", "a:\n- limits:\n    'NEW': 8\n    'OLD': 2\n", id="quoted"),
        case("a.yaml", "limits:\n  - NEW: 8\n    OLD: 2\n", id="a list"),
        case("a.yaml", "gpu_labels:\n  NEW:\n    a: {b: c}\n  OLD:\n    a: b\n", id="labels"),
        case("a.yaml", "data:\n  a: |\n    gpu_labels:\n      OLD: {}\n      NEW: {}\n", id="text"),
        case("a.json", '{"a": "limits:\\n  NEW: 1\\n  OLD: 2\\n"}', id="text in JSON"),
        case("a.json", '{"limits": {\n  "NEW": 1,\n"OLD": 2}}', id="JSON, not indented"),
        case("a.tpl", "limits:\n{{- if a }}\n  OLD: 1\n{{- else }}\n  NEW: 1\n", id="a template"),
        case("a.md", "```yaml\nlimits: {NEW: 1, OLD: 2}\n```\n", id="an example"),
        case("a.ts", 'const a = { "NEW": 1, "OLD": 2 };', id="TypeScript"),
        case("a.ts", "const a = {\n  ['OLD']: '}', // it's\n  ['NEW']: 2,\n};", id="computed"),
        case("a.ts", 'type A = { "OLD": number; "NEW": number };', id="a type"),
        case("a.py", 'a["OLD"] = 1\na["NEW"] = 2\n', id="assigned"),
        case("a.go", 'x := map[string]int{\n\t"OLD": 1,\n\t"b": 2,\n\t"NEW": 3,\n}', id="Go"),
        case("a.go", 'switch x {\ncase "OLD":\n\treturn 1\ncase "NEW":\n\treturn 2\n}', id="cases"),
    ],
)
def test_a_key_that_is_there_already_is_merged_by_hand(name: str, text: str) -> None:
    seen = seen_in(name, text)
    assert seen
    [finding] = findings(seen, "")
    written = f"requests.{A10G}" if "requests" in text else A10G
    assert (finding.code, finding.severity) == ("GC702", "error")
    assert finding.hint == f"{written} would be a key twice in this mapping: merge the two by hand"
    assert seen.sure == []


def test_two_labels_with_one_heir_are_both_left(catalog: Path, tree: Path) -> None:
    both = "nvidia.com/old, reason: renamed, replaced_by: [nvidia.com/a10g]"
    retired = "retired_labels:\n"
    catalog.write_text(catalog.read_text().replace(retired, f"{retired}  - {{label: {both}}}\n"))
    text = "limits: {nvidia.com/old: 1, nvidiax.com/gpu: 2}\n"
    write(tree, {"a.yaml": f"{text}requests: {{nvidiax.com/gpu: 2}}\n"})
    outcome = run_scan(catalog, tree, "--fix")
    assert [(one.code, one.line) for one in outcome.findings] == [("GC702", 1), ("GC702", 1)]
    assert (tree / "a.yaml").read_text() == f"{text}requests: {{nvidia.com/a10g: 2}}\n"


@pytest.mark.parametrize(
    ("name", "text"),
    [
        case("a.yaml", "limits: {NEW: 8}\nrequests: {OLD: 2}\n", id="flow"),
        case("a.yaml", "limits:\n  NEW: 8\nrequests:\n  OLD: 2\n", id="block"),
        case("a.yaml", "a:\n- limits:\n    OLD: 8\n- limits:\n    NEW: 8\n", id="a list"),
        case("a.yaml", "NEW:\n  limits:\n    OLD: 1\n", id="below the same key"),
        case("a.yaml", "limits:\n  # NEW: 8\n  OLD: 2 # NEW: 8\n", id="a comment"),
        case("a.yaml", "limits: {OLD: 1, NEW-b: 1, b.NEW: 1}\n", id="longer names"),
        case("a.json", '{"a": "limits:\\n  NEW: 1\\nrequests:\\n  OLD: 2\\n"}', id="text in JSON"),
        case("a.ts", 'const a = { l: { "NEW": 1 }, r: { "OLD": 2 } };', id="TypeScript"),
        case("a.ts", 'const a = {\n  // "NEW": 1,\n  "OLD": 2,\n};', id="a comment in TypeScript"),
        case("a.ts", 'const a = { b: "OLD", c: "NEW" };', id="values"),
        case("a.py", 'a["OLD"] = 1\nlimits["NEW"] = 2\n', id="assigned to another"),
    ],
)
def test_a_key_of_another_mapping_keeps_none_from_being_fixed(name: str, text: str) -> None:
    seen = seen_in(name, text)
    assert seen
    assert fixing.kept_back(seen) == ""
    assert fixing.fixed(seen) == text.replace(TYPO, A10G)


def test_what_brackets_and_indentation_do_not_tell_is_parsed(catalog: Path, tree: Path) -> None:
    text = '{"limits": {\n    "nvidia.com/a10g":\n  1,\n "nvidiax.com/gpu": 2}}'
    write(tree, {"a.json": text})
    [finding] = run_scan(catalog, tree, "--fix").findings
    reason = "a mapping would have one of its keys twice, so merge the two by hand"
    assert finding.hint == f"write nvidia.com/a10g; --fix leaves it: {reason}"
    assert (tree / "a.json").read_text() == text
