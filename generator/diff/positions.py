"""Where a difference stands in a catalog."""

from __future__ import annotations

from typing import TYPE_CHECKING

from generator.catalog.model import Cluster, Consumer, Offering, RetiredLabel

if TYPE_CHECKING:
    from generator.catalog.model import Catalog
    from generator.diff.comparing import Difference
    from generator.yamltext import Where

_KEYS = {
    "class": ("device_class", "name"),
    "products": ("device_class",),
    "expression": ("device_class",),
    "verified": ("device_class",),
    "replaced_by": ("deprecated", "replaced_by"),
    "note": ("deprecated", "note"),
}
"""Where facts of offerings stand; the others stand under their own name."""


def position(fact: Difference, catalog: Catalog, *, new: bool) -> Where:
    """The path in the old or the new catalog; it may lead further than the document does."""
    subject = fact.new if new else fact.old
    if isinstance(subject, str):
        return (subject,)
    if isinstance(subject, Offering):
        return _of_offering(fact, subject, catalog)
    kinds = {
        RetiredLabel: ("retired_labels", [one.label for one in catalog.retired_labels]),
        Cluster: ("clusters", [one.name for one in catalog.clusters]),
        Consumer: ("consumers", [one.name for one in catalog.consumers]),
    }
    section, names = kinds[type(subject)]
    name = subject.label if isinstance(subject, RetiredLabel) else subject.name
    field = () if fact.before == fact.after else (fact.aspect,)
    return (section, names.index(name), *field)


def _of_offering(fact: Difference, offering: Offering, catalog: Catalog) -> Where:
    if fact.clusters:
        index = [one.name for one in catalog.clusters].index(fact.clusters[0])
        if fact.aspect == "enabled":
            return ("clusters", index, "offerings")
        if offering not in catalog.clusters[index].offerings:  # it is another one there
            return ("clusters", index, "overrides", offering.key)
    field = () if fact.before == fact.after else _KEYS.get(fact.aspect, (fact.aspect,))
    return ("offerings", catalog.index_of[offering.label], *field)
