"""`check`: a finding, with its diff, for every generated file that differs from the catalog."""

from __future__ import annotations

from typing import TYPE_CHECKING

from generator import files, gaps, tree
from generator.findings import Outcome
from generator.project import open_project

if TYPE_CHECKING:
    import argparse
    from collections.abc import Sequence

    from generator.findings import Finding


def configure(_parser: argparse.ArgumentParser) -> None:
    """Add nothing: the shared options are all there is."""


def run(options: argparse.Namespace) -> Outcome:
    """Compare every file with what the catalog makes; writes nothing."""
    project = open_project(options.catalog)
    artifacts = project.artifacts()
    with files.unchanging(options.out):
        plan = tree.plan(artifacts, files.read_tree(options.out))
    found = _found(plan, str(options.out))
    drifted = sum(finding.severity == "error" for finding in found)
    count = len(plan.wanted.keys() | {drift.path for drift in plan.drifts})
    state = f"{drifted} of {count} files have drifted from" if drifted else f"{count} files match"
    return Outcome(
        findings=[*found, *project.warnings, *gaps.warnings(project)],
        message=f"{options.out}: {state} {options.catalog}",
        facts={"files": count, "drifted": drifted},
    )


def _found(plan: tree.Plan, out: str) -> Sequence[Finding]:
    if not plan.drifts:
        return ()
    from generator import drift  # brings the printing of findings, which a clean tree does not need

    return drift.found(plan, out)
