"""kubernetes-validate holds objects strictly against the schemas of Kubernetes' versions.

Asked: {"objects": {name: object}, "versions": [...]}. Answers what it refuses, by name.
"""

import json
import sys
from pathlib import Path

import kubernetes_validate

asked = json.loads(Path(sys.argv[1]).read_text("utf-8"))
refused = {}
for name, data in asked["objects"].items():
    for version in asked["versions"]:
        try:
            kubernetes_validate.validate(data, version, strict=True)
        except Exception as error:
            refused[f"{name} on {version}"] = f"{type(error).__name__}: {error}"
json.dump(refused, sys.stdout)
