"""`generate`: write every file that differs from the catalog, and delete stale ones."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

from generator import drift, files, gaps, tree
from generator.findings import Outcome, misused
from generator.project import open_project

if TYPE_CHECKING:
    import argparse


def configure(parser: argparse.ArgumentParser) -> None:
    """Add `--fail-on-change`."""
    parser.add_argument(
        "--fail-on-change",
        action="store_true",
        help="exit 1 when a file had to be written or deleted, as a pre-commit hook should",
    )


def run(options: argparse.Namespace) -> Outcome:
    """Make the tree what the catalog says, all or nothing; keeps what is somebody's work."""
    out = options.out
    _refuse_to_hold(options.catalog, out)
    with files.locked(out):  # before the catalog is read: of two runs, the last one read it last
        project = open_project(options.catalog)
        plan = tree.plan(project.artifacts(), files.read_tree(out))
        writes, deletes = plan.writes, plan.deletes
        if options.fail_on_change:
            told = [*drift.changed(plan, str(out)), *drift.untracked(plan, str(out), _tracked(out))]
        else:
            told = drift.done(plan, str(out))
        files.replace_all(out, writes, deletes, last=tree.MANIFEST)
    return Outcome(
        findings=[*told, *project.warnings, *gaps.warnings(project)],
        message=_summary(out, len(writes), len(deletes), len(plan.wanted)),
        output="".join(
            [f"wrote {out}/{path}\n" for path in sorted(writes)]
            + [f"deleted {out}/{path}\n" for path in sorted(deletes)]
        ),
        facts={"files": len(plan.wanted), "written": sorted(writes), "deleted": sorted(deletes)},
    )


def _refuse_to_hold(catalog: Path, out: Path) -> None:
    """A folder that holds the catalog is a mistake: everything else in it would be foreign."""
    held, holder = (Path(os.path.realpath(path)) for path in (catalog, out))
    if holder in held.parents:
        message, hint = f"--out {out} holds the catalog itself", "name a folder of its own"
        raise misused(message, hint)


def _tracked(out: Path) -> set[str] | None:
    """The files below the folder that git knows of; None outside a checkout."""
    if files.git_root(out.absolute()) is None:
        return None
    return {os.fsdecode(name) for name in files.ask_git(out, "ls-files", "-z").split(b"\0")}


def _summary(out: Path, written: int, deleted: int, count: int) -> str:
    if not written and not deleted:
        return f"{out}: {count} files, nothing to do"
    return f"{out}: {written} of {count} files written, {deleted} deleted"
