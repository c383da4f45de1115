"""A project: a catalog, the evidence of its clusters, and the artifacts made from both."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from generator import files
from generator.catalog import reader
from generator.catalog.evidence import Evidence, read_evidence
from generator.findings import Invalid
from generator.kubernetes import MAX_ENVIRONMENT_BYTES
from generator.words import Nearest

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence
    from pathlib import Path

    from generator.catalog.model import Catalog, Cluster
    from generator.catalog.source import Source
    from generator.findings import Finding
    from generator.targets import Artifact, Artifacts


@dataclass(frozen=True, slots=True)
class Project:
    """A valid catalog with its source (for positions), its evidence and its warnings."""

    path: Path
    catalog: Catalog
    source: Source
    evidence: Mapping[str, Evidence]
    warnings: Sequence[Finding]

    def artifacts(self) -> Artifacts:
        """Every artifact by its path, with its target's name; rendered anew at each call.

        Raises Invalid for what only the artifacts show: a document too large for its readers, or
        a consumer's artifact that is not made.
        """
        from generator.rendering import renderer
        from generator.targets import TARGETS

        render = renderer(self.path.name)
        made: dict[str, tuple[str, Artifact]] = {}
        for target, artifacts in TARGETS.items():
            for artifact in artifacts(self.catalog, self.evidence, render):
                if made.setdefault(artifact.path, (target, artifact))[1] is not artifact:
                    raise ValueError(f"two artifacts are called {artifact.path}")
        refusals = [*self._too_large(made), *self._not_made(made)]
        if refusals:
            raise Invalid(*refusals)
        return made

    def _too_large(self, made: Artifacts) -> Iterator[Finding]:
        """The `gpu_labels` document becomes one environment variable."""
        for index, cluster in enumerate(self.catalog.clusters):
            _, artifact = made[f"clusters/{cluster.name}/configmap.yaml"]
            if len(artifact.text.encode()) <= MAX_ENVIRONMENT_BYTES:  # its headers are longer
                continue
            document = gpu_labels_document(made, cluster)
            size = len(f"{cluster.config_map_key}={document}".encode())
            if size > MAX_ENVIRONMENT_BYTES:
                message = f"the gpu_labels document has {size} bytes with its variable's name"
                hint = f"Linux takes {MAX_ENVIRONMENT_BYTES} at most: list fewer offerings"
                yield self.source.finding("GC215", ("clusters", index), message, hint)

    def _not_made(self, made: Artifacts) -> Iterator[Finding]:
        nearest = Nearest()
        for index, consumer in enumerate(self.catalog.consumers):
            for number, placement in enumerate(consumer.files):
                name = placement.artifact
                if name in made or (name.endswith("/") and any(p.startswith(name) for p in made)):
                    continue
                near = nearest(name, list(made))
                hint = f"did you mean `{near}`?" if near else "`gpu-catalog generate` lists them"
                where = ("consumers", index, "files", number, "artifact")
                message = f"no artifact `{name}` is made from this catalog"
                yield self.source.finding("GC219", where, message, hint)


def gpu_labels_document(made: Artifacts, cluster: Cluster) -> str:
    """What the cluster's ConfigMap, as it is generated, holds for web and k8s-root-actor."""
    import yaml

    _, artifact = made[f"clusters/{cluster.name}/configmap.yaml"]
    data = yaml.load(artifact.text, yaml.CSafeLoader)["data"]
    return str(data[cluster.config_map_key])


def open_project(
    path: Path,
    read: Callable[[Path], bytes | None] = files.read_if_exists,
    *,
    missing: str = "name the catalog with --catalog FILE",
) -> Project:
    """Read the catalog and its clusters' evidence through `read`; raises Invalid or Unsafe.

    `missing` is the hint where there is no catalog.
    """
    data = read(path)
    if data is None:
        raise files.unsafe(path, "there is no such file", missing)
    catalog, source, warnings = reader.read(data, str(path))
    evidence = {}
    for index, cluster in enumerate(catalog.clusters):
        kept = path.parent / cluster.evidence
        if kept == path:
            message = f"`{cluster.evidence}` is the catalog itself"
            hint = f"write another, such as evidence/{cluster.name}.yaml"
            raise Invalid(source.finding("GC224", ("clusters", index, "evidence"), message, hint))
        evidence[cluster.name] = read_evidence(read(kept), str(kept))
    return Project(path, catalog, source, evidence, warnings)
