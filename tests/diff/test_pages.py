"""Every code of diff has a page, whose examples are top-level keys of a changed catalog.

The catalog before is the one below; the wrong change yields the code, the right one does not.
"""

import re
from pathlib import Path

import pytest
import yaml

from generator.diff.comparing import compare
from generator.diff.meaning import changes
from tests.diff.projects import project, side_of

BEFORE = yaml.safe_load("""\
schema_version: 1
offerings:
  - component: gpu_a10g
    name: NVIDIA A10G
    label: nvidia.com/a10g
    node_selector: {accelerator: nvidia-a10g}
    device_class: {product_names: [NVIDIA A10G]}
clusters:
  - {name: themelio, kubernetes: "1.36", namespace: themelio}
""")
PAGES = {page.stem: page.read_text() for page in Path("generator/codes").glob("GC8*.md")}


def codes(page: str, heading: str) -> set[str]:
    [example] = re.findall(rf"## {heading}\n\n```yaml\n(.*?)```", page, re.DOTALL)
    after = {**BEFORE, **yaml.safe_load(example)}
    old, new = (side_of(project(yaml.safe_dump(each))) for each in (BEFORE, after))
    return {change.code for _, change in changes(compare(old, new), old, new)}


@pytest.mark.parametrize("code", sorted(PAGES))
def test_examples(code: str) -> None:
    assert code in codes(PAGES[code], "Wrong")
    assert code not in codes(PAGES[code], "Right")


def test_every_code_has_a_page() -> None:
    source = "".join(path.read_text() for path in Path("generator/diff").glob("*.py"))
    assert set(re.findall('"(GC8[0-9]+)"', source)) == PAGES.keys()
