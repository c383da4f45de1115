"""The pages of publishing's codes: consumers' files, catalogs and transcripts that are run."""

import re

import pytest

from generator import pages
from tests.publish.world import CATALOG, PAGE, Catalog, Checkout
from tests.tree.test_pages import Shell, replay

CODES = [code for code in pages.codes() if code.startswith("GC4")]
CONSUMERS = """\
consumers:
  - name: web
    files: [{ artifact: web/gpuLabels.ts, to: src/gpuLabels.ts }]
  - name: docs
    files: [{ artifact: docs/gpu-labels.md, to: gpus.md, region: gpu-labels }]
  - name: api
    files:
      - { artifact: openapi/gpu-label.yaml, to: openapi.yaml, at: /components/schemas/GpuLabel }
  - name: form
    files:
      - artifact: clusters/themelio/kubeflow/spawner-vendors.yaml
        to: form.yaml
        at: /spawnerFormDefaults/gpus/value/vendors
  - name: ops
    files: [{ artifact: clusters/themelio/deviceclasses/, to: base/classes/ }]
"""
SMALL = f"""\
schema_version: 1
offerings:
  - component: gpu_a10g
    name: NVIDIA A10G
    label: nvidia.com/a10g
    node_selector: {{ accelerator: nvidia-a10g }}
    device_class:
      product_names: [NVIDIA A10G]
{CATALOG[CATALOG.index("clusters:") : CATALOG.index("consumers:")]}{CONSUMERS}"""
API = "components:\n  schemas:\n    GpuLabel: {}\n    Gpu: {}\n"


def examples(code):
    return re.findall(r"```(\w+)\n(.*?)```", pages.page(code).text, re.DOTALL)


def consumer_of(language, example):
    """Which consumer's file an example is."""
    if example.startswith("spawnerFormDefaults"):
        return "form", "form.yaml"
    return {
        "typescript": ("web", "src/gpuLabels.ts"),
        "markdown": ("docs", "gpus.md"),
        "yaml": ("api", "openapi.yaml"),
        "json": ("web", ".gpu-catalog.json"),
    }[language]


def published(folder, language, example):
    """The run of publishing the example, or publishing by it where it is the catalog's."""
    folder.mkdir()
    catalog = Catalog(folder / "catalog")
    consumer, name = consumer_of(language, example)
    if example.startswith("consumers:"):
        catalog.write(SMALL.replace(CONSUMERS, example))
        example = API
    else:
        catalog.write(SMALL)
    return catalog.publish(f"{consumer}={Checkout(folder / consumer, **{name: example})}")


SNIPPETS = [code for code in CODES if examples(code)[0][0] != "console"]
TRANSCRIPTS = [code for code in CODES if code not in SNIPPETS]


@pytest.mark.parametrize("code", SNIPPETS)
def test_the_snippets_are_what_they_claim(tmp_path, code):
    wrong, right = examples(code)
    assert code in published(tmp_path / "wrong", *wrong).codes
    run = published(tmp_path / "right", *right)
    assert run.code == 0, run.out
    assert code not in run.codes


@pytest.mark.parametrize("code", TRANSCRIPTS)
def test_the_transcripts_are_what_happens(tmp_path, monkeypatch, code):
    Catalog(tmp_path).write(SMALL)
    monkeypatch.chdir(tmp_path)
    for name, texts in {"web": {}, "docs": {"gpus.md": PAGE}, "ops": {}}.items():
        Checkout(tmp_path / name, **texts)
    (_, wrong), (_, right) = examples(code)
    shell = Shell()
    assert code in replay(shell, wrong)
    replay(shell, right)
    assert shell.code == 0
    assert code not in shell.output


def test_there_are_pages_of_both_kinds():
    assert len(SNIPPETS) == 16
    assert len(TRANSCRIPTS) == 9
