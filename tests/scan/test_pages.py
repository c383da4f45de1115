"""Every code of scan has a page; its wrong example yields the code, its right one nothing."""

import re
from pathlib import Path

import pytest

import generator.scan.seen
from generator.scan.seen import findings
from tests.scan.retired import seen_in

PAGES = {page.stem: page.read_text() for page in Path("generator/codes").glob("GC7*.md")}
FILES = {"markdown": "labels.md"}


def codes(page: str, heading: str) -> list[str]:
    [(kind, text)] = re.findall(rf"## {heading}\n\n```(\w+)\n(.*?)```", page, re.DOTALL)
    seen = seen_in(FILES.get(kind, f"labels.{kind}"), text)
    return [one.code for one in findings(seen, "")] if seen else []


@pytest.mark.parametrize("code", sorted(PAGES))
def test_examples(code: str) -> None:
    assert codes(PAGES[code], "Wrong") == [code]
    assert codes(PAGES[code], "Right") == []


def test_every_code_has_a_page() -> None:
    source = Path(generator.scan.seen.__file__ or "").read_text()
    assert set(re.findall('"(GC7[0-9]+)"', source)) == PAGES.keys()
