"""A small catalog, its consumers' checkouts, and the command line run on both."""

import contextlib
import subprocess
from typing import NamedTuple

import pytest

from generator import cli
from generator.catalog.model import Placement
from generator.places import put
from generator.places.placed import Refused

CATALOG = """\
schema_version: 1
offerings:
  - component: gpu_a10g
    name: NVIDIA A10G
    label: nvidia.com/a10g
    node_selector: { accelerator: nvidia-a10g }
    device_class: { product_names: [NVIDIA A10G] }
  - component: gpu_a100
    name: NVIDIA A100
    label: nvidia.com/a100
    node_selector: { accelerator: nvidia-a100 }
    device_class: { product_names: [NVIDIA A100] }
retired_labels:
  - { label: nvidiax.com/gpu, reason: typo, replaced_by: [nvidia.com/a10g] }
clusters:
  - name: themelio
    kubernetes: "1.36"
    namespace: themelio
waldur: { measured_unit: GPU, accounting_type: limit }
consumers:
  - name: web
    files:
      - { artifact: web/gpuLabels.ts, to: src/gpuLabels.ts }
  - name: docs
    files:
      - { artifact: docs/gpu-labels.md, to: gpus.md, region: gpu-labels }
      - { artifact: docs/gpu-labels.md, to: gpus.md, region: gpu-action-snippet, marker: example }
  - name: api
    files:
      - artifact: openapi/gpu-label.yaml
        to: openapi.yaml
        at: /components/schemas/Gpu/enum
        from: /components/schemas/GpuLabel/enum
  - name: ops
    files:
      - { artifact: clusters/themelio/configmap.yaml, to: base/gpus.yaml }
      - { artifact: clusters/themelio/deviceclasses/, to: base/classes/ }
"""

ALL = """\
  - component: gpu_h100
    name: NVIDIA H100
    label: nvidia.com/h100
    node_selector: { accelerator: nvidia-h100 }
    device_class: { product_names: [NVIDIA H100] }
"""
"""One offering more."""

PAGE = """\
# GPUs

<!-- BEGIN gpu-catalog gpu-labels -->
<!-- END gpu-catalog gpu-labels -->

- For example:

  <!-- BEGIN gpu-catalog example -->
  <!-- END gpu-catalog example -->
"""

API = """\
openapi: 3.0.3 # ours
components:
  schemas:
    Gpu:
      type: string
      enum: [x] # all of them
"""


class Run(NamedTuple):
    """What a run of the command line left."""

    code: int
    out: str
    err: str

    @property
    def codes(self):
        return [word.rstrip(":") for word in self.out.split() if word.startswith("GC")]


def gpu_catalog(*words):
    return Run(*cli.run([str(word) for word in words]))


@contextlib.contextmanager
def isolated_git():
    """Git without this machine's settings."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("GIT_CONFIG_GLOBAL", "/dev/null")
        patch.setenv("GIT_CONFIG_SYSTEM", "/dev/null")
        for who in ("AUTHOR", "COMMITTER"):
            patch.setenv(f"GIT_{who}_NAME", "Ada")
            patch.setenv(f"GIT_{who}_EMAIL", "ada@example.org")
        yield


class Catalog:
    """A catalog in a folder of its own, with its generated files."""

    def __init__(self, folder):
        self.path = folder / "catalog.yaml"

    def write(self, text):
        self.path.parent.mkdir(exist_ok=True)
        self.path.write_text(text, encoding="utf-8")
        run = gpu_catalog("generate", "--catalog", self.path)
        assert run.code == 0, run

    def change(self, old, new):
        text = self.path.read_text(encoding="utf-8")
        assert old in text
        self.write(text.replace(old, new))

    def add_offering(self):
        self.change("retired_labels:", ALL + "retired_labels:")

    def publish(self, *words):
        return gpu_catalog("publish", *words, "--catalog", self.path)


class Checkout:
    """A consumer's checkout: a git repository with one commit."""

    def __init__(self, root, **texts):
        self.root = root
        root.mkdir()
        self.git("init", "--quiet", "--initial-branch=main")
        for name, text in texts.items():
            self.put(name, text)
        self.git("add", ".")
        self.git("commit", "--quiet", "--allow-empty", "--message=First")

    @classmethod
    def at(cls, root):
        """The checkout that is at `root` already."""
        checkout = cls.__new__(cls)
        checkout.root = root
        return checkout

    def __str__(self):
        return str(self.root)

    def git(self, *arguments):
        command = ["git", "-C", str(self.root), *arguments]
        return subprocess.run(command, check=True, capture_output=True, text=True).stdout

    def put(self, name, text):
        path = self.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
        return path

    def text(self, name):
        return (self.root / name).read_bytes().decode()

    def files(self):
        """Every file but git's own, with its bytes and mode."""
        return {
            str(path.relative_to(self.root)): (path.read_bytes(), path.stat().st_mode)
            for path in sorted(self.root.rglob("*"))
            if path.is_file() and ".git" not in path.relative_to(self.root).parts
        }


def place(text, artifact, **where):
    """What `put` makes of a consumer's text, whose file is `to`."""
    placement = Placement("artifact.yaml", where.pop("to", "file.yaml"), **where)
    return put(text, placement, artifact)


def refusal(text, artifact, **where):
    """The code of a refusal, and what stands at its position."""
    try:
        place(text, artifact, **where)
    except Refused as refused:
        offset = refused.offset
        return refused.code, None if offset is None else text[offset:].split("\n")[0]
    return None
