"""Files in which retired labels were seen, and their findings."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from generator.catalog.source import Source
from generator.findings import Finding
from generator.kubernetes import QUOTA_PREFIX
from generator.scan.doubles import doubled
from generator.scan.reading import sightings
from generator.scan.texts import decode
from generator.scan.verdicts import UNCOUNTED

if TYPE_CHECKING:
    from collections.abc import Sequence

    from generator.scan.labels import Labels
    from generator.scan.reading import Sighting
    from generator.scan.texts import Text

_REASONS = {
    "typo": "a typo",
    "generic": "it names no model",
    "renamed": "it was renamed",
    "withdrawn": "it was withdrawn",
}


class Seen(NamedTuple):
    """A file with retired labels that are worth a word; `text` is None where it is binary."""

    path: str
    data: bytes
    text: Text | None
    sightings: Sequence[Sighting]

    @property
    def sure(self) -> list[Sighting]:
        """The errors that can be put right without asking."""
        return [one for one in self.sightings if is_sure(one)]


def look_into(path: str, data: bytes, labels: Labels) -> Seen | None:
    """What there is to report of a file, or None."""
    text = decode(data)
    if text is None:
        found = labels.hits(data.decode("latin-1"))
        return Seen(path, data, None, ()) if found else None
    seen = list(sightings(path, text.text, labels))
    twice = doubled(text.text, [one.hit for one in seen if is_sure(one)])
    seen = [one._replace(doubled=one.hit in twice) for one in seen]
    return Seen(path, data, text, seen) if seen else None


def is_sure(sighting: Sighting) -> bool:
    """Whether the label is an error, and exactly one label replaces it, once in its mapping.

    A quota that counted nothing would go on so, and one that counts would limit people unasked.
    """
    severity, place = sighting.verdict
    can_be = len(sighting.hit.choices) == 1 and not sighting.doubled and place != UNCOUNTED
    return severity == "error" and can_be


def findings(seen: Seen, kept_back: str) -> list[Finding]:
    """The findings of a file; `kept_back` says why `--fix` must leave it as it is, or is empty."""
    if seen.text is None:
        message = "a retired label stands in this binary file"
        hint = "make it anew from its source, once that is in order"
        return [Finding("GC703", "warning", seen.path, None, None, message, hint)]
    source = Source(seen.path, seen.text.text)
    return [_finding(source, one, kept_back) for one in seen.sightings]


def _finding(source: Source, sighting: Sighting, kept_back: str) -> Finding:
    hit, (severity, place), owner, _ = sighting
    where = f"{place} of {owner.kind} {owner.name}".rstrip() if owner else place
    reason = _REASONS.get(hit.retired.reason, hit.retired.reason)
    message = f"{hit.form} is retired ({reason}), and stands in {where}"
    hint = _hint(sighting) + (
        f"; --fix leaves it: {kept_back}" if is_sure(sighting) and kept_back else ""
    )
    return source.at(hit.start, _code(sighting), message, hint, severity)


def _code(sighting: Sighting) -> str:
    if sighting.verdict.severity == "error":
        return "GC701" if is_sure(sighting) else "GC702"
    return "GC703" if sighting.verdict.severity == "warning" else "GC704"


def _hint(sighting: Sighting) -> str:
    hit, choices = sighting.hit, sighting.hit.choices
    if sighting.verdict.place == UNCOUNTED:
        choices = tuple(QUOTA_PREFIX + one.removeprefix(hit.prefix) for one in choices)
    if not choices:
        return "nothing replaces it: take it out"
    if sighting.doubled:
        return f"{choices[0]} would be a key twice in this mapping: merge the two by hand"
    if len(choices) == 1:
        return f"write {choices[0]}"
    return f"write the one that is meant: {', '.join(choices[:-1])} or {choices[-1]}"
