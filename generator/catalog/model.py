"""The catalog as frozen values, with everything that is derived and cannot be typed.

The model carries no positions; problems name a path such as `("offerings", 3, "label")`.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

from generator.kubernetes import OPT_OUT_LABEL, PLUGIN_LABEL, QUOTA_PREFIX, version_of

if TYPE_CHECKING:
    from collections.abc import Mapping


class DeviceClass(NamedTuple):
    """A DeviceClass to be: its object name and its one CEL expression.

    `product_names` are the driver's `productName`s that the expression was composed from, empty
    for a raw `cel`.
    """

    name: str
    expression: str
    product_names: tuple[str, ...]


class Deprecation(NamedTuple):
    """Why an offering is no longer offered: labels to use instead, and a sentence for people."""

    replaced_by: tuple[str, ...]
    note: str


class Offering(NamedTuple):
    """What people can ask for. `component` is None for a deprecated label that Waldur never sold.

    `waldur` holds the site agent's component fields, with the catalog's defaults merged in, and
    without `label`, which is the offering's name.
    """

    component: str | None
    name: str
    label: str
    node_selector: Mapping[str, str]
    mig_profile: str | None
    device_class: DeviceClass | None
    notebooks: bool
    waldur: Mapping[str, object]
    deprecated: Deprecation | None

    @property
    def quota_key(self) -> str:
        """The ResourceQuota key that counts this label."""
        return QUOTA_PREFIX + self.label

    @property
    def mig_enabled(self) -> str:
        """`"true"` or `"false"`: a string, because the readers of `gpu_labels` refuse a boolean."""
        return "false" if self.mig_profile is None else "true"

    @property
    def key(self) -> str:
        """How messages call the offering: its component, or its label where it has none."""
        return self.component or self.label


class RetiredLabel(NamedTuple):
    """A label that is never valid again, and the labels that people write instead."""

    label: str
    reason: str
    replaced_by: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Cluster:
    """A cluster and what it offers, in catalog order, with the cluster's overrides applied."""

    name: str
    kubernetes: str
    feature_gates: tuple[str, ...]
    offerings: tuple[Offering, ...]
    device_plugin: str
    kube_context: str | None
    namespace: str
    config_map_name: str
    config_map_key: str
    evidence: str

    @property
    def version(self) -> tuple[int, int]:
        """Major and minor version; nothing else of `kubernetes` decides anything."""
        return version_of(self.kubernetes)

    @property
    def dra_node_labels(self) -> dict[str, str]:
        """What every node carries whose GPUs are handed out through DRA here."""
        opt_out = {OPT_OUT_LABEL: "false"} if self.device_plugin == "per-node" else {}
        return {PLUGIN_LABEL: "true", **opt_out}

    @property
    def sold(self) -> tuple[Offering, ...]:
        """The offerings that Waldur sells here: those with a component, deprecated ones too."""
        return tuple(offering for offering in self.offerings if offering.component)

    @property
    def in_notebooks(self) -> tuple[Offering, ...]:
        """The offerings of Kubeflow's notebook form here."""
        return tuple(
            offering
            for offering in self.offerings
            if offering.notebooks and offering.deprecated is None
        )


@dataclass(frozen=True, slots=True)
class Placement:
    """Where one artifact, or one folder of them, goes in a consumer's checkout.

    With neither `region` nor `at` the whole file. `source_pointer` is the catalog's `from`, and
    `marker` the consumer's name for the region; both have their defaults filled in.
    """

    artifact: str
    to: str
    region: str | None = None
    marker: str | None = None
    at: str | None = None
    source_pointer: str | None = None


@dataclass(frozen=True, slots=True)
class Consumer:
    """A repository that receives artifacts."""

    name: str
    files: tuple[Placement, ...]


@dataclass(frozen=True)
class Catalog:
    """Everything that `catalog.yaml` says; `offerings` are without any cluster's overrides."""

    offerings: tuple[Offering, ...]
    retired_labels: tuple[RetiredLabel, ...]
    clusters: tuple[Cluster, ...]
    consumers: tuple[Consumer, ...]
    products: Mapping[str, tuple[str, ...]]

    def offering(self, label_or_component: str) -> Offering | None:
        """The offering with this label or component."""
        for offering in self.offerings:
            if label_or_component in (offering.label, offering.component):
                return offering
        return None

    @cached_property
    def index_of(self) -> dict[str, int]:
        """Where the offering of each label stands in `offerings`, and in the catalog's file."""
        return {offering.label: index for index, offering in enumerate(self.offerings)}

    @cached_property
    def enabled(self) -> tuple[Offering, ...]:
        """The offerings that some cluster has: labels that can be asked for somewhere."""
        labels = {offering.label for cluster in self.clusters for offering in cluster.offerings}
        return tuple(offering for offering in self.offerings if offering.label in labels)
