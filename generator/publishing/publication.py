"""A publication: one consumer's checkout with what stands there and what is to stand there."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, NamedTuple

from generator import files
from generator.findings import Finding
from generator.publishing import checkout, committing, entries, plan, record

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from pathlib import Path

    from generator.catalog.model import Catalog, Consumer
    from generator.publishing.entries import Entry
    from generator.targets import Artifacts


class Publication(NamedTuple):
    """What publishing does in one checkout.

    `published` is the record of what was published there before, None where nothing is known of it.
    """

    root: Path
    entries: Sequence[Entry]
    found: Mapping[str, bytes]
    plan: plan.Plan
    published: record.Record | None
    unreadable: record.Unreadable | None

    @property
    def changed(self) -> dict[str, bytes | None]:
        """Every file that changes, as it will be, the record too; None where it is deleted."""
        changed = {**dict.fromkeys(self.plan.deletes), **self.plan.writes}
        if self.published != self.plan.record:  # in whatever layout: formatters have a say in it
            changed[record.RECORD] = record.write(self.plan.record)
        return changed

    @property
    def paths(self) -> list[str]:
        """Every file that is published, changed or not."""
        return [
            *dict.fromkeys([entry.to for entry in self.entries]),
            *self.plan.deletes,
            record.RECORD,
        ]

    def write(self) -> files.Replaced:
        """Make the checkout's files what they should be, all or nothing; raises Unsafe."""
        files.remove_left_behind({(self.root / path).parent for path in self.paths})
        changed = self.changed
        writes = {path: data for path, data in changed.items() if data is not None}
        deletes = [path for path, data in changed.items() if data is None]
        return files.replace_all(self.root, writes, deletes, last=record.RECORD)

    def rewritten(self) -> Iterator[Finding]:
        """What the consumer's own hooks made of the commit."""
        changed = self.changed
        now = {path: files.read_if_exists(self.root / path) for path in changed}
        standing = {path: data for path, data in now.items() if data is not None}
        missed = plan.missed([one for one in self.entries if one.to in changed], standing)
        missed |= {path for path in self.plan.deletes if path in standing}
        if record.RECORD in changed and _record(now)[0] != self.plan.record:
            missed.add(record.RECORD)
        for path in sorted(missed):
            message = "was changed by a hook of the checkout when it was committed"
            hint = "exclude the file from its formatter, else `--check` finds an edit"
            yield Finding("GC424", "warning", str(self.root / path), None, None, message, hint)
        for path in sorted(committing.committed(self.root) - changed.keys()):
            message = "was added to the commit by a hook of the checkout"
            hint = "look at it with `git show` before you push it"
            yield Finding("GC424", "warning", str(self.root / path), None, None, message, hint)


def prepare(
    catalog: Catalog,
    consumer: Consumer,
    root: Path,
    artifacts: Artifacts,
) -> Publication:
    """Read a consumer's checkout and plan what to do there; raises Unsafe."""
    wanted = entries.entries(catalog, consumer, artifacts)
    produced = {entry.to for entry in wanted}
    found: dict[str, bytes] = checkout.read(root, [*produced, record.RECORD])
    published, unreadable = _record(found)

    stale = checkout.read(
        root,
        sorted(
            path
            for folder in entries.folders(consumer)
            for path in checkout.ours_in(root, folder)
            if path not in produced and not entries.is_claimed(catalog, consumer, path, "file")
        ),
    )
    kept = {
        to: shared
        for to, places in (published or {}).items()
        if (shared := _claimed(catalog, consumer, to, places))
    }
    planned = plan.plan(wanted, found | stale, stale, published, kept)
    standing = [path for path in planned.leftovers if os.path.lexists(root / path)]
    return Publication(
        root,
        wanted,
        found | stale,
        planned._replace(leftovers=standing),
        published,
        unreadable,
    )


def _record(
    found: Mapping[str, bytes | None],
) -> tuple[record.Record | None, record.Unreadable | None]:
    data = found.get(record.RECORD)
    if data is None:
        return None, None
    try:
        return record.parse(plan.Text.of(data).text), None
    except record.Unreadable as unreadable:
        return None, unreadable


def _claimed(
    catalog: Catalog, consumer: Consumer, to: str, places: Mapping[str, str]
) -> dict[str, str]:
    """What other consumers of the catalog have published in the same file."""
    return {
        place: digest
        for place, digest in places.items()
        if entries.is_claimed(catalog, consumer, to, place)
    }
