"""What tests of whole commands share."""

from pathlib import Path

import pytest

from generator import cli

CATALOG = """\
schema_version: 1
offerings:
  - component: gpu_a10g
    name: NVIDIA A10G
    label: nvidia.com/a10g
    node_selector: { accelerator: nvidia-a10g }
    device_class:
      product_names: [NVIDIA A10G]
clusters:
  - name: themelio
    kubernetes: "1.36"
    namespace: themelio
"""


@pytest.fixture
def sandbox(tmp_path, monkeypatch):
    """The working folder: a small catalog, and what is generated from it."""
    monkeypatch.chdir(tmp_path)
    Path("catalog.yaml").write_text(CATALOG)
    assert cli.run(["generate"])[0] == 0
    return tmp_path
