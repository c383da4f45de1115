"""The commit in a consumer's checkout: whether it can be made, and making it.

Nothing of the repository is executed but what git itself runs at a commit.
"""

from __future__ import annotations

import contextlib
import os
from typing import TYPE_CHECKING

from generator import files
from generator.findings import Finding, Unsafe
from generator.publishing.checkout import hidden, ignored, line_of, literally, names, tip

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from pathlib import Path

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
    "--ignore-submodules=all",
)


def refusals(root: Path, paths: Sequence[str]) -> Iterator[Finding]:
    """Why no commit of the paths can be made now: the checkout's state, or work in progress."""
    yield from _refusals(root, paths, names(files.git(root, *_status(paths))))


def foreseen(root: Path, paths: Sequence[str]) -> Iterator[Finding]:
    """`refusals`, as far as they show without git's filters: programs, which a commit runs.

    Where the file alone differs, and not what is staged, the filter may be all the difference.
    """
    status = names(files.ask_git(root, *_status(paths)))
    filtered = set(_filtered(root, paths))
    shown = [line for line in status if not (line.startswith("1 .M ") and _path(line) in filtered)]
    yield from _refusals(root, paths, shown)


def _status(paths: Iterable[str]) -> list[str]:
    return ["status", *_STATUS, "--", *literally(paths)]


def _filtered(root: Path, paths: Iterable[str]) -> Iterator[str]:
    """The paths for which git has a filter."""
    told = names(files.ask_git(root, "check-attr", "-z", "filter", "--", *paths))
    for path, _, value in zip(*[iter(told)] * 3, strict=True):
        if value not in ("unspecified", "unset"):
            yield path


def _refusals(root: Path, paths: Sequence[str], status: Sequence[str]) -> Iterator[Finding]:
    top = line_of(files.ask_git(root, "rev-parse", "--show-toplevel"))
    if not root.samefile(top):
        yield _not_now(root, f"is not the root of its checkout, {top}", "name the root")
        return
    yield from hidden(root, paths)
    yield from ignored(root, paths, "error")
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


def _changed(line: str, root: Path, paths: Iterable[str]) -> list[str]:
    """The paths that a line of the status is about; untracked ones may be told by their folder."""
    if line.startswith("#"):
        return []
    told = _path(line)
    if not line.startswith("?"):
        return [told]
    folder = f"{told.rstrip('/')}/"
    return [
        path for path in paths if f"{path}/".startswith(folder) and os.path.lexists(root / path)
    ]


def _path(line: str) -> str:
    """The path in a line of the status.

    Source: git-status, porcelain version 2; `1` has 8 fields before its path, `u` has 10.
    """
    fields = {"1": 8, "u": 10}.get(line[0], 1)
    return line.split(" ", fields)[fields]


def _unfinished(root: Path) -> Iterator[str]:
    folder = root / line_of(files.ask_git(root, "rev-parse", "--git-dir"))
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
    tracked = names(files.ask_git(root, "ls-files", "-z", "--", *literally(changed)))
    new = {*changed} - {*tracked}
    try:
        if new:  # a commit of given paths knows only what is in the index
            files.git(root, "add", "--intent-to-add", "--", *literally(new))
        options = "--only", "--quiet", "--cleanup=whitespace", "--file=-"
        files.git(root, "commit", *options, "--", *literally(changed), data=message.encode())
    finally:
        # Words about this would hide those of a hook.
        with files.held_off(), contextlib.suppress(Unsafe):
            _reset(root, new if tip(root) == before else committed(root) - staged)
    return line_of(files.ask_git(root, "rev-parse", "--short", "HEAD"))


def committed(root: Path) -> set[str]:
    """What the commit has changed: what a hook adds is in it, and not yet in the index."""
    return _listed(root, "diff-tree", "--no-commit-id", "-r", "--root", "HEAD")


def _listed(root: Path, *arguments: str) -> set[str]:
    return set(names(files.ask_git(root, *arguments, "--name-only", "-z")))


def _reset(root: Path, paths: Iterable[str]) -> None:
    """Let the index have at the paths what HEAD has."""
    listed = "\0".join(literally(paths))
    if listed:  # else it would be all
        options = "--quiet", "--pathspec-from-file=-", "--pathspec-file-nul"
        files.git(root, "reset", *options, data=os.fsencode(listed))
