"""Which artifacts, consumers and services a change reaches, told by the rendered artifacts."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from generator.catalog.model import Cluster, Consumer, Offering, RetiredLabel

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from generator.catalog.model import Catalog
    from generator.diff.comparing import Difference

_SERVICES = {
    "/configmap.yaml": ("web", "k8s-root-actor"),
    "/site-agent.yaml.j2": ("the Waldur site agent",),
    "/spawner-vendors.yaml": ("Kubeflow's jupyter-web-app",),
    "web/gpuLabels.ts": ("web",),
}
"""What reads an artifact at its start, by the end of the artifact's path."""
_VALUES = frozenset({"label", "component", "name", "node_selector", "waldur"})
"""Facts of offerings that are told by their own values."""
_SCHEDULED = frozenset({"products", "expression", "mig_profile"})
"""Facts of a class's expression."""

_STARTS = re.compile(r"(?:\A|[^\w.-])(?:requests\.|limits\.)?\Z")
_ENDS = re.compile(r"(?![\w-]|\.(?!yaml)\w)")
_NEAR = len(" requests.")


class Effects(NamedTuple):
    """What a change reaches: artifacts, files of consumers by the consumer's name, services."""

    artifacts: tuple[str, ...]
    consumers: Mapping[str, tuple[str, ...]]
    services: tuple[str, ...]


def changed(old: Mapping[str, str], new: Mapping[str, str]) -> dict[str, str]:
    """The artifacts that differ, by path, each with the lines that only one rendering has."""
    found: dict[str, str] = {}
    for path in sorted({*old, *new}):
        if old.get(path) != new.get(path):
            lines = {*old.get(path, "").split("\n")} ^ {*new.get(path, "").split("\n")}
            found[path] = "\n".join(sorted(lines))
    return found


def reached(fact: Difference, artifacts: Mapping[str, str]) -> list[str]:
    """The artifacts, as `changed` gives them, whose changed lines or path speak of the fact."""
    if fact.aspect == "order":
        return [path for path, lines in artifacts.items() if not lines]
    words = [word for word in dict.fromkeys(_words(fact)) if word]
    return [
        path
        for path, lines in artifacts.items()
        if _is_there(path, fact.clusters)
        and any(word in path or _is_spoken(word, lines) for word in words)
    ]


def _is_spoken(word: str, lines: str) -> bool:
    """Whether the word stands by itself or as a quota key, and not as a part of a longer name."""
    at = lines.find(word)
    while at >= 0:
        end = at + len(word)
        if _STARTS.search(lines, max(0, at - _NEAR), at) and _ENDS.match(lines, end):
            return True
        at = lines.find(word, end)
    return False


def _is_there(path: str, clusters: tuple[str, ...] | None) -> bool:
    """Whether the artifact is one of these clusters, or of none."""
    folder, _, below = path.partition("/")
    return clusters is None or folder != "clusters" or below.partition("/")[0] in clusters


def _words(fact: Difference) -> Iterator[str]:
    """What the lines say that change with the fact: its values, or the names of its subject."""
    if fact.aspect == "device_plugin":
        yield from ("devicePlugin", "device-plugin", "device plugin")
    elif fact.aspect in ("products", "expression"):
        yield from _names(fact.old.device_class, fact.new.device_class)
    elif fact.aspect in _VALUES or (
        isinstance(fact.new or fact.old, Cluster) and fact.before != fact.after
    ):
        yield from _texts([fact.before, fact.after])
    else:
        yield from _names(fact.old, fact.new)


def _names(*subjects: object) -> Iterator[str]:
    for one in subjects:
        if isinstance(one, Offering):
            yield from (one.label, one.component or "", one.name)
            yield from _names(one.device_class)
        elif isinstance(one, RetiredLabel):
            yield one.label
        elif one is not None:
            yield one.name  # type: ignore[attr-defined] # a class, a cluster or a consumer


def _texts(values: Iterable[object]) -> Iterator[str]:
    """Every text in nested values; a mapping's and a selector's keys say little."""
    for one in values:
        if isinstance(one, dict):
            yield from _texts(one.values())
        elif isinstance(one, list | tuple):
            yield from _texts(one)
        elif one is not None:
            yield str(one)


def effects(
    artifacts: Sequence[str], catalogs: Iterable[Catalog], facts: Iterable[Difference]
) -> Effects:
    """What is reached through these artifacts when these facts change."""
    consumers: dict[str, dict[str, None]] = {}
    for consumer in (one for catalog in catalogs for one in catalog.consumers):
        for to in _received(consumer, artifacts):
            consumers.setdefault(consumer.name, {})[to] = None
    services = [
        service
        for end, names in _SERVICES.items()
        if any(path.endswith(end) for path in artifacts)
        for service in names
    ]
    services += ["kube-scheduler"] if any(map(_is_scheduled, facts)) else []
    files = {name: tuple(tos) for name, tos in consumers.items()}
    return Effects(tuple(artifacts), files, tuple(dict.fromkeys(services)))


def _is_scheduled(fact: Difference) -> bool:
    """Whether a class changes in place: kube-scheduler may go on using it as it was."""
    if fact.aspect == "label":
        was, now = fact.old.device_class, fact.new.device_class
        return bool(was and now and was.name == now.name)
    return fact.aspect in _SCHEDULED


def _received(consumer: Consumer, artifacts: Sequence[str]) -> Iterator[str]:
    """Where a consumer has these artifacts."""
    for placement in consumer.files:
        for path in artifacts:
            if path == placement.artifact:
                yield placement.to
            elif placement.artifact.endswith("/") and path.startswith(placement.artifact):
                yield placement.to + path.removeprefix(placement.artifact)
