"""Arguments in, exit code out; only the command that runs is imported."""

from __future__ import annotations

import argparse
import contextlib
import gc
import importlib
import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING, NoReturn, Protocol, cast

from generator import files, reports
from generator.findings import Outcome, Stopped, is_failure

if TYPE_CHECKING:
    from collections.abc import Sequence

UNSAFE = 4
BUG = 70

COMMANDS = {
    "generate": "write every file that differs, and delete stale ones",
    "check": "show a diff for every file that has drifted; writes nothing",
    "publish": "carry artifacts into consumer checkouts, or check that they are there",
    "scan": "find retired labels in other repositories",
    "diff": "what a catalog change means for users, quotas and consumers",
    "action": "validate action files as k8s-root-actor does",
    "cluster": "hold a cluster's real objects against the catalog",
    "explain": "everything about one offering, or what a finding's code means",
}
FORMATS = ("text", "json", "github", "gitlab", "sarif")


class Command(Protocol):
    """A module of `generator.commands`, named after its command.

    It may have `FORMATS`: ways to print in which its output is all that is printed.
    """

    def configure(self, parser: argparse.ArgumentParser) -> None:
        """Add the command's own arguments."""

    def run(self, options: argparse.Namespace) -> Outcome:
        """Do the command's work; raises Stopped."""


def main(arguments: Sequence[str] | None = None) -> NoReturn:
    """Run one command of the command line and exit with its code."""
    gc.disable()  # a short process: collecting the catalog's nodes costs more than it frees
    _open_closed_streams()
    words = list(sys.argv[1:] if arguments is None else arguments)
    try:
        files.heed()
        code, text, summary = run(words)
        unwritten = _write(text, summary)
    except KeyboardInterrupt as interrupt:
        sys.exit(files.exit_code(interrupt))
    sys.exit(unwritten or code)


def console() -> NoReturn:
    """The console script: `main`, and the process ends at once.

    Python would free a large catalog object by object, which takes a tenth of the whole run.
    """
    try:
        main()
    except SystemExit as end:
        os._exit(cast("int", end.code))


def _open_closed_streams() -> None:
    for name in ("stdout", "stderr"):
        if getattr(sys, name) is None:
            setattr(sys, name, os.fdopen(os.open(os.devnull, os.O_WRONLY), "w"))


def run(words: Sequence[str]) -> tuple[int, str, str]:
    """The exit code of the command line, and what goes to stdout and to stderr."""
    name = next((word for word in words if not word.startswith("-")), "")
    try:
        options = _parser(name).parse_args(words)
        outcome, code = _done(options)
        return code, _rendered(outcome, options), reports.summary(outcome)
    except SystemExit as told:  # argparse has printed help, or what is wrong
        return cast("int", told.code), "", ""
    except ModuleNotFoundError as missing:
        package = (missing.name or "generator").partition(".")[0]
        if package == "generator":
            return _bug()
        hint = "install gpu-catalog with pip, or run it through nox"
        return UNSAFE, "", f"gpu-catalog: the package {package} is not installed: {hint}"
    except Exception:  # noqa: BLE001 - the one place where a bug of ours becomes exit code 70
        return _bug()


def _bug() -> tuple[int, str, str]:
    import traceback

    words = "gpu-catalog: this is a bug in gpu-catalog, not in your files"
    return BUG, "", f"{traceback.format_exc()}{words}"


def _done(options: argparse.Namespace) -> tuple[Outcome, int]:
    if options.out is None:
        options.out = options.catalog.parent / "generated"
    try:
        outcome = _command(options.command).run(options)
    except Stopped as stopped:
        return Outcome(stopped.findings), stopped.exit_code
    if outcome.exit_code is not None:
        return outcome, outcome.exit_code
    return outcome, int(is_failure(outcome.findings, strict=options.strict))


def _rendered(outcome: Outcome, options: argparse.Namespace) -> str:
    own = options.format not in FORMATS
    if own and outcome.output:
        return outcome.output
    if own or options.format == "text":
        plain = os.environ.get("NO_COLOR") or os.environ.get("TERM") == "dumb"
        return reports.text(outcome, colour=sys.stdout.isatty() and not plain)
    if options.format == "json":
        return reports.as_json(outcome)
    from generator import annotations

    return annotations.FORMS[options.format](outcome, str(options.catalog))


def _write(text: str, summary: str) -> int:
    """Print both; 0, or the exit code when they cannot be written."""
    code = 0
    try:
        sys.stdout.buffer.write(text.encode("utf-8", "backslashreplace"))
        sys.stdout.flush()
    except OSError as error:
        if not isinstance(error, BrokenPipeError):  # else the reader, `head` say, has seen enough
            summary = f"gpu-catalog: cannot write to standard output: {error.strerror}"
            code = UNSAFE
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    with contextlib.suppress(OSError):
        sys.stderr.write(f"{summary}\n" if summary else "")
        sys.stderr.flush()
    return code


def _parser(name: str) -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="gpu-catalog",
        description="One catalog of GPU offerings, and every file that other systems need from it.",
        epilog="exit codes: 0 in order, 1 drift or findings, 2 usage, 3 invalid input,"
        " 4 unsafe file or repository, 70 a bug in gpu-catalog",
        allow_abbrev=False,
    )
    commands = parser.add_subparsers(dest="command", metavar="COMMAND", required=True)
    for command, words in COMMANDS.items():
        sub = commands.add_parser(command, help=words, description=words, allow_abbrev=False)
        if command == name:
            module = _command(command)
            _shared(sub, getattr(module, "FORMATS", ()))
            module.configure(sub)
    return parser


def _shared(parser: argparse.ArgumentParser, own_formats: Sequence[str]) -> None:
    parser.add_argument(
        "--catalog",
        type=Path,
        default=Path("catalog.yaml"),
        metavar="FILE",
        help="the catalog; default: catalog.yaml",
    )
    parser.add_argument(
        "--out",
        type=Path,
        metavar="DIR",
        help="the generated files; default: `generated` beside the catalog",
    )
    parser.add_argument(
        "--format",
        choices=[*FORMATS, *own_formats],
        default="text",
        help="how findings are printed; default: text",
    )
    parser.add_argument("--strict", action="store_true", help="warnings count as errors")


def _command(name: str) -> Command:
    return cast("Command", importlib.import_module(f"generator.commands.{name}"))
