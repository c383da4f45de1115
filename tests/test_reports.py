"""Findings in each form, exactly as it is printed."""

import json
import re
from pathlib import Path

import pytest

from generator import annotations, files, reports
from generator.findings import Finding, Outcome

ERROR = Finding(
    "GC101",
    "error",
    "catalog.yaml",
    3,
    7,
    "not YAML: found `,`, 100% wrong",
    "close it",
    "  a: [b\n      ^",
)
WARNING = Finding("GC306", "warning", "generated/a b.txt", None, None, "is not generated")
NOTE = Finding("GC308", "note", None, None, None, "for everybody")
OUTCOME = Outcome(
    [ERROR, WARNING, NOTE], message="2 files", output="the command's own\n", facts={"files": 2}
)
MANY = Outcome([WARNING] * 150 + [NOTE] * 30 + [ERROR] * 50)


@pytest.fixture(autouse=True)
def checkout(tmp_path, monkeypatch):
    """A git checkout; the working folder is below its root."""
    (tmp_path / ".git").mkdir()
    (tmp_path / "gpus").mkdir()
    monkeypatch.chdir(tmp_path / "gpus")
    return tmp_path


class TestText:
    def test_a_path_stays_on_its_line(self):
        """Else the name of a file could give commands to the CI system that reads the log."""
        finding = WARNING._replace(path="a\n::error::b\udcff\x1b.yaml")
        outcome = Outcome([finding], message="links: a\n::error::b")
        assert reports.text(outcome) == (
            "a\\n::error::b\\udcff\\x1b.yaml: warning GC306: is not generated\n"
        )
        assert reports.summary(outcome) == "links: a\\n::error::b; 1 warning"

    def test_form(self):
        assert reports.text(OUTCOME) == (
            "the command's own\n"
            "catalog.yaml:3:7: error GC101: not YAML: found `,`, 100% wrong\n"
            "  a: [b\n"
            "      ^\n"
            "hint: close it\n"
            "generated/a b.txt: warning GC306: is not generated\n"
            "note GC308: for everybody\n"
        )

    def test_colour_is_in_the_head_alone(self):
        assert reports.text(OUTCOME, colour=True) == (
            "the command's own\n"
            "catalog.yaml:3:7: \x1b[1;31merror GC101\x1b[0m: not YAML: found `,`, 100% wrong\n"
            "  a: [b\n"
            "      ^\n"
            "hint: close it\n"
            "generated/a b.txt: \x1b[1;33mwarning GC306\x1b[0m: is not generated\n"
            "\x1b[1;36mnote GC308\x1b[0m: for everybody\n"
        )

    def test_line_without_column(self):
        finding = Finding("GC302", "error", "a", 4, None, "is outdated", "", "--- a\n+++ a\n")
        assert reports.text(Outcome([finding])) == ("a:4: error GC302: is outdated\n--- a\n+++ a\n")

    def test_nothing(self):
        assert reports.text(Outcome()) == ""

    def test_the_gravest_are_printed_and_the_rest_counted(self):
        lines = reports.text(MANY).splitlines()
        assert lines.count("generated/a b.txt: warning GC306: is not generated") == 150
        assert sum(line.startswith("catalog.yaml:3:7: error") for line in lines) == 50
        assert not any("note" in line for line in lines)
        assert lines[-1] == "... and 30 more"

    def test_two_hundred_are_printed_in_their_own_order(self):
        outcome = Outcome([NOTE, *[WARNING] * 198, ERROR])
        lines = reports.text(outcome).splitlines()
        assert lines[0] == "note GC308: for everybody"
        assert lines[-1] == "hint: close it"

    @pytest.mark.parametrize(
        ("text", "shown"),
        [
            ("plain ä € 🚀 text", "plain ä € 🚀 text"),
            ("\x1b[2J", "\\x1b[2J"),
            ("a\rb", "a\\rb"),
            ("a\x00b\x9bc", "a\\x00b\\x9bc"),
            ("\u202eabc", "\\u202eabc"),
            ("\u2066a\u2069", "\\u2066a\\u2069"),
            ("a\u2028b", "a\\u2028b"),
            ("\ufeffa", "\\ufeffa"),
            ("\ud800", "\\ud800"),
            ("a\tb", "a\tb"),
        ],
    )
    def test_nothing_moves_the_cursor(self, text, shown):
        assert reports.printable(text) == shown
        finding = Finding("GC101", "error", "a", 1, 1, text, text, text)
        assert reports.text(Outcome([finding])).count(shown) == 3

    def test_a_message_starts_no_line_that_a_ci_system_obeys(self):
        finding = Finding("GC002", "error", "a", 1, 1, "git failed: no\n::error::pwned")
        assert reports.text(Outcome([finding])) == (
            "a:1:1: error GC002: git failed: no\n  | ::error::pwned\n"
        )


@pytest.mark.parametrize(
    ("outcome", "line"),
    [
        (Outcome(), ""),
        (Outcome(message="all is well"), "all is well"),
        (Outcome([ERROR]), "1 error"),
        (Outcome([ERROR, ERROR, WARNING]), "2 errors, 1 warning"),
        (OUTCOME, "2 files; 1 error, 1 warning, 1 note"),
        (Outcome(message="\x1b[2J"), "\\x1b[2J"),
    ],
)
def test_summary(outcome, line):
    assert reports.summary(outcome) == line


class TestExcerpt:
    @pytest.mark.parametrize(
        ("line", "column", "shown"),
        [
            ("a: b", 4, "  a: b\n     ^"),
            ("a: b", 1, "  a: b\n  ^"),
            ("", 1, "  \n  ^"),
            ("a:\tb", 4, "  a:\tb\n    \t^"),
            ("漢字: b", 5, "  漢字: b\n        ^"),
            ("e\u0301: b", 5, "  e\u0301: b\n     ^"),
            ("end   ", 7, "  end\n        ^"),
        ],
    )
    def test_caret(self, line, column, shown):
        assert reports.excerpt(line, column) == shown

    def test_long_lines_are_cut_around_the_column(self):
        line = "x" * 5000 + "!" + "y" * 5000
        shown, caret = reports.excerpt(line, 5001).split("\n")
        assert len(shown) <= 122
        assert shown[len(caret) - 1] == "!"

    def test_finding_at_an_offset(self):
        text = "a: 1\nb: [\nc: 3\n"
        finding = reports.finding_in(
            text, text.index("["), "f.yaml", "GC601", "error", "no", "hint"
        )
        assert finding == Finding("GC601", "error", "f.yaml", 2, 4, "no", "hint", "  b: [\n     ^")


def test_json():
    assert reports.as_json(OUTCOME) == (
        "{\n"
        '  "findings": [\n'
        "    {\n"
        '      "code": "GC101",\n'
        '      "severity": "error",\n'
        '      "path": "catalog.yaml",\n'
        '      "line": 3,\n'
        '      "column": 7,\n'
        '      "message": "not YAML: found `,`, 100% wrong",\n'
        '      "hint": "close it"\n'
        "    },\n"
        "    {\n"
        '      "code": "GC306",\n'
        '      "severity": "warning",\n'
        '      "path": "generated/a b.txt",\n'
        '      "line": null,\n'
        '      "column": null,\n'
        '      "message": "is not generated",\n'
        '      "hint": ""\n'
        "    },\n"
        "    {\n"
        '      "code": "GC308",\n'
        '      "severity": "note",\n'
        '      "path": null,\n'
        '      "line": null,\n'
        '      "column": null,\n'
        '      "message": "for everybody",\n'
        '      "hint": ""\n'
        "    }\n"
        "  ],\n"
        '  "summary": {\n'
        '    "errors": 1,\n'
        '    "warnings": 1,\n'
        '    "notes": 1,\n'
        '    "files": 2\n'
        "  }\n"
        "}\n"
    )


def test_json_has_every_finding():
    assert len(json.loads(reports.as_json(MANY))["findings"]) == 230


class TestGithub:
    def test_form(self):
        assert annotations.github(OUTCOME, "catalog.yaml") == (
            "the command's own\n"
            "::error file=gpus/catalog.yaml,line=3,col=7,title=GC101::"
            "not YAML: found `,`, 100%25 wrong%0A  a: [b%0A      ^%0Aclose it\n"
            "::warning file=gpus/generated/a b.txt,title=GC306::is not generated\n"
            "::notice file=gpus/catalog.yaml,title=GC308::for everybody\n"
        )

    def test_nobody_adds_a_command_of_their_own(self):
        text = "a\n::set-output name=x::y\r::error::%0A,:"
        finding = Finding("GC101", "error", text, 1, None, text, text)
        printed = annotations.github(Outcome([finding]), "catalog.yaml")
        assert printed.count("\n") == 1
        assert "\r" not in printed
        head, _, message = printed.removeprefix("::error ").partition("::")
        assert head == (
            "file=gpus/a%0A%3A%3Aset-output name=x%3A%3Ay%0D%3A%3Aerror%3A%3A%250A%2C%3A"
            ",line=1,title=GC101"
        )
        assert message == "%0A".join(["a%0A::set-output name=x::y\\r::error::%250A,:"] * 2) + "\n"

    def test_the_gravest_are_printed_and_the_rest_counted(self):
        lines = annotations.github(MANY, "catalog.yaml").splitlines()
        assert len(lines) == 201
        assert lines[-1] == "... and 30 more"

    def test_a_long_diff_is_cut(self):
        finding = ERROR._replace(excerpt="+ line\n" * 10_000)
        assert len(annotations.github(Outcome([finding]), "catalog.yaml")) < 10_000


class TestGitlab:
    def test_form(self):
        (first, second, third) = json.loads(annotations.gitlab(OUTCOME, "catalog.yaml"))
        assert re.fullmatch(r"[0-9a-f]{64}", first.pop("fingerprint"))
        assert first == {
            "description": "not YAML: found `,`, 100% wrong. close it",
            "check_name": "GC101",
            "severity": "major",
            "location": {"path": "gpus/catalog.yaml", "lines": {"begin": 3}},
        }
        assert (second["severity"], third["severity"]) == ("minor", "info")
        assert second["location"] == {"path": "gpus/generated/a b.txt", "lines": {"begin": 1}}
        assert third["location"] == {"path": "gpus/catalog.yaml", "lines": {"begin": 1}}

    def test_fingerprints_are_unique_and_do_not_move_with_the_lines(self):
        findings = [ERROR, ERROR, ERROR._replace(line=9), ERROR._replace(path="other.yaml")]
        moved = [finding._replace(line=finding.line + 5) for finding in findings]
        prints = [
            [issue["fingerprint"] for issue in json.loads(annotations.gitlab(Outcome(some), "c"))]
            for some in (findings, moved)
        ]
        assert len(set(prints[0])) == 4
        assert prints[0] == prints[1]

    def test_nothing(self):
        assert annotations.gitlab(Outcome(), "catalog.yaml") == "[]\n"


class TestSarif:
    def test_form(self):
        document = json.loads(annotations.sarif(OUTCOME, "catalog.yaml"))
        assert document["$schema"] == "https://json.schemastore.org/sarif-2.1.0.json"
        assert document["version"] == "2.1.0"
        (run,) = document["runs"]
        assert run["columnKind"] == "unicodeCodePoints"
        rules = run["tool"]["driver"].pop("rules")
        assert run["tool"] == {"driver": {"name": "gpu-catalog"}}
        assert [rule["id"] for rule in rules] == ["GC101", "GC306", "GC308"]
        assert run["results"] == [
            {
                "ruleId": "GC101",
                "ruleIndex": 0,
                "level": "error",
                "message": {"text": "not YAML: found `,`, 100% wrong\nclose it"},
                "locations": [
                    {
                        "physicalLocation": {
                            "artifactLocation": {"uri": "gpus/catalog.yaml"},
                            "region": {"startLine": 3, "startColumn": 7},
                        }
                    }
                ],
            },
            {
                "ruleId": "GC306",
                "ruleIndex": 1,
                "level": "warning",
                "message": {"text": "is not generated"},
                "locations": [
                    {"physicalLocation": {"artifactLocation": {"uri": "gpus/generated/a%20b.txt"}}}
                ],
            },
            {
                "ruleId": "GC308",
                "ruleIndex": 2,
                "level": "note",
                "message": {"text": "for everybody"},
                "locations": [
                    {"physicalLocation": {"artifactLocation": {"uri": "gpus/catalog.yaml"}}}
                ],
            },
        ]

    def test_a_path_of_any_bytes(self):
        finding = WARNING._replace(path="generated/\udcff\n.txt")
        document = json.loads(annotations.sarif(Outcome([finding]), "catalog.yaml"))
        place = document["runs"][0]["results"][0]["locations"][0]["physicalLocation"]
        assert place == {"artifactLocation": {"uri": "gpus/generated/%FF%0A.txt"}}

    def test_rules_bring_their_pages(self):
        document = json.loads(annotations.sarif(OUTCOME, "catalog.yaml"))
        rule = document["runs"][0]["tool"]["driver"]["rules"][1]
        page = (Path(annotations.__file__).parent / "codes" / "GC306.md").read_text()
        meaning = (
            "Everything in this folder is generated, so this file looks as if it were kept right,"
            " and is not. gpu-catalog neither changes nor deletes it."
        )
        assert rule == {
            "id": "GC306",
            "shortDescription": {"text": "a file in the output folder is not generated"},
            "fullDescription": {"text": meaning},
            "help": {"text": page, "markdown": page},
        }

    def test_line_without_column(self):
        finding = WARNING._replace(line=4)
        document = json.loads(annotations.sarif(Outcome([finding]), "catalog.yaml"))
        place = document["runs"][0]["results"][0]["locations"][0]["physicalLocation"]
        assert place["region"] == {"startLine": 4}

    def test_nothing(self):
        document = json.loads(annotations.sarif(Outcome(), "catalog.yaml"))
        assert document["runs"][0]["results"] == []


class TestPaths:
    @pytest.mark.parametrize(
        ("path", "expected"),
        [
            ("catalog.yaml", "gpus/catalog.yaml"),
            ("./catalog.yaml", "gpus/catalog.yaml"),
            ("../other/a", "other/a"),
            ("../gpus/a", "gpus/a"),
        ],
    )
    def test_are_relative_to_the_git_root(self, path, expected):
        (issue,) = json.loads(
            annotations.gitlab(Outcome([ERROR._replace(path=path)]), "catalog.yaml")
        )
        assert issue["location"]["path"] == expected

    def test_absolute(self, checkout):
        finding = ERROR._replace(path=str(checkout / "a"))
        (issue,) = json.loads(annotations.gitlab(Outcome([finding]), "catalog.yaml"))
        assert issue["location"]["path"] == "a"

    def test_a_consumers_file_is_relative_to_its_own_checkout(self, checkout):
        web = checkout.parent / f"{checkout.name}-web"
        (web / ".git").mkdir(parents=True)
        finding = ERROR._replace(path=f"../../{web.name}/src/a.ts")
        (issue,) = json.loads(annotations.gitlab(Outcome([finding]), "catalog.yaml"))
        assert issue["location"]["path"] == "src/a.ts"

    def test_outside_a_checkout_they_stay(self, monkeypatch):
        monkeypatch.setattr(files, "git_root", lambda _path: None)
        (issue,) = json.loads(annotations.gitlab(Outcome([ERROR]), "catalog.yaml"))
        assert issue["location"]["path"] == "catalog.yaml"
