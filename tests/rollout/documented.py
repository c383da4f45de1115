"""The keys and the types that the readers of the value files document, as JSON Schemas."""


def _only(**properties):
    """An object that may have these keys alone."""
    return {"type": "object", "properties": properties, "additionalProperties": False}


BOOLEAN, STRING = {"type": "boolean"}, {"type": "string"}
STRINGS = {"type": "object", "additionalProperties": STRING}
GATES = {"type": "array", "items": {"type": "string", "pattern": r"^\w+=(true|false)$"}}

# Sources: Kubespray `docs/ansible/vars.md`, `roles/kubespray_defaults/defaults/main/main.yml`
# (kube_version), `roles/kubernetes/control-plane/defaults` and `roles/kubernetes/node/defaults`
# (gates, lists of "Name=true"), `roles/kubernetes/node-label` (node_labels, a dict of strings).
KUBESPRAY = _only(
    kube_version=STRING,
    kube_apiserver_feature_gates=GATES,
    kube_controller_feature_gates=GATES,
    kube_scheduler_feature_gates=GATES,
    kubelet_feature_gates=GATES,
    node_labels=STRINGS,
)
# Source: `values.yaml`, `templates/validation.yaml` and `templates/kubeletplugin.yaml` of the chart
# dra-driver-nvidia-gpu, and the project's page "Helm chart values".
DRA_DRIVER = _only(
    resources=_only(gpus=_only(enabled=BOOLEAN), computeDomains=_only(enabled=BOOLEAN)),
    gpuResourcesEnabledOverride=BOOLEAN,
    nvidiaDriverRoot=STRING,
    kubeletPlugin=_only(nodeSelector=STRINGS),
)
# Source: `values.yaml` and `templates/clusterpolicy.yaml` of the chart gpu-operator, the schema of
# ClusterPolicy (`mig.strategy`), and NVIDIA's guide to installing its DRA driver with the operator
# (`driver.manager.env`).
GPU_OPERATOR = _only(
    devicePlugin=_only(enabled=BOOLEAN),
    driver=_only(manager=_only(env={"type": "array", "items": _only(name=STRING, value=STRING)})),
    mig=_only(strategy={"enum": ["none", "single", "mixed"]}),
)

BY_FILE = {
    "kubespray/k8s_cluster.yml": KUBESPRAY,
    "kubespray/gpu_nodes.yml": KUBESPRAY,
    "dra-driver-values.yaml": DRA_DRIVER,
    "gpu-operator-values.yaml": GPU_OPERATOR,
}
