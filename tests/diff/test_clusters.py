"""What a change of clusters asks for: names, gates, and the guard of the driver's own ways."""

import pytest

from generator.diff.report import report
from tests.diff.projects import BASE, edited, of, project, said


def test_a_cluster_that_goes() -> None:
    """Its classes stay, and a quota there that lost a key would not limit the label."""
    start = BASE.index("  - name: two\n")
    end = BASE.index("waldur:")
    found = of((BASE[start:end], ""))
    assert said(found)[1:] == ["way back: revert and publish"]


CONTEXT = ("  - name: two\n", "  - name: two\n    kube_context: second\n")


def test_a_cluster_that_is_renamed() -> None:
    old = edited(CONTEXT)
    new = edited(("  - name: two\n", "  - name: zwei\n"), text=old)
    found = report(project(old), project(new))
    assert [change.code for _, change, _ in found.changes] == ["GC810", "GC813"]
    assert said(found) == [
        "first: move `evidence/two.yaml`, if there is one, to `evidence/zwei.yaml`",
        "restart: web, k8s-root-actor, the Waldur site agent and Kubeflow's jupyter-web-app",
        "way back: revert and publish",
    ]
    assert {path.split("/")[1] for path in found.changes[0][2].artifacts} == {
        "two",
        "zwei",
        "gpu-labels.md",
    }


def test_another_cluster_in_the_place_of_one_is_no_new_name() -> None:
    old = edited(CONTEXT)
    new = edited(
        ("  - name: two\n", "  - name: zwei\n"), ("[gpu_a10g, gpu_a100]", "[gpu_a100]"), text=old
    )
    found = report(project(old), project(new))
    assert [change.code for _, change, _ in found.changes] == ["GC803", "GC807"]


def test_gates_that_are_not_needed_any_more_go_last() -> None:
    gates = "    feature_gates: [DRAExtendedResource, DynamicResourceAllocation]\n"
    older = edited(
        ('name: one\n    kubernetes: "1.36.4"\n', f'name: one\n    kubernetes: "1.35"\n{gates}')
    )
    away, back = (report(project(old), project(new)) for old, new in ((older, BASE), (BASE, older)))
    components = "apiserver, controller-manager, scheduler and kubelet, and restart them"
    names = "`DRAExtendedResource` and `DynamicResourceAllocation`"
    assert said(away, 1)[0] == f"then: take {names} out of {components}"
    assert said(back, 1)[0] == f"first: set {names} on {components}"


[RETIRED_GENERIC] = (line for line in BASE.splitlines(keepends=True) if "/gpu, reason: gen" in line)
GENERIC = (
    "  - name: Any\n    label: nvidia.com/gpu\n    node_selector: {a: b}\n    deprecated: {}\n"
)
OF_A_CLASS = "    device_class: {product_names: [NVIDIA L4], name: any.example.org}\n"
CATALOGS = {
    "retired": BASE,
    "kept": edited((RETIRED_GENERIC, ""), ("  - name: Any GPU", GENERIC + "  - name: Any GPU")),
    "with a class": edited(
        (RETIRED_GENERIC, ""), ("  - name: Any GPU", GENERIC + OF_A_CLASS + "  - name: Any GPU")
    ),
}
APPLY = "apply `clusters/one/rollout/quota-guard.yaml` anew in every tenant namespace"
LABEL = "`requests.nvidia.com/gpu`"
CLASS = (
    "`requests.deviceclass.resource.kubernetes.io/gpu.nvidia.com` and"
    " `gpu.nvidia.com.deviceclass.resource.k8s.io/devices`"
)


@pytest.mark.parametrize(
    ("old", "new", "title", "when"),
    [
        ("kept", "retired", f"closes {LABEL}, {CLASS}", "first"),
        ("with a class", "retired", f"closes {LABEL}", "first"),
        ("kept", "with a class", f"closes {CLASS}", "first"),
        ("retired", "kept", f"no longer closes {LABEL}, {CLASS}", "then"),
        ("retired", "with a class", f"no longer closes {LABEL}", "then"),
        ("with a class", "kept", f"no longer closes {CLASS}", "then"),
    ],
)
def test_the_guard_follows_the_label_of_any_gpu(old: str, new: str, title: str, when: str) -> None:
    found = report(project(CATALOGS[old]), project(CATALOGS[new]))
    [index] = [at for at, (fact, _, _) in enumerate(found.changes) if fact.aspect == "guard"]
    _, change, effects = found.changes[index]
    assert change.title == f"`one`: the quota guard {title}"
    assert f"{when}: {APPLY}" in said(found, index)
    assert effects.artifacts == ("clusters/one/rollout/quota-guard.yaml",)
    texts = [text for at in range(len(found.changes)) for text in said(found, at)]
    assert not [text for text in texts if "drop" in text or " again" in text]


@pytest.mark.parametrize(
    ("old", "new", "why"),
    [
        ("retired", "kept", "the driver's class `gpu.nvidia.com` serves it, and it can take any"),
        ("with a class", "kept", "the driver's class `gpu.nvidia.com` serves it, and it can take"),
        ("kept", "with a class", "Until now it was served by the driver's class"),
    ],
)
def test_the_label_of_any_gpu_works_without_a_class(old: str, new: str, why: str) -> None:
    found = report(project(CATALOGS[old]), project(CATALOGS[new]))
    assert why in found.changes[0][1].why


def test_the_guard_closes_the_label_of_any_gpu_before_its_class_goes() -> None:
    found = report(project(CATALOGS["with a class"]), project(BASE))
    assert said(found)[-2:] == [
        "then: `kubectl delete deviceclass any.example.org` on `one`",
        "way back: revert and publish",
    ]
