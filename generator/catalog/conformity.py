"""Whether data certainly conforms to a JSON Schema: a quick yes, or else "ask jsonschema".

To import or to compile a validator takes longer than all else in a run on a small catalog. This
walk knows the keywords of draft-07 that the catalog's schema uses; of any other keyword it is not
certain.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    Schema: TypeAlias = Mapping[str, Any]
    Check: TypeAlias = Callable[[Any], bool]

_SILENT = {"$schema", "title", "description", "definitions", "type"}
_KNOWN = {
    "object": {"properties", "required", "additionalProperties", "propertyNames", "minProperties"},
    "array": {"items", "minItems", "uniqueItems"},
    "string": {"pattern", "minLength", "maxLength"},
    "integer": {"minimum", "maximum"},
    "number": {"minimum", "exclusiveMinimum"},
    "boolean": set[str](),
}


def is_certain(data: object, schema: Schema) -> bool:
    """Whether the data certainly conforms; False says nothing."""
    return _Checks(schema.get("definitions", {})).check(schema)(data)


class _Checks:
    """Makes a check of each subschema; a definition's is made once."""

    def __init__(self, definitions: Schema) -> None:
        self._definitions = definitions
        self._made: dict[str, Check] = {}

    def check(self, schema: Schema | bool) -> Check:
        if isinstance(schema, bool):
            return lambda _value: schema
        if "$ref" in schema:
            return self._definition(schema["$ref"].removeprefix("#/definitions/"))
        if schema.keys() - _SILENT == {"enum"}:
            allowed = [(type(one), one) for one in schema["enum"]]
            return lambda value: (type(value), value) in allowed
        kind = schema.get("type", "string")  # where none is given, a key's name is meant
        if kind not in _KNOWN or schema.keys() - _SILENT - _KNOWN[kind]:
            return lambda _value: False
        make: Callable[[Schema], Check] = getattr(self, f"_{kind}")
        return make(schema)

    def _definition(self, name: str) -> Check:
        if name not in self._made:
            self._made[name] = self.check(self._definitions[name])
        return self._made[name]

    def _object(self, schema: Schema) -> Check:
        checks = {name: self.check(one) for name, one in schema.get("properties", {}).items()}
        other = self.check(schema.get("additionalProperties", True))
        name_check = self.check(schema["propertyNames"]) if "propertyNames" in schema else None
        required, least = schema.get("required", ()), schema.get("minProperties", 0)

        def conforms(value: Any) -> bool:  # noqa: ANN401 - whatever the document holds
            if type(value) is not dict or len(value) < least:
                return False
            for name in required:
                if name not in value:
                    return False
            for name, item in value.items():
                if not checks.get(name, other)(item):
                    return False
            return name_check is None or all(map(name_check, value))

        return conforms

    def _array(self, schema: Schema) -> Check:
        check = self.check(schema.get("items", True))
        least, unique = schema.get("minItems", 0), schema.get("uniqueItems", False)

        def conforms(value: Any) -> bool:  # noqa: ANN401 - whatever the document holds
            if type(value) is not list or len(value) < least:
                return False
            return all(map(check, value)) and not (unique and len(set(value)) < len(value))

        return conforms

    def _string(self, schema: Schema) -> Check:
        least, most = schema.get("minLength", 0), schema.get("maxLength", float("inf"))
        search = re.compile(schema.get("pattern", "")).search
        return lambda value: (
            type(value) is str and least <= len(value) <= most and search(value) is not None
        )

    def _integer(self, schema: Schema) -> Check:
        least, most = schema.get("minimum", float("-inf")), schema.get("maximum", float("inf"))
        return lambda value: type(value) is int and least <= value <= most

    def _number(self, schema: Schema) -> Check:
        least = schema.get("minimum", float("-inf"))
        above = schema.get("exclusiveMinimum", float("-inf"))
        return lambda value: type(value) in (int, float) and value >= least and value > above

    def _boolean(self, _schema: Schema) -> Check:
        return lambda value: type(value) is bool
