"""`gpu-catalog action` from outside: exit codes, positions, clusters, rendered workloads."""

import json
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

CATALOG = Path("tests/consumers/difficult/catalog.yaml")
DEPLOYMENT = "type: k8s-deployment\noptions: {gpus: 1, gpuLabel: example.com/no}\n"
SERVICE = "type: k8s-inferenceservice\noptions: {gpus: 2, gpuLabel: nvidia.com/a100}\n"


def action(*words: object) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "generator", "action", "--catalog", CATALOG, *words]
    return subprocess.run(map(str, command), capture_output=True, text=True, check=False)


@pytest.fixture
def job(tmp_path: Path) -> Path:
    return tmp_path / "Train_Job v2.yaml"


@pytest.mark.parametrize(
    ("text", "words", "code"),
    [
        pytest.param(DEPLOYMENT, [], 0, id="in-order"),
        pytest.param(DEPLOYMENT, ["--cluster", "old-2"], 0, id="on-that-cluster"),
        pytest.param("type: slurm\noptions: {gpus: none}\n", [], 0, id="another-type"),
        pytest.param(DEPLOYMENT.replace("/no", "/yes"), [], 1, id="unknown-label"),
        pytest.param(DEPLOYMENT.replace("/no", "/1e3"), [], 1, id="retired-label"),
        pytest.param(DEPLOYMENT.replace("/no", "/0b11"), [], 0, id="deprecated-label"),
        pytest.param(DEPLOYMENT.replace("/no", "/0b11"), ["--strict"], 1, id="deprecated-strictly"),
        pytest.param(DEPLOYMENT, ["--cluster", "old"], 2, id="unknown-cluster"),
        pytest.param(DEPLOYMENT, ["--render"], 2, id="render-needs-a-cluster"),
        pytest.param("type: [", [], 3, id="no-yaml"),
        pytest.param(None, [], 4, id="no-file"),
    ],
)
def test_exit_code(job: Path, text: str | None, words: list[str], code: int) -> None:
    if text is not None:
        job.write_text(text)
    done = action(job, *words)
    assert done.returncode == code
    assert "Traceback" not in done.stderr


def test_every_file_is_reported_though_one_is_no_yaml(tmp_path: Path) -> None:
    texts = {"a": "type: [", "b": DEPLOYMENT.replace("/no", "/yes"), "c": DEPLOYMENT}
    for name, text in texts.items():
        (tmp_path / name).write_text(text)
    done = action("--format", "json", *(tmp_path / name for name in texts))
    found = json.loads(done.stdout)["findings"]
    assert done.returncode == 3
    assert [(Path(f["path"]).name, f["line"], f["column"], f["code"]) for f in found] == [
        ("a", 1, 7, "GC601"),
        ("b", 2, 30, "GC606"),
    ]


def test_text_form(job: Path) -> None:
    job.write_text(DEPLOYMENT.replace("example.com/no", "nvidiax.com/gpu"))
    done = action(job)
    assert done.stdout == (
        f"{job}:2:30: error GC607: nvidiax.com/gpu is retired (typo) and never valid again\n"
        "  options: {gpus: 1, gpuLabel: nvidiax.com/gpu}\n"
        "                               ^\n"
        "hint: use nvidia.com/a100 or nvidia.com/a100-mig-1g.5gb instead\n"
    )
    assert done.stderr == "1 action in 1 file; 1 error\n"


def test_render_takes_the_selector_of_that_cluster(job: Path) -> None:
    job.write_text(f"{DEPLOYMENT}---\n{SERVICE}---\ntype: slurm\n")
    done = action(job, "--render", "--cluster", "old-2")
    deployment, service = yaml.safe_load_all(done.stdout)
    assert deployment["metadata"]["name"] == "action-train-job-v2-1"
    assert deployment["spec"]["template"]["spec"]["nodeSelector"] == {"on": "yes"}
    assert service["metadata"]["name"] == "action-train-job-v2-2"
    assert service["spec"]["predictor"]["nodeSelector"] == {"gpu": "a100"}
    assert done.returncode == 0


def test_nothing_is_rendered_when_anything_is_wrong(job: Path) -> None:
    job.write_text(f"{DEPLOYMENT}---\n{SERVICE.replace('a100', 'a1000')}")
    done = action(job, "--render", "--cluster", "012")
    assert done.returncode == 1
    assert "kind:" not in done.stdout


def test_workloads_are_in_the_json_form(job: Path) -> None:
    job.write_text(SERVICE)
    done = action(job, "--render", "--cluster", "012", "--format", "json")
    [workload] = json.loads(done.stdout)["summary"]["workloads"]
    assert workload["kind"] == "InferenceService"
