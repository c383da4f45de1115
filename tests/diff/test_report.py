"""What a change asks of whom: in full, for the kinds that matter most."""

import pytest

from generator.diff.report import report
from tests.diff.projects import BASE, edited, of, project, said

L4 = "  - component: gpu_l4\n    name: NVIDIA L4\n    label: nvidia.com/l4\n"


def test_a_renamed_label() -> None:
    retired = (
        "retired_labels:\n  - {label: nvidia.com/l4, reason: typo, replaced_by: [nvidia.com/l4x]}"
    )
    found = of(("label: nvidia.com/l4", "label: nvidia.com/l4x"), ("retired_labels:", retired))
    assert found.changes[0][1].why == (
        "NVIDIA L4 is asked for as `nvidia.com/l4x` from now on. Actions that still say"
        " `nvidia.com/l4` are refused, and workloads that ask for it stay pending. The old label"
        " was a typo."
    )
    assert said(found) == [
        "first: give every tenant's quota on `one` `requests.nvidia.com/l4x`, 0 where nothing"
        " was bought",
        "users: change `gpuLabel: nvidia.com/l4` to `gpuLabel: nvidia.com/l4x`",
        "restart: web, k8s-root-actor, the Waldur site agent and Kubeflow's jupyter-web-app",
        "then: once no workload asks for it there, drop `requests.nvidia.com/l4` from every quota"
        " on `one`",
        "way back: give the quotas on `one` `requests.nvidia.com/l4` again, then revert and"
        " publish; actions that say `nvidia.com/l4x` by then must be changed back",
    ]


def test_a_renamed_label_that_lives_on() -> None:
    kept = (
        "  - name: NVIDIA L4\n    label: nvidia.com/l4\n    node_selector: {a: b}\n"
        "    deprecated: {}\n"
    )
    found = of(
        ("label: nvidia.com/l4\n", "label: nvidia.com/l4x\n"),
        ("  - name: Any", kept + "  - name: Any"),
    )
    assert [change.code for _, change, _ in found.changes] == ["GC806", "GC810", "GC812"]
    assert said(found) == [
        "first: give every tenant's quota on `one` `requests.nvidia.com/l4x` and"
        " `requests.nvidia.com/l4`, 0 where nothing was bought",
        "first: set `requests.nvidia.com/l4` in a quota of your own, for new tenants too: Waldur"
        " does not sell `nvidia.com/l4`",
        "users: change `gpuLabel: nvidia.com/l4` to `gpuLabel: nvidia.com/l4x`",
        "restart: web, k8s-root-actor, the Waldur site agent and Kubeflow's jupyter-web-app",
        "way back: revert and publish; actions that say `nvidia.com/l4x` by then must be changed"
        " back",
    ]


def test_a_label_that_is_forgotten() -> None:
    found = of(("label: nvidia.com/l4", "label: nvidia.com/l4x"))
    assert found.changes[0][1].why.endswith(
        " `gpu-catalog scan` and the docs cannot say what became of it: list `nvidia.com/l4` under"
        " `retired_labels` with `replaced_by: [nvidia.com/l4x]`, or keep it as a deprecated"
        " offering."
    )


def test_a_withdrawn_offering() -> None:
    retired = "retired_labels:\n  - {label: nvidia.com/l4, reason: withdrawn}"
    found = of(
        (L4 + "    node_selector: {accelerator: nvidia-l4}\n", ""), ("retired_labels:", retired)
    )
    assert said(found) == [
        "users: take `gpuLabel: nvidia.com/l4` out of your actions: nothing replaces it",
        "restart: web, k8s-root-actor, the Waldur site agent and Kubeflow's jupyter-web-app",
        "then: take the component `gpu_l4` out of Waldur's plans",
        "then: once no workload asks for it there, drop `requests.nvidia.com/l4` from every quota"
        " on `one`",
        "way back: give the quotas on `one` `requests.nvidia.com/l4` again, then revert and"
        " publish",
    ]


def test_an_offering_that_leaves_one_cluster() -> None:
    found = of(("[gpu_a10g, gpu_a100]", "[gpu_a100]"))
    assert found.changes[0][1].why.endswith(" It is still offered on `one`.")
    assert said(found) == [
        "first: have users of `nvidia.com/a10g` on `two` ask for another label, or go elsewhere",
        "restart: web, k8s-root-actor, the Waldur site agent and Kubeflow's jupyter-web-app",
        "then: `kubectl delete deviceclass a10g.nvidia.com` on `two`",
        "then: once no workload asks for it there, drop `requests.nvidia.com/a10g` from every quota"
        " on `two`",
        "way back: give the quotas on `two` `requests.nvidia.com/a10g` again, then revert and"
        " publish",
    ]
    artifacts = found.changes[0][2].artifacts
    assert all(
        path.startswith("clusters/two/") for path in artifacts if path.startswith("clusters")
    )
    assert "clusters/two/configmap.yaml" in artifacts


def test_an_offering_that_comes_to_one_cluster_more() -> None:
    found = of(("[gpu_a10g, gpu_a100]", "[gpu_a10g, gpu_a100, gpu_l4]"))
    assert said(found) == [
        "first: give every tenant's quota on `two` `requests.nvidia.com/l4`, 0 where nothing was"
        " bought",
        "restart: web, k8s-root-actor, the Waldur site agent and Kubeflow's jupyter-web-app",
        "way back: revert and publish, and only then drop `requests.nvidia.com/l4` from the quotas"
        " there",
    ]


def test_an_offering_that_comes_to_its_first_cluster() -> None:
    start, end = (BASE.index(name) for name in ("  - name: one\n", "  - name: two\n"))
    without = edited(
        (BASE[start:end], BASE[start:end] + "    offerings: [gpu_a100]\n"),
        ("[gpu_a10g, gpu_a100]", "[gpu_a100]"),
    )
    offered = edited(
        ("offerings: [gpu_a100]\n    overr", "offerings: [gpu_a10g, gpu_a100]\n    overr"),
        text=without,
    )
    found = report(project(without), project(offered))
    assert said(found) == [
        "first: give every tenant's quota on `two` `requests.nvidia.com/a10g`, 0 where nothing was"
        " bought",
        "first: add the component `gpu_a10g` to the offering and its plans in Waldur",
        "restart: web, k8s-root-actor, the Waldur site agent and Kubeflow's jupyter-web-app",
        "then: record evidence: `gpu-catalog cluster check CLUSTER --from DIR --record`",
        "way back: revert and publish, `kubectl delete deviceclass a10g.nvidia.com` on `two`, and"
        " only then drop `requests.nvidia.com/a10g` from the quotas there",
    ]


def test_an_added_offering() -> None:
    added = L4.replace("l4", "h100").replace("L4", "H100") + "    node_selector: {a: b}\n"
    found = of((L4, added + L4))
    assert found.changes[0][1].why == (
        "A quota that lacks a label's key does not limit that label, so every tenant's quota needs"
        " the key before the label can be had, with 0 where nothing was bought. It has no device"
        " class: DRA cannot hand it out yet."
    )
    assert said(found) == [
        "first: give every tenant's quota on `one` `requests.nvidia.com/h100`, 0 where nothing was"
        " bought",
        "first: add the component `gpu_h100` to the offering and its plans in Waldur",
        "restart: web, k8s-root-actor, the Waldur site agent and Kubeflow's jupyter-web-app",
        "way back: revert and publish, and only then drop `requests.nvidia.com/h100` from the"
        " quotas there",
    ]


def test_a_class_that_one_cluster_of_two_gets() -> None:
    l4 = "{accelerator: nvidia-l4}"
    found = of((l4, f"{l4}\n    device_class: {{product_names: [NVIDIA L4]}}"))
    assert said(found) == [
        "first: give every tenant's quota on `one` `requests.nvidia.com/l4`, 0 where nothing was"
        " bought",
        "then: record evidence: `gpu-catalog cluster check CLUSTER --from DIR --record`",
        "way back: revert and publish, then `kubectl delete deviceclass l4.nvidia.com` on `one`",
    ]


@pytest.mark.parametrize(
    "lives",
    [
        "retired_labels:\n"
        "  - {label: nvidia.com/l4, reason: renamed, replaced_by: [nvidia.com/a10g]}",
        "  - name: L4\n    label: nvidia.com/l4\n    node_selector: {a: b}\n"
        "    deprecated: {replaced_by: [nvidia.com/a10g]}\nretired_labels:",
    ],
    ids=["retired", "deprecated"],
)
def test_people_write_what_the_catalog_says_instead_of_a_renamed_label(lives: str) -> None:
    found = of(("label: nvidia.com/l4\n", "label: nvidia.com/l4x\n"), ("retired_labels:", lives))
    edits = {edit for _, change, _ in found.changes for edit in change.edits}
    assert edits == {("nvidia.com/l4", ("nvidia.com/a10g",))}


def test_a_component_that_is_no_longer_sold() -> None:
    found = of(
        (
            "  - component: gpu_l4\n    name: NVIDIA L4\n",
            "  - name: NVIDIA L4\n    deprecated: {}\n",
        )
    )
    assert said(found) == [
        "first: give every tenant's quota on `one` `requests.nvidia.com/l4`, 0 where nothing was"
        " bought",
        "first: set `requests.nvidia.com/l4` in a quota of your own, for new tenants too: Waldur"
        " does not sell `nvidia.com/l4`",
        "restart: the Waldur site agent and web",
        "way back: revert and publish; the limits of `gpu_l4` must still be in Waldur",
    ]
    assert found.changes[1][1].why.startswith("Actions that name it go on as before;")


def test_labels_that_change_places() -> None:
    old = edited(
        ("{accelerator: nvidia-l4}", "{accelerator: l4}\n    device_class: {product_names: [L4]}"),
        ("    offerings: [gpu_a10g, gpu_a100]\n", ""),
    )
    new = edited(
        ("label: nvidia.com/l4\n", "label: nvidia.com/x\n"),
        ("label: nvidia.com/a10g\n", "label: nvidia.com/l4\n"),
        ("label: nvidia.com/x\n", "label: nvidia.com/a10g\n"),
        text=old,
    )
    found = report(project(old), project(new))
    assert [change.code for _, change, _ in found.changes] == ["GC801", "GC801", "GC807", "GC807"]
    for index in (0, 1):
        assert "web, k8s-root-actor, the Waldur" in said(found, index)[2]
        assert said(found, index)[-1].startswith("way back: revert and publish; actions that say")
    for index in (2, 3):
        assert said(found, index)[-1] == "way back: revert and publish"


def test_a_class_stays_where_another_label_has_it_now() -> None:
    offered = "    offerings: [gpu_a10g, gpu_a100]\n"
    new = edited(
        (offered, "    offerings: [gpu_a100, gpu_l4]\n"),
        (
            "{accelerator: nvidia-l4}",
            "{accelerator: nvidia-l4}\n    device_class:\n"
            "      {product_names: [L4], name: a10g.nvidia.com}",
        ),
        ("{products: [a10g]}", "{products: [a10g], name: gpus.example.org}"),
    )
    found = report(project(BASE), project(new))
    gone = [at for at, (_, change, _) in enumerate(found.changes) if change.code == "GC803"]
    assert "deviceclass" not in " ".join(said(found, gone[0]))


def test_a_renamed_class() -> None:
    found = of(("{products: [a10g]}", "{products: [a10g], name: gpus.example.org}"))
    assert said(found) == [
        "first: `kubectl delete deviceclass a10g.nvidia.com`; nothing new starts until the next is"
        " there",
        "then: record evidence: `gpu-catalog cluster check CLUSTER --from DIR --record`",
        "way back: `kubectl delete deviceclass gpus.example.org`, then revert and publish",
    ]
    assert found.changes[0][2].consumers == {
        "dra": (
            "classes/a10g.nvidia.com.yaml",
            "classes/gpus.example.org.yaml",
            "classes/kustomization.yaml",
        )
    }


def test_a_class_whose_label_is_another() -> None:
    """They claim different labels, so the old one can stay until nobody asks for it."""
    found = of(
        ("label: nvidia.com/a10g", "label: nvidia.com/a10g-24gb"),
        ("[nvidia.com/a10g]", "[nvidia.com/a10g-24gb]"),
        ("[nvidia.com/a10g,", "[nvidia.com/a10g-24gb,"),
    )
    [(_, change, _)] = [one for one in found.changes if one[1].code == "GC809"]
    assert change.before == ()
    assert change.after[1] == (
        "`kubectl delete deviceclass a10g.nvidia.com`, once no workload asks for `nvidia.com/a10g`"
    )
    assert change.rollback == (
        "revert and publish, then `kubectl delete deviceclass a10g-24gb.nvidia.com`"
    )


def test_a_wider_class() -> None:
    found = of(("a10g: [NVIDIA A10G]", "a10g: [NVIDIA A10G, NVIDIA A10G-24Q]"))
    assert said(found) == [
        "restart: kube-scheduler",
        "then: record evidence: `gpu-catalog cluster check CLUSTER --from DIR --record`",
        "way back: revert and publish",
    ]
    assert found.changes[0][2].artifacts == (
        "clusters/one/deviceclasses/a10g.nvidia.com.yaml",
        "clusters/two/deviceclasses/a10g.nvidia.com.yaml",
    )
    assert found.total == found.changes[0][2]


def test_a_renamed_component() -> None:
    found = of(("component: gpu_l4", "component: gpu_l4x"))
    assert said(found) == [
        "first: add `gpu_l4x` to Waldur's offering and plans, and move the limits of `gpu_l4`",
        "restart: the Waldur site agent and web",
        "way back: revert and publish; the limits of `gpu_l4` must still be in Waldur",
    ]
    assert found.changes[0][2].consumers == {"web": ("src/gpuLabels.ts",)}


def test_a_deprecated_offering() -> None:
    found = of(
        (
            "{accelerator: nvidia-l4}",
            "{accelerator: nvidia-l4}\n    deprecated: {replaced_by: [nvidia.com/a10g]}",
        )
    )
    assert said(found) == [
        "users: change `gpuLabel: nvidia.com/l4` to `gpuLabel: nvidia.com/a10g`",
        "restart: Kubeflow's jupyter-web-app and web",
    ]


def test_the_name_of_the_catalogs_file_is_no_change() -> None:
    other = project(BASE)
    renamed = type(other)(
        other.path.with_name("old.yaml"),
        *(getattr(other, name) for name in ("catalog", "source", "evidence", "warnings")),
    )
    assert report(renamed, other) == ([], ((), {}, ()))
