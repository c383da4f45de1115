"""What a consumer finds in a target's files, by parsers that share no code with the generator."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import jinja2
import yaml
from markdown_it import MarkdownIt
from ruamel.yaml import YAML

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    Files = Mapping[str, str]

SITE = {
    "themelio_waldur_api_url": "https://waldur.example.org/api/",
    "themelio_waldur_api_token": "0123abcd",
    "themelio_waldur_offering_uuid": "89efcdab",
}
TABLES = ("gpu-labels", "gpu-labels-deprecated", "gpu-labels-retired")


def load(text: str) -> Any:
    """The data in which YAML 1.1 (PyYAML) and YAML 1.2 (ruamel.yaml) agree, types included."""
    older = yaml.load(text, yaml.CSafeLoader)
    newer = YAML(typ="safe", pure=True).load(text)
    if repr(older) != repr(newer):
        raise ValueError(f"PyYAML reads {older}, ruamel.yaml {newer}")
    return older


def per_cluster(read: Callable[[str, Files], Any]) -> Callable[[Files], dict[str, Any]]:
    """A reader of each cluster's files, by their paths below the cluster's folder."""

    def reader(files: Files) -> dict[str, Any]:
        clusters: dict[str, dict[str, str]] = {}
        for path, text in files.items():
            _, name, rest = path.split("/", 2)
            clusters.setdefault(name, {})[rest] = text
        return {name: read(name, own) for name, own in clusters.items()}

    return reader


def read_gpu_labels(_name: str, files: Files) -> Any:
    config_map = load(files["configmap.yaml"])
    [(key, document)] = config_map["data"].items()
    parsed = load(document)
    assert list(parsed) == ["gpu_labels"]
    assert load(files["ansible/themelio_gpu_labels.yml"]) == {
        "themelio_gpu_labels": parsed["gpu_labels"]
    }
    metadata = config_map["metadata"]
    kind = config_map["apiVersion"], config_map["kind"]
    return kind, metadata["name"], metadata["namespace"], key, list(parsed["gpu_labels"].items())


def read_ansible(_name: str, files: Files) -> Any:
    return load(files["ansible/themelio_gpu_consumers.yml"])


def read_waldur(_name: str, files: Files) -> Any:
    [text] = files.values()
    ansible = jinja2.Environment(
        trim_blocks=True, keep_trailing_newline=True, undefined=jinja2.StrictUndefined
    )
    [offering] = load(ansible.from_string(text).render(SITE))["offerings"]
    mapping = offering["backend_settings"]["component_quota_mapping"]
    components = offering["backend_components"]
    sold = load(region(text, "component-quota-mapping")) or {}
    described = load(region(text, "backend-components")) or {}
    assert mapping == {"cpu": "cpu", "ram": "memory", "storage": "storage", **sold}
    assert list(components) == ["cpu", "ram", "storage", *described]
    assert {name: components[name] for name in described} == described
    assert not any("type" in component for component in described.values())
    secret = offering["waldur_api_url"], offering["waldur_api_token"]
    return offering["name"], secret, offering["waldur_offering_uuid"], sold, described


def region(text: str, name: str) -> str:
    """The lines between a region's two markers."""
    lines = text.split("\n")
    [begin] = [n for n, line in enumerate(lines) if f"BEGIN gpu-catalog {name} " in f"{line} "]
    [end] = [n for n, line in enumerate(lines) if f"END gpu-catalog {name} " in f"{line} "]
    return "\n".join(lines[begin + 1 : end])


def read_kubeflow(_name: str, files: Files) -> Any:
    [text] = files.values()
    return load(text)


def read_deviceclasses(_name: str, files: Files) -> Any:
    kustomization = load(files["deviceclasses/kustomization.yaml"])
    assert kustomization["kind"] == "Kustomization"
    manifests = [load(files[f"deviceclasses/{file}"]) for file in kustomization["resources"]]
    assert len(files) == len(manifests) + 1
    found = []
    for file, manifest in zip(kustomization["resources"], manifests, strict=True):
        metadata, spec = manifest["metadata"], manifest["spec"]
        assert (manifest["apiVersion"], manifest["kind"]) == ("resource.k8s.io/v1", "DeviceClass")
        assert metadata["labels"] == {"app.kubernetes.io/managed-by": "gpu-catalog"}
        assert file == metadata["name"] + ".yaml"
        [selector] = spec["selectors"]
        verified = metadata["annotations"]["gpu-catalog/selectors"]
        label = spec["extendedResourceName"]
        found.append((metadata["name"], label, selector["cel"]["expression"], verified))
    return found


def read_web(files: Files) -> Any:
    """Its literals are YAML flow collections, too."""
    [text] = files.values()
    [mapping] = re.findall(r"GPU_LABEL_BY_COMPONENT = (\{[^}]*\}) as const satisfies", text)
    [deprecated] = re.findall(r": readonly GpuComponent\[\] = (\[[^]]*\]);\n", text)
    return list(load(mapping).items()), load(deprecated)


def read_openapi(files: Files) -> Any:
    [text] = files.values()
    schemas = load(text)["components"]["schemas"]
    assert list(schemas) == ["GpuLabel"]
    schema = schemas["GpuLabel"]
    items = [
        pieces(token.children)
        for token in MarkdownIt().parse(schema["description"])
        if token.type == "inline"
    ]
    return schema["type"], schema["enum"], items[1:]


def read_docs(files: Files) -> Any:
    [text] = files.values()
    parsed = {name: list(tables(region(text, name))) for name in TABLES}
    parsed["gpu-labels-retired"] = [row[:2] for row in parsed["gpu-labels-retired"]]
    [fence] = re.findall(r"```yaml\n(.*?)```", region(text, "gpu-action-snippet"), re.DOTALL)
    return parsed, load(fence)


def tables(text: str) -> Iterator[tuple[str, ...]]:
    """The body rows of the Markdown's tables, each cell as a reader sees it."""
    cells: list[str] = []
    body = False
    for token in MarkdownIt().enable("table").parse(text):
        if token.type in ("tbody_open", "tbody_close"):
            body = token.type == "tbody_open"
        elif token.type == "tr_open":
            cells = []
        elif token.type == "inline":
            cells.append(pieces(token.children))
        elif token.type == "tr_close" and body:
            yield tuple(cells)


def pieces(children: Any) -> str:
    """The text of inline tokens, of which only text and code may occur."""
    kinds = {"text", "text_special", "code_inline", "softbreak"}
    assert {token.type for token in children} <= kinds, children
    return "".join(token.content or "\n" * (token.type == "softbreak") for token in children)


def read_rollout(_name: str, files: Files) -> Any:
    rows = list(tables(files["rollout/RUNBOOK.md"].split("\n\nFollow", 1)[0]))
    pods, actions = [], []
    for path, text in files.items():
        if path.endswith(".action.yaml"):
            actions.append(load(text)["options"])
        elif path.startswith("rollout/smoke/"):
            spec = load(text)["spec"]
            resources = spec["containers"][0]["resources"]
            assert resources["requests"] == resources["limits"]
            pods.append((spec["nodeSelector"], [k for k in resources["limits"] if "/" in k]))
    quota = files.get("rollout/smoke-quota.yaml")
    hard = load(quota)["spec"]["hard"] if quota else {}
    return rows, pods, actions, list(hard.items())


READERS: dict[str, Callable[[Files], Any]] = {
    "gpu_labels": per_cluster(read_gpu_labels),
    "ansible": per_cluster(read_ansible),
    "waldur": per_cluster(read_waldur),
    "kubeflow": per_cluster(read_kubeflow),
    "deviceclasses": per_cluster(read_deviceclasses),
    "web": read_web,
    "openapi": read_openapi,
    "docs": read_docs,
    "rollout": per_cluster(read_rollout),
}
"""A target without a reader is still read as YAML, where it is."""
