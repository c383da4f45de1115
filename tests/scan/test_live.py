"""Dumps of live objects: each finding names its object, and nothing is reported twice."""

import json
from pathlib import Path

import pytest
import yaml

from generator.scan import fixing
from generator.scan.seen import findings
from tests.scan.retired import seen_in

DUMP = (Path(__file__).parent / "live.yaml").read_text()
FOUND = [
    "nvidia.com/gpu is retired (it names no model), and stands in `resources.limits`"
    " of Deployment team-a/trainer",
    "nvidia.com/gpu is retired (it names no model), and stands in `resources.requests`"
    " of Deployment team-a/trainer",
    "requests.nvidiax.com/gpu is retired (a typo), and stands in a quota key"
    " of ResourceQuota team-a/gpus",
    "nvidiax.com/gpu is retired (a typo), and stands in the keys of `gpu_labels`"
    " of ConfigMap themelio/themelio-gpu-labels",
]


@pytest.mark.parametrize("name", ["live.yaml", "live", "live.txt"])
def test_a_dump_as_yaml(name: str) -> None:
    seen = seen_in(name, DUMP)
    assert seen
    assert [one.message for one in findings(seen, "")] == FOUND
    assert fixing.kept_back(seen).startswith("the file is a copy of live objects")


def test_a_dump_as_json() -> None:
    seen = seen_in("live.json", json.dumps(yaml.safe_load(DUMP), indent=4))
    assert seen
    assert [one.message for one in findings(seen, "")] == FOUND
