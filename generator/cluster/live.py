"""The only door to a cluster: a folder of what kubectl printed, or kubectl itself, read only."""

from __future__ import annotations

from typing import TYPE_CHECKING

from generator import files
from generator.cluster.dumps import RESOURCES, read_dump, unusable
from generator.findings import Finding, Unsafe

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from generator.catalog.model import Cluster
    from generator.cluster.dumps import Dump

MAX_BYTES = 512 * 1024 * 1024
TIMEOUT = 120
"""Seconds that one kubectl command may take."""

_NO_DRA = (
    "Kubernetes serves DRA's API resource.k8s.io/v1 from 1.34 on: upgrade an older cluster, else"
    " see whether --runtime-config or the gate DynamicResourceAllocation of its API server is off"
)

_SUFFIXES = (".json", ".yaml", ".yml")


def read_folder(folder: Path) -> dict[str, Dump]:
    """The dumps in a folder by resource; raises Invalid for a file that is none, or Unsafe."""
    found: dict[str, Path] = {}
    for path in _listed(folder):
        resource = path.name.removesuffix(path.suffix)
        if resource not in RESOURCES or path.suffix not in _SUFFIXES:
            names = ", ".join(RESOURCES)
            hint = f"name the dumps {names}, each with .json or .yaml, and keep other files out"
            raise unusable(str(path), "is none of the dumps that are read", hint)
        if resource in found:
            raise unusable(str(path), f"stands beside {found[resource].name}", "keep one of them")
        found[resource] = path
    if not found:
        hint = f"fill it with `kubectl get ... -o json`: {', '.join(RESOURCES)}"
        raise unusable(str(folder), "holds no dump", hint)
    return {
        resource: read_dump(RESOURCES[resource], str(path), files.read(path, MAX_BYTES))
        for resource, path in sorted(found.items())
    }


def _listed(folder: Path) -> list[Path]:
    try:
        return sorted(path for path in folder.iterdir() if not path.name.startswith("."))
    except OSError as error:
        words = error.strerror or str(error)
        raise files.unsafe(folder, f"cannot be listed: {words}", "give --from a folder") from error


def read_kubectl(context: str, cluster: Cluster) -> dict[str, Dump]:
    """The objects of the cluster behind a kubectl context; raises Unsafe, or Invalid."""
    printed: dict[str, bytes] = {}
    failures: list[Finding] = []
    for resource, words in _commands(cluster).items():
        try:
            printed[resource] = _kubectl("--context", context, *words)
        except Unsafe as failure:
            failures += failure.findings
    if failures:
        raise Unsafe(*failures)
    return {
        resource: read_dump(RESOURCES[resource], f"kubectl {_named(resource)}", data)
        for resource, data in printed.items()
    }


def _named(resource: str) -> str:
    return resource if resource == "version" else f"get {resource}"


def _commands(cluster: Cluster) -> Mapping[str, list[str]]:
    everywhere = "--all-namespaces"
    scopes = {
        "resourcequotas": [everywhere],
        "configmaps": [
            f"--namespace={cluster.namespace}",
            f"--field-selector=metadata.name={cluster.config_map_name}",
        ],
    }
    kinds = {"resourceslices": "resourceslices.resource.k8s.io"}
    kinds["deviceclasses"] = "deviceclasses.resource.k8s.io"
    commands = {
        resource: ["get", kinds.get(resource, resource), *scopes.get(resource, [])]
        for resource in RESOURCES
    }
    commands["version"] = ["version"]
    return {resource: [*words, "--output=json"] for resource, words in commands.items()}


def _kubectl(*arguments: str) -> bytes:
    import subprocess

    command = "kubectl " + " ".join(arguments)
    try:
        done = subprocess.run(
            ["kubectl", *arguments], capture_output=True, check=False, timeout=TIMEOUT
        )
    except FileNotFoundError as error:
        raise _failed(command, "kubectl is not installed", "install it, or use --from") from error
    except (OSError, subprocess.TimeoutExpired) as error:
        raise _failed(command, f"kubectl cannot be run: {error}") from error
    if done.returncode != 0:
        words = done.stderr.decode("utf-8", "replace").strip() or f"exit {done.returncode}"
        raise _failed(command, words, _NO_DRA if "have a resource type" in words else "")
    return done.stdout


def _failed(command: str, words: str, hint: str = "") -> Unsafe:
    hint = hint or "it only reads: ask for the right to get and list these objects"
    return Unsafe(Finding("GC503", "error", None, None, None, f"`{command}`: {words}", hint))
