"""`cluster discover`: entries for devices that nobody sells yet, ready to paste."""

import copy
import json
import re
from pathlib import Path

import pytest

from tests.cluster.healthy import CATALOG, Live, codes, node, project, run, slice_of


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)


def with_cards(*cards, labels=None):
    """A healthy cluster with a node for each card: its product name and, for MIG, its profile."""
    live = Live()
    model = live.devices("gpu-a100-01")[0]
    for number, (product, profile) in enumerate(cards):
        device = copy.deepcopy(model)
        device["attributes"]["productName"] = {"string": product}
        if profile:
            device["attributes"] |= {"type": {"string": "mig"}, "profile": {"string": profile}}
        one = node(f"new-{number}")
        one["metadata"]["labels"] |= {"nvidia.com/dra-kubelet-plugin": "true"} | (labels or {})
        live.nodes.append(one)
        live.resourceslices.append(slice_of(f"new-{number}", [device]))
    return live


def discovered(live, catalog=CATALOG):
    Path("catalog.yaml").write_text(catalog)
    live.write(Path("dump"))
    code, out, _ = run("cluster", "discover", "themelio", "--from", "dump")
    assert code == 0
    return out


def pasted(catalog, proposal):
    """The catalog with the lines of each section of the proposal put under its own section."""
    for section, lines in re.findall(r"(?m)^(products|offerings):\n((?:(?: .*)?\n)+)", proposal):
        catalog = catalog.replace(f"{section}:\n", f"{section}:\n{lines}", 1)
    return catalog


def test_nothing_new():
    assert discovered(Live()) == "# Every other GPU of the cluster belongs to an offering.\n"


def test_a_new_card():
    assert (
        discovered(with_cards(("NVIDIA H100 80GB HBM3", None)))
        == """\
# Add these entries to the catalog's `products` and `offerings`, and name the new
# components in the `offerings` of themelio if it lists them.
products:
  h100: [NVIDIA H100 80GB HBM3]

offerings:
  # 1 device on 1 node
  - component: gpu_h100
    name: NVIDIA H100
    label: nvidia.com/h100
    # No label is on all of these nodes and tells them apart: give them this one.
    node_selector: { accelerator: nvidia-h100 }
    device_class:
      products: [h100]
"""
    )


def test_cards_that_differ_in_memory_or_form_are_a_question():
    cards = ("NVIDIA H100 80GB HBM3", "NVIDIA H100 PCIe", "NVIDIA H100 NVL", "NVIDIA H200")
    proposal = discovered(with_cards(*((card, None) for card in cards)))
    assert (
        """\
products:
  # QUESTION: these cards differ in memory size or form factor. Are they one
  # offering at one price? If not, make a family and an offering of each.
  h100: [NVIDIA H100 80GB HBM3, NVIDIA H100 NVL, NVIDIA H100 PCIe]
  h200: [NVIDIA H200]
"""
        in proposal
    )


def test_an_a10_is_no_a10g():
    assert "label: nvidia.com/a10\n" in discovered(with_cards(("NVIDIA A10", None)))


def test_a_larger_card_of_a_known_model():
    proposal = discovered(with_cards(("NVIDIA A100 80GB PCIe", None)))
    assert (
        """\
  # QUESTION: is it the same offering as gpu_a100?
  # Then give that one this device_class instead, or its products these names.
  - component: gpu_a100_80gb_pcie
    name: NVIDIA A100
    label: nvidia.com/a100-80gb-pcie
"""
        in proposal
    )


def test_mig_devices():
    proposal = discovered(with_cards(("NVIDIA H100 80GB HBM3", "1g.10gb+me")))
    assert (
        """\
  - component: gpu_h100_mig_1g_10gb_me
    name: NVIDIA H100 MIG 1g.10gb+me
    label: nvidia.com/h100-mig-1g.10gb.me
"""
        in proposal
    )
    assert '    mig_profile: "1g.10gb+me"\n' in proposal


def test_a_node_label_that_is_there():
    labels = {"accelerator": "nvidia-h100-new"}
    proposal = discovered(with_cards(("NVIDIA H100 PCIe", None), labels=labels))
    assert "    node_selector: { accelerator: nvidia-h100-new }\n" in proposal
    assert "give them this one" not in proposal


def test_an_offering_of_another_cluster():
    catalog = CATALOG.replace(
        "    namespace: themelio\n",
        "    namespace: themelio\n"
        "    offerings: [gpu_a100, gpu_a100_mig_1g_5gb, gpu_a100_mig_3g_20gb]\n",
    )
    assert discovered(Live(), catalog) == (
        "# nvidia.com/a10g covers 2 devices here: offer it on themelio, too.\n"
        "# Every other GPU of the cluster belongs to an offering.\n"
    )


@pytest.mark.parametrize("product", ["", "{{ x }}", "NVIDIA é", "---", "a\nb", "x" * 65])
def test_names_that_no_catalog_can_hold(product):
    proposal = discovered(with_cards((product, None)))
    assert proposal.count("\n") == 2
    assert proposal.startswith("# No entry is proposed for ")


CARDS = {
    "one": [("NVIDIA H100 80GB HBM3", None)],
    "many": [
        ("NVIDIA H100 80GB HBM3", None),
        ("NVIDIA H100 PCIe", None),
        ("NVIDIA H100 80GB HBM3", "1g.10gb"),
        ("NVIDIA H100 80GB HBM3", "1g.10gb+me"),
        ("NVIDIA A100-SXM4-80GB", None),
        ("NVIDIA A100 80GB PCIe", "1g.10gb"),
        ("NVIDIA L40S", None),
        ("NVIDIA RTX PRO 6000 Blackwell Server Edition", None),
        ("Tesla T4", None),
        ("GRID A100-4C", None),
        ("NVIDIA GH200 480GB", None),
        ("true", None),
    ],
    "same-slug": [("NVIDIA L-4", None), ("NVIDIA L 4", None), ("NVIDIA L.4", None)],
    "quoted": [("NVIDIA 'X': [1, 2] #", None), ("1e3", None), ('NVIDIA "Y"', None)],
    "known-model": [("NVIDIA A100 40GB NVL", "3g.20gb")],
}


@pytest.mark.parametrize("cards", CARDS.values(), ids=CARDS)
def test_a_pasted_proposal_is_valid_and_covers_the_devices(cards):
    live = with_cards(*cards)
    catalog = pasted(CATALOG, discovered(live))
    opened = project(catalog)
    before = {one.label for one in project(CATALOG).catalog.offerings}
    assert {one.label for one in opened.catalog.offerings} > before
    assert discovered(live, catalog).startswith("# Every other GPU")
    checked = live.checked(catalog)
    assert not {"GC530", "GC531", "GC532", "GC533"} & set(codes(checked))


def test_without_nodes_nothing_is_said_of_their_labels():
    live = with_cards(("NVIDIA H100 PCIe", None), labels={"accelerator": "nvidia-h100-new"})
    live.nodes = None
    proposal = discovered(live)
    assert "    # Their nodes are not known: see which label these have" in proposal
    assert "No label is on all" not in proposal


def test_no_gpu_at_all():
    live = Live()
    live.resourceslices.clear()
    assert discovered(live) == (
        "# No GPU is published: is the DRA driver's kubelet plugin running?\n"
    )


def test_json():
    Path("catalog.yaml").write_text(CATALOG)
    with_cards(("NVIDIA L4", None)).write(Path("dump"))
    answer = json.loads(
        run("cluster", "discover", "themelio", "--from", "dump", "--format", "json")[1]
    )
    [entry] = answer["summary"]["proposed"]
    assert (entry["label"], entry["products"], entry["devices"]) == (
        "nvidia.com/l4",
        ["NVIDIA L4"],
        1,
    )


def test_without_slices():
    Path("catalog.yaml").write_text(CATALOG)
    Live().write(Path("dump"))
    Path("dump/resourceslices.json").unlink()
    code, out, _ = run("cluster", "discover", "themelio", "--from", "dump")
    assert (code, out.splitlines()[0]) == (3, "error GC504: no resourceslices were given")


def test_a_card_of_an_offering_without_a_class():
    catalog = CATALOG.replace("    device_class:\n      products: [a10g]\n", "", 1)
    assert catalog != CATALOG
    assert "  # QUESTION: is it the same offering as gpu_a10g?\n" in discovered(Live(), catalog)
