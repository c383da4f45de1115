"""What is looked for: the catalog's retired labels, in each form that people write them."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from generator.catalog.model import RetiredLabel


class Hit(NamedTuple):
    """One retired label in a text: `[start, end)` covers its form, `prefix` being part of it."""

    start: int
    end: int
    prefix: str
    retired: RetiredLabel

    @property
    def form(self) -> str:
        """What stands in the text."""
        return self.prefix + self.retired.label

    @property
    def choices(self) -> tuple[str, ...]:
        """What to write instead, in the same form; empty where nothing replaces the label."""
        return tuple(self.prefix + label for label in self.retired.replaced_by)


class Labels(NamedTuple):
    """The retired labels, ready to look for.

    A file that holds none of the `needles` holds no label; `pattern` then finds the forms.
    """

    needles: tuple[bytes, ...]
    pattern: re.Pattern[str]
    retired: Mapping[str, RetiredLabel]

    def hits(self, text: str) -> list[Hit]:
        """Every form of a retired label in the text, in its order; longer names are none."""
        return [
            Hit(*match.span(), match[1] or "", self.retired[match[2]])
            for match in self.pattern.finditer(text)
        ]


# Other name characters around a label make it part of another name. So does what a template adds
# to it; a dot or slash at the end belongs to the sentence.
_FORM = r"(?<![A-Za-z0-9_./-])(requests\.|limits\.)?(%s)(?![A-Za-z0-9_-]|[./+][A-Za-z0-9]|\$?\{)"


def labels_of(retired: Sequence[RetiredLabel]) -> Labels:
    """What to look for, given at least one retired label."""
    by_label = {one.label: one for one in retired}
    # Domains are few, and each costs one pass over every file: much less than one pattern for all.
    domains = {label.partition("/")[0] + "/" for label in by_label}
    alternatives = "|".join(map(re.escape, sorted(by_label, key=len, reverse=True)))
    needles = tuple(domain.encode() for domain in sorted(domains))
    return Labels(needles, re.compile(_FORM % alternatives), by_label)
