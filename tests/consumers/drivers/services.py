"""KServe's own models say which fields an InferenceService has, down to the pod's.

Asked: {name: object}. Answers what they do not know, by name.
"""

import importlib.util
import json
import re
import sys
from pathlib import Path
from types import ModuleType

# The package's own start loads a whole model server; its models need none of it.
package = ModuleType("kserve")
package.__path__ = list(importlib.util.find_spec("kserve").submodule_search_locations)
sys.modules["kserve"] = package

from kserve import models  # noqa: E402


def unknown(data: object, kind: str, where: str) -> list[str]:
    """The fields of the data that the model has not; Kubernetes' own models end the way."""
    if listed := re.fullmatch(r"list\[(.*)\]", kind):
        if not isinstance(data, list):
            return [f"{where} is no list"]
        return [
            fault
            for n, item in enumerate(data)
            for fault in unknown(item, listed[1], f"{where}[{n}]")
        ]
    model = getattr(models, kind, None)
    if model is None:
        return []
    names = {key: name for name, key in model.attribute_map.items()}
    faults = [f"{where}.{key} is unknown" for key in data if key not in names]
    for key, value in data.items():
        if key in names:
            faults += unknown(value, model.openapi_types[names[key]], f"{where}.{key}")
    return faults


asked = json.loads(Path(sys.argv[1]).read_text("utf-8"))
faults = {name: unknown(data, "V1beta1InferenceService", "") for name, data in asked.items()}
json.dump({name: ", ".join(found) for name, found in faults.items() if found}, sys.stdout)
