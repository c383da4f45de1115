"""One fault each in a healthy cluster: exactly its code, and exactly its labels are not ready."""

import copy

import pytest

from tests.cluster.healthy import (
    CATALOG,
    LABELS,
    Live,
    codes,
    device_class,
    node,
    quota,
    ready,
    slice_of,
)

A10G, A100, SMALL, LARGE = LABELS
WITH_GATES = CATALOG.replace(
    'kubernetes: "1.36.4"',
    'kubernetes: "1.35.2"\n    feature_gates: [DynamicResourceAllocation, DRAExtendedResource]',
)


def faults(*rows):
    """Rows of an id, what is done to the healthy cluster, its code, and the labels not ready."""
    return pytest.mark.parametrize(
        ("break_it", "code", "not_ready"), [pytest.param(*row[1:], id=row[0]) for row in rows]
    )


def holds(break_it, code, not_ready):
    live = Live()
    break_it(live)
    checked = live.checked()
    assert codes(checked) == ([code] if code else [])
    assert ready(checked) == [label for label in LABELS if label not in not_ready]
    return checked


# --- versions ------------------------------------------------------------------------------------


def server(version):
    def change(live):
        live.version["serverVersion"]["gitVersion"] = version

    return change


def kubelet(version, node="gpu-a10g-01"):
    def change(live):
        live.node(node)["status"]["nodeInfo"]["kubeletVersion"] = version

    return change


def old_where_devices_are_missed(live):
    """The node selector misses one of two A10G nodes, whose kubelet is too old."""
    devices_elsewhere(live)
    labels("gpu-a10g-01", accelerator="other")(live)
    labels("gpu-a10g-02", accelerator="nvidia-a10g")(live)
    kubelet("v1.33.1")(live)


def behind_on_one_of_two(live):
    devices_elsewhere(live)
    labels("gpu-a10g-02", accelerator="nvidia-a10g")(live)
    kubelet("v1.35.2")(live)


@faults(
    ("server-1.33", server("v1.33.9"), "GC510", LABELS),
    ("server-1.33-eks", server("v1.33.9-eks-4096722"), "GC510", LABELS),
    ("server-1.9", server("v1.9.0"), "GC510", LABELS),
    ("server-unreadable", server("banana"), "GC510", LABELS),
    ("kubelet-1.33", kubelet("v1.33.1+rke2r1"), "GC510", [A10G]),
    ("kubelet-unreadable", kubelet("banana"), "GC510", [A10G]),
    ("kubelet-of-a-label's-node", kubelet("v1.33.1", "gpu-a100-01"), "GC510", LABELS[1:]),
    ("kubelet-of-no-label", kubelet("v1.33.1", "cpu-01"), "GC510", ()),
    ("kubelet-not-told", kubelet(""), None, ()),
    ("no-node-info", lambda live: live.nodes[0]["status"].pop("nodeInfo"), None, ()),
    ("kubelet-of-no-label-needs-gates", kubelet("v1.35.2", "cpu-01"), None, ()),
    ("server-not-as-written", server("v1.37.0"), "GC511", ()),
    ("server-needs-gates", server("v1.35.2"), "GC511", LABELS),
    ("kubelet-needs-gates", kubelet("v1.35.2"), "GC511", [A10G]),
    ("kubelet-needs-gates-where-devices-are", kubelet("v1.35.2", "gpu-a100-01"), "GC511", [A100]),
    ("kubelet-of-one-of-two-needs-gates", behind_on_one_of_two, "GC511", ()),
    ("server-rke2", server("v1.36.4+rke2r1"), None, ()),
    ("server-gke", server("v1.36.4-gke.1105000"), None, ()),
)
def test_versions(break_it, code, not_ready):
    holds(break_it, code, not_ready)


def test_a_kubelet_is_too_old_where_devices_are_though_no_selector_leads_there():
    live = Live()
    old_where_devices_are_missed(live)
    checked = live.checked()
    assert (codes(checked), ready(checked)) == (["GC510", "GC542"], list(LABELS[1:]))


@pytest.mark.parametrize(
    ("version", "hint"),
    [("v1.35.2", "finish the upgrade"), ("v1.37.0", "write the cluster's version")],
)
def test_what_to_do_about_another_version(version, hint):
    live = Live()
    server(version)(live)
    [fault] = live.checked().faults
    assert fault.problem.hint.startswith(hint)


def test_kubelets_of_a_catalog_that_names_gates_are_taken_to_have_them():
    assert codes(Live(WITH_GATES, "v1.35.2").checked(WITH_GATES)) == []


# --- classes -------------------------------------------------------------------------------------


def removed(name):
    return lambda live: live.deviceclasses.remove(live.device_class(name))


def class_field(name, change):
    return lambda live: change(live.device_class(name)["spec"])


def expression(text):
    def change(spec):
        spec["selectors"] = [{"cel": {"expression": text}}]

    return change


def added(*classes):
    return lambda live: live.deviceclasses.extend(classes)


def without_label(spec):
    del spec["extendedResourceName"]


def other_label(spec):
    spec["extendedResourceName"] = "nvidia.com/a10"


def sharing(spec):
    parameters = {"sharing": {"strategy": "TimeSlicing"}}
    spec["config"] = [{"opaque": {"driver": "gpu.nvidia.com", "parameters": parameters}}]


def second_selector(spec):
    spec["selectors"].append({"cel": {"expression": "true"}})


NOTHING = "device.driver == 'none.example.com'"


@faults(
    ("missing", removed("a10g.nvidia.com"), "GC520", [A10G]),
    ("other-selector", class_field("a10g.nvidia.com", expression(NOTHING)), "GC520", [A10G]),
    ("more-selectors", class_field("a10g.nvidia.com", second_selector), "GC520", [A10G]),
    ("no-selectors", class_field("a10g.nvidia.com", lambda s: s.pop("selectors")), "GC520", [A10G]),
    ("config", class_field("a10g.nvidia.com", sharing), "GC520", [A10G]),
    ("label-stripped", class_field("a100.nvidia.com", without_label), "GC520", [A100]),
    ("other-label", class_field("a10g.nvidia.com", other_label), "GC520", [A10G]),
    ("claimed-too", added(device_class("mine", "nvidia.com/a10g", NOTHING)), "GC521", [A10G]),
    (
        "two-foreign-on-one-name",
        added(*(device_class(name, "example.com/fpga", NOTHING) for name in ("one", "two"))),
        "GC521",
        (),
    ),
    ("left-over", added(device_class("t4.nvidia.com", None, NOTHING, ours=True)), "GC522", ()),
)
def test_classes(break_it, code, not_ready):
    holds(break_it, code, not_ready)


@pytest.mark.parametrize(
    ("name", "created", "winner"),
    [
        ("later", "2026-07-04T00:00:00Z", "later wins (created last)"),
        ("earlier", "2026-07-01T00:00:00Z", "a10g.nvidia.com wins (created last)"),
        ("a", "2026-07-03T08:00:00Z", "a wins (created in the same second, the first name wins)"),
        (
            "b",
            "2026-07-03T08:00:00Z",
            "a10g.nvidia.com wins (created in the same second, the first name wins)",
        ),
        ("undated", "", "the one that was created last wins"),
    ],
)
def test_which_class_wins(name, created, winner):
    live = Live()
    live.deviceclasses.append(device_class(name, "nvidia.com/a10g", NOTHING, created))
    [fault] = live.checked().faults
    assert winner in fault.problem.message


def test_a_class_that_serves_the_label_alone():
    live = Live()
    live.deviceclasses.remove(live.device_class("a10g.nvidia.com"))
    live.deviceclasses.append(device_class("mine", "nvidia.com/a10g", NOTHING))
    missing, claimed = live.checked().faults
    assert missing.problem.message == "DeviceClass a10g.nvidia.com is not on the cluster"
    assert "DeviceClass mine: it hands out the devices of this label" in claimed.problem.message


# --- selectors -----------------------------------------------------------------------------------


def each_device(node, change):
    def break_it(live):
        for device in live.devices(node):
            change(device)

    return break_it


def first_device(node, change):
    return lambda live: change(live.devices(node)[0])


def attribute(name, **value):
    def change(device):
        device["attributes"][name] = value

    return change


def lacks(name):
    return lambda device: device["attributes"].pop(name)


def shared(device):
    device["allowMultipleAllocations"] = True


def tainted(device):
    device["taints"] = [{"key": "example.com/broken", "effect": "NoSchedule"}]


def odd_device(**attributes):
    def change(live):
        device = {"name": "odd", "attributes": attributes}
        live.resourceslices.append(slice_of("cpu-01", [device], driver="other.example.com"))

    return change


def incomplete_elsewhere(live):
    live.resourceslices.append(slice_of("cpu-01", [], driver="other.example.com", slices=2))


NO_A10G = each_device("gpu-a10g-01", attribute("productName", string="NVIDIA A10"))


@faults(
    ("no-such-product", NO_A10G, "GC530", [A10G]),
    ("no-product-names", each_device("gpu-a10g-01", lacks("productName")), "GC530", [A10G]),
    (
        "other-profile",
        each_device("gpu-a100-mig-01", attribute("profile", string="2g.10gb")),
        "GC530",
        [SMALL, LARGE],
    ),
    ("all-tainted", each_device("gpu-a10g-01", tainted), "GC530", [A10G]),
    ("one-tainted", first_device("gpu-a10g-01", tainted), None, ()),
    (
        "unreadable-version",
        first_device("gpu-a10g-01", attribute("driverVersion", version="580")),
        "GC532",
        LABELS,
    ),
    ("unreadable-version-of-another-driver", odd_device(v={"version": "v1"}), "GC532", LABELS),
    ("unknown-kind-of-value", odd_device(v={"float": 1.5}), "GC532", LABELS),
    ("no-value", odd_device(v={}), "GC532", LABELS),
    ("list-attribute", odd_device(v={"strings": ["a"]}), "GC533", LABELS),
    ("odd-but-fine", odd_device(type={"int": 1}, productName={"bool": True}), None, ()),
    ("shared", first_device("gpu-a10g-01", shared), "GC534", [A10G]),
    ("incomplete-pool", incomplete_elsewhere, "GC535", ()),
)
def test_selectors(break_it, code, not_ready):
    holds(break_it, code, not_ready)


def test_why_there_is_no_device():
    def hint(break_it):
        live = Live()
        break_it(live)
        return next(one for one in live.checked().faults if one.reason == "no device").problem.hint

    assert "product names are NVIDIA A100-SXM4-40GB (15), NVIDIA A10 (2)" in hint(NO_A10G)
    other_profile = each_device("gpu-a100-mig-01", attribute("profile", string="2g.10gb"))
    assert "whole GPU (8), 2g.10gb (7); after a change of MIG restart the kubelet plugin" in hint(
        other_profile
    )
    assert "only as MIG devices" in hint(
        each_device("gpu-a100-01", attribute("type", string="mig"))
    )
    assert "no driver publishes GPUs" in hint(lambda live: live.resourceslices.clear())


def test_devices_of_an_incomplete_pool_are_not_counted():
    live = Live()
    live.slice("gpu-a10g-01")["pool"]["resourceSliceCount"] = 2
    checked = live.checked()
    assert codes(checked) == ["GC530", "GC535", "GC543"]
    assert "restart the driver's kubelet plugin" in checked.faults[0].problem.hint
    assert [one.problem.message for one in checked.faults][:2] == [
        "nvidia.com/a10g matches 2 devices, and none can be handed out:"
        " 0 tainted, 2 in incomplete pools",
        "no device is taken from 1 pool: only 1 of its 2 slices are there:"
        " gpu-a10g-01 (gpu.nvidia.com)",
    ]


def test_a_device_that_stands_in_its_pool_twice():
    live = Live()
    live.devices("gpu-a100-01").append(copy.deepcopy(live.devices("gpu-a100-01")[0]))
    assert "GC535" in codes(live.checked())


def test_only_the_newest_generation_of_a_pool_counts():
    live = Live()
    live.resourceslices.append(
        slice_of("gpu-a10g-01", live.devices("gpu-a10g-01")[:1], generation=2, name="newer")
    )
    checked = live.checked()
    assert codes(checked) == []
    assert checked.case.supplies["nvidia.com/a10g"].devices == 1


def overlapping(more=""):
    return CATALOG.replace(
        "\nretired_labels:",
        """\
  - component: gpu_any
    name: NVIDIA GPU
    label: nvidia.com/any
    node_selector: { accelerator: nvidia-a10g }
    device_class:
      cel: device.driver == 'gpu.nvidia.com' && device.attributes['gpu.nvidia.com'].type == 'gpu'
MORE
retired_labels:""".replace("MORE", more),
    )


def with_any(catalog):
    live = Live(catalog)
    live.resourcequotas = [quota(one, (*LABELS, "any")) for one in ("team-a", "team-b")]
    return live.checked(catalog)


def test_a_device_in_two_classes():
    checked = with_any(overlapping())
    assert codes(checked) == ["GC531", "GC542"]
    assert ready(checked) == [SMALL, LARGE]
    assert checked.faults[0].problem.message == (
        "nvidia.com/any and nvidia.com/a10g both match 2 devices"
    )


def test_a_deprecated_offering_may_share():
    checked = with_any(overlapping("    deprecated: { replaced_by: [nvidia.com/a10g] }\n"))
    assert ready(checked) == [*LABELS, "any"]
    assert {one.problem.severity for one in checked.faults} == {"warning"}


RAW = CATALOG.replace(
    "      products: [a10g]",
    "      cel: device.driver == 'gpu.nvidia.com' && EXPRESSION",
)


@pytest.mark.parametrize(
    ("expression", "code"),
    [
        ("device.attributes['gpu.nvidia.com'].profile == 'none'", "GC532"),
        ("device.attributes['gpu.nvidia.com'].productName.find('A10G') == 'A10G'", "GC533"),
        ("device.attributes['gpu.nvidia.com'].productName == 'NVIDIA A10G'", None),
    ],
)
def test_raw_expressions(expression, code):
    catalog = RAW.replace("EXPRESSION", expression)
    checked = Live(catalog).checked(catalog)
    assert codes(checked) == ([code] if code else [])
    assert (A10G in ready(checked)) == (code is None)


@pytest.mark.parametrize("slices", [None, [], "all"])
def test_an_expression_that_the_api_server_refuses(slices):
    catalog = RAW.replace("EXPRESSION", "device.nope == 1")
    live = Live(catalog)
    if slices != "all":
        live.resourceslices = slices
    [fault] = [one for one in live.checked(catalog).faults if one.labels == ("nvidia.com/a10g",)]
    assert fault.problem.code == "GC532"
    assert "is refused: does not compile: " in fault.problem.message
    assert "no API server takes a class with it" in fault.problem.hint


@pytest.mark.parametrize(
    ("value", "code"), [({"strings": ["a"]}, "GC533"), ({"version": "v1"}, "GC532")]
)
def test_where_no_expression_helps_the_driver_is_named(value, code):
    checked = holds(odd_device(v=value), code, LABELS)
    for fault in checked.faults:
        assert "no expression helps: the driver other.example.com" in fault.problem.hint


# --- nodes ---------------------------------------------------------------------------------------


def labels(node, **changes):
    def change(live):
        found = live.node(node)["metadata"]["labels"]
        for key, value in changes.items():
            name = key.replace("__", "/").replace("_", "-")
            found.pop(name) if value is None else found.update({name: value})

    return change


def allocatable(node, **amounts):
    def change(live):
        for name, amount in amounts.items():
            live.node(node)["status"]["allocatable"][f"nvidia.com/{name}"] = amount

    return change


def node_taint(effect, key="nvidia.com/gpu"):
    def change(live):
        taint = {"key": key, "value": "present", "effect": effect}
        live.node("gpu-a10g-01")["spec"].setdefault("taints", []).append(taint)

    return change


def cordoned(live):
    node_taint("NoSchedule", "node.kubernetes.io/unschedulable")(live)


def one_of_two_cordoned(live):
    devices_elsewhere(live)
    labels("gpu-a10g-02", accelerator="nvidia-a10g")(live)
    cordoned(live)


def each_closed_in_its_way(live):
    one_of_two_cordoned(live)
    taint = {"key": "nvidia.com/gpu", "effect": "NoSchedule"}
    live.node("gpu-a10g-02")["spec"]["taints"] = [taint]


def cordoned_without_devices(live):
    """Only A100 nodes count for A100: one that gives none is not what keeps it closed."""
    live.nodes.append(node("gpu-a100-02", accelerator="nvidia-a100"))
    taint = {"key": "node.kubernetes.io/unschedulable", "effect": "NoSchedule"}
    live.nodes[-1]["spec"]["taints"] = [taint]
    live.nodes[-1]["metadata"]["labels"]["nvidia.com/dra-kubelet-plugin"] = "true"


def without_ids(live):
    """A GPU and a MIG device that do not say which silicon they are of."""
    for device in live.devices("gpu-a100-mig-01"):
        device["attributes"].pop("parentUUID")
    live.devices("gpu-a10g-01")[0]["attributes"].pop("uuid")


def retired_label_on(node):
    return lambda live: live.node(node)["status"]["allocatable"].update({"nvidiax.com/gpu": "2"})


def selected_without_slices(live):
    live.nodes.append(node("gpu-a10g-02", accelerator="nvidia-a10g"))


def selected_and_unplaced(live):
    """A slice of all nodes: nobody can tell which of them publishes its devices."""
    selected_without_slices(live)
    live.resourceslices.append(slice_of("anywhere", live.devices("gpu-a10g-01")))
    spec = live.resourceslices[-1]["spec"]
    del spec["nodeName"]
    spec["allNodes"] = True


def devices_elsewhere(live):
    """A second A10G node, without the offering's node label."""
    live.nodes.append(node("gpu-a10g-02", accelerator="other"))
    live.resourceslices.append(slice_of("gpu-a10g-02", live.devices("gpu-a10g-01")))


def whole_and_parts(live):
    whole = copy.deepcopy(live.devices("gpu-a100-01")[0])
    whole["name"] = "gpu-1"
    parent = live.devices("gpu-a100-mig-01")[0]["attributes"]["parentUUID"]
    whole["attributes"]["uuid"] = parent
    live.devices("gpu-a100-mig-01").append(whole)


NO_PLUGIN_LABEL = labels("gpu-a10g-01", **{"nvidia.com__dra_kubelet_plugin": None})
OTHER_PLUGIN_LABEL = labels(
    "gpu-a10g-01",
    **{"nvidia.com__dra_kubelet_plugin": None, "nvidia.com__gpu.deploy.dra_driver": "true"},
)


@faults(
    ("no-plugin-label", NO_PLUGIN_LABEL, "GC540", ()),
    ("operator's-plugin-label", OTHER_PLUGIN_LABEL, None, ()),
    ("device-plugin-beside-dra", allocatable("gpu-a10g-01", a10g="2"), "GC541", LABELS),
    ("device-plugin-of-nothing", allocatable("gpu-a10g-01", gpu="0"), None, ()),
    ("device-plugin-of-the-network", allocatable("gpu-a10g-01", hostdev="8"), None, ()),
    ("rdma", allocatable("cpu-01", rdma_shared_device_a="63", hostdev="8"), None, ()),
    ("device-plugin-elsewhere", allocatable("cpu-01", a10g="2"), "GC541", ()),
    ("no-node-selected", labels("gpu-a10g-01", accelerator="other"), "GC542", [A10G]),
    ("some-devices-missed", devices_elsewhere, "GC542", ()),
    ("selected-without-slices", selected_without_slices, "GC543", ()),
    ("selected-and-unplaced", selected_and_unplaced, None, ()),
    ("whole-and-parts", whole_and_parts, "GC544", [A100, SMALL, LARGE]),
    ("devices-without-ids", without_ids, None, ()),
    ("taint", node_taint("NoSchedule"), "GC545", [A10G]),
    ("taint-that-evicts", node_taint("NoExecute"), "GC545", [A10G]),
    ("cordoned", cordoned, "GC545", [A10G]),
    ("one-of-two-cordoned", one_of_two_cordoned, "GC545", ()),
    ("each-closed-in-its-way", each_closed_in_its_way, "GC545", [A10G]),
    ("cordoned-without-devices", cordoned_without_devices, "GC543", ()),
    ("taint-that-asks", node_taint("PreferNoSchedule"), None, ()),
)
def test_nodes(break_it, code, not_ready):
    holds(break_it, code, not_ready)


@pytest.mark.parametrize(
    ("key", "message", "hint"),
    [
        (
            "node.kubernetes.io/unschedulable",
            "1 node of nvidia.com/a10g cordoned or not ready (unschedulable): gpu-a10g-01",
            "uncordon them when their work is done, in a rollout at the step that opens the nodes;"
            " why a node is not ready, `kubectl describe node` says",
        ),
        (
            "nvidia.com/gpu",
            "1 node of nvidia.com/a10g with the taint nvidia.com/gpu=present:NoSchedule,"
            " which its workloads do not tolerate: gpu-a10g-01",
            "take the taint off",
        ),
        (
            "nvidia.com/a10g",
            "1 node of nvidia.com/a10g with the taint nvidia.com/a10g=present:NoSchedule,"
            " which its workloads do not tolerate: gpu-a10g-01",
            "take the taint off, or let the admission plugin ExtendedResourceToleration add the"
            " toleration: then the label is not called ready here, and works",
        ),
    ],
)
def test_what_is_said_of_a_taint(key, message, hint):
    [fault] = holds(node_taint("NoSchedule", key), "GC545", [A10G]).faults
    assert fault.problem[2:5] == (message, hint, "warning")


OTHER_DRIVER = """\
  - component: gpu_other
    name: Other
    label: other.example.com/gpu
    node_selector: { accelerator: other }
    device_class:
      cel: device.driver == 'gpu.other.example.com'
"""
NO_CLASS = """\
  - component: gpu_plain
    name: Plain
    label: other.example.com/gpu
    node_selector: { accelerator: other }
"""


def other_node(live):
    live.nodes.append(node("other-01", accelerator="other"))
    live.node("other-01")["metadata"]["labels"].pop("nvidia.com/dra-kubelet-plugin")


def other_node_with_a_slice(live):
    other_node(live)
    live.resourceslices.append(
        slice_of("other-01", [{"name": "a"}], driver="gpu.other.example.com")
    )


@pytest.mark.parametrize(
    ("offering", "break_it", "found"),
    [
        pytest.param(NO_CLASS, other_node, [], id="no-class"),
        pytest.param(OTHER_DRIVER, other_node_with_a_slice, [], id="other-driver"),
        pytest.param(OTHER_DRIVER, other_node, ["GC530", "GC543"], id="other-driver-without-slice"),
    ],
)
def test_nodes_that_nvidia_has_nothing_to_do_with(offering, break_it, found):
    catalog = CATALOG.replace("\nretired_labels:", f"{offering}\nretired_labels:")
    live = Live(catalog)
    for namespace in ("team-a", "team-b"):
        live.quota(namespace)["requests.other.example.com/gpu"] = "1"
    break_it(live)
    assert codes(live.checked(catalog)) == found


@pytest.mark.parametrize(
    "name", ["nvidia.com/gpu", "nvidia.com/gpu.shared", "nvidia.com/mig-1g.5gb", "nvidiax.com/gpu"]
)
def test_what_a_device_plugin_advertises_is_a_side_door_too(name):
    live = Live()
    live.node("gpu-a10g-01")["status"]["allocatable"][name] = "2"
    live.quota("team-a")[f"requests.{name}"] = "4"
    live.quota("team-b")[f"requests.{name}"] = "0"
    checked = live.checked()
    assert (codes(checked), ready(checked)) == (["GC541", "GC552"], [])
    live.quota("team-a")[f"requests.{name}"] = "0"
    assert codes(live.checked()) == ["GC541"]


def test_device_plugin_per_node():
    catalog = CATALOG.replace(
        "namespace: themelio", "namespace: themelio\n    device_plugin: per-node"
    )
    live = Live(catalog)
    allocatable("cpu-01", a10g="2")(live)
    assert codes(live.checked(catalog)) == []
    allocatable("cpu-01", **{"gpu.shared": "8"})(live)
    assert codes(live.checked(catalog)) == ["GC552"]


def test_a_node_that_a_device_plugin_serves_awaits_no_slices():
    catalog = CATALOG.replace(
        "namespace: themelio", "namespace: themelio\n    device_plugin: per-node"
    )
    live = Live(catalog)
    live.nodes.append(node("gpu-a10g-02", accelerator="nvidia-a10g"))
    labels("gpu-a10g-02", **{"nvidia.com__dra_kubelet_plugin": None})(live)
    assert codes(live.checked(catalog)) == ["GC540", "GC543"]
    allocatable("gpu-a10g-02", a10g="2")(live)
    assert codes(live.checked(catalog)) == []


@pytest.mark.parametrize(("version", "found"), [("1.34.3", ["GC541", "GC552"]), ("1.35.2", [])])
def test_on_1_34_a_device_plugin_that_left_a_0_behind_keeps_dra_away(version, found):
    catalog = WITH_GATES.replace("1.35.2", version)
    live = Live(catalog, f"v{version}")
    allocatable("gpu-a10g-01", a10g="0")(live)
    checked = live.checked(catalog)
    assert codes(checked) == found
    assert ready(checked) == [label for label in LABELS if label != A10G or not found]


def test_missed_devices_are_counted():
    [fault] = holds(devices_elsewhere, "GC542", ()).faults
    assert fault.problem.message == (
        "2 of 4 devices of nvidia.com/a10g are on nodes that its node selector misses: gpu-a10g-02"
    )


# --- quotas --------------------------------------------------------------------------------------

IMPLICIT = "requests.deviceclass.resource.kubernetes.io/"
CLAIMS = ".deviceclass.resource.k8s.io/devices"


def hard(**changes):
    def change(live):
        found = live.quota("team-a")
        for key, value in changes.items():
            found.pop(key) if value is None else found.update({key: value})

    return change


def scoped(live):
    live.resourcequotas[0]["spec"]["scopes"] = ["BestEffort"]


def with_quota(namespace, amounts):
    return lambda live: live.resourcequotas.append(
        quota(namespace) | {"spec": {"hard": {f"requests.nvidia.com/{k}": v for k, v in amounts}}}
    )


PLATFORM = ("default", "gpu-operator", "dra-driver-nvidia-gpu", "kube-system", "themelio")


def namespace(name):
    return {"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": name}}


def namespace_without_quota(live):
    live.namespaces.append(namespace("team-c"))


def namespace_with_quota_of_cpus(live):
    namespace_without_quota(live)
    live.resourcequotas.append(quota("team-c") | {"spec": {"hard": {"requests.cpu": "8"}}})


def only_cpus(live):
    for one in live.resourcequotas:
        one["spec"]["hard"] = {"requests.cpu": "8"}


def all_read(change):
    """The namespaces are all of the cluster's, not the tenants' alone."""

    def break_it(live):
        live.namespaces.append(namespace("default"))
        change(live)

    return break_it


def platform_without_quota(live):
    live.namespaces += [namespace(name) for name in PLATFORM if name != "kube-system"]


def quota_of_the_platform(name):
    def change(live):
        live.namespaces = None
        with_quota(name, [("a10g", "4")])(live)

    return change


def two_quotas(key, first, second):
    """The key in two quotas of one namespace: Kubernetes enforces both."""

    def change(live):
        live.quota("team-a")[key] = first
        with_quota("team-a", [(key.removeprefix("requests.nvidia.com/"), second)])(live)
        live.resourcequotas[-1]["metadata"]["name"] = "more"

    return change


def own_class(name, **more):
    whole = (
        "device.driver == 'gpu.nvidia.com' && 'productName' in device.attributes['gpu.nvidia.com']"
    )
    return added(device_class(name, expression=whole, **more))


@faults(
    ("no-key", hard(**{"requests.nvidia.com/a100": None}), "GC550", [A100]),
    ("scopes", scoped, "GC550", LABELS),
    ("no-quota-anywhere", lambda live: live.resourcequotas.clear(), "GC550", LABELS),
    ("no-quota", namespace_without_quota, "GC550", LABELS),
    ("no-quota-of-gpus", namespace_with_quota_of_cpus, "GC550", LABELS),
    ("no-quota-where-all-were-read", all_read(namespace_without_quota), "GC550", ()),
    ("no-quota-of-gpus-where-all-were-read", all_read(namespace_with_quota_of_cpus), "GC550", ()),
    (
        "no-key-where-all-were-read",
        all_read(hard(**{"requests.nvidia.com/a100": None})),
        "GC550",
        [A100],
    ),
    (
        "no-quota-anywhere-where-all-were-read",
        all_read(lambda live: live.resourcequotas.clear()),
        "GC550",
        LABELS,
    ),
    ("quotas-of-cpus-alone", all_read(only_cpus), "GC550", LABELS),
    ("platform-without-quota", platform_without_quota, None, ()),
    *((f"quota-of-{name}", quota_of_the_platform(name), None, ()) for name in PLATFORM),
    ("two-quotas-one-forbids", two_quotas("requests.nvidia.com/gpu", "2", "0"), None, ()),
    ("two-quotas-the-first-forbids", two_quotas("requests.nvidia.com/gpu", "0", "2"), None, ()),
    ("two-quotas-both-allow", two_quotas("requests.nvidia.com/gpu", "2", "3"), "GC552", ()),
    ("two-quotas-mistyped", two_quotas("requests.nvidia.com/a1O0", "2", "0"), "GC551", ()),
    ("mistyped", hard(**{"requests.nvidia.com/a1O0": "4"}), "GC551", ()),
    ("mistyped-domain", hard(**{"requests.nvidai.com/a100": "4"}), "GC551", ()),
    ("retired", hard(**{"requests.nvidiax.com/gpu": "4"}), "GC551", ()),
    ("retired-and-forbidden", hard(**{"requests.nvidiax.com/gpu": "0"}), None, ()),
    ("limits", hard(**{"limits.nvidia.com/a100": "4"}), "GC551", ()),
    ("bare", hard(**{"nvidia.com/a100": "4"}), "GC551", ()),
    ("of-others", hard(**{"requests.example.com/fpga": "4", "limits.cpu": "4"}), None, ()),
    ("generic-label", hard(**{"requests.nvidia.com/gpu": None}), "GC552", LABELS),
    ("implicit-name", hard(**{f"{IMPLICIT}gpu.nvidia.com": None}), "GC552", LABELS),
    ("claims", hard(**{f"mig.nvidia.com{CLAIMS}": None}), "GC552", LABELS),
    ("generic-label-allowed", hard(**{"requests.nvidia.com/gpu": "2"}), "GC552", ()),
    ("class-without-devices", hard(**{f"vfio.gpu.nvidia.com{CLAIMS}": None}), None, ()),
    ("another-class", own_class("mine"), "GC552", LABELS),
    ("another-class-with-a-label", own_class("mine", label="example.com/any"), "GC552", LABELS),
    ("a-class-without-selectors", added({**device_class("all"), "spec": {}}), "GC552", LABELS),
)
def test_quotas(break_it, code, not_ready):
    holds(break_it, code, not_ready)


def test_a_long_class_name_has_no_implicit_name():
    live = Live()
    own_class("a" * 64)(live)
    [fault] = live.checked().faults
    assert fault.problem.message.endswith(f"open: {'a' * 64}{CLAIMS}")


@pytest.mark.parametrize(
    ("key", "hint"),
    [
        ("requests.nvidia.com/a10", "did you mean requests.nvidia.com/a10g?"),
        ("limits.nvidia.com/a100", "did you mean requests.nvidia.com/a100?"),
        (
            "requests.nvidia.com/a100-mig-3g.20g",
            "did you mean requests.nvidia.com/a100-mig-3g.20gb?",
        ),
        ("requests.nvidai.com/a100", "did you mean requests.nvidia.com/a100?"),
        (
            "requests.nvidia.com/h200",
            "the keys of this cluster: "
            + ", ".join(f"requests.nvidia.com/{one}" for one in LABELS),
        ),
        (
            "requests.nvidiax.com/gpu",
            "the label is retired: requests.nvidia.com/a10g takes its place",
        ),
    ],
)
def test_what_a_quota_key_was_meant_to_be(key, hint):
    [fault] = holds(hard(**{key: "1"}), "GC551", ()).faults
    assert fault.problem.hint == hint


def test_a_generic_label_that_the_drivers_class_serves_is_no_side_door():
    """The keys of the driver's class are charged by the pods of the label: they cannot be 0."""
    generic = """\
offerings:
  - name: Any GPU
    label: nvidia.com/gpu
    node_selector: { accelerator: nvidia-a10g }
    deprecated: { replaced_by: [nvidia.com/a10g] }
"""
    retired = CATALOG.index("  - label: nvidia.com/gpu\n"), CATALOG.index("  - label: nvidiax")
    catalog = (CATALOG[: retired[0]] + CATALOG[retired[1] :]).replace("offerings:\n", generic, 1)
    live = Live(catalog)
    for namespace in ("team-a", "team-b"):
        found = live.quota(namespace)
        found["requests.nvidia.com/gpu"] = "2"
        del found[f"{IMPLICIT}gpu.nvidia.com"], found[f"gpu.nvidia.com{CLAIMS}"]
    assert codes(live.checked(catalog)) == []


def test_a_namespace_that_is_being_deleted_needs_no_quota():
    live = Live()
    live.namespaces.append(namespace("team-c"))
    live.namespaces[-1]["metadata"]["deletionTimestamp"] = "2026-11-30T00:00:00Z"
    assert codes(live.checked()) == []


def test_only_the_namespaces_that_were_read_are_asked_for_quotas():
    """The runbook reads those of tenants: who they are, only the operator knows."""
    live = Live()
    with_quota("monitoring", [])(live)
    assert codes(live.checked()) == []
    live.namespaces.append(namespace("monitoring"))
    assert codes(live.checked()) == ["GC550"]
    live.namespaces = None
    assert codes(live.checked()) == ["GC550"]


@faults(
    ("claims-forbidden", hard(**{f"a100.nvidia.com{CLAIMS}": "0"}), "GC553", [A100]),
    ("fewer-claims", hard(**{f"a100.nvidia.com{CLAIMS}": "7"}), "GC553", [A100]),
    ("as-many-claims", hard(**{f"a100.nvidia.com{CLAIMS}": "8"}), None, ()),
    ("implicit-name-forbidden", hard(**{f"{IMPLICIT}a10g.nvidia.com": "0"}), "GC553", [A10G]),
    (
        "label-forbidden-too",
        hard(**{f"a100.nvidia.com{CLAIMS}": "0", "requests.nvidia.com/a100": "0"}),
        None,
        (),
    ),
)
def test_a_label_has_no_more_than_its_class(break_it, code, not_ready):
    holds(break_it, code, not_ready)


def test_on_1_34_claims_of_a_label_without_a_class_are_uncounted_too():
    generic = (
        "  - name: Any GPU\n    label: nvidia.com/gpu\n"
        "    node_selector: { accelerator: nvidia-a10g }\n    deprecated: {}\n"
    )
    before, _, after = WITH_GATES.replace("1.35.2", "1.34.3").partition("retired_labels:\n")
    catalog = f"{before}{generic}{after[after.index('clusters:') :]}"
    hints = [
        fault.problem.hint
        for fault in Live(catalog, "v1.34.3").checked(catalog).faults
        if fault.problem.code == "GC552" and fault.problem.severity == "warning"
    ]
    assert [hint.endswith(f", gpu.nvidia.com{CLAIMS}") for hint in hints] == [True]


def test_on_1_34_nobody_knows_which_class_serves_a_label():
    catalog = WITH_GATES.replace("1.35.2", "1.34.3")
    live = Live(catalog, "v1.34.3")
    live.deviceclasses.append(device_class("mine", "nvidia.com/a10g", NOTHING))
    [message] = [
        fault.problem.message
        for fault in live.checked(catalog).faults
        if fault.problem.code == "GC521"
    ]
    assert message.endswith("Kubernetes 1.34 uses any of them, and not always the same")


def test_on_1_34_quotas_of_labels_count_no_claims():
    catalog = WITH_GATES.replace("1.35.2", "1.34.3")
    live = Live(catalog, "v1.34.3")
    [fault] = live.checked(catalog).faults
    assert (fault.problem.code, fault.problem.severity, fault.labels) == ("GC552", "warning", ())
    assert "at least the label's number, as 0 forbids the label itself" in fault.problem.hint
    hard(**{f"{IMPLICIT}a10g.nvidia.com": "0"})(live)  # no claim is charged to it
    assert codes(live.checked(catalog)) == ["GC552"]
    for namespace in ("team-a", "team-b"):
        live.quota(namespace).update({f"{label}.nvidia.com{CLAIMS}": "8" for label in LABELS})
    assert codes(live.checked(catalog)) == []


# --- ConfigMap -----------------------------------------------------------------------------------

KEY = "THEMELIO_GPU_LABELS_CONFIG"


def document(change):
    def break_it(live):
        data = live.configmaps[0]["data"]
        data[KEY] = change(data[KEY])

    return break_it


def replaced(old, new):
    def change(text):
        assert old in text
        return text.replace(old, new)

    return document(change)


ENTRY = "\n  example.com/x:\n    node_selector: {a: b}\n    mig_enabled: 'false'\n"


@faults(
    ("missing", lambda live: live.configmaps.clear(), "GC560", LABELS),
    (
        "elsewhere",
        lambda live: live.configmaps[0]["metadata"].update(namespace="x"),
        "GC560",
        LABELS,
    ),
    ("no-key", lambda live: live.configmaps[0].update(data={"x": "y"}), "GC560", LABELS),
    ("no-data", lambda live: live.configmaps[0].pop("data"), "GC560", LABELS),
    ("not-yaml", document(lambda _: "a: ["), "GC560", LABELS),
    ("no-such-day", document(lambda _: "a: 2026-99-99"), "GC560", LABELS),
    ("no-boolean", document(lambda _: "a: !!bool x"), "GC560", LABELS),
    ("too-deep", document(lambda _: "[" * 3000), "GC560", LABELS),
    ("refused", replaced('mig_enabled: "false"', "mig_enabled: false"), "GC560", LABELS),
    ("label-missing", replaced("nvidia.com/a10g", "nvidia.com/a100-x"), "GC560", [A10G]),
    ("other-selector", replaced("nvidia-a10g", "a10g"), "GC560", [A10G]),
    ("more-labels", document(lambda text: text.rstrip() + ENTRY), "GC560", ()),
    ("other-order", document(lambda text: text + "\n"), None, ()),
)
def test_config_map(break_it, code, not_ready):
    holds(break_it, code, not_ready)


# --- what was not read ---------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("resource", "subjects"),
    [
        ("version", "versions"),
        ("nodes", "versions, nodes, quotas"),
        ("resourceslices", "selectors, nodes, quotas"),
        ("deviceclasses", "classes, quotas"),
        ("resourcequotas", "quotas"),
        ("configmaps", "ConfigMap"),
    ],
)
def test_a_missing_dump_leaves_checks_undone(resource, subjects):
    live = Live()
    setattr(live, resource, None)
    checked = live.checked()
    [fault] = checked.faults
    assert fault.problem.code == "GC504"
    assert f"the checks of {subjects} are" in fault.problem.message
    assert ready(checked) == []


def test_namespaces_are_optional():
    assert codes(holds(lambda live: setattr(live, "namespaces", None), None, ())) == []
