"""A publication: one consumer's checkout with what stands there and what is to stand there."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from generator import files
from generator.findings import Finding
from generator.publishing import checkout, entries, plan, record

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from pathlib import Path

    from generator.catalog.model import Catalog, Consumer
    from generator.publishing.entries import Entry
    from generator.targets import Artifacts


class Publication(NamedTuple):
    """What publishing does in one checkout, and all that it needs to undo it."""

    root: Path
    entries: Sequence[Entry]
    found: Mapping[str, bytes]
    plan: plan.Plan
    unreadable: record.Unreadable | None

    @property
    def changed(self) -> dict[str, bytes | None]:
        """Every file that changes, as it will be, the record too; None where it is deleted."""
        changed = {**dict.fromkeys(self.plan.deletes), **self.plan.writes}
        kept = record.write(self.plan.record)
        if self.found.get(record.RECORD) != kept:
            changed[record.RECORD] = kept
        return changed

    @property
    def paths(self) -> list[str]:
        """Every file that is published, changed or not."""
        return [
            *dict.fromkeys([entry.to for entry in self.entries]),
            *self.plan.deletes,
            record.RECORD,
        ]

    def write(self) -> None:
        """Make the checkout's files what they should be, all or nothing; raises Unsafe."""
        self._carry_out(self.changed)

    def put_back(self) -> None:
        """Undo `write`."""
        self._carry_out({path: self.found.get(path) for path in self.changed})

    def _carry_out(self, changed: Mapping[str, bytes | None]) -> None:
        writes = {path: data for path, data in changed.items() if data is not None}
        deletes = [path for path, data in changed.items() if data is None]
        files.replace_all(self.root, writes, deletes, last=record.RECORD)

    def rewritten(self) -> Iterator[Finding]:
        """What the consumer's own hooks made of the files when they were committed."""
        for path, data in self.changed.items():
            if files.read_if_exists(self.root / path) != data:
                message = "was changed by a hook of the checkout when it was committed"
                hint = "exclude the file from its formatter, else `--check` finds an edit"
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
    found = checkout.read(root, [*produced, record.RECORD])
    stale = {
        path: data
        for folder in entries.folders(consumer)
        for path, data in checkout.ours_in(root, folder).items()
        if path not in produced and not entries.is_claimed(catalog, consumer, path, "file")
    }
    published, unreadable = _record(found)
    kept = {
        to: shared
        for to, places in (published or {}).items()
        if (shared := _claimed(catalog, consumer, to, places))
    }
    planned = plan.plan(wanted, found | stale, sorted(stale), published, kept)
    return Publication(root, wanted, found | stale, planned, unreadable)


def _record(found: Mapping[str, bytes]) -> tuple[record.Record | None, record.Unreadable | None]:
    if record.RECORD not in found:
        return None, None
    try:
        return record.parse(plan.Text.of(found[record.RECORD]).text), None
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
