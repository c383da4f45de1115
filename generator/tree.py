"""The generated tree: what drifts, what would be written, and the manifest. Pure.

The verdict comes from comparing every file with a full render; the manifest, which holds the hash
of each file as it was last generated, only tells whose work a difference is.
"""

from __future__ import annotations

import hashlib
import re
from json.encoder import encode_basestring_ascii
from typing import TYPE_CHECKING, Literal, NamedTuple, TypeAlias

from generator.files import is_temporary
from generator.rendering import HEADER, HEADER_WITHIN

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from generator.targets import Artifacts

    Entries: TypeAlias = Mapping[str, tuple[str, str]]

MANIFEST = "manifest.json"

Kind: TypeAlias = Literal[
    "missing",  # the catalog makes it, and it is not there
    "outdated",  # it is as it was generated once; the catalog or a template has moved on
    "edited",  # it is not as it was generated: somebody's work
    "line endings",  # it differs in its line endings only
    "stale",  # nothing makes it any more
    "edited stale",  # nothing makes it any more, and it is somebody's work
    "unreadable",  # the manifest, when it cannot be read
    "foreign",  # it never was ours
    "left behind",  # a temporary file of a killed run
]

_WRITTEN = {"missing", "outdated", "edited", "line endings", "unreadable"}
_DELETED = {"stale", "left behind"}
_CONFLICT = re.compile(rb"^(?:<{7}|\|{7}|={7}|>{7})(?: |$)", re.MULTILINE)
_HASH = re.compile(r"[0-9a-f]{64}")


class Drift(NamedTuple):
    """One file that is not as it should be, by its path below the output folder."""

    kind: Kind
    path: str


class Plan(NamedTuple):
    """How a tree differs from the files that it should hold, by their paths.

    `unproven` are those that our header alone makes ours: somebody may have edited them.
    """

    drifts: Sequence[Drift]
    wanted: Mapping[str, bytes]
    found: Mapping[str, bytes]
    unproven: frozenset[str] = frozenset()

    @property
    def writes(self) -> dict[str, bytes]:
        """What has to be written."""
        return {drift.path: self.wanted[drift.path] for drift in self.drifts_of(_WRITTEN)}

    @property
    def deletes(self) -> list[str]:
        """What has to be deleted: nobody's work."""
        return [drift.path for drift in self.drifts_of(_DELETED)]

    def drifts_of(self, kinds: set[str]) -> list[Drift]:
        """The drifts of these kinds."""
        return [drift for drift in self.drifts if drift.kind in kinds]


class Unreadable(Exception):  # noqa: N818 - says what the manifest is
    """The manifest is none, at `offset` of its bytes."""

    def __init__(self, message: str, offset: int = 0) -> None:
        super().__init__(message)
        self.offset = offset


def plan(artifacts: Artifacts, found: Mapping[str, bytes]) -> Plan:
    """Compare the files that a tree holds with the artifacts that it should hold."""
    wanted, entries = {}, {}
    for path, (target, artifact) in artifacts.items():
        wanted[path] = data = artifact.text.encode()
        entries[path] = target, hashlib.sha256(data).hexdigest()
    wanted[MANIFEST] = manifest(entries)
    if wanted == found:
        return Plan((), wanted, found)
    return _plan(wanted, found, entries)


def _plan(wanted: dict[str, bytes], found: Mapping[str, bytes], made: Entries) -> Plan:
    try:
        owned = entries_of(found[MANIFEST]) if MANIFEST in found else None
        fault: Kind = "missing" if owned is None else "outdated"
    except Unreadable:
        owned, fault = None, "unreadable"
    drifts = [
        Drift(_kind(path, wanted.get(path), found.get(path), owned), path)
        for path in sorted((wanted.keys() | found.keys()) - {MANIFEST})
        if wanted.get(path) != found.get(path)
    ]
    unproven = {
        path
        for kind, path in drifts
        if kind in ("outdated", "stale")
        and path not in (owned or {})
        # A merge has left both sides in it, and they are in git.
        and not _CONFLICT.search(found[path])
    }
    kept = {path: owned[path] for kind, path in drifts if owned and kind == "edited stale"}
    wanted[MANIFEST] = manifest({**made, **kept})
    if wanted[MANIFEST] != found.get(MANIFEST):
        drifts.append(Drift(fault, MANIFEST))
    return Plan(drifts, wanted, found, frozenset(unproven))


def _kind(path: str, wanted: bytes | None, found: bytes | None, owned: Entries | None) -> Kind:
    if is_temporary(path):
        return "left behind"
    if found is None:
        return "missing"
    if wanted is None:
        return _kind_of_unwanted(path, found, owned)
    if with_line_feeds(found) == wanted:
        return "line endings"
    return "outdated" if _is_as_generated(path, found, owned) else "edited"


def _kind_of_unwanted(path: str, found: bytes, owned: Entries | None) -> Kind:
    as_generated = _is_as_generated(path, found, owned)
    if owned is None:  # then the header alone tells what is ours
        return "stale" if as_generated else "foreign"
    if path not in owned:
        return "foreign"
    return "stale" if as_generated else "edited stale"


def _is_as_generated(path: str, found: bytes, owned: Entries | None) -> bool:
    if owned is None or path not in owned:
        return HEADER.encode() in found[:HEADER_WITHIN]
    digests = {hashlib.sha256(data).hexdigest() for data in (found, with_line_feeds(found))}
    return owned[path][1] in digests


def with_line_feeds(data: bytes) -> bytes:
    """The bytes with every line ending as it is generated."""
    return data.replace(b"\r\n", b"\n")


def manifest(entries: Entries) -> bytes:
    """The bytes of the manifest: sorted, and nothing in it but what the files are."""
    quoted = encode_basestring_ascii
    lines = [
        f'  {quoted(path)}: {{\n    "target": {quoted(target)},\n    "sha256": "{digest}"\n  }}'
        for path, (target, digest) in sorted(entries.items())
    ]
    return ("{\n" + ",\n".join(lines) + "\n}\n").encode()


def entries_of(data: bytes) -> dict[str, tuple[str, str]]:
    """The target and hash of each file that a manifest names; raises Unreadable."""
    import json

    conflict = _CONFLICT.search(data)
    if conflict:
        raise Unreadable("holds conflict markers", conflict.start())
    try:
        content = json.loads(data)
        return {path: _entry(**entry) for path, entry in content.items()}
    except json.JSONDecodeError as error:
        start = len(error.doc[: error.pos].encode())
        raise Unreadable(f"is not JSON: {error.msg}", start) from error
    except (ValueError, TypeError, AttributeError, RecursionError) as error:
        raise Unreadable("does not map paths to a target and a sha256") from error


def _entry(target: str, sha256: str) -> tuple[str, str]:
    if not isinstance(target, str) or not _HASH.fullmatch(sha256):
        raise ValueError(target, sha256)
    return target, sha256
