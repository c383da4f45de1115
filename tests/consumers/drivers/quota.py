"""Waldur's site agent sets limits as it does for an order; only HTTP is replaced.

Asked: paths of site-agent configurations. Answers for each offering the components that the agent
knows, and the quota that it sends to Kubernetes when every component gets its own limit.
"""

import json
import logging
import sys
from pathlib import Path
from types import SimpleNamespace

logging.disable(logging.CRITICAL)

from kubernetes import config  # noqa: E402
from kubernetes.client import rest  # noqa: E402
from waldur_site_agent.common import utils  # noqa: E402

SENT: list[dict] = []


def request(*_: object, body: dict, **__: object) -> SimpleNamespace:
    """Stand for the connection to Kubernetes: keep what is sent."""
    SENT.append(body)
    return SimpleNamespace(status=200, reason="OK", data=b"{}", getheaders=dict)


def answer(path: str) -> dict[str, object]:
    """What the agent makes of one configuration."""
    configuration = utils.load_configuration(path, user_agent_suffix="consumers")
    [offering] = configuration.offerings
    components = offering.backend_components_dict
    limits = {name: number for number, name in enumerate(components, 1)}
    backend, _ = utils.get_backend_for_offering(offering, "order_processing_backend")
    backend.set_resource_limits("resource", limits)
    labels = {name: fields["label"] for name, fields in components.items()}
    quota = SENT.pop()["spec"]["quota"] if SENT else {}
    return {"labels": labels, "limits": limits, "quota": quota}


def attempt(path: str) -> dict[str, object]:
    """The answer, or the error with which the agent would not go on."""
    try:
        return answer(path)
    except Exception as error:
        return {"error": f"{type(error).__name__}: {error}"}


config.load_incluster_config = lambda: None
rest.RESTClientObject.request = request
real_stdout, sys.stdout = sys.stdout, sys.stderr  # the agent logs to stdout
answers = [attempt(path) for path in json.loads(Path(sys.argv[1]).read_text("utf-8"))]
json.dump(answers, real_stdout)
