"""A healthy cluster as kubectl shows it, to be changed by a test: real devices, composed nodes."""

import copy
import functools
import json
from pathlib import Path

import yaml

from generator import cli
from generator.cluster.cel import Cel
from generator.cluster.checking import check
from generator.cluster.dumps import RESOURCES, read_dump
from generator.cluster.snapshot import snapshot
from generator.project import open_project

FIXTURES = Path(__file__).parents[1] / "fixtures"

CATALOG = """\
schema_version: 1

products:
  a10g: [NVIDIA A10G]
  a100-40gb: [NVIDIA A100-SXM4-40GB, NVIDIA A100-PCIE-40GB]

offerings:
  - component: gpu_a10g
    name: NVIDIA A10G
    label: nvidia.com/a10g
    node_selector: { accelerator: nvidia-a10g }
    device_class:
      products: [a10g]
  - component: gpu_a100
    name: NVIDIA A100
    label: nvidia.com/a100
    node_selector: { accelerator: nvidia-a100 }
    device_class:
      products: [a100-40gb]
  - component: gpu_a100_mig_1g_5gb
    name: NVIDIA A100 MIG 1g.5gb
    label: nvidia.com/a100-mig-1g.5gb
    node_selector: { accelerator: nvidia-a100 }
    mig_profile: 1g.5gb
    device_class:
      products: [a100-40gb]
  - component: gpu_a100_mig_3g_20gb
    name: NVIDIA A100 MIG 3g.20gb
    label: nvidia.com/a100-mig-3g.20gb
    node_selector: { accelerator: nvidia-a100 }
    mig_profile: 3g.20gb
    device_class:
      products: [a100-40gb]

retired_labels:
  - label: nvidia.com/gpu
    reason: generic
    replaced_by: [nvidia.com/a10g, nvidia.com/a100]
  - label: nvidiax.com/gpu
    reason: typo
    replaced_by: [nvidia.com/a10g]

clusters:
  - name: themelio
    kubernetes: "1.36.4"
    kube_context: themelio
    namespace: themelio
"""

LABELS = ("a10g", "a100", "a100-mig-1g.5gb", "a100-mig-3g.20gb")
NODES = {
    "gpu-a10g-01": "nvidia-a10g",
    "gpu-a100-01": "nvidia-a100",
    "gpu-a100-mig-01": "nvidia-a100",
}
DRIVER_CLASSES = ("gpu.nvidia.com", "mig.nvidia.com", "vfio.gpu.nvidia.com")


@functools.cache
def _fixture(name):
    return yaml.load((FIXTURES / "dra" / f"{name}.yaml").read_bytes(), yaml.CSafeLoader)["items"]


def fixture(name):
    return copy.deepcopy(_fixture(name))


@functools.cache
def project(catalog=CATALOG, evidence=None):
    """A project of the catalog's text, and of its evidence file's."""
    files = {"catalog.yaml": catalog.encode(), "evidence/themelio.yaml": evidence}
    return open_project(Path("catalog.yaml"), lambda path: files.get(path.as_posix()))


def generated(catalog, kind):
    """The objects of a kind that a catalog's text makes, as they come back from the API server."""
    return [one for one in copy.deepcopy(_generated(catalog)) if one.get("kind") == kind]


@functools.cache
def _generated(catalog):
    documents = (
        yaml.safe_load(one.text)
        for path, (_, one) in project(catalog).artifacts().items()
        if path.endswith(".yaml") and "/rollout/" not in path
    )
    return [one for one in documents if isinstance(one, dict)]


class Live:
    """The objects of a cluster by resource, plain and open to change."""

    def __init__(self, catalog=CATALOG, version="v1.36.4"):
        classes = generated(catalog, "DeviceClass")
        for one in classes:
            one["metadata"]["creationTimestamp"] = "2026-07-03T08:00:00Z"
        self.version = {
            "clientVersion": {"gitVersion": "v1.36.0"},
            "serverVersion": {"gitVersion": version},
        }
        self.nodes = [node(name, version, accelerator=value) for name, value in NODES.items()]
        self.nodes.append(node("cpu-01", version, allocatable={"cpu": "64"}))
        self.resourceslices = [
            *fixture("resourceslice-a10g-2x"),
            *fixture("resourceslice-a100-sxm4-40gb-8x"),
            *fixture("resourceslice-a100-mig-static"),
        ]
        self.deviceclasses = [*fixture("deviceclass-default-chart"), *classes]
        self.resourcequotas = [quota("team-a"), quota("team-b")]
        self.configmaps = generated(catalog, "ConfigMap")
        self.namespaces = [
            {"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": name}}
            for name in ("kube-system", "team-a", "team-b")
        ]

    def node(self, name):
        return named(self.nodes, name)

    def device_class(self, name):
        return named(self.deviceclasses, name)

    def slice(self, node, driver="gpu.nvidia.com"):
        """The spec of a node's slice."""
        [found] = [
            one["spec"]
            for one in self.resourceslices
            if one["spec"]["nodeName"] == node and one["spec"]["driver"] == driver
        ]
        return found

    def devices(self, node):
        return self.slice(node)["devices"]

    def quota(self, namespace):
        [found] = [one for one in self.resourcequotas if one["metadata"]["namespace"] == namespace]
        return found["spec"]["hard"]

    def printed(self):
        """What kubectl prints, by resource."""
        lists = {name: as_list(items) for name, items in vars(self).items() if name != "version"}
        return lists | {"version": self.version}

    def write(self, folder, form=json.dumps, suffix="json"):
        folder.mkdir(parents=True, exist_ok=True)
        for name, document in self.printed().items():
            if document is not None:
                (folder / f"{name}.{suffix}").write_text(form(document), encoding="utf-8")
        return folder

    def checked(self, catalog=CATALOG, evidence=None):
        """The outcome of `cluster check` on these objects."""
        opened = project(catalog, evidence)
        dumps = {
            name: read_dump(RESOURCES[name], name, json.dumps(document).encode())
            for name, document in self.printed().items()
            if document is not None
        }
        return check(opened, opened.catalog.clusters[0], snapshot(dumps), cel())


cel = functools.cache(Cel)


def as_list(items):
    if items is None:
        return None
    return {"apiVersion": "v1", "items": items, "kind": "List", "metadata": {"resourceVersion": ""}}


def named(items, name):
    [found] = [one for one in items if one["metadata"]["name"] == name]
    return found


def node(name, version="v1.36.4", accelerator=None, allocatable=None):
    labels = {"kubernetes.io/hostname": name}
    if accelerator:
        labels |= {"accelerator": accelerator, "nvidia.com/dra-kubelet-plugin": "true"}
    return {
        "apiVersion": "v1",
        "kind": "Node",
        "metadata": {"name": name, "labels": labels},
        "spec": {},
        "status": {
            "allocatable": allocatable or {"cpu": "64", "memory": "500Gi", "pods": "110"},
            "nodeInfo": {"kubeletVersion": version},
        },
    }


def quota(namespace, labels=LABELS):
    hard = {f"requests.nvidia.com/{label}": "8" for label in labels} | {"requests.cpu": "64"}
    hard["requests.nvidia.com/gpu"] = "0"
    for name in DRIVER_CLASSES:
        hard[f"requests.deviceclass.resource.kubernetes.io/{name}"] = "0"
        hard[f"{name}.deviceclass.resource.k8s.io/devices"] = "0"
    return {
        "apiVersion": "v1",
        "kind": "ResourceQuota",
        "metadata": {"name": "gpus", "namespace": namespace},
        "spec": {"hard": hard},
    }


def device_class(
    name,
    label=None,
    expression="device.driver == 'gpu.nvidia.com'",
    created="2026-07-02T09:00:00Z",
    ours=False,
):
    spec = {"selectors": [{"cel": {"expression": expression}}]}
    if label:
        spec["extendedResourceName"] = label
    labels = {"app.kubernetes.io/managed-by": "gpu-catalog"} if ours else {}
    return {
        "apiVersion": "resource.k8s.io/v1",
        "kind": "DeviceClass",
        "metadata": {"name": name, "labels": labels, "creationTimestamp": created},
        "spec": spec,
    }


def slice_of(node, devices, driver="gpu.nvidia.com", pool=None, generation=1, slices=1, name=None):
    return {
        "apiVersion": "resource.k8s.io/v1",
        "kind": "ResourceSlice",
        "metadata": {"name": name or f"{node}-{driver}-x"},
        "spec": {
            "driver": driver,
            "nodeName": node,
            "pool": {"name": pool or node, "generation": generation, "resourceSliceCount": slices},
            "devices": copy.deepcopy(devices),
        },
    }


def codes(checked):
    return sorted({fault.problem.code for fault in checked.faults})


def ready(checked):
    """The labels that are ready, without their domain."""
    return [
        offering.label.partition("/")[2]
        for offering in checked.case.cluster.offerings
        if not checked.reasons(offering)
    ]


def run(*words):
    """Exit code, stdout and stderr of a command line."""
    return cli.run([str(word) for word in words])
