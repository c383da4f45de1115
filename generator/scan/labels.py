"""What is looked for: the catalog's retired labels, in each form that people write them."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Mapping

    from generator.catalog.model import Catalog, RetiredLabel


class Hit(NamedTuple):
    """One retired label in a text: `[start, end)` covers its form, of which `prefix` is a part.

    `choices` are what to write instead, in the same form; none where nothing replaces the label.
    """

    start: int
    end: int
    prefix: str
    retired: RetiredLabel
    choices: tuple[str, ...]

    @property
    def form(self) -> str:
        """What stands in the text."""
        return self.prefix + self.retired.label


class Labels(NamedTuple):
    """The retired labels, ready to look for.

    A file that holds none of the `needles` holds no label; `pattern` then finds the forms.
    `components` has the label of each Waldur component.
    """

    needles: tuple[bytes, ...]
    pattern: re.Pattern[str]
    retired: Mapping[str, RetiredLabel]
    components: Mapping[str, str]

    def hits(self, text: str) -> list[Hit]:
        """Every form of a retired label in the text, in its order; longer names are none."""
        return [self._hit(text, match) for match in self.pattern.finditer(text)]

    def _hit(self, text: str, match: re.Match[str]) -> Hit:
        prefix, retired = match[1] or "", self.retired[match[2]]
        replaced_by = retired.replaced_by
        if len(replaced_by) > 1:
            named = _COMPONENT.search(text, max(0, match.start() - _NEAR), match.start())
            label = self.components.get(named[1]) if named else None
            replaced_by = (label,) if label in replaced_by else replaced_by
        return Hit(*match.span(), prefix, retired, tuple(prefix + one for one in replaced_by))


# What stands right before a label that is given to a component tells which label is meant.
_COMPONENT = re.compile(r"""([A-Za-z_][A-Za-z0-9_]*)["']?[ \t]*[:=][ \t]*["'`]?\Z""")
_NEAR = 120

# Other name characters around a label make it part of another name. So does what a template adds
# to it; a dot or slash at the end belongs to the sentence.
_FORM = r"(?<![A-Za-z0-9_./-])(requests\.|limits\.)?(%s)(?![A-Za-z0-9_-]|[./+][A-Za-z0-9]|\$?\{)"


def labels_of(catalog: Catalog) -> Labels:
    """What to look for, given a catalog with at least one retired label."""
    retired = {one.label: one for one in catalog.retired_labels}
    # Domains are few, and each costs one pass over every file: much less than one pattern for all.
    needles = sorted({label.partition("/")[0].encode() + b"/" for label in retired})
    alternatives = "|".join(map(re.escape, sorted(retired, key=len, reverse=True)))
    components = {one.component: one.label for one in catalog.offerings if one.component}
    return Labels(tuple(needles), re.compile(_FORM % alternatives), retired, components)
