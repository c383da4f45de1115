"""What only looks like a retired label is never reported; prose and comments are notes."""

from pathlib import Path

import pytest

from generator.files.walking import Walk
from generator.scan.seen import findings
from tests.scan.retired import seen_in, severities

LOOK_ALIKES = Path(__file__).parent / "look-alikes"


def test_nothing_is_reported_of_the_tree_of_look_alikes() -> None:
    paths = list(Walk(str(LOOK_ALIKES), None, lambda *_: None).files())
    assert len(paths) >= 12
    for path in paths:
        data = Path(path).read_bytes()
        assert b"nvidia.com/gpu" in data
        seen = seen_in(path, data)
        assert seen is None, seen.sightings


@pytest.mark.parametrize(
    "text",
    [
        "nvidia.com/gpu.product",
        "nvidia.com/gpu-shared",
        "nvidia.com/gpu_count",
        "nvidia.com/gpus",
        "nvidia.com/gpu/x",
        "nvidia.com/gpu2",
        "nvidia.com/mig-1g.5gb.me",
        "nvidia.com/mig-1g.5gb+me",
        "nvidia.com/gpu{{ suffix }}",
        "nvidia.com/gpu${SUFFIX}",
        "xnvidia.com/gpu",
        "docs.nvidia.com/gpu",
        "https://nvidia.com/gpu",
        "my-nvidia.com/gpu",
        "xrequests.nvidia.com/gpu",
        "nvidia.com/GPU",
        "nvidia.com/gpu=true",
        "nvidia.com/gpu=all",
        "nvidia.com/gpu:NoSchedule",
        "nvidia.com/gpu=present:NoExecute",
        "requests.nvidia.com/gpu=0",
        "nvidia\\.com/gpu\\.product",
        "nvidia\\.com/gpu=true",
        "docs\\.nvidia\\.com/gpu",
        "https://nvidia\\.com/gpu",
        "nvidia.com~1gpu.present",
        "docs.nvidia.com~1gpu",
        "metadata.labels.nvidia\\.com/gpu",
        "/metadata/labels/nvidia.com~1gpu",
        "hard.requests\\.nvidia\\.com/gpu=0",
    ],
)
def test_names_that_only_hold_a_label(text: str) -> None:
    lines = [f"gpuLabel: {text}", f"resources: {{limits: {{{text}: 1}}}}", f"a = '{text}'", text]
    for name in ("a.yaml", "a.ts", "a.py", "a.go", "a.md", "a.sh"):
        assert severities(name, "\n".join(lines)) == []


@pytest.mark.parametrize(
    "text",
    [
        "Use nvidia.com/gpu.",
        "`nvidia.com/gpu`, requests.nvidia.com/gpu and (limits.nvidia.com/gpu)",
        "| nvidia.com/gpu | nvidia.com/a10g |",
        "nvidia.com/gpu",
    ],
)
@pytest.mark.parametrize("name", ["a.md", "README.txt", "docs/a.rst", "CHANGELOG"])
def test_prose_is_a_note(name: str, text: str) -> None:
    found = severities(name, f"# Labels\n\n{text}\n")
    assert found
    assert set(found) == {"note"}


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("a.yaml", "# gpuLabel: nvidia.com/gpu\na: 1\n"),
        ("a.yaml", "a: 1 # was nvidia.com/gpu\n"),
        ("a.yaml", "a: 'b # c' # was nvidia.com/gpu\n"),
        ("a.yaml", "description: Use nvidia.com/gpu for any GPU\n"),
        ("a.yaml", "description: |\n  Use nvidia.com/gpu for\n  any GPU.\n"),
        ("a.yaml", "data:\n  a.yaml: |\n    # limits of nvidia.com/gpu\n    b: 1\n"),
        ("a.yaml.j2", "{# gpuLabel: nvidia.com/gpu #}\na: {{ b }}\n"),
        ("a.tpl", "{{/* the label\n  gpuLabel: nvidia.com/gpu */}}\n"),
        ("a.jsonc", '{\n  // "nvidia.com/gpu": 1\n  "a": 1\n}\n'),
        ("a.json", '{"description": "Use nvidia.com/gpu."}'),
        ("a.ts", '// "nvidia.com/gpu"\n'),
        ("a.ts", "/*\n * 'nvidia.com/gpu'\n */\n"),
        ("a.ts", 'const a = "Use nvidia.com/gpu.";\n'),
        ("a.py", '# "nvidia.com/gpu"\n'),
        ("a.py", '"""Gives "nvidia.com/gpu" back."""\n'),
        ("a.go", '/* "nvidia.com/gpu" */\n'),
        ("a.sh", "# ask for nvidia.com/gpu\n"),
        ("a.tf", "// ask for nvidia.com/gpu\n"),
        ("a.html", "<p>Ask for <code>nvidia.com/gpu</code></p>\n"),
        ("a.md", "```sh\n# ask for nvidia.com/gpu\n```\n"),
        ("a.md", "```text\nNo nvidia.com/gpu left.\n```\n"),
        ("a.md", "```\nNo nvidia.com/gpu left.\n```\n"),
        ("a.yaml", "# .spec.hard.requests\\.nvidia\\.com/gpu\n"),
    ],
)
def test_comments_and_texts_for_people_are_notes(name: str, text: str) -> None:
    assert severities(name, text) == ["note"]


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("a.yaml", "resourceName: nvidia.com/gpu\n"),
        ("a.yaml", "enum: [nvidia.com/gpu]\n"),
        ("a.yaml", "enum:\n- nvidia.com/gpu\n"),
        ("a.yaml", "args: [--resource=nvidia.com/gpu]\n"),
        ("a.yaml", "spec: {limits: [{max: {nvidia.com/gpu: 1}}]}\n"),
        ("a.yaml.j2", "label: {{ label | default('nvidia.com/gpu') }}\n"),
        ("a.sh", "kubectl create quota gpu --hard=requests.nvidia.com/gpu=4\n"),
        ("a.tf", '  "nvidia.com/gpu" = "1"\n'),
        ("a.rs", 'const GPU: &str = "nvidia.com/gpu";\n'),
        ("Dockerfile", "ENV GPU_LABEL nvidia.com/gpu\n"),
        (".env", "GPU_LABEL=nvidia.com/gpu\n"),
        ("a.md", "```sh\necho nvidia.com/gpu\n```\n"),
        ("a.md", "```console\n$ kubectl create quota a --hard=requests.nvidia.com/gpu=4\n```\n"),
        ("a.md", "```yaml\nargs: [--resource=nvidia.com/gpu]\n```\n"),
        ("a.yaml", "- {op: remove, path: /spec/a/limits/nvidia.com~1gpu}\n"),
        ("a.yaml", "- op: add\n  path: /spec/hard/requests.nvidia.com~1gpu\n  value: '01'\n"),
        ("a.json", '{\n"a": "\\n --hard=requests\\\\.nvidia\\\\.com/gpu"}\n'),
        ("a.sh", "helm install --set 'resources.limits.nvidia\\.com/gpu=1'\n"),
        ("a.sh", "kubectl get quota -o custom-columns=A:.spec.hard.requests\\.nvidia\\.com/gpu\n"),
        ("a.py", 'LABEL = re.compile(r"nvidia\\.com/gpu")\n'),
        ("a.ts", 'const label = "nvidia\\\\.com/gpu";\n'),
    ],
)
def test_a_place_that_is_not_known_is_a_warning(name: str, text: str) -> None:
    assert severities(name, text) == ["warning"]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (
            ".spec.hard.requests\\.nvidiax\\.com/gpu",
            "requests\\.nvidiax\\.com/gpu is retired (a typo), and stands in a path or a pattern;"
            " write requests\\.nvidia\\.com/a10g",
        ),
        (
            "/hard/requests.nvidiax.com~1gpu",
            "requests.nvidiax.com~1gpu is retired (a typo), and stands in a path or a pattern;"
            " write requests.nvidia.com~1a10g",
        ),
        (
            "limits.nvidia\\.com/mig-1g\\.5gb",
            "nvidia\\.com/mig-1g\\.5gb is retired (it was renamed), and stands in a path or a"
            " pattern; write nvidia\\.com/a100-mig-1g\\.5gb",
        ),
    ],
)
def test_an_escaped_label_has_its_replacement_in_the_same_form(text: str, message: str) -> None:
    seen = seen_in("a.sh", f"x {text}\n")
    assert seen
    assert [f"{one.message}; {one.hint}" for one in findings(seen, "")] == [message]
    assert seen.sure == []


def test_a_quota_of_0_as_a_json_patch_is_not_reported() -> None:
    patch = "- op: add\n  path: /spec/hard/requests.nvidia.com~1gpu\n  value: '0'\n"
    assert severities("a.yaml", patch) == []


def test_a_binary_file_is_one_warning() -> None:
    seen = seen_in("image.bin", b"\0nvidia.com/gpu nvidia.com/gpu")
    assert seen is not None
    assert seen.text is None
    assert seen_in("image.bin", b"\0nvidia.com/gpu.product") is None


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("a.yaml", "gpuLabel: nvidia.com/gpu # gpu-catalog: ignore\n"),
        ("a.ts", 'const a = "nvidia.com/gpu"; // gpu-catalog: ignore, the plugin\'s own\n'),
        ("a.md", "nvidia.com/gpu <!-- gpu-catalog: ignore -->\n"),
    ],
)
def test_a_line_that_asks_for_it_is_passed_over(name: str, text: str) -> None:
    assert severities(name, text) == []
    assert len(severities(name, text + text.split(" gpu-catalog", maxsplit=1)[0])) == 1


def test_the_published_table_of_retired_labels_is_passed_over() -> None:
    table = (
        "<!-- BEGIN gpu-catalog gpu-labels-retired -->\n| `nvidia.com/gpu` | `nvidia.com/a10g` |\n"
        "<!-- END gpu-catalog gpu-labels-retired -->\n"
    )
    assert severities("labels.md", table) == []
    assert severities("labels.md", table + "nvidia.com/gpu\n") == ["note"]
