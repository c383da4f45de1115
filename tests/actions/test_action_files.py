"""Action files: which are accepted, and where and how the others are refused."""

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from generator.action_file import check_file
from generator.actions import Request
from tests.actions.labels import LABELS


def action(options: str, kind: str = "k8s-deployment") -> str:
    return f"type: {kind}\noptions: {options}\n"


def found(text: str | bytes, cluster: str | None = "themelio") -> list[str]:
    data = text if isinstance(text, bytes) else text.encode()
    return [
        f"{finding.line}:{finding.column} {finding.severity} {finding.code}"
        for finding in check_file("job.yaml", data, LABELS, cluster).findings
    ]


@pytest.mark.parametrize(
    "text",
    [
        pytest.param(action("{gpus: 1, gpuLabel: nvidia.com/a100}"), id="deployment"),
        pytest.param(
            action("{gpus: 2, gpuLabel: nvidia.com/a10g}", "k8s-inferenceservice"), id="inference"
        ),
        pytest.param(action("{gpus: 0}"), id="no-gpu"),
        pytest.param(action("{}"), id="no-options-given"),
        pytest.param("type: k8s-deployment\n", id="no-options"),
        pytest.param("type: k8s-deployment\noptions:\n", id="null-options"),
        pytest.param(action("{gpus: 0, gpuLabel: null}"), id="null-label-without-gpus"),
        pytest.param(action("{gpus: 32, gpuLabel: nvidia.com/a100}"), id="32-gpus"),
        pytest.param(action("{gpus: x, gpuLabel: 7}", "slurm"), id="another-type-is-left-alone"),
        pytest.param(
            action("{gpus: 1, gpuLabel: nvidia.com/a100, image: !x [a, a], env: {gpus: x}}"),
            id="all-else-is-left-alone",
        ),
        pytest.param(
            '{"type": "k8s-deployment", "options": {"gpus": 1, "gpuLabel": "nvidia.com/a100"}}',
            id="json",
        ),
        pytest.param("---\n" + action("{gpus: 0}") + "---\n", id="an-empty-document-at-the-end"),
        pytest.param(
            "base: &base {gpus: 1, gpuLabel: nvidia.com/a10g}\n"
            "actions:\n"
            "  - {type: k8s-deployment, options: *base}\n"
            "  - {type: k8s-deployment, options: {<<: *base, gpuLabel: nvidia.com/a100}}\n"
            "  - {type: k8s-deployment, options: {<<: [{gpus: 2}, *base]}}\n",
            id="aliases-and-merge-keys",
        ),
        pytest.param("\ufeff" + action("{gpus: 0}").replace("\n", "\r\n"), id="bom-and-crlf"),
        pytest.param("a: &a\n  <<: *a\ntype: k8s-deployment\n", id="a-merge-of-itself"),
    ],
)
def test_accepted(text: str) -> None:
    assert found(text) == []


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param("type: [", ["1:7 error GC601"], id="broken"),
        pytest.param(b"type: a\nx: \xff\n", ["2:4 error GC601"], id="not-utf8"),
        pytest.param("a: *b\n", ["1:4 error GC601"], id="alias-of-nothing"),
        pytest.param("[" * 200, ["1:101 error GC601"], id="too-deep"),
        pytest.param("", ["1:1 error GC602"], id="empty"),
        pytest.param("- a\n", ["1:1 error GC602"], id="list"),
        pytest.param("options: {gpus: 1}\n", ["1:1 error GC602"], id="no-type"),
        pytest.param("type: {a: b}\n", ["1:7 error GC602"], id="type-is-a-mapping"),
        pytest.param("actions: {type: a}\n", ["1:10 error GC602"], id="actions-is-a-mapping"),
        pytest.param("actions:\n  - type: a\n  - b\n", ["3:5 error GC602"], id="one-is-no-action"),
        pytest.param(action("[]"), ["2:10 error GC602"], id="options-is-a-list"),
        pytest.param(
            action("{gpus: 1, gpuLabel: [nvidia.com/a100]}"),
            ["2:30 error GC606"],
            id="label-is-a-list",
        ),
        pytest.param(
            "type: k8s-deployment\ntype: k8s-deployment\n", ["2:1 error GC603"], id="type-twice"
        ),
        pytest.param(
            action("\n  gpus: 1\n  gpuLabel: nvidia.com/a100\n  gpus: 2"),
            ["5:3 error GC603"],
            id="gpus-twice",
        ),
        *(
            pytest.param(
                action(f"{{gpuLabel: nvidia.com/a100, gpus: {value}}}"),
                ["2:44 error GC604"],
                id=f"gpus-{name}",
            )
            for name, value in {
                "negative": "-1",
                "decimal": "1.0",
                "exponent": "1e0",
                "octal": "01",
                "underscore": "1_0",
                "text": '"1"',
                "word": "one",
                "bool": "true",
                "null": "null",
                "list": "[1]",
                "tagged": "!!int 1",
                "endless": "9" * 5000,
            }.items()
        ),
        pytest.param(action("{gpus: 1}"), ["2:17 error GC605"], id="no-label"),
        pytest.param(action("{gpus: 1, gpuLabel: ~}"), ["2:17 error GC605"], id="null-label"),
        pytest.param(action("{gpus: 1, gpuLabel: ''}"), ["2:30 error GC606"], id="empty-label"),
        pytest.param(
            action("{gpus: 1, gpuLabel: nvidia.com/A100}"), ["2:30 error GC606"], id="wrong-case"
        ),
        pytest.param(
            action("{gpus: 1, gpuLabel: requests.nvidia.com/a100}"),
            ["2:30 error GC606"],
            id="quota-key",
        ),
        pytest.param(
            action("{gpus: 0, gpuLabel: nvidia.com/b200}"),
            ["2:30 warning GC610", "2:30 error GC606"],
            id="unknown-without-gpus",
        ),
        pytest.param(
            action("{gpus: 1, gpuLabel: nvidiax.com/gpu}"), ["2:30 error GC607"], id="retired"
        ),
        pytest.param(
            action("{gpus: 1, gpuLabel: nvidia.com/t4}"),
            ["2:30 error GC608", "2:30 warning GC609"],
            id="on-another-cluster-and-deprecated",
        ),
        pytest.param(
            action("{gpuLabel: nvidia.com/a100}"), ["2:21 warning GC610"], id="label-without-gpus"
        ),
        pytest.param(
            action("{gpus: 33, gpuLabel: nvidia.com/a100}"), ["2:17 warning GC611"], id="33-gpus"
        ),
        pytest.param(
            action("{gpus: 1}")
            + "---\nactions:\n  - type: k8s-deployment\n    options: {gpus: 2}\n",
            ["2:17 error GC605", "6:21 error GC605"],
            id="every-action-of-every-document",
        ),
        pytest.param(
            "base: &base {gpus: 1}\nactions:\n"
            "  - {type: k8s-deployment, options: *base}\n"
            "  - {type: k8s-deployment, options: *base}\n",
            ["1:20 error GC605"],
            id="shared-options-are-one-place",
        ),
    ],
)
def test_refused_at(text: str | bytes, expected: list[str]) -> None:
    assert found(text) == expected


@pytest.mark.parametrize(
    ("cluster", "label", "expected"),
    [
        pytest.param(None, "nvidia.com/a10g", [], id="on-every-cluster"),
        pytest.param(None, "nvidia.com/a100", ["2:30 note GC608"], id="on-one-of-two"),
        pytest.param("old", "nvidia.com/a100", ["2:30 error GC608"], id="not-on-the-cluster-asked"),
        pytest.param("old", "nvidia.com/t4", ["2:30 warning GC609"], id="deprecated-there"),
    ],
)
def test_clusters(cluster: str | None, label: str, expected: list[str]) -> None:
    assert found(action(f"{{gpus: 1, gpuLabel: {label}}}"), cluster) == expected


@pytest.mark.parametrize(
    ("options", "message", "hint"),
    [
        pytest.param(
            "{gpus: 1, gpuLabel: nvidia.com/gpu}",
            "nvidia.com/gpu is retired (generic) and never valid again",
            "use nvidia.com/a10g or nvidia.com/a100 instead",
            id="retired",
        ),
        pytest.param(
            "{gpus: 1, gpuLabel: nvidia.com/k80}",
            "nvidia.com/k80 is retired (withdrawn) and never valid again",
            "nothing replaces it",
            id="withdrawn",
        ),
        pytest.param(
            "{gpus: 1, gpuLabel: nvida.com/a100}",
            "nvida.com/a100 is no GPU label",
            "did you mean nvidia.com/a100?",
            id="typo",
        ),
        pytest.param(
            "{gpus: 1, gpuLabel: [nvidia.com/a100,\n   b]}",
            "[nvidia.com/a100, b] is no GPU label",
            "did you mean nvidia.com/a100?",
            id="list",
        ),
        pytest.param(
            "{gpus: 1, gpuLabel: x}",
            "x is no GPU label",
            "use one of"
            " nvidia.com/a10g, nvidia.com/a100, nvidia.com/a100-mig-1g.5gb, nvidia.com/t4",
            id="nothing-close",
        ),
        pytest.param(
            "{gpus: 1, gpuLabel: nvidia.com/a100}",
            "nvidia.com/a100 is not offered on old, only on themelio",
            "",
            id="elsewhere",
        ),
        pytest.param(
            "{gpus: 1}",
            "`gpuLabel` is required when `gpus` is more than 0 in a k8s-deployment",
            "add `gpuLabel`, one of"
            " nvidia.com/a10g, nvidia.com/a100, nvidia.com/a100-mig-1g.5gb, nvidia.com/t4",
            id="no-label",
        ),
    ],
)
def test_words(options: str, message: str, hint: str) -> None:
    [finding] = check_file("job.yaml", action(options).encode(), LABELS).findings
    assert (finding.message, finding.hint) == (message, hint)


def test_excerpt_shows_the_place() -> None:
    text = action("{gpus: 1, gpuLabel: nvidiax.com/gpu}")
    [finding] = check_file("job.yaml", text.encode(), LABELS).findings
    assert finding.excerpt == (
        "  options: {gpus: 1, gpuLabel: nvidiax.com/gpu}\n                               ^"
    )


NAMES = ["type", "options", "gpus", "gpuLabel", "actions", "k8s-deployment", "nvidia.com/a100"]
NUMBERS = ["1", "-1", "0"]
MARKS = ["<<", "*a", "&a ", "[", "]", "{", "}", "- ", ": ", ", ", "\n", "  ", "---\n", "#", '"']
WORDS = st.sampled_from([*NAMES, *NUMBERS, *MARKS])


@given(st.lists(WORDS, max_size=40).map("".join))
def test_no_text_breaks_the_reader(text: str) -> None:
    found(text)


@given(st.binary(max_size=60))
def test_no_byte_breaks_the_reader(data: bytes) -> None:
    found(data)


@given(
    kind=st.sampled_from(["k8s-deployment", "k8s-inferenceservice"]),
    gpus=st.integers(0, 40),
    label=st.sampled_from(["nvidia.com/a100", "nvidia.com/h9000", None]),
    flow=st.booleans(),
    more=st.dictionaries(st.text(min_size=1), st.integers() | st.text()),
)
def test_any_layout_says_the_same(
    kind: str, gpus: int, label: str | None, flow: bool, more: dict[str, object]
) -> None:
    options = {**more, "gpus": gpus, "gpuLabel": label}
    text = yaml.safe_dump(
        {"name": "a job", "type": kind, "options": options}, default_flow_style=flow
    )
    read = check_file("job.yaml", text.encode(), LABELS, "themelio")
    assert [action.request for action in read.actions] == [Request(kind, gpus, label)]
    codes = {finding.code for finding in read.findings}
    assert ("GC605" in codes) == (gpus > 0 and label is None)
    assert ("GC606" in codes) == (label == "nvidia.com/h9000")
    assert ("GC611" in codes) == (gpus > 32)
