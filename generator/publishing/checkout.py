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
    from collections.abc import Iterable, Iterator, Mapping, Sequence
    from pathlib import Path

_UNFINISHED = {
    "MERGE_HEAD": "a merge",
    "CHERRY_PICK_HEAD": "a cherry-pick",
    "REVERT_HEAD": "a revert",
    "rebase-merge": "a rebase",
    "rebase-apply": "a rebase",
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


def ours_in(root: Path, folder: str) -> dict[str, bytes]:
    """The files below a folder of the checkout that have our header."""
    listed = files.list_files(_inside(root, folder))
    found = {folder + name: files.read(root / folder / name) for name in listed}
    return {path: data for path, data in found.items() if is_ours(Text.of(data).text)}


# --- committing --------------------------------------------------------------------------------


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


def refusals(root: Path, paths: Sequence[str]) -> Iterator[Finding]:
    """Why no commit of the paths can be made now: the checkout's state, or work in progress."""
    top = files.ask_git(root, "rev-parse", "--show-toplevel").decode().rstrip("\n")
    if not root.samefile(top):
        yield _not_now(root, f"is not the root of its checkout, {top}", "name the root")
        return
    status = _status(root, paths)
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


def _status(root: Path, paths: Sequence[str]) -> list[str]:
    """The lines of git's status about the branch and the paths, ignored files among them."""
    output = files.ask_git(root, "status", *_STATUS, "--", *_literally(paths))
    return [line for line in output.decode("utf-8", "surrogateescape").split("\0") if line]


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
    return [path for path in paths if f"{path}/".startswith(folder) and (root / path).exists()]


def _unfinished(root: Path) -> list[str]:
    arguments = [word for name in _UNFINISHED for word in ("--git-path", name)]
    paths = files.ask_git(root, "rev-parse", *arguments).decode().splitlines()
    found = zip(_UNFINISHED.values(), paths, strict=True)
    return sorted({what for what, path in found if (root / path).exists()})


def commit(root: Path, changed: Mapping[str, bytes | None], message: str) -> str:
    """Commit the changed files, None where one was deleted, and nothing else; the commit's name.

    What else is staged or dirty stays so. Raises Unsafe with the index as it was before.
    """
    index = root / files.ask_git(root, "rev-parse", "--git-path", "index").decode().rstrip("\n")
    before = files.read_if_exists(index)
    listed = files.ask_git(root, "ls-files", "-z", "--", *_literally(changed))
    tracked = set(listed.decode("utf-8", "surrogateescape").split("\0"))
    new = [path for path in changed if path not in tracked]
    try:
        if new:  # a commit of given paths knows only what is in the index
            files.git(root, "add", "--intent-to-add", "--", *_literally(new))
        options = "--only", "--quiet", "--cleanup=whitespace", "--file=-"
        files.git(root, "commit", *options, "--", *_literally(changed), data=message.encode())
    except BaseException:
        _restore(index, before)
        raise
    # What a hook adds goes into the commit alone; the index would still have what was there before.
    with contextlib.suppress(Unsafe):
        files.git(root, "reset", "--quiet", "--", *_literally(changed))
    return files.ask_git(root, "rev-parse", "--short", "HEAD").decode().strip()


def _literally(paths: Iterable[str]) -> Iterator[str]:
    """Pathspecs that mean these paths; an option or a variable for it would reach the hooks."""
    return (f":(literal){path}" for path in paths)


def _restore(index: Path, before: bytes | None) -> None:
    """Put the index back by git's own protocol: a lock file that becomes the index."""
    if files.read_if_exists(index) == before:
        return
    if before is None:
        index.unlink()
        return
    lock = index.with_name(index.name + ".lock")
    with contextlib.suppress(FileExistsError), lock.open("xb") as file:
        file.write(before)
        file.close()
        lock.replace(index)


def head(path: Path) -> str:
    """How a commit message names the commit of the catalog at the path; empty outside git."""
    root = files.git_root(path.absolute().parent)
    if root is None:
        return ""
    try:
        commit = files.ask_git(root, "rev-parse", "--verify", "--quiet", "HEAD").decode().strip()
        changed = files.ask_git(root, "status", "--porcelain", "--", str(path.absolute()))
    except Unsafe:  # no commit yet
        return ""
    state = ", with uncommitted changes" if changed else ""
    return f"Catalog: {path.name} at commit {commit}{state}"
