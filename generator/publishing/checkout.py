"""A consumer's checkout: what stands there, and what git says of it.

Nothing of the repository is executed.
"""

from __future__ import annotations

import contextlib
import os
from pathlib import PurePosixPath
from typing import TYPE_CHECKING

from generator import files
from generator.findings import Finding, Unsafe
from generator.publishing.plan import Text, is_ours

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path

    from generator.findings import Severity

_HEAD = 4096
"""Bytes of a file that are enough to see our header."""

_SUBMODULE = "160000 "
"""The mode that the index has for the root of another repository."""

_ANOTHER = "is a repository of its own", "make it a consumer"


def read(root: Path, paths: Iterable[str]) -> dict[str, bytes]:
    """The files among the paths that exist; raises Unsafe with every path that leads out."""
    wanted = list(dict.fromkeys(paths))
    found: dict[str, bytes] = {}
    refused = [files.unsafe(root / path, *_ANOTHER) for path in _submodules(root, wanted)]
    for path in wanted:
        try:
            data = files.read_if_exists(_inside(root, path))
        except Unsafe as unsafe:
            refused.append(unsafe)
        else:
            if data is not None:
                found[path] = data
    if refused:
        raise Unsafe(*dict.fromkeys(finding for unsafe in refused for finding in unsafe.findings))
    return found


def _submodules(root: Path, paths: Iterable[str]) -> list[str]:
    """The submodules that hold any of the paths, checked out or not; none outside git."""
    folders = {str(folder) for path in paths for folder in PurePosixPath(path).parents} - {".", "/"}
    listed: list[str] = []
    if folders:
        with contextlib.suppress(Unsafe):
            listed = names(
                files.ask_git(root, "ls-files", "--stage", "-z", "--", *literally(folders))
            )
    submodules = [line.partition("\t")[2] for line in listed if line.startswith(_SUBMODULE)]
    return [path for path in submodules if path in folders]


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
        if os.path.lexists(folder / ".git"):  # False, not an error, where it is closed to us
            raise files.unsafe(folder, *_ANOTHER)
    return path


def hidden(root: Path, paths: Iterable[str]) -> Iterator[Finding]:
    """The paths at which git is told not to look.

    Source: git-ls-files, `-v`: `S` is skip-worktree, and a small letter is assume-unchanged.
    """
    for line in names(files.ask_git(root, "ls-files", "-v", "-z", "--", *literally(paths))):
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


def ignored(root: Path, paths: Iterable[str], severity: Severity) -> Iterator[Finding]:
    """The paths that git would leave out of a commit; none outside git.

    Source: git-check-ignore, `-v`: a pattern with `!` says that a path is not ignored.
    """
    told: list[str] = []
    with contextlib.suppress(Unsafe):  # that is also how it says that there are none
        listed = os.fsencode("\0".join(f"./{path}" for path in paths))  # `./` before any magic
        asked = "check-ignore", "--verbose", "--stdin", "-z"
        told = names(files.ask_git(root, *asked, data=listed))
    for source, line, pattern, path in zip(*[iter(told)] * 4, strict=True):
        if not pattern.startswith("!"):
            message = f"is ignored by git, by line {line} of {source}"
            hint = "take it out there, or `git add --force` and commit it once"
            yield Finding("GC417", severity, str(root / path), None, None, message, hint)


def names(output: bytes) -> list[str]:
    """What git lists with `-z`."""
    return [os.fsdecode(name) for name in output.split(b"\0") if name]


def line_of(output: bytes) -> str:
    """The one line that git prints."""
    return os.fsdecode(output.removesuffix(b"\n"))


def tip(root: Path) -> str:
    """The commit that HEAD is at; empty where there is none."""
    try:
        return line_of(files.ask_git(root, "rev-parse", "--verify", "--quiet", "HEAD"))
    except Unsafe:
        return ""


def literally(paths: Iterable[str]) -> Iterator[str]:
    """Pathspecs that mean these paths; an option or a variable for it would reach the hooks."""
    return (f":(literal){path}" for path in paths)


def head(path: Path) -> str:
    """How a commit message names the commit of the catalog at the path; empty outside git."""
    root = files.git_root(path.absolute().parent)
    commit = tip(root) if root else ""
    if not (root and commit):
        return ""
    changed = files.ask_git(root, "status", "--porcelain", "--", *literally([str(path.absolute())]))
    state = ", with uncommitted changes" if changed else ""
    return f"Catalog: {path.name} at commit {commit}{state}"
