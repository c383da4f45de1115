"""`publish --commit`: one commit of just the published paths, by git's own ways."""

import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from generator.project import open_project
from generator.publishing import message
from generator.publishing.plan import Step
from tests.publish.world import PAGE, Checkout

MESSAGE = """\
Bring the GPU labels up to date with the catalog

Labels added: nvidia.com/a10g, nvidia.com/a100
"""


def state(checkout, *without):
    """What is staged, dirty and untracked, and the index but for the paths of a commit."""
    listed = checkout.git("ls-files", "--stage").splitlines()
    return (
        checkout.git("status", "--porcelain"),
        checkout.git("diff"),
        checkout.git("diff", "--cached"),
        [line for line in listed if line.split("\t")[1] not in without],
    )


def hook(checkout, name, script):
    path = checkout.put(f".git/hooks/{name}", f"#!/bin/sh\n{script}\n")
    path.chmod(0o755)


def test_one_commit_on_the_branch(catalog, web):
    first = web.git("rev-parse", "HEAD")
    run = catalog.publish(f"web={web}", "--commit")
    assert run.code == 0
    name = web.git("rev-parse", "--short", "HEAD").strip()
    assert f"committed {name} in {web}\n" in run.out
    assert web.git("rev-parse", "HEAD~1") == first
    assert web.git("show", "--format=%B", "--name-only") == (
        f"{MESSAGE}\n\n.gpu-catalog.json\nsrc/gpuLabels.ts\n"
    )
    assert web.git("status", "--porcelain") == ""
    again = catalog.publish(f"web={web}", "--commit")
    assert (again.code, again.err.partition(";")[0]) == (0, "nothing to do: all is in step")
    assert web.git("rev-parse", "--short", "HEAD").strip() == name


def test_whatever_else_is_staged_or_dirty_stays_so(catalog, tmp_path):
    names = ["kept", "staged", "partly", "dirty", "deleted", "removed", "moved"]
    texts = {name: f"{name}\n1\n2\n3\n4\n5\n6\n" for name in names}
    web = Checkout(tmp_path / "web", **texts)
    web.put("staged", "staged, changed\n")
    web.put("partly", "partly, changed\n")
    web.put("new and staged", "new\n")
    web.git("add", "staged", "partly", "new and staged")
    web.put("partly", "partly, changed again\n")
    web.put("dirty", "dirty, changed\n")
    web.put("untracked", "untracked\n")
    web.put("intended", "intended\n")
    web.git("add", "--intent-to-add", "intended")
    web.git("rm", "--quiet", "removed")
    web.git("mv", "moved", "moved away")
    (web.root / "deleted").unlink()
    before, files = state(web), web.files()
    assert catalog.publish(f"web={web}", "--commit").code == 0
    published = [".gpu-catalog.json", "src/gpuLabels.ts"]
    assert web.git("show", "--format=", "--name-only").split() == published
    assert state(web, *published) == before
    assert {name: file for name, file in web.files().items() if name not in published} == files


def test_the_message(catalog, ops):
    catalog.publish(f"ops={ops}", "--commit")
    assert "Restart web and k8s-root-actor" in ops.git("show", "--format=%B", "--no-patch")
    assert "kube-scheduler" not in ops.git("show", "--format=%B", "--no-patch")
    repository = Checkout.at(catalog.path.parent)
    repository.git("init", "--quiet")
    repository.git("add", ".")
    repository.git("commit", "--quiet", "--message=First")
    commit = repository.git("rev-parse", "HEAD").strip()

    text = catalog.path.read_text()
    text = text.replace("[NVIDIA A10G]", "[NVIDIA A10]").replace(
        "nvidia.com/a100", "nvidia.com/a30"
    )
    catalog.write(text)
    run = catalog.publish(f"ops={ops}", "--commit", "--dry-run")
    message = (
        "Bring the GPU labels up to date with the catalog\n\n"
        "Labels added: nvidia.com/a30\n"
        "Labels changed: nvidia.com/a10g\n"
        "Labels removed: nvidia.com/a100\n\n"
        "Restart web and k8s-root-actor: they read the ConfigMap when they start.\n"
        "Restart kube-scheduler: it may keep the old selectors of a class that has changed.\n\n"
        f"Catalog: catalog.yaml at commit {commit}, with uncommitted changes\n"
    )
    assert f"would commit in {ops}:\n\n{message}" in run.out
    catalog.publish(f"ops={ops}", "--commit")
    assert ops.git("show", "--format=%B", "--no-patch") == f"{message}\n"


@pytest.mark.parametrize(
    ("artifact", "services"),
    [
        ("configmap.yaml", ["web and k8s-root-actor"]),
        ("ansible/themelio_gpu_labels.yml", ["web and k8s-root-actor"]),
        ("waldur/site-agent.yaml.j2", ["the Waldur site agent"]),
        ("kubeflow/spawner-vendors.yaml", ["Kubeflow's jupyter-web-app"]),
        (
            "ansible/themelio_gpu_consumers.yml",
            ["the Waldur site agent", "Kubeflow's jupyter-web-app"],
        ),
        ("rollout/quota-guard.yaml", []),
    ],
)
def test_what_to_restart(catalog, artifact, services):
    changed = Step("behind", "x", "file", f"clusters/one/{artifact}", None, None, "old\n", "new\n")
    opened = open_project(catalog.path).catalog
    text = message.message([changed], opened, "")
    assert re.findall(r"^Restart (.+?):", text, re.MULTILINE) == services
    assert "Restart" not in message.message([changed._replace(state="in step")], opened, "")


def test_on_a_branch_without_a_commit(catalog, tmp_path):
    web = Checkout(tmp_path / "web")
    web.git("checkout", "--quiet", "--orphan", "fresh")
    web.put("staged", "staged\n")
    web.git("add", "staged")
    assert catalog.publish(f"web={web}", "--commit").code == 0
    assert web.git("rev-list", "--count", "HEAD").strip() == "1"
    assert web.git("show", "--format=", "--name-only").split() == [
        ".gpu-catalog.json",
        "src/gpuLabels.ts",
    ]
    assert web.git("status", "--porcelain") == "A  staged\n"


def test_a_file_that_goes_is_committed_too(catalog, ops):
    catalog.add_offering()
    catalog.publish(f"ops={ops}", "--commit")
    catalog.change("[NVIDIA H100]", "[NVIDIA H200]")
    catalog.change("nvidia.com/h100", "nvidia.com/h200")
    assert catalog.publish(f"ops={ops}", "--commit").code == 0
    shown = ops.git("show", "--format=", "--name-status", "--no-renames")
    assert "D\tbase/classes/h100.nvidia.com.yaml\nA\tbase/classes/h200.nvidia.com.yaml\n" in shown
    assert ops.git("status", "--porcelain") == ""


def test_names_that_look_like_patterns(catalog, tmp_path):
    catalog.change("src/gpuLabels.ts", '"src/[a-z]*/*.ts"')
    catalog.change("to: gpus.md, region: gpu-labels", 'to: ":(top) é.md", region: gpu-labels')
    web = Checkout(tmp_path / "web", **{"src/a/x.ts": "x\n"})
    web.put("src/a/x.ts", "changed\n")
    docs = Checkout(tmp_path / "docs", **{":(top) é.md": PAGE, "gpus.md": PAGE})
    assert catalog.publish(f"web={web}", f"docs={docs}", "--commit").code == 0
    quote = "-c", "core.quotePath=false", "show", "--format=", "--name-only"
    assert web.git(*quote).splitlines() == [".gpu-catalog.json", "src/[a-z]*/*.ts"]
    assert web.git("status", "--porcelain") == " M src/a/x.ts\n"
    assert docs.git(*quote).splitlines() == [".gpu-catalog.json", ":(top) é.md", "gpus.md"]


def test_an_ignored_name_that_looks_like_magic(catalog, tmp_path):
    catalog.change("src/gpuLabels.ts", '":(top) é*.ts"')
    web = Checkout(tmp_path / "web", **{".gitignore": "*.ts\n"})
    assert f"{web}/:(top) é*.ts: warning GC417: is ignored" in catalog.publish(f"web={web}").out


def test_line_endings_that_git_converts(catalog, tmp_path):
    web = Checkout(tmp_path / "web", **{".gitattributes": "*.ts text eol=crlf\n"})
    catalog.publish(f"web={web}", "--commit")
    assert web.git("status", "--porcelain") == ""
    (web.root / "src/gpuLabels.ts").unlink()
    web.git("checkout", "--quiet", ".")
    assert "\r\n" in web.text("src/gpuLabels.ts")
    assert catalog.publish(f"web={web}", "--check").out == ""
    catalog.add_offering()
    catalog.publish(f"web={web}", "--commit")
    assert web.text("src/gpuLabels.ts").count("\r\n") == web.text("src/gpuLabels.ts").count("\n")
    assert "\r" not in web.git("cat-file", "blob", "HEAD:src/gpuLabels.ts")
    assert web.git("status", "--porcelain") == ""


# --- refusals ----------------------------------------------------------------------------------


def dirty(web):
    web.put("src/gpuLabels.ts", web.text("src/gpuLabels.ts") + "// mine\n")


def staged(web):
    dirty(web)
    web.git("add", ".")


def staged_only(web):
    staged(web)
    web.put("src/gpuLabels.ts", web.git("show", "HEAD:src/gpuLabels.ts"))


def dirty_record(web):
    web.put(".gpu-catalog.json", web.text(".gpu-catalog.json") + "\n")


def untracked(web):
    web.git("rm", "--quiet", "--cached", "src/gpuLabels.ts")
    web.git("commit", "--quiet", "--message=Forget")


def ignored(web):
    web.put(".gitignore", "src/\n")
    untracked(web)


def detached(web):
    web.git("checkout", "--quiet", "--detach")


def branches(web, *start):
    web.git("checkout", "--quiet", "-b", "other")
    web.put("a", "other\n")
    web.git("add", "a")
    web.git("commit", "--quiet", "--message=Other")
    web.git("checkout", "--quiet", "main")
    web.put("a", "main\n")
    web.git("add", "a")
    web.git("commit", "--quiet", "--message=Main")
    with pytest.raises(Exception, match="returned non-zero"):
        web.git(*start)


def squashing(web):
    web.git("checkout", "--quiet", "-b", "other")
    web.put("a", "other\n")
    web.git("add", "a")
    web.git("commit", "--quiet", "--message=Other")
    web.git("checkout", "--quiet", "main")
    web.git("merge", "--quiet", "--squash", "other")


def between_picks(web):
    """As after `git reset`, which takes back a pick that failed, and no more than that."""
    web.git("commit", "--quiet", "--allow-empty", "--message=Second")
    branches(web, "cherry-pick", "other", "HEAD~1")
    web.git("commit", "--quiet", "--all", "--message=Resolved")


def mailed(web):
    web.put("mail", web.git("format-patch", "--root", "--stdout", "HEAD"))
    with pytest.raises(subprocess.CalledProcessError):
        web.git("am", "mail")
    (web.root / "mail").unlink()


def assumed_unchanged(web):
    web.git("update-index", "--assume-unchanged", "src/gpuLabels.ts")
    dirty(web)


def skipped(web):
    web.git("update-index", "--skip-worktree", "src/gpuLabels.ts")


def sparse(web):
    web.git("sparse-checkout", "set", "docs")
    assert not (web.root / "src").exists()


@pytest.mark.parametrize("prepare", [assumed_unchanged, skipped, sparse])
def test_a_check_names_what_git_does_not_look_at(catalog, web, prepare):
    catalog.publish(f"web={web}", "--commit")
    prepare(web)
    run = catalog.publish(f"web={web}", "--check")
    assert (run.code, run.codes) == (4, ["GC417"])


def test_another_repository_inside_that_is_ignored(catalog, web):
    """As in a CI job that clones the catalog into the consumer's checkout."""
    web.put(".git/info/exclude", ".gpu-catalog\n")
    Checkout(web.root / ".gpu-catalog", **{"catalog.yaml": "schema_version: 1\n"})
    assert catalog.publish(f"web={web}", "--commit").code == 0
    assert web.git("status", "--porcelain") == ""


def test_a_new_file_that_git_is_told_to_ignore(catalog, web):
    web.put(".gitignore", "src/\n")
    before = state(web), web.files()
    run = catalog.publish(f"web={web}", "--commit")
    assert (run.code, run.codes) == (4, ["GC417"])
    message = f"{web}/src/gpuLabels.ts: error GC417: is ignored by git, by line 1 of .gitignore"
    assert message in run.out
    assert (state(web), web.files()) == before
    for words in (["--dry-run"], []):
        run = catalog.publish(f"web={web}", *words)
        assert message.replace("error", "warning") in run.out
    (web.root / "src/gpuLabels.ts").unlink()
    (web.root / ".gpu-catalog.json").unlink()
    web.put(".gitignore", "src/*\n!src/gpuLabels.ts\n")
    assert catalog.publish(f"web={web}", "--commit").code == 0


@pytest.mark.parametrize(
    ("prepare", "code", "message"),
    [
        (dirty, "GC417", "has uncommitted changes"),
        (staged, "GC417", "has uncommitted changes"),
        (staged_only, "GC417", "has uncommitted changes"),
        (dirty_record, "GC417", "has uncommitted changes"),
        (untracked, "GC417", "has uncommitted changes"),
        (ignored, "GC417", "is ignored by git, by line 1 of .gitignore"),
        (detached, "GC418", "is on no branch: HEAD is detached"),
        (lambda web: branches(web, "merge", "other"), "GC418", "is in the middle of a merge"),
        (lambda web: branches(web, "rebase", "other"), "GC418", "is in the middle of a rebase"),
        (lambda web: branches(web, "rebase", "--apply", "other"), "GC418", "a rebase or an `am`"),
        (lambda web: branches(web, "cherry-pick", "other"), "GC418", "the middle of a cherry-pick"),
        (lambda web: branches(web, "revert", "other"), "GC418", "in the middle of a revert"),
        (squashing, "GC418", "is in the middle of a squash merge"),
        (between_picks, "GC418", "is in the middle of a series of picks or reverts"),
        (mailed, "GC418", "is in the middle of a rebase or an `am`"),
        (assumed_unchanged, "GC417", "is marked assume-unchanged"),
        (skipped, "GC417", "is left out of git's working tree"),
        (sparse, "GC417", "is left out of git's working tree"),
    ],
)
def test_refusals(catalog, web, prepare, code, message):
    catalog.publish(f"web={web}", "--commit")
    catalog.add_offering()
    prepare(web)
    before = state(web), web.files(), web.git("rev-parse", "HEAD")
    for words in (["--commit"], ["--commit", "--dry-run"]):
        run = catalog.publish(f"web={web}", *words)
        assert (run.code, set(run.codes)) == (
            4,
            {"GC417", code} if "GC417" in run.codes else {code},
        )
        assert message in run.out
        assert (state(web), web.files(), web.git("rev-parse", "HEAD")) == before


def test_a_folder_that_is_no_checkout(catalog, tmp_path, web):
    (tmp_path / "plain").mkdir()
    run = catalog.publish(f"web={tmp_path}/plain", "--commit")
    assert (run.code, run.codes) == (4, ["GC002"])
    assert "not a git repository" in run.out
    (web.root / "src").mkdir()
    run = catalog.publish(f"web={web}/src", "--commit")
    assert (run.code, run.codes) == (4, ["GC418"])
    assert "is not the root of its checkout" in run.out


def test_one_checkout_that_refuses_keeps_all_others_as_they_were(catalog, web, docs):
    docs.git("checkout", "--quiet", "--detach")
    before = web.files(), docs.files()
    assert catalog.publish(f"web={web}", f"docs={docs}", "--commit").code == 4
    assert (web.files(), docs.files()) == before


# --- hooks -------------------------------------------------------------------------------------


def test_hooks_run_as_at_any_commit(catalog, web):
    for name in ("pre-commit", "prepare-commit-msg", "commit-msg", "post-commit"):
        hook(web, name, f"echo {name} >> .git/ran; git diff --cached --name-only >> .git/ran")
    hook(web, "commit-msg", "echo commit-msg >> .git/ran; echo 'Signed: Ada' >> $1")
    web.put("other", "other\n")
    web.git("add", "other")
    assert catalog.publish(f"web={web}", "--commit").code == 0
    ran = web.text(".git/ran").split()
    published = [".gpu-catalog.json", "src/gpuLabels.ts"]
    assert ran[:3] == ["pre-commit", *published]
    assert [word for word in ran if "commit" in word] == [
        "pre-commit",
        "prepare-commit-msg",
        "commit-msg",
        "post-commit",
    ]
    assert web.git("show", "--format=%B", "--no-patch").endswith("Signed: Ada\n\n")
    assert web.git("status", "--porcelain") == "A  other\n"


def test_a_hook_that_refuses_leaves_everything_as_it_was(catalog, web, docs):
    hook(docs, "pre-commit", "git add extra; echo not today >&2; exit 1")
    docs.put("extra", "extra\n")
    docs.put("staged", "staged\n")
    docs.git("add", "staged")
    before = state(docs), docs.files()
    run = catalog.publish(f"web={web}", f"docs={docs}", "--commit")
    assert (run.code, run.codes) == (4, ["GC002", "GC425"])
    assert "git commit failed: not today" in run.out
    assert f"{web}: note GC425: was published, in commit" in run.out
    assert (state(docs), docs.files()) == before
    assert web.git("rev-list", "--count", "HEAD").strip() == "2"


def test_what_a_hook_adds_is_no_change_afterwards(catalog, tmp_path):
    web = Checkout(
        tmp_path / "web", **{"dist/bundle.js": "1\n", "dist/old.js": "1\n", "log": "1\n"}
    )
    script = "date +%N >dist/bundle.js; echo n >dist/new.js; rm dist/old.js; git add --all dist"
    hook(web, "pre-commit", f"{script}; echo 2 >log; git add log")
    web.put("log", "mine\n")
    web.git("add", "log")
    run = catalog.publish(f"web={web}", "--commit")
    assert run.code == 0
    told = re.findall(r"(\S+): warning GC424: was added to the commit by a hook", run.out)
    assert told == [
        f"{web}/{name}" for name in ("dist/bundle.js", "dist/new.js", "dist/old.js", "log")
    ]
    assert web.git("show", "--format=", "--name-only").split() == [
        ".gpu-catalog.json",
        "dist/bundle.js",
        "dist/new.js",
        "dist/old.js",
        "log",
        "src/gpuLabels.ts",
    ]
    assert web.git("status", "--porcelain") == "MM log\n"
    assert web.git("show", ":log") == "mine\n"


def test_a_failed_commit_puts_back_what_nobody_has_changed_since(catalog, ops):
    """With its own modes; an empty folder stays."""
    catalog.add_offering()
    catalog.publish(f"ops={ops}", "--commit")
    catalog.write(catalog.path.read_text().replace("h100", "h200"))
    stale = ops.root / "base/classes/h100.nvidia.com.yaml"
    stale.chmod(0o600)
    before = state(ops), ops.files()
    hook(ops, "pre-commit", "echo mine >>base/gpus.yaml; echo not today >&2; exit 1")
    run = catalog.publish(f"ops={ops}", "--commit")
    assert (run.code, run.codes) == (4, ["GC002", "GC002"])
    assert "git commit failed: not today" in run.out
    assert f"{ops}/base/gpus.yaml: error GC002: was changed meanwhile" in run.out
    assert ops.text("base/gpus.yaml").endswith("\nmine\n")
    ops.git("checkout", "--quiet", "base/gpus.yaml")
    assert (state(ops), ops.files()) == before


def test_an_empty_folder_stays_where_a_commit_fails(catalog, web):
    (web.root / "src").mkdir()
    hook(web, "pre-commit", "exit 1")
    assert catalog.publish(f"web={web}", "--commit").code == 4
    assert list((web.root / "src").iterdir()) == []


def test_what_cannot_be_put_back_does_not_hide_the_hooks_words(catalog, web, docs):
    script = "cd src; rm gpuLabels.ts; mkdir gpuLabels.ts; touch gpuLabels.ts/mine"
    hook(web, "pre-commit", f"{script}; echo not today >&2; exit 1")
    before = docs.files()
    run = catalog.publish(f"web={web}", f"docs={docs}", "--commit")
    assert (run.code, run.codes) == (4, ["GC002", "GC002"])
    assert "git commit failed: not today" in run.out
    assert f"{web}/src/gpuLabels.ts: error GC002: could not be put back" in run.out
    assert docs.files() == before
    assert list(web.files()) == ["src/gpuLabels.ts/mine"]


def test_what_a_hook_leaves_in_the_background_is_not_waited_for(catalog, web):
    hook(web, "post-commit", "sleep 60 & echo $! >.git/left")
    start = time.monotonic()
    assert catalog.publish(f"web={web}", "--commit").code == 0
    assert time.monotonic() - start < 30
    os.kill(int(web.text(".git/left")), signal.SIGKILL)


def test_a_hook_may_say_much(catalog, web):
    hook(web, "pre-commit", "seq 100000; seq 100000 >&2; echo not today >&2; exit 1")
    run = catalog.publish(f"web={web}", "--commit")
    assert (run.code, run.codes) == (4, ["GC002"])
    assert "\n  | 99999\n  | 100000\n  | not today\n" in run.out


def publishing(catalog, *words):
    """A process of a group of its own that publishes."""
    command = [sys.executable, "-m", "generator", "publish", "--catalog", catalog.path, *words]
    return subprocess.Popen(
        command,
        cwd=Path(__file__).parents[2],
        start_new_session=True,
        stdout=subprocess.PIPE,
        text=True,
    )


@pytest.mark.parametrize("name", ["pre-commit", "post-commit"])
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_an_interrupt_lets_git_finish(catalog, web, docs, name, number):
    """What is committed then stands, and is told; what comes after it goes back."""
    hook(web, name, "touch .git/begun; sleep 1")
    before = state(docs), docs.files()
    process = publishing(catalog, f"web={web}", f"docs={docs}", "--commit")
    while process.poll() is None and not (web.root / ".git/begun").exists():
        time.sleep(0.02)
    process.send_signal(number)
    told, _ = process.communicate()
    assert process.returncode == 128 + number
    commit = web.git("rev-parse", "HEAD").strip()
    message = f"was published, in commit {commit}, before the run was interrupted"
    assert told == f"{web}: note GC425: {message}\nhint: its commit stays\n"
    assert web.git("rev-list", "--count", "HEAD") == "2\n"
    assert not (web.root / ".git/index.lock").exists()
    assert web.git("status", "--porcelain") == ""
    assert (state(docs), docs.files()) == before
    assert catalog.publish(f"web={web}", "--check").code == 0


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_an_interrupt_of_all_before_the_commit_undoes_it(catalog, web, number):
    """As from a terminal, which sends it to git and to its hook too."""
    hook(web, "pre-commit", f"touch .git/begun; kill -{number:d} 0")
    process = publishing(catalog, f"web={web}", "--commit")
    assert (process.communicate()[0], process.returncode) == ("", 128 + number)
    assert web.git("rev-list", "--count", "HEAD") == "1\n"
    assert web.git("status", "--porcelain") == ""
    assert list(web.files()) == []


def test_an_interrupt_of_the_undo_waits_for_its_end(catalog, web):
    hook(web, "pre-commit", "touch .git/begun; exit 1")
    hook(web, "post-index-change", "[ ! -e .git/begun ] || { touch .git/undoing; kill -INT 0; }")
    process = publishing(catalog, f"web={web}", "--commit")
    assert (process.communicate()[0], process.returncode) == ("", 130)
    assert (web.root / ".git/undoing").exists()
    assert web.git("status", "--porcelain") == ""
    assert list(web.files()) == []


def test_a_hook_that_formats_is_told_of(catalog, web):
    hook(web, "pre-commit", 'sed -i "s/\\"/\'/g" src/gpuLabels.ts; git add src/gpuLabels.ts')
    run = catalog.publish(f"web={web}", "--commit")
    assert run.code == 0
    assert f"{web}/src/gpuLabels.ts: warning GC424: was changed by a hook" in run.out
    assert "'nvidia.com/a10g'" in web.git("show", "HEAD:src/gpuLabels.ts")
    assert web.git("status", "--porcelain") == ""
    assert catalog.publish(f"web={web}", "--check").codes == ["GC402"]


def test_a_hook_may_lay_out_the_record_anew(catalog, web):
    hook(web, "pre-commit", "sed -i 's/^  */\t/' .gpu-catalog.json; git add .gpu-catalog.json")
    run = catalog.publish(f"web={web}", "--commit")
    assert "\n\t" in web.text(".gpu-catalog.json")
    assert "GC424" not in run.codes
    assert catalog.publish(f"web={web}", "--commit").err.startswith("nothing to do")


@pytest.mark.parametrize(
    ("script", "is_told"),
    [
        pytest.param("s/enum:.*/&\\n      example: ours/", False, id="beside the node"),
        pytest.param('s/nvidia.com\\/a100/"&"/', False, id="the layout of the node"),
        pytest.param("s/nvidia.com\\/a100/&x/", True, id="what the node says"),
    ],
)
def test_a_hook_may_touch_all_but_what_the_places_say(catalog, api, script, is_told):
    hook(api, "pre-commit", f"sed -i '{script}' openapi.yaml; git add openapi.yaml")
    run = catalog.publish(f"api={api}", "--commit")
    assert len(api.git("show", "--format=", "--name-only").split()) == 2
    assert api.git("status", "--porcelain") == ""
    assert ("GC424" in run.codes) is is_told
    assert (catalog.publish(f"api={api}", "--check").code == 1) is is_told


def test_a_hook_may_format_around_a_region(catalog, docs):
    hook(docs, "pre-commit", "sed -i '1s/.*/# All GPUs/' gpus.md; git add gpus.md")
    assert "GC424" not in catalog.publish(f"docs={docs}", "--commit").codes
    assert docs.git("show", "HEAD:gpus.md").startswith("# All GPUs\n")


def test_a_hook_that_brings_a_deleted_file_back_is_told_of(catalog, ops):
    catalog.add_offering()
    catalog.publish(f"ops={ops}", "--commit")
    catalog.change("h100", "h200")
    stale = "base/classes/h100.nvidia.com.yaml"
    hook(ops, "pre-commit", f"git checkout --quiet HEAD -- {stale}")
    run = catalog.publish(f"ops={ops}", "--commit")
    assert f"{ops}/{stale}: warning GC424: was changed by a hook" in run.out


def test_a_hook_may_check_what_is_published(catalog, web, monkeypatch):
    """It would wait for ever if the publishing run still held the checkout."""
    monkeypatch.setenv("PYTHONPATH", str(Path(__file__).parents[2]))
    command = f"'{sys.executable}' -m generator publish --check --catalog '{catalog.path}'"
    hook(web, "pre-commit", f"{command} web=.")
    assert catalog.publish(f"web={web}", "--commit").code == 0


def test_nothing_of_the_repository_is_run_before_a_commit(catalog, tmp_path):
    web = Checkout(tmp_path / "web", **{".gitattributes": "* filter=evil diff=evil\n"})
    catalog.publish(f"web={web}", "--commit")
    catalog.add_offering()
    trap = f"touch {tmp_path}/ran #"
    for key in ("core.fsmonitor", "diff.external", "diff.evil.textconv", "filter.evil.smudge"):
        web.git("config", key, trap)
    web.git("config", "filter.evil.clean", f"touch {tmp_path}/ran; cat")
    web.git("config", "filter.evil.required", "true")
    for name in ("post-index-change", "pre-commit", "post-checkout", "reference-transaction"):
        hook(web, name, trap)
    os.utime(web.root / "src/gpuLabels.ts", (1, 1))
    index = (web.root / ".git/index").read_bytes()
    for words in (["--check"], ["--dry-run"], ["--commit", "--dry-run"], []):
        catalog.publish(f"web={web}", *words)
        assert not (tmp_path / "ran").exists()
        assert (web.root / ".git/index").read_bytes() == index


@pytest.mark.parametrize("required", ["true", "false"])
def test_a_clean_file_behind_a_filter_has_no_changes(catalog, tmp_path, required):
    """Git runs the filter to see that; a commit does so anyway, and a dry run does not."""
    web = Checkout(tmp_path / "web", **{".gitattributes": "*.ts filter=crypt\n"})
    for key, value in {
        "clean": "tr a-z n-za-m",
        "smudge": "tr a-z n-za-m",
        "required": required,
    }.items():
        web.git("config", f"filter.crypt.{key}", value)
    assert catalog.publish(f"web={web}", "--commit").code == 0
    os.utime(web.root / "src/gpuLabels.ts", (1, 1))
    catalog.add_offering()
    assert catalog.publish(f"web={web}", "--commit", "--dry-run").code == 0
    run = catalog.publish(f"web={web}", "--commit")
    assert (run.code, "GC417" in run.codes) == (0, False)
    assert "h100" not in web.git("cat-file", "blob", "HEAD:src/gpuLabels.ts")
    dirty(web)
    assert catalog.publish(f"web={web}", "--commit").codes == ["GC417"]
    web.git("add", ".")
    assert catalog.publish(f"web={web}", "--commit", "--dry-run").codes == ["GC417"]


def test_the_environment_of_a_hook_that_runs_us_is_not_ours(catalog, web, docs, monkeypatch):
    """In a hook, git names its own repository and index in the environment."""
    monkeypatch.setenv("GIT_DIR", f"{docs}/.git")
    monkeypatch.setenv("GIT_INDEX_FILE", f"{docs}/.git/index")
    monkeypatch.setenv("GIT_WORK_TREE", str(docs))
    run = catalog.publish(f"web={web}", "--commit")
    for name in ("GIT_DIR", "GIT_INDEX_FILE", "GIT_WORK_TREE"):
        monkeypatch.delenv(name)
    assert run.code == 0
    assert web.git("rev-list", "--count", "HEAD").strip() == "2"
    assert docs.git("rev-list", "--count", "HEAD").strip() == "1"


def test_a_page_says_what_changes_there(catalog, tmp_path):
    docs = Checkout(tmp_path / "docs", **{"gpus.md": PAGE})
    catalog.publish(f"docs={docs}", "--commit")
    assert docs.git("show", "--format=%B", "--no-patch") == f"{MESSAGE}\n"
