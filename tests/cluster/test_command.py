"""`cluster check` as a user meets it: what it prints, records and refuses, and kubectl behind."""

import builtins
import json
import os
import re
import stat
import sys
from pathlib import Path

import pytest

from generator.catalog.evidence import read_evidence
from tests.cluster.healthy import CATALOG, Live, device_class, run

EVIDENCE = Path("evidence/themelio.yaml")


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("catalog.yaml").write_text(CATALOG)
    return tmp_path


def dump(break_it=lambda _: None, catalog=CATALOG):
    live = Live(catalog)
    break_it(live)
    return live.write(Path("dump"))


def check(*words):
    return run("cluster", "check", "themelio", "--from", "dump", *words)


def row(out, label):
    """The cells of a label's line, behind the label."""
    [line] = [line for line in out.splitlines() if line.startswith(f"{label} ")]
    return re.split("  +", line)[1:]


def recorded():
    return sorted(read_evidence(EVIDENCE.read_bytes(), "").classes)


CLASSES = [
    "a100-mig-1g.5gb.nvidia.com",
    "a100-mig-3g.20gb.nvidia.com",
    "a100.nvidia.com",
    "a10g.nvidia.com",
]


def no_a10g(live):
    for device in live.devices("gpu-a10g-01"):
        device["attributes"]["productName"] = {"string": "NVIDIA A10"}


# --- what it prints ------------------------------------------------------------------------------


def test_a_healthy_cluster():
    dump()
    assert check() == (
        0,
        "themelio: Kubernetes v1.36.4, 4 nodes, 17 devices of gpu.nvidia.com,"
        " GPU driver 580.126.9\n"
        "\n"
        "label                        class                        devices               ready\n"
        "nvidia.com/a10g              a10g.nvidia.com              2 on gpu-a10g-01      yes\n"
        "nvidia.com/a100              a100.nvidia.com              8 on gpu-a100-01      yes\n"
        "nvidia.com/a100-mig-1g.5gb   a100-mig-1g.5gb.nvidia.com   4 on gpu-a100-mig-01  yes\n"
        "nvidia.com/a100-mig-3g.20gb  a100-mig-3g.20gb.nvidia.com  3 on gpu-a100-mig-01  yes\n"
        "\n",
        "themelio: 4 of 4 offerings ready",
    )


def test_a_fault_is_at_the_catalogs_line():
    dump(no_a10g)
    code, out, err = check()
    assert (code, err) == (1, "themelio: 3 of 4 offerings ready; 1 error")
    assert row(out, "nvidia.com/a10g") == ["a10g.nvidia.com", "0", "no: no device"]
    assert out.endswith(
        "catalog.yaml:13:7: error GC530: nvidia.com/a10g matches no device\n"
        "        products: [a10g]\n"
        "        ^\n"
        "hint: the cluster's product names are NVIDIA A100-SXM4-40GB (15), NVIDIA A10 (2)\n"
    )


OVERRIDES = """\
    overrides:
      gpu_a10g: { node_selector: { gpu: a10g } }
      gpu_a100: { product_names: [NVIDIA A100 80GB PCIe] }
"""


def test_a_fault_is_at_the_line_of_what_the_cluster_overrides():
    text = CATALOG + OVERRIDES
    Path("catalog.yaml").write_text(text)
    dump(catalog=text)
    found = json.loads(check("--format", "json")[1])["findings"]
    lines = {one["code"]: text.splitlines()[one["line"] - 1].strip() for one in found}
    assert lines == {
        "GC530": "gpu_a100: { product_names: [NVIDIA A100 80GB PCIe] }",
        "GC542": "gpu_a10g: { node_selector: { gpu: a10g } }",
    }


def test_json():
    dump(no_a10g)
    code, out, _ = check("--format", "json")
    answer = json.loads(out)
    assert code == 1
    assert [one["code"] for one in answer["findings"]] == ["GC530"]
    facts = answer["summary"]
    assert (facts["cluster"], facts["kubernetes"]) == ("themelio", "v1.36.4")
    assert facts["offerings"][:2] == [
        {
            "label": "nvidia.com/a10g",
            "device_class": "a10g.nvidia.com",
            "devices": 0,
            "tainted": 0,
            "alternatives": 0,
            "nodes": {},
            "ready": False,
            "reasons": ["no device"],
        },
        {
            "label": "nvidia.com/a100",
            "device_class": "a100.nvidia.com",
            "devices": 8,
            "tainted": 0,
            "alternatives": 0,
            "nodes": {"gpu-a100-01": 8},
            "ready": True,
            "reasons": [],
        },
    ]


@pytest.mark.parametrize("form", ["github", "gitlab", "sarif"])
def test_findings_in_all_forms(form):
    dump(no_a10g)
    code, out, _ = check("--format", form)
    assert code == 1
    assert "GC530" in out


def test_warnings_fail_only_when_strict():
    dump(
        lambda live: live.deviceclasses.extend(
            device_class(n, "example.com/x", "false") for n in "ab"
        )
    )
    assert check()[0] == 0
    assert check("--strict")[0] == 1


def test_an_offering_without_a_class():
    text = CATALOG.replace("    device_class:\n      products: [a10g]\n", "")
    Path("catalog.yaml").write_text(text)
    dump(catalog=text)
    assert row(check()[1], "nvidia.com/a10g") == ["-", "not known", "no: no device class"]


# --- the record ----------------------------------------------------------------------------------


def test_record():
    dump()
    code, _, err = check("--record")
    assert (code, err) == (
        0,
        "themelio: 4 of 4 offerings ready; evidence/themelio.yaml written, verified: 4",
    )
    assert EVIDENCE.read_text().splitlines()[:18] == [
        "# Evidence that DeviceClass selectors match real devices of cluster themelio.",
        "# Written by `gpu-catalog cluster check --record`. Do not edit this file.",
        'kubernetes: "1.36.4"',
        "driver_versions:",
        '  - "580.126.9"',
        "classes:",
        "  a100-mig-1g.5gb.nvidia.com:",
        "    label: nvidia.com/a100-mig-1g.5gb",
        "    expression: |-",
        "      device.driver == 'gpu.nvidia.com' &&",
        "      device.attributes['gpu.nvidia.com'].?type.orValue('') == 'mig' &&",
        "      device.attributes['gpu.nvidia.com'].?profile.orValue('') == '1g.5gb' &&",
        "      device.attributes['gpu.nvidia.com'].?productName.orValue('')"
        " in ['NVIDIA A100-SXM4-40GB', 'NVIDIA A100-PCIE-40GB']",
        "    devices: 4",
        "    products:",
        "      NVIDIA A100-SXM4-40GB: 4",
        "    profiles:",
        '      "1g.5gb": 4',
    ]
    assert not any(word in EVIDENCE.read_text() for word in ("GPU-", "MIG-", "gpu-a100-01"))


def test_what_is_recorded_is_verified():
    dump()
    check("--record")
    assert run("generate")[0] == 0
    generated = Path("generated/clusters/themelio/deviceclasses/a10g.nvidia.com.yaml").read_text()
    assert "gpu-catalog/selectors: verified" in generated


def test_recording_twice_changes_nothing():
    dump()
    check("--record")
    before = EVIDENCE.stat()
    assert check("--record")[2] == "themelio: 4 of 4 offerings ready"
    assert EVIDENCE.stat().st_mtime_ns == before.st_mtime_ns


def test_a_check_alone_records_nothing():
    dump()
    check()
    assert not EVIDENCE.exists()


def test_a_failing_class_is_not_recorded():
    dump(no_a10g)
    assert check("--record")[0] == 1
    assert recorded() == CLASSES[:3]


def all_tainted(live):
    for device in live.devices("gpu-a10g-01"):
        device["taints"] = [{"key": "example.com/broken", "effect": "NoSchedule"}]


def test_a_class_whose_devices_are_all_tainted_is_neither_recorded_nor_contradicted():
    dump()
    check("--record")
    dump(all_tainted)
    assert check()[0] == 1
    assert recorded() == CLASSES
    check("--record")
    assert recorded() == CLASSES[:3]


def test_a_class_that_is_not_there_yet_can_be_recorded():
    """The selectors are proven before the classes are applied, and the quotas before both."""
    dump(lambda live: (live.deviceclasses.clear(), live.configmaps.clear()))
    code, _, err = check("--record")
    assert (code, err.startswith("themelio: 0 of 4 offerings ready;")) == (1, True)
    assert recorded() == CLASSES


def test_a_later_failing_check_removes_the_record_that_it_contradicts():
    dump()
    check("--record")
    dump(no_a10g)
    code, out, err = check()
    assert code == 1
    assert recorded() == CLASSES[:3]
    assert "GC570: nvidia.com/a10g was recorded as verified and is no longer" in out
    assert "evidence/themelio.yaml written, verified: 3" in err


def test_a_later_failure_of_something_else_leaves_the_record():
    dump()
    check("--record")
    dump(lambda live: (live.configmaps.clear(), live.resourcequotas.clear()))
    assert check()[0] == 1
    assert recorded() == CLASSES


def test_slices_that_were_not_read_contradict_nothing():
    dump()
    check("--record")
    Path("dump/resourceslices.json").unlink()
    check()
    code, _, err = check("--record")
    assert (code, recorded()) == (0, CLASSES)
    assert err == (
        "themelio: 0 of 4 offerings ready;"
        " nothing recorded, for want of resourceslices or of version; 1 warning"
    )


def test_a_record_of_nothing_is_no_file():
    dump()
    check("--record")
    dump(lambda live: live.resourceslices.clear())
    _, _, err = check()
    assert not EVIDENCE.exists()
    assert "evidence/themelio.yaml deleted, nothing is verified" in err


def test_other_versions_than_recorded():
    dump()
    check("--record")

    def newer(live):
        live.version["serverVersion"]["gitVersion"] = "v1.36.5"
        for node in ("gpu-a10g-01", "gpu-a100-01", "gpu-a100-mig-01"):
            for device in live.devices(node):
                device["attributes"]["driverVersion"] = {"version": "590.1.0"}

    dump(newer)
    code, out, _ = check()
    assert (code, out.count("warning GC570")) == (0, 2)
    assert "Kubernetes is 1.36.5, the evidence was recorded on 1.36.4" in out
    assert "the GPU driver is 590.1.0, the evidence was recorded with 580.126.9" in out
    assert check("--record")[1].count("GC570") == 0
    assert check()[1].count("GC570") == 0


def test_a_broken_evidence_file_stops_the_check():
    dump()
    EVIDENCE.parent.mkdir()
    EVIDENCE.write_text("kubernetes: [")
    code, out, _ = check("--record")
    assert (code, EVIDENCE.read_text()) == (3, "kubernetes: [")
    assert out.startswith("evidence/themelio.yaml:1:13: error GC501: is not YAML")


# --- usage ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "words",
    [
        ("check", "themelio"),
        ("check", "--from", "dump"),
        ("check", "themelio", "--from", "dump", "--kubectl"),
        ("nothing", "themelio", "--from", "dump"),
        ("check", "elsewhere", "--from", "dump"),
        ("check", "themelio", "--from", "dump", "--context", "themelio"),
        ("discover", "themelio", "--from", "dump", "--record"),
        ("check", "themelio", "--kubectl"),
        ("check", "themelio", "--kubectl", "--context", "another"),
    ],
)
def test_usage(words):
    dump()
    assert run("cluster", *words)[0] == 2


def test_kubectl_needs_the_clusters_own_context():
    code, out, _ = run("cluster", "check", "themelio", "--kubectl", "--context", "prod")
    assert (code, out.splitlines()[0]) == (
        2,
        "error GC505: prod is not the context of themelio, which is themelio",
    )


def test_without_kube_context_kubectl_records_nothing():
    Path("catalog.yaml").write_text(CATALOG.replace("    kube_context: themelio\n", ""))
    code, out, _ = run("cluster", "check", "themelio", "--kubectl", "--context", "prod", "--record")
    assert (code, out.splitlines()[0]) == (
        2,
        "error GC505: the catalog does not say which context is themelio",
    )


def test_without_the_cel_library(monkeypatch):
    dump()
    imported = builtins.__import__

    def without(name, *rest):
        if name.startswith("cel_expr_python"):
            raise ModuleNotFoundError(f"No module named {name!r}")
        return imported(name, *rest)

    monkeypatch.setattr(builtins, "__import__", without)
    code, out, _ = check("--record")
    assert (code, EVIDENCE.exists()) == (4, False)
    assert out.splitlines()[-1] == "hint: pip install 'gpu-catalog[cluster]'"


# --- kubectl -------------------------------------------------------------------------------------

FAKE = """\
#!{python}
import json, pathlib, sys
pathlib.Path("calls").open("a").write(" ".join(sys.argv[1:]) + "\\n")
words = sys.argv[3:]
name = words[1].split(".")[0] if words[0] == "get" else words[0]
if name in {forbidden}:
    sys.exit({words!r}.replace("NAME", name))
sys.stdout.write((pathlib.Path("dump") / f"{{name}}.json").read_text())
"""


@pytest.fixture
def kubectl(folder, monkeypatch):
    def install(forbidden=(), words="Error from server (Forbidden): NAME is forbidden"):
        path = folder / "bin/kubectl"
        path.parent.mkdir(exist_ok=True)
        path.write_text(FAKE.format(python=sys.executable, forbidden=list(forbidden), words=words))
        path.chmod(path.stat().st_mode | stat.S_IXUSR)
        monkeypatch.setenv("PATH", f"{path.parent}:{os.environ['PATH']}")

    return install


def check_live(*words):
    return run("cluster", "check", "themelio", "--kubectl", "--context", "themelio", *words)


def test_kubectl(kubectl):
    dump()
    kubectl()
    code, _, err = check_live("--record")
    assert (code, err.startswith("themelio: 4 of 4 offerings ready;")) == (0, True)
    assert recorded() == CLASSES
    assert sorted(Path("calls").read_text().splitlines()) == [
        "--context themelio get configmaps --namespace=themelio"
        " --field-selector=metadata.name=themelio-gpu-labels --output=json",
        "--context themelio get deviceclasses.resource.k8s.io --output=json",
        "--context themelio get namespaces --output=json",
        "--context themelio get nodes --output=json",
        "--context themelio get resourcequotas --all-namespaces --output=json",
        "--context themelio get resourceslices.resource.k8s.io --output=json",
        "--context themelio version --output=json",
    ]


def test_without_kube_context_a_check_changes_no_record(kubectl):
    dump()
    check("--record")
    Path("catalog.yaml").write_text(CATALOG.replace("    kube_context: themelio\n", ""))
    dump(no_a10g)
    kubectl()
    assert check_live()[0] == 1
    assert recorded() == CLASSES


def test_kubectl_is_forbidden_something(kubectl):
    dump()
    kubectl(forbidden=["nodes", "resourcequotas"])
    code, out, _ = check_live("--record")
    assert (code, EVIDENCE.exists()) == (4, False)
    assert [line for line in out.splitlines() if line.startswith("error")] == [
        "error GC503: `kubectl --context themelio get nodes --output=json`:"
        " Error from server (Forbidden): nodes is forbidden",
        "error GC503: `kubectl --context themelio get resourcequotas --all-namespaces"
        " --output=json`: Error from server (Forbidden): resourcequotas is forbidden",
    ]


def test_a_server_without_dra(kubectl):
    dump()
    kubectl(
        forbidden=["resourceslices"], words='error: the server doesn\'t have a resource type "x"'
    )
    code, out, _ = check_live()
    assert code == 4
    assert "hint: Kubernetes serves DRA's API resource.k8s.io/v1 from 1.34 on" in out
    assert "right to get" not in out


def test_kubectl_is_missing(monkeypatch):
    monkeypatch.setenv("PATH", "/nowhere")
    code, out, _ = check_live("--record")
    assert (code, EVIDENCE.exists()) == (4, False)
    assert "`kubectl --context themelio version --output=json`: kubectl is not installed" in out


@pytest.mark.parametrize(
    ("name", "printed", "words"),
    [
        ("nodes", "{}", "kubectl get nodes: error GC502: is nothing that kubectl prints"),
        ("version", "", "kubectl version: error GC502: is empty"),
    ],
)
def test_kubectl_prints_nonsense(kubectl, name, printed, words):
    dump()
    Path(f"dump/{name}.json").write_text(printed)
    kubectl()
    code, out, _ = check_live("--record")
    assert (code, EVIDENCE.exists()) == (3, False)
    assert out.startswith(words)
