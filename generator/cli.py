"""Arguments in, exit code out; only the command that runs is imported."""

from __future__ import annotations

import argparse
import gc
import importlib
import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING, NoReturn, Protocol, cast

from generator.findings import Outcome, Stopped, is_failure

if TYPE_CHECKING:
    from collections.abc import Sequence

BUG = 70

COMMANDS = {
    "generate": "write every file that differs, and delete stale ones",
    "check": "the same without writing: a diff for every file that has drifted",
    "publish": "carry artifacts into consumer checkouts, or check that they are there",
    "scan": "find retired labels in other repositories",
    "diff": "what a catalog change means for users, quotas and consumers",
    "action": "validate action files as k8s-root-actor does",
    "cluster": "hold a cluster's real objects against the catalog",
    "explain": "everything about one offering, or what a finding's code means",
}


class Command(Protocol):
    """A module of `generator.commands`, named after its command."""

    def configure(self, parser: argparse.ArgumentParser) -> None:
        """Add the command's own arguments."""

    def run(self, options: argparse.Namespace) -> Outcome:
        """Do the command's work; raises Stopped."""


def main(arguments: Sequence[str] | None = None) -> NoReturn:
    """Run one command of the command line and exit with its code."""
    gc.disable()  # a short process: collecting the catalog's nodes costs more than it frees
    words = list(sys.argv[1:] if arguments is None else arguments)
    name = next((word for word in words if not word.startswith("-")), "")
    try:
        code = _run(_parser(name).parse_args(words))
        sys.stdout.flush()
    except BrokenPipeError:  # the reader, `head` for one, has seen enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        code = 0
    except KeyboardInterrupt:
        code = 130
    sys.exit(code)


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
            _shared(sub)
            _command(command).configure(sub)
    return parser


def _shared(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--catalog", type=Path, default=Path("catalog.yaml"), metavar="FILE", help="the catalog"
    )
    parser.add_argument(
        "--out", type=Path, metavar="DIR", help="default: `generated` beside the catalog"
    )
    parser.add_argument(
        "--format",
        choices=["text", "json", "github", "gitlab", "sarif"],
        default="text",
        help="how findings are printed",
    )
    parser.add_argument("--strict", action="store_true", help="warnings count as errors")


def _command(name: str) -> Command:
    return cast("Command", importlib.import_module(f"generator.commands.{name}"))


def _run(options: argparse.Namespace) -> int:
    if options.out is None:
        options.out = options.catalog.parent / "generated"
    try:
        outcome = _command(options.command).run(options)
        code = outcome.exit_code
        if code is None:
            code = int(is_failure(outcome.findings, strict=options.strict))
    except Stopped as stopped:
        outcome, code = Outcome(stopped.findings), stopped.exit_code
    except (BrokenPipeError, KeyboardInterrupt):
        raise
    except Exception:  # noqa: BLE001 - the one place where a bug of ours becomes exit code 70
        import traceback

        traceback.print_exc()
        print("gpu-catalog: this is a bug in gpu-catalog, not in your files", file=sys.stderr)
        return BUG
    if outcome.findings or outcome.output or outcome.message or options.format != "text":
        from generator.reports import report

        report(outcome, options.format)
    return code
