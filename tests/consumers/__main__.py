"""`nox -s consumers`: every generated file is fed to the code that really reads it.

It runs on the committed catalog and on `difficult/catalog.yaml`, and then spoils the committed
artifacts in the ways that each row names: a row that stays green on one of them has failed. Words
on the command line choose rows by what their names hold.
"""

from __future__ import annotations

import itertools
import json
import sys
import tempfile
import traceback
from argparse import Namespace
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from typing import NamedTuple

from generator.actions import GPU_TYPES
from generator.commands import action
from generator.project import open_project
from tests.consumers.harness import Refused, Row, Sabotage, Tree
from tests.consumers.rows import ROWS
from tests.consumers.toolbox import FOLDER, HERE, ROOT, NotInstalled

CATALOGS = {
    "committed": ROOT / "catalog.yaml",
    "difficult": HERE / "difficult" / "catalog.yaml",
}
WORKERS = 2


class Line(NamedTuple):
    """A line of the report."""

    passed: bool
    words: str


def main(words: list[str]) -> int:
    """Run the rows that the words choose, print the report, and return the exit code."""
    rows = [row for row in ROWS if not words or any(word in row.consumer for word in words)]
    FOLDER.mkdir(parents=True, exist_ok=True)
    results = []
    with tempfile.TemporaryDirectory(dir=FOLDER) as folder, ThreadPoolExecutor(WORKERS) as pool:
        trees = [_tree(name, path, Path(folder)) for name, path in CATALOGS.items()]
        for line in itertools.chain.from_iterable(pool.map(partial(_all_of, trees), rows)):
            print(f"{'ok    ' if line.passed else 'FAILED'} {line.words}", flush=True)
            results.append(line.passed)
        if not words:
            for line in map(_unfed, trees):
                print(f"{'ok    ' if line.passed else 'FAILED'} {line.words}")
                results.append(line.passed)
    passed = sum(results)
    print(f"{passed} passed, {len(results) - passed} failed")
    return int(not results or passed != len(results))


def _all_of(trees: list[Tree], row: Row) -> list[Line]:
    """Feed a row with every catalog's artifacts, and then with spoilt ones."""
    lines = [_accepted(row, tree) for tree in trees]
    if lines[0].passed:
        return lines + [_sabotaged(row, trees[0], sabotage) for sabotage in row.sabotages]
    words = f"{len(row.sabotages)} cases not tried, because the row is not green"
    return [*lines, _line(False, row, "sabotaged", words)]


def _tree(name: str, path: Path, folder: Path) -> Tree:
    """Every artifact of a catalog, and the workloads that `action --render` makes of its labels."""
    project = open_project(path)
    files = {path: artifact.text for path, (_, artifact) in project.artifacts().items()}
    for cluster in project.catalog.clusters:
        wanted = folder / f"{name}-{cluster.name}.yaml"
        labels = [offering.label for offering in cluster.offerings]
        listed = [
            {"type": kind, "options": {"gpus": 2, "gpuLabel": label}}
            for kind in GPU_TYPES
            for label in labels
        ]
        wanted.write_text(json.dumps({"actions": listed}))
        options = Namespace(catalog=path, files=[wanted], cluster=cluster.name, render=True)
        files[f"actions/{cluster.name}.yaml"] = action.run(options).output
    return Tree(name, project.catalog, files, folder)


def _accepted(row: Row, tree: Tree) -> Line:
    own = _own(tree, tree.files)
    try:
        answer = row.feed(own)
    except Exception as error:  # noqa: BLE001 - a row that breaks is a row that failed
        return _line(False, row, tree.name, _failure(error))
    tree.fed |= own.fed
    fed = f"{len(own.fed)} files" if len(own.fed) > 1 else "".join(own.fed)
    return _line(True, row, tree.name, f"fed {fed}; {answer}; proves: {row.proves}")


def _sabotaged(row: Row, tree: Tree, sabotage: Sabotage) -> Line:
    case = f"sabotaged: {sabotage.name}"
    try:
        row.feed(_own(tree, sabotage.spoil(tree.files)))
    except Refused as error:
        return _line(True, row, case, f"refused: {_short(str(error), 160)}")
    except Exception as error:  # noqa: BLE001 - a row that breaks has not refused
        return _line(False, row, case, _failure(error))
    return _line(False, row, case, "was accepted")


def _failure(error: Exception) -> str:
    if isinstance(error, NotInstalled):
        return f"NOT RUN: {_short(str(error), 800)}"
    if isinstance(error, Refused):
        return f"refused: {_short(str(error), 2000)}"
    traceback.print_exception(error)
    return f"broken by {type(error).__name__}: {_short(str(error), 800)}"


def _short(text: str, limit: int) -> str:
    """The text on one line, without its middle where it is too long."""
    line = " ".join(text.split())
    return line if len(line) <= limit else f"{line[: limit // 2]} ... {line[-limit // 2 :]}"


def _own(tree: Tree, files: dict[str, str]) -> Tree:
    """The tree with a folder of its own, so that rows can run side by side."""
    return Tree(tree.name, tree.catalog, files, Path(tempfile.mkdtemp(dir=tree.folder)))


def _unfed(tree: Tree) -> Line:
    forgotten = sorted(tree.files.keys() - tree.fed)
    if forgotten:
        return Line(False, f"{tree.name}: fed to no consumer: {', '.join(forgotten)}")
    return Line(True, f"{tree.name}: each of {len(tree.files)} files was fed to a consumer")


def _line(passed: bool, row: Row, case: str, words: str) -> Line:
    return Line(passed, f"{row.consumer} [{case}]: {words}")


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
