"""Rules across fields, which a schema cannot say: one module a subject, each yielding problems.

A rule sees the model, for what is derived, and the plain content, whose indices are the paths.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from generator.catalog.rules import clusters, consumers, devices, names, nodes, references, waldur

if TYPE_CHECKING:
    from collections.abc import Iterator

    from generator.catalog.assembly import Data
    from generator.catalog.model import Catalog
    from generator.catalog.source import Problem

SUBJECTS = (names, references, devices, clusters, nodes, waldur, consumers)


def problems(catalog: Catalog, content: Data) -> Iterator[Problem]:
    """Everything that is wrong with a catalog of the right shape, and its warnings and notes."""
    for subject in SUBJECTS:
        yield from subject.problems(catalog, content)
