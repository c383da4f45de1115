"""Targets: the code that makes the files of one kind of consumer, one module each.

A new target is a module, its templates and one line in `TARGETS`; its tests come with the line.
"""

from __future__ import annotations

from generator.targets.artifact import Artifact, Target

TARGETS: dict[str, Target] = {}
"""Every target by the name that the manifest gives it."""

__all__ = ["TARGETS", "Artifact", "Target"]
