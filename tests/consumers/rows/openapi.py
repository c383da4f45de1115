"""The enum in an OpenAPI document: validated, and turned into types."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.consumers import toolbox
from tests.consumers.harness import Refused, Row, Sabotage
from tests.consumers.rows.typescript import EQUAL, compile_everything, demand, start, union

if TYPE_CHECKING:
    from tests.consumers.harness import Tree

DOCUMENT = """\
openapi: {version}
info: {{title: Actions, version: "1"}}
paths:
  /actions:
    post:
      requestBody:
        required: true
        content:
          application/json:
            schema:
              type: object
              properties:
                gpuLabel: {{$ref: "#/components/schemas/GpuLabel"}}
      responses: {{"204": {{description: accepted}}}}
{enum}"""


def feed(tree: Tree) -> str:
    """The enum must be valid in both versions, and its union must be the labels."""
    enum = tree.take("openapi/gpu-label.yaml")
    offered = {one.label for cluster in tree.catalog.clusters for one in cluster.offerings}
    enabled = [one.label for one in tree.catalog.offerings if one.label in offered]
    modules = []
    for version in ("3.0.3", "3.1.0"):
        path = tree.write(f"api-{version}.yaml", DOCUMENT.format(version=version, enum=enum))
        program = toolbox.binary("openapi-spec-validator", "openapi-spec-validator")
        done = toolbox.run(program, path)
        if done.code:
            raise Refused(f"openapi-spec-validator {version}: {done.stdout} {done.stderr}")
        modules.append(f"types{version[2]}.ts")
    start(tree, [*modules, "caller.ts"])
    caller = EQUAL
    for version, module in zip(("3.0.3", "3.1.0"), modules, strict=True):
        source = f"api-{version}.yaml"
        demand(tree, "openapi-typescript/bin/cli.js", source, "--output", module)
        name = module.removesuffix(".ts")
        caller += (
            f'import type {{ components as {name} }} from "./{name}";\n'
            f"export const check_{name}: "
            f'Equal<{name}["schemas"]["GpuLabel"], {union(enabled)}> = true;\n'
        )
    tree.write("caller.ts", caller)
    compile_everything(tree)
    installed = toolbox.version("openapi-spec-validator", "openapi-spec-validator")
    return f"openapi-spec-validator {installed} takes it in 3.0.3 and 3.1.0, openapi-typescript" + (
        f" makes a union of {len(enabled)} labels"
    )


_ENUM = "openapi/gpu-label.yaml"

ROWS = (
    Row(
        "OpenAPI document",
        "valid in 3.0 and 3.1; the union of its types equals the labels",
        feed,
        (
            Sabotage("a doubled value", _ENUM, "^        - nvidia.com/a100$", r"\g<0>\n\g<0>"),
            Sabotage("a dropped label", _ENUM, "^        - nvidia.com/a100\n", ""),
            Sabotage("a wrong label", _ENUM, "- nvidia.com/a100$", "- nvidiax.com/gpu"),
            Sabotage("an empty enum", _ENUM, "enum:\n(.*\n)+", "enum: []\n"),
            Sabotage("a value that is a number", _ENUM, "- nvidia.com/a100$", "- 1e3"),
            Sabotage("another type", _ENUM, "type: string", "type: text"),
        ),
    ),
)
