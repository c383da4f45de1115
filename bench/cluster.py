"""`cluster check` on 2,000 nodes with 8 GPUs each, in units of only parsing the slices."""

from __future__ import annotations

import json
import sys
from typing import TYPE_CHECKING, Any

import yaml

from bench.rows import GENERATOR, ROOT, Process, Row
from generator.project import open_project

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from generator.project import Project

ROUNDS = 3
ROWS = (
    Row("cluster-check-json", 3.0, lambda s: s["check-json"] / s["json"]),
    Row("cluster-check-yaml", 2.0, lambda s: s["check-yaml"] / s["yaml"]),
)

NODES = 2_000
GPUS = 8
TENANTS = 500

_CATALOG = """\
schema_version: 1
offerings:
  - component: gpu_a100
    name: NVIDIA A100
    label: nvidia.com/a100
    node_selector: { accelerator: nvidia-a100 }
    device_class:
      product_names: [NVIDIA A100-SXM4-40GB]
clusters:
  - name: large
    kubernetes: "1.36"
    namespace: themelio
"""
_JSON = "import glob, json; [json.load(open(path)) for path in glob.glob('*.json')]"
_YAML = (
    "import glob, yaml; [yaml.load(open(path), yaml.CSafeLoader) for path in glob.glob('*.yaml')]"
)


def processes(folder: Path) -> dict[str, Process]:
    """Parsing the cluster's files, and the check of them, as JSON and as YAML."""
    catalog = folder / "catalog.yaml"
    catalog.write_text(_CATALOG, encoding="utf-8")
    made = {}
    for form, dump in (("json", _json), ("yaml", _yaml)):
        below = folder / form
        below.mkdir()
        for name, document in objects(open_project(catalog), NODES, GPUS).items():
            (below / f"{name}.{form}").write_text(dump(document), encoding="utf-8")
        script = _JSON if form == "json" else _YAML
        made[form] = Process((sys.executable, "-c", script), below)
        command = (*GENERATOR, "cluster", "check", "large")
        options = ("--from", str(below), "--catalog", str(catalog))
        made[f"check-{form}"] = Process((*command, *options), ROOT)
    return made


def _json(document: object) -> str:
    return json.dumps(document, indent=4)  # as kubectl does


def _yaml(document: object) -> str:
    return yaml.dump(document, Dumper=yaml.CSafeDumper)


def objects(project: Project, nodes: int, gpus: int) -> dict[str, dict[str, Any]]:
    """What kubectl prints of a cluster of so many nodes, on which the catalog is rolled out."""
    names = [f"gpu-{number:04}" for number in range(nodes)]
    made = [
        yaml.safe_load(artifact.text)
        for path, (_, artifact) in project.artifacts().items()
        if path.startswith("clusters/large/") and path.endswith(".yaml")
    ]
    return {
        "configmaps": _list(one for one in made if one.get("kind") == "ConfigMap"),
        "deviceclasses": _list(one for one in made if one.get("kind") == "DeviceClass"),
        "resourcequotas": _list(_quota(f"team-{number}") for number in range(TENANTS)),
        "nodes": _list(_node(name) for name in names),
        "resourceslices": _list(_slice(name, gpus) for name in names),
        "version": {"serverVersion": {"gitVersion": "v1.36.4"}},
    }


def _list(items: Iterator[dict[str, Any]]) -> dict[str, Any]:
    return {"apiVersion": "v1", "items": list(items), "kind": "List"}


def _node(name: str) -> dict[str, Any]:
    return {
        "apiVersion": "v1",
        "kind": "Node",
        "metadata": {
            "name": name,
            "labels": {"accelerator": "nvidia-a100", "nvidia.com/dra-kubelet-plugin": "true"},
        },
        "status": {
            "allocatable": {"cpu": "128", "memory": "1Ti", "pods": "110"},
            "nodeInfo": {"kubeletVersion": "v1.36.4"},
        },
    }


def _quota(namespace: str) -> dict[str, Any]:
    return {
        "apiVersion": "v1",
        "kind": "ResourceQuota",
        "metadata": {"name": "gpus", "namespace": namespace},
        "spec": {"hard": {"requests.nvidia.com/a100": "8"}},
    }


def _slice(node: str, gpus: int) -> dict[str, Any]:
    return {
        "apiVersion": "resource.k8s.io/v1",
        "kind": "ResourceSlice",
        "metadata": {"name": f"{node}-gpu.nvidia.com-7kq2x", "generation": 1},
        "spec": {
            "devices": [_device(node, number) for number in range(gpus)],
            "driver": "gpu.nvidia.com",
            "nodeName": node,
            "pool": {"generation": 1, "name": node, "resourceSliceCount": 1},
        },
    }


def _device(node: str, number: int) -> dict[str, Any]:
    return {
        "attributes": {
            "addressingMode": {"string": "None"},
            "architecture": {"string": "Ampere"},
            "brand": {"string": "Nvidia"},
            "cudaComputeCapability": {"version": "8.0.0"},
            "cudaDriverVersion": {"version": "13.0.0"},
            "driverVersion": {"version": "580.126.9"},
            "productName": {"string": "NVIDIA A100-SXM4-40GB"},
            "resource.kubernetes.io/pciBusID": {"string": f"0000:{number:02x}:00.0"},
            "resource.kubernetes.io/pcieRoot": {"string": f"pci0000:{number:02x}"},
            "type": {"string": "gpu"},
            "uuid": {"string": f"GPU-{node}-{number}"},
        },
        "capacity": {"memory": {"value": "40Gi"}},
        "name": f"gpu-{number}",
    }
