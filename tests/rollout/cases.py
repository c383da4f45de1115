"""The catalogs of the golden folders, and the rollout folders that are made from them."""

from functools import cache
from pathlib import Path

import yaml

from generator.project import Project, open_project

GOLDEN = Path(__file__).parent / "golden"
CASES = sorted(path.parent.name for path in GOLDEN.glob("*/catalog.yaml"))


@cache
def project(case: str) -> Project:
    return open_project(GOLDEN / case / "catalog.yaml")


@cache
def artifacts(case: str) -> dict[str, str]:
    """The text of every file of every target, by its path."""
    return {path: made.text for path, (_, made) in project(case).artifacts().items()}


def rollout(case: str) -> dict[str, str]:
    """The files of the rollout folders, by their paths below `clusters/`."""
    return {
        path.removeprefix("clusters/"): text
        for path, text in artifacts(case).items()
        if path.startswith("clusters/") and path.split("/")[2] == "rollout"
    }


CLUSTERS = [(case, cluster.name) for case in CASES for cluster in project(case).catalog.clusters]


def cluster(case: str, name: str):
    [found] = [one for one in project(case).catalog.clusters if one.name == name]
    return found


def load(case: str, name: str, path: str):
    return yaml.safe_load(rollout(case)[f"{name}/rollout/{path}"])
