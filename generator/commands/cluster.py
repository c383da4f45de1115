"""`cluster check NAME` and `cluster discover NAME`: a real cluster against the catalog."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from generator import files
from generator.catalog.evidence import write_evidence
from generator.cluster import live, readiness, record
from generator.cluster.checking import check
from generator.cluster.snapshot import snapshot
from generator.findings import Finding, Invalid, Outcome, Unsafe, misused
from generator.project import open_project
from generator.words import counted

if TYPE_CHECKING:
    import argparse
    from collections.abc import Sequence

    from generator.catalog.evidence import Evidence
    from generator.catalog.model import Cluster, Offering
    from generator.cluster.cel import Cel
    from generator.cluster.checking import Checked
    from generator.cluster.snapshot import Snapshot
    from generator.project import Project

_DUMPS = """\
--from DIR reads what these commands print, each in a file of this name with .json or .yaml
(prefer JSON: it is read many times faster than YAML):
  resourceslices, deviceclasses, nodes   kubectl get RESOURCE -o json
  resourcequotas                         kubectl get resourcequotas --all-namespaces -o json
  configmaps                             kubectl get configmaps -n NAMESPACE -o json
  namespaces (optional)                  kubectl get namespaces --selector TENANTS -o json
  version                                kubectl version -o json
Namespaces without `default` among them are the tenants': each needs a quota with every key. Where
all were read, as with --kubectl, or none, those count that have some quota of GPUs, and that
nothing limits GPUs in another is a warning.
"""


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the command's own arguments."""
    import argparse

    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.description = (
        "check: hold the cluster's objects against the catalog and the generated files.\n"
        "discover: propose catalog entries for devices that no offering covers.\n\n" + _DUMPS
    )
    parser.add_argument("action", choices=["check", "discover"], metavar="check|discover")
    parser.add_argument("name", metavar="NAME", help="the cluster's name in the catalog")
    source = parser.add_mutually_exclusive_group(required=True)
    source.add_argument(
        "--from", dest="folder", type=Path, metavar="DIR", help="a folder of what kubectl printed"
    )
    source.add_argument(
        "--kubectl", action="store_true", help="run kubectl, which only reads; needs --context"
    )
    parser.add_argument("--context", metavar="C", help="kubectl's context of this cluster")
    parser.add_argument(
        "--record", action="store_true", help="write what was proven to the evidence file"
    )


def run(options: argparse.Namespace) -> Outcome:
    """Read the cluster, then check it or discover its devices; raises Misused, Unsafe, Invalid."""
    project = open_project(options.catalog)
    cluster = _cluster(project, options.name)
    _refuse_misuse(options, cluster)
    if options.kubectl:
        found = snapshot(live.read_kubectl(options.context, cluster))
    else:
        found = snapshot(live.read_folder(options.folder))
    if options.action == "discover":
        return _discover(project, cluster, found)
    return _check(options, project, cluster, found)


def _cluster(project: Project, name: str) -> Cluster:
    known = {cluster.name: cluster for cluster in project.catalog.clusters}
    if name not in known:
        raise misused(f"the catalog has no cluster {name}", f"it has {', '.join(known)}")
    return known[name]


def _refuse_misuse(options: argparse.Namespace, cluster: Cluster) -> None:
    if options.record and options.action != "check":
        raise misused("only `cluster check` records", "leave --record out")
    if not options.kubectl:
        if options.context is not None:
            raise misused("--context goes with --kubectl", "leave it out")
        return
    wanted = cluster.kube_context
    if options.context is None:
        hint = f"add --context {wanted or 'CONTEXT'}: another cluster may be the current one"
        raise misused("--kubectl needs the context of the cluster", hint, "GC505")
    if wanted is not None and options.context != wanted:
        message = f"{options.context} is not the context of {cluster.name}, which is {wanted}"
        raise misused(message, "name that context, or correct kube_context", "GC505")
    if wanted is None and options.record:
        message = f"the catalog does not say which context is {cluster.name}"
        hint = f"add kube_context: {options.context} to it, so that no other cluster is recorded"
        raise misused(message, hint, "GC505")


def _check(
    options: argparse.Namespace, project: Project, cluster: Cluster, found: Snapshot
) -> Outcome:
    checked = check(project, cluster, found, _cel())
    trusted = not options.kubectl or cluster.kube_context is not None
    gone = record.contradicted(checked) if trusted else []
    evidence = checked.case.evidence
    if options.record and record.is_whole(checked):
        evidence = record.recorded(checked)
    elif gone:
        evidence = record.without(evidence, gone)
    written = _write(project, cluster, evidence)
    if options.record and not record.is_whole(checked):
        written = "; nothing recorded, for want of resourceslices or of version"
    findings = [project.source.locate(fault.problem) for fault in checked.faults]
    findings += _about_evidence(project, checked, gone, renewed=options.record)
    table = readiness.rows(checked)
    ready = sum(not row.reasons for row in table)
    return Outcome(
        findings,
        message=f"{cluster.name}: {ready} of {len(table)} offerings ready{written}",
        output=readiness.table(checked) if options.format in ("text", "github") else "",
        facts={**readiness.facts(checked), "evidence": sorted(evidence.classes)},
    )


def _write(project: Project, cluster: Cluster, evidence: Evidence) -> str:
    """Make the evidence file say this, and be gone when it would say nothing; what was done."""
    root, path = project.path.parent, cluster.evidence
    before = files.read_if_exists(root / path)
    text = write_evidence(evidence, cluster.name).encode() if evidence.classes else None
    if text == before or evidence == project.evidence[cluster.name]:
        return ""
    files.replace_all(root, {} if text is None else {path: text}, [path] if text is None else [])
    if text is None:
        return f"; {path} deleted, nothing is verified"
    return f"; {path} written, verified: {len(evidence.classes)}"


def _about_evidence(
    project: Project, checked: Checked, gone: Sequence[Offering], *, renewed: bool
) -> list[Finding]:
    """What the evidence file said and the cluster does not."""
    case, locate = checked.case, project.source.finding
    findings = [
        locate(
            "GC570",
            case.where(offering, "device_class"),
            f"{offering.label} was recorded as verified and is no longer: its record is removed",
            "mend what the other findings say, then record it again with --record",
            "warning",
        )
        for offering in gone
    ]
    if not renewed:
        hint = "record it again with --record"
        findings += [
            locate("GC570", case.cluster_where("evidence"), difference, hint, "warning")
            for difference in record.differences(checked)
        ]
    return findings


def _discover(project: Project, cluster: Cluster, found: Snapshot) -> Outcome:
    from generator.cluster.discover import discover
    from generator.cluster.proposals import text

    if found.pools is None:
        raise Invalid(_finding("GC504", "no resourceslices were given", "add resourceslices.json"))
    discovery = discover(_cel(), project.catalog, cluster, found)
    return Outcome(
        message=f"{cluster.name}: {counted(len(discovery.entries), 'offering')} proposed",
        output=text(discovery, project.catalog, cluster),
        facts={"proposed": [entry._asdict() for entry in discovery.entries]},
    )


def _cel() -> Cel:
    from generator.cluster.cel import Cel

    try:
        return Cel()
    except ImportError as error:
        message = f"cel-expr-python, which evaluates selectors, cannot be imported: {error}"
        raise Unsafe(_finding("GC503", message, "pip install 'gpu-catalog[cluster]'")) from error


def _finding(code: str, message: str, hint: str) -> Finding:
    return Finding(code, "error", None, None, None, message, hint)
