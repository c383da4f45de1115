"""Catalog entries for devices that no offering covers, in the catalog's own style.

A card's model is its product name without memory size and form factor. Cards of one model are
proposed together, with the question whether they are one offering: that is a matter of prices.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from typing import TYPE_CHECKING, NamedTuple

from generator.cluster.matching import matches, supply
from generator.kubernetes import DRIVER, is_label_value

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from generator.catalog.model import Catalog, Cluster, Offering
    from generator.cluster.cel import Cel
    from generator.cluster.devices import Device
    from generator.cluster.snapshot import Snapshot

_VENDOR = "NVIDIA "
_VARIANT = re.compile(
    r"(?i)[\s-]+(?:[0-9]+\s?GB|SXM[0-9]*|PCI-?E|NVL|HBM[0-9]e?|OAM|MXM|HGX|DGX|FHHL)(?![A-Za-z0-9])"
)
_USABLE = re.compile(r"(?!.*\{[{%#])[ -~]{1,64}\Z")
_PROFILE = re.compile(r"([1-7]c\.)?[1-7]g\.[1-9][0-9]*gb([+-][a-z]+(\.[a-z]+)*)*\Z")
_MAX_SLUG = 30


class Entry(NamedTuple):
    """A proposed offering, with the names and number of the devices that it is for.

    `family` is its key in `products`. `like` are offerings of the catalog for the same model,
    `labelled` is whether every node of the devices has the node selector already, None where they
    are not known.
    """

    component: str
    name: str
    label: str
    family: str
    products: Sequence[str]
    profile: str | None
    node_selector: Mapping[str, str]
    labelled: bool | None
    devices: int
    nodes: int
    like: Sequence[str]


class Discovery(NamedTuple):
    """What was found: entries to add, offerings to enable here, and names that fit no catalog.

    `published` is how many GPUs there are at all.
    """

    published: int
    entries: Sequence[Entry]
    elsewhere: Mapping[str, int]
    unusable: Sequence[str]


def discover(cel: Cel, catalog: Catalog, cluster: Cluster, snapshot: Snapshot) -> Discovery:
    """Proposals for the GPUs that no offering of the cluster covers."""
    gpus = [
        device
        for pool in snapshot.pools or ()
        for device in pool.devices
        if device.driver == DRIVER and device.attribute("type") in ("gpu", "mig")
    ]
    uncovered = _uncovered(cel, cluster.offerings, gpus)
    here = {offering.label for offering in cluster.offerings}
    others = [offering for offering in catalog.offerings if offering.label not in here]
    new = _uncovered(cel, others, uncovered)
    groups: dict[tuple[str, str], list[Device]] = defaultdict(list)
    unusable = set()
    for device in new:
        product, profile = _text(device, "productName"), _text(device, "profile")
        model = _model(product)
        if not _fits(model, product, profile):
            unusable.add(f"{product} {profile}".strip())
        else:
            groups[model, profile].append(device)
    names = _Names(catalog)
    return Discovery(
        len(gpus),
        [
            names.entry(model, profile or None, devices, snapshot, cluster)
            for (model, profile), devices in sorted(groups.items())
        ],
        _covering(cel, others, uncovered),
        sorted(unusable),
    )


def _uncovered(cel: Cel, offerings: Iterable[Offering], devices: Sequence[Device]) -> list[Device]:
    classes = _expressions(offerings)
    covered = {
        (device.pool, device.name)
        for found in matches(cel, classes, devices).values()
        for device in found.devices
    }
    return [device for device in devices if (device.pool, device.name) not in covered]


def _covering(cel: Cel, offerings: Iterable[Offering], devices: Sequence[Device]) -> dict[str, int]:
    found = matches(cel, _expressions(offerings), devices)
    return {label: len(one.devices) for label, one in found.items() if one.devices}


def _expressions(offerings: Iterable[Offering]) -> dict[str, list[str]]:
    return {one.label: [one.device_class.expression] for one in offerings if one.device_class}


def _text(device: Device, attribute: str) -> str:
    value = device.attribute(attribute)
    return value if isinstance(value, str) else ""


def _model(product: str) -> str:
    """`A100` of `NVIDIA A100-SXM4-40GB` and of `NVIDIA A100 80GB PCIe`."""
    return _VARIANT.sub("", product.removeprefix(_VENDOR)).strip()


def _slug(text: str) -> str:
    return re.sub("[^a-z0-9]+", "-", text.lower()).strip("-")[:_MAX_SLUG].strip("-")


def _fits(model: str, product: str, profile: str) -> bool:
    """Whether a catalog can hold the names, and labels be made of them."""
    return bool(
        _USABLE.match(product) and _slug(model) and (not profile or _PROFILE.match(profile))
    )


class _Names:
    """Gives out names that the catalog does not have yet."""

    def __init__(self, catalog: Catalog) -> None:
        self._catalog = catalog
        self._domain = catalog.offerings[0].label.partition("/")[0]
        self._labels = {one.label for one in catalog.offerings}
        self._labels |= {one.label for one in catalog.retired_labels}
        self._components = {one.component for one in catalog.offerings}
        self._families = dict(catalog.products)

    def entry(
        self,
        model: str,
        profile: str | None,
        devices: Sequence[Device],
        snapshot: Snapshot,
        cluster: Cluster,
    ) -> Entry:
        products = tuple(sorted({_text(device, "productName") for device in devices}))
        vendor = _VENDOR if products[0].startswith(_VENDOR) else ""
        slug, label, component = self._free(model, profile, products)
        selector, labelled = _node_selector(devices, snapshot, cluster, f"nvidia-{slug}")
        held = supply(devices)
        title = f"{vendor}{model}" + (f" MIG {profile}" if profile else "")
        return Entry(
            component,
            title,
            label,
            self._family(slug, products),
            products,
            profile,
            selector,
            labelled,
            held.devices + held.tainted,
            len({device.node for device in devices if device.node}),
            [
                one.key
                for one in self._catalog.offerings
                if one.mig_profile == profile and _is_like(one, title, model)
            ],
        )

    def _free(
        self, model: str, profile: str | None, products: Sequence[str]
    ) -> tuple[str, str, str]:
        """A slug whose label and component are free: the model, with the variant, or a number."""
        end = f"-mig-{profile.replace('+', '.')}" if profile else ""
        variants = [_slug(model), *(_slug(name.removeprefix(_VENDOR)) for name in products[:1])]
        variants += [f"{variants[0]}-{number}" for number in range(2, 1000)]
        for slug in variants:
            label = f"{self._domain}/{slug}{end}"
            component = "gpu_" + re.sub("[^a-z0-9]+", "_", f"{slug}{end}")
            if label not in self._labels and component not in self._components:
                break
        self._labels.add(label)
        self._components.add(component)
        return slug, label, component

    def _family(self, slug: str, products: tuple[str, ...]) -> str:
        """The family of exactly these products, or a free name for a new one."""
        for name, known in self._families.items():
            if set(known) == set(products):
                return name
        name, number = slug, 2
        while name in self._families:
            name, number = f"{slug}-{number}", number + 1
        self._families[name] = products
        return name


def _is_like(offering: Offering, title: str, model: str) -> bool:
    """Whether the offering is for this model, by its products or, without a class, by its name."""
    if offering.device_class is None:
        return offering.name == title
    return any(_model(name) == model for name in offering.device_class.product_names)


def _node_selector(
    devices: Sequence[Device], snapshot: Snapshot, cluster: Cluster, value: str
) -> tuple[dict[str, str], bool | None]:
    """A label that the devices' nodes all have, by a key that the catalog uses; else a new one."""
    keys = Counter(key for one in cluster.offerings for key in one.node_selector)
    wanted = {device.node for device in devices}
    nodes = [node for node in snapshot.nodes or () if node.name in wanted]
    for key in (*keys, "nvidia.com/gpu.product"):
        values = {node.labels.get(key, "") for node in nodes}
        if len(values) == 1 and "" not in values and is_label_value(min(values)):
            return {key: min(values)}, True
    return {next(iter(keys), "accelerator"): value}, False if nodes else None
