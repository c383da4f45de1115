"""The Waldur template: rendered by Ansible, and loaded by the site agent."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.consumers import toolbox
from tests.consumers.harness import Refused, Row, Sabotage, equal
from tests.consumers.rows.ansible import play

if TYPE_CHECKING:
    from tests.consumers.harness import Tree

VARIABLES = {
    "themelio_waldur_api_url": "https://waldur.example.com/api/",
    "themelio_waldur_api_token": "012",
    "themelio_waldur_offering_uuid": "00000000000000000000000000000012",
}
"""What the platform's inventory holds."""

_OTHERS = {"cpu", "ram", "storage"}
_TEMPLATE = "waldur/site-agent.yaml.j2"


def feed(tree: Tree) -> str:
    """Each component's limit must arrive in Kubernetes as its own quota key."""
    templates = tree.by_cluster(_TEMPLATE)
    tasks, rendered = [], []
    for cluster, text in templates:
        source = tree.write(f"{cluster.name}.j2", text)
        rendered.append(tree.folder / f"{cluster.name}.yaml")
        tasks.append({"template": {"src": str(source), "dest": str(rendered[-1]), "mode": "0600"}})
    play(tree, tasks, {**VARIABLES})
    answers = toolbox.drive("waldur-site-agent", "quota.py", [*map(str, rendered)], tree.folder)
    count = 0
    for (cluster, _), answer in zip(templates, answers, strict=True):
        if "error" in answer:
            raise Refused(f"the agent goes no further: {answer['error']}")
        sold = [offering for offering in cluster.offerings if offering.component is not None]
        labels = {name: label for name, label in answer["labels"].items() if name not in _OTHERS}
        equal("components", labels, {offering.component: offering.name for offering in sold})
        limits = answer["limits"]
        meant = {offering.quota_key: str(limits[offering.component]) for offering in sold}
        others = {"cpu": "cpu", "ram": "memory", "storage": "storage"}
        quota = {key: n for key, n in answer["quota"].items() if key not in others.values()}
        equal(f"spec.quota on {cluster.name}", quota, meant)
        count += len(sold)
    version = toolbox.version("waldur-site-agent", "waldur-site-agent-k8s-ut-namespace")
    return f"waldur-site-agent-k8s-ut-namespace {version} sent {count} quota keys to Kubernetes"


ROWS = (
    Row(
        "Waldur site agent",
        "each component's limit becomes exactly requests.<label>, none dropped, none colliding",
        feed,
        (
            Sabotage("a wrong prefix", _TEMPLATE, r"requests\.nvidia", "limits.nvidia"),
            Sabotage("no prefix", _TEMPLATE, r"requests\.nvidia", "nvidia"),
            Sabotage("a dropped component", _TEMPLATE, r"^ +gpu_a100: requests.*\n", ""),
            Sabotage("`type: gpu`", _TEMPLATE, "^( +)label: NVIDIA A100$", r"\g<0>\n\1type: gpu"),
            Sabotage("two components on one key", _TEMPLATE, "(gpu_a100: .*)a100$", r"\1a10g"),
            Sabotage("an unquoted label", _TEMPLATE, "label: NVIDIA A100$", "label: 100"),
            Sabotage("another plugin", _TEMPLATE, "(order.*): k8s-.*", r"\1: okd"),
            Sabotage("an undefined variable", _TEMPLATE, "themelio_waldur_api_token", "token"),
        ),
    ),
)
