"""k8s-root-actor's reading of `THEMELIO_GPU_LABELS_CONFIG`."""

import pytest

from generator.actions import Entry, Refused, read_gpu_labels

ENTRY = 'node_selector: {accelerator: a}, mig_enabled: "false"'


def test_reads_every_entry_in_its_order() -> None:
    document = f"gpu_labels: {{x.io/b: {{{ENTRY}}}, x.io/a: {{{ENTRY}}}}}"
    entry = Entry({"accelerator": "a"}, "false")
    assert list(read_gpu_labels(document).items()) == [("x.io/b", entry), ("x.io/a", entry)]


@pytest.mark.parametrize(
    ("document", "message"),
    [
        pytest.param("", "the document must be a mapping", id="empty"),
        pytest.param("[]", "the document must be a mapping", id="list"),
        pytest.param("gpus: {}", "must hold exactly gpu_labels", id="no-gpu_labels"),
        pytest.param("gpu_labels:", "gpu_labels must be a mapping", id="null-labels"),
        pytest.param("gpu_labels: {}", "gpu_labels must be a mapping", id="no-labels"),
        pytest.param(
            f"{{gpu_labels: {{x.io/a: {{{ENTRY}}}}}, retired: []}}",
            "the document must hold exactly gpu_labels",
            id="more-beside-gpu_labels",
        ),
        pytest.param(
            f"gpu_labels: {{yes: {{{ENTRY}}}}}",
            "a label must be a string, not True",
            id="bool-label",
        ),
        pytest.param(
            "gpu_labels: {x.io/a: {node_selector: {a: b}}}",
            "must hold exactly mig_enabled and node_selector",
            id="no-mig_enabled",
        ),
        pytest.param(
            f"gpu_labels: {{x.io/a: {{{ENTRY}, component: gpu_a}}}}",
            "must hold exactly mig_enabled and node_selector",
            id="more-in-an-entry",
        ),
        pytest.param(
            "gpu_labels: {x.io/a: {node_selector: {a: b}, mig_enabled: false}}",
            "gpu_labels['x.io/a'].mig_enabled must be a string, not False",
            id="unquoted-false",
        ),
        pytest.param(
            'gpu_labels: {x.io/a: {node_selector: {}, mig_enabled: "false"}}',
            "node_selector must be a mapping that is not empty",
            id="empty-selector",
        ),
        pytest.param(
            'gpu_labels: {x.io/a: {node_selector: a100, mig_enabled: "false"}}',
            "node_selector must be a mapping that is not empty",
            id="text-selector",
        ),
        pytest.param(
            'gpu_labels: {x.io/a: {node_selector: {gpu: true}, mig_enabled: "false"}}',
            "node_selector['gpu'] must be a string, not True",
            id="bool-selector",
        ),
        pytest.param(
            'gpu_labels: {x.io/a: {node_selector: {1: a}, mig_enabled: "false"}}',
            "a key of gpu_labels['x.io/a'].node_selector must be a string, not 1",
            id="number-selector-key",
        ),
        pytest.param("gpu_labels: {", "not YAML", id="broken"),
    ],
)
def test_refuses_what_the_readers_refuse(document: str, message: str) -> None:
    with pytest.raises(Refused) as refused:
        read_gpu_labels(document)
    assert message in str(refused.value)
