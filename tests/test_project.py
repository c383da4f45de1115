"""A project's artifacts: one at each path."""

from pathlib import Path

import pytest

from generator import targets
from generator.project import open_project
from generator.targets import Artifact


@pytest.mark.usefixtures("sandbox")
def test_two_artifacts_at_one_path_are_a_bug(monkeypatch):
    again = {"again": lambda *_: iter([Artifact("web/gpuLabels.ts", "")])}
    monkeypatch.setattr(targets, "TARGETS", targets.TARGETS | again)
    with pytest.raises(ValueError, match=r"two artifacts are called web/gpuLabels\.ts"):
        open_project(Path("catalog.yaml")).artifacts()
