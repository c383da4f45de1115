"""The runbook: its order, its commands, and every name in it."""

import re
import shlex
import subprocess
from functools import cache
from pathlib import Path

import pytest

from generator import cli
from tests.rollout import following
from tests.rollout.cases import CLUSTERS, artifacts, cluster, project, rollout

each_cluster = pytest.mark.parametrize(("case", "name"), CLUSTERS)


def runbook(case, name):
    return rollout(case)[f"{name}/rollout/RUNBOOK.md"]


@pytest.fixture(scope="module")
def follow(tmp_path_factory):
    """Follow a runbook once; returns the words of each call, the first being the program."""

    @cache
    def followed(case, name, releases="gpu-operator"):
        catalog = project(case).catalog
        root = following.checkout(artifacts(case), catalog, tmp_path_factory.mktemp(case))
        return following.follow(root, cluster(case, name), runbook(case, name), releases)

    return followed


def at(calls, *words):
    """The places of the calls that hold these words in this order."""
    pattern = re.compile(".*".join(map(re.escape, words)))
    return [place for place, call in enumerate(calls) if pattern.search(" ".join(call))]


@each_cluster
def test_every_command_runs_in_the_order_of_the_document(follow, case, name):
    assert follow(case, name)


@each_cluster
def test_every_call_names_the_context_of_the_cluster(follow, case, name):
    context = cluster(case, name).kube_context
    for call in follow(case, name):
        option = {"kubectl": "--context", "helm": "--kube-context"}.get(call[0])
        if option and call[1:3] != ["repo", "add"]:
            assert call[1:3] == [option, context] if context else option not in call


@each_cluster
def test_every_file_that_a_command_names_is_there(follow, case, name):
    folder = f"generated/clusters/{name}/"
    named = {word for call in follow(case, name) for word in call if word.startswith("generated/")}
    made = {f"generated/{path}" for path in artifacts(case)}
    assert {f"{folder}rollout/quota-guard.yaml", f"{folder}configmap.yaml"} <= named
    assert {
        word for word in named if not any((path + "/").startswith(word + "/") for path in made)
    } == set()


@each_cluster
def test_every_command_of_ours_parses(follow, case, name):
    ours = [call[1:] for call in follow(case, name) if call[0] == "gpu-catalog"]
    assert {"check", "scan", "cluster"} <= {words[0] for words in ours}
    for words in ours:
        cli._parser(words[0]).parse_args(words)
    for command in re.findall(r"`gpu-catalog ([^`]+ --[^`]+)`", runbook(case, name)):
        cli._parser(command.split()[0]).parse_args(shlex.split(command))


PATH = re.compile(r"`([A-Za-z0-9_./*-]+\.(?:yaml|yml|j2|md|ts))`")
MADE_ON_THE_WAY = {"group_vars/gpu_nodes/zz-gpu-catalog.yml"}


@each_cluster
def test_every_code_that_the_text_names_is_explained(case, name):
    pages = Path(cli.__file__).parent / "codes"
    for code in re.findall(r"GC\d{3}", runbook(case, name)):
        assert (pages / f"{code}.md").is_file(), code


@each_cluster
def test_every_file_that_the_text_names_is_there(case, name):
    named = set(PATH.findall(runbook(case, name))) - MADE_ON_THE_WAY
    roots = ["", f"clusters/{name}/", f"clusters/{name}/rollout/"]
    for path in named:
        wanted = [Path(root, path).as_posix() for root in roots]
        assert any(Path(made).match(one) for one in wanted for made in artifacts(case)), path
    assert named >= {"quota-guard.yaml", "docs/gpu-labels.md"}


def served(case, name):
    return [one for one in cluster(case, name).offerings if one.device_class]


with_dra = pytest.mark.parametrize(("case", "name"), [one for one in CLUSTERS if served(*one)])


@with_dra
def test_no_new_label_is_ever_free(follow, case, name):
    """Quotas are looked at, and every tenant has the guard, before the first class exists."""
    calls = follow(case, name)
    kustomized = at(calls, "apply --kustomize", "deviceclasses")
    [classes] = [place for place in kustomized if "--dry-run=client" not in calls[place]]
    for tenant in ("team-a", "team-b"):
        [guarded] = at(calls, f"apply --namespace {tenant}", "quota-guard.yaml")
        assert guarded < classes
    [looked] = at(calls, "get resourcequotas", "custom-columns")
    assert looked < classes
    for offering in cluster(case, name).offerings:
        assert offering.quota_key.replace(".", r"\.") in calls[looked][-1]
    assert classes < at(calls, "configmap.yaml")[0] < at(calls, "rollout restart deployment")[0]


@each_cluster
def test_the_guard_is_for_tenants_alone(follow, case, name):
    """The selector leaves out the platform by name, the function what is Kubernetes' own."""
    calls = follow(case, name)
    [asked] = {
        calls[place][-3] for place in at(calls, "get namespaces --selector", "--output name")
    }
    own = cluster(case, name).namespace
    platform = dict.fromkeys(("default", "gpu-operator", "dra-driver-nvidia-gpu", own))
    assert asked == f"kubernetes.io/metadata.name notin ({','.join(platform)})"
    guarded = [calls[place][-3] for place in at(calls, "apply --namespace", "quota-guard.yaml")]
    assert guarded[:2] == ["team-a", "team-b"]
    assert set(guarded[2:]) <= {"gpu-smoke"}


@with_dra
def test_no_gpu_is_given_away_twice(follow, case, name):
    """Nodes are empty before the driver's plugin starts, and open only behind the guard."""
    calls = follow(case, name)
    drained = at(calls, " drain ", "node/gpu-1 node/gpu-2")[0]
    labelled = at(calls, "label node/gpu-", "nvidia.com/dra-kubelet-plugin=true")
    assert (
        at(calls, "cordon node/gpu-1 node/gpu-2")[0] < drained < at(calls, "upgrade --install")[0]
    )
    assert len(labelled) == 2
    assert drained < labelled[0]
    assert at(calls, "quota-guard.yaml")[-1] > labelled[-1]
    opened = at(calls, "uncordon")[0]
    assert at(calls, "apply --namespace team-b")[0] < opened < at(calls, "gpu-smoke")[0]


@with_dra
def test_a_renamed_class_goes_before_its_successor_comes(follow, case, name):
    calls = follow(case, name)
    deleted = at(calls, "delete deviceclass.resource.k8s.io/renamed")[0]
    applied = [p for p in at(calls, "apply --kustomize") if "--dry-run=client" not in calls[p]]
    restarted = at(calls, "crictl stop")[0]
    assert at(calls, "diff --kustomize")[0] < deleted < applied[0] < restarted


@with_dra
def test_each_label_is_tried_and_looked_at(follow, case, name):
    calls = follow(case, name)
    for offering in served(case, name):
        stem = offering.component or offering.label.replace("/", "-").replace(".", "-")
        path = f"smoke/{stem}"
        [action] = at(calls, "gpu-catalog action", f"{path}.action.yaml", f"--cluster {name}")
        asked = at(calls, "--namespace gpu-smoke", f"{path}.yaml")
        assert action < asked[0]
        assert [calls[place][3 if cluster(case, name).kube_context else 1] for place in asked] == [
            "apply", "wait", "get", "delete",
        ]  # fmt: skip
    assert at(calls, "{.status.extendedResourceClaimStatus}")
    assert at(calls, "get --namespace gpu-smoke resourcequota gpu-smoke", "{.status.used}")
    assert at(calls, "get --namespace gpu-smoke resourceclaims")


@each_cluster
def test_mig_is_partitioned_where_it_is_offered(follow, case, name):
    calls = follow(case, name)
    profiles = [one.mig_profile for one in served(case, name) if one.mig_profile]
    configured = at(calls, "label node/", "nvidia.com/mig.config=")
    assert bool(configured) == bool(profiles)
    if profiles:
        first, back = configured
        assert calls[first][-1].endswith(f"=all-{profiles[0]}")
        assert calls[back][-3:] == [
            "node/gpu-1",
            "--overwrite",
            "nvidia.com/mig.config=all-disabled",
        ]
        restarted = at(calls, "rollout restart daemonset/dra-driver-nvidia-gpu-kubelet-plugin")
        assert configured[0] < restarted[0] < at(calls, "--record")[0]


@each_cluster
def test_the_rollback_undoes_in_the_reverse_order(follow, case, name):
    calls = follow(case, name)
    announced = at(calls, "dump-after")[-1]
    lifted = at(calls, "delete resourcequotas --all-namespaces --selector")
    [guarded] = at(calls, "create --filename", "before/guard.yaml")
    assert lifted[0] < guarded
    restored = at(calls, "replace --force", "before/configmap.yaml")
    restarted = at(calls, "rollout restart deployment")[-1]
    assert announced < lifted[0] < restored[0] < restarted
    if served(case, name):
        kept = at(calls, "create --filename", "before/deviceclasses.yaml")[0]
        assert at(calls, "delete deviceclasses --selector")[0] < kept < restarted


def rolled_back(calls):
    """The calls of the rollback: all that follow its first, which closes the nodes."""
    return calls[at(calls, " cordon ")[-1] :]


@with_dra
def test_a_rollback_lifts_the_guard_only_behind_closed_nodes(follow, case, name):
    """On day one nothing but the guard is between tenants and the driver's own classes."""
    calls = rolled_back(follow(case, name))
    lifted = at(calls, "delete resourcequotas --all-namespaces --selector")[0]
    drained = at(calls, " drain ", "node/gpu-1 node/gpu-2")[0]
    labelled = at(calls, "label --overwrite node/")[-1]
    partitioned = at(calls, "nvidia.com/mig.config=") or [labelled]
    gone = at(calls, "uninstall dra-driver-nvidia-gpu")[0]
    plugin = at(calls, "upgrade gpu-operator")[0]
    [opened] = at(calls, "uncordon")
    assert 0 < lifted < drained < labelled <= partitioned[0] < gone < plugin < opened
    assert not at(calls[opened:], "label", "upgrade")


@with_dra
def test_a_rollback_gives_the_nodes_of_the_rollout_their_labels_back(follow, case, name):
    calls = rolled_back(follow(case, name))
    key = "nvidia.com/dra-kubelet-plugin"
    assert [calls[place][-2:] for place in at(calls, "label --overwrite node/")] == [
        ["node/gpu-1", f"{key}-"],
        ["node/gpu-2", f"{key}=true"],
    ]


@with_dra
def test_a_node_that_was_closed_before_stays_closed(follow, case, name):
    calls = follow(case, name)
    assert [calls[place][-1] for place in at(calls, " uncordon ")] == ["node/gpu-1"] * 2


def test_a_rollback_takes_back_what_the_consumers_got(tmp_path):
    catalog = project("plain").catalog
    root = following.checkout(artifacts("plain"), catalog, tmp_path)
    following.follow(root, catalog.clusters[0], runbook("plain", "themelio"))
    for consumer in catalog.consumers:
        folder = tmp_path / consumer.name
        log = subprocess.run(
            ["git", "log", "--format=%s"], cwd=folder, capture_output=True, text=True, check=True
        )
        assert log.stdout.splitlines() == ['Revert "published"', "published", "start"]
        assert not (folder / ".gpu-catalog.json").exists()


@with_dra
@pytest.mark.parametrize("kept", ["dra-driver-nvidia-gpu", "gpu-operator"])
def test_a_chart_that_was_there_before_gets_its_values_back_and_the_other_goes(
    follow, case, name, kept
):
    calls = rolled_back(follow(case, name, kept))
    [drained] = at(calls, " drain ", "node/gpu-1 node/gpu-2")
    [restored] = at(calls, f"upgrade {kept}", "--reset-values", f"before/{kept}.yaml")
    [gone] = at(calls, " uninstall ")
    [other] = {"dra-driver-nvidia-gpu", "gpu-operator"} - {kept}
    assert at(calls, f"uninstall {other} --namespace {other}") == [gone]
    assert drained < min(restored, gone) < max(restored, gone) < at(calls, "uncordon")[0]


@with_dra
def test_what_kubespray_sets_of_kubernetes_stays_in_a_rollback(case, name):
    text = runbook(case, name).partition("## Rollback")[2]
    assert re.findall(r"[\w/]*zz-gpu-catalog.yml", text) == [
        "group_vars/gpu_nodes/zz-gpu-catalog.yml"
    ]


@each_cluster
def test_steps_are_numbered_and_referred_to_by_their_numbers(case, name):
    text = runbook(case, name)
    numbers = [int(number) for number in re.findall(r"^## (\d+)\. ", text, re.MULTILINE)]
    assert numbers == list(range(1, len(numbers) + 1))
    referred = {int(n) for n in re.findall(r"step\s+(\d+)|steps\s+(\d+)", text) for n in n if n}
    assert referred <= set(numbers)


@each_cluster
def test_what_the_operator_looks_at_is_there(case, name):
    """The commands that people are told to run with their own eyes, and what they look for."""
    text = runbook(case, name)
    looks = ["gpu-catalog scan", "gpu-catalog cluster check", "docs/gpu-labels.md"]
    if served(case, name):
        looks += ["get deviceclass\n", "get resourceslice --output wide", "describe deviceclass"]
        looks += ["describe node --selector nvidia.com/dra-kubelet-plugin=true", "--record"]
        looks += ["extendedResourceClaimStatus", "untolerated taint", "That hint is harmless"]
    assert [look for look in looks if look not in text] == []


def test_a_context_reaches_kubectl_as_one_word(follow):
    context = cluster("gated", "gated").kube_context
    assert shlex.quote(context) in runbook("gated", "gated")
    asked = [call for call in follow("gated", "gated") if call[0] == "kubectl"]
    assert {call[2] for call in asked} == {context}
