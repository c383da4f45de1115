"""`scan` of a large tree, against the plainest search for the same labels."""

from __future__ import annotations

import random
import shutil
from typing import TYPE_CHECKING

from bench.rows import GENERATOR, ROOT, Process, Row

if TYPE_CHECKING:
    from pathlib import Path

ROUNDS = 7
ROWS = (Row("scan-50000", 2.0, lambda s: s["scan"] / s["grep"]),)

FILES, BYTES, ONE_IN = 50_000, 10_000, 100

_LABELS = ("nvidia.com/gpu", "nvidia.com/mig-1g.5gb", "nvidia.com/mig-3g.20gb", "nvidiax.com/gpu")
_HITS = {
    "py": 'GPU = "nvidia.com/gpu"',
    "ts": '  gpu_a10g: "nvidiax.com/gpu",',
    "go": 'const gpu = "nvidia.com/mig-1g.5gb"',
    "yaml": "gpuLabel: nvidiax.com/gpu",
    "md": "Ask for `nvidia.com/gpu`.",
    "json": '  "limits": {"nvidia.com/mig-3g.20gb": 1}',
}
_WORDS = (
    "apiVersion kind metadata name spec containers image resources limits cpu memory nvidia const"
    " export function return import from class def self value nodes label namespace the of and"
)


def processes(folder: Path) -> dict[str, Process]:
    """`scan` and `grep` over 500 MB in 50,000 files, one of a hundred with a retired label."""
    _write(folder / "tree")
    patterns = (word for label in _LABELS for word in ("-e", label))
    grep = shutil.which("grep") or "grep"
    to_file = f'"{grep}" "$@" > "{folder}/grep.txt"'  # to /dev/null, grep stops at the first
    return {
        "scan": Process((*GENERATOR, "scan", str(folder / "tree")), ROOT, exit_code=1),
        "grep": Process(("sh", "-c", to_file, "grep", "-rIn", "-F", *patterns, "tree"), folder),
    }


def _write(tree: Path) -> None:
    choose = random.Random(1)  # noqa: S311 - the same tree every time
    texts = [_text(choose) for _ in range(50)]
    kinds = tuple(_HITS)
    for number in range(FILES):
        kind = kinds[(number + number // ONE_IN) % len(kinds)]
        lines = choose.choice(texts)
        if number % ONE_IN == 0:
            middle = len(lines) // 2
            lines = [*lines[:middle], _HITS[kind], *lines[middle:]]
        path = tree / str(number // 1000) / str(number // 100) / f"{number}.{kind}"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("\n".join(lines) + "\n", encoding="utf-8")


def _text(choose: random.Random) -> list[str]:
    words = _WORDS.split()
    lines: list[str] = []
    while sum(map(len, lines)) + len(lines) < BYTES:
        row = " ".join(choose.choices(words, k=choose.randint(2, 9)))
        lines.append("  " * choose.randint(0, 3) + row + choose.choice(("", ":", ";", " {")))
    return lines
