"""Time the benches' processes, interleaved, and hold their medians against the limits."""

from __future__ import annotations

import argparse
import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING

from bench.rows import benches

if TYPE_CHECKING:
    from collections.abc import Mapping

    from bench.rows import Bench, Process, Row


def main() -> int:
    """Print a line for each row; 1 when a limit is broken."""
    known = {row.name for bench in benches() for row in bench.ROWS}
    parser = argparse.ArgumentParser(prog="python -m bench", description=__doc__)
    parser.add_argument("rows", nargs="*", metavar="ROW", help=f"of {', '.join(sorted(known))}")
    wanted = set(parser.parse_args().rows) or known
    if wanted - known:
        parser.error(f"no such row: {', '.join(sorted(wanted - known))}")
    print(f"{'row':<32}{'measured':>10}{'limit':>10}  ok")
    kept = [
        _judge(row, seconds)
        for bench in benches()
        if (rows := [row for row in bench.ROWS if row.name in wanted])
        for seconds in [_medians(bench)]
        for row in rows
    ]
    return 0 if all(kept) else 1


def _judge(row: Row, seconds: Mapping[str, float]) -> bool:
    measured = row.measured(seconds)
    kept = measured <= row.limit
    words = ", ".join(f"{name} {1000 * median:.0f} ms" for name, median in seconds.items())
    print(f"{row.name:<32}{measured:>10.2f}{row.limit:>10.2f}  {'yes' if kept else 'NO'}   {words}")
    return kept


def _medians(bench: Bench) -> dict[str, float]:
    with tempfile.TemporaryDirectory(prefix="gpu-catalog-bench-") as folder:
        processes = bench.processes(Path(folder))
        for process in processes.values():
            _seconds(process)  # warms the file cache and Python's compiled modules
        taken: dict[str, list[float]] = {name: [] for name in processes}
        for _ in range(bench.ROUNDS):
            for name, process in processes.items():
                taken[name].append(_seconds(process))
    return {name: statistics.median(seconds) for name, seconds in taken.items()}


def _seconds(process: Process) -> float:
    environment = {
        name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"
    }
    started = time.perf_counter()
    done = subprocess.run(
        process.arguments,
        cwd=process.folder,
        env=environment,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        check=False,
    )
    seconds = time.perf_counter() - started
    if done.returncode != process.exit_code:
        words = done.stderr.decode("utf-8", "replace")
        sys.exit(f"{' '.join(process.arguments)}\nexits {done.returncode}\n{words}")
    return seconds


if __name__ == "__main__":
    sys.exit(main())
