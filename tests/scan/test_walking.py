"""Which files are looked into, and that nothing in a tree stops a scan."""

import os
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from generator.files import reading, sieve
from generator.findings import Unsafe
from tests.scan.running import SURE, found, git, run_scan, write


def test_a_checkout_is_what_git_tracks_and_does_not_ignore(catalog: Path, tree: Path) -> None:
    git(tree, "init", "-q")
    write(tree, {".gitignore": "build/\n*.log\n", "tracked.yaml": SURE, "a/new.yaml": SURE})
    write(tree, {"build/x.yaml": SURE, "a/x.log": SURE, "nested/in.yaml": SURE, "ä.yaml": SURE})
    git(tree / "nested", "init", "-q")
    git(tree, "add", "tracked.yaml")
    names = [name for name, _ in found(run_scan(catalog, tree), tree)]
    assert names == ["a/new.yaml", "nested/in.yaml", "tracked.yaml", "ä.yaml"]


def test_a_folder_of_a_checkout_is_only_that_folder(catalog: Path, tree: Path) -> None:
    git(tree, "init", "-q")
    write(tree, {"a/b/x.yaml": SURE, "c.yaml": SURE})
    assert found(run_scan(catalog, tree / "a"), tree) == [("a/b/x.yaml", "GC701")]


def test_an_ignored_folder_or_file_is_looked_into_when_it_is_named(
    catalog: Path, tree: Path
) -> None:
    git(tree, "init", "-q")
    write(tree, {".gitignore": "build/\n", "build/live.yaml": SURE})
    for path in ("build", "build/live.yaml"):
        assert found(run_scan(catalog, tree / path), tree) == [("build/live.yaml", "GC701")]


def test_a_submodule_is_a_checkout_of_its_own(catalog: Path, tree: Path) -> None:
    origin, outer = tree / "origin", tree / "outer"
    write(origin, {"x.yaml": SURE, ".gitignore": "*.log\n"})
    git(origin, "init", "-q")
    git(origin, "add", ".")
    git(origin, "commit", "-qm", "x")
    outer.mkdir()
    git(outer, "init", "-q")
    git(outer, "submodule", "add", "-q", "../origin", "charts/sub")
    write(outer, {"charts/sub/x.log": SURE})
    assert found(run_scan(catalog, outer), outer) == [("charts/sub/x.yaml", "GC701")]


def with_submodule(tree: Path) -> Path:
    """A checkout with a label in a file and in a submodule `sub`."""
    origin, outer = tree / "origin", tree / "outer"
    write(origin, {"x.yaml": SURE})
    git(origin, "init", "-q")
    git(origin, "add", ".")
    git(origin, "commit", "-qm", "x")
    write(outer, {"y.yaml": SURE})
    git(outer, "init", "-q")
    git(outer, "submodule", "add", "-q", "../origin", "sub")
    git(outer, "add", ".")
    return outer


@pytest.mark.parametrize(
    ("change", "names"),
    [
        pytest.param(lambda _: None, [], id="deleted"),
        pytest.param(Path.mkdir, [], id="not fetched"),
        pytest.param(lambda sub: write(sub, {"z.yaml": SURE}), ["sub/z.yaml"], id="a folder"),
        pytest.param(lambda sub: sub.write_text(SURE), ["sub"], id="a file"),
        pytest.param(lambda sub: sub.symlink_to("."), [], id="a loop"),
    ],
)
def test_what_is_no_submodule_any_more(
    catalog: Path, tree: Path, change: Callable[[Path], object], names: list[str]
) -> None:
    outer = with_submodule(tree)
    shutil.rmtree(outer / "sub")
    change(outer / "sub")
    assert [name for name, _ in found(run_scan(catalog, outer), outer)] == [*names, "y.yaml"]


@pytest.mark.parametrize(
    ("path", "names"),
    [
        pytest.param("gone.yaml", [], id="deleted"),
        pytest.param("a/gone.yaml", ["a"], id="its folder is a file"),
        pytest.param("b", ["b/new.yaml"], id="it is a folder"),
    ],
)
def test_a_tracked_file_that_is_no_longer_there(
    catalog: Path, tree: Path, path: str, names: list[str]
) -> None:
    git(tree, "init", "-q")
    write(tree, {path: SURE})
    git(tree, "add", ".")
    (tree / path).unlink()
    if names == ["a"]:
        (tree / "a").rmdir()
    write(tree, dict.fromkeys(names, SURE))
    outcome = run_scan(catalog, tree)
    assert found(outcome, tree) == [(name, "GC701") for name in names]
    assert outcome.facts == {"files": len(names), "not_looked_into": {}}


def test_a_file_in_the_middle_of_a_merge_is_looked_into_once(catalog: Path, tree: Path) -> None:
    git(tree, "init", "-q", "-b", "main")
    for branch in ("main", "other"):
        git(tree, "checkout", "-q", "--orphan", branch)
        write(tree, {"x.yaml": f"# {branch}\n"})
        git(tree, "add", ".")
        git(tree, "commit", "-qm", branch)
    with pytest.raises(subprocess.CalledProcessError):
        git(tree, "merge", "--allow-unrelated-histories", "main")
    write(tree, {"x.yaml": SURE})
    outcome = run_scan(catalog, tree)
    assert (len(outcome.findings), outcome.facts["files"]) == (1, 1)


def test_checkouts_below_a_plain_folder_are_checkouts(catalog: Path, tree: Path) -> None:
    write(tree, {"a/x.yaml": SURE, "a/.gitignore": "*.log\n", "a/x.log": SURE, "x.log": SURE})
    git(tree / "a", "init", "-q")
    assert [name for name, _ in found(run_scan(catalog, tree), tree)] == ["a/x.yaml", "x.log"]


@pytest.mark.parametrize("outer", [False, True])
def test_a_broken_repository_on_the_way_is_a_folder(catalog: Path, tree: Path, outer: bool) -> None:
    write(tree, {"a/x.yaml": SURE, "a/.git": "gitdir: /nowhere\n", "y.yaml": SURE})
    if outer:
        write(tree, {"origin/z.yaml": ""})
        git(tree / "origin", "init", "-q")
        git(tree / "origin", "add", ".")
        git(tree / "origin", "commit", "-qm", "x")
        git(tree, "init", "-q")
        git(tree, "submodule", "add", "-q", "./origin", "sub")
        write(tree, {"sub/.git": "gitdir: /nowhere\n", "sub/z.yaml": SURE})
    names = [name for name, _ in found(run_scan(catalog, tree), tree)]
    assert names == ["a/x.yaml", *(["sub/z.yaml"] if outer else []), "y.yaml"]
    with pytest.raises(Unsafe):
        run_scan(catalog, tree / "a")


def test_what_is_passed_over_is_named(catalog: Path, tree: Path) -> None:
    write(tree, {"web/node_modules/a.ts": SURE, "chart.tgz": SURE, "x.yaml": SURE, "big.yaml": ""})
    os.truncate(tree / "big.yaml", reading.MAX_BYTES + 1)
    (tree / "link.yaml").symlink_to("x.yaml")
    (tree / "loop").symlink_to(".", target_is_directory=True)
    outcome = run_scan(catalog, tree)
    assert found(outcome, tree) == [("big.yaml", "GC002"), ("x.yaml", "GC701")]
    assert outcome.message.replace(f"{tree}/", "") == (
        "2 files looked into; not looked into archives: chart.tgz; folders: web/node_modules;"
        " larger than 64 MiB: big.yaml; links: link.yaml, loop"
    )
    passed_over = outcome.facts["not_looked_into"]
    assert isinstance(passed_over, dict)
    assert {reason: sorted(paths) for reason, paths in passed_over.items()} == {
        "archives": [f"{tree}/chart.tgz"],
        "folders": [f"{tree}/web/node_modules"],
        "larger than 64 MiB": [f"{tree}/big.yaml"],
        "links": [f"{tree}/link.yaml", f"{tree}/loop"],
    }


def test_an_untracked_link_is_a_link(catalog: Path, tree: Path) -> None:
    git(tree, "init", "-q")
    write(tree, {"x.yaml": SURE})
    (tree / "link.yaml").symlink_to("x.yaml")
    outcome = run_scan(catalog, tree)
    assert found(outcome, tree) == [("x.yaml", "GC701")]
    assert outcome.facts["not_looked_into"] == {"links": [f"{tree}/link.yaml"]}


def test_nothing_that_the_repository_names_is_run(catalog: Path, tree: Path) -> None:
    git(tree, "init", "-q")
    write(tree, {"x.yaml": SURE, "monitor": '#!/bin/sh\ntouch "$(dirname "$0")/was-run"\n'})
    (tree / "monitor").chmod(0o755)
    git(tree, "config", "core.fsmonitor", str(tree / "monitor"))
    assert found(run_scan(catalog, tree), tree) == [("x.yaml", "GC701")]
    assert not (tree / "was-run").exists()


def test_a_short_read_is_not_taken_for_the_end(
    catalog: Path, tree: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(tree, {"x.yaml": "#" * 5000 + f"\n{SURE}", "y.yaml": "#" * 4090 + f"\n{SURE}"})
    real = os.readv
    monkeypatch.setattr(os, "readv", lambda one, targets: real(one, [targets[0][:4096]]))
    names = [name for name, _ in found(run_scan(catalog, tree), tree)]
    assert names == ["x.yaml", "y.yaml"]


def test_unreadable_files_and_folders_are_survived(
    catalog: Path, tree: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(tree, {"a.yaml": SURE, "locked.yaml": SURE, "folder/x.yaml": SURE})
    real_open, real_scandir = os.open, os.scandir

    def refuse(real):
        def opened(path, *arguments, **named):
            if str(path).endswith(("locked.yaml", "folder")):
                raise PermissionError(13, "Permission denied")
            return real(path, *arguments, **named)

        return opened

    monkeypatch.setattr(os, "open", refuse(real_open))
    monkeypatch.setattr(os, "scandir", refuse(real_scandir))
    outcome = run_scan(catalog, tree)
    assert found(outcome, tree) == [
        ("a.yaml", "GC701"),
        ("folder", "GC002"),
        ("locked.yaml", "GC002"),
    ]
    assert [one.severity for one in outcome.findings] == ["error", "warning", "warning"]


def test_special_files_are_survived(catalog: Path, tree: Path) -> None:
    os.mkfifo(tree / "pipe.yaml")
    write(tree, {"a.yaml": SURE})
    assert found(run_scan(catalog, tree, tree / "pipe.yaml"), tree)[0] == ("a.yaml", "GC701")


@pytest.mark.parametrize("encoding", ["utf-16-le", "utf-16-be"])
def test_utf_16_is_looked_into(catalog: Path, tree: Path, encoding: str) -> None:
    (tree / "a.yaml").write_bytes(f"\ufeff{SURE}".encode(encoding))
    (tree / "empty.yaml").write_bytes(b"")
    assert found(run_scan(catalog, tree), tree) == [("a.yaml", "GC701")]


@pytest.mark.parametrize(
    "text", ["/nvidiax.com~1gpu", r".nvidiax\.com/gpu", r".requests\\.nvidiax\\.com/gpu"]
)
def test_a_file_with_nothing_but_an_escaped_label_is_found(
    catalog: Path, tree: Path, text: str
) -> None:
    write(tree, {"x.sh": f"x {text}\n", "y.sh": "\\ ~ n\n"})
    assert found(run_scan(catalog, tree), tree) == [("x.sh", "GC703")]


@pytest.mark.parametrize("shift", [-10, -1, 0, 1])
def test_a_label_across_two_chunks_is_found(catalog: Path, tree: Path, shift: int) -> None:
    filling = "#" * (sieve._CHUNK - len("\ngpuLabel: nvidiax.c") + shift)
    write(tree, {"large.yaml": f"{filling}\n{SURE}"})
    [finding] = run_scan(catalog, tree).findings
    assert (finding.line, finding.column) == (2, 11)


@pytest.mark.parametrize(
    ("glob", "left"),
    [
        ("*.yaml", []),
        ("docs", ["a.yaml", "web/b.yaml"]),
        ("docs/", ["a.yaml", "web/b.yaml"]),
        ("web/docs", ["a.yaml", "docs/d.yaml", "web/b.yaml"]),
        ("web/*", ["a.yaml", "docs/d.yaml"]),
        ("b.yaml", ["a.yaml", "docs/d.yaml", "web/docs/c.yaml"]),
        ("eb", ["a.yaml", "docs/d.yaml", "web/b.yaml", "web/docs/c.yaml"]),
        ("[ab].yaml", ["docs/d.yaml", "web/docs/c.yaml"]),
    ],
)
@pytest.mark.parametrize("checkout", [False, True])
def test_exclude(catalog: Path, tree: Path, glob: str, left: list[str], checkout: bool) -> None:
    write(tree, dict.fromkeys(("a.yaml", "web/b.yaml", "web/docs/c.yaml", "docs/d.yaml"), SURE))
    if checkout:
        git(tree, "init", "-q")
    outcome = run_scan(catalog, tree, "--exclude", glob)
    assert [name for name, _ in found(outcome, tree)] == left


def test_a_path_that_does_not_exist_is_refused(catalog: Path, tree: Path) -> None:
    with pytest.raises(Unsafe) as refusal:
        run_scan(catalog, tree / "nothing")
    assert refusal.value.findings[0].message == "there is no such file or folder"


def test_paths_are_printed_as_they_were_given(
    catalog: Path, tree: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(tree, {"web/b.yaml": SURE})
    monkeypatch.chdir(tree)
    given = {".": "web/b.yaml", "web": "web/b.yaml", "./web/": "./web/b.yaml"}
    given |= {"web/b.yaml": "web/b.yaml", str(tree): f"{tree}/web/b.yaml"}
    for path, printed in given.items():
        assert [one.path for one in run_scan(catalog, path).findings] == [printed]
    assert len(run_scan(catalog, ".", "web", tree).findings) == 1
