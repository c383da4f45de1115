"""What TypeScript's tools say of a module, in a project as strict as they can be."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from tests.consumers import toolbox
from tests.consumers.harness import Refused, Row, Sabotage, equal

if TYPE_CHECKING:
    from collections.abc import Iterable

    from tests.consumers.harness import Tree

OPTIONS = {
    "strict": True,
    "noUncheckedIndexedAccess": True,
    "exactOptionalPropertyTypes": True,
    "verbatimModuleSyntax": True,
    "isolatedModules": True,
    "erasableSyntaxOnly": True,
    "noUnusedLocals": False,
    "target": "ES2022",
    "module": "ESNext",
    "moduleResolution": "bundler",
    "types": [],
    "rootDir": ".",
    "outDir": "built",
}
ESLINT = """\
import js from "@eslint/js";
import tseslint from "typescript-eslint";

export default tseslint.config(
  js.configs.recommended,
  ...tseslint.configs.strictTypeChecked,
  ...tseslint.configs.stylisticTypeChecked,
  {
    languageOptions: { parserOptions: { project: "./tsconfig.json" } },
    linterOptions: { reportUnusedDisableDirectives: "error" },
  },
);
"""
EQUAL = """\
type Equal<A, B> =
  (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;
"""


def start(tree: Tree, files: list[str]) -> None:
    """Make the tree's folder a project of these TypeScript files."""
    (tree.folder / "node_modules").symlink_to(toolbox.npm_packages())
    tree.write("package.json", '{"type": "module"}')
    tree.write("tsconfig.json", json.dumps({"compilerOptions": OPTIONS, "files": files}))
    tree.write("eslint.config.js", ESLINT)


def demand(tree: Tree, program: str, *words: object) -> str:
    """Run a program of the npm packages in the tree's folder; raises Refused with its words."""
    done = toolbox.node(f"node_modules/{program}", *words, cwd=tree.folder)
    if done.code:
        name, _, _ = program.partition("/")
        raise Refused(f"{name}: {done.stdout.strip()} {done.stderr.strip()}")
    return done.stdout


def compile_everything(tree: Tree) -> str:
    """Compile the project with TypeScript 5 and 7; raises Refused."""
    demand(tree, "typescript/bin/tsc", "-p", "tsconfig.json")
    demand(tree, "typescript-7/bin/tsc", "-p", "tsconfig.json", "--noEmit")
    versions = [toolbox.npm_version(name) for name in ("typescript", "typescript-7")]
    return f"TypeScript {' and '.join(versions)} compile it"


def union(texts: Iterable[str]) -> str:
    """The TypeScript type of these texts."""
    return " | ".join(map(json.dumps, texts)) or "never"


def feed(tree: Tree) -> str:
    """The module must hold exactly the catalog's labels, as types and when it is run."""
    sold = [offering for offering in tree.catalog.offerings if offering.component is not None]
    labels = {str(offering.component): offering.label for offering in sold}
    deprecated = [offering.component for offering in sold if offering.deprecated]
    tree.write("gpuLabels.ts", tree.take("web/gpuLabels.ts"))
    fields = "".join(f"  readonly {name}: {json.dumps(text)};\n" for name, text in labels.items())
    tree.write(
        "caller.ts",
        'import type { GpuComponent, GpuLabel } from "./gpuLabels";\n'
        'import { DEPRECATED_GPU_COMPONENTS, GPU_LABEL_BY_COMPONENT } from "./gpuLabels";\n'
        f"{EQUAL}"
        f"export const labels: Equal<GpuLabel, {union(labels.values())}> = true;\n"
        f"export const components: Equal<GpuComponent, {union(labels)}> = true;\n"
        f"export const map: Equal<typeof GPU_LABEL_BY_COMPONENT, {{\n{fields}}}> = true;\n"
        "export const old: readonly GpuComponent[] = DEPRECATED_GPU_COMPONENTS;\n"
        "// @ts-expect-error a wrong label must not compile\n"
        'export const wrong: GpuLabel = "nvidiax.com/gpu";\n'
        "// @ts-expect-error a wrong component must not compile\n"
        'export const missing: string = GPU_LABEL_BY_COMPONENT["gpu_h9000"];\n',
    )
    start(tree, ["gpuLabels.ts", "caller.ts"])
    compiled = compile_everything(tree)
    demand(tree, "eslint/bin/eslint.js", "--max-warnings", "0", "gpuLabels.ts")
    demand(tree, "prettier/bin/prettier.cjs", "--no-config", "--check", "gpuLabels.ts")
    tree.write(
        "print.js",
        'import * as module from "./built/gpuLabels.js";\n'
        "const { GPU_LABEL_BY_COMPONENT: labels, DEPRECATED_GPU_COMPONENTS: old } = module;\n"
        "console.log(JSON.stringify([Object.entries(labels), old]));\n",
    )
    read = json.loads(toolbox.node("print.js", cwd=tree.folder).stdout)
    equal("the module when it is run", read, [[[*item] for item in labels.items()], deprecated])
    return f"{compiled}, typescript-eslint's strictest rules and prettier find nothing"


_MODULE = "web/gpuLabels.ts"
_NOT_CONST = "^} as const satisfies "

ROWS = (
    Row(
        "Web application",
        "it compiles, and a wrong label in a caller is a compile error",
        feed,
        (
            Sabotage("a wrong label", _MODULE, 'nvidia.com/a100"', 'nvidiax.com/gpu"'),
            Sabotage("a dropped component", _MODULE, "^  gpu_a100: .*\n", ""),
            Sabotage("a component twice", _MODULE, "gpu_a100_mig_1g_5gb:", "gpu_a100:"),
            Sabotage("labels that are any text", _MODULE, _NOT_CONST, "} satisfies "),
            Sabotage("single quotes", _MODULE, '"nvidia.com/a100"', "'nvidia.com/a100'"),
            Sabotage("a list of any text", _MODULE, r"readonly GpuComponent\[", "readonly string["),
            Sabotage("a directive too many", _MODULE, r"\A", "/* eslint-disable */\n"),
        ),
    ),
)
