"""Every place where a label does its work, in every kind of file, encoding and line ending."""

import codecs
from pathlib import Path

import pytest
import yaml

from generator.scan import fixing
from generator.scan.seen import findings
from tests.scan.retired import A10G, A100, MIG, seen_in

TYPO = "nvidiax.com/gpu"


CASES = yaml.safe_load((Path(__file__).parent / "places.yaml").read_text())
ENCODINGS = {
    "LF": lambda text: text.encode(),
    "CRLF": lambda text: text.replace("\n", "\r\n").encode(),
    "BOM": lambda text: codecs.BOM_UTF8 + text.encode(),
    "UTF-16": lambda text: text.encode("utf-16"),
    "UTF-16 BE": lambda text: codecs.BOM_UTF16_BE + text.encode("utf-16-be"),
    "Latin-1": lambda text: text.encode() + b"\n# \xe4\xff",
}


@pytest.mark.parametrize("encoding", ENCODINGS)
@pytest.mark.parametrize("case", CASES, ids=lambda case: case["id"])
def test_a_place_is_an_error_that_is_fixed_alone(case: dict[str, str], encoding: str) -> None:
    encode = ENCODINGS[encoding]
    text = case["text"].replace("^", "")
    seen = seen_in(case["file"], encode(text))
    assert seen
    assert seen.text

    [finding] = findings(seen, "")
    before = case["text"][: case["text"].index("^")]
    assert (finding.code, finding.severity) == ("GC701", "error")
    assert finding.line == before.count("\n") + 1
    assert finding.column == len(before) - before.rfind("\n")
    assert finding.message.endswith(f"stands in {case['place']}" + _owner(text))
    assert finding.hint.endswith(A10G)
    assert seen.text.encode(fixing.fixed(seen)) == encode(text.replace(TYPO, A10G))


@pytest.mark.parametrize("key", [f"limits.{TYPO}", TYPO])
def test_a_quota_key_that_counts_nothing_is_left_to_people(key: str) -> None:
    data = f"spec: {{hard: {{{key}: 4}}}}\n".encode()
    seen = seen_in("quota.yaml", data)
    assert seen
    assert seen.text
    [finding] = findings(seen, "")
    assert (finding.code, finding.severity) == ("GC702", "error")
    assert finding.message.endswith("stands in a quota key that counts nothing")
    assert finding.hint == f"write requests.{A10G}"
    assert seen.text.encode(fixing.fixed(seen)) == data


def _owner(text: str) -> str:
    kinds = ("ResourceQuota", "ConfigMap", "Pod")
    return next((f" of {kind}" for kind in kinds if f"kind: {kind}" in text), "")


@pytest.mark.parametrize(
    ("name", "text", "choices"),
    [
        ("a.ts", 'const A = {\n  gpu_a100: "nvidia.com/gpu",\n};\n', (A100,)),
        ("a.ts", "const A = { 'gpu_a10g': 'nvidia.com/gpu' };\n", (A10G,)),
        ("a.py", 'gpu_a10g = "nvidia.com/gpu"\n', (A10G,)),
        ("a.yaml.j2", "component_quota_mapping:\n  gpu_a100: requests.nvidia.com/gpu\n", (A100,)),
        ("a.ts", 'const A = { gpu_mig: "nvidia.com/gpu" };\n', (A10G, A100, MIG)),
        ("a.ts", 'const A = { gpu_a100: "nvidiax.com/gpu" };\n', (A10G, A100)),
        ("a.ts", 'const A = { gpu_a10g: "nvidiax.com/gpu" };\n', (A10G,)),
        ("a.yaml", "component_quota_mapping: {gpu_a100: requests.nvidiax.com/gpu}\n", (A10G, A100)),
        ("a.yaml", "gpu_a100:\n  type: gpu\n  k8s_resource: nvidiax.com/gpu\n", (A10G, A100)),
        ("a.yaml", "gpu_a100:\n  type: gpu\n  k8s_resource: nvidia.com/gpu\n", (A100,)),
        ("a.ts", 'const A = { gpu_a100: "nvidia.com/v100" };\n', ()),
        ("a.ts", 'const A = { my_gpu: "nvidia.com/gpu" };\n', (A10G, A100)),
        ("a.ts", 'const A = ["nvidia.com/gpu"];\n', (A10G, A100)),
        ("a.ts", 'const A = "nvidia.com/v100";\n', ()),
    ],
)
def test_a_component_tells_which_label_is_meant(
    name: str, text: str, choices: tuple[str, ...]
) -> None:
    seen = seen_in(name, text)
    assert seen
    [sighting] = seen.sightings
    prefix = "requests." if "requests." in text else ""
    assert sighting.hit.choices == tuple(prefix + choice for choice in choices)
    assert [one.code for one in findings(seen, "")] == ["GC701" if len(choices) == 1 else "GC702"]
