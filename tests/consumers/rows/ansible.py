"""ansible-core: templates rendered and variables read as a role would."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import yaml

from generator.actions import Refused as UnfitDocument
from generator.actions import read_gpu_labels
from tests.consumers import toolbox
from tests.consumers.harness import Refused, Row, Sabotage, equal

if TYPE_CHECKING:
    from generator.catalog.model import Cluster
    from tests.consumers.harness import Tree

ROLE = toolbox.HERE / "roles" / "gpu_labels"


def play(tree: Tree, tasks: list[dict[str, object]], variables: dict[str, object]) -> None:
    """Run tasks on this machine with ansible-core; raises Refused with its words."""
    program = toolbox.binary("ansible-core", "ansible-playbook")
    playbook = [
        {
            "hosts": "localhost",
            "connection": "local",
            "gather_facts": False,
            "vars": {"ansible_python_interpreter": str(program.parent / "python"), **variables},
            "tasks": tasks,
        }
    ]
    path = tree.write("play.json", json.dumps(playbook))
    done = toolbox.run(
        *(program, "-i", "localhost,", path),
        cwd=tree.folder,
        ANSIBLE_HOME=str(tree.folder / ".ansible"),
        ANSIBLE_REMOTE_TMP=str(tree.folder / ".ansible" / "tmp"),
        ANSIBLE_NOCOLOR="1",
        LC_ALL="C.UTF-8",
    )
    if done.code:
        fatal = [
            line for line in done.stdout.splitlines() if line.startswith(("fatal:", "failed:"))
        ]
        raise Refused(f"ansible-playbook: {' '.join(fatal) or done.words}")


def feed(tree: Tree) -> str:
    """The variables, looped by a role into its own templates, must say what was generated."""
    tasks: list[dict[str, object]] = []
    labels = tree.by_cluster("ansible/themelio_gpu_labels.yml")
    consumers = tree.by_cluster("ansible/themelio_gpu_consumers.yml")
    for (cluster, text), (_, more) in zip(labels, consumers, strict=True):
        for name, content in (("labels.yml", text), ("consumers.yml", more)):
            path = tree.write(f"{cluster.name}/{name}", content)
            tasks.append({"include_vars": {"file": str(path)}})
        folder = {"folder": str(tree.folder / cluster.name)}
        tasks.append({"include_role": {"name": str(ROLE)}, "vars": folder})
    play(tree, tasks, {})
    for cluster, _ in labels:
        _compare(tree, cluster)
    version = toolbox.version("ansible-core", "ansible-core")
    return f"ansible-core {version} rendered {2 * len(labels)} templates of a role"


def _compare(tree: Tree, cluster: Cluster) -> None:
    rendered = [
        yaml.safe_load((tree.folder / cluster.name / f"{name}.yaml").read_text("utf-8"))
        for name in ("configmap", "site-agent")
    ]
    config_map, agent = rendered
    generated = yaml.safe_load(tree.take(f"clusters/{cluster.name}/configmap.yaml"))
    meant = read_gpu_labels(generated["data"][cluster.config_map_key])
    try:
        read = read_gpu_labels(config_map["data"]["THEMELIO_GPU_LABELS_CONFIG"])
    except UnfitDocument as error:
        raise Refused(f"the rendered ConfigMap on {cluster.name}: {error}") from error
    equal(f"gpu_labels on {cluster.name}", [*read.items()], [*meant.items()])
    template = yaml.safe_load(tree.take(f"clusters/{cluster.name}/waldur/site-agent.yaml.j2"))
    [offering] = template["offerings"]
    for read, meant in (
        (
            agent["backend_settings"]["component_quota_mapping"],
            offering["backend_settings"]["component_quota_mapping"],
        ),
        (agent["backend_components"], offering["backend_components"]),
    ):
        others = {key: value for key, value in meant.items() if key in ("cpu", "ram", "storage")}
        equal(f"Waldur on {cluster.name}", [*{**others, **read}.items()], [*meant.items()])
    spawner = yaml.safe_load(tree.take(f"clusters/{cluster.name}/kubeflow/spawner-vendors.yaml"))
    vendors = spawner["spawnerFormDefaults"]["gpus"]["value"]["vendors"]
    equal(f"vendors on {cluster.name}", agent["vendors"] or [], vendors)


_LABELS, _CONSUMERS = "themelio_gpu_labels.yml", "themelio_gpu_consumers.yml"

ROWS = (
    Row(
        "Ansible variables",
        "roles that loop over them write what the generated files say; mig_enabled stays a string",
        feed,
        (
            Sabotage("an unquoted `false`", _LABELS, 'mig_enabled: "false"', "mig_enabled: false"),
            Sabotage("a changed selector", _LABELS, "nvidia-a10g", "nvidia-a100"),
            Sabotage("a key given twice", _LABELS, r"  nvidia.com/a100:$", "  nvidia.com/a10g:"),
            Sabotage(
                "an entry moved",
                _LABELS,
                r"^(  nvidia.com/a10g:\n(?:    .*\n)+)((?:.*\n)+)",
                r"\2\1",
            ),
            Sabotage("a dropped component", _CONSUMERS, "^  gpu_a100: .*\n", ""),
            Sabotage("a dropped vendor", _CONSUMERS, "^  - limitsKey: nvidia.com/a100\n.*\n", ""),
            Sabotage("Jinja in a name", _CONSUMERS, "uiName: NVIDIA A100$", 'uiName: "{{ x }}"'),
        ),
    ),
)
