"""The example consumers of this repository's catalog, published into fresh repositories."""

import shutil
from pathlib import Path

import yaml

from tests.publish.world import Catalog, Checkout

ROOT = Path(__file__).parents[2]
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
    shutil.copyfile(ROOT / "catalog.yaml", tmp_path / "catalog.yaml")
    catalog = Catalog(tmp_path)
    catalog.write(catalog.path.read_text(encoding="utf-8"))
    checkouts = {
        name: Checkout(
            tmp_path / name,
            **{to: read(source) if "\n" not in source else source for to, source in files.items()},
        )
        for name, files in FILES.items()
    }
    words = [f"{name}={checkout}" for name, checkout in checkouts.items()]

    assert catalog.publish(*words, "--check").code == 1
    assert catalog.publish(*words, "--commit").code == 0
    check = catalog.publish(*words, "--check")
    assert (check.code, check.out) == (0, "")
    for checkout in checkouts.values():
        assert checkout.git("status", "--porcelain") == ""
        assert checkout.git("log", "--format=%s") == (
            "Bring the GPU labels up to date with the catalog\nFirst\n"
        )

    web, ansible, docs = checkouts.values()
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
