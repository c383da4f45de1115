"""The layers of the generator: imports go downward only, and commands never import each other."""

import ast
import graphlib
import re
from pathlib import Path

import pytest

from generator import cli, pages

ROOT = Path(__file__).parents[1]
GENERATOR = ROOT / "generator"

LAYERS = (
    ("findings",),
    ("kubernetes", "yamltext", "yamlfaults", "markdown", "typescript", "pages", "words"),
    ("files",),
    ("reports",),
    ("annotations",),
    ("catalog",),
    ("rendering",),
    ("targets",),
    ("project",),
    ("*",),  # the cores of the commands: tree, drift, gaps, explain, actions, ...
    ("commands",),
    ("cli",),
    ("__main__",),
)
"""From the bottom up; a package is one of them. Inside a layer, imports may not run in circles."""


def module_name(path):
    parts = path.relative_to(ROOT).with_suffix("").parts
    return ".".join(part for part in parts if part != "__init__")


MODULES = {module_name(path): path for path in sorted(GENERATOR.rglob("*.py"))}


def layer(module):
    name = module.removeprefix("generator").strip(".").partition(".")[0]
    found = [number for number, names in enumerate(LAYERS) if name in names]
    return found[0] if found else LAYERS.index(("*",))


def imported(node):
    """The modules of the generator that an import statement names."""
    if isinstance(node, ast.Import):
        return {alias.name for alias in node.names if alias.name in MODULES}
    below = {f"{node.module}.{alias.name}" for alias in node.names} & MODULES.keys()
    of_module = {node.module} if len(below) < len(node.names) else set()
    return below | (of_module & MODULES.keys())


def imports(module, *, for_types=True):
    """What a module imports, wherever the statement stands."""
    tree = ast.parse(MODULES[module].read_text(encoding="utf-8"))
    if not for_types:
        tree.body = [
            node
            for node in tree.body
            if not (isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING")
        ]
    statements = [node for node in ast.walk(tree) if isinstance(node, ast.Import | ast.ImportFrom)]
    return set().union(*(imported(node) for node in statements)) - {module, "generator"}


def test_the_layers_name_only_what_there_is():
    names = {module.split(".")[1] for module in MODULES if "." in module}
    assert {name for names in LAYERS for name in names} - {"*"} <= names


def test_the_readme_shows_what_each_module_is():
    text = (ROOT / "README.md").read_text(encoding="utf-8").partition("## How it is built\n")[2]
    cells = re.findall(r"^\| (`.*?) +\|", text, re.MULTILINE)
    shown = {name.rstrip("/") for cell in cells for name in re.findall(r"`(.+?)`", cell)}
    there = {path.name for path in GENERATOR.iterdir() if path.suffix in ("", ".py")}
    assert shown == {name for name in there if not name.startswith("__")}


@pytest.mark.parametrize("module", [module for module in MODULES if module != "generator"])
def test_imports_go_downward_only(module):
    upward = {other for other in imports(module) if layer(other) > layer(module)}
    assert upward == set()


def test_imports_do_not_run_in_circles():
    graph = {module: imports(module, for_types=False) for module in MODULES}
    assert list(graphlib.TopologicalSorter(graph).static_order())


def test_commands_never_import_each_other():
    commands = {name for name in MODULES if name.startswith("generator.commands.")}
    for command in commands:
        assert imports(command) & commands == set()


def test_every_command_is_a_module_and_every_module_a_command():
    found = {path.stem for path in (GENERATOR / "commands").glob("[a-z]*.py")}
    assert found == set(cli.COMMANDS)


def test_every_code_has_a_page_and_every_page_its_code():
    text = "".join(path.read_text(encoding="utf-8") for path in MODULES.values())
    assert set(re.findall(r'"(GC\d{3})"', text)) == set(pages.codes())


@pytest.mark.parametrize("code", pages.codes())
def test_every_page_has_its_parts(code):
    page = pages.page(code)
    assert page.text.startswith(f"# {code}: {page.title}\n\n{page.meaning}\n\n## Wrong\n\n```")
    assert re.findall(r"^## .*", page.text, re.MULTILINE) == ["## Wrong", "## Right"]
    assert len(re.findall(r"^```", page.text, re.MULTILINE)) == 4
    assert page.text.endswith("```\n")
