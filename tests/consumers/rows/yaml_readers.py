"""Every YAML file in every reader: the same data in each."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import yaml

from tests.consumers import toolbox
from tests.consumers.harness import Row, Sabotage, equal

if TYPE_CHECKING:
    from tests.consumers.harness import Tree


def feed(tree: Tree) -> str:
    """All readers must agree on every file, and on the document that the ConfigMap holds."""
    names = [path for path in tree.files if path.endswith((".yaml", ".yml", ".yaml.j2"))]
    texts = {path: tree.take(path) for path in names}
    for path, text in [*texts.items()]:
        if path.endswith("configmap.yaml"):
            for key, document in yaml.safe_load(text)["data"].items():
                texts[f"{path}: {key}"] = document
    answers: dict[str, dict[str, Any]] = {
        **toolbox.drive("ruamel.yaml", "yaml_readers.py", texts, tree.folder),
        **toolbox.drive_node("yaml_readers.mjs", texts, tree.folder),
    }
    first, *others = answers
    for other in others:
        for name in texts:
            equal(f"{name}, {other} and {first}", answers[other][name], answers[first][name])
    return f"{', '.join(answers)} agree on {len(texts)} documents"


_CONFIG_MAP = "configmap.yaml"
_VENDORS = "kubeflow/spawner-vendors.yaml"

ROWS = (
    Row(
        "YAML readers",
        "the same data in each",
        feed,
        (
            Sabotage("a plain number", _CONFIG_MAP, "nvidia-a10g", "1e3"),
            Sabotage("a plain word", _VENDORS, "uiName: NVIDIA A100$", "uiName: off"),
            Sabotage("a plain date", _VENDORS, "uiName: NVIDIA A100$", "uiName: 2026-01-01"),
            Sabotage(
                "a plain octal", "waldur/site-agent.yaml.j2", "label: NVIDIA A100$", "label: 012"
            ),
            Sabotage("a key twice", _CONFIG_MAP, "^  name: .*$", r"\g<0>\n\g<0>"),
            Sabotage("a surrogate pair", _VENDORS, "uiName: .*", r'uiName: "\\ud83d\\ude80"'),
        ),
    ),
)
