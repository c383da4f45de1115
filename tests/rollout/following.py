"""The runbook, followed to the letter by a shell whose kubectl and helm only take notes."""

import os
import re
import shutil
import subprocess
from pathlib import Path

FAKE = Path(__file__).parent / "fake"
FAKED = ("kubectl", "helm", "ansible", "ansible-playbook", "gpu-catalog", "sleep")
IDENTITY = {
    f"GIT_{who}_{what}": "x" for who in ("AUTHOR", "COMMITTER") for what in ("NAME", "EMAIL")
}
PREPARED = """\
for each in ../*/README.md; do
  (
    cd "$(dirname "$each")"
    [ -d .git ] || (git init -q && git add . && git commit -qm start)
  )
done
"""


def script(runbook):
    """Every command of a runbook, in the order of the document."""
    return "".join(re.findall(r"```bash\n(.*?)```\n", runbook, re.DOTALL))


def checkout(artifacts, catalog, folder):
    """Make a checkout of the catalog in a new folder, beside the others'; returns its root."""
    root = folder / "catalog"
    for path, text in artifacts.items():
        file = root / "generated" / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")
    (root / "README.md").write_text("ours\n", encoding="utf-8")
    (root / "catalog.yaml").write_text("schema_version: 1\n", encoding="utf-8")
    for one in catalog.consumers:
        (folder / one.name).mkdir()
        (folder / one.name / "README.md").write_text("theirs\n", encoding="utf-8")
    for one in catalog.clusters:
        variables = folder / f"kubespray/inventory/{one.name}/group_vars"
        variables.mkdir(parents=True)
        (variables.parent / "inventory.ini").write_text("[gpu_nodes]\n", encoding="utf-8")
        (variables / "gpu_nodes.yml").write_text("kube_version: 1.0.0\n", encoding="utf-8")
    programs = folder / "bin"
    programs.mkdir()
    for program in FAKED:
        shutil.copy(FAKE, programs / program)
    return root


def follow(root, cluster, runbook, releases="gpu-operator"):
    """The words of each call, the first being the program; fails where the shell does.

    `releases` are those of Helm that are there before the rollout.
    """
    calls = root.parent / "calls"
    surroundings = {
        "PATH": f"{root.parent}/bin:{os.environ['PATH']}",
        "HOME": str(root.parent),
        "CALLS": str(calls),
        "EVIDENCE": cluster.evidence,
        "RELEASES": releases,
        **IDENTITY,
    }
    done = subprocess.run(
        ["bash", "-euo", "pipefail", "-c", PREPARED + script(runbook)],
        cwd=root, env=surroundings, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout + done.stderr
    return [line.split("\x1f") for line in calls.read_text(encoding="utf-8").splitlines()]
