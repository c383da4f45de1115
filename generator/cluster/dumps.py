"""What kubectl printed, as plain objects: YAML or JSON, a List, one object, or several documents.

JSON is read without positions, YAML through libyaml: a dump can hold a hundred megabytes.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, NamedTuple

from generator import yamltext
from generator.cluster.shapes import shown
from generator.findings import Finding, Invalid
from generator.reports import excerpt
from generator.yamlfaults import CARELESS, NotYaml, faults_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    Item = dict[str, Any]

CODE = "GC502"
_HINT = "have kubectl print it anew, see `gpu-catalog cluster check --help`"

_DRA = tuple(f"resource.k8s.io/{version}" for version in ("v1", "v1beta2", "v1beta1"))


class Resource(NamedTuple):
    """What kubectl calls one kind of object, and how the objects call themselves."""

    name: str
    kind: str
    versions: tuple[str, ...]


RESOURCES = {
    resource.name: resource
    for resource in (
        Resource("version", "", ()),
        Resource("nodes", "Node", ("v1",)),
        Resource("resourceslices", "ResourceSlice", _DRA),
        Resource("deviceclasses", "DeviceClass", _DRA),
        Resource("resourcequotas", "ResourceQuota", ("v1",)),
        Resource("configmaps", "ConfigMap", ("v1",)),
        Resource("namespaces", "Namespace", ("v1",)),
    )
}


class Dump(NamedTuple):
    """Objects of one resource, and the file or command that they come from."""

    source: str
    items: list[Item]


def read_dump(resource: Resource, source: str, data: bytes) -> Dump:
    """The objects in what `kubectl get` or `kubectl version` printed; raises Invalid."""
    documents = _documents(source, data)
    if resource.name == "version":
        return Dump(source, [_version(source, documents)])
    items = [item for document in documents for item in _items(document, resource, source)]
    return Dump(source, items)


def unusable(source: str, message: str, hint: str = "") -> Invalid:
    """The exception for a dump, as a finding at its file."""
    return Invalid(Finding(CODE, "error", source, None, None, message, hint or _HINT))


def _documents(source: str, data: bytes) -> list[Any]:
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        hint = "write it in UTF-8; PowerShell's `>` does not"
        finding = Finding(CODE, "error", source, line, 1, "is not UTF-8", hint)
        raise Invalid(finding) from error
    try:
        is_json = text.lstrip().startswith(("{", "["))
        documents = _json(source, text) if is_json else _yaml(source, text)
    except RecursionError as error:
        raise unusable(source, "is nested too deeply for anything that kubectl prints") from error
    found = [document for document in documents if document is not None]
    if not found:
        raise unusable(source, "is empty: kubectl printed nothing, or failed")
    return found


def _json(source: str, text: str) -> list[Any]:
    import json

    try:
        return [json.loads(text)]
    except json.JSONDecodeError as error:
        if error.msg != "Extra data":
            message = f"is not complete JSON: {error.msg}"
            raise _at(source, text, error.lineno, error.colno, message) from error
    except ValueError as error:  # a number of thousands of digits
        raise unusable(source, f"is not JSON: {error}") from error
    return list(_several(json.JSONDecoder(), source, text))


def _several(decoder: Any, source: str, text: str) -> Iterator[Any]:  # noqa: ANN401
    """JSON documents one after the other, as several commands append them."""
    position = 0
    while position < len(text):
        try:
            document, position = decoder.raw_decode(text, position)
        except ValueError as error:
            line, column = yamltext.line_and_column(text, getattr(error, "pos", position))
            raise _at(source, text, line, column, "is not complete JSON") from error
        yield document
        position += len(text[position:]) - len(text[position:].lstrip())


def _yaml(source: str, text: str) -> list[Any]:
    import yaml

    try:
        with faults_of(text):
            return list(yaml.load_all(text, Loader=_loader()))
    except NotYaml as error:
        line, column = yamltext.line_and_column(text, error.offset)
        raise _at(source, text, line, column, f"is not complete YAML: {error}") from error


def _loader() -> Any:  # noqa: ANN401 - a class made of PyYAML's untyped ones
    """PyYAML's C loader without merge keys, which can make a small text an endless document.

    What its constructors raise for odd scalars becomes an error with a place.
    """
    import yaml

    class Loader(yaml.CSafeLoader):
        def flatten_mapping(self, node: yaml.MappingNode) -> None:
            for key, _ in node.value:
                if key.tag == "tag:yaml.org,2002:merge":
                    words = "kubectl prints no merge keys"
                    raise yaml.constructor.ConstructorError(None, None, words, key.start_mark)

        def construct_object(self, node: yaml.Node, deep: bool = False) -> Any:  # noqa: ANN401, FBT
            try:
                return super().construct_object(node, deep)
            except CARELESS as error:
                words = f"{shown(str(node.value))} is not what its form says"
                raise yaml.constructor.ConstructorError(
                    None, None, words, node.start_mark
                ) from error

    return Loader


def _at(source: str, text: str, line: int, column: int, message: str) -> Invalid:
    lines = text.split("\n", line)
    shown = excerpt(lines[line - 1], column) if line <= len(lines) else ""
    return Invalid(Finding(CODE, "error", source, line, column, message, _HINT, shown))


def _items(document: Any, resource: Resource, source: str) -> Iterator[Item]:  # noqa: ANN401
    """The objects of a List or of a document that is one."""
    if not isinstance(document, dict) or not isinstance(document.get("kind"), str):
        raise unusable(source, "is nothing that kubectl prints, or its end is missing")
    kind, version = document["kind"], document.get("apiVersion")
    if kind not in ("List", f"{resource.kind}List"):
        yield _checked(document, kind, version, resource, source)
        return
    items = document.get("items")
    if not isinstance(items, list):
        raise unusable(source, "is a list without items")
    for item in items:
        if not isinstance(item, dict):
            raise unusable(source, "holds an item that is no object")
        own = kind == "List"
        yield _checked(
            item,
            item.get("kind") if own else resource.kind,
            item.get("apiVersion") if own else version,
            resource,
            source,
        )


def _checked(item: Item, kind: object, version: object, resource: Resource, source: str) -> Item:
    if kind == resource.kind and version in resource.versions:
        return item
    found = f"{_word(kind)} of {_word(version)}"
    wanted = f"{resource.kind} of {' or '.join(resource.versions)}"
    raise unusable(source, f"holds {found}, not {wanted}")


def _word(value: object) -> str:
    return (
        value if isinstance(value, str) and re.fullmatch(r"[\w./-]{1,80}", value) else "something"
    )


def _version(source: str, documents: list[Any]) -> Item:
    server = documents[0].get("serverVersion") if _is_one_object(documents) else None
    if not isinstance(server, dict) or not isinstance(server.get("gitVersion"), str):
        message = "does not say the API server's version"
        raise unusable(source, message, "write `kubectl version -o json` with the cluster in reach")
    return server


def _is_one_object(documents: list[Any]) -> bool:
    return len(documents) == 1 and isinstance(documents[0], dict)
