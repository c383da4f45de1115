"""Over arbitrary catalogs: nothing differs from itself, and every difference has its reverse."""

from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from generator.catalog import assembly
from generator.catalog.evidence import ClassEvidence, Evidence
from generator.diff.comparing import compare
from generator.diff.effects import Index, effects
from generator.diff.markdown import markdown
from generator.diff.meaning import changes
from generator.diff.positions import position
from generator.diff.report import Report
from generator.diff.sides import Side, side
from generator.diff.wording import steps
from tests.diff.projects import backwards

LABELS = [f"nvidia.com/{name}" for name in ("a", "b", "c", "d", "e", "gpu")]
PRODUCTS = ["NVIDIA A", "NVIDIA B", "NVIDIA C"]


def optional(key: str, values: st.SearchStrategy[Any]) -> st.SearchStrategy[dict[str, Any]]:
    return st.one_of(st.just({}), values.map(lambda value: {key: value}))


CLASSES = st.one_of(
    st.fixed_dictionaries(
        {"product_names": st.lists(st.sampled_from(PRODUCTS), min_size=1, unique=True)},
        optional={"name": st.sampled_from(["x.example.org", "y.example.org"])},
    ),
    st.fixed_dictionaries({"cel": st.sampled_from(["true", "false"])}),
)
FIELDS = st.fixed_dictionaries(
    {
        "name": st.sampled_from(["A", "B"]),
        "node_selector": st.dictionaries(st.sampled_from("ab"), st.sampled_from("12"), min_size=1),
    },
    optional={
        "mig_profile": st.sampled_from(["1g.5gb", "3g.20gb"]),
        "device_class": CLASSES,
        "notebooks": st.booleans(),
        "waldur": st.fixed_dictionaries({"article_code": st.sampled_from("12")}),
        "deprecated": st.fixed_dictionaries(
            {"replaced_by": st.lists(st.sampled_from(LABELS), max_size=2)},
            optional={"note": st.sampled_from(["x", "y"])},
        ),
    },
)


@st.composite
def contents(draw: st.DrawFn) -> dict[str, Any]:
    labels = draw(st.lists(st.sampled_from(LABELS), min_size=1, max_size=5, unique=True))
    components = draw(st.permutations(["gpu_a", "gpu_b", "gpu_c", "gpu_d", "gpu_e"]))
    offerings = []
    for label, component in zip(labels, components, strict=False):
        offering = {"label": label, "component": component, **draw(FIELDS)}
        if "deprecated" in offering and draw(st.booleans()):
            del offering["component"]
        offerings.append(offering)
    retired = draw(st.lists(st.sampled_from(LABELS), max_size=2, unique=True))
    keys = [offering.get("component", offering["label"]) for offering in offerings]
    selector = st.fixed_dictionaries({"node_selector": st.just({"a": "3"})})
    cluster = st.fixed_dictionaries(
        {
            "kubernetes": st.sampled_from(["1.36", "1.37"]),
            "namespace": st.sampled_from("ab"),
            "offerings": st.lists(st.sampled_from(keys), min_size=1, unique=True),
            "kube_context": st.sampled_from(["x", "y", "z", None]),
            "overrides": st.dictionaries(st.sampled_from(keys), selector, max_size=2),
        }
    )
    names = draw(st.lists(st.sampled_from(["one", "two", "three"]), unique=True))
    return {
        "offerings": offerings,
        "retired_labels": [
            {"label": label, "reason": draw(st.sampled_from(["typo", "generic"]))}
            for label in retired
            if label not in labels
        ],
        "clusters": [{"name": name, **draw(cluster)} for name in names],
    }


@st.composite
def sides(draw: st.DrawFn) -> Side:
    catalog = assembly.catalog(draw(contents()))
    evidence = {
        cluster.name: Evidence(
            classes={
                one.device_class.name: ClassEvidence(
                    one.label, one.device_class.expression, 1, {}, {}
                )
                for one in cluster.offerings
                if one.device_class and draw(st.booleans())
            }
        )
        for cluster in catalog.clusters
    }
    return side(catalog, evidence)


@given(sides())
def test_nothing_differs_from_itself(one: Side) -> None:
    assert compare(one, one) == []


@given(sides(), sides())
def test_every_difference_has_its_reverse_and_a_meaning(old: Side, new: Side) -> None:
    there, back = compare(old, new), compare(new, old)
    rest = [backwards(fact) for fact in there]
    for fact in back:
        rest.remove(fact)
    assert rest == []
    assert (there == []) == (back == [])
    assert len(changes(there, old, new)) == len(there)


ARTIFACTS = {
    "clusters/one/configmap.yaml": "    nvidia.com/a:",
    "clusters/two/deviceclasses/x.example.org.yaml": "extendedResourceName: nvidia.com/b",
    "web/gpuLabels.ts": "",
}


@given(sides(), sides())
def test_every_change_has_a_place_and_words(old: Side, new: Side) -> None:
    found = []
    for fact, change in changes(compare(old, new), old, new):
        for subject, each in ((fact.old, old), (fact.new, new)):
            if subject is not None:
                assert position(fact, each.catalog, new=each is new)
        effect = effects(Index({}, ARTIFACTS).reached(fact), [old.catalog], [fact])
        for _, what in steps(change, effect):
            assert what.count("`") % 2 == 0
            assert "None" not in what
        found.append((fact, change, effect))
    text = markdown(Report(found, effects(list(ARTIFACTS), [old.catalog], [])), "a.yaml", "git:b")
    assert text.count("####") >= bool(found)
    assert text.endswith("</details>\n")


@given(contents(), FIELDS, st.data())
def test_every_edit_of_an_offering_is_a_difference(
    content: dict[str, Any], fields: dict[str, Any], data: st.DataObject
) -> None:
    for cluster in content["clusters"]:  # an override may hide the edit
        cluster["overrides"] = {}
    index = data.draw(st.integers(0, len(content["offerings"]) - 1))
    edited = {**content, "offerings": [*content["offerings"]]}
    edited["offerings"][index] = content["offerings"][index] | fields
    if "component" not in content["offerings"][index]:
        edited["offerings"][index].pop("waldur", None)  # Waldur does not sell it
        content["offerings"][index].pop("waldur", None)
    old, new = (side_of(each) for each in (content, edited))
    assert (compare(old, new) == []) == (old.catalog == new.catalog)


def side_of(content: dict[str, Any]) -> Side:
    catalog = assembly.catalog(content)
    return side(catalog, {cluster.name: Evidence() for cluster in catalog.clusters})
