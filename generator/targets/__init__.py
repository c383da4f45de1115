"""Targets: the code that makes the files of one kind of consumer, one module each.

A new target is a module, its templates and one line in `TARGETS`; its tests come with the line.
"""

from __future__ import annotations

from generator.targets import (
    ansible,
    deviceclasses,
    docs,
    gpu_labels,
    kubeflow,
    openapi,
    rollout,
    waldur,
    web,
)
from generator.targets.artifact import Artifact, Artifacts, Target

TARGETS: dict[str, Target] = {
    "gpu_labels": gpu_labels.artifacts,
    "ansible": ansible.artifacts,
    "waldur": waldur.artifacts,
    "kubeflow": kubeflow.artifacts,
    "deviceclasses": deviceclasses.artifacts,
    "web": web.artifacts,
    "openapi": openapi.artifacts,
    "docs": docs.artifacts,
    "rollout": rollout.artifacts,
}
"""Every target by the name that the manifest gives it."""

__all__ = ["TARGETS", "Artifact", "Artifacts", "Target"]
