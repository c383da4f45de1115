"""A healthy cluster in every shape in which kubectl and the driver may show it: always ready."""

import copy
import json

import pytest
import yaml

from tests.cluster.healthy import CATALOG, LABELS, Live, codes, quota, ready, run, slice_of
from tests.cluster.test_faults import WITH_GATES


def as_yaml(document):
    return yaml.dump(document, Dumper=yaml.CSafeDumper)


def as_documents(document):
    """Several objects one after the other, as several commands append them."""
    return (
        as_yaml(document)
        if "items" not in document
        else "".join(f"---\n{as_yaml(item)}" for item in document["items"])
    )


def as_json_documents(document):
    return (
        json.dumps(document)
        if "items" not in document
        else "\n".join(json.dumps(item, indent=4) for item in document["items"])
    )


def as_typed_list(document):
    """As `kubectl get --raw` prints a list: its items do not say what they are."""
    if "items" not in document or not document["items"]:
        return json.dumps(document)
    first = document["items"][0]
    items = [
        {key: value for key, value in item.items() if key not in ("kind", "apiVersion")}
        for item in document["items"]
    ]
    kind = f"{first['kind']}List"
    return json.dumps({"kind": kind, "apiVersion": first["apiVersion"], "items": items})


@pytest.mark.parametrize(
    ("form", "suffix"),
    [
        pytest.param(json.dumps, "json", id="json"),
        pytest.param(as_yaml, "yaml", id="yaml"),
        pytest.param(as_yaml, "yml", id="yml"),
        pytest.param(as_documents, "yaml", id="documents"),
        pytest.param(as_json_documents, "json", id="json-documents"),
        pytest.param(as_typed_list, "json", id="typed-list"),
        pytest.param(lambda document: "\ufeff" + json.dumps(document), "json", id="bom"),
        pytest.param(json.dumps, "yaml", id="json-called-yaml"),
    ],
)
def test_forms(tmp_path, form, suffix):
    (tmp_path / "catalog.yaml").write_text(CATALOG)
    Live().write(tmp_path / "dump", form, suffix)
    code, out, err = run(
        "cluster",
        "check",
        "themelio",
        "--from",
        tmp_path / "dump",
        "--catalog",
        tmp_path / "catalog.yaml",
    )
    assert (code, out.count("  yes\n"), err) == (0, 4, "themelio: 4 of 4 offerings ready")


def in_version(version):
    def change(live):
        for item in (*live.resourceslices, *live.deviceclasses):
            item["apiVersion"] = f"resource.k8s.io/{version}"
        if version == "v1beta1":
            for one in live.resourceslices:
                one["spec"]["devices"] = [
                    {"name": device.pop("name"), "basic": device}
                    for device in one["spec"]["devices"]
                ]

    return change


def device_by_device(live):
    """A slice that names a node with each device."""
    spec = live.slice("gpu-a10g-01")
    del spec["nodeName"]
    spec["perDeviceNodeSelection"] = True
    for device in spec["devices"]:
        device["nodeName"] = "gpu-a10g-01"


def two_slices(live):
    devices = live.devices("gpu-a100-01")
    live.slice("gpu-a100-01")["pool"]["resourceSliceCount"] = 2
    live.resourceslices.append(slice_of("gpu-a100-01", devices[4:], slices=2, name="second"))
    del devices[4:]


def other_drivers(live):
    for driver, attributes in (
        ("nic.example.com", {"type": {"string": "gpu"}}),
        ("fpga.example.com", {"profile": {"int": 1}, "productName": {"string": "NVIDIA A10G"}}),
        ("bare.example.com", {}),
    ):
        device = {"name": "d", "attributes": attributes}
        live.resourceslices.append(slice_of("cpu-01", [device], driver=driver))


def older_driver(live):
    """The attributes of driver 25.8."""
    for device in live.devices("gpu-a10g-01"):
        attributes = device["attributes"]
        del attributes["addressingMode"]
        attributes["pcieBusID"] = attributes.pop("resource.kubernetes.io/pciBusID")


@pytest.mark.parametrize(
    "change",
    [
        pytest.param(in_version("v1"), id="v1"),
        pytest.param(in_version("v1beta2"), id="v1beta2"),
        pytest.param(in_version("v1beta1"), id="v1beta1"),
        device_by_device,
        two_slices,
        other_drivers,
        older_driver,
    ],
)
def test_shapes(change):
    live = Live()
    change(live)
    checked = live.checked()
    assert codes(checked) == []
    assert ready(checked) == list(LABELS)
    assert [one.devices for one in checked.case.supplies.values()] == [2, 8, 4, 3]


@pytest.mark.parametrize("version", ["v1.35.2", "v1.35.2+rke2r1", "v1.35.2-eks-4096722"])
def test_gates_are_seen_by_their_effect(version):
    from generator.cluster.readiness import feature_gates

    checked = Live(WITH_GATES, version).checked(WITH_GATES)
    assert ready(checked) == list(LABELS)
    assert feature_gates(checked) == {
        "DynamicResourceAllocation": "declared, not seen",
        "DRAExtendedResource": "declared, seen in the API server,"
        " which keeps the extendedResourceName of classes",
    }


def test_a_gate_that_is_off():
    from generator.cluster.readiness import feature_gates

    live = Live(WITH_GATES, "v1.35.2")
    for one in live.deviceclasses:
        one["spec"].pop("extendedResourceName", None)
    checked = live.checked(WITH_GATES)
    assert codes(checked) == ["GC520"]
    assert ready(checked) == []
    assert "DRAExtendedResource is off in the API server" in checked.faults[0].problem.hint
    assert set(feature_gates(checked).values()) == {"declared, not seen"}


COUNTERS = {"counterSet": "gpu-0-counter-set", "counters": {}}


def dynamic_mig(live):
    """Every profile and placement of one A100, and the whole GPU, all on the same silicon."""
    slots = {"1g.5gb": 7, "3g.20gb": 2}
    model = copy.deepcopy(live.devices("gpu-a100-mig-01")[0])
    del model["attributes"]["uuid"]
    whole = copy.deepcopy(live.devices("gpu-a100-01")[0])
    whole["attributes"]["uuid"] = model["attributes"]["parentUUID"]
    devices = [{**whole, "name": "gpu-0", "consumesCounters": [COUNTERS]}]
    for profile, count in slots.items():
        for start in range(count):
            device = copy.deepcopy(model)
            device["name"] = f"gpu-0-mig-{profile.replace('.', '')}-{start}"
            device["attributes"]["profile"] = {"string": profile}
            device["consumesCounters"] = [COUNTERS]
            devices.append(device)
    live.slice("gpu-a100-mig-01")["devices"] = devices
    live.slice("gpu-a100-mig-01")["pool"]["resourceSliceCount"] = 2
    counters = slice_of("gpu-a100-mig-01", [], slices=2, name="counters")
    counters["spec"]["sharedCounters"] = [{"name": "gpu-0-counter-set", "counters": {}}]
    live.resourceslices.append(counters)


def test_dynamic_mig_alternatives_are_never_added_up():
    live = Live()
    dynamic_mig(live)
    checked = live.checked()
    _, whole, small, large = checked.case.supplies.values()
    assert (whole.devices, whole.alternatives) == (9, 1)
    assert (small.devices, small.alternatives, small.profiles) == (1, 7, {"1g.5gb": 1})
    assert (large.devices, large.alternatives, large.profiles) == (1, 2, {"3g.20gb": 1})
    assert codes(checked) == []
    assert ready(checked) == list(LABELS)


def test_tainted_devices_are_counted_apart():
    live = Live()
    live.devices("gpu-a100-01")[0]["taints"] = [{"key": "a", "effect": "NoExecute"}]
    live.devices("gpu-a100-01")[1]["taints"] = [{"key": "a", "effect": "None"}]
    supply = live.checked().case.supplies["nvidia.com/a100"]
    assert (supply.devices, supply.tainted) == (7, 1)


def test_two_thousand_nodes():
    live = Live()
    devices = live.devices("gpu-a100-01")
    model = live.node("gpu-a100-01")
    for number in range(2000):
        one = copy.deepcopy(model)
        one["metadata"]["name"] = f"large-{number}"
        live.nodes.append(one)
        spec = {**slice_of("x", [])["spec"], "devices": devices, "nodeName": f"large-{number}"}
        spec["pool"] = {"name": f"large-{number}", "generation": 1, "resourceSliceCount": 1}
        live.resourceslices.append({**slice_of("x", [], name=f"large-{number}"), "spec": spec})
    live.resourcequotas = [quota(f"team-{number}") for number in range(500)]
    live.namespaces = None
    checked = live.checked()
    assert codes(checked) == []
    assert checked.case.supplies["nvidia.com/a100"].devices == 16008
