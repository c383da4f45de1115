"""The catalogs that every target is tested with: written ones, and ones of any legal text."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from hypothesis import strategies as st

from generator.project import Project, open_project

GOLDEN = Path(__file__).parent.parent / "golden"
CASES = sorted(path.parent.name for path in GOLDEN.glob("*/catalog.yaml"))

HAZARDS = [
    *("no", "on", "y", "N", "null", "~", "true", "1e3", "012", "0x1F", "12:30", "1_000", "0o14"),
    *(".inf", "=", "<<", "2026-01-01", "-", "- a", "a: b", "a #b", "# a", "!x", "&a", "*a", "%a"),
    *("'", '"', "'\"", "\\", "\\n", "|", "||", "`", "``", "`a|b`", "*/", "-->", "${a}", "{a}"),
    *("<b>x</b>", "<!-- a", "&amp;", "&#35;", "[a](b)", "![a](b)", "**a**", "_a_", "a_b", "~~a~~"),
    *("1. a", "+ a", "> a", "https://example.org/a?b&c", "www.example.org", "a@example.org"),
    *(
        "ü",
        "ß",
        "İı",
        "最高",
        "ｱ",
        "🚀",
        "👩‍🚀",
        "e\u0301",
        "\u200b",
        "\u00ad",
        "\u3000",
        "a\u3000b",
    ),
    *("  a", "a  ", "a  b", "\\|", "$a$", ":rocket:"),
]
LABEL_VALUES = ["", "no", "on", "y", "null", "true", "1e3", "012", "0x1F", "1_000", "a", "A.b-c_d"]
LABEL_KEYS = [value for value in LABEL_VALUES if value] + ["example.org/no", "1e3.org/012"]

# What the catalog refuses is left out: controls, separators, and what Ansible would run.
_characters = st.characters(
    exclude_categories=("Cc", "Cs", "Zl", "Zp"), exclude_characters="\ufeff\ufffe\uffff"
)


def legal(limit: int) -> st.SearchStrategy[str]:
    """Any text that the catalog takes, of at most so many characters."""
    hazard = st.lists(st.sampled_from(HAZARDS), min_size=1, max_size=4).map("".join)
    free = st.text(_characters, min_size=1, max_size=limit)
    return st.one_of(hazard, free).filter(
        lambda text: len(text) <= limit and not any(f"{{{c}" in text for c in "{%#")
    )


@st.composite
def offerings(draw: st.DrawFn, number: int) -> dict[str, Any]:
    profile = draw(st.sampled_from([None, None, "1g.5gb", "1g.10gb+me", "1c.2g.20gb"]))
    suffix = f"-mig-{profile.replace('+', '.')}" if profile else ""
    domain = draw(st.sampled_from(["nvidia.com", "1e3", "on.example.org", "a" * 150 + ".b"]))
    offering = {
        "component": f"gpu_{number}" + "_" * draw(st.sampled_from([0, 0, 0, 40])),
        "name": draw(legal(150).filter(str.strip)),
        "label": f"{domain}/x{number}{suffix}",
        "node_selector": draw(
            st.dictionaries(
                st.sampled_from(LABEL_KEYS), st.sampled_from(LABEL_VALUES), min_size=1, max_size=3
            )
        ),
        "notebooks": draw(st.booleans()),
        "waldur": {
            "article_code": draw(legal(30)),
            "description": draw(legal(500)),
            "measured_unit": draw(legal(30)),
            "limit": draw(st.sampled_from([0, 1, 10**17, 0.001, 2.5, 12345678.9])),
            "is_prepaid": draw(st.booleans()),
        },
    }
    if profile:
        offering["mig_profile"] = profile
    if draw(st.booleans()):
        names = draw(st.lists(legal(40), min_size=1, max_size=3, unique=True))
        products = [f"{number} {name}" for name in names]  # no two classes take one product
        offering["device_class"] = {"name": f"class-{number}", "product_names": products}
    elif draw(st.booleans()):
        lines = draw(st.lists(legal(40) | st.just(""), min_size=1, max_size=4))
        cel = f"device.driver == 'gpu.nvidia.com' && {number}" + "\n".join(lines)
        offering["device_class"] = {"name": f"class-{number}", "cel": cel}
    if draw(st.booleans()):
        offering["deprecated"] = {"note": draw(legal(500))}
        if draw(st.booleans()):
            del offering["component"], offering["notebooks"]
    return offering


@st.composite
def catalogs(draw: st.DrawFn) -> bytes:
    """A catalog's file; JSON is YAML, too."""
    count = draw(st.integers(1, 3))
    listed = [draw(offerings(number)) for number in range(count)]
    for one in listed:
        if "deprecated" in one and draw(st.booleans()):
            others = [other["label"] for other in listed if "deprecated" not in other]
            if others:
                one["deprecated"]["replaced_by"] = others
    keys = [one.get("component", one["label"]) for one in listed]
    clusters = [
        {
            "name": name,
            "kubernetes": "1.36",
            "namespace": name,
            "offerings": draw(st.lists(st.sampled_from(keys), min_size=1, unique=True)),
        }
        for name in draw(st.sampled_from([["a"], ["null", "007"]]))
    ]
    retired = [{"label": "nvidiax.com/1e3", "reason": "withdrawn"}] * draw(st.integers(0, 1))
    content = {
        "schema_version": 1,
        "offerings": listed,
        "retired_labels": retired,
        "clusters": clusters,
    }
    return json.dumps(content, ensure_ascii=False).encode()


def project(case: str) -> Project:
    """One of the written catalogs, with its evidence."""
    return open_project(GOLDEN / case / "catalog.yaml")


def opened(catalog: bytes) -> Project:
    """A catalog that is on no disk, and without evidence."""
    path = Path("catalog.yaml")
    return open_project(path, lambda asked: catalog if asked == path else None)
