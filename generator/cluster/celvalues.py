"""Kubernetes' types and functions for cel-expr-python, checked as they are and run as stand-ins.

The library has no values of abstract types. So an expression is checked with Kubernetes' own
types, and run where a version is a map and a quantity a list of one text; equality holds for both.
Sources: apiserver `pkg/cel/library/{quantity,semverlib}.go`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from generator.cluster.quantities import NANO, integer, precedence, quantity, semver

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    Function = tuple[str, bool, str, tuple[str, ...], Callable[..., Any]]
    Version = dict[str, str]
    Amount = list[str]

VERSION_TYPE = "kubernetes.Semver"
QUANTITY_TYPE = "kubernetes.Quantity"


def environment(*, checking: bool) -> Any:  # noqa: ANN401 - the library has no usable types
    """The environment of device selectors: to check expressions in, or to run them in."""
    from cel_expr_python import cel
    from cel_expr_python.ext import ext_bindings, ext_optional, ext_strings

    kinds = cel.Type
    version, amount = kinds.Map(kinds.STRING, kinds.STRING), kinds.List(kinds.STRING)
    device, more = kinds.DYN, {"pattern": kinds.STRING}
    if checking:
        version, amount = kinds.AbstractType(VERSION_TYPE), kinds.AbstractType(QUANTITY_TYPE)
        device, more = kinds.AbstractType("kubernetes.Device"), {}
    return cel.NewEnv(
        variables={
            "device": device,
            "device.driver": kinds.STRING,
            "device.attributes": kinds.Map(kinds.STRING, kinds.Map(kinds.STRING, kinds.DYN)),
            "device.capacity": kinds.Map(kinds.STRING, kinds.Map(kinds.STRING, amount)),
            "device.allowMultipleAllocations": kinds.BOOL,
            **more,
        },
        extensions=[
            ext_strings.ExtStrings(),
            ext_bindings.ExtBindings(),
            ext_optional.ExtOptional(),
        ],
        functions=list(_declarations(cel, {"version": version, "quantity": amount})),
    )


def _declarations(cel: Any, types: dict[str, Any]) -> Iterator[Any]:  # noqa: ANN401
    def type_of(name: str) -> Any:  # noqa: ANN401
        return types.get(name) or getattr(cel.Type, name.upper())

    overloads: dict[str, list[Any]] = {}
    for name, is_member, result, parameters, implementation in _FUNCTIONS:
        overload = cel.Overload(
            "_".join((name, *parameters)),
            type_of(result),
            [type_of(parameter) for parameter in parameters],
            is_member=is_member,
            impl=implementation,
        )
        overloads.setdefault(name, []).append(overload)
    return (cel.FunctionDecl(name, declared) for name, declared in overloads.items())


def version_value(text: str, lenient: bool = False) -> Version:
    """A version as the library sees it; raises ValueError."""
    return {"version": semver(text, lenient=lenient)}


def quantity_value(text: str) -> Amount:
    """A quantity as the library sees it; raises ValueError."""
    return _amount(quantity(text))


def _amount(nanos: int) -> Amount:
    return [str(nanos)]


def _nanos(amount: Amount) -> int:
    return int(amount[0])


def _as_integer(amount: Amount) -> int:
    whole = integer(_nanos(amount))
    if whole is None:
        raise ValueError("cannot convert value to integer")
    return whole


def _number(index: int) -> Callable[[Version], int]:
    return lambda version: int(version["version"].partition("-")[0].split(".")[index])


def _is(read: Callable[..., object]) -> Callable[..., bool]:
    def readable(*arguments: object) -> bool:
        try:
            read(*arguments)
        except ValueError:
            return False
        return True

    return readable


def _ordered(kind: str, key: Callable[[Any], Any]) -> Iterator[Function]:
    """The comparisons that versions and quantities both have."""
    both = (kind, kind)
    yield "compareTo", True, "int", both, lambda a, b: (key(a) > key(b)) - (key(a) < key(b))
    yield "isLessThan", True, "bool", both, lambda a, b: key(a) < key(b)
    yield "isGreaterThan", True, "bool", both, lambda a, b: key(a) > key(b)


_FUNCTIONS: tuple[Function, ...] = (
    ("semver", False, "version", ("string",), version_value),
    ("semver", False, "version", ("string", "bool"), version_value),
    ("isSemver", False, "bool", ("string",), _is(version_value)),
    ("isSemver", False, "bool", ("string", "bool"), _is(version_value)),
    ("major", True, "int", ("version",), _number(0)),
    ("minor", True, "int", ("version",), _number(1)),
    ("patch", True, "int", ("version",), _number(2)),
    *_ordered("version", lambda version: precedence(version["version"])),
    ("quantity", False, "quantity", ("string",), quantity_value),
    ("isQuantity", False, "bool", ("string",), _is(quantity_value)),
    ("isInteger", True, "bool", ("quantity",), lambda a: integer(_nanos(a)) is not None),
    ("asInteger", True, "int", ("quantity",), _as_integer),
    ("asApproximateFloat", True, "double", ("quantity",), lambda a: _nanos(a) / NANO),
    ("sign", False, "int", ("quantity",), lambda a: (_nanos(a) > 0) - (_nanos(a) < 0)),
    (
        "add",
        True,
        "quantity",
        ("quantity", "quantity"),
        lambda a, b: _amount(_nanos(a) + _nanos(b)),
    ),
    ("add", True, "quantity", ("quantity", "int"), lambda a, b: _amount(_nanos(a) + b * NANO)),
    (
        "sub",
        True,
        "quantity",
        ("quantity", "quantity"),
        lambda a, b: _amount(_nanos(a) - _nanos(b)),
    ),
    ("sub", True, "quantity", ("quantity", "int"), lambda a, b: _amount(_nanos(a) - b * NANO)),
    *_ordered("quantity", _nanos),
)
