"""The rendered workload: the label in requests and limits, and the entry's node selector."""

import kubernetes_validate
import pytest
import yaml

from generator.actions import Request, workload
from generator.yamltext import block
from tests.actions.labels import LABELS, MIG

THEMELIO = LABELS.clusters["themelio"]
MIG_LABEL = "nvidia.com/a100-mig-1g.5gb"


def test_deployment() -> None:
    data = workload(Request("k8s-deployment", 2, MIG_LABEL), "job", THEMELIO)
    assert "\n".join(block(data)) == (
        """\
apiVersion: apps/v1
kind: Deployment
metadata:
  name: job
spec:
  selector:
    matchLabels:
      app: job
  template:
    metadata:
      labels:
        app: job
    spec:
      containers:
        - name: main
          image: registry.invalid/image-of-the-action
          resources:
            requests:
              nvidia.com/a100-mig-1g.5gb: "2"
            limits:
              nvidia.com/a100-mig-1g.5gb: "2"
      nodeSelector:
        accelerator: nvidia-a100
        zone: "1e3\""""
    )


@pytest.mark.parametrize("version", ["1.34", "1.35", "1.36", "1.37"])
@pytest.mark.parametrize("gpus", [0, 1])
def test_deployment_is_valid_on_every_version(gpus: int, version: str) -> None:
    label = MIG_LABEL if gpus else None
    data = workload(Request("k8s-deployment", gpus, label), "job", THEMELIO)
    kubernetes_validate.validate(data, version, strict=True)


def test_inference_service() -> None:
    data = workload(Request("k8s-inferenceservice", 1, MIG_LABEL), "job", THEMELIO)
    assert data["apiVersion"] == "serving.kserve.io/v1beta1"
    assert data["kind"] == "InferenceService"
    predictor = data["spec"]["predictor"]
    assert predictor["nodeSelector"] == MIG.node_selector
    [container] = predictor["containers"]
    assert container["resources"] == {"requests": {MIG_LABEL: "1"}, "limits": {MIG_LABEL: "1"}}


@pytest.mark.parametrize("kind", ["k8s-deployment", "k8s-inferenceservice"])
def test_no_resource_claim(kind: str) -> None:
    data = workload(Request(kind, 1, MIG_LABEL), "job", THEMELIO)
    assert "claim" not in yaml.safe_dump(data).lower()


@pytest.mark.parametrize("kind", ["k8s-deployment", "k8s-inferenceservice"])
def test_without_gpus_nothing_of_a_gpu(kind: str) -> None:
    text = yaml.safe_dump(workload(Request(kind, 0, MIG_LABEL), "job", THEMELIO))
    assert "resources" not in text
    assert "nodeSelector" not in text
