"""`check` on a clean tree, in units of importing the libraries that it stands on."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from bench.rows import Process, Row

ROUNDS = 15
ROWS = (
    Row("check-committed", 1.0, lambda s: s["committed"] / s["imports"]),
    Row("check-1000", 1.2, lambda s: (s["1000"] - s["committed"]) / s["imports"]),
    Row("check-5000", 5.0, lambda s: (s["5000"] - s["1000"]) / (s["1000"] - s["committed"])),
)

ROOT = Path(__file__).parent.parent
_GENERATOR = (sys.executable, "-m", "generator")


def processes(folder: Path) -> dict[str, Process]:
    """`check` on the committed catalog, on a cluster of 1,000 offerings, and on five such."""
    return {
        "imports": Process((sys.executable, "-c", "import yaml, jinja2, jsonschema"), ROOT),
        "committed": Process((*_GENERATOR, "check"), ROOT),
        "1000": _check(folder / "1000.yaml", clusters=1),
        "5000": _check(folder / "5000.yaml", clusters=5),
    }


def _check(path: Path, clusters: int) -> Process:
    path.write_text(catalog(clusters, offerings=1000), encoding="utf-8")
    shared = "--catalog", str(path), "--out", str(path.with_suffix(""))
    subprocess.run([*_GENERATOR, "generate", *shared], cwd=ROOT, check=True, capture_output=True)
    return Process((*_GENERATOR, "check", *shared), ROOT)


def catalog(clusters: int, offerings: int) -> str:
    """The text of a catalog with this many clusters, and this many offerings on each alone."""
    return "".join(
        (
            "schema_version: 1\n\nofferings:\n",
            *(_OFFERING.format(number=number) for number in range(clusters * offerings)),
            "\nclusters:\n",
            *(
                _CLUSTER.format(
                    number=cluster,
                    offerings=", ".join(
                        f"gpu_model_{number}"
                        for number in range(cluster * offerings, (cluster + 1) * offerings)
                    ),
                )
                for cluster in range(clusters)
            ),
            "\nwaldur: {measured_unit: GPU, accounting_type: limit}\n",
        )
    )


_OFFERING = """\
  - component: gpu_model_{number}
    name: NVIDIA Model {number} 40GB
    label: nvidia.com/model-{number}
    node_selector: {{accelerator: nvidia-model-{number}}}
    device_class:
      product_names: [NVIDIA Model-{number}-SXM4-40GB, NVIDIA Model-{number}-PCIE-40GB]
    waldur: {{article_code: G-{number}}}
"""
_CLUSTER = """\
  - name: cluster-{number}
    kubernetes: "1.36.4"
    namespace: cluster-{number}
    offerings: [{offerings}]
"""
