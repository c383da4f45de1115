"""`explain`: everything about one offering, or what a finding's code means."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from generator import pages
from generator.findings import Misused, Outcome, misused
from generator.words import nearest

if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterable

_CODE = re.compile(r"GC[0-9]+", re.IGNORECASE)


def configure(parser: argparse.ArgumentParser) -> None:
    """Add what to explain."""
    parser.add_argument(
        "subject",
        metavar="LABEL_OR_COMPONENT_OR_CODE",
        help="an offering's label, component, quota key or device class, a retired label,"
        " or a code such as GC302",
    )


def run(options: argparse.Namespace) -> Outcome:
    """Explain a code, for which no catalog is needed, or an offering; raises Misused."""
    if _CODE.fullmatch(options.subject):
        return _code(options.subject.upper())
    from generator.explain import explain, known
    from generator.project import open_project

    project = open_project(options.catalog)
    found = explain(project, options.subject)
    if found is None:
        raise _unknown("offering or retired label", options.subject, known(project))
    lines = [line._asdict() for line in found.lines]
    return Outcome(
        output=found.text(str(options.out)),
        facts={"title": found.title, "facts": found.facts, "lines": lines},
    )


def _code(code: str) -> Outcome:
    page = pages.page(code)
    if page is None:
        raise _unknown("code", code, pages.codes())
    return Outcome(output=page.text, facts={"code": code, "page": page.text})


def _unknown(what: str, subject: str, known: Iterable[str]) -> Misused:
    near = nearest(subject, known)
    hint = f"did you mean `{near}`?" if near else ""
    message = f"there is no {what} `{subject}`"
    return misused(message, hint)
