"""`explain`: an offering, a retired label or a code, and what people meant instead."""

import json
from pathlib import Path

import pytest

from generator import cli, explain, pages

CATALOG = """\
schema_version: 1
offerings:
  - component: gpu_a100
    name: NVIDIA A100
    label: nvidia.com/a100
    node_selector: { accelerator: nvidia-a100, pool: gpu }
    device_class:
      product_names: [NVIDIA A100-SXM4-40GB]
  - component: gpu_a100_mig_1g_5gb
    name: NVIDIA A100 MIG 1g.5gb
    label: nvidia.com/a100-mig-1g.5gb
    node_selector: { accelerator: nvidia-a100 }
    mig_profile: 1g.5gb
    notebooks: false
  - name: Some GPU
    label: nvidia.com/gpu
    node_selector: { accelerator: any }
    deprecated: { replaced_by: [nvidia.com/a100], note: It did not say which. }
retired_labels:
  - label: nvidiax.com/gpu
    reason: typo
    replaced_by: [nvidia.com/a100, nvidia.com/a100-mig-1g.5gb]
  - label: nvidia.com/k80
    reason: withdrawn
clusters:
  - name: themelio
    kubernetes: "1.36"
    namespace: themelio
  - name: small
    kubernetes: "1.36"
    namespace: small
    offerings: [gpu_a100_mig_1g_5gb]
"""


@pytest.fixture(autouse=True)
def catalog(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("catalog.yaml").write_text(CATALOG)


def told(subject):
    code, text, summary = cli.run(["explain", subject])
    assert (code, summary) == (0, "")
    head, _, lines = text.partition("\n\n")
    return head, lines.splitlines()


def test_offering():
    head, lines = told("nvidia.com/a100")
    assert head == (
        "nvidia.com/a100: NVIDIA A100\n"
        "  catalog       catalog.yaml:3:5\n"
        "  component     gpu_a100\n"
        "  label         nvidia.com/a100 (what actions write as options.gpuLabel)\n"
        "  quota key     requests.nvidia.com/a100\n"
        "  MIG           no: a whole GPU\n"
        "  notebooks     offered\n"
        "  device class  a100.nvidia.com\n"
        "  on themelio   not verified, on nodes with accelerator=nvidia-a100, pool=gpu\n"
        "  on small      not offered"
    )
    named = {(line.split(":")[0], line.split(": ", 1)[1]) for line in lines}
    folder = "generated/clusters/themelio"
    assert {
        ("generated/web/gpuLabels.ts", 'gpu_a100: "nvidia.com/a100",'),
        (f"{folder}/configmap.yaml", "nvidia.com/a100:"),
        (f"{folder}/deviceclasses/a100.nvidia.com.yaml", "extendedResourceName: nvidia.com/a100"),
        (f"{folder}/deviceclasses/kustomization.yaml", "- a100.nvidia.com.yaml"),
        (f"{folder}/waldur/site-agent.yaml.j2", "gpu_a100: requests.nvidia.com/a100"),
    } <= named


def test_every_line_is_where_it_says():
    assert cli.run(["generate"])[0] == 0
    _, lines = told("gpu_a100")
    assert len(lines) > 10
    for line in lines:
        path, number, text = line.split(":", 2)
        assert Path(path).read_text().split("\n")[int(number) - 1].strip() == text.strip()


@pytest.mark.parametrize(
    "subject", ["nvidia.com/a100", "gpu_a100", "requests.nvidia.com/a100", "a100.nvidia.com"]
)
def test_an_offering_has_four_names(subject):
    assert told(subject) == told("nvidia.com/a100")


def test_mig_without_class():
    head, _ = told("gpu_a100_mig_1g_5gb")
    assert "  MIG           1g.5gb\n  notebooks     not offered\n  device class  none yet\n" in head
    assert head.endswith("  on small      not verified, on nodes with accelerator=nvidia-a100")


def test_deprecated_without_a_replacement():
    note = "{ replaced_by: [nvidia.com/a100], note: It did not say which. }"
    Path("catalog.yaml").write_text(CATALOG.replace(note, "{}"))
    assert "  deprecated    Instead: nothing, it goes\n" in told("nvidia.com/gpu")[0]


def test_deprecated():
    head, _ = told("nvidia.com/gpu")
    assert "  component     none: Waldur never sold it\n" in head
    assert "  deprecated    It did not say which. Instead: nvidia.com/a100\n" in head
    assert "  notebooks     not offered\n" in head


def test_retired_label():
    head, lines = told("nvidiax.com/gpu")
    assert head == (
        "nvidiax.com/gpu: a retired label\n"
        "  catalog  catalog.yaml:20:5\n"
        "  retired  typo\n"
        "  instead  nvidia.com/a100 or nvidia.com/a100-mig-1g.5gb"
    )
    assert any(line.startswith("generated/docs/gpu-labels.md:") for line in lines)


def test_withdrawn_label():
    assert told("nvidia.com/k80")[0].endswith("  instead  nothing replaces it")


def test_code():
    page = pages.page("GC302")
    assert cli.run(["explain", "GC302"]) == (0, page.text, "")
    assert cli.run(["explain", "gc302"]) == (0, page.text, "")


def test_a_code_needs_no_catalog():
    Path("catalog.yaml").unlink()
    assert cli.run(["explain", "GC302"])[0] == 0
    assert cli.run(["explain", "gpu_a100"])[0] == 4


@pytest.mark.parametrize(
    ("subject", "message", "hint"),
    [
        ("GC3022", "there is no code `GC3022`", "did you mean `GC302`?"),
        ("GC999", "there is no code `GC999`", "did you mean `GC"),
        (
            "nvidia.com/a10",
            "there is no offering or retired label `nvidia.com/a10`",
            "did you mean `nvidia.com/a100`?",
        ),
        (
            "gpu_a1000",
            "there is no offering or retired label `gpu_a1000`",
            "did you mean `gpu_a100`?",
        ),
        ("zebra", "there is no offering or retired label `zebra`", ""),
    ],
)
def test_unknown(subject, message, hint):
    code, text, _ = cli.run(["explain", subject])
    assert code == 2
    assert text.startswith(f"error GC001: {message}\n" + (f"hint: {hint}" if hint else ""))
    assert ("hint" in text) is bool(hint)


def test_json():
    _, text, _ = cli.run(["explain", "gpu_a100", "--format", "json"])
    summary = json.loads(text)["summary"]
    assert summary["title"] == "nvidia.com/a100: NVIDIA A100"
    assert summary["facts"]["quota key"] == "requests.nvidia.com/a100"
    line = next(line for line in summary["lines"] if line["path"] == "web/gpuLabels.ts")
    assert line["text"] == 'gpu_a100: "nvidia.com/a100",'
    assert isinstance(line["number"], int)
    _, text, _ = cli.run(["explain", "GC302", "--format", "json"])
    assert json.loads(text)["summary"]["code"] == "GC302"


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("nvidia.com/a100", True),
        ('"nvidia.com/a100",', True),
        ("requests.nvidia.com/a100: 1", True),
        ("`nvidia.com/a100`.", True),
        ("nvidia.com/a100.", True),
        ("gpu_a100:", True),
        ("a100.nvidia.com.yaml", True),
        ("a100.nvidia.com", True),
        ("nvidia.com/a100-mig-1g.5gb", False),
        ("nvidia.com/a100.large", False),
        ("gpu_a100_mig", False),
        ("my_gpu_a100", False),
        ("limits.nvidia.com/a100", False),
        ("x/nvidia.com/a100", False),
        ("nvidia-a100", False),
    ],
)
def test_a_line_names_the_offering_when_the_whole_word_stands_there(text, named):
    names = ["nvidia.com/a100", "gpu_a100", "requests.nvidia.com/a100", "a100.nvidia.com"]
    assert (explain.pattern(names).search(text) is not None) is named
