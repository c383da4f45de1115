"""The formatters and linters of the repositories that receive files."""

from __future__ import annotations

from fnmatch import fnmatch
from typing import TYPE_CHECKING

from tests.consumers import toolbox
from tests.consumers.harness import Refused, Row, Sabotage
from tests.consumers.rows.typescript import demand

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tests.consumers.harness import Tree


def feed(tree: Tree) -> str:
    """Every text file must be as its formatter would leave it."""
    formatted = _written(tree, "*.yaml", "*.yml", "*.md", "*.ts")
    linted = _written(tree, "*.yaml", "*.yml", "*.yaml.j2")
    pages = _written(tree, "*.md")
    (tree.folder / "node_modules").symlink_to(toolbox.npm_packages())
    prettier = "prettier/bin/prettier.cjs"
    options = ("--no-config", "--no-editorconfig", "--ignore-path", "none")
    demand(tree, prettier, "--check", *options, *formatted)
    config = tree.write(".markdownlint.yaml", (toolbox.ROOT / ".markdownlint.yaml").read_text())
    demand(tree, "markdownlint-cli2/markdownlint-cli2-bin.mjs", "--config", config, *pages)
    yamllint = toolbox.binary("yamllint", "yamllint")
    rules = toolbox.ROOT / ".yamllint"
    done = toolbox.run(yamllint, "--strict", "-c", rules, *linted, cwd=tree.folder)
    if done.code:
        raise Refused(f"yamllint: {done.stdout} {done.stderr}")
    return f"prettier ({len(formatted)}), markdownlint ({len(pages)}), yamllint ({len(linted)})"


def _written(tree: Tree, *patterns: str) -> Sequence[str]:
    """The paths of the generated files of these kinds, written into the tree's folder."""
    paths = [path for path in tree.files if any(fnmatch(path, pattern) for pattern in patterns)]
    generated = [path for path in paths if not path.startswith("actions/")]
    for path in generated:
        tree.write(path, tree.take(path))
    return generated


_DOCS = "docs/gpu-labels.md"
_OPENAPI = "openapi/gpu-label.yaml"

ROWS = (
    Row(
        "Formatters",
        "prettier, markdownlint and yamllint leave every file as it is",
        feed,
        (
            Sabotage("a trailing blank", _OPENAPI, "^components:$", "components: "),
            Sabotage("a list not indented", "kustomization.yaml", "^  - ", "- "),
            Sabotage("other quotes", "configmap.yaml", "^  name: (.*)$", r"  name: '\1'"),
            Sabotage("no line feed at the end", _OPENAPI, r"\n\Z", ""),
            Sabotage("a table not padded", _DOCS, r"NVIDIA A10G  +\|", "NVIDIA A10G |"),
            Sabotage("a heading skipped", _DOCS, "^## Labels", "#### Labels"),
            Sabotage("a key twice", ".yaml.j2", "^( +)(gpu_a10g: .*)$", r"\1\2\n\1\2"),
            Sabotage(
                "an ambiguous word", ".yaml.j2", "accounting_type: limit", "accounting_type: on"
            ),
        ),
    ),
)
