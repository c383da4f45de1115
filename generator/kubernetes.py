"""Kubernetes' own limits: names, the quota prefix, versions and feature gates.

Sources: apimachinery `pkg/api/validate/content`, `pkg/apis/core/v1/helper/helpers.go`,
`pkg/apis/resource/validation`, KEP-5004 `kep.yaml`.
"""

from __future__ import annotations

import re

QUOTA_PREFIX = "requests."
IMPLICIT_PREFIX = "deviceclass.resource.kubernetes.io/"
"""Every DeviceClass is also this extended resource, whatever its `extendedResourceName`."""
DEVICES_SUFFIX = ".deviceclass.resource.k8s.io/devices"
"""Behind a class's name: the quota key that counts what claims take through the class."""

MAX_NAME = 63
MAX_SUBDOMAIN = 253
MAX_CEL_BYTES = 10 * 1024
MAX_DEVICES_PER_POD = 32
"""AllocationResultsMaxSize: devices that one scheduler-made claim can hold."""
MAX_ENVIRONMENT_BYTES = 131_071
"""MAX_ARG_STRLEN of Linux, less its terminating NUL: one `NAME=value`."""

OLDEST_VERSION = (1, 34)
UNGATED_VERSION = (1, 36)
GA_VERSION = (1, 37)
NEWEST_KNOWN_VERSION = (1, 37)
REQUIRED_GATES = ("DynamicResourceAllocation", "DRAExtendedResource")

DRIVER = "gpu.nvidia.com"
GPU_CLASSES = (DRIVER, "mig.nvidia.com", "vfio.gpu.nvidia.com")
"""The driver's classes of GPUs; that of whole GPUs is called like the driver."""
DRIVER_CLASSES = (
    *GPU_CLASSES,
    "compute-domain-daemon.nvidia.com",
    "compute-domain-default-channel.nvidia.com",
)
"""Classes that the driver's chart owns; an upgrade overwrites any edit of them."""
GENERIC_LABEL = "nvidia.com/gpu"
"""Any whole GPU: what a device plugin advertises, and what the chart calls its class of them."""
SHARED_LABEL = f"{GENERIC_LABEL}.shared"
"""A part of any whole GPU, where a device plugin is set to share them."""
PLUGIN_LABEL = "nvidia.com/dra-kubelet-plugin"
"""On nodes whose GPUs are handed out through DRA: the driver's plugin runs only there."""
OPT_OUT_LABEL = "nvidia.com/gpu.deploy.device-plugin"
"""With "false" on a node, the GPU Operator keeps its device plugin off it."""

SYSTEM_PREFIX = "kube-"
"""What the names of Kubernetes' own namespaces begin with; it is reserved for them."""
PLATFORM_NAMESPACES = ("default", "gpu-operator", "dra-driver-nvidia-gpu")
"""Where no tenant works, beside Kubernetes' own namespaces and that of the ConfigMap."""

_SUBDOMAIN = re.compile(r"[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*\Z")
_NAME = re.compile(r"([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]\Z")


def is_dns_subdomain(text: str, limit: int = MAX_SUBDOMAIN) -> bool:
    """DNS-1123 subdomain, at most `limit` characters; its parts may exceed 63, as in Kubernetes."""
    return len(text) <= limit and _SUBDOMAIN.match(text) is not None


def is_qualified_name(text: str) -> bool:
    """A label key or resource name: `[prefix/]name` (content.IsLabelKey)."""
    prefix, slash, name = text.rpartition("/")
    if slash and not is_dns_subdomain(prefix):
        return False
    return len(name) <= MAX_NAME and _NAME.match(name) is not None


def is_label_value(text: str) -> bool:
    """A node label's value: empty, or at most 63 characters of a qualified name's name part."""
    return text == "" or (len(text) <= MAX_NAME and _NAME.match(text) is not None)


def is_extended_resource(text: str) -> bool:
    """Whether pods can request the name as an extended resource (helper.IsExtendedResourceName)."""
    return (
        "/" in text
        and "kubernetes.io/" not in text
        and not text.startswith(QUOTA_PREFIX)
        and is_qualified_name(QUOTA_PREFIX + text)
    )


def is_platform(namespace: str, own: str) -> bool:
    """Whether no tenant works in the namespace, `own` being that of the ConfigMap."""
    return namespace in (*PLATFORM_NAMESPACES, own) or namespace.startswith(SYSTEM_PREFIX)


def version_of(text: str) -> tuple[int, int]:
    """Major and minor of `1.36`, `1.36.4` or `v1.36.4-eks-1`; raises ValueError otherwise."""
    match = re.match(r"v?(\d{1,4})\.(\d{1,4})(?![\d])", text)
    if match is None:
        raise ValueError(f"not a Kubernetes version: {text!r}")
    return int(match[1]), int(match[2])
