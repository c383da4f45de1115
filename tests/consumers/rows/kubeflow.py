"""The spawner form of Kubeflow notebooks v1, read as its Jupyter web app reads it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import yaml

from tests.consumers.harness import Refused, Row, Sabotage, equal

if TYPE_CHECKING:
    from tests.consumers.harness import Tree


def feed(tree: Tree) -> str:
    """Each vendor of the form must put the label of its offering into the notebook's limits."""
    count = 0
    for cluster, text in tree.by_cluster("kubeflow/spawner-vendors.yaml"):
        vendors = _spawner(text)["spawnerFormDefaults"]["gpus"]["value"]["vendors"]
        meant = {
            offering.label: offering.name
            for offering in cluster.offerings
            if offering.notebooks and not offering.deprecated
        }
        equal(f"the dropdown on {cluster.name}", [_option(v) for v in vendors], [*meant.items()])
        equal(f"the notebooks' list on {cluster.name}", dict(map(_option, vendors)), meant)
        for vendor in vendors:
            container: dict[str, Any] = {"resources": {"limits": {}}}
            _set_gpus(container, {"vendor": vendor["limitsKey"], "num": "2"})
            [(key, number)] = container["resources"]["limits"].items()
            equal(f"the limits on {cluster.name}", (key in meant, number), (True, "2"))
        count += len(vendors)
    return f"the form's rules (both keys mandatory, the last twin wins) take {count} vendors"


def _spawner(generated: str) -> dict[str, Any]:
    """A spawner configuration with the generated vendors in their place, loaded anew."""
    try:
        vendors = yaml.safe_load(generated)["spawnerFormDefaults"]["gpus"]["value"]["vendors"]
    except KeyError as error:
        raise Refused(f"the form looks for its vendors elsewhere: no {error}") from error
    gpus = {"readOnly": False, "value": {"vendor": "", "vendors": vendors, "num": "none"}}
    loaded: dict[str, Any] = yaml.safe_load(yaml.safe_dump({"spawnerFormDefaults": {"gpus": gpus}}))
    return loaded


def _option(vendor: dict[str, str]) -> tuple[str, str]:
    try:
        return vendor["limitsKey"], vendor["uiName"]
    except KeyError as error:
        raise Refused(f"the list of notebooks answers 500: no {error} in {vendor}") from error


def _set_gpus(container: dict[str, Any], form: dict[str, str]) -> None:
    if form["num"] != "none":
        container["resources"]["limits"][form["vendor"]] = form["num"]


_VENDORS = "kubeflow/spawner-vendors.yaml"
_LAST = "nvidia.com/a100-mig-3g.20gb"

ROWS = (
    Row(
        "Kubeflow notebooks v1",
        "each vendor offers the label of its offering, under its name, in the catalog's order",
        feed,
        (
            Sabotage("a wrong prefix", _VENDORS, "nvidia.com/a100$", "requests.nvidia.com/a100"),
            Sabotage("a vendor without a name", _VENDORS, "^ +uiName: .*\n", ""),
            Sabotage("a dropped vendor", _VENDORS, "^ +- limitsKey.*\n.*\n", ""),
            Sabotage("the same label twice", _VENDORS, _LAST, "nvidia.com/a100"),
            Sabotage("a name that is a number", _VENDORS, "uiName: NVIDIA A100$", "uiName: 100"),
            Sabotage("another place", _VENDORS, "^    value:", "    values:"),
        ),
    ),
)
