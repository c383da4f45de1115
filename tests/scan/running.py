"""Running `scan` on folders, as the command line does."""

import subprocess
from pathlib import Path

from generator import cli
from generator.commands import scan
from generator.findings import Outcome

CATALOG = """\
schema_version: 1
offerings:
  - component: gpu_a10g
    name: NVIDIA A10G
    label: nvidia.com/a10g
    node_selector: {accelerator: nvidia-a10g}
  - component: gpu_a100
    name: NVIDIA A100
    label: nvidia.com/a100
    node_selector: {accelerator: nvidia-a100}
retired_labels:
  - {label: nvidia.com/gpu, reason: generic, replaced_by: [nvidia.com/a10g, nvidia.com/a100]}
  - {label: nvidiax.com/gpu, reason: typo, replaced_by: [nvidia.com/a10g]}
clusters:
  - {name: themelio, kubernetes: "1.36", namespace: themelio}
waldur: {measured_unit: GPU, accounting_type: limit}
"""
SURE = "gpuLabel: nvidiax.com/gpu\n"
FIXED = "gpuLabel: nvidia.com/a10g\n"


def run_scan(catalog: Path, *words: str | Path) -> Outcome:
    """The outcome of `scan WORDS ...`; paths stay as they are given."""
    arguments = ["scan", "--catalog", str(catalog), *map(str, words)]
    return scan.run(cli._parser("scan").parse_args(arguments))


def found(outcome: Outcome, root: Path) -> list[tuple[str, str]]:
    """Path below the root, and code, of each finding."""
    return [
        (Path(one.path).relative_to(root).as_posix(), one.code)
        for one in outcome.findings
        if one.path
    ]


def write(root: Path, files: dict[str, str]) -> None:
    for name, text in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)


def git(folder: Path, *arguments: str) -> None:
    name = ("-c", "user.name=A", "-c", "user.email=a@b.c", "-c", "protocol.file.allow=always")
    subprocess.run(["git", "-C", folder, *name, *arguments], check=True, capture_output=True)
