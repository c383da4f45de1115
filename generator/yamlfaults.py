"""What is wrong with a text that is no YAML: where, in libyaml's words, and what mends it."""

from __future__ import annotations

import contextlib
import re
from typing import TYPE_CHECKING

import yaml

if TYPE_CHECKING:
    from collections.abc import Iterator


CARELESS = (ValueError, LookupError, AttributeError, OverflowError)
"""What PyYAML's constructors raise for a scalar that is not what its form or its tag says."""


class NotYaml(Exception):  # noqa: N818 - says what the text is
    """The text is no YAML document at `offset`; `hint` says what to do there."""

    def __init__(self, message: str, offset: int) -> None:
        super().__init__(message)
        self.offset = offset

    @property
    def hint(self) -> str:
        """What mends most faults of which the parser says this."""
        return next((hint for words, hint in _HINTS if words in str(self)), _HINT)


_HINT = "indent with spaces alone, and quote a text that holds signs of YAML"
_HINTS = (
    ("expected ',' or", "close the bracket, or put a comma between its entries"),
    ("cannot start any", "indent with spaces, not tabs; quote a text that begins with @, ` or %"),
    ("values are not allowed", "give each key a line of its own, and quote a text that holds `: `"),
    ("unexpected end of stream", "close the quote"),
    ("expected key", "indent the keys alike, and quote a text that holds quotes or brackets"),
    ("'-' indicator", "indent the entries of the list alike, each behind its own `-`"),
    ("entries are not allowed", "put the list below its key"),
    ("expected ':'", "write `key: value`"),
    ("escape character", "double the backslash, or use single quotes"),
    ("may not stand in YAML", "take the character out"),
    ("nested deeper", "write less inside of each other"),
)
"""By words of libyaml, which says what it looked for and not what is wrong."""


@contextlib.contextmanager
def faults_of(text: str) -> Iterator[None]:
    """Raise NotYaml for what PyYAML finds in the text."""
    try:
        yield
    except yaml.MarkedYAMLError as error:
        raise NotYaml(_words(error), _fault(error, text)) from error
    except yaml.YAMLError as error:  # the reader: a character that YAML does not allow
        offset = _unreadable(text)
        words = f"the character U+{ord(text[offset]):04X} may not stand in YAML"
        raise NotYaml(words, offset) from error
    except UnicodeEncodeError as error:
        raise NotYaml("holds half a character", error.start) from error


def _offset(mark: yaml.error.Mark | yaml._yaml.Mark | None) -> int:
    return mark.index if mark else 0


def _fault(error: yaml.MarkedYAMLError, text: str) -> int:
    """Where the fault is: what was never closed is at its beginning, not at the end of the text."""
    problem = _offset(error.problem_mark or error.context_mark)
    began = problem if text[problem:].strip() else _offset(error.context_mark or error.problem_mark)
    return began if text[began:].strip() else max(0, len(text.rstrip()) - 1)


def _words(error: yaml.MarkedYAMLError) -> str:
    return ", ".join(part for part in (error.context, error.problem) if part)


def _unreadable(text: str) -> int:
    found = FORBIDDEN.search(text)
    return found.start() if found else 0


FORBIDDEN = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x84\x86-\x9f\ud800-\udfff\ufffe\uffff]")
"""Characters that no YAML document may hold, written as themselves."""
