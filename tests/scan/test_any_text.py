"""No text makes scan fail, and every finding stands at a label."""

from hypothesis import given
from hypothesis import strategies as st

from generator.scan.seen import findings
from tests.scan.retired import LABELS, seen_in

WORDS = (
    "nvidia.com/gpu requests.nvidiax.com/gpu nvidia.com/a10g requests.nvidia.com/a10g"
    " requests\\.nvidiax\\.com/gpu /nvidiax.com~1gpu"
    ' : { } [ ] " \' ` """ \\n \\ # // /* */ {{ }} {# ~~~'
    " limits resources hard gpuLabel key | >- --- apiVersion: kind: v1 Pod metadata: {name: a} - ,"
    " &a *a !t ? << = ``` ```yaml BEGIN END gpu-catalog gpu-labels-retired \0 ä🙂\u2028"
)
PIECES = st.sampled_from([*WORDS.split(" "), " ", "  ", "\n", "\r\n", "\t"])
NAMES = ["a.yaml", "a.json", "a.j2", "a.ts", "a.py", "a.go", "a.md", "a.tf", "a.txt", "a"]


@given(st.lists(PIECES, max_size=25).map("".join), st.sampled_from(NAMES))
def test_every_finding_stands_at_a_label(text: str, name: str) -> None:
    seen = seen_in(name, text)
    if seen is None or seen.text is None:
        return
    lines = text.split("\n")
    for finding in findings(seen, ""):
        assert finding.line
        assert finding.column
        starts = [hit.start for hit in LABELS.hits(lines[finding.line - 1])]
        assert finding.column - 1 in starts


@given(st.binary(max_size=200), st.sampled_from(NAMES))
def test_any_bytes_are_survived(noise: bytes, name: str) -> None:
    for data in (noise + b" nvidia.com/gpu " + noise, b"\xff\xfe" + noise):
        seen = seen_in(name, data)
        if seen and seen.text:
            assert seen.text.encode(seen.text.text) == data
            assert findings(seen, "")
