"""The page of each catalog code: its wrong example has that code, its right one is a good catalog.

An example holds whole top-level sections, which replace those of a small catalog.
"""

import re
from pathlib import Path

import pytest

from generator.findings import Invalid
from generator.project import open_project

ROOT = Path(__file__).parents[2]
PAGES = sorted((ROOT / "generator/codes").glob("GC[12]*.md"))
SMALL = """\
schema_version: 1
offerings:
  - component: gpu_a10g
    name: NVIDIA A10G
    label: nvidia.com/a10g
    node_selector: { accelerator: nvidia-a10g }
clusters:
  - name: themelio
    kubernetes: "1.36"
    namespace: themelio
"""


def catalog_with(example: str) -> bytes:
    def sections(text: str) -> dict[str, str]:
        parts = re.split(r"(?m)^(?=[a-z_-])", text)
        return {part.partition(":")[0].strip("-\n"): part for part in parts if part}

    return "".join((sections(SMALL) | sections(example)).values()).encode()


def with_many_offerings(data: bytes, count: int) -> bytes:
    offerings = "".join(
        f"  - component: gpu_{n}\n    name: GPU {n}\n    label: nvidia.com/gpu-{n}\n"
        f"    node_selector: {{ accelerator: nvidia-{n} }}\n"
        for n in range(count)
    )
    return data.replace(b"offerings:\n", f"offerings:\n{offerings}".encode(), 1)


def codes(example: str) -> set[str]:
    data = catalog_with(example)
    if "all 2,000 offerings" in example:
        data = with_many_offerings(data, 2_000)
    try:
        project = open_project(
            Path("catalog.yaml"), lambda path: {"catalog.yaml": data}.get(str(path))
        )
        project.artifacts()
        findings = list(project.warnings)
    except Invalid as invalid:
        findings = list(invalid.findings)
    return {finding.code for finding in findings}


@pytest.mark.parametrize("page", PAGES, ids=[page.stem for page in PAGES])
def test_the_examples_are_what_they_claim(page: Path) -> None:
    wrong, right = re.findall(r"```yaml\n(.*?)```", page.read_text(encoding="utf-8"), re.DOTALL)
    assert codes(wrong) == {page.stem}
    assert codes(right) == set()
