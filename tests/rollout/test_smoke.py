"""The smoke tests: one pod and one action for each label that DRA hands out."""

import re

import kubernetes_validate
import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from generator.catalog.model import Deprecation, Offering
from generator.kubernetes import is_dns_subdomain
from generator.targets.rollout import pod_name, smoke_stem
from tests.rollout.cases import CLUSTERS, cluster, load, rollout

each_cluster = pytest.mark.parametrize(("case", "name"), CLUSTERS)


def served(case, name):
    return [one for one in cluster(case, name).offerings if one.device_class]


@each_cluster
def test_there_are_two_files_for_each_label_with_a_class_and_no_other(case, name):
    folder = f"{name}/rollout/smoke/"
    found = {path.removeprefix(folder) for path in rollout(case) if path.startswith(folder)}
    stems = [smoke_stem(offering) for offering in served(case, name)]
    assert found == {f"{stem}.{end}" for stem in stems for end in ("yaml", "action.yaml")}


@each_cluster
def test_the_pod_asks_for_one_gpu_as_a_workload_does(case, name):
    for offering in served(case, name):
        pod = load(case, name, f"smoke/{smoke_stem(offering)}.yaml")
        [container] = pod["spec"]["containers"]
        assert pod["spec"]["nodeSelector"] == dict(offering.node_selector)
        for side in ("requests", "limits"):
            gpus = {key: count for key, count in container["resources"][side].items() if "/" in key}
            assert gpus == {offering.label: "1"}
        assert "nvidia-smi -L" in container["command"][-1]
        assert pod["spec"]["restartPolicy"] == "Never"
        assert "tolerations" not in pod["spec"]
        assert "laim" not in yaml.safe_dump(pod)


@pytest.mark.parametrize("version", ["1.34", "1.35", "1.36", "1.37"])
@each_cluster
def test_the_pods_are_valid(case, name, version):
    for offering in served(case, name):
        pod = load(case, name, f"smoke/{smoke_stem(offering)}.yaml")
        kubernetes_validate.validate(pod, version, strict=True)


@each_cluster
def test_the_quota_of_their_namespace_has_one_of_each(case, name):
    offerings = served(case, name)
    path = f"{name}/rollout/smoke-quota.yaml"
    hard = yaml.safe_load(rollout(case)[path])["spec"]["hard"] if offerings else {}
    assert hard == {f"requests.{one.label}": "1" for one in offerings}
    assert (path in rollout(case)) == bool(offerings)


@each_cluster
def test_the_action_says_the_same(case, name):
    for offering in served(case, name):
        assert load(case, name, f"smoke/{smoke_stem(offering)}.action.yaml") == {
            "type": "k8s-deployment",
            "options": {"gpus": 1, "gpuLabel": offering.label},
        }


def offering(component, label):
    deprecated = None if component else Deprecation((), "")
    return Offering(component, "", label, {"a": "b"}, None, None, True, {}, deprecated)


components = st.from_regex(r"[a-z][a-z0-9_]{0,49}", fullmatch=True)
labels = st.from_regex(
    r"[a-z0-9-]{1,4}(\.[a-z]{1,3})?/[A-Za-z0-9._-]{1,8}(\.action)?", fullmatch=True
)
long = st.from_regex(r"(a{60}\.){3}[ab]{3,9}\.c/[A-Za-z0-9]{40,60}", fullmatch=True)


def folded(label):
    """What the catalog keeps apart: labels that differ in no more than this are refused (GC206)."""
    return re.sub(r"[/.\-]", "_", label).lower()


@given(
    st.lists(components, unique=True, max_size=5),
    st.lists(labels | long, unique_by=folded, max_size=5),
)
def test_file_names_never_collide(names, bare):
    made = [offering(name, f"x.y/{name}") for name in names] + [offering(None, one) for one in bare]
    stems = [smoke_stem(one) for one in made]
    files = [f"{stem}.{end}" for stem in stems for end in ("yaml", "action.yaml")]
    assert len({file.lower() for file in files}) == len(files)
    assert all(re.fullmatch(r"[a-z0-9_.-]{1,120}", file) for file in files)
    assert all(is_dns_subdomain(pod_name(stem)) for stem in stems)
    assert stems[: len(names)] == names


@pytest.mark.parametrize(
    ("component", "label", "stem", "pod"),
    [
        ("gpu_a10g", "nvidia.com/a10g", "gpu_a10g", "smoke-gpu-a10g"),
        ("gpu_", "nvidia.com/a10g", "gpu_", "smoke-gpu"),
        (None, "nvidia.com/gpu", "nvidia-com-gpu", "smoke-nvidia-com-gpu"),
        (None, "nvidia.com/MIG-1g.5gb", "nvidia-com-mig-1g-5gb", "smoke-nvidia-com-mig-1g-5gb"),
        (None, "nvidia/gpu", "nvidia-gpu", "smoke-nvidia-gpu"),
    ],
)
def test_names_are_those_that_people_expect(component, label, stem, pod):
    assert smoke_stem(offering(component, label)) == stem
    assert pod_name(stem) == pod
