"""Targets: the code that makes the files of one kind of consumer, one module each."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Artifact:
    """One generated file: its path below the output folder, with `/`, and its text."""

    path: str
    text: str
