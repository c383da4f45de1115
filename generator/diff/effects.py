"""Which artifacts, consumers and services a change reaches, told by the rendered artifacts."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from generator.catalog.model import Cluster, Consumer, Offering, RetiredLabel

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

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
_PATHS = {
    "device_plugin": (
        "rollout/RUNBOOK.md",
        "rollout/gpu-operator-values.yaml",
        "rollout/kubespray/gpu_nodes.yml",
    ),
    "feature_gates": ("rollout/RUNBOOK.md", "rollout/kubespray/k8s_cluster.yml"),
    "guard": ("rollout/quota-guard.yaml",),
    "kubernetes": ("rollout/RUNBOOK.md", "rollout/kubespray/k8s_cluster.yml"),
}
"""Facts of a cluster that are told by the artifacts made of them."""
_SCHEDULED = frozenset({"label", "products", "expression", "mig_profile"})
"""Facts of offerings that stand in a class."""
_FOLDER = "/deviceclasses/"

_STARTS = re.compile(r"(?:\A|[^\w.-])(?:requests\.|limits\.)?\Z")
_ENDS = re.compile(r"(?![\w-]|\.(?!(?:action\.)?yaml)\w)")
_NEAR = len(" requests.")
_ATOM = re.compile(r"[\w-]+")
"""What stands in a text by itself wherever a word with it does."""


class Effects(NamedTuple):
    """What a change reaches: artifacts, files of consumers by the consumer's name, services."""

    artifacts: tuple[str, ...]
    consumers: Mapping[str, tuple[str, ...]]
    services: tuple[str, ...]


class Index:
    """The artifacts that differ, by what their paths and the lines of one rendering alone say.

    Where lines only change places, as when two labels are exchanged, the values of a fact are
    looked for in all of them.
    """

    def __init__(self, old: Mapping[str, str], new: Mapping[str, str]) -> None:
        self.artifacts = [path for path in sorted({*old, *new}) if old.get(path) != new.get(path)]
        lines = {
            path: {*old.get(path, "").split("\n")} ^ {*new.get(path, "").split("\n")}
            for path in self.artifacts
        }
        self._reordered = {path: new[path] for path, some in lines.items() if not some}
        self._lines = [
            (path, line) for path in self.artifacts for line in (path, *sorted(lines[path]))
        ]
        self._by_atom: dict[str, list[int]] = {}
        for number, (_, line) in enumerate(self._lines):
            for atom in {*_ATOM.findall(line)}:
                self._by_atom.setdefault(atom, []).append(number)

    def reached(self, fact: Difference) -> list[str]:
        """The artifacts that speak of the fact."""
        if fact.aspect == "order":
            return [*self._reordered]
        words = {*_words(fact)}
        numbers = {number for word in words for number in self._speaking(word)}
        paths = {self._lines[number][0] for number in numbers}
        if fact.aspect in _VALUES:
            paths |= {
                path
                for path, text in self._reordered.items()
                if any(_is_spoken(word, text) for word in words)
            }
        clusters = _clusters(fact)
        return [path for path in sorted(paths) if _is_there(path, clusters)]

    def _speaking(self, word: str) -> list[int]:
        """The lines in which the word stands: of its atoms the rarest tells where to look."""
        found = [self._by_atom.get(atom, ()) for atom in _ATOM.findall(word)]
        numbers = min(found, key=len, default=())
        return [number for number in numbers if _is_spoken(word, self._lines[number][1])]


def _is_spoken(word: str, line: str) -> bool:
    """Whether the word stands by itself or as a quota key, and not as a part of a longer name."""
    at = line.find(word)
    while at >= 0:
        end = at + len(word)
        if _STARTS.search(line, max(0, at - _NEAR), at) and _ENDS.match(line, end):
            return True
        at = line.find(word, end)
    return False


def _clusters(fact: Difference) -> Collection[str] | None:
    """Where the fact differs; a cluster's own facts are about that cluster alone."""
    names = [one.name for one in (fact.old, fact.new) if isinstance(one, Cluster)]
    return names or fact.clusters


def _is_there(path: str, clusters: Collection[str] | None) -> bool:
    """Whether the artifact is one of these clusters, or of none."""
    folder, _, below = path.partition("/")
    return clusters is None or folder != "clusters" or below.partition("/")[0] in clusters


def _words(fact: Difference) -> Iterator[str]:
    """What the lines say that change with the fact: its values, or the names of its subject."""
    if fact.aspect in _PATHS:
        yield from _PATHS[fact.aspect]
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
    classes = {path.partition(_FOLDER)[2].removesuffix(".yaml") for path in artifacts}
    services += ["kube-scheduler"] if any(_is_scheduled(fact, classes) for fact in facts) else []
    files = {name: tuple(tos) for name, tos in consumers.items()}
    return Effects(tuple(artifacts), files, tuple(dict.fromkeys(services)))


def _is_scheduled(fact: Difference, classes: Collection[str]) -> bool:
    """Whether one of these classes changes in place: kube-scheduler may go on using the old one."""
    if fact.aspect not in _SCHEDULED:
        return False
    was, now = fact.old.device_class, fact.new.device_class
    return bool(was and now and was.name == now.name and now.name in classes)


def _received(consumer: Consumer, artifacts: Sequence[str]) -> Iterator[str]:
    """Where a consumer has these artifacts."""
    for placement in consumer.files:
        for path in artifacts:
            if path == placement.artifact:
                yield placement.to
            elif placement.artifact.endswith("/") and path.startswith(placement.artifact):
                yield placement.to + path.removeprefix(placement.artifact)
