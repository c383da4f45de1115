"""Which files of a path are looked into: what git knows in a checkout, else all below a folder."""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from generator.files.checkout import ask_git, git_root
from generator.files.paths import unsafe
from generator.findings import Unsafe

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

_FOLDERS = frozenset({".git", "node_modules"})
_ARCHIVES = (
    *(".7z", ".bz2", ".gz", ".jar", ".rar", ".tar", ".tbz2", ".tgz"),
    *(".txz", ".war", ".whl", ".xz", ".zip", ".zst"),
)
UNREADABLE = "unreadable"
"""Why a folder is passed over; the other reasons are no cause for worry."""
_LINK, _SUBMODULE, _UNTRACKED = "120000", "160000", ""


class Walk(NamedTuple):
    """A walk below one path. `skip` is told each path that is passed over, and why."""

    root: str
    excluded: re.Pattern[str] | None
    skip: Callable[[str, str], None]

    def files(self) -> Iterator[str]:
        """The paths of all files to look into; raises Unsafe where there is nothing at the root.

        Links inside the root are not followed, so that no loop can catch the walk. Among them are
        tracked files that were deleted.
        """
        if os.path.isdir(self.root):
            yield from self._folder("")
        elif not os.path.exists(self.root):
            raise unsafe(self.root, "there is no such file or folder", "check the path")
        elif self._is_wanted(os.path.basename(self.root), self.root):
            yield self.root

    def _folder(self, name: str) -> Iterator[str]:
        folder = os.path.join(self.root, name) if name else self.root
        in_checkout = git_root(Path(os.path.abspath(folder))) is not None
        try:
            known = list(_known_to_git(folder)) if in_checkout else []
        except Unsafe:
            if not name:
                raise
            known = []  # a broken repository on the way is a folder like any other
        # Git lists nothing of a folder that it ignores; who names it wants it looked into.
        yield from self._checkout(name, known) if known else self._tree(name)

    def _checkout(self, folder: str, known: Sequence[tuple[str, str]]) -> Iterator[str]:
        for mode, below in known:
            name = os.path.join(folder, below)
            path = self._path(name)
            if mode == _LINK or (mode in (_SUBMODULE, _UNTRACKED) and os.path.islink(path)):
                self.skip(path, "links")
            elif mode == _SUBMODULE and os.path.isdir(path):
                if not self._is_excluded(name):
                    yield from self._submodule(name, path)
            elif self._is_wanted(name, path):
                yield path

    def _submodule(self, name: str, path: str) -> Iterator[str]:
        # Where nobody has fetched it, git answers for the repository around it, and so for ever.
        is_checkout = os.path.lexists(os.path.join(path, ".git"))
        yield from self._folder(name) if is_checkout else self._tree(name)

    def _tree(self, folder: str) -> Iterator[str]:
        names = [folder]
        while names:
            name = names.pop()
            try:
                entries = list(os.scandir(self._path(name)))
            except OSError:
                self.skip(self._path(name), UNREADABLE)
                continue
            if name != folder and any(entry.name == ".git" for entry in entries):
                yield from self._folder(name)
                continue
            for entry in entries:
                below = f"{name}/{entry.name}" if name else entry.name
                if entry.is_file(follow_symlinks=False):
                    path = self._path(below)
                    if self._is_wanted(below, path):
                        yield path
                elif entry.is_dir(follow_symlinks=False):
                    if self._is_entered(entry.name, below):
                        names.append(below)
                elif entry.is_symlink():
                    self.skip(self._path(below), "links")

    def _is_entered(self, name: str, below: str) -> bool:
        if name in _FOLDERS:
            self.skip(self._path(below), "folders")
            return False
        return not self._is_excluded(below)

    def _path(self, name: str) -> str:
        return name if self.root == "." and name else os.path.join(self.root, name).rstrip("/")

    def _is_excluded(self, name: str) -> bool:
        return self.excluded is not None and self.excluded.fullmatch(name) is not None

    def _is_wanted(self, name: str, path: str) -> bool:
        if self._is_excluded(name):
            return False
        if name.endswith(_ARCHIVES):
            self.skip(path, "archives")
            return False
        if "node_modules/" in name and "node_modules" in name.split("/"):
            self.skip(path[: path.index("node_modules/") + len("node_modules")], "folders")
            return False
        return True


def _known_to_git(folder: str) -> Iterator[tuple[str, str]]:
    """Mode and path of what is tracked, and of what is neither that nor ignored.

    An untracked repository is listed like a submodule.
    """
    root = Path(folder)
    seen = ""
    for entry in os.fsdecode(ask_git(root, "ls-files", "-z", "--stage")).split("\0")[:-1]:
        about, _, name = entry.partition("\t")
        if name != seen:  # a file in the middle of a merge is listed once for each version
            yield about[:6], name
        seen = name
    others = ask_git(root, "ls-files", "-z", "--others", "--exclude-standard")
    for name in os.fsdecode(others).split("\0")[:-1]:
        yield (_SUBMODULE if name.endswith("/") else _UNTRACKED), name.rstrip("/")


def exclusion(globs: Sequence[str]) -> re.Pattern[str] | None:
    """One pattern for all globs, to be held against the whole path below the root.

    A glob fits a file or folder at any depth; `*` fits slashes too.
    """
    import fnmatch

    if not globs:
        return None
    ends = len(fnmatch.translate("")) - len("(?s:)")  # its own anchor, which is in our way
    fits = (fnmatch.translate(glob.strip("/"))[:-ends] for glob in globs)
    return re.compile(f"(?:.*/)?(?:{'|'.join(fits)})(?:/.*)?", re.DOTALL)


def not_by_hand(paths: Iterable[Path]) -> set[Path]:
    """The absolute paths that their repository calls generated or vendored in `.gitattributes`."""
    by_root: dict[Path, list[Path]] = {}
    for path in paths:
        if root := git_root(path.parent):
            by_root.setdefault(root, []).append(path)
    marked: set[Path] = set()
    for root, below in by_root.items():
        data = "\0".join(str(path.relative_to(root)) for path in below)
        asked = ("check-attr", "-z", "--stdin", "linguist-generated", "linguist-vendored")
        try:
            answer = os.fsdecode(ask_git(root, *asked, data=os.fsencode(data))).split("\0")
        except Unsafe:  # as on the way: a broken repository is a folder like any other
            continue
        triples = zip(answer[::3], answer[2::3], strict=False)
        marked |= {root / name for name, value in triples if value in ("set", "true")}
    return marked
