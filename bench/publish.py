"""`publish` into a large API document, in units of composing that document with PyYAML."""

from __future__ import annotations

import subprocess
import sys
from typing import TYPE_CHECKING

from bench.rows import GENERATOR, ROOT, Process, Row

if TYPE_CHECKING:
    from pathlib import Path

ROUNDS = 15
ROWS = (Row("publish-500-kb", 2.0, lambda seconds: seconds["publish"] / seconds["compose"]),)

_BYTES = 500_000
_COMPOSE = "import sys, yaml\nyaml.compose(open(sys.argv[1]), Loader=yaml.CSafeLoader)"


def processes(folder: Path) -> dict[str, Process]:
    """Compose the document; and put a new enum into it, with all that `publish` does besides."""
    document, catalog = folder / "openapi.yaml", folder / "catalog.yaml"
    document.write_text(_document(), encoding="utf-8")
    catalog.write_text(_CATALOG, encoding="utf-8")
    shared = "--catalog", str(catalog)
    subprocess.run([*GENERATOR, "generate", *shared], cwd=ROOT, check=True, capture_output=True)
    publish = *GENERATOR, "publish", f"api={folder}", "--dry-run", *shared
    return {
        "compose": Process((sys.executable, "-c", _COMPOSE, str(document)), ROOT),
        "publish": Process(publish, ROOT),
    }


def _document() -> str:
    size, parts = 0, ["openapi: 3.1.0\npaths:\n"]
    while size < _BYTES:
        parts.append(_PATH.format(number=len(parts)))
        size += len(parts[-1])
    return "".join((*parts, _SCHEMA))


_PATH = """\
  /things/{number}:
    get:
      operationId: getThing{number} # of {number}
      parameters:
        - {{ name: kind, in: query, schema: {{ type: string, enum: [a{number}, 'b'] }} }}
        - name: state
          in: query
          schema:
            type: string
            enum:
              - "on"
              - off
      responses:
        "200": {{ description: "Thing {number}" }}
"""
_SCHEMA = """\
components:
  schemas:
    Gpu:
      type: string
      enum: [nvidia.com/gpu]
"""
_CATALOG = """\
schema_version: 1
offerings:
  - component: gpu_a10g
    name: NVIDIA A10G
    label: nvidia.com/a10g
    node_selector: { accelerator: nvidia-a10g }
clusters:
  - name: themelio
    kubernetes: "1.36"
    namespace: themelio
waldur: { measured_unit: GPU, accounting_type: limit }
consumers:
  - name: api
    files:
      - artifact: openapi/gpu-label.yaml
        to: openapi.yaml
        at: /components/schemas/Gpu/enum
        from: /components/schemas/GpuLabel/enum
"""
