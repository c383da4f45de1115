"""What runs on the clusters: the workloads of actions, and what a rollout applies."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import yaml

from generator.action_file import check_file
from generator.actions import labels_of
from tests.consumers import toolbox
from tests.consumers.harness import Refused, Row, Sabotage, equal
from tests.consumers.rows.ansible import play
from tests.consumers.rows.kubernetes import validate

if TYPE_CHECKING:
    from generator.catalog.model import Offering
    from tests.consumers.harness import Tree


def feed_workloads(tree: Tree) -> str:
    """What `action --render` prints for every label must be taken by Kubernetes and KServe."""
    objects: dict[str, Any] = {}
    services = {}
    for cluster in tree.catalog.clusters:
        documents = list(yaml.safe_load_all(tree.take(f"actions/{cluster.name}.yaml")))
        equal(f"workloads on {cluster.name}", len(documents), 2 * len(cluster.offerings))
        for offering, data in zip([*cluster.offerings] * 2, documents, strict=True):
            name = f"{data['kind']} for {offering.label} on {cluster.name}"
            if data["kind"] == "InferenceService":
                services[name] = data
                pod = data["spec"]["predictor"]
                objects[name] = {"apiVersion": "v1", "kind": "Pod", "metadata": {}, "spec": pod}
            else:
                objects[name] = data
                pod = data["spec"]["template"]["spec"]
            _judge_pod(name, pod, offering)
    answer = validate(tree, objects)
    refused = toolbox.drive("kserve", "services.py", services, tree.folder)
    for name, words in refused.items():
        raise Refused(f"{name}: {words}")
    version = toolbox.version("kserve", "kserve")
    return f"{answer}, kserve {version} knows every field of {len(services)} InferenceServices"


def _judge_pod(name: str, pod: dict[str, Any], offering: Offering) -> None:
    if "claim" in str(pod).lower():
        raise Refused(f"{name} holds a claim: {pod}")
    equal(name, pod.get("nodeSelector"), offering.node_selector)
    [container] = pod["containers"]
    count = {offering.label: "2"}
    equal(name, container.get("resources"), {"requests": count, "limits": count})


def feed_rollout(tree: Tree) -> str:
    """Objects, action files and variables of a rollout must be taken by who reads them."""
    texts = tree.matching("clusters/*/rollout/*.y*ml")
    read = {path: yaml.safe_load(text) for path, text in texts.items()}
    answer = validate(tree, {path: data for path, data in read.items() if "kind" in data})
    documents = {
        cluster.name: yaml.safe_load(text)["data"][cluster.config_map_key]
        for cluster, text in tree.by_cluster("configmap.yaml")
    }
    labels = labels_of(tree.catalog, documents)
    actions = [path for path in texts if path.endswith(".action.yaml")]
    for path in actions:
        cluster = path.split("/")[1]
        for finding in check_file(path, texts[path].encode(), labels, cluster).findings:
            if finding.severity == "error":
                raise Refused(f"{path}: {finding.message}")
    _load_variables(tree, {path: data for path, data in read.items() if "/kubespray/" in path})
    return (
        f"{answer}, k8s-root-actor's rules take {len(actions)} action files, Ansible the inventory"
    )


def _load_variables(tree: Tree, inventories: dict[str, Any]) -> None:
    """Ansible must read in an inventory's files what PyYAML reads in them."""
    tasks: list[dict[str, Any]] = []
    for number, (path, data) in enumerate(inventories.items()):
        name = f"read_{number}"
        tasks.append(
            {"include_vars": {"file": str(tree.write(path, tree.take(path))), "name": name}}
        )
        tasks.append(
            {"assert": {"that": f"{name} == meant_{number}"}, "vars": {f"meant_{number}": data}}
        )
    play(tree, tasks, {})


_ACTIONS = "actions/themelio.yaml"

ROWS = (
    Row(
        "Kubernetes and KServe workloads",
        "the Deployment and the InferenceService of every label are valid and hold no claim",
        feed_workloads,
        (
            Sabotage("no limits", _ACTIONS, "^ +limits:\n.*\n", ""),
            Sabotage("no node selector", _ACTIONS, "nodeSelector", "nodeselector"),
            Sabotage("another label", _ACTIONS, "nvidia.com/a100:", "nvidia.com/a10g:"),
            Sabotage("a claim", _ACTIONS, "^( +)nodeSelector:", r"\1resourceClaims: []\n\g<0>"),
            Sabotage("an unknown field", _ACTIONS, "^(  )selector:", r"\1gpus: 2\n\g<0>"),
            Sabotage("KServe's old field", _ACTIONS, "^(  )predictor:", r"\1default: {}\n\g<0>"),
        ),
    ),
    Row(
        "Rollout",
        "the guard, the smoke tests and the inventory are what their readers take",
        feed_rollout,
        (
            Sabotage("an unknown field", "quota-guard.yaml", "^  hard:", "  harder:"),
            Sabotage(
                "a number for a word",
                "smoke/gpu_a100.yaml",
                "^  restartPolicy: .*",
                "  restartPolicy: 1",
            ),
            Sabotage(
                "a retired label",
                "smoke/gpu_a100.action.yaml",
                "nvidia.com/a100",
                "nvidiax.com/gpu",
            ),
            Sabotage(
                "Jinja in a variable", "kubespray/k8s_cluster.yml", r"^(\w+): .*$", r"\1: '{{ x }}'"
            ),
        ),
    ),
)
