"""`gpu-catalog diff` as a whole: files and commits, positions, formats and exit codes."""

import json
import subprocess
from pathlib import Path

import pytest

from generator import cli
from generator.catalog.evidence import write_evidence
from tests.diff.projects import BASE, edited, evidence, project

RENAMED = (("label: nvidia.com/l4", "label: nvidia.com/l4x"),)
RETIRED = (
    *RENAMED,
    (
        "retired_labels:",
        "retired_labels:\n"
        "  - {label: nvidia.com/l4, reason: renamed, replaced_by: [nvidia.com/l4x]}",
    ),
)
WIDER = (("a10g: [NVIDIA A10G]", "a10g: [NVIDIA A10G, NVIDIA A10G-24Q]"),)
NAMED = (("name: NVIDIA L4", "name: L4"),)
GONE = (
    "  - component: gpu_l4\n    name: NVIDIA L4\n    label: nvidia.com/l4\n"
    "    node_selector: {accelerator: nvidia-l4}\n"
)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "old.yaml").write_text(BASE)
    return tmp_path


@pytest.fixture
def checkout(folder: Path) -> Path:
    """A checkout whose catalog stands in a folder, with evidence, on the branch `team/main`."""
    (folder / "gpu/evidence").mkdir(parents=True)
    (folder / "gpu/catalog.yaml").write_text(BASE)
    catalog = project(BASE).catalog
    found = evidence(catalog, ["one/a10g.nvidia.com"])["one"]
    (folder / "gpu/evidence/one.yaml").write_text(write_evidence(found, "one"))
    git(folder, "init", "-q", "-b", "team/main")
    git(folder, "add", "gpu")
    git(folder, "commit", "-qm", "x")
    return folder


def git(folder: Path, *arguments: str) -> None:
    name = ("-c", "user.name=A", "-c", "user.email=a@b.c")
    subprocess.run(["git", "-C", folder, *name, *arguments], check=True, capture_output=True)


def diff(*words: str, new: str | None = None) -> tuple[int, str, str]:
    if new is not None:
        Path("catalog.yaml").write_text(new)
    return cli.run(["diff", *words])


@pytest.mark.parametrize(
    ("edits", "words", "code"),
    [
        ((), [], 0),
        (NAMED, ["--strict"], 0),
        (WIDER, [], 0),
        (WIDER, ["--strict"], 1),
        (WIDER, ["--strict", "--allow-breaking"], 1),
        (RETIRED, [], 1),
        (RETIRED, ["--allow-breaking"], 0),
        (RENAMED, [], 1),
        (RENAMED, ["--allow-breaking"], 1),
    ],
)
@pytest.mark.usefixtures("folder")
def test_exit_codes(edits: tuple[tuple[str, str], ...], words: list[str], code: int) -> None:
    assert diff("old.yaml", *words, new=edited(*edits))[0] == code


def test_two_files(folder: Path) -> None:
    (folder / "new.yaml").write_text(edited(*RENAMED))
    code, _, summary = diff("old.yaml", "new.yaml")
    assert (code, summary) == (1, "new.yaml compared with old.yaml; 1 error")


@pytest.mark.usefixtures("folder")
def test_text() -> None:
    code, text, summary = diff("old.yaml", new=edited(*NAMED))
    assert text == (
        "catalog.yaml:23:11: note GC813: `nvidia.com/l4` is called L4 instead of NVIDIA L4\n"
        "      name: L4\n"
        "            ^\n"
        "hint: Only what people read changes.\n"
        "files: 5 artifacts, `clusters/one/ansible/themelio_gpu_consumers.yml`,"
        " `clusters/one/kubeflow/spawner-vendors.yaml`, `clusters/one/waldur/site-agent.yaml.j2`"
        " and 2 more\n"
        "restart: the Waldur site agent and Kubeflow's jupyter-web-app\n"
    )
    assert (code, summary) == (0, "catalog.yaml compared with old.yaml; 1 note")


@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize(
    ("old", "new", "file", "there"),
    [
        ("label: nvidia.com/l4", "label: nvidia.com/l4x", "catalog.yaml", "nvidia.com/l4x"),
        (GONE, "", "old.yaml", "component: gpu_l4"),
        (GONE, GONE.replace("l4", "h1") + GONE, "catalog.yaml", "component: gpu_h1"),
        ("[gpu_a10g, gpu_a100]", "[gpu_a100]", "catalog.yaml", "[gpu_a100]"),
        ("{gpu: a100}", "{gpu: a100-40}", "catalog.yaml", "{node_selector: {gpu: a100-40}}"),
        ("[a10g]}", "[a10g], name: x.y}", "catalog.yaml", "x.y}"),
        ("    device_class: {products: [a10g]}\n", "", "catalog.yaml", "component: gpu_a10g"),
        ("Say which.", "Say.", "catalog.yaml", "Say.}"),
        ("themelio\n    offerings", "gpu\n    offerings", "catalog.yaml", "gpu"),
        ("to: src/gpuLabels.ts", "to: labels.ts", "catalog.yaml", "- {artifact: web/gpuLabels.ts"),
        ("reason: typo", "reason: generic", "catalog.yaml", "generic, replaced_by"),
    ],
)
def test_a_finding_stands_where_the_new_catalog_says_it_or_the_old_one(
    old: str, new: str, file: str, there: str
) -> None:
    _, text, _ = diff("old.yaml", "--format", "json", new=edited((old, new)))
    finding = json.loads(text)["findings"][0]
    line = Path(file).read_text().splitlines()[finding["line"] - 1]
    assert finding["path"] == file
    assert line[finding["column"] - 1 :].startswith(there)


def test_a_commit_is_read_with_its_evidence(checkout: Path) -> None:
    catalog = ["--catalog", "gpu/catalog.yaml"]
    assert diff("git:HEAD", *catalog) == (0, "", "gpu/catalog.yaml compared with git:HEAD")
    assert diff("git:team/main", "git:HEAD", *catalog)[0] == 0
    (checkout / "gpu/evidence/one.yaml").unlink()
    _, text, _ = diff("git:team/main", *catalog)
    assert "GC808: `a10g.nvidia.com` is no longer verified on `one`" in text
    _, text, _ = diff("gpu/catalog.yaml", "git:HEAD~0", *catalog)
    assert "GC812: `a10g.nvidia.com` is verified on `one`" in text


def test_what_is_gone_stands_in_the_commit_or_for_ci_in_the_catalog(checkout: Path) -> None:
    (checkout / "gpu/catalog.yaml").write_text(edited((GONE, "")))
    words = ["git:HEAD", "--catalog", "gpu/catalog.yaml"]
    assert diff(*words)[1].startswith("git:HEAD:gpu/catalog.yaml:22:5: error GC802: ")
    _, text, _ = diff(*words, "--format", "github")
    assert text.startswith("::error file=gpu/catalog.yaml,title=GC802::`nvidia.com/l4`")
    _, text, _ = diff(*words, "--format", "gitlab")
    assert json.loads(text)[0]["location"] == {"path": "gpu/catalog.yaml", "lines": {"begin": 1}}
    _, text, _ = diff(*words, "--format", "sarif")
    assert json.loads(text)["runs"][0]["results"][0]["ruleId"] == "GC802"


@pytest.mark.usefixtures("folder")
def test_json_has_every_part_of_a_change() -> None:
    _, text, _ = diff("old.yaml", "--format", "json", new=edited(*RETIRED))
    summary = json.loads(text)["summary"]
    [change] = summary["changes"]
    assert change == {
        "class": "breaking",
        "code": "GC801",
        "title": "`nvidia.com/l4` is renamed to `nvidia.com/l4x`",
        "why": change["why"],
        "edits": [{"old": "nvidia.com/l4", "new": ["nvidia.com/l4x"]}],
        "quota_keys_before": ["requests.nvidia.com/l4x"],
        "quota_keys_dropped": ["requests.nvidia.com/l4"],
        "quota_clusters": ["one"],
        "before": [],
        "after": [],
        "rollback": change["rollback"],
        "artifacts": summary["artifacts"],
        "consumers": {"web": ["src/gpuLabels.ts"]},
        "services": summary["services"],
    }
    assert "clusters/one/configmap.yaml" in change["artifacts"]


@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize("form", ["text", "json", "github", "gitlab", "sarif", "markdown"])
def test_the_way_back_is_never_cut_off(form: str) -> None:
    consumers = (
        f"  - {{name: w{n}, files: [{{artifact: web/gpuLabels.ts, to: src/gpu/gpuLabels.ts}}]}}\n"
        for n in range(50)
    )
    many = ("  - name: dra\n", f"{''.join(consumers)}  - name: dra\n")
    Path("old.yaml").write_text(edited(many))
    _, text, _ = diff("old.yaml", "--format", form, new=edited(many, *RETIRED))
    way_back = "actions that say `nvidia.com/l4x` by then must be changed back"
    assert text.count(way_back) == (2 if form == "json" else 1)  # its summary has every part too


def test_markdown_is_all_that_is_printed(checkout: Path) -> None:
    (checkout / "gpu/catalog.yaml").write_text(edited(*NAMED))
    words = ["git:HEAD", "--catalog", "gpu/catalog.yaml", "--format", "markdown"]
    assert diff(*words)[1].startswith(
        "### GPU catalog: 1 change only reads differently\n\nWhat this"
    )
    git(checkout, "stash")
    code, text, _ = diff(*words)
    assert code == 0
    assert text == (
        "### GPU catalog: nothing changes for anybody\n\n"
        "What this change of `catalog.yaml` means, compared with `git:HEAD`. Merging alone changes"
        " nothing yet: files reach the systems that use them by `gpu-catalog publish`.\n"
    )
    code, text, _ = diff("git:nothing", *words[1:])
    assert (code, text.splitlines()[0]) == (2, "error GC001: there is no commit `nothing`")


@pytest.mark.parametrize(
    ("old", "code", "line"),
    [
        (
            "HEAD",
            4,
            "HEAD: error GC002: there is no such file\n"
            "hint: name a catalog's file, or `git:REF` for this one at a commit\n",
        ),
        ("broken.yaml", 3, "broken.yaml:1:4: error GC101: "),
        ("git:HEAD", 2, "error GC001: catalog.yaml is in no git checkout"),
    ],
)
def test_what_cannot_be_read(folder: Path, old: str, code: int, line: str) -> None:
    (folder / "broken.yaml").write_text("a: 'x\n")
    found, text, _ = diff(old, new=BASE)
    assert (found, text.startswith(line)) == (code, True), text


def test_what_cannot_be_read_of_a_commit(checkout: Path) -> None:
    catalog = ["--catalog", "gpu/catalog.yaml"]
    for ref in ("git:nothing", "git:--help", "git:"):
        assert diff(ref, *catalog)[0] == 2
    (checkout / "gpu/catalog.yaml").write_text("offerings: []\n")
    git(checkout, "commit", "-qam", "broken")
    (checkout / "gpu/catalog.yaml").write_text(BASE)
    code, text, _ = diff("git:HEAD", *catalog)
    assert (code, text.startswith("git:HEAD:gpu/catalog.yaml:1:1: error GC1")) == (3, True), text
    git(checkout, "mv", "gpu/catalog.yaml", "gpu/real.yaml")
    (checkout / "gpu/catalog.yaml").symlink_to("real.yaml")
    git(checkout, "add", "gpu")
    git(checkout, "commit", "-qm", "link")
    code, text, _ = diff("git:HEAD", *catalog)
    assert (code, text) == (
        4,
        "git:HEAD:gpu/catalog.yaml: error GC002: is not a regular file\n"
        "hint: links and folders of a commit are not followed: name the file itself\n",
    )
    git(checkout, "rm", "-q", "--cached", "gpu/catalog.yaml")
    git(checkout, "commit", "-qm", "gone")
    code, text, _ = diff("git:HEAD", *catalog)
    line = "git:HEAD:gpu/catalog.yaml: error GC002: there is no such file"
    assert (code, text.splitlines()[0]) == (4, line)
