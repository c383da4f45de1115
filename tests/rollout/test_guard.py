"""The guard, held against how Kubernetes charges quotas.

Source: Kubernetes `pkg/quota/v1/evaluator/core/{pods,resource_claims}.go` of 1.35 and later.
"""

from typing import NamedTuple

import kubernetes_validate
import pytest

from tests.rollout.cases import CLUSTERS, cluster, load, project

IMPLICIT = "deviceclass.resource.kubernetes.io/"
DRIVER = {"gpu.nvidia.com": "nvidia.com/gpu", "mig.nvidia.com": None, "vfio.gpu.nvidia.com": None}
"""The chart's classes, and the extended resource that each is."""
UNNAMED = [(name, None) for name in DRIVER]
"""The same as the GPU Operator makes them, and the chart did up to version 25.8."""

each_cluster = pytest.mark.parametrize(("case", "name"), CLUSTERS)


class Way(NamedTuple):
    """One way to devices: what the pod is charged when it is made, and the claim when it is."""

    pod: dict[str, int]
    claim: dict[str, int]


def claimed(name, extended, count):
    """What a claim on a class is charged, before what its pod has paid is taken off."""
    charges = {
        f"{name}.deviceclass.resource.k8s.io/devices": count,
        "count/resourceclaims.resource.k8s.io": 1,
    }
    if extended:
        charges |= {f"requests.{extended}": count, f"requests.{IMPLICIT}{name}": count}
    return charges


def without(charges, paid):
    return {key: count for key, count in charges.items() if key != paid}


def from_device_plugin(label, count):
    return Way({f"requests.{label}": count}, {})


def by_label(name, extended, count):
    """The scheduler makes a claim, which does not pay again for what its pod asked for."""
    paid = f"requests.{extended}"
    return Way({paid: count}, without(claimed(name, extended, count), paid))


def by_implicit_name(name, extended, count):
    paid = f"requests.{IMPLICIT}{name}"
    return Way({paid: count}, without(claimed(name, extended, count), paid))


def by_claim(name, extended, count):
    return Way({}, claimed(name, extended, count))


def by_alternatives(classes, count):
    """`firstAvailable`: each class that could be taken is charged."""
    return Way(
        {},
        {k: v for name, label in classes.items() for k, v in claimed(name, label, count).items()},
    )


def refusal(way, hard):
    """At which of the two the quota says no; None when the devices are had."""
    for stage, charges in way._asdict().items():
        if any(count > hard.get(key, count) for key, count in charges.items()):
            return stage
    return None


def guard(case, name):
    return {
        key: int(zero) for key, zero in load(case, name, "quota-guard.yaml")["spec"]["hard"].items()
    }


def classes_of(case, name):
    return {
        one.device_class.name: one.label
        for one in cluster(case, name).offerings
        if one.device_class
    }


def plugins(case, name):
    """Other names by which a device plugin that was left on gives GPUs of the catalog."""
    if cluster(case, name).device_plugin == "disabled":
        return set()
    retired = {one.label for one in project(case).catalog.retired_labels}
    return retired | {"nvidia.com/gpu.shared"}


def generic(case, name):
    """Whether nvidia.com/gpu is kept alive, and whether by a class of its own."""
    kept = {one.label: one for one in cluster(case, name).offerings}.get("nvidia.com/gpu")
    return kept is not None, kept is not None and kept.device_class is not None


def open_doors(case, name):
    """The driver's classes that must keep serving a label of the catalog."""
    kept, own = generic(case, name)
    return {"gpu.nvidia.com"} if kept and not own else set()


@each_cluster
def test_our_labels_are_limited_by_their_own_key_and_nothing_else(case, name):
    offerings = cluster(case, name).offerings
    bought = guard(case, name) | {f"requests.{one.label}": 2 for one in offerings}
    for offering in offerings:
        assert refusal(from_device_plugin(offering.label, 2), bought) is None
        assert refusal(from_device_plugin(offering.label, 3), bought) == "pod"
    for own, label in classes_of(case, name).items():
        for way, at in [(by_label, "pod"), (by_implicit_name, "claim"), (by_claim, "claim")]:
            assert refusal(way(own, label, 2), bought) is None
            assert refusal(way(own, label, 3), bought) == at


@each_cluster
def test_the_guard_alone_refuses_none_of_our_claims(case, name):
    for own, label in classes_of(case, name).items():
        for way in (by_label, by_implicit_name, by_claim):
            assert refusal(way(own, label, 32), guard(case, name)) is None


@each_cluster
def test_the_drivers_own_ways_are_closed(case, name):
    closed = guard(case, name)
    kept, _ = generic(case, name)
    for own, label in [*DRIVER.items(), *UNNAMED]:
        if own in open_doors(case, name):
            continue
        assert refusal(by_implicit_name(own, label, 1), closed) == "pod"
        assert refusal(by_claim(own, label, 1), closed) == "claim"
        assert (
            refusal(by_alternatives({own: label, **classes_of(case, name)}, 1), closed) == "claim"
        )
        if label and not kept:
            assert refusal(by_label(own, label, 1), closed) == "pod"
    if not kept:
        assert refusal(from_device_plugin("nvidia.com/gpu", 1), closed) == "pod"


@each_cluster
def test_what_a_device_plugin_calls_gpus_besides_is_closed(case, name):
    for label in plugins(case, name):
        assert refusal(from_device_plugin(label, 1), guard(case, name)) == "pod"


@each_cluster
def test_what_the_catalog_keeps_alive_is_served_and_limited(case, name):
    bought = guard(case, name) | {"requests.nvidia.com/gpu": 2}
    for own in open_doors(case, name):
        for way, at in [(by_label, "pod"), (by_implicit_name, "claim"), (by_claim, "claim")]:
            assert refusal(way(own, DRIVER[own], 2), bought) is None
            assert refusal(way(own, DRIVER[own], 3), bought) == at


def test_a_class_of_its_own_leaves_the_drivers_closed():
    """Should the driver's class win the shared name, its claim is refused instead of uncounted."""
    assert (
        refusal(
            by_label("gpu.nvidia.com", "nvidia.com/gpu", 1), guard("generic-with-class", "generic")
        )
        == "claim"
    )


@each_cluster
def test_every_key_is_needed(case, name):
    doors = [
        way(own, label, 1)
        for own, label in [*DRIVER.items(), *UNNAMED]
        for way in (by_implicit_name, by_claim)
    ]
    doors += [from_device_plugin(label, 1) for label in ("nvidia.com/gpu", *plugins(case, name))]
    whole = guard(case, name)
    for key in whole:
        fewer = {other: 0 for other in whole if other != key}
        assert [refusal(way, fewer) for way in doors] != [refusal(way, whole) for way in doors], key


@each_cluster
def test_nothing_else_is_zero(case, name):
    keys = set(guard(case, name))
    kept, _ = generic(case, name)
    closed = DRIVER.keys() - open_doors(case, name)
    assert keys == (
        {f"requests.{IMPLICIT}{own}" for own in closed}
        | {f"{own}.deviceclass.resource.k8s.io/devices" for own in closed}
        | ({"requests.nvidia.com/gpu"} - ({"requests.nvidia.com/gpu"} if kept else set()))
        | {f"requests.{label}" for label in plugins(case, name)}
    )


@pytest.mark.parametrize("version", ["1.34", "1.35", "1.36", "1.37"])
@each_cluster
def test_the_quotas_are_valid(case, name, version):
    kubernetes_validate.validate(load(case, name, "quota-guard.yaml"), version, strict=True)
    if classes_of(case, name):
        kubernetes_validate.validate(load(case, name, "smoke-quota.yaml"), version, strict=True)
