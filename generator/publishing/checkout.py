"""A consumer's checkout: what stands there, whether a commit can be made, and the commit.

Nothing of the repository is executed but what git itself runs at a commit.
"""

from __future__ import annotations

import contextlib
import os
from typing import TYPE_CHECKING

from generator import files
from generator.findings import Finding, Unsafe
from generator.publishing.plan import Text, is_ours

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence
    from pathlib import Path

_HEAD = 4096
"""Bytes of a file that are enough to see our header."""

_UNFINISHED = {
    "MERGE_HEAD": "a merge",
    "SQUASH_MSG": "a squash merge",
    "CHERRY_PICK_HEAD": "a cherry-pick",
    "REVERT_HEAD": "a revert",
    "rebase-merge": "a rebase",
    "sequencer": "a series of picks or reverts",
    "rebase-apply": "a rebase or an `am`",
    "BISECT_LOG": "a bisection",
}

_STATUS = (
    "--porcelain=v2",
    "--branch",
    "-z",
    "--no-renames",
    "--untracked-files=all",
    "--ignored=matching",
    "--ignore-submodules=all",
)


def read(root: Path, paths: Iterable[str]) -> dict[str, bytes]:
    """The files among the paths that exist; raises Unsafe with every path that leads out."""
    found: dict[str, bytes] = {}
    refused: list[Finding] = []
    for path in dict.fromkeys(paths):
        try:
            data = files.read_if_exists(_inside(root, path))
        except Unsafe as unsafe:
            refused += unsafe.findings
        else:
            if data is not None:
                found[path] = data
    if refused:
        raise Unsafe(*refused)
    return found


def ours_in(root: Path, folder: str) -> list[str]:
    """The files below a folder of the checkout that have our header."""
    heads = files.heads(_inside(root, folder), _HEAD)
    return [folder + name for name, head in heads.items() if is_ours(Text.of(head).text)]


def _inside(root: Path, relative: str) -> Path:
    """The path in the checkout; a repository inside it, such as a submodule, is another one."""
    path = files.inside(root, relative)
    for folder in [path, *path.parents]:
        if folder == root:
            break
        if os.path.lexists(
            folder / ".git"
        ):  # False, not an error, in a folder that is closed to us
            raise files.unsafe(folder, "is a repository of its own", "make it a consumer")
    return path


# --- committing --------------------------------------------------------------------------------


def refusals(root: Path, paths: Sequence[str], ask: Callable[..., bytes]) -> Iterator[Finding]:
    """Why no commit of the paths can be made now: the checkout's state, or work in progress.

    `ask` is `git` where the commit is made, which runs git's filters anyway, and else `ask_git`.
    """
    top = _line(files.ask_git(root, "rev-parse", "--show-toplevel"))
    if not root.samefile(top):
        yield _not_now(root, f"is not the root of its checkout, {top}", "name the root")
        return
    yield from hidden(root, paths)
    status = _names(ask(root, "status", *_STATUS, "--", *_literally(paths)))
    if "# branch.head (detached)" in status:
        yield _not_now(root, "is on no branch: HEAD is detached", "switch to a branch first")
    for what in _unfinished(root):
        yield _not_now(root, f"is in the middle of {what}", "finish or abort it first")
    changed = [path for line in status for path in _changed(line, root, paths)]
    for path in dict.fromkeys(changed):
        message, hint = "has uncommitted changes", "commit, stash or undo them first"
        yield Finding("GC417", "error", str(root / path), None, None, message, hint)


def _not_now(root: Path, message: str, hint: str) -> Finding:
    return Finding("GC418", "error", str(root), None, None, f"the checkout {message}", hint)


def hidden(root: Path, paths: Iterable[str]) -> Iterator[Finding]:
    """The paths at which git is told not to look.

    Source: git-ls-files, `-v`: `S` is skip-worktree, and a small letter is assume-unchanged.
    """
    for line in _names(files.ask_git(root, "ls-files", "-v", "-z", "--", *_literally(paths))):
        tag, _, path = line.partition(" ")
        if tag in "Ss":
            message = "is left out of git's working tree, by a sparse checkout or skip-worktree"
            hint = "use `git sparse-checkout add`, or `git update-index --no-skip-worktree`"
        elif tag.islower():
            message = "is marked assume-unchanged: git does not see what was changed there"
            hint = "use `git update-index --no-assume-unchanged`"
        else:
            continue
        yield Finding("GC417", "error", str(root / path), None, None, message, hint)


def _names(output: bytes) -> list[str]:
    return [os.fsdecode(name) for name in output.split(b"\0") if name]


def _line(output: bytes) -> str:
    return os.fsdecode(output.removesuffix(b"\n"))


def _changed(line: str, root: Path, paths: Iterable[str]) -> list[str]:
    """The paths that a line of the status is about.

    Source: git-status, porcelain version 2; `1` has 8 fields before its path, `u` has 10. Untracked
    and ignored files may be told by a folder around them, and ignored ones that nobody asked for.
    """
    if line.startswith("#"):
        return []
    fields = {"1": 8, "u": 10}.get(line[0], 1)
    told = line.split(" ", fields)[fields]
    if fields > 1:
        return [told]
    folder = f"{told.rstrip('/')}/"
    return [
        path for path in paths if f"{path}/".startswith(folder) and os.path.lexists(root / path)
    ]


def _unfinished(root: Path) -> Iterator[str]:
    folder = root / _line(files.ask_git(root, "rev-parse", "--git-dir"))
    for name, what in _UNFINISHED.items():
        if os.path.lexists(folder / name):
            yield what


def commit(root: Path, changed: Iterable[str], message: str) -> str:
    """Commit the changed files and nothing else; the short name of the commit.

    What else is staged or dirty stays so. Raises Unsafe; whether the commit was made before that,
    `tip` tells.
    """
    before = tip(root)
    staged = _listed(root, "diff", "--cached", "--no-renames", "--no-ext-diff")
    tracked = _names(files.ask_git(root, "ls-files", "-z", "--", *_literally(changed)))
    new = {*changed} - {*tracked}
    try:
        if new:  # a commit of given paths knows only what is in the index
            files.git(root, "add", "--intent-to-add", "--", *_literally(new))
        options = "--only", "--quiet", "--cleanup=whitespace", "--file=-"
        files.git(root, "commit", *options, "--", *_literally(changed), data=message.encode())
    finally:
        with contextlib.suppress(Unsafe):  # whose words would hide those of a hook
            _reset(root, new if tip(root) == before else committed(root) - staged)
    return _line(files.ask_git(root, "rev-parse", "--short", "HEAD"))


def committed(root: Path) -> set[str]:
    """What the commit has changed: what a hook adds is in it, and not yet in the index."""
    return _listed(root, "diff-tree", "--no-commit-id", "-r", "--root", "HEAD")


def _listed(root: Path, *arguments: str) -> set[str]:
    return set(_names(files.ask_git(root, *arguments, "--name-only", "-z")))


def _reset(root: Path, paths: Iterable[str]) -> None:
    """Let the index have at the paths what HEAD has."""
    listed = "\0".join(_literally(paths))
    if listed:  # else it would be all
        options = "--quiet", "--pathspec-from-file=-", "--pathspec-file-nul"
        files.git(root, "reset", *options, data=os.fsencode(listed))


def tip(root: Path) -> str:
    """The commit that HEAD is at; empty where there is none."""
    try:
        return _line(files.ask_git(root, "rev-parse", "--verify", "--quiet", "HEAD"))
    except Unsafe:
        return ""


def _literally(paths: Iterable[str]) -> Iterator[str]:
    """Pathspecs that mean these paths; an option or a variable for it would reach the hooks."""
    return (f":(literal){path}" for path in paths)


def head(path: Path) -> str:
    """How a commit message names the commit of the catalog at the path; empty outside git."""
    root = files.git_root(path.absolute().parent)
    commit = tip(root) if root else ""
    if not (root and commit):
        return ""
    changed = files.ask_git(
        root, "status", "--porcelain", "--", *_literally([str(path.absolute())])
    )
    state = ", with uncommitted changes" if changed else ""
    return f"Catalog: {path.name} at commit {commit}{state}"
