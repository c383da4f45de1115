"""The door to disk: what is read, what is refused, and that writes are all or nothing."""

import contextlib
import errno
import os
import signal
import stat
import subprocess
import sys
import textwrap
import threading
from pathlib import Path

import pytest

from generator import files
from generator.findings import Unsafe


@pytest.fixture
def root(tmp_path):
    folder = tmp_path / "root"
    folder.mkdir()
    return folder


def put(root, **texts):
    for name, text in texts.items():
        path = root / name.replace("__", "/")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)


def state(root):
    """Everything about the tree that `replace_all` promises to keep."""
    return {
        path.relative_to(root).as_posix(): path.is_file()
        and (path.read_bytes(), stat.S_IMODE(path.stat().st_mode), path.stat().st_mtime_ns)
        for path in sorted(root.rglob("*"))
    }


def texts(root):
    return {
        path.relative_to(root).as_posix(): path.read_text()
        for path in sorted(root.rglob("*"))
        if path.is_file()
    }


def refusal(action, *arguments):
    with pytest.raises(Unsafe) as caught:
        action(*arguments)
    (finding,) = caught.value.findings
    assert (finding.code, finding.severity) == ("GC002", "error")
    return finding


class TestReading:
    def test_tree(self, root):
        put(root, a="1", b__c="2", b__d__e="")
        (root / "b/.git").mkdir()
        (root / "b/.git/HEAD").write_text("ref: refs/heads/main\n")
        assert files.read_tree(root) == {"a": b"1", "b/c": b"2", "b/d/e": b""}

    def test_no_folder_is_an_empty_tree(self, root):
        assert files.read_tree(root / "none") == {}

    def test_no_file_is_none(self, root):
        put(root, a="")
        assert files.read_if_exists(root / "none") is None
        assert files.read_if_exists(root / "a" / "below a file") is None

    def test_no_file_is_refused_where_one_is_needed(self, root):
        assert refusal(files.read, root / "none").message == "there is no such file"

    @pytest.mark.parametrize("size", [0, 1, 65535, 65536, 65537, 200_000])
    def test_sizes_around_the_chunk(self, root, size):
        data = os.urandom(size)
        (root / "a").write_bytes(data)
        assert files.read(root / "a") == data
        assert files.read_tree(root) == {"a": data}

    def test_too_large(self, root):
        with (root / "a").open("wb") as file:
            file.truncate(64 * 1024 * 1024 + 1)
        assert refusal(files.read, root / "a").message == "cannot be read: it is larger than 64 MiB"
        assert refusal(files.read_tree, root).path == str(root / "a")

    def test_largest(self, root):
        with (root / "a").open("wb") as file:
            file.truncate(64 * 1024 * 1024)
        assert len(files.read(root / "a")) == 64 * 1024 * 1024

    def test_a_file_may_be_a_symlink_but_not_in_a_tree(self, root, tmp_path):
        put(tmp_path, target="text")
        (root / "link").symlink_to(tmp_path / "target")
        assert files.read(root / "link") == b"text"
        finding = refusal(files.read_tree, root)
        assert finding.message == "is a symlink or a special file"
        assert finding.path == str(root / "link")

    def test_symlinked_folder_in_a_tree(self, root, tmp_path):
        put(tmp_path, other__a="text")
        (root / "link").symlink_to(tmp_path / "other")
        assert refusal(files.read_tree, root).path == str(root / "link")

    def test_the_root_of_a_tree_may_be_a_symlink(self, root, tmp_path):
        put(root, a="1")
        (tmp_path / "link").symlink_to(root)
        assert files.read_tree(tmp_path / "link") == {"a": b"1"}

    def test_named_pipe_makes_nobody_wait(self, root):
        os.mkfifo(root / "pipe")
        assert refusal(files.read, root / "pipe").message == "is not a regular file"
        assert refusal(files.read_tree, root).path == str(root / "pipe")

    def test_folder_is_no_file(self, root):
        assert refusal(files.read, root).message == "is not a regular file"

    def test_file_is_no_tree(self, root):
        put(root, a="")
        assert refusal(files.read_tree, root / "a").message == "cannot be listed: Not a directory"

    def test_unreadable(self, root, monkeypatch):
        put(root, a="", b__c="")
        real = os.open

        def guarded(path, flags, **options):
            if Path(path).name in ("a", "b", "root"):
                raise PermissionError(errno.EACCES, "Permission denied")
            return real(path, flags, **options)

        monkeypatch.setattr(os, "open", guarded)
        assert refusal(files.read, root / "a").message == "cannot be read: Permission denied"
        assert refusal(files.read_tree, root).message == "cannot be listed: Permission denied"
        (root / "a").rename(root / "d")
        root.rename(root.with_name("other"))
        finding = refusal(files.read_tree, root.with_name("other"))
        assert finding.message == "cannot be read: Permission denied"
        assert finding.path == str(root.with_name("other") / "b")

    def test_a_broken_disk(self, root, monkeypatch):
        put(root, a="")
        fail(monkeypatch, "read", OSError(errno.EIO, "Input/output error"))
        assert refusal(files.read, root / "a").message == "cannot be read: Input/output error"

    def test_a_path_with_nul(self, root):
        message = refusal(files.read, root / "a\0b").message
        assert message.startswith("cannot be read: ")
        assert "embedded null" in message


def fail(monkeypatch, name, error):
    def failing(*_arguments, **_options):
        raise error

    monkeypatch.setattr(os, name, failing)


class TestInside:
    @pytest.mark.parametrize("relative", ["a", "a/b.txt", "./a", "a//b", "...", ".github/a", "ä"])
    def test_allowed(self, root, relative):
        assert files.inside(root, relative) == root / relative

    @pytest.mark.parametrize(
        "relative", ["", ".", "/a", "//a", "..", "a/../b", "../b/a", "a\\b", "a\0"]
    )
    def test_leads_out(self, root, relative):
        assert refusal(files.inside, root, relative).message == "must be a path inside the folder"

    @pytest.mark.parametrize("relative", [".git", ".git/config", "a/.git/config", ".GIT/config"])
    def test_git(self, root, relative):
        assert refusal(files.inside, root, relative).message == "is inside .git"

    @pytest.mark.parametrize("relative", ["link", "link/a", "folder/link/a"])
    def test_symlink(self, root, relative):
        (root / "folder").mkdir()
        (root / "link").symlink_to(root / "folder")
        (root / "folder" / "link").symlink_to("nowhere")
        assert refusal(files.inside, root, relative).message == "is a symlink"


class TestReplacing:
    def test_writes_and_deletes(self, root):
        put(root, old="1", kept="2", gone="3")
        files.replace_all(root, {"old": b"new", "deep/er/file": b"4"}, ["gone"])
        assert texts(root) == {"deep/er/file": "4", "kept": "2", "old": "new"}

    def test_makes_the_root(self, root):
        files.replace_all(root / "a" / "b", {"c": b"1"}, [])
        assert texts(root) == {"a/b/c": "1"}

    def test_folders_left_empty_go_but_never_the_root(self, root):
        put(root, a__b__c="1", a__b__d="2")
        files.replace_all(root, {}, ["a/b/c"])
        assert texts(root) == {"a/b/d": "2"}
        files.replace_all(root, {}, ["a/b/d"])
        assert list(root.iterdir()) == []
        assert root.is_dir()

    def test_what_is_gone_already_needs_no_delete(self, root):
        put(root, a="1")
        files.replace_all(root, {}, ["none", "a/below a file"])
        assert texts(root) == {"a": "1"}

    def test_mode_is_kept(self, root):
        put(root, a="1")
        (root / "a").chmod(0o754)
        files.replace_all(root, {"a": b"2"}, [])
        assert stat.S_IMODE((root / "a").stat().st_mode) == 0o754

    @pytest.mark.parametrize("umask", [0o022, 0o077, 0o002])
    def test_umask_of_new_files(self, root, umask):
        before = os.umask(umask)
        try:
            files.replace_all(root, {"a": b"1"}, [])
        finally:
            os.umask(before)
        assert stat.S_IMODE((root / "a").stat().st_mode) == 0o666 & ~umask

    def test_owner_is_kept(self, root, monkeypatch):
        put(root, a="1")
        real = os.lstat
        monkeypatch.setattr(os, "lstat", lambda path: _owned(real(path)))
        given = []
        monkeypatch.setattr(os, "fchown", lambda _file, *owner: given.append(owner))
        files.replace_all(root, {"a": b"2"}, [])
        assert given == [(4711, 4712)]

    def test_others_keep_their_modification_time(self, root):
        put(root, a="1", b="1")
        os.utime(root / "b", ns=(5, 5))
        files.replace_all(root, {"a": b"2"}, [])
        assert (root / "b").stat().st_mtime_ns == 5

    def test_last_comes_last_and_deletes_first(self, root, monkeypatch):
        put(root, gone="")
        seen = []
        for name in ("replace", "unlink"):
            real = getattr(os, name)

            def noted(*paths, real=real):
                seen.append(Path(paths[-1]).name)
                real(*paths)

            monkeypatch.setattr(os, name, noted)
        writes = {"b": b"", "a": b"", "z": b"", "c": b""}
        files.replace_all(root, writes, ["gone"], last="b")
        assert seen == ["gone", "a", "c", "z", "b"]

    def test_every_text_is_safe_on_disk_before_the_first_rename(self, root, monkeypatch):
        seen = []
        for name in ("fsync", "replace"):
            real = getattr(os, name)

            def noted(*arguments, name=name, real=real):
                seen.append(name)
                real(*arguments)

            monkeypatch.setattr(os, name, noted)
        files.replace_all(root, {"a": b"1", "b": b"2"}, [])
        assert seen == ["fsync", "fsync", "replace", "replace", "fsync"]

    def test_read_only_file(self, root):
        put(root, a="1", b="1")
        (root / "b").chmod(0o444)
        before = state(root)
        finding = refusal(files.replace_all, root, {"a": b"2", "b": b"2"}, [])
        assert (finding.path, finding.message) == (str(root / "b"), "is read-only")
        assert refusal(files.replace_all, root, {"a": b"2"}, ["b"]).message == "is read-only"
        assert state(root) == before

    def test_folder_where_a_file_should_be(self, root):
        put(root, a="1", b__c="1")
        before = state(root)
        finding = refusal(files.replace_all, root, {"a": b"2", "b": b"2"}, [])
        assert finding.message == "is a folder where a file should be"
        assert state(root) == before

    def test_file_where_a_folder_should_be(self, root):
        put(root, a="1", b="1")
        before = state(root)
        finding = refusal(files.replace_all, root, {"a": b"2", "b/c": b"2"}, [])
        assert finding.path == str(root / "b")
        assert finding.message == "is in the way of a folder"
        assert state(root) == before

    def test_special_file(self, root):
        os.mkfifo(root / "a")
        finding = refusal(files.replace_all, root, {"a": b"2"}, [])
        assert finding.message == "is a special file where a file should be"

    @pytest.mark.parametrize("relative", ["../a", ".git/a", "link/a"])
    def test_never_outside(self, root, relative):
        (root / "link").symlink_to("..")
        before = state(root)
        for arguments in (({relative: b""}, []), ({}, [relative])):
            with pytest.raises(Unsafe):
                files.replace_all(root, *arguments)
        assert state(root) == before

    def test_leftover_of_the_same_name_does_no_harm(self, root, monkeypatch):
        names = iter([b"\1" * 6, b"\2" * 6])
        monkeypatch.setattr(os, "urandom", lambda _size: next(names))
        files.replace_all(root, {"a": b"1"}, [])
        put(root, **{f".gpu-catalog-{'02' * 6}.tmp": "left behind"})
        assert "File exists" in refusal(files.replace_all, root, {"a": b"2"}, []).message
        assert texts(root)["a"] == "1"
        assert f".gpu-catalog-{'02' * 6}.tmp" in texts(root)


def _owned(status):
    fields = list(status)
    fields[stat.ST_UID], fields[stat.ST_GID] = 4711, 4712
    return os.stat_result(fields)


SYSTEM_CALLS = ("open", "fdopen", "fsync", "fchmod", "fstat", "lstat", "mkdir", "replace")
SYSTEM_CALLS += ("unlink", "rmdir", "read", "stat", "close")


class Faults:
    """Counts the system calls of a block, and makes the one with this number fail."""

    def __init__(self, monkeypatch, failing=0, error=None):
        self.seen = []
        self.failing = failing
        self.error = error or OSError(errno.ENOSPC, "No space left on device")
        for name in SYSTEM_CALLS:
            monkeypatch.setattr(os, name, self._counted(name, getattr(os, name)))

    def _counted(self, name, real):
        def counted(*arguments, **options):
            self.seen.append(name)
            if len(self.seen) == self.failing:
                if name in ("close", "fdopen"):  # neither leaves its file open, if it fails
                    real(*arguments, **options).close() if name == "fdopen" else real(*arguments)
                raise self.error
            return real(*arguments, **options)

        return counted


WRITES = {"changed": b"2", "folder/changed": b"2", "new/er/file": b"2", "manifest": b"2"}


@pytest.fixture
def tree(root):
    put(root, changed="1", folder__changed="1", kept="1", old__gone="1", gone="1", manifest="1")
    (root / "changed").chmod(0o600)
    (root / "gone").chmod(0o640)
    for number, path in enumerate(sorted(root.rglob("*"))):
        os.utime(path, ns=(number, number))
    return root


def replace(root):
    files.replace_all(root, WRITES, ["gone", "old/gone"], last="manifest")


def without_times(found):
    return {path: value and value[:2] for path, value in found.items()}


def test_each_failing_system_call_leaves_everything_old_or_new(tree, tmp_path_factory):
    with pytest.MonkeyPatch.context() as patch:
        calls = Faults(patch).seen
        before = state(tree)
        calls.clear()
        replace(tree)
        count = len(calls)
        names = list(calls)
    after = without_times(state(tree))
    assert count > 60
    outcomes = set()
    for number in range(1, count + 1):
        fresh = tmp_path_factory.mktemp("fresh")
        _lay(fresh, before)
        with pytest.MonkeyPatch.context() as patch:
            Faults(patch, number)
            try:
                replace(fresh)
                failed = False
            except (Unsafe, OSError):
                failed = True
        found = state(fresh)
        if failed:
            assert _files(found) == _files(before), f"call {number}: {names[number - 1]}"
            assert found.keys() == before.keys()
        else:
            assert _files(without_times(found)) == _files(after), f"call {number}"
        outcomes.add(failed)
    assert outcomes == {True, False}


def _lay(root, found):
    for path, value in found.items():
        if value:
            data, mode, time = value
            (root / path).parent.mkdir(parents=True, exist_ok=True)
            (root / path).write_bytes(data)
            (root / path).chmod(mode)
            os.utime(root / path, ns=(time, time))


def _files(found):
    return {path: value for path, value in found.items() if value}


@pytest.mark.parametrize(
    ("call", "number"),
    [("replace", 3), ("fsync", 2), ("fsync", len(WRITES) + 1), ("rmdir", 1)],
)
@pytest.mark.parametrize("error", [KeyboardInterrupt(), MemoryError()], ids=repr)
def test_an_interrupt_puts_everything_back(tree, error, call, number, monkeypatch):
    """At any moment: in the middle of the renames, of what comes before and of what follows."""
    before = _files(state(tree))
    real, calls = getattr(os, call), []

    def interrupted(*arguments):
        calls.append(arguments)
        if len(calls) == number:
            raise error
        real(*arguments)

    with monkeypatch.context() as patch:
        patch.setattr(os, call, interrupted)
        with pytest.raises(type(error)):
            replace(tree)
    assert _files(state(tree)) == before


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_a_second_interrupt_waits_for_the_undo(tree, monkeypatch, number):
    before = _files(state(tree))
    real, calls = os.replace, []

    def interrupted(*paths):
        calls.append(paths)
        if len(calls) == 3:
            raise KeyboardInterrupt
        if len(calls) > 3:
            signal.raise_signal(number)
        real(*paths)

    with monkeypatch.context() as patch:
        patch.setattr(os, "replace", interrupted)
        with pytest.raises(KeyboardInterrupt):
            replace(tree)
    assert len(calls) > 3
    assert _files(state(tree)) == before


def test_a_signal_that_was_held_off_comes_in_the_end():
    done = []

    def work():
        with files.held_off():
            signal.raise_signal(signal.SIGINT)
            done.append("all")
        done.append("more")

    with pytest.raises(KeyboardInterrupt):
        work()
    assert done == ["all"]


def test_what_cannot_be_put_back_is_named(tree, monkeypatch):
    real, calls = os.replace, []

    def failing(*paths):
        calls.append(paths)
        if len(calls) > 1:
            raise OSError(errno.EIO, "Input/output error")
        real(*paths)

    monkeypatch.setattr(os, "replace", failing)
    with pytest.raises(Unsafe) as caught:
        replace(tree)
    assert [(Path(finding.path).name, finding.message) for finding in caught.value.findings] == [
        ("changed", "cannot be replaced: Input/output error"),
        ("changed", "could not be put back as it was: Input/output error"),
        ("gone", "could not be put back as it was: Input/output error"),
        ("gone", "could not be put back as it was: Input/output error"),
    ]
    assert (tree / "folder" / "changed").read_text() == "1"


def test_what_was_replaced_can_be_put_back(tree):
    (tree / "empty").mkdir()
    before = state(tree)
    replaced = files.replace_all(tree, {**WRITES, "empty/file": b"2"}, ["gone", "old/gone"])
    assert replaced.put_back() == []
    assert _files(state(tree)) == _files(before)
    assert state(tree).keys() == before.keys()


def test_what_was_changed_since_is_not_put_back(tree):
    replaced = files.replace_all(tree, WRITES, ["gone", "old/gone"])
    theirs = {"changed": "3", "gone": "3", "new/er/file": "3", "new/er/other": "3"}
    put(tree, **{name.replace("/", "__"): text for name, text in theirs.items()})
    (tree / "manifest").unlink()
    told = {finding.path: finding.message for finding in replaced.put_back()}
    message = "was changed meanwhile, by a hook or by somebody: it is not put back"
    names = ("changed", "gone", "manifest", "new/er/file")
    assert told == dict.fromkeys([f"{tree}/{name}" for name in names], message)
    assert texts(tree) == {**theirs, "folder/changed": "1", "kept": "1", "old/gone": "1"}


def test_only_temporary_files_are_left_behind(root):
    put(root, **{".gpu-catalog-1.tmp": "", ".gpu-catalog.json": "", "deep__.gpu-catalog-1.tmp": ""})
    files.remove_left_behind([root, root / "none"])
    assert texts(root) == {".gpu-catalog.json": "", "deep/.gpu-catalog-1.tmp": ""}


def test_heads_of_the_files_that_can_be_read(root, tmp_path, monkeypatch):
    put(root, a="12345", b__c="1", closed="1", other__file="1", **{".git__x": "1"})
    put(root, **{"other__.git": "gitdir: elsewhere"})
    os.mkfifo(root / "pipe")
    (root / "link").symlink_to("a")
    (root / "folder").symlink_to(tmp_path)
    real = os.open

    def opened(path, *arguments, **options):
        if path == f"{root}/closed":
            raise PermissionError(errno.EACCES, "Permission denied")
        return real(path, *arguments, **options)

    monkeypatch.setattr(os, "open", opened)
    assert files.heads(root, 3) == {"a": b"123", "b/c": b"1"}
    assert files.heads(root / "none", 3) == {}


def test_a_full_disk(root):
    """A file-size limit stands in for the full disk: writing fails in the middle of the text."""
    put(root, a="1", b="1")
    before = state(root)
    program = """
        import pathlib, resource, signal, sys
        from generator import files
        from generator.findings import Unsafe
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (5000, 5000))
        try:
            files.replace_all(pathlib.Path(sys.argv[1]), {"a": b"2", "b": b"2" * 100_000}, [])
        except Unsafe as error:
            print(error)
    """
    done = _python(program, root)
    assert done.stdout == "cannot be written: File too large\n"
    assert state(root) == before


def _python(program, *arguments):
    command = [sys.executable, "-c", textwrap.dedent(program), *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, check=True, cwd=_ROOT)


_ROOT = Path(__file__).parent.parent


@pytest.mark.parametrize(
    ("relative", "temporary"),
    [
        (".gpu-catalog-0123456789ab.tmp", True),
        ("clusters/a/.gpu-catalog-17-3.tmp", True),
        (".gpu-catalog.json", False),
        ("gpu-catalog-1.tmp", False),
        (".gpu-catalog-1.tmp/file", False),
    ],
)
def test_temporary_files_are_known_by_their_names(relative, temporary):
    assert files.is_temporary(relative) is temporary


class TestLocks:
    def test_makes_the_folder_and_removes_it_when_nothing_was_written(self, root):
        with files.locked(root / "a" / "b"):
            assert (root / "a" / "b").is_dir()
        assert list(root.iterdir()) == []

    def test_keeps_a_folder_that_was_there(self, root):
        with files.locked(root):
            pass
        assert root.is_dir()

    def test_keeps_what_was_written(self, root):
        with files.locked(root / "a"):
            put(root, a__b="1")
        assert texts(root) == {"a/b": "1"}

    def test_a_second_run_waits_and_says_so(self, root, capsys):
        seen = []

        def second():
            with files.locked(root):
                seen.append("second")

        with files.locked(root):
            thread = threading.Thread(target=second)
            thread.start()
            thread.join(0.05)
            seen.append("first")
        thread.join()
        assert seen == ["first", "second"]
        assert capsys.readouterr().err == f"waiting for another run of gpu-catalog on {root}\n"

    def test_readers_do_not_wait_for_each_other(self, root, capsys):
        with files.unchanging(root), files.unchanging(root):
            pass
        assert capsys.readouterr().err == ""

    def test_reading_needs_no_folder(self, root):
        with files.unchanging(root / "none"):
            assert list(root.iterdir()) == []

    def test_the_folder_was_removed_while_waiting(self, root, monkeypatch):
        folder = root / "a"
        real, calls = os.stat, []

        def removed_once(path, **options):
            if Path(path) == folder and not calls:
                calls.append(path)
                folder.rmdir()
            return real(path, **options)

        monkeypatch.setattr(os, "stat", removed_once)
        monkeypatch.setattr(os.path, "isdir", lambda path: Path(path).exists())
        with files.locked(folder):
            put(root, a__b="1")
        assert texts(root) == {"a/b": "1"}

    @pytest.mark.parametrize("code", [errno.ENOLCK, errno.ENOSYS, errno.EOPNOTSUPP])
    def test_a_file_system_without_locks_is_used_without(self, root, monkeypatch, code):
        _fail_flock(monkeypatch, code)
        with files.locked(root), files.unchanging(root):
            pass

    def test_a_lock_that_fails(self, root, monkeypatch):
        _fail_flock(monkeypatch, errno.EIO)
        finding = refusal(_enter, files.locked(root))
        assert finding.message == "cannot be locked: Input/output error"

    @pytest.mark.parametrize("hold", [files.locked, files.unchanging])
    def test_a_file_where_the_folder_should_be(self, root, hold):
        put(root, a="1")
        assert refusal(_enter, hold(root / "a")).path == str(root / "a")

    def test_a_fault_inside_comes_through(self, root):
        for hold in (files.locked, files.unchanging):
            with pytest.raises(FileNotFoundError), hold(root):
                raise FileNotFoundError


def _fail_flock(monkeypatch, code):
    import fcntl

    def failing(*_arguments):
        raise OSError(code, os.strerror(code))

    monkeypatch.setattr(fcntl, "flock", failing)


def _enter(context):
    with contextlib.ExitStack() as stack:
        stack.enter_context(context)


class TestGit:
    def test_root(self, root):
        put(root, folder__file="")
        (root / ".git").mkdir()
        assert files.git_root(root / "folder") == root

    def test_worktrees_have_a_file(self, root):
        put(root, **{".git": "gitdir: elsewhere", "a__b": ""})
        assert files.git_root(root / "a") == root

    def test_runs_in_the_root_whatever_a_hook_has_set(self, root, tmp_path, monkeypatch):
        files.git(root, "init", "-q")
        monkeypatch.setenv("GIT_DIR", str(tmp_path / "elsewhere"))
        monkeypatch.setenv("GIT_INDEX_FILE", str(tmp_path / "index"))
        assert files.git(root, "rev-parse", "--show-toplevel").decode().strip() == str(root)

    def test_data_goes_in(self, root):
        assert len(files.git(root, "hash-object", "--stdin", data=b"text").strip()) == 40

    def test_its_own_words(self, root):
        message = refusal(files.git, root, "no-such-command").message
        assert message.startswith("git no-such-command failed: git: 'no-such-command' is not a git")

    def test_both_streams(self, root):
        files.git(root, "init", "-q")
        files.git(root, "config", "alias.both", "!echo out; echo err >&2; exit 1")
        assert refusal(files.git, root, "both").message == "git both failed: err\nout"

    def test_a_folder_that_is_closed(self, root, monkeypatch):
        def refuse(path, *_arguments, **_options):
            raise PermissionError(errno.EACCES, "Permission denied", path)

        for name in ("stat", "lstat"):
            monkeypatch.setattr(os, name, refuse)
        assert files.git_root(root) is None

    def test_no_git(self, root, monkeypatch):
        monkeypatch.setenv("PATH", str(root))
        finding = refusal(files.git, root, "status")
        assert finding.message == "git cannot be run: No such file or directory"
