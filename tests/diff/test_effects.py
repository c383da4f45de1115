"""What a change reaches: artifacts, and the services that read them."""

import pytest

from generator.diff.comparing import compare
from generator.diff.effects import Index
from generator.diff.report import report
from tests.diff.projects import BASE, edited, of, project, side_of

L4 = "  - component: gpu_l4\n    name: NVIDIA L4\n    label: nvidia.com/l4\n"


@pytest.mark.parametrize(
    ("offerings", "services"),
    [("[gpu_a100]", ()), ("[gpu_a10g, gpu_a100]", ("kube-scheduler",))],
)
def test_the_scheduler_keeps_no_class_that_no_cluster_has(
    offerings: str, services: tuple[str, ...]
) -> None:
    old, new = (
        edited(
            (
                "namespace: themelio\n  - name: two",
                f"namespace: themelio\n    offerings: {offerings}\n  - name: two",
            ),
            (
                "offerings: [gpu_a10g, gpu_a100]\n    overrides",
                f"offerings: {offerings}\n    overrides",
            ),
            ("[NVIDIA A10G]", products),
        )
        for products in ("[NVIDIA A10G]", "[NVIDIA A10G, NVIDIA A10G-24Q]")
    )
    found = report(project(old), project(new))
    assert found.total.services == found.changes[0][2].services == services


@pytest.mark.parametrize(
    ("edit", "services"),
    [
        (("name: NVIDIA L4", "name: L4"), ("the Waldur site agent", "Kubeflow's jupyter-web-app")),
        (("{accelerator: nvidia-l4}", "{accelerator: l4}"), ("web", "k8s-root-actor")),
        (("to: src/gpuLabels.ts", "to: src/labels.ts"), ()),
    ],
)
def test_services(edit: tuple[str, str], services: tuple[str, ...]) -> None:
    assert of(edit).total.services == services


@pytest.mark.parametrize(("plugin", "other"), [("per-node", "disabled"), ("disabled", "per-node")])
def test_the_device_plugin_reaches_what_switches_it(plugin: str, other: str) -> None:
    old, new = (
        edited(("  - name: two\n", f"  - name: two\n    device_plugin: {each}\n"))
        for each in (plugin, other)
    )
    found = report(project(old), project(new))
    assert found.changes[0][2].artifacts == (
        "clusters/two/rollout/RUNBOOK.md",
        "clusters/two/rollout/gpu-operator-values.yaml",
        "clusters/two/rollout/kubespray/gpu_nodes.yml",
    )


def test_a_clusters_own_facts_reach_its_own_files() -> None:
    found = of(('"1.36.4"', '"1.37.0"'))
    assert [effects.artifacts for _, _, effects in found.changes] == [
        (
            f"clusters/{name}/rollout/RUNBOOK.md",
            f"clusters/{name}/rollout/kubespray/k8s_cluster.yml",
        )
        for name in ("one", "two")
    ]


def test_a_change_on_one_cluster_reaches_no_artifact_of_another() -> None:
    old, new = (
        side_of(project(text)) for text in (BASE, edited(("[gpu_a10g, gpu_a100]", "[gpu_a100]")))
    )
    [fact] = compare(old, new)
    lines = "    nvidia.com/a10g:"
    artifacts = {"clusters/one/a.yaml": lines, "clusters/two/a.yaml": lines, "web/a.ts": lines}
    assert Index({}, artifacts).reached(fact) == ["clusters/two/a.yaml", "web/a.ts"]


@pytest.mark.parametrize(
    ("lines", "spoken"),
    [
        ("gpuLabel: nvidia.com/l4", True),
        ("requests.nvidia.com/l4: 0", True),
        ("- nvidia.com/l4.yaml", True),
        ("nvidia.com/l4-24gb nvidia.com/l4", True),
        ("nvidia.com/l4-24gb", False),
        ("nvidia.com/l4.x", False),
        ("xnvidia.com/l4", False),
        ("my.nvidia.com/l4", False),
    ],
)
def test_a_name_is_not_its_longer_namesake(lines: str, spoken: bool) -> None:
    old, new = (
        side_of(project(text))
        for text in (BASE, edited((L4 + "    node_selector: {accelerator: nvidia-l4}\n", "")))
    )
    [fact] = compare(old, new)
    assert (Index({}, {"a": lines}).reached(fact) == ["a"]) == spoken
