"""The verdict on a spot: whether a label does its work there, or only looks alike."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from generator.kubernetes import DRIVER_CLASSES, QUOTA_PREFIX

if TYPE_CHECKING:
    from generator.findings import Severity
    from generator.scan.labels import Hit
    from generator.scan.spots import Spot


class Verdict(NamedTuple):
    """What a label at a spot is: an error at a known place, a note in prose, else a warning."""

    severity: Severity
    place: str


UNCOUNTED = "a quota key that counts nothing"
"""Of an extended resource Kubernetes counts `requests.` alone."""

_LABEL_FIELDS = frozenset({"gpuLabel", "limitsKey", "vendor", "k8s_resource"})
_QUOTA_MAPS = frozenset({"component_quota_mapping", "themelio_gpu_quota_mapping"})
_LABEL_KEYS = {
    "requests": "`resources.requests`",
    "limits": "`resources.limits`",
    "hard": UNCOUNTED,
    "gpu_labels": "the keys of `gpu_labels`",
    "themelio_gpu_labels": "the keys of `themelio_gpu_labels`",
}

_NODE_LABELS = frozenset(
    {"annotations", "labels", "matchLabels", "nodeLabels", "nodeSelector", "node_labels"}
    | {"node_selector", "selector"}
)
"""Maps whose keys are labels of nodes or pods, which no quota and no scheduler counts."""
_NODE_PATH = re.compile(rf"\b(?:{'|'.join(sorted(_NODE_LABELS))})[./]\Z")
"""The same as a step of a path."""
_NODE_VALUES = frozenset({"true", "false", "present", "yes", "no"})
_TAINTS = frozenset({"key", "node_taints", "taints"})
_COPIES = frozenset(
    {"kubectl.kubernetes.io/last-applied-configuration", "managedFields", "retired_labels"}
)
"""What only repeats something else, or is a catalog."""

_EFFECT = r"(?:NoSchedule|PreferNoSchedule|NoExecute)\b"
_ALIKE_AFTER = re.compile(rf"=[\"']?[A-Za-z]|(?:=[^\s:,]*)?:{_EFFECT}")
"""A taint, or a node label or CDI device with its value: a resource is counted by a number."""
_ALIKE_BEFORE = re.compile(
    r"""(?ix) (?: \bkubectl \s+ (?: taint | label | annotate ) \b [^|;&]*
          | (?: \s | \A | ["'] ) (?: --device | --selector | --node-selector | -l ) [=\s] ["']?
          | (?: \A | [^a-z0-9_] ) key ["']? (?: :\s* | = ) ["'`]?
          | [a-z0-9_]* (?: taint | toleration ) [a-z0-9_]* ["']? \s* :?=? \s* ["'`]?
        ) \Z"""
)
_ASSIGNED_KEY = re.compile(r"""\bkey\s*=\s*["']?\Z""")
"""A taint's key in HCL; in other languages that is a variable, which may hold anything."""
_NEAR = 300
_ZERO = re.compile(r"""["'`]?(?:,?\s*["']?value["']?)?\s*[:=]\s*["']?0["']?(?![\w.])""")
"""A 0 for a key, or for the path of a JSON patch."""


def verdict(hit: Hit, spot: Spot) -> Verdict | None:
    """What to report of a label at a spot; None where it only looks alike."""
    if _is_copy(spot) or _is_alike(hit, spot):
        return None
    place = _place(hit, spot)
    if place and not hit.escaped:
        return Verdict("error", place)
    if spot.role == "comment":
        return Verdict("note", "a comment")
    if spot.is_word and spot.role == "text":
        return Verdict("note", "prose")
    unknown = "a path or a pattern" if hit.escaped else "a place that scan does not know"
    return Verdict("warning", unknown)


def looks_alike(hit: Hit, before: str, after: str, *, code: bool) -> bool:
    """Whether the line around a label says that it is a taint, a node's label or a guard of 0.

    `code` is Python, Go or TypeScript, where `key =` says nothing.
    """
    if hit.prefix:
        return _ZERO.match(after) is not None
    near = before[-_NEAR:]
    if hit.escaped and _NODE_PATH.search(near):
        return True
    if _ALIKE_AFTER.match(after) or _ALIKE_BEFORE.search(near):
        return True
    return not code and _ASSIGNED_KEY.search(near) is not None


def _is_copy(spot: Spot) -> bool:
    """Whether the spot repeats another one: an object's status, what kubectl keeps, a catalog."""
    in_status = spot.owner is not None and spot.path[:1] == ("status",)
    return in_status or not _COPIES.isdisjoint(spot.path)


def _is_alike(hit: Hit, spot: Spot) -> bool:
    parent = spot.path[-1] if spot.path else ""
    if spot.role == "key" and (hit.prefix or parent == "hard"):
        return spot.value == "0"
    if spot.role == "key":
        return parent in _NODE_LABELS or spot.value in _NODE_VALUES
    if spot.role == "string":
        return not hit.prefix and spot.value in _NODE_VALUES
    by_driver = (
        parent == "extendedResourceName" and spot.owner and spot.owner.name in DRIVER_CLASSES
    )
    return spot.role in ("value", "item") and (parent in _TAINTS or bool(by_driver))


def _place(hit: Hit, spot: Spot) -> str | None:
    parent = spot.path[-1] if spot.path else ""
    if spot.role == "string":
        return "a string"
    if spot.role not in ("key", "value", "item"):
        return None
    if hit.prefix:
        return UNCOUNTED if spot.role == "key" and hit.prefix != QUOTA_PREFIX else "a quota key"
    if spot.role == "key":
        return _LABEL_KEYS.get(parent)
    if spot.role == "value" and parent in _LABEL_FIELDS:
        return f"`{parent}`"
    return "a quota mapping" if not _QUOTA_MAPS.isdisjoint(spot.path) else None
