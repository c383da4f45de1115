"""Consumers' files as they are in the wild, with their traps."""

from pathlib import Path

import pytest
import yaml

from generator.yamlfaults import NotYaml
from generator.yamltext import parse
from tests.publish.world import place

FIXTURES = Path(__file__).parent / "fixtures"
VENDORS = """\
spawnerFormDefaults:
  gpus:
    value:
      vendors:
        - limitsKey: nvidia.com/a10g
          uiName: NVIDIA A10G
        - limitsKey: nvidia.com/a100-mig-1g.5gb
          uiName: NVIDIA A100 MIG 1g.5gb
"""
AT = "/spawnerFormDefaults/gpus/value/vendors"


def fixture(name):
    return (FIXTURES / name).read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("name", "old", "new"),
    [
        (
            "spawner_ui_config.unindented.yaml",
            '      - limitsKey: "nvidia.com/gpu"\n        uiName: "NVIDIA"\n'
            '      - limitsKey: "nvidiax.com/gpu"\n        uiName: "NVIDIA A10G"\n',
            '      - limitsKey: "nvidia.com/a10g"\n        uiName: "NVIDIA A10G"\n'
            '      - limitsKey: "nvidia.com/a100-mig-1g.5gb"\n'
            '        uiName: "NVIDIA A100 MIG 1g.5gb"\n',
        ),
        (
            "spawner_ui_config.indented.yaml",
            "        - limitsKey: 'nvidia.com/gpu'\n          uiName: 'NVIDIA'    # all of them\n",
            "        - limitsKey: 'nvidia.com/a10g'\n          uiName: 'NVIDIA A10G'\n"
            "        - limitsKey: 'nvidia.com/a100-mig-1g.5gb'\n"
            "          uiName: 'NVIDIA A100 MIG 1g.5gb'    # all of them\n",
        ),
    ],
    ids=["sequences not indented", "sequences indented"],
)
def test_the_form_keeps_its_style_and_the_comment_after_the_last_vendor(name, old, new):
    text = fixture(name)
    assert text.count(old) == 1
    placed = place(text, VENDORS, at=AT, source_pointer=AT)
    assert placed.text == text.replace(old, new)
    assert placed.lost == ()


def test_a_template_gets_its_regions_though_no_parser_reads_it():
    text = fixture("site-agent.yaml.j2")
    with pytest.raises(NotYaml):
        parse(text)
    artifact = (
        "# BEGIN gpu-catalog component-quota-mapping\n"
        "gpu_a10g: requests.nvidia.com/a10g\n"
        "# END gpu-catalog component-quota-mapping\n"
        "# BEGIN gpu-catalog backend-components\n"
        "gpu_a10g:\n  measured_unit: GPU\n"
        "# END gpu-catalog backend-components\n"
    )
    for region in ("component-quota-mapping", "backend-components"):
        text = place(text, artifact, region=region, marker=region, to="a.yaml.j2").text
    old = fixture("site-agent.yaml.j2")
    begin = "      {# BEGIN gpu-catalog backend-components #}\n"
    assert text == old.replace("requests.nvidiax.com/gpu", "requests.nvidia.com/a10g").replace(
        begin, f"{begin}      gpu_a10g:\n        measured_unit: GPU\n"
    )


PATH = """\
  /things/{n}:
    get: # of {n}
      parameters:
        - {{ name: kind, in: query, schema: {{ type: string, enum: [a{n}, 'b'] }} }}
        - name: state
          in: query
          schema:
            type: string
            enum:
              - "on" # {n}
              - off
      responses:
        '200': {{ description: 'Thing #{n}' }}
"""
SCHEMAS = """\
components:
  schemas:
    Flow:
      { type: string, enum: [ 'nvidia.com/gpu', x ] }
    Wrapped:
      type: string
      enum:
        [
          'nvidia.com/gpu',
          x,
        ]
    Block:
      type: string
      enum:
      - 'nvidia.com/gpu'
      - x

      # after the enum
      example: 'nvidia.com/gpu'
"""


def openapi(count):
    """A long document that mixes every way to write an enum."""
    paths = "".join(PATH.format(n=n) for n in range(count))
    return f"openapi: 3.1.0\n\n# --- paths ---\npaths:\n{paths}{SCHEMAS}"


LABELS = "enum:\n  - nvidia.com/a10g\n  - nvidia.com/a100\n"


@pytest.mark.parametrize(
    ("schema", "old", "new"),
    [
        ("Flow", "[ 'nvidia.com/gpu', x ]", "[ 'nvidia.com/a10g', 'nvidia.com/a100' ]"),
        (
            "Wrapped",
            "          'nvidia.com/gpu',\n          x,\n",
            "          'nvidia.com/a10g',\n          'nvidia.com/a100',\n",
        ),
        (
            "Block",
            "      - 'nvidia.com/gpu'\n      - x\n",
            "      - 'nvidia.com/a10g'\n      - 'nvidia.com/a100'\n",
        ),
    ],
)
def test_a_long_api_document(schema, old, new):
    text = openapi(160)
    assert text.count("\n") > 2_000
    at = f"/components/schemas/{schema}/enum"
    placed = place(text, LABELS, at=at, source_pointer="/enum")
    assert text.count(old) == 1
    assert placed.text == text.replace(old, new)
    before, after = (yaml.load(one, yaml.CSafeLoader) for one in (text, placed.text))
    before["components"]["schemas"][schema]["enum"] = ["nvidia.com/a10g", "nvidia.com/a100"]
    assert after == before
