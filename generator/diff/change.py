"""One change, as people read it, and the few phrases that many changes share."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, NamedTuple

from generator.kubernetes import DRIVER, GENERIC_LABEL, QUOTA_PREFIX
from generator.markdown import span

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from generator.catalog.model import Offering
    from generator.diff.sides import Side

Level = Literal["breaking", "action", "safe", "cosmetic"]
LEVELS: tuple[Level, ...] = ("breaking", "action", "safe", "cosmetic")

UNLIMITED = (
    "A quota that lacks a label's key does not limit that label, so every tenant's quota needs the"
    " key before the label can be had, with 0 where nothing was bought."
)

ANY_GPU = f"the driver's class `{DRIVER}` serves it, and it can take any whole GPU"
"""What is true of the generic label as long as it has no class of its own."""

RECORD = "record evidence: `gpu-catalog cluster check CLUSTER --from DIR --record`"


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


def spelled(setting: str | tuple[str, ...] | None) -> str:
    """A setting as code, or that there is none."""
    if isinstance(setting, tuple):
        return listed(setting) or "none"
    return span(setting) if setting else "none"


def named(name: str) -> str:
    """A name as it reads, or as code where a backtick of it would begin code."""
    return span(name) if "`" in name else name


def on(clusters: Sequence[str] | None) -> str:
    """` on a and b`, or nothing where that is everywhere."""
    return f" on {listed(clusters)}" if clusters else ""


def delete_class(name: str, clusters: Sequence[str]) -> str:
    """How a device class goes from these clusters, or from all."""
    return f"`kubectl delete deviceclass {name}`{on(clusters)}"


def delete_unused(name: str, clusters: Sequence[str], side: Side) -> tuple[str, ...]:
    """How a device class goes from those of the clusters where the side has none of its name."""
    using = side.classes.get(name)
    if using is None:
        return (delete_class(name, clusters),)
    left = [one for one in clusters or side.clusters if one not in using]
    return (delete_class(name, left),) if left else ()


def may_go(key: str) -> tuple[str, ...]:
    """The quota key, if quotas can lose it once the catalog has no such label any more.

    The driver's class has the generic label all the same, for every whole GPU.
    """
    return () if key == QUOTA_PREFIX + GENERIC_LABEL else (key,)


def way_back(key: str, clusters: Sequence[str]) -> str:
    """The way back to a catalog that has the key's label, when quotas may have lost the key."""
    given = f"give the quotas{on(clusters)} `{key}` again, then " if may_go(key) else ""
    return f"{given}revert and publish"


def unsold(one: Offering) -> tuple[str, ...]:
    """What somebody does for a label whose key no tenant gets by Waldur."""
    if one.component:
        return ()
    return (
        f"set `{one.quota_key}` in a quota of your own, for new tenants too: Waldur does not sell"
        f" `{one.label}`",
    )
