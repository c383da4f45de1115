"""`action`: validate action files as k8s-root-actor does."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

from generator import files, yamltext
from generator.action_file import NOT_YAML, ActionFile, check_file
from generator.actions import GPU_TYPES, Labels, labels_of, workload
from generator.findings import Invalid, Outcome, misused
from generator.project import Project, gpu_labels_document, open_project
from generator.words import counted

if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterator, Sequence


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the command's own arguments."""
    parser.add_argument(
        "files", nargs="+", type=Path, metavar="FILE", help="an action file: YAML or JSON"
    )
    parser.add_argument(
        "--cluster", metavar="NAME", help="where the actions will run; default: any of the clusters"
    )
    parser.add_argument(
        "--render", action="store_true", help="print the workloads when nothing is wrong"
    )


def run(options: argparse.Namespace) -> Outcome:
    """Check every file; raises Invalid where one is not YAML, Misused for an unknown cluster."""
    project = open_project(options.catalog)
    cluster = _cluster(project, options.cluster, render=options.render)
    made = project.artifacts()
    documents = {one.name: gpu_labels_document(made, one) for one in project.catalog.clusters}
    labels = labels_of(project.catalog, documents)
    checked = [check_file(str(path), files.read(path), labels, cluster) for path in options.files]
    findings = [finding for file in checked for finding in file.findings]
    if any(finding.code == NOT_YAML for finding in findings):
        raise Invalid(*findings)
    failed = any(finding.severity == "error" for finding in findings)
    workloads = [] if failed or not options.render else list(_workloads(checked, labels, cluster))
    count = sum(len(file.actions) for file in checked)
    return Outcome(
        findings,
        message=f"{counted(count, 'action')} in {counted(len(checked), 'file')}",
        output="".join(text for text, _ in workloads),
        facts={"actions": count, "workloads": [data for _, data in workloads]},
    )


def _cluster(project: Project, name: str | None, *, render: bool) -> str | None:
    known = [cluster.name for cluster in project.catalog.clusters]
    if name in known:
        return name
    if name is None and not render:
        return None
    if name is None and len(known) == 1:
        return known[0]
    message = (
        "node selectors differ by cluster: a workload is rendered for one of them"
        if name is None
        else f"the catalog has no cluster {name}"
    )
    hint = f"give `--cluster` one of {', '.join(known)}"
    raise misused(message, hint, "GC612")


def _workloads(
    checked: Sequence[ActionFile], labels: Labels, cluster: str | None
) -> Iterator[tuple[str, dict[str, Any]]]:
    """Each GPU action's object, and its YAML document."""
    assert cluster is not None
    for file in checked:
        for number, action in enumerate(file.actions, 1):
            if action.request.type in GPU_TYPES:
                name = _name(Path(file.path).stem, number if len(file.actions) > 1 else None)
                data = workload(action.request, name, labels.clusters[cluster])
                yield "\n".join(["---", *yamltext.block(data)]) + "\n", data


def _name(stem: str, number: int | None) -> str:
    """An object name from a file's name, which need not be fit for one."""
    word = re.sub("[^a-z0-9]+", "-", stem.lower()).strip("-")[:50].strip("-")
    return "-".join(filter(None, ("action", word, str(number or ""))))
