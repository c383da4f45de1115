"""What Kubernetes and k8s-root-actor read: the ConfigMap and the DeviceClasses."""

from __future__ import annotations

import subprocess
from typing import TYPE_CHECKING, Any

import yaml

from generator.actions import Refused as UnfitDocument
from generator.actions import read_gpu_labels
from generator.kubernetes import DRIVER
from tests.consumers import toolbox
from tests.consumers.harness import Refused, Row, Sabotage, Tree, equal

if TYPE_CHECKING:
    from generator.catalog.model import Catalog, Offering

VERSIONS = ("1.34", "1.35", "1.36", "1.37")
"""Every version that the catalog allows and the validator knows."""


def validate(tree: Tree, objects: dict[str, Any]) -> str:
    """Hold objects against the schemas of all versions; raises Refused."""
    asked = {"objects": objects, "versions": VERSIONS}
    refused = toolbox.drive("kubernetes-validate", "manifests.py", asked, tree.folder)
    for name, words in refused.items():
        raise Refused(f"{name}: {words}")
    version = toolbox.version("kubernetes-validate", "kubernetes-validate")
    return f"kubernetes-validate {version} takes {len(objects)} objects on {', '.join(VERSIONS)}"


def feed_config_maps(tree: Tree) -> str:
    """The document must be readable as k8s-root-actor reads it, from its environment."""
    objects = {c.name: yaml.safe_load(text) for c, text in tree.by_cluster("configmap.yaml")}
    valid = validate(tree, objects)
    for cluster in tree.catalog.clusters:
        data = objects[cluster.name]
        equal("the ConfigMap", data["metadata"]["name"], cluster.config_map_name)
        equal("the keys of the ConfigMap", [*data["data"]], [cluster.config_map_key])
        document = data["data"][cluster.config_map_key]
        _through_the_environment(cluster.config_map_key, document)
        try:
            read = read_gpu_labels(document)
        except UnfitDocument as error:
            raise Refused(f"gpu_labels on {cluster.name}: {error}") from error
        meant = {
            offering.label: (offering.node_selector, offering.mig_enabled)
            for offering in cluster.offerings
        }
        equal(f"gpu_labels on {cluster.name}", [*read.items()], [*meant.items()])
    return f"{valid}, `sh -c env` prints the documents whole and the reading rules take them"


def _through_the_environment(name: str, document: str) -> None:
    try:
        done = subprocess.run(
            ["/bin/sh", "-c", "env"], env={name: document}, capture_output=True, check=True
        )
    except OSError as error:
        raise Refused(f"a process with {name} cannot be started: {error}") from error
    if f"{name}={document}" not in done.stdout.decode("utf-8"):
        raise Refused(f"{name} does not come through the environment")


def feed_device_classes(tree: Tree) -> str:
    """The classes must be valid, listed, and match just the devices that are meant."""
    paths = [*tree.matching("clusters/*/deviceclasses/*.yaml")]
    read = {path: yaml.safe_load(tree.take(path)) for path in paths}
    valid = validate(tree, {path: d for path, d in read.items() if d["kind"] == "DeviceClass"})
    devices = _devices(tree.catalog)
    for cluster in tree.catalog.clusters:
        folder = f"clusters/{cluster.name}/deviceclasses"
        classes = {
            f"{offering.device_class.name}.yaml": offering
            for offering in cluster.offerings
            if offering.device_class
        }
        listed = [read[f"{folder}/{name}"] for name in classes]
        equal(folder, _built(tree, folder), {data["metadata"]["name"]: data for data in listed})
        asked = {}
        for name, offering in classes.items():
            data = read[f"{folder}/{name}"]
            equal(name, data["spec"]["extendedResourceName"], offering.label)
            equal(name, f"{data['metadata']['name']}.yaml", name)
            [selector] = data["spec"]["selectors"]
            asked[name] = selector["cel"]["expression"]
        both = {"expressions": asked, "devices": devices}
        answers = toolbox.drive("cel-expr-python", "selectors.py", both, tree.folder)
        for name, offering in classes.items():
            _judge(offering, f"{folder}/{name}", devices, answers[name])
    version = toolbox.version("cel-expr-python", "cel-expr-python")
    evaluated = f"cel-expr-python {version} evaluates them on {len(devices)} devices"
    return f"{valid}, kustomize builds them, {evaluated}"


def _built(tree: Tree, folder: str) -> dict[str, Any]:
    """What kustomize makes of a folder, by the names of the objects."""
    for path in tree.matching(f"{folder}/*"):
        tree.write(path, tree.take(path))
    kubectl = toolbox.kubernetes_program("kubectl")
    done = toolbox.run(kubectl, "kustomize", tree.folder / folder)
    if done.code:
        raise Refused(f"kustomize: {done.words}")
    built = [data for data in yaml.safe_load_all(done.stdout) if data]
    return {data["metadata"]["name"]: data for data in built}


def _devices(catalog: Catalog) -> list[dict[str, Any]]:
    """Whole GPUs and MIG devices of all products and profiles, and devices that lack everything."""
    overridden = [offering for cluster in catalog.clusters for offering in cluster.offerings]
    classes = [o.device_class for o in overridden if o.device_class]
    products = {name: None for device_class in classes for name in device_class.product_names}
    profiles = {o.mig_profile: None for o in overridden if o.mig_profile}
    devices = [
        {"driver": DRIVER, "attributes": {"type": "gpu", "productName": name}} for name in products
    ]
    devices += [
        {
            "driver": DRIVER,
            "attributes": {"type": "mig", "profile": profile, "productName": name},
        }
        for name in products
        for profile in profiles
    ]
    near = {"type": "gpu", "productName": "NVIDIA A10"}
    return [
        *devices,
        {"driver": DRIVER, "attributes": near},
        {"driver": DRIVER, "attributes": {}},
        {"driver": DRIVER, "attributes": {"type": "vfio"}},
        {"driver": "dra.cpu", "attributes": {"productName": 7, "type": True, "profile": 1}},
        {"driver": "gpu.amd.com", "attributes": {"productName": 'AMD "Instinct" MI300X'}},
    ]


def _judge(
    offering: Offering, path: str, devices: list[dict[str, Any]], verdicts: str | list[object]
) -> None:
    if isinstance(verdicts, str):
        raise Refused(f"{path} {verdicts}")
    assert offering.device_class is not None
    for device, verdict in zip(devices, verdicts, strict=True):
        if not isinstance(verdict, bool):
            raise Refused(f"{path} fails on {device}: {verdict}")
        names = offering.device_class.product_names
        if not names:  # one raw expression: what it means stands in the catalog alone
            continue
        attributes = device["attributes"]
        meant = (
            device["driver"] == DRIVER
            and attributes.get("type") == ("mig" if offering.mig_profile else "gpu")
            and attributes.get("profile") == offering.mig_profile
            and attributes.get("productName") in names
        )
        equal(f"{path} on {device}", verdict, meant)
    if True not in verdicts:
        raise Refused(f"{path} matches no device")


_CONFIG_MAP = "configmap.yaml"
_A100 = "a100.nvidia.com.yaml"
_MIG = "a100-mig-1g.5gb.nvidia.com.yaml"
_ENTRY = r"^      nvidia.com/a100:\n"

ROWS = (
    Row(
        "k8s-root-actor",
        "accepted by its reading rules, only the two keys, fits into the environment",
        feed_config_maps,
        (
            Sabotage("an unquoted `false`", _CONFIG_MAP, '"false"', "false"),
            Sabotage("a third key", _CONFIG_MAP, _ENTRY, r"\g<0>        name: A100\n"),
            Sabotage("a dropped label", _CONFIG_MAP, _ENTRY + "(?:        .*\n)+", ""),
            Sabotage("a number for a node", _CONFIG_MAP, "nvidia-a10g", "100"),
            Sabotage("a document too large", _CONFIG_MAP, "nvidia-a10g", "a" * 140_000),
            Sabotage("an unknown field", _CONFIG_MAP, "^data:", "datum: {}\ndata:"),
        ),
    ),
    Row(
        "Kubernetes DeviceClasses",
        "valid on every version the catalog allows; no expression fails or matches too much",
        feed_device_classes,
        (
            Sabotage(
                "a bare `profile ==`", _MIG, r"^.*profile.*$", "          profile == '1g.5gb' &&"
            ),
            Sabotage("an unguarded profile", _MIG, r"\.\?type(.*\n.*)\.\?prof.*\(''\)", ".profile"),
            Sabotage(
                "a prefix instead of the name", _A100, r" in \[.*\]", ".startsWith('NVIDIA A10')"
            ),
            Sabotage("another driver", _A100, "== 'gpu.nvidia.com'", "== 'gpu.amd.com'"),
            Sabotage("an unknown field", _A100, "extendedResourceName", "extendedResource"),
            Sabotage("another label", _A100, "nvidia.com/a100$", "nvidia.com/a10g"),
            Sabotage("the old API", _A100, "resource.k8s.io/v1", "resource.k8s.io/v1alpha3"),
            Sabotage("a class not listed", "kustomization.yaml", "^  - a100.nv.*\n", ""),
            Sabotage("no such field", "kustomization.yaml", "^resources:", "resource:"),
            Sabotage("no such file", "kustomization.yaml", "a100.nv", "a1000.nv"),
        ),
    ),
)
