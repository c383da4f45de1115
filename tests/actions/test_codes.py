"""Every code of action files has a page; its wrong example yields the code, its right one none."""

import re
from pathlib import Path

import pytest

import generator.action_file
import generator.actions
import generator.commands.action
from generator.action_file import check_file
from tests.actions.labels import LABELS

PAGES = {page.stem: page.read_text() for page in Path("generator/codes").glob("GC6*.md")}


def example(code: str, heading: str) -> str:
    [text] = re.findall(rf"## {heading}\n\n```yaml\n(.*?)```", PAGES[code], re.DOTALL)
    return text


@pytest.mark.parametrize("code", sorted(PAGES.keys() - {"GC612"}))
def test_examples(code: str) -> None:
    wrong = check_file("job.yaml", example(code, "Wrong").encode(), LABELS).findings
    right = check_file("job.yaml", example(code, "Right").encode(), LABELS).findings
    assert code in [finding.code for finding in wrong]
    assert right == []


def test_every_code_has_a_page() -> None:
    modules = (generator.action_file, generator.actions, generator.commands.action)
    sources = [Path(module.__file__ or "").read_text() for module in modules]
    assert set(re.findall('"(GC6[0-9]+)"', "".join(sources))) == PAGES.keys()
