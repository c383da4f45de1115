"""The report as Markdown for a pull request, to be read by somebody who was not there."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, TypeVar

from generator.diff.change import LEVELS, enumerated, listed
from generator.diff.wording import drop, give, steps
from generator.markdown import choice, code, prose, span, table

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from generator.diff.change import Change, Level
    from generator.diff.effects import Effects
    from generator.diff.report import Report

    _Value = TypeVar("_Value")

MAX_LENGTH = 60_000
"""Characters; GitHub refuses a comment of more than 65,536."""

_ROWS = 40
"""Labels in the table, and steps at one point of the plan; each change says its own."""
_PIECES = re.compile(
    r"(?<!`)(?P<fence>`+)(?!`).+?(?<!`)(?P=fence)(?!`)"  # code
    r"|[^`\s]+(?: [^`\s]+)*|`"  # words between single blanks
)
_HEADINGS: dict[Level, tuple[str, str, str]] = {
    "breaking": ("Breaks something", "breaks something", "break something"),
    "action": ("Needs somebody to act", "needs somebody to act", "need somebody to act"),
    "safe": ("Safe", "is safe", "are safe"),
    "cosmetic": ("Only reads differently", "only reads differently", "only read differently"),
}
"""A level's heading, and what is said of one change and of several."""


def markdown(report: Report, catalog: str, base: str) -> str:
    """The whole comment; `base` says what the catalog is compared with."""
    parts = [
        f"### GPU catalog: {_counted(report)}",
        f"What this change of {span(catalog)} means, compared with {span(base)}. Merging alone"
        " changes nothing yet: files reach the systems that use them by `gpu-catalog publish`.",
        *_edits(report),
        *_plan(report),
        *(part for level in LEVELS for part in _level(report, level)),
        *_everything(report.total),
    ]
    return "\n\n".join(_bounded(parts)) + "\n"


def _bounded(parts: Iterable[str]) -> Iterator[str]:
    length = 0
    for part in parts:
        length += len(part) + 2
        if length > MAX_LENGTH:
            yield "... and more than a comment holds: `gpu-catalog diff` says it all."
            return
        yield part


def _counted(report: Report) -> str:
    counts = dict.fromkeys(LEVELS, 0)
    for _, change, _ in report.changes:
        counts[change.level] += 1
    words = [
        f"{count:,} {_HEADINGS[level][1 if count == 1 else 2]}"
        for level, count in counts.items()
        if count
    ]
    if not words:
        return "nothing changes for anybody"
    number, _, first = words[0].partition(" ")
    noun = "change" if number == "1" else "changes"
    return ", ".join((f"{number} {noun} {first}", *words[1:]))


def _edits(report: Report) -> Iterator[str]:
    """What people write in their action files from now on."""
    rows = [
        (code(f"gpuLabel: {old}"), choice([f"gpuLabel: {one}" for one in choices]))
        for _, change, _ in report.changes
        for old, choices in change.edits
    ]
    if rows:
        head = ("Where actions say", "they say from now on")
        yield table([head, *_each(rows)[:_ROWS]])


def _plan(report: Report) -> Iterator[str]:
    """One list of what operators do, in the order in which no label is ever free or missing."""
    changes = [change for _, change, _ in report.changes if change.level in ("breaking", "action")]
    before = _each(step for change in changes for step in change.before)
    after = _each(step for change in changes for step in change.after)
    consumers = listed(report.total.consumers) or "the consumers"
    plan = [
        *_quotas(give, ((change.quota_clusters, change.quota_before) for change in changes)),
        *_first(before),
        *([f"merge, and publish to {consumers}"] if report.total.artifacts else ()),
        *([f"restart {enumerated(report.total.services)}"] if report.total.services else ()),
        *_first(after),
        *_quotas(drop, ((change.quota_clusters, change.quota_after) for change in changes)),
    ]
    if changes:
        yield "#### In this order"
        yield "\n".join(f"{number}. {_sentence(step)}" for number, step in enumerate(plan, 1))


def _quotas(
    words: Callable[[Sequence[str], Sequence[str]], str],
    keys: Iterable[tuple[tuple[str, ...], tuple[str, ...]]],
) -> Iterator[str]:
    """What is done with quota keys: a step for the keys of all clusters, and of some."""
    found: dict[tuple[str, ...], list[str]] = {}
    for clusters, some in keys:
        found.setdefault(clusters, []).extend(some)
    yield from (words(_each(some), clusters) for clusters, some in found.items() if some)


def _each(words: Iterable[_Value]) -> list[_Value]:
    return list(dict.fromkeys(words))


def _first(steps: Sequence[str]) -> Iterator[str]:
    yield from steps[:_ROWS]
    if len(steps) > _ROWS:
        yield f"do {len(steps) - _ROWS} more, which the changes say below"


def _sentence(text: str) -> str:
    return f"{_marked(text[:1].upper() + text[1:])}."


def _level(report: Report, level: Level) -> Iterator[str]:
    found = [(change, effects) for _, change, effects in report.changes if change.level == level]
    if found:
        yield f"#### {_HEADINGS[level][0]}"
    if found and level == "cosmetic":
        yield "\n".join(f"- {_sentence(change.title)}" for change, _ in found)
    elif found:
        yield from (_change(*one) for one in found)


def _change(change: Change, effects: Effects) -> str:
    about = f"**{_sentence(change.title)}** {_marked(change.why)}"
    rows = [f"- {when.capitalize()}: {_marked(what)}." for when, what in steps(change, effects)]
    return "\n\n".join(filter(None, (about, "\n".join(rows))))


def _everything(total: Effects) -> Iterator[str]:
    """Every artifact that differs, and every file that a consumer receives anew."""
    rows = [("`generated/`", code(path)) for path in total.artifacts]
    rows += [(code(name), code(file)) for name, files in total.consumers.items() for file in files]
    if rows:
        summary = "<details><summary>Every file that changes, and where</summary>"
        yield "\n\n".join((summary, table([("Where", "File"), *rows]), "</details>"))


def _marked(text: str) -> str:
    """The text with its `code` kept, and everything else as it reads."""
    return _PIECES.sub(lambda match: match[0] if match["fence"] else prose(match[0]), text)
