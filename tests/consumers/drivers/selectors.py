"""Google's CEL runtime compiles device selectors and evaluates each on each device.

Asked: {"expressions": {class: expression}, "devices": [{"driver": ..., "attributes": {...}}]}.
Answers for each class true, false or an error by device, or one error where it does not compile.
"""

import json
import sys
from pathlib import Path

from cel_expr_python import cel
from cel_expr_python.ext import ext_bindings, ext_optional, ext_strings

KINDS = cel.Type
ENVIRONMENT = cel.NewEnv(
    variables={
        "device.driver": KINDS.STRING,
        "device.attributes": KINDS.Map(KINDS.STRING, KINDS.Map(KINDS.STRING, KINDS.DYN)),
    },
    extensions=[ext_strings.ExtStrings(), ext_bindings.ExtBindings(), ext_optional.ExtOptional()],
)


def verdict(program: object, device: dict) -> object:
    """What the expression says of the device; a domain that the device lacks is empty."""
    domains = {"gpu.nvidia.com": {}, "gpu.amd.com": {}, device["driver"]: device["attributes"]}
    value = program.eval(data={"device.driver": device["driver"], "device.attributes": domains})
    return value.value() if value.type().name() == "BOOL" else f"error: {value.value()}"


def verdicts(expression: str, devices: list[dict]) -> object:
    """What the expression says of every device, or why it cannot be compiled."""
    try:
        program = ENVIRONMENT.compile(expression)
    except RuntimeError as error:
        return f"does not compile: {error}"
    return [verdict(program, device) for device in devices]


asked = json.loads(Path(sys.argv[1]).read_text("utf-8"))
expressions = asked["expressions"].items()
json.dump({name: verdicts(text, asked["devices"]) for name, text in expressions}, sys.stdout)
