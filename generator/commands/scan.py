"""`scan`: retired labels in files, folders, checkouts and dumps, and `--fix` for the sure ones."""

from __future__ import annotations

import sys
import time
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING

from generator import files
from generator.catalog import reader
from generator.files.reading import MAX_BYTES
from generator.files.sieve import Sieve, TooLarge
from generator.files.walking import UNREADABLE, Walk, exclusion, not_by_hand
from generator.findings import Finding, Outcome
from generator.reports import one_line
from generator.scan import fixing
from generator.scan.labels import labels_of
from generator.scan.seen import findings, look_into
from generator.words import counted

if TYPE_CHECKING:
    import argparse
    from collections.abc import Mapping, Sequence

    from generator.scan.labels import Labels
    from generator.scan.seen import Seen

_NAMED = 3
"""Paths of a kind that the summary names; `--format json` has them all."""
_LARGE = f"larger than {MAX_BYTES >> 20} MiB"


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the command's own arguments."""
    parser.add_argument("paths", nargs="+", metavar="PATH", help="a file, a folder or a checkout")
    parser.add_argument("--fix", action="store_true", help="put right what has one replacement")
    parser.add_argument("--diff", action="store_true", help="show what --fix does; write nothing")
    parser.add_argument(
        "--exclude",
        action="append",
        default=[],
        metavar="GLOB",
        help="a name at any depth, or a path below PATH",
    )


def run(options: argparse.Namespace) -> Outcome:
    """Look into every file; with `--fix` write what is sure, in all files or in none."""
    catalog, _, _ = reader.read(files.read(options.catalog), str(options.catalog))
    if not catalog.retired_labels:
        return Outcome(message="the catalog retires no label: there is nothing to look for")
    search = _Search(labels_of(catalog))
    for path in options.paths:
        search.below(path, options.exclude)
    search.progress.end()
    kept_back = _kept_back(search.seen)
    sure = {path: one for path, one in sorted(search.seen.items()) if kept_back.get(path) == ""}
    found = {path: findings(one, kept_back.get(path, "")) for path, one in search.seen.items()}
    facts, output = search.facts(), ""
    if options.diff:
        facts["diff"] = output = "".join(map(_diff, sure.values()))
    elif options.fix:
        _write(sure)
        output = "".join(map(_changes, sure.values()))
        facts["fixed"] = sum(len(one.sure) for one in sure.values())
        for path in sure:
            found[path] = [finding for finding in found[path] if finding.code != "GC701"]
    left = [*chain.from_iterable(found.values()), *search.troubles()]
    left.sort(key=lambda one: (one.path or "", one.line or 0, one.column or 0))
    return Outcome(left, message=search.summary(), output=output, facts=facts)


class _Search:
    """Goes through paths; collects files by their real path, and what was not looked into."""

    def __init__(self, labels: Labels) -> None:
        self.labels = labels
        self.seen: dict[Path, Seen] = {}
        self.progress = _Progress()
        self._passed_over: dict[str, list[str]] = {}
        self._sieve = Sieve(labels.needles)

    def below(self, root: str, globs: Sequence[str]) -> None:
        """Look into every file below a path."""
        for path in Walk(root, exclusion(globs), self._pass_over).files():
            data = None
            try:
                data = self._sieve.read(path, follow=path == root)
            except TooLarge:
                self._pass_over(path, _LARGE)
            except (FileNotFoundError, NotADirectoryError, IsADirectoryError):
                continue  # deleted, or something else by now: git still has it on its list
            except OSError:
                self._pass_over(path, UNREADABLE)
            self.progress.step()
            if data and (seen := look_into(path, data, self.labels)):
                self.seen.setdefault(Path(path).resolve(), seen)

    def _pass_over(self, path: str, reason: str) -> None:
        self._passed_over.setdefault(reason, []).append(path)

    def facts(self) -> dict[str, object]:
        """How many files were looked into, and all paths that were not, by the reason."""
        return {"files": self.progress.files, "not_looked_into": self._passed_over}

    def summary(self) -> str:
        """The same in one line."""
        parts = [f"{counted(self.progress.files, 'file')} looked into"]
        for reason, paths in sorted(self._passed_over.items()):
            more = f" and {len(paths) - _NAMED} more" if len(paths) > _NAMED else ""
            parts.append(f"{reason}: {', '.join(sorted(paths)[:_NAMED])}{more}")
        return "; not looked into ".join(filter(None, (parts[0], "; ".join(parts[1:]))))

    def troubles(self) -> list[Finding]:
        """Warnings for what may hold labels, and could not be looked into."""
        hint = "what it holds is not known"
        return [
            Finding("GC002", "warning", path, None, None, f"was not looked into: {reason}", hint)
            for reason in (UNREADABLE, _LARGE)
            for path in self._passed_over.get(reason, ())
        ]


class _Progress:
    """Counts files, and says so on a terminal once it takes longer than a second."""

    def __init__(self) -> None:
        self.files = 0
        self._shown = False
        self._next = time.monotonic() + 1 if sys.stderr.isatty() else float("inf")

    def step(self) -> None:
        """One more file."""
        self.files += 1
        if not self.files % 64 and time.monotonic() > self._next:
            self._next = time.monotonic() + 0.2
            self._shown = True
            print(f"\r{self.files:,} files ...", end="", file=sys.stderr, flush=True)

    def end(self) -> None:
        """Clear the line."""
        if self._shown:
            print("\r\x1b[K", end="", file=sys.stderr, flush=True)


def _kept_back(seen: Mapping[Path, Seen]) -> dict[Path, str]:
    """Why a file with sure errors is left as it is, by its real path; empty where it is not."""
    reasons = {
        path: fixing.kept_back(one) or _on_disk(Path(one.path)) or _not_written(path)
        for path, one in seen.items()
        if one.sure
    }
    free = [path for path, reason in reasons.items() if not reason]
    return reasons | dict.fromkeys(not_by_hand(free), fixing.GENERATED)


def _on_disk(path: Path) -> str:
    try:
        status = path.lstat()
    except OSError:
        return "the file is gone"
    if path.is_symlink() or status.st_nlink > 1:
        return "the file is linked, so it would change elsewhere too"
    return "" if status.st_mode & 0o200 else "the file is read-only"


def _not_written(path: Path) -> str:
    if "\\" in str(path):
        return "its path holds a backslash"
    return "it is below a folder .git" if ".git" in path.parts else ""


def _write(sure: Mapping[Path, Seen]) -> None:
    """Write the fixed files, all or none; raises Unsafe, also where one has changed meanwhile."""
    for path, one in sure.items():
        if files.read(path) != one.data:
            raise files.unsafe(one.path, "has changed while it was looked into", "run it again")
    root = Path("/")  # paths are real ones, so that files of several PATHs are one change
    writes = {
        str(path.relative_to(root)): one.text.encode(fixing.fixed(one))
        for path, one in sure.items()
        if one.text
    }
    files.replace_all(root, writes, ())


def _changes(seen: Seen) -> str:
    """A line for each label that was put right."""
    return "".join(
        f"{one_line(finding.path or '')}:{finding.line}:{finding.column}:"
        f" {one.hit.form} -> {one.hit.choices[0]}\n"
        for finding, one in zip(
            findings(seen._replace(sightings=seen.sure), ""), seen.sure, strict=True
        )
    )


def _diff(seen: Seen) -> str:
    from generator.difference import unified

    assert seen.text
    return unified(
        one_line(seen.path),
        seen.text.text.encode(errors="replace"),
        fixing.fixed(seen).encode(errors="replace"),
    )
