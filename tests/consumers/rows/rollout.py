"""helm and kubectl: the values of the charts, and every command of the runbook."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import yaml

from tests.consumers import toolbox
from tests.consumers.api_server import serving
from tests.consumers.harness import Refused, Row, Sabotage, equal
from tests.rollout import documented, following

if TYPE_CHECKING:
    from pathlib import Path

    from generator.catalog.model import Cluster
    from tests.consumers.api_server import ApiServer
    from tests.consumers.harness import Tree

CHARTS = {
    "dra-driver-nvidia-gpu": (documented.DRA_DRIVER, "dra-driver-values.yaml"),
    "gpu-operator": (documented.GPU_OPERATOR, "gpu-operator-values.yaml"),
}
# What the chart of the DRA driver refuses, in `templates/validation.yaml`.
REFUSALS = """\
{{- if and .Values.resources.gpus.enabled (not .Values.gpuResourcesEnabledOverride) }}
{{- fail "GPUs are served only with gpuResourcesEnabledOverride" }}
{{- end }}
{{- if .Values.resources.computeDomains.enabled }}
{{- fail "ComputeDomains need the webhook" }}
{{- end }}
"""
PIPED = json.dumps({"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": "piped"}})


def feed_values(tree: Tree) -> str:
    """helm must take the values for what the charts document, and read what we mean."""
    helm = toolbox.kubernetes_program("helm")
    for chart, (schema, name) in CHARTS.items():
        folder = _chart(tree, chart, schema)
        for cluster, text in tree.by_cluster(f"rollout/{name}"):
            values = tree.write(f"{cluster.name}/{name}", text)
            done = toolbox.run(helm, "template", "ours", folder, "--values", values)
            if done.code:
                raise Refused(f"{name} on {cluster.name}: {done.words}")
            equal(f"{name} on {cluster.name}", yaml.safe_load(done.stdout), yaml.safe_load(text))
    version = toolbox.run(helm, "version", "--template", "{{.Version}}").stdout
    return f"helm {version} reads them as {', '.join(CHARTS)} document them"


def _chart(tree: Tree, name: str, schema: dict[str, Any]) -> Path:
    """A chart that stands for the real one: its schema and refusals, and prints its values."""
    refusals = REFUSALS if name == "dra-driver-nvidia-gpu" else ""
    files = {
        "Chart.yaml": json.dumps({"apiVersion": "v2", "name": name, "version": "1.0.0"}),
        "values.schema.json": json.dumps(schema),
        "templates/values.yaml": refusals + "{{ toJson .Values }}\n",
    }
    written = [tree.write(f"charts/{name}/{path}", text) for path, text in files.items()]
    return written[0].parent


def feed_runbooks(tree: Tree) -> str:
    """Every call that the runbook makes must be one that kubectl and helm understand."""
    programs = {name: toolbox.kubernetes_program(name) for name in ("kubectl", "helm")}
    root = following.checkout(tree.files, tree.catalog, tree.folder)
    understood = 0
    with serving() as server:
        for cluster, runbook in tree.by_cluster("rollout/RUNBOOK.md"):
            calls = following.follow(root, cluster, runbook)
            asked = dict.fromkeys(tuple(call) for call in calls if call[0] in programs)
            for program, *words in asked:
                _call(server, programs[program], words, root, cluster)
            understood += len(asked)
    version = toolbox.run(programs["kubectl"], "version", "--client", "--output", "json").stdout
    return f"kubectl {json.loads(version)['clientVersion']['gitVersion']} and helm understand all \
{understood} calls"


def _call(server: ApiServer, program: Path, words: list[str], root: Path, cluster: Cluster) -> None:
    """Make a call of the runbook; raises Refused where the program does not understand it.

    It has understood when it asks the server for more than its kinds; what it prints it must be
    able to print too.
    """
    server.asked.clear()
    done = toolbox.run(
        *(program, *words),
        cwd=root,
        stdin=PIPED,
        KUBECONFIG=str(_kubeconfig(server, root.parent, cluster)),
        HOME=str(root.parent),
        HTTPS_PROXY=server.url,
    )
    printing = "get" in words[:3] and program.name == "kubectl"
    not_added = done.words.endswith("repo nvidia not found")  # the server is no chart repository
    if done.code and (printing or not (server.asked or not_added)):
        raise Refused(f"{program.name} {' '.join(words)}: {done.words}")


def _kubeconfig(server: ApiServer, folder: Path, cluster: Cluster) -> Path:
    name = cluster.kube_context or "current"
    path = folder / "kubeconfig.json"
    config = {
        "apiVersion": "v1",
        "kind": "Config",
        "clusters": [{"name": name, "cluster": {"server": server.url}}],
        "contexts": [{"name": name, "context": {"cluster": name, "user": ""}}],
        "current-context": name,
    }
    path.write_text(json.dumps(config), "utf-8")
    return path


_DRA, _OPERATOR = "dra-driver-values.yaml", "gpu-operator-values.yaml"
_RUNBOOK = "RUNBOOK.md"

ROWS = (
    Row(
        "Helm",
        "read as meant; keys, types and refusals as the charts document them",
        feed_values,
        (
            Sabotage("a quoted boolean", _OPERATOR, "enabled: false", 'enabled: "false"'),
            Sabotage("a misspelt key", _OPERATOR, "devicePlugin:", "device_plugin:"),
            Sabotage("an unknown strategy", _OPERATOR, "strategy: mixed", "strategy: many"),
            Sabotage("a variable as a map", _OPERATOR, "- name: (.*)\n *value:", r"  \1:"),
            Sabotage("no override", _DRA, "^gpuResourcesEnabledOverride.*\n", ""),
            Sabotage("a boolean label", _DRA, 'plugin: "true"', "plugin: true"),
            Sabotage("ComputeDomains", _DRA, "(computeDomains:\n.*enabled:) false", r"\1 true"),
        ),
    ),
    Row(
        "kubectl and helm",
        "every call of the runbook is understood, and what it prints can be printed",
        feed_runbooks,
        (
            Sabotage("an unknown command", _RUNBOOK, " cordon$", " cordone"),
            Sabotage("an unknown option", _RUNBOOK, "--ignore-daemonsets", "--ignore-daemon-sets"),
            Sabotage("an unknown kind", _RUNBOOK, "restart daemonset/", "restart daemonsett/"),
            Sabotage("half a path", _RUNBOOK, r"\{\.status\.state\}", "{.status.state"),
            Sabotage(
                "columns without a path",
                _RUNBOOK,
                r"custom-columns='(\w+):\S+'",
                r"custom-columns='\1'",
            ),
            Sabotage("no such option of helm", _RUNBOOK, "--create-namespace", "--new-namespace"),
            Sabotage("a file that is not there", _RUNBOOK, "quota-guard.yaml", "quota-guards.yaml"),
        ),
    ),
)
