"""What kubectl and helm talk to instead of a cluster: the kinds of one, and no objects."""

from __future__ import annotations

import contextlib
import json
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

if TYPE_CHECKING:
    from collections.abc import Iterator

KINDS = {
    "v1": {
        "namespaces": "Namespace",
        "nodes": "Node",
        "configmaps": "ConfigMap",
        "pods": "Pod",
        "resourcequotas": "ResourceQuota",
        "secrets": "Secret",
    },
    "apps/v1": {
        "daemonsets": "DaemonSet",
        "deployments": "Deployment",
        "statefulsets": "StatefulSet",
    },
    "batch/v1": {"cronjobs": "CronJob", "jobs": "Job"},
    "kubeflow.org/v1": {"notebooks": "Notebook"},
    "nvidia.com/v1": {"clusterpolicies": "ClusterPolicy"},
    "resource.k8s.io/v1": {
        "deviceclasses": "DeviceClass",
        "resourceclaims": "ResourceClaim",
        "resourceslices": "ResourceSlice",
    },
    "serving.kserve.io/v1beta1": {"inferenceservices": "InferenceService"},
}
OF_CLUSTERS = {"namespaces", "nodes", "clusterpolicies", "deviceclasses", "resourceslices"}


class ApiServer(ThreadingHTTPServer):
    """A server on a port of its own; `asked` are the requests for more than what kinds it has."""

    request_queue_size = 64  # kubectl asks for all kinds at once

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.asked: list[str] = []

    @property
    def url(self) -> str:
        """Where it listens."""
        return f"http://127.0.0.1:{self.server_port}"


@contextlib.contextmanager
def serving() -> Iterator[ApiServer]:
    """A server while the block runs."""
    with ApiServer() as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield server
        server.shutdown()


def _discovery() -> dict[str, object]:
    """What it answers to those who ask what kinds there are, by the path."""
    versions = [{"groupVersion": one, "version": one.partition("/")[2]} for one in KINDS]
    groups = [
        {"name": one["groupVersion"].partition("/")[0], "versions": [one], "preferredVersion": one}
        for one in versions
        if one["version"]
    ]
    return {
        "/api": {"kind": "APIVersions", "versions": ["v1"]},
        "/apis": {"kind": "APIGroupList", "apiVersion": "v1", "groups": groups},
        "/version": {"major": "1", "minor": "36", "gitVersion": "v1.36.0"},
        "/openapi/v3": {"paths": {}},
        **{_root(version): _resources(version) for version in KINDS},
    }


def _root(version: str) -> str:
    return f"/apis/{version}" if "/" in version else f"/api/{version}"


def _resources(version: str) -> dict[str, object]:
    resources = [
        {
            "name": plural,
            "singularName": kind.lower(),
            "kind": kind,
            "namespaced": plural not in OF_CLUSTERS,
            "verbs": ["create", "delete", "get", "list", "patch", "update", "watch"],
        }
        for plural, kind in KINDS[version].items()
    ]
    return {"kind": "APIResourceList", "groupVersion": version, "resources": resources}


DISCOVERY = _discovery()


class _Handler(BaseHTTPRequestHandler):
    server: ApiServer

    def answer(self) -> None:
        path = urlsplit(self.path).path
        if path not in DISCOVERY:
            self.server.asked.append(f"{self.command} {path}")
        found = DISCOVERY.get(path) or (self._object(path) if self.command == "GET" else None)
        status = {"kind": "Status", "apiVersion": "v1", "status": "Failure", "code": 404}
        body = json.dumps(status if found is None else found)
        self.send_response(404 if found is None else 200)
        self.send_header("Content-Type", "application/json")
        self.end_headers()
        self.wfile.write(body.encode())

    do_CONNECT = do_DELETE = do_GET = do_PATCH = do_POST = do_PUT = answer  # noqa: N815 - the base's

    def _object(self, path: str) -> dict[str, object] | None:
        """An empty list, and to `kubectl get` something by any name, so that it prints that."""
        printed = self.headers.get("Kubectl-Command") == "kubectl get"
        *_, above, last = path.split("/")
        for version, kinds in KINDS.items():
            if path.startswith(_root(version) + "/") and last in kinds:
                return {"apiVersion": version, "kind": f"{kinds[last]}List", "items": []}
            if printed and above in kinds:
                return {"apiVersion": version, "kind": kinds[above], "metadata": {"name": last}}
        return {} if printed else None

    def log_message(self, *_: object) -> None:
        """Nothing: what it was asked is in `asked`."""
