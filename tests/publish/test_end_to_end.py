"""The example consumers of this repository's catalog, published into fresh repositories."""

import re
from pathlib import Path

import pytest
import yaml

from tests.publish.world import Catalog, Checkout, isolated_git

CATALOG = (Path(__file__).parents[2] / "catalog.yaml").read_text(encoding="utf-8")
FIXTURES = Path(__file__).parent / "fixtures"
FILES = {
    "themelio-web": {"package.json": "{}\n"},
    "themelio-ansible": {
        "roles/waldur_site_agent/templates/site-agent.yaml.j2": "site-agent.yaml.j2",
        "roles/kubeflow/files/spawner_ui_config.yaml": "spawner_ui_config.unindented.yaml",
    },
    "themelio-api-docs": {
        "openapi.yaml": "openapi.yaml",
        "docs/actions-yaml.md": "actions-yaml.md",
    },
}
LABELS = [
    "nvidia.com/a10g",
    "nvidia.com/a100",
    "nvidia.com/a100-mig-1g.5gb",
    "nvidia.com/a100-mig-3g.20gb",
]


def test_the_catalog_of_this_repository_reaches_its_consumers(tmp_path):
    catalog = Catalog(tmp_path)
    catalog.write(CATALOG)
    words = consumers(tmp_path)

    assert catalog.publish(*words, "--check").code == 1
    assert catalog.publish(*words, "--commit").code == 0
    check = catalog.publish(*words, "--check")
    assert (check.code, check.out) == (0, "")
    checkouts = [Checkout.at(tmp_path / name) for name in FILES]
    for checkout in checkouts:
        assert checkout.git("status", "--porcelain") == ""
        assert checkout.git("log", "--format=%s") == (
            "Bring the GPU labels up to date with the catalog\nFirst\n"
        )

    web, ansible, docs = checkouts
    assert all(f'"{label}"' in web.text("src/gpu/gpuLabels.ts") for label in LABELS)
    labels = yaml.safe_load(ansible.text("group_vars/all/themelio_gpu_labels.yml"))
    assert list(labels["themelio_gpu_labels"]) == LABELS
    form = yaml.safe_load(ansible.text("roles/kubeflow/files/spawner_ui_config.yaml"))
    vendors = form["spawnerFormDefaults"]["gpus"]["value"]["vendors"]
    assert [vendor["limitsKey"] for vendor in vendors] == LABELS
    template = ansible.text("roles/waldur_site_agent/templates/site-agent.yaml.j2")
    assert all(f"requests.{label}\n" in template for label in LABELS)
    assert "nvidiax" not in template
    classes = ansible.root / "roles/dra/files/deviceclasses"
    names = yaml.safe_load((classes / "kustomization.yaml").read_text())["resources"]
    assert sorted([*names, "kustomization.yaml"]) == sorted(path.name for path in classes.iterdir())
    schema = yaml.safe_load(docs.text("openapi.yaml"))["components"]["schemas"]["GpuLabel"]
    assert schema["enum"] == LABELS

    changed = docs.git("show", "--numstat", "--format=").splitlines()
    assert [line.split()[2] for line in changed] == [
        ".gpu-catalog.json",
        "docs/actions-yaml.md",
        "openapi.yaml",
    ]
    assert changed[1].split()[1] == "0"
    old = "      type: string\n      enum:\n        - nvidia.com/gpu\n"
    before, after = read("openapi.yaml").split(old)
    assert docs.text("openapi.yaml").startswith(before)
    assert docs.text("openapi.yaml").endswith(after)


def read(name):
    return (FIXTURES / name).read_text(encoding="utf-8")


def consumers(folder):
    """The checkouts of all consumers in the folder, as `publish` is told of them."""
    for name, files in FILES.items():
        texts = {to: source if "\n" in source else read(source) for to, source in files.items()}
        Checkout(folder / name, **texts)
    return [f"{name}={folder / name}" for name in FILES]


H100 = """\
  - component: gpu_h100
    name: NVIDIA H100 with a name that is longer than those of all others
    label: nvidia.com/h100
    node_selector: { accelerator: nvidia-h100 }
    device_class:
      product_names: [NVIDIA H100]
"""
A100, MIG = "nvidia.com/a100", "nvidia.com/a100-mig-3g.20gb"
EDITS = {
    "one more, at the end": (
        lambda text: text.replace("\n# Never valid again", f"\n{H100}\n# Never valid again"),
        {name: ["added: nvidia.com/h100"] for name in FILES},
    ),
    "one more, at the start": (
        lambda text: text.replace("offerings:\n", f"offerings:\n{H100}", 1),
        {name: ["added: nvidia.com/h100"] for name in FILES},
    ),
    "the last one goes": (
        lambda text: (
            text[: text.index("  - component: gpu_a100_mig_3g")]
            + text[text.index("# Never valid again") :].replace(f"[{MIG}]", f"[{A100}]")
        ),
        {name: [f"removed: {MIG}"] for name in FILES},
    ),
    "one gets another label": (
        lambda text: re.sub(rf"{A100}\b(?!-)", f"{A100}x", text),
        {name: [f"added: {A100}x", f"removed: {A100}"] for name in FILES},
    ),
    "one gets another name": (
        lambda text: text.replace("name: NVIDIA A10G", "name: A10G, of NVIDIA"),
        {
            "themelio-ansible": ["changed: nvidia.com/a10g"],
            "themelio-api-docs": ["changed: nvidia.com/a10g"],
        },
    ),
    "the last one gets another node selector": (
        lambda text: text.replace(
            "nvidia-a100 }\n    mig_profile: 3g", "nvidia-mig }\n    mig_profile: 3g"
        ),
        {"themelio-ansible": [f"changed: {MIG}"]},
    ),
    "the last one selects other devices": (
        lambda text: text.replace(
            "3g.20gb\n    device_class:\n      products: [a100-40gb]",
            "3g.20gb\n    device_class:\n      product_names: [NVIDIA A100X]",
        ),
        {"themelio-ansible": [f"changed: {MIG}"]},
    ),
    "one is deprecated": (
        lambda text: text.replace(
            "gpu_a100\n", f"gpu_a100\n    deprecated: {{ replaced_by: [{MIG}] }}\n"
        ).replace(f", {A100}]", "]"),
        {
            "themelio-web": [],
            "themelio-ansible": [f"changed: {A100}"],
            "themelio-api-docs": [f"changed: {A100}"],
        },
    ),
}


@pytest.fixture(scope="module")
def published(tmp_path_factory):
    """The folder of a catalog and of its consumers' checkouts, with what was published there."""
    folder = tmp_path_factory.mktemp("published")
    with isolated_git():
        Catalog(folder).write(CATALOG)
        checkouts = consumers(folder)
        assert Catalog(folder).publish(*checkouts, "--commit").code == 0
    return folder


@pytest.mark.parametrize("edit", EDITS)
def test_messages_name_the_labels_that_the_edit_is_about(published, edit):
    change, expected = EDITS[edit]
    catalog = Catalog(published)
    text = change(CATALOG)
    assert text != CATALOG
    catalog.write(text)
    run = catalog.publish(
        *(f"{name}={published / name}" for name in FILES), "--commit", "--dry-run"
    )
    told = {}
    for message in run.out.split("would commit in ")[1:]:
        path, _, words = message.partition(":\n\n")
        told[Path(path).name] = re.findall("^Labels (.+)$", words, re.MULTILINE)
    assert told == expected
