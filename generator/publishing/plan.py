"""The plan for one consumer: every place's state, and the files as they should be. Pure."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Literal, NamedTuple, TypeAlias

from generator import places
from generator.places import whole
from generator.places.placed import Refused
from generator.publishing.record import digest
from generator.rendering import HEADER, HEADER_WITHIN

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from generator.publishing.entries import Entry
    from generator.publishing.record import Record

_BYTE_ORDER_MARK = "\ufeff"

State: TypeAlias = Literal[
    "in step",  # the place holds what it should
    "behind",  # it is as it was last published; the catalog has moved on
    "edited",  # it is not as it was last published: somebody's work
    "unpublished",  # nothing was ever published there, and something else stands there
]


class Text(NamedTuple):
    """A file as text. Bytes that are no UTF-8 are kept as lone surrogates, and written back."""

    mark: str
    text: str

    @classmethod
    def of(cls, data: bytes) -> Text:
        """Split the byte order mark off, which no place ever holds."""
        text = data.decode("utf-8", "surrogateescape")
        mark = _BYTE_ORDER_MARK if text.startswith(_BYTE_ORDER_MARK) else ""
        return cls(mark, text.removeprefix(mark))

    @property
    def data(self) -> bytes:
        """The file's bytes."""
        return (self.mark + self.text).encode("utf-8", "surrogateescape")


class Step(NamedTuple):
    """One place: its state, and its file's text before and after it is filled.

    `before` is None where there is no file, `after` where the file goes. `is_foreign` says that
    the whole of a file would be replaced that does not have our header.
    """

    state: State
    to: str
    place: str
    artifact: str
    before: Text | None
    after: Text | None
    found: str | None
    wanted: str
    lost: tuple[int, ...] = ()
    is_foreign: bool = False


class Refusal(NamedTuple):
    """An entry that cannot be published; `text` is the file's, where the offset counts."""

    entry: Entry
    reason: Refused
    text: str


class Plan(NamedTuple):
    """What publishing does in one checkout; nothing at all where there are refusals."""

    steps: Sequence[Step]
    refusals: Sequence[Refusal]
    record: Record
    leftovers: Sequence[str]

    @property
    def changes(self) -> list[Step]:
        """The places that are out of step."""
        return [step for step in self.steps if step.state != "in step"]

    @property
    def writes(self) -> dict[str, bytes]:
        """Every changed file as it should be."""
        last = {step.to: step.after for step in self.changes}
        return {to: text.data for to, text in last.items() if text is not None}

    @property
    def deletes(self) -> list[str]:
        """Files that are ours and no longer produced."""
        return [step.to for step in self.steps if step.after is None]


def plan(
    entries: Sequence[Entry],
    found: Mapping[str, bytes],
    stale: Iterable[str],
    record: Record | None,
    kept: Record,
) -> Plan:
    """Compare a checkout's files, as they were found, with what the entries want there.

    `stale` are files of published folders that are ours and no longer produced. `record` is
    None where nothing was ever published. `kept` is what other consumers have in the same record.
    """
    texts = {to: Text.of(data) for to, data in found.items()}
    steps, refusals = [], []
    for entry in entries:
        before = texts.get(entry.to)
        try:
            step = _step(entry, before, record)
        except Refused as reason:
            refusals.append(Refusal(entry, reason, before.text if before else ""))
            continue
        steps.append(step)
        if step.after is not None:
            texts[entry.to] = step.after
    if not refusals:
        refusals = list(_contradictions(entries, texts))
    steps += [_removal(to, texts[to], record) for to in stale]
    published = {**kept}
    for step in steps:
        if step.after is not None:
            published[step.to] = {**published.get(step.to, {}), step.place: digest(step.wanted)}
    gone = {step.to for step in steps if step.after is None}
    leftovers = sorted((record or {}).keys() - published.keys() - gone)
    return Plan(steps, refusals, published, leftovers)


def _step(entry: Entry, before: Text | None, record: Record | None) -> Step:
    placement = entry.placement
    placed = places.put(before.text if before else None, placement, entry.text)
    after = Text(before.mark if before else "", placed.text)
    state = "in step" if after == before else _state(entry.to, entry.place, placed.found, record)
    is_whole = placement.region is None and placement.at is None
    is_foreign = is_whole and state != "in step" and before is not None and not is_ours(before.text)
    details = placement.artifact, before, after, placed.found, placed.wanted, placed.lost
    return Step(state, entry.to, entry.place, *details, is_foreign)


def _removal(to: str, before: Text, record: Record | None) -> Step:
    found = whole.put(before.text, "").found
    return Step(_state(to, "file", found, record), to, "file", "", before, None, found, "")


def _state(to: str, place: str, found: str | None, record: Record | None) -> State:
    if record is None or (found is not None and place not in record.get(to, {})):
        return "unpublished"
    recorded = record.get(to, {}).get(place)  # never published, it was not there
    return "behind" if recorded == (None if found is None else digest(found)) else "edited"


def is_ours(text: str) -> bool:
    """Whether a file starts with the header of a generated one."""
    return HEADER in text[:HEADER_WITHIN]


def _contradictions(entries: Sequence[Entry], texts: Mapping[str, Text]) -> Iterator[Refusal]:
    """Entries that undo each other's work in one file: published again, it would change again."""
    files = Counter(entry.to for entry in entries)
    for entry in entries:
        if files[entry.to] > 1:
            text = texts[entry.to].text
            if _again(entry, text) != text:
                message = f"another entry for this file undoes the {entry.place}"
                hint = "give the entries places that do not overlap"
                yield Refusal(entry, Refused("GC419", message, hint), text)


def missed(entries: Sequence[Entry], found: Mapping[str, bytes]) -> set[str]:
    """The files in which the place of an entry does not hold what it should."""
    texts = {to: Text.of(data).text for to, data in found.items()}
    return {
        entry.to for entry in entries if _again(entry, texts.get(entry.to)) != texts.get(entry.to)
    }


def _again(entry: Entry, text: str | None) -> str:
    try:
        return places.put(text, entry.placement, entry.text).text
    except Refused:
        return ""
