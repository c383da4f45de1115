"""What the runbook promises, held against `cluster check` on a cluster in that state."""

import pytest
import yaml

from generator.cluster import record
from tests.cluster.healthy import CATALOG, DRIVER_CLASSES, NODES, Live, codes, project, quota, ready

GENERIC = """\
  - name: Any GPU
    label: nvidia.com/gpu
    node_selector: { accelerator: nvidia-a10g }
    deprecated: { replaced_by: [nvidia.com/a10g] }
"""


def kept_alive(device_class=""):
    """The healthy cluster's catalog, with nvidia.com/gpu kept alive instead of retired."""
    before, _, after = CATALOG.partition("retired_labels:\n")
    clusters = after[after.index("clusters:") :]
    return f"{before.rstrip()}\n{GENERIC}{device_class}\n{clusters}"


CATALOGS = {
    "retired": CATALOG,
    "kept-alive": kept_alive(),
    "kept-alive-with-class": kept_alive(
        "    device_class: { name: any-gpu.example.org, products: [a10g] }\n"
    ),
}


def rolled_out(catalog):
    """The cluster after the last step: tenants have the keys that Waldur writes, and the guard."""
    live = Live(catalog)
    opened = project(catalog)
    [guard] = [
        yaml.safe_load(made.text)
        for path, (_, made) in opened.artifacts().items()
        if path.endswith("quota-guard.yaml")
    ]
    bought = {one.quota_key: "8" for one in opened.catalog.offerings}
    live.resourcequotas = []
    for namespace in ("team-a", "team-b"):
        own = quota(namespace) | {"spec": {"hard": bought}}
        guarded = {**guard, "metadata": {**guard["metadata"], "namespace": namespace}}
        live.resourcequotas += [own, guarded]
    return live


@pytest.mark.parametrize("case", CATALOGS)
def test_after_the_rollout_every_label_with_a_class_is_ready(case):
    checked = rolled_out(CATALOGS[case]).checked(CATALOGS[case])
    assert ready(checked)[:4] == ["a10g", "a100", "a100-mig-1g.5gb", "a100-mig-3g.20gb"], [
        fault.problem.message for fault in checked.faults
    ]


@pytest.mark.parametrize("case", CATALOGS)
def test_the_check_names_each_key_that_a_guard_lacks(case):
    keys = [*rolled_out(CATALOGS[case]).resourcequotas[1]["spec"]["hard"]]
    for key in keys:
        live = rolled_out(CATALOGS[case])
        for one in live.resourcequotas[1::2]:
            one["spec"]["hard"].pop(key, None)
        doors = [
            fault.problem.message
            for fault in live.checked(CATALOGS[case]).faults
            if fault.problem.code == "GC552"
        ]
        has_devices = "vfio" not in key  # the cluster has none for passthrough
        assert [door.endswith(f": {key}") for door in doors] == [True] * has_devices, key


def close_the_nodes(live):
    taint = {"key": "node.kubernetes.io/unschedulable", "effect": "NoSchedule"}
    for name in NODES:
        live.node(name)["spec"]["taints"] = [taint]


def test_until_the_nodes_are_opened_no_label_is_ready_and_nothing_else_is_wrong():
    live = rolled_out(CATALOG)
    close_the_nodes(live)
    checked = live.checked()
    assert (codes(checked), ready(checked)) == (["GC545"], [])
    assert {fault.problem.severity for fault in checked.faults} == {"warning"}


def test_the_selectors_are_proven_before_the_classes_exist():
    """At the step that records evidence, what the check complains of is what comes next."""
    live = Live()
    live.deviceclasses = [
        one for one in live.deviceclasses if one["metadata"]["name"] in DRIVER_CLASSES
    ]
    live.resourcequotas = [
        quota(namespace) | {"spec": {"hard": {"requests.nvidia.com/gpu": "4"}}}
        for namespace in ("team-a", "team-b")
    ]
    live.configmaps = []
    close_the_nodes(live)
    checked = live.checked()
    missing_classes, closed_nodes = "GC520", "GC545"
    missing_quotas, missing_config_map = "GC550", "GC560"
    assert codes(checked) == [missing_classes, closed_nodes, missing_quotas, missing_config_map]
    assert sorted(record.recorded(checked).classes) == sorted(
        one.device_class.name for one in checked.case.cluster.offerings
    )
