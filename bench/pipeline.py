"""`check` on a clean tree, in units of importing the libraries that it stands on."""

from __future__ import annotations

import subprocess
import sys
from typing import TYPE_CHECKING

from bench.rows import GENERATOR, ROOT, Process, Row

if TYPE_CHECKING:
    from pathlib import Path

ROUNDS = 15
ROWS = (
    Row("check-committed", 1.0, lambda s: s["committed"] / s["imports"]),
    Row("check-1000", 1.2, lambda s: (s["1000"] - s["committed"]) / s["imports"]),
    Row("check-5000", 5.0, lambda s: (s["5000"] - s["1000"]) / (s["1000"] - s["committed"])),
)


def processes(folder: Path) -> dict[str, Process]:
    """`check` on the committed catalog, on a cluster of 1,000 offerings, and on five such."""
    return {
        "imports": Process((sys.executable, "-c", "import yaml, jinja2, jsonschema"), ROOT),
        "committed": Process((*GENERATOR, "check"), ROOT),
        "1000": _check(folder / "1000.yaml", clusters=1),
        "5000": _check(folder / "5000.yaml", clusters=5),
    }


def _check(path: Path, clusters: int) -> Process:
    path.write_text(catalog(clusters), encoding="utf-8")
    shared = "--catalog", str(path), "--out", str(path.with_suffix(""))
    subprocess.run([*GENERATOR, "generate", *shared], cwd=ROOT, check=True, capture_output=True)
    return Process((*GENERATOR, "check", *shared), ROOT)


def catalog(clusters: int, fourfolds: int = 250) -> str:
    """The text of a catalog: on each cluster so many times the four first offerings."""
    every = range(clusters * fourfolds)
    text = ["schema_version: 1\n\nproducts:\n", *map(_PRODUCTS, every)]
    text += ["\nofferings:\n", *map(_OFFERINGS, every), "\nclusters:\n"]
    for cluster in range(clusters):
        own = range(cluster * fourfolds, (cluster + 1) * fourfolds)
        text.append(_CLUSTER(cluster, ", ".join(map(_COMPONENTS, own))))
    return "".join(text)


_PRODUCTS = """\
  a10g-{0}: [NVIDIA A10G {0}]
  a100-{0}: [NVIDIA A100-SXM4-40GB {0}, NVIDIA A100-PCIE-40GB {0}]
""".format
_OFFERINGS = """\
  - component: gpu_a10g_{0}
    name: NVIDIA A10G {0}
    label: nvidia.com/a10g-{0}
    node_selector: {{ accelerator: nvidia-a10g-{0} }}
    device_class:
      products: [a10g-{0}]

  - component: gpu_a100_{0}
    name: NVIDIA A100 {0}
    label: nvidia.com/a100-{0}
    node_selector: {{ accelerator: nvidia-a100-{0} }}
    device_class:
      products: [a100-{0}]

  - component: gpu_a100_{0}_mig_1g_5gb
    name: NVIDIA A100 {0} MIG 1g.5gb
    label: nvidia.com/a100-{0}-mig-1g.5gb
    node_selector: {{ accelerator: nvidia-a100-{0} }}
    mig_profile: 1g.5gb
    device_class:
      products: [a100-{0}]

  - component: gpu_a100_{0}_mig_3g_20gb
    name: NVIDIA A100 {0} MIG 3g.20gb
    label: nvidia.com/a100-{0}-mig-3g.20gb
    node_selector: {{ accelerator: nvidia-a100-{0} }}
    mig_profile: 3g.20gb
    device_class:
      products: [a100-{0}]

""".format
_COMPONENTS = "gpu_a10g_{0}, gpu_a100_{0}, gpu_a100_{0}_mig_1g_5gb, gpu_a100_{0}_mig_3g_20gb".format
_CLUSTER = """\
  - name: cluster-{0}
    kubernetes: "1.36.4"
    namespace: cluster-{0}
    offerings: [{1}]
""".format
