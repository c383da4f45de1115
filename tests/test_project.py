"""A project's artifacts: one at each path."""

from pathlib import Path

import pytest

from generator import targets
from generator.findings import Invalid
from generator.project import open_project
from generator.targets import Artifact


@pytest.mark.usefixtures("sandbox")
def test_two_artifacts_at_one_path_are_a_bug(monkeypatch):
    again = {"again": lambda *_: iter([Artifact("web/gpuLabels.ts", "")])}
    monkeypatch.setattr(targets, "TARGETS", targets.TARGETS | again)
    with pytest.raises(ValueError, match=r"two artifacts are called web/gpuLabels\.ts"):
        open_project(Path("catalog.yaml")).artifacts()


@pytest.mark.usefixtures("sandbox")
@pytest.mark.parametrize(
    ("evidence", "message"),
    [
        ("catalog.yaml", "`catalog.yaml` is the catalog itself"),
        ("./catalog.yaml", "`./catalog.yaml` is the catalog itself"),
        ("evidence", "`evidence/small.yaml` is in the way of the evidence of themelio"),
        ("Evidence/small.yaml/x", "`evidence/small.yaml` is in the way of the evidence"),
        ("evidence/small.yaml", "`evidence/small.yaml` already holds the evidence of themelio"),
    ],
)
def test_evidence_has_a_file_of_its_own(evidence, message):
    path = Path("catalog.yaml")
    text = path.read_text()
    start = text.index("clusters:\n")
    path.write_text(
        f"{text[:start]}clusters:\n"
        f'  - {{name: themelio, kubernetes: "1.36", namespace: a, evidence: {evidence}}}\n'
        '  - {name: small, kubernetes: "1.36", namespace: a}\n' + text[start:].partition("\n\n")[2]
    )
    with pytest.raises(Invalid) as refused:
        open_project(path)
    assert [one.code for one in refused.value.findings] == ["GC224"]
    assert refused.value.findings[0].message.startswith(message)
