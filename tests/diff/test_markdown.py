"""The comment of a pull request: names read as they are, and it fits whatever the change."""

import re

from markdown_it import MarkdownIt

from generator.diff.markdown import MAX_LENGTH, markdown
from generator.diff.report import report
from tests.diff.projects import BASE, edited, project

NAME = "*L4* <b>24</b> | [x](y) &amp; $1 #2 _a_ ~~b~~"


def texts(comment: str) -> str:
    tokens = MarkdownIt("commonmark").enable("table").parse(comment)
    return "\n".join(
        "".join(child.content for child in token.children or ())
        for token in tokens
        if token.type == "inline"
    )


def test_names_read_as_they_are() -> None:
    new = project(edited(("name: NVIDIA L4", f"name: '{NAME}'")))
    comment = markdown(report(project(BASE), new), "catalog.yaml", "git:main")
    assert f"nvidia.com/l4 is called {NAME} instead of NVIDIA L4." in texts(comment)


def test_backticks_and_bars_in_code_read_as_they_are() -> None:
    note = "what `nvidia-smi` says, or ``more`` | less"
    new = project(edited(("note: Say which.", f"note: '{note}'")))
    said = texts(markdown(report(project(BASE), new), "catalog.yaml", "git:a`b|c"))
    assert f"The note of nvidia.com/any reads {note} instead of Say which.." in said
    assert "compared with git:a`b|c." in said


def test_a_backtick_in_a_name_begins_no_code() -> None:
    name = ("name: NVIDIA L4", "name: 'a`b'")
    label = ("label: nvidia.com/l4", "label: nvidia.com/l4x")
    comment = markdown(
        report(project(edited(name)), project(edited(name, label))), "catalog.yaml", "git:main"
    )
    said = (
        "a`b is asked for as nvidia.com/l4x from now on. Actions that still say nvidia.com/l4 are"
    )
    assert said in texts(comment)


def test_quota_keys_of_one_cluster_stay_on_the_others() -> None:
    new = project(
        edited(
            ("[gpu_a10g, gpu_a100]", "[gpu_a100, gpu_l4]"),
            (
                "retired_labels:",
                "retired_labels:\n  - {label: nvidia.com/any, reason: withdrawn}",
            ),
            (BASE[BASE.index("  - name: Any GPU") : BASE.index("retired_labels:")], ""),
        )
    )
    comment = markdown(report(project(BASE), new), "catalog.yaml", "git:main")
    plan = [line[3:] for line in comment.splitlines() if re.match(r"\d\. .*quota", line)]
    assert plan == [
        "Give every tenant's quota on `two` `requests.nvidia.com/l4`, 0 where nothing was bought.",
        "Once no workload asks for it there, drop `requests.nvidia.com/any` from every quota on"
        " `one`.",
        "Once no workload asks for it there, drop `requests.nvidia.com/a10g` from every quota on"
        " `two`.",
    ]


def test_a_long_report_is_cut_to_what_a_comment_holds() -> None:
    lines = "".join(
        f"  - component: gpu_{number}\n    name: GPU {number}\n    label: nvidia.com/gpu-{number}\n"
        f"    node_selector: {{gpu: a{number}}}\n"
        for number in range(300)
    )
    new = project(edited(("  - name: Any GPU", lines + "  - name: Any GPU")))
    comment = markdown(report(project(BASE), new), "catalog.yaml", "git:main")
    assert "`requests.nvidia.com/gpu-39` and 260 more, 0 where nothing was bought." in comment
    assert MAX_LENGTH * 0.9 < len(comment) < 65_536
    assert comment.endswith(
        "\n\n... and more than a comment holds: `gpu-catalog diff` says it all.\n"
    )
