"""What a row of the consumers' table is: files that are fed, a real reader, and sabotage."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from fnmatch import fnmatch
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

if TYPE_CHECKING:
    from pathlib import Path

    from generator.catalog.model import Catalog, Cluster


class Refused(Exception):  # noqa: N818 - says what the consumer does
    """The consumer does not accept what it was fed, or reads something else in it."""


@dataclass
class Tree:
    """All artifacts of one catalog; `fed` grows with what has been taken out of it."""

    name: str
    catalog: Catalog
    files: dict[str, str]
    folder: Path
    fed: set[str] = field(default_factory=set)

    def take(self, path: str) -> str:
        """The text of one artifact, for a consumer."""
        self.fed.add(path)
        if path not in self.files:
            raise Refused(f"there is no {path}")
        return self.files[path]

    def matching(self, pattern: str) -> dict[str, str]:
        """The artifacts whose paths match the pattern, for a consumer; at least one."""
        found = {path: self.take(path) for path in self.files if fnmatch(path, pattern)}
        if not found:
            raise Refused(f"nothing matches {pattern}")
        return found

    def by_cluster(self, path: str) -> list[tuple[Cluster, str]]:
        """The artifact at this path of every cluster."""
        return [
            (cluster, self.take(f"clusters/{cluster.name}/{path}"))
            for cluster in self.catalog.clusters
        ]

    def write(self, path: str, text: str) -> Path:
        """Put a text into the folder of this tree, for programs that read files."""
        target = self.folder / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(text, "utf-8", newline="")
        return target


class Sabotage(NamedTuple):
    """A change that the row must refuse: the first match of a pattern in the files of a suffix."""

    name: str
    suffix: str
    pattern: str
    replacement: str

    def spoil(self, files: dict[str, str]) -> dict[str, str]:
        """The files with the change; raises LookupError where there is nothing to change."""
        for path, text in files.items():
            spoilt = re.sub(self.pattern, self.replacement, text, count=1, flags=re.MULTILINE)
            if path.endswith(self.suffix) and spoilt != text:
                return {**files, path: spoilt}
        raise LookupError(f"the sabotage `{self.name}` changes nothing")


Feed: TypeAlias = Callable[[Tree], str]
"""Feeds a tree to the consumer and returns what it answered; raises Refused or NotInstalled."""


class Row(NamedTuple):
    """One line of the table: a consumer, what feeding it proves, and how it can be made to fail."""

    consumer: str
    proves: str
    feed: Feed
    sabotages: tuple[Sabotage, ...]


def equal(what: str, read: object, meant: object) -> None:
    """Raise Refused unless the consumer has read what was meant."""
    if read != meant:
        raise Refused(f"{what}: read {_short(read)}, meant {_short(meant)}")


def _short(value: object) -> str:
    text = repr(value)
    return text if len(text) <= 300 else text[:300] + "..."
