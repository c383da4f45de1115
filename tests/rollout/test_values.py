"""The value files, against the keys and the types that their readers document."""

import pytest
import yaml
from jsonschema import Draft202012Validator

from generator.catalog import reader
from generator.findings import Invalid
from tests.rollout import documented
from tests.rollout.cases import CLUSTERS, GOLDEN, cluster, load

each_cluster = pytest.mark.parametrize(("case", "name"), CLUSTERS)


def undocumented(data, schema):
    """Each place where the data has another key or type than the schema."""
    return [fault.json_path for fault in Draft202012Validator(schema).iter_errors(data)]


@pytest.mark.parametrize("path", documented.BY_FILE)
@each_cluster
def test_only_documented_keys_and_types(case, name, path):
    assert undocumented(load(case, name, path), documented.BY_FILE[path]) == []


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("kube_version: 1.36", "$.kube_version"),
        ("kube_feature_gates: [A=true]", "$"),
        ("kubelet_feature_gates: {A: true}", "$.kubelet_feature_gates"),
        ("kubelet_feature_gates: [{A: true}]", "$.kubelet_feature_gates[0]"),
        ("kubelet_feature_gates: [A]", "$.kubelet_feature_gates[0]"),
        ("node_labels: {a: true}", "$.node_labels.a"),
        ("node_labels: [a=true]", "$.node_labels"),
    ],
)
def test_the_table_finds_what_kubespray_would_misread(text, place):
    assert undocumented(yaml.safe_load(text), documented.KUBESPRAY) == [place]


GATE_VARIABLES = [
    key for key in documented.KUBESPRAY["properties"] if key.endswith("_feature_gates")
]


@pytest.mark.parametrize(
    ("case", "name", "version", "gates"),
    [
        ("plain", "themelio", "1.36.4", None),
        ("a10g", "small", None, None),
        ("per-node", "mixed", "1.37.0", None),
        ("per-node", "other", "1.34.9", ["DRAExtendedResource", "DynamicResourceAllocation"]),
        (
            "gated",
            "gated",
            None,
            ["DynamicResourceAllocation", "DRAExtendedResource", "DRAPartitionableDevices"],
        ),
    ],
)
def test_version_and_gates(case, name, version, gates):
    wanted = {"kube_version": version} if version else {}
    if gates:
        wanted |= {variable: [f"{gate}=true" for gate in gates] for variable in GATE_VARIABLES}
    assert load(case, name, "kubespray/k8s_cluster.yml") == wanted


@each_cluster
def test_nodes_are_labelled_as_the_driver_selects_them(case, name):
    labels = load(case, name, "kubespray/gpu_nodes.yml")["node_labels"]
    selector = load(case, name, "dra-driver-values.yaml")["kubeletPlugin"]["nodeSelector"]
    [variable] = load(case, name, "gpu-operator-values.yaml")["driver"]["manager"]["env"]
    assert selector == {"nvidia.com/dra-kubelet-plugin": "true"}
    assert selector.items() <= labels.items()
    assert variable == {"name": "NODE_LABEL_FOR_GPU_POD_EVICTION", "value": next(iter(selector))}


@each_cluster
def test_no_node_has_two_masters(case, name):
    """The device plugin is off for the cluster, or each DRA node opts out of it."""
    labels = load(case, name, "kubespray/gpu_nodes.yml")["node_labels"]
    plugin = load(case, name, "gpu-operator-values.yaml")["devicePlugin"]["enabled"]
    opted_out = labels.get("nvidia.com/gpu.deploy.device-plugin")
    per_node = cluster(case, name).device_plugin == "per-node"
    assert (plugin, opted_out) == ((True, "false") if per_node else (False, None))


@each_cluster
def test_the_driver_serves_gpus(case, name):
    values = load(case, name, "dra-driver-values.yaml")
    assert values["resources"] == {"gpus": {"enabled": True}, "computeDomains": {"enabled": False}}
    assert values["gpuResourcesEnabledOverride"] is True
    assert values["nvidiaDriverRoot"] == "/run/nvidia/driver"


@each_cluster
def test_mig_is_mixed_where_it_is_offered(case, name):
    offered = any(one.mig_profile for one in cluster(case, name).offerings)
    values = load(case, name, "gpu-operator-values.yaml")
    assert values.get("mig") == ({"strategy": "mixed"} if offered else None)


@pytest.mark.parametrize("version", ["v1.36.4", "1.36.4-eks-1", "1.36.4+rke2r1", "1.36.x", "1.036"])
def test_a_version_that_kubespray_cannot_read_is_refused(version):
    text = (GOLDEN / "plain" / "catalog.yaml").read_text(encoding="utf-8")
    with pytest.raises(Invalid) as refused:
        reader.read(text.replace('"1.36.4"', f'"{version}"').encode(), "catalog.yaml")
    [finding] = refused.value.findings
    assert finding.line == next(
        number for number, line in enumerate(text.split("\n"), 1) if "kubernetes:" in line
    )
