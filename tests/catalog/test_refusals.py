"""What a catalog may not say. Each row edits a good catalog; `§CODE§` stands where the fault is."""

import re
from pathlib import Path

import pytest

from generator.catalog import reader
from generator.findings import Invalid

BASE = (Path(__file__).parent / "base.yaml").read_text(encoding="utf-8")
MARK = re.compile(r"§(GC\d{3})§")

A10G = "label: nvidia.com/a10g"
MIG = "label: nvidia.com/a100-mig-1g.5gb"
SELECTOR = "node_selector: {accelerator: nvidia-a10g}"
CLASS = "device_class: {products: [a10g]}"
VERSION = 'kubernetes: "1.36.4"'
FILE = "{artifact: web/gpuLabels.ts, to: src/gpuLabels.ts}"
REGION = "{artifact: docs/gpu-labels.md, to: docs/gpus.md, region: gpu-labels}"
RETIRED = "{label: nvidia.com/gpu, reason: generic, replaced_by: [nvidia.com/h100]}"
CEL_OF_10_KIB = "device.driver == 'gpu.nvidia.com' && " + "true && " * 1280 + "true"

# id, what stands in the base catalog, what stands there instead
SYNTAX = [
    (
        "unclosed-flow",
        SELECTOR,
        "node_selector: {accelerator: nvidia-a10g\n    device_class§GC101§: 1",
    ),
    ("tab-as-indentation", f"    {A10G}", f"§GC101§\t{A10G}"),
    ("bad-indentation", f"    {A10G}", f"   §GC101§{A10G}"),
    ("plain-percent", "name: NVIDIA A10G", "name: §GC101§%A10G"),
    ("two-documents", "consumers:", "---\n§GC102§consumers:"),
    ("duplicate-key", A10G, f"{A10G}\n    §GC103§{A10G}"),
    ("duplicate-key-at-the-top", "consumers:", "§GC103§clusters: []\nconsumers:"),
    ("duplicate-key-in-flow", SELECTOR, "node_selector: {a: b, §GC103§a: c}"),
    ("duplicate-key-in-other-quotes", SELECTOR, "node_selector: {a: b, §GC103§'a': c}"),
    ("anchor", SELECTOR, "node_selector: §GC104§&a {accelerator: nvidia-a10g}"),
    ("anchor-on-text", A10G, "label: §GC104§&a nvidia.com/a10g"),
    ("alias", "  a10g: [NVIDIA A10G]", "  a10g: §GC104§&a [NVIDIA A10G]\n  b: §GC104§*a"),
    ("merge-key", SELECTOR, "node_selector: {accelerator: a, §GC104§<<: {a: b}}"),
    ("tag", A10G, "label: §GC104§!!str nvidia.com/a10g"),
    ("own-tag", SELECTOR, "node_selector: §GC104§!x {accelerator: nvidia-a10g}"),
    ("ambiguous-key", SELECTOR, "node_selector: {§GC105§on: nvidia-a10g}"),
    ("number-as-key", SELECTOR, "node_selector: {§GC105§1: nvidia-a10g}"),
    ("list-as-key", SELECTOR, "node_selector: {§GC105§[a]: b, c: d}"),
    ("control-character", "name: NVIDIA A10G", 'name: §GC106§"NVIDIA\\x07A10G"'),
    ("line-feed-in-text", "name: NVIDIA A10G", 'name: §GC106§"NVIDIA\\nA10G"'),
    ("line-separator-in-text", "name: NVIDIA A10G", 'name: §GC106§"NVIDIA\\LA10G"'),
    ("byte-order-mark-in-text", "name: NVIDIA A10G", 'name: §GC106§"NVIDIA\\uFEFFA10G"'),
    ("right-to-left-override", "name: NVIDIA A10G", 'name: §GC106§"NVIDIA\\u202EA10G"'),
    ("tab-in-text", "name: NVIDIA A10G", 'name: §GC106§"NVIDIA\\tA10G"'),
    ("raw-control-character", "name: NVIDIA A10G", "name: NVIDIA §GC101§\x01"),
    ("jinja-value", "name: NVIDIA A10G", "name: §GC107§'{{ lookup(1) }}'"),
    ("jinja-statement", "note: Use the H100.", "note: §GC107§'{% if %}'"),
    ("jinja-comment", "name: NVIDIA A10G", "name: §GC107§'A {# B #}'"),
    (
        "conflict",
        "retired_labels:",
        "§GC101§<<<<<<< HEAD\nretired_labels:\n=======\nretired:\n>>>>>>> branch",
    ),
    ("marker", "name: NVIDIA A10G", "name: §GC108§A10G END gpu-catalog gpu-labels"),
]
SHAPE = [
    ("blank-name", "name: NVIDIA A10G", "name: §GC113§'  '"),
    ("blank-expression", CLASS, 'device_class: {cel: §GC113§" \\n"}'),
    ("no-schema-version", "schema_version: 1\n", ""),
    ("unknown-version", "schema_version: 1", "schema_version: §GC113§2"),
    ("version-as-text", "schema_version: 1", 'schema_version: §GC113§"1"'),
    ("unknown-key", "    mig_profile:", "    §GC110§migprofile:"),
    ("unknown-key-at-the-top", "waldur:", "§GC110§waldurs: {}\nwaldur:"),
    ("derived-quota-key", A10G, f"{A10G}\n    §GC110§quota_key: requests.nvidia.com/a10g"),
    ("derived-mig-enabled", A10G, f'{A10G}\n    §GC110§mig_enabled: "false"'),
    ("waldur-type", "accounting_type: limit}", "accounting_type: limit, §GC110§type: gpu}"),
    ("missing-namespace", "    namespace: themelio\n", ""),
    (
        "missing-name-and-label",
        "name: An old label\n    label: nvidia.com/old\n    ",
        "§GC111§§GC111§",
    ),
    ("no-value", A10G, "label:§GC112§"),
    ("list-for-text", A10G, "label: §GC112§[nvidia.com/a10g]"),
    ("text-for-a-list", CLASS, "device_class: {products: §GC112§a10g}"),
    ("text-for-a-mapping", SELECTOR, "node_selector: §GC112§accelerator"),
    ("yes-for-a-boolean", A10G, f"{A10G}\n    notebooks: §GC105§yes"),
    ("text-for-a-boolean", A10G, f'{A10G}\n    notebooks: §GC112§"true"'),
    ("boolean-for-text", SELECTOR, "node_selector: {accelerator: §GC105§true}"),
    ("unquoted-no", SELECTOR, "node_selector: {accelerator: §GC105§no}"),
    ("unquoted-exponent", SELECTOR, "node_selector: {accelerator: §GC105§1e3}"),
    ("unquoted-octal", SELECTOR, "node_selector: {accelerator: §GC105§012}"),
    ("unquoted-sexagesimal", SELECTOR, "node_selector: {accelerator: §GC105§12:30}"),
    ("unquoted-date", SELECTOR, "node_selector: {accelerator: §GC105§2026-01-01}"),
    ("unquoted-tilde", SELECTOR, "node_selector: {accelerator: §GC105§~}"),
    ("unquoted-y", SELECTOR, "node_selector: {accelerator: §GC105§y}"),
    ("unquoted-version", VERSION, "kubernetes: §GC105§1.36"),
    ("unquoted-number", SELECTOR, "node_selector: {accelerator: §GC105§100}"),
    ("empty-name", "name: NVIDIA A10G", 'name: §GC113§""'),
    ("name-over-150", "name: NVIDIA A10G", f"name: §GC113§{'A' * 151}"),
    ("unit-over-30", "measured_unit: GPU", f"measured_unit: §GC113§{'A' * 31}"),
    ("component-with-dot", "component: gpu_a10g", "component: §GC113§gpu_a10.g"),
    ("component-over-50", "component: gpu_a10g", f"component: §GC113§g{'a' * 50}"),
    ("component-upper-case", "component: gpu_a10g", "component: §GC113§GPU"),
    ("label-without-domain", A10G, "label: §GC113§a10g"),
    ("label-upper-case-domain", A10G, "label: §GC113§NVIDIA.com/a10g"),
    ("label-with-plus", MIG, "label: §GC113§nvidia.com/a100-mig-1g.5gb+me"),
    ("label-with-two-slashes", A10G, "label: §GC113§nvidia.com/gpu/a10g"),
    ("not-a-profile", "mig_profile: 1g.5gb", "mig_profile: §GC113§1g5gb"),
    ("unknown-reason", "reason: generic", "reason: §GC113§because"),
    ("unknown-accounting-type", "accounting_type: limit", "accounting_type: §GC113§quota"),
    ("version-with-v", VERSION, 'kubernetes: §GC113§"v1.36"'),
    ("gate-with-value", VERSION, f'{VERSION}\n    feature_gates: [§GC113§"A=true"]'),
    ("cluster-upper-case", "- name: one", "- name: §GC113§One"),
    (
        "family-upper-case",
        "  a10g: [NVIDIA A10G]",
        "  a10g: [NVIDIA A10G]\n  §GC113§A10: [NVIDIA A10]",
    ),
    ("unknown-device-plugin", VERSION, f"{VERSION}\n    device_plugin: §GC113§enabled"),
    ("pointer-without-slash", REGION, "{artifact: a.yaml, to: b.yaml, at: §GC113§a/b}"),
    ("negative-limit", "accounting_type: limit", "limit: §GC113§-1"),
    ("fractional-count", "accounting_type: limit", "max_value: §GC112§1.5"),
    ("product-over-64", "[NVIDIA A10G]", f"[§GC113§{'A' * 65}]"),
    ("empty-selector", SELECTOR, "node_selector: §GC114§{}"),
    ("empty-products", CLASS, "device_class: {products: §GC114§[]}"),
    ("no-offering-on-a-cluster", "offerings: [gpu_a10g, gpu_h100]", "offerings: §GC114§[]"),
    ("product-twice", "[NVIDIA A10G]", "[NVIDIA A10G, §GC114§NVIDIA A10G]"),
    ("offering-twice-on-a-cluster", "[gpu_a10g, gpu_h100]", "[gpu_a10g, §GC114§gpu_a10g]"),
]
RULES = [
    ("kubernetes-domain", A10G, "label: §GC201§kubernetes.io/a10g"),
    ("kubernetes-in-the-domain", A10G, "label: §GC201§mykubernetes.io/a10g"),
    ("requests-domain", A10G, "label: §GC201§requests.nvidia.com/a10g"),
    ("label-name-over-63", A10G, f"label: §GC201§nvidia.com/{'a' * 64}"),
    ("label-domain-over-244", A10G, f"label: §GC201§{'a' * 245}/a10g"),
    ("domain-with-empty-part", A10G, "label: §GC201§nvidia..com/a10g"),
    ("class-name-over-63", CLASS, f"device_class: {{products: [a10g], name: §GC202§{'a' * 64}}}"),
    ("class-name-with-underscore", CLASS, "device_class: {products: [a10g], name: §GC202§a_b}"),
    ("default-class-name-upper-case", A10G, "label: nvidia.com/A10G"),
    ("selector-key-with-space", SELECTOR, 'node_selector: {§GC203§"a b": c}'),
    ("selector-value-with-space", SELECTOR, "node_selector: {accelerator: §GC203§NVIDIA A10G}"),
    ("selector-value-over-63", SELECTOR, f"node_selector: {{accelerator: §GC203§{'a' * 64}}}"),
    ("overridden-selector", "{gpu: a10g}", '{gpu: §GC203§"a/b"}'),
    (
        "products-and-cel",
        CLASS,
        "device_class: §GC204§{products: [a10g], cel: device.driver == 'x'}",
    ),
    ("neither-products-nor-cel", CLASS, "device_class: §GC204§{name: a10g.nvidia.com}"),
    ("component-twice", "component: gpu_a100_mig", "component: §GC205§gpu_a10g"),
    ("label-twice", "label: nvidia.com/old", "label: §GC205§nvidia.com/a10g"),
    (
        "retired-twice",
        RETIRED,
        f"{RETIRED}\n  - {{label: §GC205§nvidia.com/gpu, reason: withdrawn}}",
    ),
    ("consumer-twice", "consumers:", f"consumers:\n  - {{name: web, files: [{FILE}]}}"),
    ("labels-fold", "label: nvidia.com/old", "label: §GC206§nvidia-com/h100"),
    ("labels-fold-case", "label: nvidia.com/old", "label: §GC206§nvidia.com/A10G"),
    ("component-ram", "component: gpu_a100_mig", "component: §GC222§ram"),
    ("class-of-the-driver", CLASS, "device_class: {products: [a10g], name: §GC207§gpu.nvidia.com}"),
    ("class-kustomization", CLASS, "device_class: {products: [a10g], name: §GC207§kustomization}"),
    ("mig-label-without-profile", "    mig_profile: 1g.5gb\n", ""),
    ("profile-of-another-label", "mig_profile: 1g.5gb", "mig_profile: 1g.10gb"),
    ("profile-with-me", "mig_profile: 1g.5gb", "mig_profile: 1g.5gb+me"),
    ("profile-on-a-whole-gpu", A10G, "label: §GC208§nvidia.com/a10g\n    mig_profile: 1g.5gb"),
    ("unknown-product-family", CLASS, "device_class: {products: [§GC209§a10]}"),
    ("unknown-offering", "[gpu_a10g, gpu_h100]", "[gpu_a10g, gpu_h100, §GC209§gpu_a40]"),
    ("unknown-override", "gpu_a10g: {node_selector", "§GC209§gpu_a11g: {node_selector"),
    (
        "unknown-replacement",
        "replaced_by: [nvidia.com/h100], note",
        "replaced_by: [§GC209§a.b/c], note",
    ),
    (
        "unknown-retired-replacement",
        RETIRED,
        "{label: a.b/c, reason: typo, replaced_by: [§GC209§a.b/d]}",
    ),
    ("kubernetes-1.33", VERSION, 'kubernetes: §GC210§"1.33.9"'),
    ("kubernetes-0.9", VERSION, 'kubernetes: §GC113§"0.9"'),
    ("1.35-without-gates", VERSION, 'kubernetes: §GC211§"1.35"'),
    (
        "1.35-with-one-gate",
        VERSION,
        'kubernetes: "1.35"\n    feature_gates: §GC211§[DRAExtendedResource]',
    ),
    (
        "retired-and-offered",
        "{label: nvidia.com/gpu, reason",
        "{label: §GC216§nvidia.com/a10g, reason",
    ),
    (
        "replaced-by-deprecated",
        "replaced_by: [nvidia.com/h100]}",
        "replaced_by: [§GC217§nvidia.com/old]}",
    ),
    ("cel-over-10-kib", CLASS, f'device_class: §GC113§{{cel: "{CEL_OF_10_KIB}"}}'),
    ("same-devices", "{products: [a10g]}", "{products: [a10g]}"),
    ("no-component", "  - component: gpu_a10g\n    name", "  - §GC221§name"),
    (
        "nodes-without-the-driver",
        "{accelerator: nvidia-h100}",
        '{nvidia.com/dra-kubelet-plugin: §GC260§"false"}',
    ),
    (
        "overridden-to-nodes-without-the-driver",
        "{gpu: a10g}",
        '{nvidia.com/dra-kubelet-plugin: §GC260§"no"}',
    ),
    (
        "nodes-of-the-device-plugin",
        "{accelerator: nvidia-h100}",
        '{nvidia.com/gpu.deploy.device-plugin: §GC260§"true"}',
    ),
    ("retired-without-replacement", RETIRED, "§GC223§{label: a.b/c, reason: renamed}"),
    (
        "context-twice",
        "    namespace: themelio\n",
        "    namespace: themelio\n    kube_context: a\n"
        '  - {name: two, kubernetes: "1.36", namespace: themelio, kube_context: §GC205§a}\n'
        '  - name: three\n    kubernetes: "1.36"\n    namespace: themelio\n',
    ),
    ("evidence-outside", VERSION, f"{VERSION}\n    evidence: §GC224§../evidence.yaml"),
    ("evidence-of-git", VERSION, f"{VERSION}\n    evidence: §GC224§.Git/evidence.yaml"),
    ("evidence-in-a-folder", VERSION, f"{VERSION}\n    evidence: §GC224§evidence/"),
    ("evidence-is-the-folder", VERSION, f"{VERSION}\n    evidence: §GC224§."),
    ("region-and-pointer", "region: gpu-labels}", "region: §GC225§gpu-labels, at: /a}"),
    ("marker-without-region", FILE, "{artifact: a.ts, to: b.ts, marker: §GC225§m}"),
    ("from-without-at", FILE, "{artifact: a.ts, to: b.ts, from: §GC225§/a}"),
    ("pointer-into-a-template", FILE, "{artifact: a.yaml, to: b.yaml.j2, at: §GC225§/a}"),
    ("folder-into-a-file", FILE, "{artifact: deviceclasses/, to: §GC225§classes}"),
    ("folder-with-region", FILE, "{artifact: §GC225§docs/, to: docs/, region: a}"),
    ("to-outside", FILE, "{artifact: web/gpuLabels.ts, to: §GC225§../gpuLabels.ts}"),
    ("to-absolute", FILE, "{artifact: web/gpuLabels.ts, to: §GC225§/etc/passwd}"),
    ("to-git", FILE, "{artifact: web/gpuLabels.ts, to: §GC225§.git/config}"),
    ("to-the-record", FILE, "{artifact: web/gpuLabels.ts, to: §GC225§.gpu-catalog.json}"),
    ("to-with-a-dot", FILE, "{artifact: web/gpuLabels.ts, to: §GC225§./gpuLabels.ts}"),
    ("to-with-two-slashes", FILE, "{artifact: web/gpuLabels.ts, to: §GC225§src//gpuLabels.ts}"),
    ("folder-with-a-dot", FILE, "{artifact: deviceclasses/, to: §GC225§./classes/}"),
    ("artifact-with-a-dot", FILE, "{artifact: §GC225§./web/gpuLabels.ts, to: gpuLabels.ts}"),
    ("to-the-record-respelt", FILE, "{artifact: web/gpuLabels.ts, to: §GC225§.GPU-Catalog.json}"),
    ("respelt", FILE, f"{FILE}\n      - {{artifact: a.ts, to: §GC225§src/GPULabels.ts}}"),
    ("same-place-twice", FILE, f"{FILE}\n      - {{artifact: a.ts, to: §GC225§src/gpuLabels.ts}}"),
    (
        "file-below-a-file",
        FILE,
        f"{FILE}\n      - {{artifact: a.ts, to: §GC225§src/gpuLabels.ts/a}}",
    ),
    ("file-above-a-file", FILE, f"{FILE}\n      - {{artifact: a.ts, to: §GC225§src}}"),
    ("region-in-a-whole-file", FILE, "{artifact: a.md, to: docs/gpus.md}"),
    (
        "override-not-offered",
        "offerings: [gpu_a10g, gpu_h100]\n    overrides:\n      gpu_a10g",
        "offerings: [gpu_h100]\n    overrides:\n      §GC226§gpu_a10g",
    ),
]
# Faults whose place is outside the edit: the marks stand in an edit of their own.
ELSEWHERE = {
    "no-schema-version": [("products:\n  a10g", "§GC111§products:\n  a10g")],
    "missing-namespace": [("  - name: one", "  - §GC111§name: one")],
    "default-class-name-upper-case": [(CLASS, f"device_class: §GC202§{CLASS[14:]}")],
    "consumer-twice": [("    files:\n", "    files:\n"), ("  - name: web", "  - name: §GC205§web")],
    "no-component": [
        ("    offerings: [gpu_a10g, gpu_h100]\n    overrides:\n", ""),
        ("      gpu_a10g: {node_selector: {gpu: a10g}}\n", ""),
    ],
    "mig-label-without-profile": [(MIG, f"label: §GC208§{MIG[7:]}")],
    "profile-of-another-label": [(MIG, f"label: §GC208§{MIG[7:]}")],
    "profile-with-me": [(MIG, f"label: §GC208§{MIG[7:]}")],
    "same-devices": [
        ("accelerator: old}", "accelerator: old}\n    device_class: {products: [a10g]}"),
        ("  - name: An old label", "  - component: gpu_old\n    name: An old label"),
        ("\n    deprecated: {replaced_by: [nvidia.com/h100], note: Use the H100.}", ""),
        ("    offerings: [gpu_a10g, gpu_h100]\n", ""),
        (
            "{accelerator: old}\n    device_class: {",
            "{accelerator: old}\n    device_class: §GC220§{",
        ),
    ],
    "nodes-of-the-device-plugin": [(VERSION, f"{VERSION}\n    device_plugin: per-node")],
    "region-in-a-whole-file": [("to: docs/gpus.md, region", "to: §GC225§docs/gpus.md, region")],
}
CASES = SYNTAX + SHAPE + RULES


def edited(old: str, new: str, also: list[tuple[str, str]]) -> str:
    text = BASE
    for before, after in [(old, new), *also]:
        assert before in text, before
        text = text.replace(before, after, 1)
    return text


def split(marked: str) -> tuple[str, list[tuple[int, int, str]]]:
    """The text without marks, and (line, column, code) of each mark."""
    places = []
    while mark := MARK.search(marked):
        before = marked[: mark.start()]
        places.append((before.count("\n") + 1, mark.start() - before.rfind("\n"), mark[1]))
        marked = before + marked[mark.end() :]
    return marked, places


@pytest.mark.parametrize(("name", "old", "new"), CASES, ids=[case[0] for case in CASES])
def test_a_fault_is_found_at_its_place(name: str, old: str, new: str) -> None:
    text, expected = split(edited(old, new, ELSEWHERE.get(name, [])))
    assert expected, "the row says no place"
    with pytest.raises(Invalid) as caught:
        reader.read(text.encode(), "catalog.yaml")
    errors = [one for one in caught.value.findings if one.severity == "error"]
    assert [(one.line, one.column, one.code) for one in errors] == expected
    assert all(one.path == "catalog.yaml" and one.message and one.excerpt for one in errors)
    assert all(one.hint or one.code == "GC101" for one in errors)


def test_the_base_catalog_is_good() -> None:
    _, _, warnings = reader.read(BASE.encode(), "catalog.yaml")
    assert warnings == []


def test_the_table_is_long_enough_and_its_ids_are_unique() -> None:
    names = [case[0] for case in CASES]
    assert len(set(names)) == len(names) >= 80
