"""Consumers: what goes where, said without contradiction and inside the checkout."""

from __future__ import annotations

from pathlib import PurePosixPath
from typing import TYPE_CHECKING

from generator.catalog.source import Problem

if TYPE_CHECKING:
    from collections.abc import Iterator

    from generator.catalog.assembly import Data
    from generator.catalog.model import Catalog
    from generator.yamltext import Where

RECORD = ".gpu-catalog.json"
"""What `publish` keeps in the root of each consumer."""


def problems(_catalog: Catalog, content: Data) -> Iterator[Problem]:
    """Places that contradict each other, or that lead out of the checkout."""
    for index, consumer in enumerate(content.get("consumers", ())):
        taken = _Taken()
        for number, placement in enumerate(consumer["files"]):
            where = ("consumers", index, "files", number)
            yield from _contradiction(placement, where)
            yield from _outside(placement, where)
            yield from _shared(placement, where, taken)


def _contradiction(placement: Data, where: Where) -> Iterator[Problem]:
    partial = "region" in placement or "at" in placement
    is_folder = placement["artifact"].endswith("/")
    if "region" in placement and "at" in placement:
        yield _wrong(where, "region", "a place is a region or a pointer, not both", "drop one")
    if "marker" in placement and "region" not in placement:
        message = "`marker` renames the markers of a `region`, which is missing"
        yield _wrong(where, "marker", message, "add the region, or drop the marker")
    if "from" in placement and "at" not in placement:
        message = "`from` goes with `at`, which is missing"
        yield _wrong(where, "from", message, "add `at`, or drop `from`")
    if "at" in placement and placement["to"].endswith(".j2"):
        yield _wrong(where, "at", "a template is no YAML", "reach it by a region")
    if is_folder and partial:
        message = "a folder has no place inside a file"
        yield _wrong(where, "artifact", message, "name one file of the folder")
    if is_folder != placement["to"].endswith("/"):
        message = "a folder goes to a folder, and a file to a file"
        yield _wrong(where, "to", message, "end both `artifact` and `to` in `/`, or neither")


def _outside(placement: Data, where: Where) -> Iterator[Problem]:
    for key in ("artifact", "to"):
        path = placement[key]
        parts = PurePosixPath(path).parts
        git = any(part.lower() == ".git" for part in parts)
        if path.startswith("/") or ".." in parts or "\\" in path or not parts or git:
            hint = "write a relative path without `..`, `\\` and `.git`"
            yield _wrong(where, key, f"`{path}` is not a path inside the folder", hint)
        elif path != (plain := "/".join(parts) + "/" * path.endswith("/")):
            message = f"`{path}` is a second spelling of a path"
            yield _wrong(where, key, message, f"write `{plain}`")
    if str(PurePosixPath(placement["to"])).casefold() == RECORD:
        yield _wrong(where, "to", f"{RECORD} is the record of `publish`", "name another file")


class _Taken:
    """What the entries of a consumer before this one fill, by path."""

    def __init__(self) -> None:
        self.places: dict[str, set[str]] = {}
        self.spellings: dict[str, str] = {}
        self.files: set[str] = set()
        self.above: dict[str, str] = {}  # each folder on the way, with a path that needs it


def _shared(placement: Data, where: Where, taken: _Taken) -> Iterator[Problem]:
    """Several entries may name one file, each with a place of its own."""
    path = str(PurePosixPath(placement["to"]))
    mark = placement.get("marker", placement.get("region"))
    place = f"region {mark}" if mark else f"pointer {placement['at']}" if "at" in placement else ""
    filled = taken.places.setdefault(path, set())
    if place in filled or (filled and "" in {place, *filled}):
        message = f"another entry already fills this place of `{placement['to']}`"
        hint = "entries of one file need a region or a pointer each, every one once"
        yield _wrong(where, "to", message, hint)
    filled.add(place)
    yield from _respelt(path, where, taken)
    yield from _below(path, placement["to"].endswith("/"), where, taken)


def _respelt(path: str, where: Where, taken: _Taken) -> Iterator[Problem]:
    """Disks of macOS and Windows keep one file for both spellings."""
    other = taken.spellings.setdefault(path.casefold(), path)
    if other != path:
        message = f"`{path}` and `{other}` are one file where the disk ignores case"
        yield _wrong(where, "to", message, "spell them alike, or publish to another path")


def _below(path: str, is_folder: bool, where: Where, taken: _Taken) -> Iterator[Problem]:
    """A path that is a file to one entry is no folder to another."""
    parents = [str(parent) for parent in PurePosixPath(path).parents][:-1]
    files = [(parent, path) for parent in parents if parent in taken.files]
    if not is_folder:
        files += [(path, taken.above[path])] if path in taken.above else []
        taken.files.add(path)
    for upper, lower in files:
        message = f"`{upper}` is a file, and `{lower}` stands in a folder of that name"
        yield _wrong(where, "to", message, "publish to another path")
    for parent in parents:
        taken.above.setdefault(parent, path)


def _wrong(where: Where, key: str, message: str, hint: str) -> Problem:
    return Problem("GC225", (*where, key), message, hint)
