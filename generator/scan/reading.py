"""What a scan sees in one file: every retired label that is worth a word."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from generator.scan import code, documents
from generator.scan.outline import rest_of_line, spot_in, start_of_line
from generator.scan.spots import Spot, unquoted
from generator.scan.verdicts import Verdict, looks_alike, verdict

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from generator.scan.labels import Hit, Labels
    from generator.scan.spots import Owner

IGNORE = "gpu-catalog: ignore"
"""A line that holds this is passed over."""

_KINDS = {
    **dict.fromkeys(("yaml", "yml", "json", "jsonc", "json5", "ipynb"), "document"),
    **dict.fromkeys(("j2", "jinja", "jinja2", "tpl", "tmpl", "gotmpl", "html", "xml"), "template"),
    **dict.fromkeys(("md", "markdown", "mdx", "rst", "adoc", "readme", "changelog"), "prose"),
    **dict.fromkeys(("ts", "tsx", "mts", "cts", "typescript", "vue", "svelte"), "typescript"),
    **dict.fromkeys(("js", "jsx", "mjs", "cjs", "javascript"), "typescript"),
    **dict.fromkeys(("py", "pyi", "python"), "python"),
    "go": "go",
    **dict.fromkeys(("txt", "text", "plaintext"), "plain"),
}
"""Kinds of text by the end of a file's name, or by what a fenced example calls itself."""

_FENCE = re.compile(r"^[ \t>]*(```+|~~~+)[ \t{.]*([\w+-]*)[^\n`]*$", re.MULTILINE)
_OBJECT = re.compile(r"""^[ \t-]*["']?apiVersion["']?:""", re.MULTILINE)
_HEAD = 1000
_NEXT_LINE = 100
"""Characters after the end of a line in which the value of a JSON patch stands."""
_ASSIGNED = re.compile(r"([A-Za-z_][A-Za-z0-9_]*)\s*=\s*\Z")
_COMMENT_STARTS = ("//", "/*", "*", "--", ";", "<!--")
_RETIRED_REGION = re.compile(
    r"BEGIN gpu-catalog gpu-labels-retired.*?(?:END gpu-catalog gpu-labels-retired|\Z)", re.DOTALL
)


class Sighting(NamedTuple):
    """One retired label that is worth a word, and in which object of a cluster it stands.

    `doubled` says that its replacement would be a key which the mapping around it has already.
    """

    hit: Hit
    verdict: Verdict
    owner: Owner | None
    doubled: bool = False


def sightings(name: str, text: str, labels: Labels) -> Iterator[Sighting]:
    """What to report of a file's text, given its name."""
    hits = labels.hits(text)
    if not hits:
        return
    kind = _KINDS.get(name.rpartition("/")[2].rpartition(".")[2].lower(), "other")
    if kind in ("other", "plain") and _OBJECT.search(text[:_HEAD]):
        kind = "document"
    ours = [match.span() for match in _RETIRED_REGION.finditer(text)]
    wanted = [
        hit
        for hit in hits
        if not _is_passed_over(text, hit, language=kind in code.LANGUAGES)
        and not any(start <= hit.start < end for start, end in ours)
    ]
    for hit, spot in zip(wanted, _spots(kind, text, wanted), strict=True):
        if seen := verdict(hit, spot):
            yield Sighting(labels.given_to(text, hit, spot.path), seen, spot.owner)


def _is_passed_over(text: str, hit: Hit, *, language: bool) -> bool:
    before, after = start_of_line(text, hit.start), rest_of_line(text, hit.end)
    if IGNORE in before or IGNORE in after:
        return True
    if hit.escaped:
        after = text[hit.end : hit.end + len(after) + _NEXT_LINE]
    return looks_alike(hit, before, after, code=language)


def _spots(kind: str, text: str, hits: Sequence[Hit]) -> list[Spot]:
    if kind == "document":
        return documents.spots(text, hits)
    if kind in code.LANGUAGES:
        return code.spots(kind, text, hits)
    if kind == "prose":
        return _in_prose(text, hits)
    if kind == "plain":
        return [Spot("text", is_word=True) for _ in hits]
    found = [spot_in(text, hit) for hit in hits]
    if kind == "template":
        return found
    return [_unsure(text, hit, spot) for hit, spot in zip(hits, found, strict=True)]


def _unsure(text: str, hit: Hit, spot: Spot) -> Spot:
    """In a language that scan does not know, comments and assignments are still what they are."""
    if spot.role != "text":
        return spot
    before = start_of_line(text, hit.start)
    if before.lstrip().startswith(_COMMENT_STARTS):
        return Spot("comment")
    before, after, _ = unquoted(before, rest_of_line(text, hit.end))
    assigned = _ASSIGNED.search(before)
    if assigned and not after.strip():
        return Spot("value", (assigned[1],))
    return spot._replace(is_word=False)


def _in_prose(text: str, hits: Sequence[Hit]) -> list[Spot]:
    """Prose, but for its fenced examples: people copy them, so they are read as what they are."""
    found = dict.fromkeys(hits, Spot("text", is_word=True))
    for kind, start, end in _fenced(text):
        inside = [hit for hit in hits if start <= hit.start < end]
        shifted = [hit._replace(start=hit.start - start, end=hit.end - start) for hit in inside]
        found.update(zip(inside, _spots(kind, text[start:end], shifted), strict=True))
    return [found[hit] for hit in hits]


def _fenced(text: str) -> Iterator[tuple[str, int, int]]:
    """Kind, start and end of each fenced example; one without a kind is like a template."""
    opened: re.Match[str] | None = None
    for match in _FENCE.finditer(text):
        if opened is None:
            opened = match
        elif match[1].startswith(opened[1]) and not match[2]:
            kind = _KINDS.get(opened[2].lower(), "other") if opened[2] else "template"
            yield (
                "template" if kind in ("prose", "plain") else kind,
                opened.end() + 1,
                match.start(),
            )
            opened = None
