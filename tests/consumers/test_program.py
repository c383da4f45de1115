"""`nox -s consumers` itself: nothing is skipped silently, and a row that cannot fail has failed."""

from pathlib import Path

import pytest

import tests.consumers.__main__ as program
from tests.consumers import toolbox
from tests.consumers.harness import Refused, Row, Sabotage, Tree
from tests.consumers.toolbox import Done, NotInstalled


@pytest.fixture(autouse=True)
def folder(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    monkeypatch.setattr(toolbox, "FOLDER", tmp_path)
    monkeypatch.setattr(program, "FOLDER", tmp_path)
    monkeypatch.setattr(toolbox, "_REFUSED", {})
    return tmp_path


def demanding(tree: Tree) -> str:
    if "a100" not in tree.take("web/gpuLabels.ts"):
        raise Refused("no\n  A100")
    return "read it"


def easy(tree: Tree) -> str:
    return f"took {len(tree.matching('*'))}"


def missing(_: Tree) -> str:
    raise NotInstalled("reader 1.0 cannot be installed: no registry")


def refusing(_: Tree) -> str:
    raise Refused("wrong")


def broken(_: Tree) -> str:
    raise ValueError("a bug")


SPOILT = Sabotage("no A100", "gpuLabels.ts", "(?s)gpu_a100.*", "")


def report(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], *rows: Row
) -> tuple[int, list[str]]:
    monkeypatch.setattr(program, "ROWS", rows)
    code = program.main(["reader"])
    return code, [line.split("; took")[0] for line in capsys.readouterr().out.splitlines()]


def test_a_green_report(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    row = Row("a reader", "it reads", demanding, (SPOILT,))
    assert report(monkeypatch, capsys, row) == (
        0,
        [
            "ok     a reader [committed]: fed web/gpuLabels.ts; read it; proves: it reads",
            "ok     a reader [difficult]: fed web/gpuLabels.ts; read it; proves: it reads",
            "ok     a reader [sabotaged: no A100]: refused: no A100",
            "3 passed, 0 failed",
        ],
    )


@pytest.mark.parametrize(
    ("feed", "words"),
    [
        pytest.param(
            missing, "NOT RUN: reader 1.0 cannot be installed: no registry", id="not-installed"
        ),
        pytest.param(refusing, "refused: wrong", id="refused"),
        pytest.param(broken, "broken by ValueError: a bug", id="broken"),
    ],
)
def test_a_row_that_is_not_green_fails_with_all_its_cases(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], feed: object, words: str
) -> None:
    row = Row("a reader", "it reads", feed, (SPOILT, SPOILT))
    assert report(monkeypatch, capsys, row) == (
        1,
        [
            f"FAILED a reader [committed]: {words}",
            f"FAILED a reader [difficult]: {words}",
            "FAILED a reader [sabotaged]: 2 cases not tried, because the row is not green",
            "0 passed, 3 failed",
        ],
    )


def test_a_row_that_takes_sabotage_has_failed(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    code, lines = report(monkeypatch, capsys, Row("a reader", "it reads", easy, (SPOILT,)))
    assert (code, lines[2:]) == (
        1,
        ["FAILED a reader [sabotaged: no A100]: was accepted", "2 passed, 1 failed"],
    )


def test_sabotage_that_changes_nothing_has_failed(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    nothing = Sabotage("nothing", "gpuLabels.ts", "no such text", "")
    code, lines = report(monkeypatch, capsys, Row("a reader", "it reads", demanding, (nothing,)))
    assert code == 1
    assert "the sabotage `nothing` changes nothing" in lines[2]


def test_no_row_is_no_success(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert report(monkeypatch, capsys) == (1, ["0 passed, 0 failed"])


def test_a_file_that_is_fed_to_nobody_is_named(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(program, "ROWS", (Row("a reader", "it reads", demanding, ()),))
    assert program.main([]) == 1
    assert "FAILED committed: fed to no consumer: actions/themelio.yaml," in capsys.readouterr().out


def test_a_tool_is_installed_once_for_the_same_pins() -> None:
    asked: list[Path] = []

    def install(folder: Path) -> Done:
        asked.append(folder)
        return Done(0, "", "")

    for pins in ("one", "one", "two"):
        toolbox._kept("a reader", pins, install)
    assert len(asked) == 2


def test_a_tool_that_cannot_be_installed_is_asked_for_once_and_named() -> None:
    asked: list[Path] = []

    def install(folder: Path) -> Done:
        asked.append(folder)
        return Done(1, "", "no registry\n")

    for _ in range(2):
        with pytest.raises(NotInstalled, match=r"^a reader cannot be installed: no registry$"):
            toolbox._kept("a reader", "pins", install)
    assert len(asked) == 1


def test_every_tool_is_pinned() -> None:
    lock = (toolbox.HERE / "package-lock.json").read_text()
    assert '"resolved"' not in lock, "the lock must not name a registry's host"
    pinned = (toolbox.ROOT / "constraints.txt").read_text()
    for requirements in toolbox.PACKAGES.values():
        for word in requirements:
            if word.endswith(".txt"):
                lines = Path(word).read_text().splitlines()
                assert all("==" in line for line in lines if not line.startswith("#"))
            elif not word.startswith("-"):
                assert f"\n{word.lower().replace('.', '-')}==" in pinned
