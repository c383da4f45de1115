"""What a bench module says: the processes that it times, and the promises about them.

Every module of this package that has `ROWS` is a bench. It adds

    ROUNDS = 15                     # how often each process runs
    ROWS = (Row("name", 1.0, lambda seconds: seconds["ours"] / seconds["theirs"]),)

    def processes(folder: Path) -> dict[str, Process]:
        ...                         # writes its input below the empty folder

Ratios only: seconds are the machine's, ratios are ours.
"""

from __future__ import annotations

import importlib
import pkgutil
import sys
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple, Protocol, cast

import bench

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

ROOT = Path(__file__).parent.parent
"""The folder in which `GENERATOR`, and the committed catalog, are found."""
GENERATOR = (sys.executable, "-m", "generator")
"""The command line without the console script, which need not be installed."""


class Process(NamedTuple):
    """One process to time, and the exit code without which its time means nothing."""

    arguments: Sequence[str]
    folder: Path
    exit_code: int = 0


class Row(NamedTuple):
    """One promise: what is measured from the medians, in seconds, stays at or below the limit."""

    name: str
    limit: float
    measured: Callable[[Mapping[str, float]], float]


class Bench(Protocol):
    """A module of this package."""

    ROUNDS: int
    ROWS: Sequence[Row]

    def processes(self, folder: Path) -> Mapping[str, Process]:
        """Write the input below the empty folder and name the processes to time."""


def benches() -> Iterator[Bench]:
    """Every bench of the package, in the order of their modules' names."""
    for found in pkgutil.iter_modules(bench.__path__):
        if found.name != "__main__":
            module = importlib.import_module(f"bench.{found.name}")
            if hasattr(module, "ROWS"):
                yield cast("Bench", module)
