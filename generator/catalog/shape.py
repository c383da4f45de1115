"""The catalog's shape: one JSON Schema, checked fast, and explained by the schema's own words.

`fastjsonschema` says yes quickly; `jsonschema`, which has the last word, is imported only when it
says no.
"""

from __future__ import annotations

import functools
import json
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from generator import yamltext
from generator.words import nearest

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from jsonschema import ValidationError

    from generator.catalog.source import Source
    from generator.findings import Finding
    from generator.yamltext import Where

MAX_FINDINGS = 10_000
"""Enough to be told that a file is not a catalog."""


class Fault(NamedTuple):
    """One error of jsonschema: the failing keyword with its value, and what it failed on."""

    keyword: str
    value: Any
    schema: Mapping[str, Any]
    instance: Any
    where: Where
    in_key: bool


class Ambiguous(NamedTuple):
    """A plain scalar on which YAML readers disagree; of no JSON type, so the schema refuses it."""

    text: str


@functools.cache
def schema() -> dict[str, Any]:
    """The JSON Schema (draft-07) of the catalog."""
    text = (Path(__file__).parent / "catalog.schema.json").read_text(encoding="utf-8")
    return json.loads(text)  # type: ignore[no-any-return]


def findings(content: object, source: Source) -> list[Finding]:
    """Everything in which the content does not have the schema's shape."""
    if conforms(content):
        return []
    from jsonschema import Draft7Validator
    from jsonschema.validators import extend

    validator: type[Draft7Validator] = extend(  # type: ignore[no-untyped-call]
        Draft7Validator, {"uniqueItems": _repeated_texts}
    )
    errors = validator(schema()).iter_errors(content)
    faults = (_fault(error) for error in errors)
    explained = (finding for fault in faults for finding in _explained(fault, source))
    # One error for each missing key explains them all, so the same finding comes again.
    return list(dict.fromkeys(islice(explained, MAX_FINDINGS)))


def _repeated_texts(
    _validator: object, _unique: object, instance: object, _schema: object
) -> Iterator[ValidationError]:
    """`uniqueItems`, of texts: what is none is refused anyway, and takes jsonschema its square."""
    from jsonschema import ValidationError

    texts = (
        [item for item in instance if isinstance(item, str)] if isinstance(instance, list) else []
    )
    if len(set(texts)) < len(texts):
        yield ValidationError("a text stands twice")


def conforms(content: object) -> bool:
    """Whether the content has the schema's shape: the quick answer, which gives no reason."""
    try:
        import fastjsonschema
    except ModuleNotFoundError:  # jsonschema has the last word anyway
        return False
    # Without details the validator is a quarter as long, and compiled in a quarter of the time.
    validate = fastjsonschema.compile(
        schema(), use_default=False, use_formats=False, detailed_exceptions=False
    )
    try:
        validate(content)
    except fastjsonschema.JsonSchemaValueException:
        return False
    return True


def _fault(error: ValidationError) -> Fault:
    return Fault(
        keyword=str(error.validator),
        value=error.validator_value,
        schema=error.schema if isinstance(error.schema, dict) else {},
        instance=error.instance,
        where=tuple(error.absolute_path),
        in_key="propertyNames" in error.absolute_schema_path,
    )


def _explained(fault: Fault, source: Source) -> Iterator[Finding]:
    explain = _EXPLANATIONS.get(fault.keyword, _bad_value)
    return explain(fault, source)


def _help(fault: Fault) -> str:
    """The schema's description of the failing node: the help text."""
    return str(fault.schema.get("description", ""))


def _unknown_keys(fault: Fault, source: Source) -> Iterator[Finding]:
    known = fault.schema["properties"]
    for key in [key for key in fault.instance if key not in known]:
        near = nearest(key, [name for name in known if name not in fault.instance])
        hint = f"did you mean `{near}`?" if near else f"known here: {', '.join(known)}"
        where = (*fault.where, key)
        yield source.finding("GC110", where, f"unknown key `{_cut(key)}`", hint, on_key=True)


def _missing_keys(fault: Fault, source: Source) -> Iterator[Finding]:
    for missing in fault.value:
        if missing not in fault.instance:
            described = fault.schema["properties"][missing]
            hint = described.get("description") or _definition(described["$ref"])["description"]
            yield source.finding("GC111", fault.where, f"the key `{missing}` is missing", hint)


def _definition(reference: str) -> dict[str, Any]:
    return schema()["definitions"][reference.rpartition("/")[2]]  # type: ignore[no-any-return]


def _wrong_type(fault: Fault, source: Source) -> Iterator[Finding]:
    value, wanted, where = fault.instance, str(fault.value), fault.where
    if isinstance(value, Ambiguous):
        plain = f"write {_TYPES[wanted]} as all readers do: {_help(fault)}"
        quoted = f"if it is text, quote it: {yamltext.scalar(value.text)}"
        yield _ambiguous(value, fault, source, quoted if wanted == "string" else plain)
    elif wanted == "string" and isinstance(value, bool | int | float):
        written = source.written(where)
        message = f"expected text, found `{_cut(written)}`"
        yield source.finding("GC105", where, message, f"quote it: {yamltext.scalar(written)}")
    else:
        message = f"expected {_TYPES[wanted]}, found {_found(value)}"
        yield source.finding("GC112", where, message, _help(fault))


def _ambiguous(value: Ambiguous, fault: Fault, source: Source, hint: str) -> Finding:
    if not value.text:
        return source.finding("GC112", fault.where, "has no value", _help(fault))
    return source.finding("GC105", fault.where, f"YAML readers disagree on `{value.text}`", hint)


_TYPES = {
    "string": "text",
    "integer": "a whole number",
    "number": "a number",
    "boolean": "true or false",
    "array": "a list",
    "object": "a mapping",
}


def _found(value: object) -> str:
    if isinstance(value, dict):
        return "a mapping"
    if isinstance(value, list):
        return "a list"
    return f"`{_plain(value)}`"


def _plain(value: object) -> str:
    """A scalar as it stands in the catalog."""
    if isinstance(value, bool):
        return str(value).lower()
    return _cut(value.text if isinstance(value, Ambiguous) else str(value))


def _cut(text: str) -> str:
    return text if len(text) <= 80 else text[:77] + "..."


def _bad_value(fault: Fault, source: Source) -> Iterator[Finding]:
    """A value outside its format, its length, its range or its list."""
    where, on_key = fault.where, fault.in_key
    if isinstance(fault.instance, Ambiguous):
        hint = f"one of: {', '.join(map(_plain, fault.value))}"
        yield _ambiguous(fault.instance, fault, source, hint)
        return
    if isinstance(fault.instance, dict | list):
        yield source.finding(
            "GC112", where, f"expected a value, found {_found(fault.instance)}", _help(fault)
        )
        return
    limit = _plain(fault.value)
    wordings = {
        "maxLength": f"longer than {limit} characters",
        "minLength": "is empty",
        "minimum": f"less than {limit}",
        "maximum": f"more than {limit}",
        "exclusiveMinimum": f"not more than {limit}",
    }
    words = wordings.get(fault.keyword, "not a value that is allowed here")
    if on_key:
        where = (*where, str(fault.instance))
    shown = "" if fault.instance == "" else f"`{_plain(fault.instance)}`: "
    hint = _help(fault) or f"must match {limit}"
    yield source.finding("GC113", where, shown + words, hint, on_key=on_key)


def _bad_size(fault: Fault, source: Source) -> Iterator[Finding]:
    where = fault.where
    if fault.keyword != "uniqueItems":
        yield source.finding("GC114", where, "must not be empty", _help(fault))
        return
    seen: set[str] = set()
    texts = ((index, item) for index, item in enumerate(fault.instance) if isinstance(item, str))
    for index, item in texts:
        if item in seen:
            message = f"`{_cut(item)}` stands twice in the list"
            yield source.finding("GC114", (*where, index), message, "keep one of them")
        seen.add(item)


_EXPLANATIONS: dict[str, Callable[[Fault, Source], Iterator[Finding]]] = {
    "additionalProperties": _unknown_keys,
    "required": _missing_keys,
    "type": _wrong_type,
    "minItems": _bad_size,
    "minProperties": _bad_size,
    "uniqueItems": _bad_size,
}
