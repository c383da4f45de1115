"""One change, as people read it, and the few phrases that many changes share."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, NamedTuple

from generator.markdown import span

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

Level = Literal["breaking", "action", "safe", "cosmetic"]
LEVELS: tuple[Level, ...] = ("breaking", "action", "safe", "cosmetic")

UNLIMITED = (
    "A quota that lacks a label's key does not limit that label, so every tenant's quota needs the"
    " key before the label can be had, with 0 where nothing was bought."
)

RECORD = "record evidence anew: `gpu-catalog cluster check CLUSTER --from DIR --record`"


class Change(NamedTuple):
    """What a difference means.

    `edits` are labels in people's action files with what to write instead, one of several, or
    nothing. `before` and `after` are what operators do before and after the new files are
    published; quota keys are given to every tenant before, and taken away after, on the clusters
    that `quota_clusters` names, or on all.
    """

    level: Level
    code: str
    title: str
    why: str
    edits: tuple[tuple[str, tuple[str, ...]], ...] = ()
    quota_before: tuple[str, ...] = ()
    quota_after: tuple[str, ...] = ()
    quota_clusters: tuple[str, ...] = ()
    before: tuple[str, ...] = ()
    after: tuple[str, ...] = ()
    rollback: str = "revert and publish"


def listed(words: Iterable[str], last: str = "and") -> str:
    """`a`, `b` and `c`, each as code."""
    return enumerated([span(word) for word in words], last)


def shortened(words: Sequence[str], shown: int) -> str:
    """The first of the words as `listed` has them, and how many more there are."""
    if len(words) <= shown:
        return listed(words)
    return enumerated([*map(span, words[:shown]), f"{len(words) - shown} more"])


def enumerated(words: Sequence[str], last: str = "and") -> str:
    """The words as a sentence lists them: a, b and c."""
    return f" {last} ".join(filter(None, (", ".join(words[:-1]), *words[-1:])))


def on(clusters: Sequence[str] | None) -> str:
    """` on a and b`, or nothing where that is everywhere."""
    return f" on {listed(clusters)}" if clusters else ""


def delete_class(name: str, clusters: Sequence[str]) -> str:
    """How a device class goes from these clusters, or from all."""
    return f"`kubectl delete deviceclass {name}`{on(clusters)}"
