"""Data of the schema's shape to the frozen model, with defaults, products and overrides applied.

A reference that leads nowhere is left out: `rules` reports it, with its position.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from generator.catalog.model import (
    Catalog,
    Cluster,
    Consumer,
    Deprecation,
    DeviceClass,
    Offering,
    Placement,
    RetiredLabel,
)
from generator.catalog.selectors import expression

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    Data = Mapping[str, Any]

WALDUR_DEFAULTS = {"measured_unit": "GPU", "accounting_type": "limit"}
CONFIG_MAP = {"name": "themelio-gpu-labels", "key": "THEMELIO_GPU_LABELS_CONFIG"}


def catalog(content: Data) -> Catalog:
    """The catalog that the content describes."""
    products = {name: tuple(names) for name, names in content.get("products", {}).items()}
    waldur = WALDUR_DEFAULTS | content.get("waldur", {})
    offerings = content["offerings"]
    everywhere = [_offering(offering, products, waldur) for offering in offerings]
    sold = list(zip(map(key_of, offerings), offerings, everywhere, strict=True))
    clusters = [_cluster(cluster, sold, products, waldur) for cluster in content["clusters"]]
    return Catalog(
        offerings=tuple(everywhere),
        retired_labels=tuple(_retired_label(one) for one in content.get("retired_labels", ())),
        clusters=tuple(clusters),
        consumers=tuple(_consumer(one) for one in content.get("consumers", ())),
        products=products,
    )


def key_of(offering: Data) -> str:
    """How other parts of the catalog name the offering: its component, else its label."""
    return str(offering.get("component") or offering["label"])


def class_name(offering: Data) -> str:
    """The name of the offering's device class, given or derived from its label."""
    domain, _, name = offering["label"].partition("/")
    return str(offering["device_class"].get("name", f"{name}.{domain}"))


def product_names(device_class: Data, products: Mapping[str, tuple[str, ...]]) -> tuple[str, ...]:
    """The product names of families and in place, in order, each once."""
    families = [
        name for family in device_class.get("products", ()) for name in products.get(family, ())
    ]
    return tuple(dict.fromkeys([*families, *device_class.get("product_names", ())]))


def _offering(offering: Data, products: Mapping[str, tuple[str, ...]], waldur: Data) -> Offering:
    deprecated = offering.get("deprecated")
    return Offering(
        component=offering.get("component"),
        name=offering["name"],
        label=offering["label"],
        node_selector=offering["node_selector"],
        mig_profile=offering.get("mig_profile"),
        device_class=_device_class(offering, products) if "device_class" in offering else None,
        notebooks=offering.get("notebooks", True),
        waldur={**waldur, **offering.get("waldur", {})},
        deprecated=None if deprecated is None else _deprecation(deprecated),
    )


def _device_class(offering: Data, products: Mapping[str, tuple[str, ...]]) -> DeviceClass:
    given = offering["device_class"]
    if "cel" in given:
        return DeviceClass(class_name(offering), given["cel"].rstrip("\n"), ())
    names = product_names(given, products)
    return DeviceClass(class_name(offering), expression(names, offering.get("mig_profile")), names)


def _deprecation(deprecated: Data) -> Deprecation:
    return Deprecation(tuple(deprecated.get("replaced_by", ())), deprecated.get("note", ""))


def _retired_label(retired: Data) -> RetiredLabel:
    return RetiredLabel(retired["label"], retired["reason"], tuple(retired.get("replaced_by", ())))


def _cluster(
    cluster: Data,
    sold: Sequence[tuple[str, Data, Offering]],
    products: Mapping[str, tuple[str, ...]],
    waldur: Data,
) -> Cluster:
    enabled = set(cluster.get("offerings", (key for key, _, _ in sold)))
    overrides = cluster.get("overrides", {})
    config_map = CONFIG_MAP | cluster.get("config_map", {})
    return Cluster(
        name=cluster["name"],
        kubernetes=cluster["kubernetes"],
        feature_gates=tuple(cluster.get("feature_gates", ())),
        offerings=tuple(
            _offering(_overridden(offering, overrides[key]), products, waldur)
            if key in overrides
            else everywhere
            for key, offering, everywhere in sold
            if key in enabled
        ),
        device_plugin=cluster.get("device_plugin", "disabled"),
        kube_context=cluster.get("kube_context"),
        namespace=cluster["namespace"],
        config_map_name=config_map["name"],
        config_map_key=config_map["key"],
        evidence=cluster.get("evidence", f"evidence/{cluster['name']}.yaml"),
    )


def _overridden(offering: Data, override: Data) -> Data:
    """The offering with a cluster's override: a selector or a set of products, each whole."""
    changed = {
        **offering,
        "node_selector": override.get("node_selector", offering["node_selector"]),
    }
    selected = {key: override[key] for key in ("products", "product_names") if key in override}
    if selected and "device_class" in offering:
        kept = {key: value for key, value in offering["device_class"].items() if key == "name"}
        changed["device_class"] = kept | selected
    return changed


def _consumer(consumer: Data) -> Consumer:
    return Consumer(consumer["name"], tuple(_placement(one) for one in consumer["files"]))


def _placement(placement: Data) -> Placement:
    region, at = placement.get("region"), placement.get("at")
    return Placement(
        artifact=placement["artifact"],
        to=placement["to"],
        region=region,
        marker=placement.get("marker", region),
        at=at,
        source_pointer=placement.get("from", at),
    )
