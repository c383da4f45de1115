"""`publish`: carry the artifacts into consumer checkouts, or check that they are there."""

from __future__ import annotations

import contextlib
import dataclasses
from pathlib import Path
from typing import TYPE_CHECKING

from generator import difference, drift, files, gaps, tree
from generator.findings import Finding, Invalid, Outcome, Unsafe, misused
from generator.project import open_project
from generator.publishing import checkout, committing, message, telling, together, vendor
from generator.publishing.publication import prepare
from generator.words import counted

if TYPE_CHECKING:
    import argparse
    from collections.abc import Callable, Iterator, Mapping, Sequence
    from contextlib import AbstractContextManager

    from generator.catalog.model import Catalog, Consumer
    from generator.findings import Severity
    from generator.project import Project
    from generator.publishing.publication import Publication
    from generator.targets import Artifacts


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the checkouts, and what is to be done with them."""
    add = parser.add_argument
    add("checkouts", nargs="+", metavar="REPO=PATH", help="a consumer's name and its checkout")
    add("--check", action="store_true", help="say what is out of step; write nothing")
    add("--commit", action="store_true", help="make one commit of just the published files")
    add("--dry-run", action="store_true", help="print the plan; write nothing")
    add("--adopt", action="store_true", help="replace whole files that have no header of ours")
    words = "refuse labels that are not verified on their cluster"
    add("--require-verified", action="store_true", help=words)


def run(options: argparse.Namespace) -> Outcome:
    """Publish to every checkout, or to none."""
    _refuse_contradictions(options)
    project = open_project(options.catalog)
    checkouts = _checkouts(options.checkouts, project.catalog)
    artifacts = project.artifacts()
    if drifted := _drifted(artifacts, options.out):
        return Outcome(drifted, message="nothing is published: the generated files have drifted")
    with _held(checkouts, files.unchanging if options.check else files.locked):
        publications = [prepare(project.catalog, *one, artifacts) for one in checkouts]
        _refuse(publications, project, options)
        unverified = _unverified(publications, project, required=options.require_verified)
        if options.check:  # a consumer's gate: what the catalog lacks is not the consumer's fault
            return _checked(publications, unverified if options.require_verified else [])
        if options.require_verified and unverified:
            return Outcome(unverified, message="nothing is published: labels are not verified")
        warnings = [*_told(publications), *project.warnings, *unverified]
        messages = _messages(publications, project) if options.commit else {}
        if options.dry_run:
            return _planned(publications, messages, warnings)
        written = together.write(publications)
    # A hook of the checkout may check the published files: by now nothing is held.
    commits, rewritten = together.commit(publications, messages, written)
    return _published(publications, commits, [*rewritten, *warnings])


# --- what was asked for ------------------------------------------------------------------------


def _refuse_contradictions(options: argparse.Namespace) -> None:
    for name in ("commit", "dry_run", "adopt"):
        if options.check and getattr(options, name):
            option = "--" + name.replace("_", "-")
            raise misused(f"--check writes nothing, so {option} says nothing", "give one of them")


def _checkouts(words: Sequence[str], catalog: Catalog) -> list[tuple[Consumer, Path]]:
    """The consumer and the folder of each `REPO=PATH`; raises Misused and Unsafe."""
    known = {consumer.name: consumer for consumer in catalog.consumers}
    checkouts: list[tuple[Consumer, Path]] = []
    taken: dict[Path, str] = {}
    for word in words:
        name, equals, path = word.partition("=")
        if not (equals and path):
            raise misused(f"`{word}` is no REPO=PATH", "for example web=../themelio-web")
        if name not in known:
            hint = f"the catalog has {', '.join(known) or 'no consumers'}"
            raise misused(f"there is no consumer `{name}`", hint)
        root = Path(path)
        with files.naming(root, "cannot be used"):
            is_folder = root.is_dir()
        if not is_folder:
            raise files.unsafe(root, "there is no such folder", "name a checkout of the consumer")
        if other := taken.get(root.resolve()):
            again = "is named twice" if other == name else f"is the checkout of {other} too"
            raise misused(f"`{word}`: the folder {again}", "name each checkout once")
        taken[root.resolve()] = name
        checkouts.append((known[name], root))
    return checkouts


# --- what stands in the way --------------------------------------------------------------------


def _drifted(artifacts: Artifacts, out: Path) -> list[Finding]:
    with files.unchanging(out):
        plan = tree.plan(artifacts, files.read_tree(out))
    return [finding for finding in drift.found(plan, str(out)) if finding.severity == "error"]


@contextlib.contextmanager
def _held(
    checkouts: Sequence[tuple[Consumer, Path]],
    hold: Callable[[Path], AbstractContextManager[None]],
) -> Iterator[None]:
    """Hold all checkouts, always in the same order: two runs must not wait for each other."""
    with contextlib.ExitStack() as stack:
        for root in sorted(root.resolve() for _, root in checkouts):
            stack.enter_context(hold(root))
        yield


def _refuse(
    publications: Sequence[Publication], project: Project, options: argparse.Namespace
) -> None:
    """Raise with everything that stands in the way in any of the checkouts."""
    ours: list[Finding] = []
    theirs: list[Finding] = []
    for one in publications:
        for refusal in one.plan.refusals:
            finding = telling.refused(refusal, one.root, project.source)
            (ours if finding.path == project.source.path else theirs).append(finding)
        if not options.check and not options.adopt:
            theirs += telling.foreign(one.plan, one.root)
        if options.check:
            with contextlib.suppress(Unsafe):  # a check needs no git
                theirs += checkout.hidden(one.root, one.paths)
        if options.commit:
            refusals = committing.foreseen if options.dry_run else committing.refusals
            theirs += refusals(one.root, one.paths)
    if ours:
        raise Invalid(*ours, *theirs)
    if theirs:
        raise Unsafe(*theirs)


def _unverified(
    publications: Sequence[Publication], project: Project, *, required: bool
) -> list[Finding]:
    """What the clusters of the published artifacts cannot give, or are not proven to give."""
    artifacts = {entry.placement.artifact for one in publications for entry in one.entries}
    named = {path.split("/")[1] for path in artifacts if path.startswith("clusters/")}
    shared = any(not path.startswith("clusters/") for path in artifacts)
    clusters = [one for one in project.catalog.clusters if shared or one.name in named]
    catalog = dataclasses.replace(project.catalog, clusters=tuple(clusters))
    found = gaps.warnings(dataclasses.replace(project, catalog=catalog))
    severity: Severity = "error" if required else "warning"
    return [finding._replace(severity=severity) for finding in found]


# --- what is said ------------------------------------------------------------------------------


def _checked(publications: Sequence[Publication], warnings: Sequence[Finding]) -> Outcome:
    findings = [
        finding
        for one in publications
        for finding in (
            *telling.found(one.plan, one.root),
            *telling.unreadable(one, "error"),
            *telling.left_over(one.plan, one.root),
            *vendor.warnings(one.plan.steps, one.root),
        )
    ]
    places = sum(len(one.plan.steps) for one in publications)
    out_of_step = sum(len(one.plan.changes) for one in publications)
    state = f"{out_of_step} of {places} places are out of step" if out_of_step else "in step"
    return Outcome(
        [*findings, *warnings],
        message=f"{', '.join(str(one.root) for one in publications)}: {state}",
        facts={"places": places, "out_of_step": out_of_step},
    )


def _told(publications: Sequence[Publication]) -> Iterator[Finding]:
    for one in publications:
        yield from telling.done(one.plan, one.root)
        yield from telling.unreadable(one, "warning")
        yield from checkout.ignored(one.root, one.changed, "warning")
        yield from telling.left_over(one.plan, one.root)
        yield from vendor.warnings(one.plan.steps, one.root)


def _messages(publications: Sequence[Publication], project: Project) -> dict[Path, str]:
    """The commit message for each checkout that changes."""
    commit = checkout.head(project.path)
    changing = [one for one in publications if one.changed]
    return {one.root: message.message(one.plan.steps, project.catalog, commit) for one in changing}


def _planned(
    publications: Sequence[Publication], messages: Mapping[Path, str], warnings: Sequence[Finding]
) -> Outcome:
    lines: list[str] = []
    for one in publications:
        for path, data in sorted(one.changed.items()):
            lines.append(f"would {'delete' if data is None else 'write'} {one.root / path}\n")
            before = one.found.get(path, b"")
            lines.append(difference.unified(str(one.root / path), before, data or b""))
        if one.root in messages:
            lines.append(f"would commit in {one.root}:\n\n{messages[one.root]}\n")
    return Outcome(warnings, message="nothing was written", output="".join(lines))


def _published(
    publications: Sequence[Publication], commits: Mapping[Path, str], warnings: Sequence[Finding]
) -> Outcome:
    lines: list[str] = []
    for one in publications:
        lines += [
            f"{'deleted' if data is None else 'wrote'} {one.root / path}\n"
            for path, data in sorted(one.changed.items())
        ]
        lines += [f"committed {commits[one.root]} in {one.root}\n"] if one.root in commits else []
    count = sum(len(one.changed) for one in publications)
    published = f"{counted(count, 'file')} published"
    return Outcome(
        warnings,
        message=published if count else "nothing to do: all is in step",
        output="".join(lines),
        facts={
            "changed": sorted(str(one.root / path) for one in publications for path in one.changed),
            "commits": {str(root): name for root, name in commits.items()},
        },
    )
