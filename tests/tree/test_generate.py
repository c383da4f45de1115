"""`generate` and `check` on a tree: what is written, kept, refused and told."""

import json
import os
import stat
import subprocess
from pathlib import Path

import pytest

from generator import cli

WEB = Path("generated/web/gpuLabels.ts")
CONFIG_MAP = Path("generated/clusters/themelio/configmap.yaml")
MANIFEST = Path("generated/manifest.json")

pytestmark = pytest.mark.usefixtures("sandbox")


def findings(*words):
    """The exit code, and the code, severity and path of each finding but GC321."""
    code, text, _ = cli.run([*words, "--format", "json"])
    found = json.loads(text)["findings"]
    return code, [
        (one["code"], one["severity"], one["path"]) for one in found if one["code"] != "GC321"
    ]


def tree():
    return {
        path: (path.read_bytes(), path.stat().st_mtime_ns)
        for path in sorted(Path("generated").rglob("*"))
        if path.is_file()
    }


def edit_catalog(old, new):
    text = Path("catalog.yaml").read_text()
    assert old in text
    Path("catalog.yaml").write_text(text.replace(old, new))


def test_nothing_to_do_touches_nothing():
    before = tree()
    code, text, summary = cli.run(["generate"])
    assert code == 0
    assert "wrote" not in text
    assert summary == f"generated: {len(before)} files, nothing to do; 1 warning"
    assert tree() == before


def test_what_does_not_differ_keeps_its_modification_time():
    before = tree()
    WEB.write_text("mine\n")
    cli.run(["generate"])
    after = tree()
    assert after[WEB][0] == before[WEB][0]
    assert {path for path in after if after[path] != before[path]} == {WEB}


def test_a_file_keeps_its_mode():
    WEB.chmod(0o600)
    WEB.write_text("mine\n")
    cli.run(["generate"])
    assert stat.S_IMODE(WEB.stat().st_mode) == 0o600


def test_check_writes_nothing():
    WEB.unlink()
    CONFIG_MAP.write_text("mine")
    before = tree()
    assert cli.run(["check"])[0] == 1
    assert tree() == before


def test_check_on_nothing_makes_no_folder():
    assert cli.run(["check", "--out", "none"])[0] == 1
    assert not Path("none").exists()


def test_the_edit_is_shown_when_it_is_overwritten():
    WEB.write_text(WEB.read_text().replace("gpu_a10g:", "gpu_mine:"))
    code, text, _ = cli.run(["generate"])
    assert code == 0
    assert text.startswith(f"wrote {WEB}\n{WEB}:6: warning GC303: was edited by hand, and has been")
    assert '\n-  gpu_mine: "nvidia.com/a10g",\n+  gpu_a10g: "nvidia.com/a10g",\n' in text


def test_fail_on_change_tells_every_change_once():
    WEB.write_text("mine\n")
    edit_catalog("name: themelio\n", "name: other\n")
    code, told = findings("generate", "--fail-on-change")
    assert code == 1
    codes = {path: (code, severity) for code, severity, path in told}
    assert len(codes) == len(told)
    assert codes[str(WEB)] == ("GC303", "error")
    assert codes["generated/clusters/other/configmap.yaml"] == ("GC301", "error")
    assert codes[str(CONFIG_MAP)] == ("GC304", "error")
    assert str(MANIFEST) not in codes
    assert findings("generate", "--fail-on-change") == (0, [])
    assert findings("check") == (0, [])


def test_fail_on_change_tells_what_a_commit_would_leave_behind():
    git = "git", "-c", "user.name=Ada", "-c", "user.email=ada@example.org"
    subprocess.run([*git, "init", "--quiet"], check=True)
    subprocess.run([*git, "add", "."], check=True)
    assert findings("generate", "--fail-on-change") == (0, [])
    edit_catalog("name: themelio\n", "name: other\n")
    code, told = findings("generate", "--fail-on-change")
    new = "generated/clusters/other/configmap.yaml"
    assert [one for one in told if one[2] == new] == [("GC301", "error", new)]
    subprocess.run([*git, "commit", "--quiet", "--all", "--message=One"], check=True)
    code, told = findings("generate", "--fail-on-change")
    assert code == 1
    assert ("GC310", "error", new) in told
    assert {path.split("/")[2] for _, _, path in told} == {"other"}
    assert findings("generate") == (0, [])
    subprocess.run([*git, "add", "."], check=True)
    assert findings("generate", "--fail-on-change") == (0, [])


def test_a_cluster_that_goes_takes_its_folder_along():
    edit_catalog("name: themelio\n", "name: other\n")
    assert cli.run(["generate"])[0] == 0
    assert not Path("generated/clusters/themelio").exists()
    assert findings("check") == (0, [])


def test_an_edited_stale_file_is_kept_until_somebody_decides():
    CONFIG_MAP.write_text("mine\n")
    edit_catalog("name: themelio\n", "name: other\n")
    for _ in range(2):
        assert findings("generate") == (1, [("GC307", "error", str(CONFIG_MAP))])
        assert findings("check") == (1, [("GC307", "error", str(CONFIG_MAP))])
        assert CONFIG_MAP.read_text() == "mine\n"
    CONFIG_MAP.unlink()
    assert findings("check") == (1, [("GC302", "error", str(MANIFEST))])
    assert findings("generate") == (0, [])
    assert findings("check") == (0, [])


def test_a_foreign_file_is_told_and_left_alone():
    Path("generated/notes").write_text("mine")
    for command in ("check", "generate", "check"):
        assert findings(command) == (0, [("GC306", "warning", "generated/notes")])
    assert Path("generated/notes").read_text() == "mine"
    assert cli.run(["check", "--strict"])[0] == 1


def test_the_manifest_follows_without_being_told():
    edit_catalog("name: NVIDIA A10G", "name: NVIDIA A10G 24GB")
    _, told = findings("check")
    assert {code for code, _, _ in told} == {"GC302"}
    assert str(MANIFEST) not in {path for _, _, path in told}


@pytest.mark.parametrize(
    "broken",
    [
        pytest.param(lambda text: "<<<<<<< HEAD\n" + text + "=======\n", id="conflict"),
        pytest.param(lambda text: text[: len(text) // 2], id="cut"),
        pytest.param(lambda _text: "", id="empty"),
        pytest.param(lambda _text: "[]\n", id="other JSON"),
    ],
)
def test_a_broken_manifest_is_made_anew(broken):
    good = MANIFEST.read_text()
    MANIFEST.write_text(broken(good))
    assert findings("check") == (1, [("GC308", "error", str(MANIFEST))])
    assert findings("generate") == (0, [("GC308", "note", str(MANIFEST))])
    assert MANIFEST.read_text() == good


def test_a_missing_manifest_is_made_anew():
    good = MANIFEST.read_text()
    MANIFEST.unlink()
    assert findings("check") == (1, [("GC301", "error", str(MANIFEST))])
    assert findings("generate") == (0, [])
    assert MANIFEST.read_text() == good


@pytest.mark.parametrize(
    ("broken", "deleted"),
    [
        pytest.param(lambda text: f"<<<<<<< HEAD\n{text}", True, id="conflict"),
        pytest.param(lambda _text: "{}\n", False, id="a merge has lost the entries"),
    ],
)
def test_what_goes_is_shown_where_no_manifest_tells_of_an_edit(broken, deleted):
    stale = WEB.with_name("old.ts")
    good = WEB.read_text()
    WEB.write_text(f"{good}// mine\n")
    stale.write_text(f"{good}// mine, too\n")
    MANIFEST.write_text(broken(MANIFEST.read_text()))
    code, text, _ = cli.run(["generate"])
    assert code == 0
    assert "warning GC302: has been overwritten, and no manifest told" in text
    assert "\n-// mine\n" in text
    assert WEB.read_text() == good
    assert ("warning GC304: has been deleted, and no manifest told" in text) is deleted
    assert ("\n-// mine, too\n" in text) is deleted
    assert stale.exists() is not deleted


def test_what_a_killed_run_left_behind_goes():
    for name in ("generated/.gpu-catalog-0.tmp", "generated/web/.gpu-catalog-1.tmp"):
        Path(name).write_text("half")
    assert findings("check") == (
        0,
        [
            ("GC309", "warning", "generated/.gpu-catalog-0.tmp"),
            ("GC309", "warning", "generated/web/.gpu-catalog-1.tmp"),
        ],
    )
    assert findings("generate") == (0, [])
    assert not list(Path("generated").rglob("*.tmp"))


@pytest.mark.parametrize(
    "spoil",
    [
        pytest.param(lambda: (WEB.unlink(), WEB.symlink_to("/dev/null")), id="symlink"),
        pytest.param(
            lambda: (WEB.unlink(), WEB.parent.rmdir(), WEB.parent.symlink_to("/tmp")),
            id="symlinked folder",
        ),
        pytest.param(lambda: (WEB.unlink(), os.mkfifo(WEB)), id="named pipe"),
    ],
)
@pytest.mark.parametrize("command", ["check", "generate"])
def test_unsafe_files_are_refused(command, spoil):
    spoil()
    before = {path for path in Path().rglob("*") if not path.is_symlink()}
    code, told = findings(command)
    assert code == 4
    assert [code for code, _, _ in told] == ["GC002"]
    assert {path for path in Path().rglob("*") if not path.is_symlink()} == before


def test_a_read_only_file_is_refused_and_nothing_written():
    WEB.write_text("mine\n")
    CONFIG_MAP.write_text("mine\n")
    CONFIG_MAP.chmod(0o444)
    before = tree()
    assert findings("generate") == (4, [("GC002", "error", str(CONFIG_MAP))])
    assert tree() == before


def test_a_folder_where_a_file_should_be():
    WEB.unlink()
    WEB.mkdir()
    assert findings("check") == (1, [("GC301", "error", str(WEB))])
    assert findings("generate") == (4, [("GC002", "error", str(WEB))])


def test_a_file_where_a_folder_should_be():
    WEB.unlink()
    WEB.parent.rmdir()
    WEB.parent.write_text("mine")
    assert findings("check") == (
        1,
        [("GC306", "warning", "generated/web"), ("GC301", "error", str(WEB))],
    )
    assert findings("generate") == (4, [("GC002", "error", "generated/web")])


def test_the_output_folder_may_be_a_symlink():
    Path("generated").rename("elsewhere")
    Path("generated").symlink_to("elsewhere")
    WEB.write_text("mine\n")
    assert cli.run(["generate"])[0] == 0
    assert Path("generated").is_symlink()
    assert findings("check") == (0, [])


def test_the_catalog_may_be_a_symlink():
    Path("catalog.yaml").rename("real.yaml")
    Path("catalog.yaml").symlink_to("real.yaml")
    assert findings("check") == (0, [])


def test_the_tree_is_the_same_from_anywhere(tmp_path, monkeypatch):
    before = {path: data for path, (data, _) in tree().items()}
    (tmp_path / "sub").mkdir()
    monkeypatch.chdir(tmp_path / "sub")
    assert cli.run(["check", "--catalog", str(tmp_path / "catalog.yaml")])[0] == 0
    assert cli.run(["generate", "--catalog", "../catalog.yaml", "--out", "out"])[0] == 0
    assert {
        Path("generated") / path.relative_to("out"): path.read_bytes()
        for path in Path("out").rglob("*")
        if path.is_file()
    } == before


def test_many_drifted_files_have_their_diffs_and_the_rest_is_counted():
    offerings = "".join(
        f"  - component: gpu_{number}\n"
        f"    name: GPU {number}\n"
        f"    label: nvidia.com/gpu-{number}\n"
        f"    node_selector: {{ gpu: model-{number} }}\n"
        f"    device_class: {{ product_names: [GPU {number}] }}\n"
        for number in range(205)
    )
    edit_catalog("offerings:\n", f"offerings:\n{offerings}")
    assert cli.run(["generate"])[0] == 0
    for path in Path("generated/clusters/themelio/deviceclasses").glob("gpu-*"):
        path.write_text(path.read_text() + "# mine\n")
    code, text, summary = cli.run(["check"])
    assert code == 1
    assert text.count("error GC303") == text.count("\n-# mine\n") == 200
    assert text.endswith("... and 211 more\n")
    assert "205 of " in summary
    assert summary.endswith("205 errors, 206 warnings")
