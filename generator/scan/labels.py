"""What is looked for: the catalog's retired labels, in each form that people write them."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from generator.catalog.model import Catalog, RetiredLabel


class Hit(NamedTuple):
    """One retired label in a text: `[start, end)` covers its form, which is what stands there.

    `prefix` is what makes it a quota key, or empty. `choices` are what to write instead, in the
    same form; none where nothing replaces the label.
    """

    start: int
    end: int
    form: str
    prefix: str
    retired: RetiredLabel
    choices: tuple[str, ...]

    @property
    def escaped(self) -> bool:
        """Whether the label is a step of a JSON pointer or JSONPath, or part of a pattern."""
        return self.form != self.prefix + self.retired.label


class Labels(NamedTuple):
    """The retired labels, ready to look for.

    A file that holds none of the `needles` holds no label; `pattern` then finds the labels.
    `components` has the label of each Waldur component.
    """

    needles: tuple[bytes, ...]
    pattern: re.Pattern[str]
    retired: Mapping[str, RetiredLabel]
    components: Mapping[str, str]

    def hits(self, text: str) -> list[Hit]:
        """Every form of a retired label in the text, in its order; longer names are none."""
        found = (self._hit(text, match) for match in self.pattern.finditer(text))
        return [hit for hit in found if hit]

    def _hit(self, text: str, match: re.Match[str]) -> Hit | None:
        label = match[0]
        before = next(_BEFORE[sign] for sign in _BEFORE if sign in label)
        found = before.search(text[max(0, match.start() - _NEAR) : match.start()])
        if not found:
            return None
        form = found[0] + label
        prefix = found[0].replace("\\", "")
        retired = self.retired[label.replace("\\", "").replace("~1", "/")]
        choices = tuple(_like(form, prefix + one) for one in retired.replaced_by)
        return Hit(match.end() - len(form), match.end(), form, prefix, retired, choices)

    def given_to(self, text: str, hit: Hit, path: Sequence[str]) -> Hit:
        """The hit with what to write for the component that it is given to, if it is to one.

        The component's own label is the one that is meant; or else nobody can tell which is.
        """
        named = _COMPONENT.search(text, max(0, hit.start - _NEAR), hit.start)
        names = (*path, named[1]) if named else path
        label = next((self.components[one] for one in names[::-1] if one in self.components), None)
        if label is None or not hit.choices:
            return hit
        own = _like(hit.form, hit.prefix + label)
        return hit._replace(choices=(own,) if own in hit.choices else (*hit.choices, own))


def _like(form: str, plain: str) -> str:
    """Another label, escaped as this form is."""
    escape = _ESCAPE.search(form)
    dotted = plain.replace(".", f"{escape[0]}.") if escape else plain
    return dotted.replace("/", "~1") if "~1" in form else dotted


_ESCAPE = re.compile(r"\\+(?=\.)")

# What stands right before a label that is given to a component tells which label is meant.
_COMPONENT = re.compile(r"""([A-Za-z_][A-Za-z0-9_]*)["']?[ \t]*[:=][ \t]*["'`]?\Z""")
_NEAR = 120

# Other name characters around a label make it part of another name. So does what a template adds
# to it; a dot or slash at the end belongs to the sentence.
_LABEL = r"(?:%s)(?![A-Za-z0-9_-]|\\*[./+][A-Za-z0-9]|\$?\{)"
_BEFORE = {
    "~1": re.compile(r"(?<![A-Za-z0-9_.-])(?:(?:requests|limits)\.)?\Z"),
    # `limits.nvidia\.com/gpu` is a path, in which only the escaped dots belong to a name.
    "\\": re.compile(r"(?<![A-Za-z0-9_/-])(?<!\\\.)(?:(?:requests|limits)\\+\.)?\Z"),
    "": re.compile(r"(?<![A-Za-z0-9_./-])(?:(?:requests|limits)\.)?\Z"),
}
"""What may stand before a label, of which the match is its prefix, by what the label holds."""


def labels_of(catalog: Catalog) -> Labels:
    """What to look for, given a catalog with at least one retired label."""
    retired = {one.label: one for one in catalog.retired_labels}
    # Domains are few, and each costs one pass over every file: much less than one pattern for all.
    # No pass is lost on escaped forms where a file holds no `\\` and no `~`.
    split = [label.split("/") for label in retired]
    needles = {f"{domain}/" for domain, _ in split} | {f"~1{name}" for _, name in split}
    needles |= {f"\\.{domain.split('.')[1]}" for domain, _ in split if "." in domain}
    longest_first = sorted(retired, key=len, reverse=True)
    pattern = re.compile(_LABEL % "|".join(map(_in_any_form, longest_first)))
    components = {one.component: one.label for one in catalog.offerings if one.component}
    return Labels(tuple(one.encode() for one in sorted(needles)), pattern, retired, components)


def _in_any_form(label: str) -> str:
    return re.escape(label).replace(r"\.", r"\\*\.").replace("/", "(?:/|~1)")
