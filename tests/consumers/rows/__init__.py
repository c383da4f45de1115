"""The rows of the consumers' table, in its order."""

from tests.consumers.rows import (
    ansible,
    formatters,
    kubeflow,
    kubernetes,
    openapi,
    rollout,
    typescript,
    waldur,
    workloads,
    yaml_readers,
)

ROWS = (
    *waldur.ROWS,
    *ansible.ROWS,
    *kubernetes.ROWS,
    *workloads.ROWS,
    *rollout.ROWS,
    *kubeflow.ROWS,
    *typescript.ROWS,
    *openapi.ROWS,
    *formatters.ROWS,
    *yaml_readers.ROWS,
)
