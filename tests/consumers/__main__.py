"""`nox -s consumers`: every generated file is fed to the code that really reads it.

It runs on the committed catalog and on `difficult/catalog.yaml`, and then spoils the committed
artifacts in the ways that each row names: a row that stays green on one of them has failed. Words
on the command line choose rows by what their names hold.
"""

from __future__ import annotations

import json
import sys
import tempfile
import traceback
from argparse import Namespace
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from generator.actions import GPU_TYPES
from generator.commands import action
from generator.project import open_project
from tests.consumers.harness import Refused, Row, Sabotage, Tree
from tests.consumers.rows import ROWS
from tests.consumers.toolbox import FOLDER, HERE, ROOT, NotInstalled

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

CATALOGS = {
    "committed": ROOT / "catalog.yaml",
    "difficult": HERE / "difficult" / "catalog.yaml",
}
WORKERS = 2


class Result(NamedTuple):
    """A line of the report."""

    passed: bool
    line: str


def main(words: list[str]) -> int:
    """Run the rows that the words choose, print the report, and return the exit code."""
    rows = [row for row in ROWS if not words or any(word in row.consumer for word in words)]
    FOLDER.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=FOLDER) as folder, ThreadPoolExecutor(WORKERS) as pool:
        trees = {name: _tree(name, path, Path(folder)) for name, path in CATALOGS.items()}
        results = []
        for result in pool.map(lambda job: job(), _jobs(rows, trees)):
            print(result.line, flush=True)
            results.append(result)
    for tree in trees.values() if rows == [*ROWS] else ():
        results.append(_unfed(tree))
        print(results[-1].line)
    passed = sum(result.passed for result in results)
    print(f"{passed} passed, {len(results) - passed} failed")
    return int(passed != len(results) or not results)


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


def _jobs(rows: list[Row], trees: dict[str, Tree]) -> Iterator[Callable[[], Result]]:
    for row in rows:
        for tree in trees.values():
            yield partial(_accepted, row, tree)
        for sabotage in row.sabotages:
            yield partial(_sabotaged, row, trees["committed"], sabotage)


def _accepted(row: Row, tree: Tree) -> Result:
    own = _own(tree, tree.files)
    try:
        answer = row.feed(own)
    except NotInstalled as error:
        return _result(False, row, tree.name, f"NOT RUN: {error}")
    except Refused as error:
        return _result(False, row, tree.name, str(error))
    except Exception as error:  # noqa: BLE001 - a row that breaks is a row that failed
        return _result(False, row, tree.name, _broken(error))
    tree.fed |= own.fed
    fed = f"{len(own.fed)} files" if len(own.fed) > 1 else "".join(own.fed)
    return _result(True, row, tree.name, f"fed {fed}; {answer}; proves: {row.proves}")


def _sabotaged(row: Row, tree: Tree, sabotage: Sabotage) -> Result:
    try:
        row.feed(_own(tree, sabotage.spoil(tree.files)))
    except Refused as error:
        words = " ".join(str(error).split())[:160]
        return _result(True, row, f"sabotaged: {sabotage.name}", f"refused: {words}")
    except NotInstalled as error:
        return _result(False, row, f"sabotaged: {sabotage.name}", f"NOT RUN: {error}")
    except Exception as error:  # noqa: BLE001 - a row that breaks has not refused
        return _result(False, row, f"sabotaged: {sabotage.name}", _broken(error))
    return _result(False, row, f"sabotaged: {sabotage.name}", "was accepted")


def _broken(error: Exception) -> str:
    traceback.print_exception(error)
    return f"broken by {type(error).__name__}, see above"


def _own(tree: Tree, files: dict[str, str]) -> Tree:
    """The tree with a folder of its own, so that rows can run side by side."""
    return Tree(tree.name, tree.catalog, files, Path(tempfile.mkdtemp(dir=tree.folder)))


def _unfed(tree: Tree) -> Result:
    forgotten = sorted(tree.files.keys() - tree.fed)
    if forgotten:
        return Result(False, f"FAILED {tree.name}: fed to no consumer: {', '.join(forgotten)}")
    return Result(True, f"ok     {tree.name}: each of {len(tree.files)} files was fed")


def _result(passed: bool, row: Row, case: str, words: str) -> Result:
    return Result(passed, f"{'ok    ' if passed else 'FAILED'} {row.consumer} [{case}]: {words}")


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
