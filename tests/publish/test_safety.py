"""What goes wrong leaves every file as it was, and nothing leads out of the checkout."""

import errno
import itertools
import os
import shutil

import pytest

from tests.publish.world import API, PAGE, Catalog, Checkout, isolated_git

FORM = """\
spawnerFormDefaults:
  gpus:
    value:
      vendor: "nvidia.com/gpu" # ours
      vendors: []
"""


ENTRIES = """\
      - { artifact: docs/gpu-labels.md, to: docs/gpus.md, region: gpu-labels }
      - artifact: clusters/themelio/kubeflow/spawner-vendors.yaml
        to: form.yaml
        at: /spawnerFormDefaults/gpus/value/vendors
"""


@pytest.fixture(scope="session")
def behind(generated, tmp_path_factory):
    """A catalog, and a consumer that was published before the catalog changed."""
    folder = tmp_path_factory.mktemp("behind")
    shutil.copytree(generated, folder / "catalog")
    catalog = Catalog(folder / "catalog")
    catalog.change("  - name: ops\n    files:\n", f"  - name: ops\n    files:\n{ENTRIES}")
    with isolated_git():
        ops = Checkout(folder / "many", **{"docs/gpus.md": PAGE, "form.yaml": FORM})
        assert catalog.publish(f"ops={ops}", "--commit").code == 0
    catalog.write(catalog.path.read_text().replace("NVIDIA A100", "NVIDIA A100 40GB"))
    catalog.add_offering()
    return folder


@pytest.fixture
def catalog(behind, tmp_path):
    shutil.copytree(behind / "catalog", tmp_path / "catalog")
    return Catalog(tmp_path / "catalog")


@pytest.fixture
def many(behind, tmp_path):
    """A consumer with a file of every kind of place, published once and now behind."""
    shutil.copytree(behind / "many", tmp_path / "many")
    return Checkout.at(tmp_path / "many")


CHANGED = [
    ".gpu-catalog.json",
    "base/classes/a100.nvidia.com.yaml",
    "base/classes/h100.nvidia.com.yaml",
    "base/classes/kustomization.yaml",
    "base/gpus.yaml",
    "docs/gpus.md",
    "form.yaml",
]


def test_what_the_failures_below_interrupt(catalog, many):
    run = catalog.publish(f"ops={many}")
    wrote = [line for line in run.out.splitlines() if line.startswith(("wrote", "deleted"))]
    assert wrote == [f"wrote {many}/{name}" for name in CHANGED]


@pytest.mark.parametrize("name", [name for name in CHANGED if "h100" not in name])
def test_a_read_only_file(catalog, many, name):
    (many.root / name).chmod(0o444)
    before = many.files()
    run = catalog.publish(f"ops={many}")
    assert (run.code, run.codes) == (4, ["GC002"])
    assert f"{many}/{name}: error GC002: is read-only" in run.out
    assert many.files() == before


@pytest.fixture
def disk_full(monkeypatch):
    """Let a system call fail once it has been let through so many times."""

    def prepare(call, after):
        real, calls = getattr(os, call), itertools.count()

        def full(*arguments, **options):
            if next(calls) == after:
                raise OSError(errno.ENOSPC, "No space left on device")
            return real(*arguments, **options)

        monkeypatch.setattr(os, call, full)

    return prepare


@pytest.mark.parametrize("call", ["fsync", "replace"])
@pytest.mark.parametrize("after", [0, 3, len(CHANGED) - 1])
def test_a_disk_that_fills_up(catalog, many, disk_full, call, after):
    before, head = many.files(), many.git("rev-parse", "HEAD")
    disk_full(call, after)
    run = catalog.publish(f"ops={many}", "--commit")
    assert (run.code, run.codes) == (4, ["GC002"])
    assert "No space left on device" in run.out
    assert many.files() == before
    assert (many.git("rev-parse", "HEAD"), many.git("status", "--porcelain")) == (head, "")


@pytest.mark.parametrize("after", [0, 1])
def test_a_folder_that_cannot_be_made(catalog, many, disk_full, after):
    shutil.rmtree(many.root / "base")
    many.git("commit", "--quiet", "--all", "--message=Remove")
    before = many.files()
    disk_full("mkdir", after)
    assert catalog.publish(f"ops={many}").code == 4
    assert many.files() == before
    assert not (many.root / "base").exists()


def test_a_failure_in_the_second_checkout_undoes_the_first(catalog, many, tmp_path):
    web = Checkout(tmp_path / "other")
    (many.root / "form.yaml").chmod(0o444)
    before = web.files(), many.files()
    assert catalog.publish(f"web={web}", f"ops={many}").code == 4
    assert (web.files(), many.files()) == before


REFUSED = {
    "the marker is gone": ("docs/gpus.md", "END gpu-catalog gpu-labels", "END", "GC406"),
    "the marker is doubled": (
        "docs/gpus.md",
        "# GPUs",
        "<!-- BEGIN gpu-catalog gpu-labels -->",
        "GC407",
    ),
    "the markers overlap": ("docs/gpus.md", "# GPUs", "<!-- BEGIN gpu-catalog more -->", "GC408"),
    "the node is gone": ("form.yaml", "vendors:", "venders:", "GC409"),
    "the node has an anchor": ("form.yaml", "vendors:", "vendors: &v", "GC410"),
    "the way is an alias": (
        "form.yaml",
        "spawnerFormDefaults:",
        "a: &a\n  b: 1\nspawnerFormDefaults: *a\nb:",
        "GC410",
    ),
    "a key is doubled": ("form.yaml", "    value:\n", "    value: 1\n    value:\n", "GC411"),
    "it does not parse": ("form.yaml", "gpus:", "gpus: {% x %}", "GC412"),
    "another document has it": (
        "form.yaml",
        "spawnerFormDefaults:",
        "spawnerFormDefaults: { gpus: { value: { vendors: [] } } }\n---\nspawnerFormDefaults:",
        "GC413",
    ),
    "it is another kind of node": ("form.yaml", "vendors:", "vendors: x\n      others:", "GC414"),
}


@pytest.mark.parametrize(("name", "old", "new", "code"), REFUSED.values(), ids=REFUSED)
@pytest.mark.parametrize("option", ["--check", "--commit"])
def test_a_refusal_keeps_every_file_of_the_consumer(catalog, many, name, old, new, code, option):
    assert old in many.text(name)
    many.put(name, many.text(name).replace(old, new, 1))
    many.git("commit", "--quiet", "--all", "--message=Break")
    before = many.files()
    run = catalog.publish(f"ops={many}", option)
    assert (run.code, run.codes) == (4, [code])
    assert f"{many}/{name}:" in run.out
    assert many.files() == before
    assert many.git("status", "--porcelain") == ""


def test_all_refusals_come_in_one_run(catalog, many):
    many.put("docs/gpus.md", "")
    many.put("form.yaml", "")
    run = catalog.publish(f"ops={many}")
    assert (run.code, run.codes) == (4, ["GC406", "GC409"])


# --- inside the checkout -----------------------------------------------------------------------


@pytest.mark.parametrize(
    "link", ["form.yaml", "docs", "docs/gpus.md", "base/classes", "base/gpus.yaml"]
)
@pytest.mark.parametrize("words", [[], ["--check"]], ids=["publish", "check"])
def test_symlinks_are_refused(catalog, many, tmp_path, link, words):
    path = many.root / link
    path.rename(tmp_path / "outside")
    path.symlink_to(tmp_path / "outside")
    before = many.files()
    run = catalog.publish(f"ops={many}", *words)
    assert run.code == 4
    assert f"{many}/{link}: error GC002: is a symlink" in run.out
    assert many.files() == before


@pytest.mark.parametrize("folder", ["docs", "base", "base/classes"])
def test_a_repository_inside_the_checkout_is_refused(catalog, many, folder):
    (many.root / folder / ".git").write_text("gitdir: ../.git/modules/module\n")
    before = many.files()
    run = catalog.publish(f"ops={many}")
    assert (run.code, run.codes) == (4, ["GC002"])
    assert f"{many}/{folder}: error GC002: is a repository of its own" in run.out
    assert many.files() == before


@pytest.mark.parametrize("folder", ["docs", "base", "base/classes"])
@pytest.mark.parametrize("words", [[], ["--check"], ["--commit"]])
def test_a_submodule_that_is_not_checked_out_is_refused_once(catalog, many, folder, words):
    """Git does not show what is written there."""
    commit = many.git("rev-parse", "HEAD").strip()
    many.git("rm", "-r", "--quiet", folder)
    many.git("update-index", "--add", "--cacheinfo", f"160000,{commit},{folder}")
    many.git("commit", "--quiet", "--message=Submodule")
    before = many.files()
    run = catalog.publish(f"ops={many}", *words)
    assert (run.code, run.codes) == (4, ["GC002"])
    assert f"{many}/{folder}: error GC002: is a repository of its own" in run.out
    assert many.files() == before


def test_a_folder_that_may_not_be_entered(catalog, many, monkeypatch):
    """As the system answers anybody but root: each look into the folder is refused."""

    def closed(call):
        def refuse(path, *arguments, **options):
            if "/docs/" in os.fspath(path):
                raise PermissionError(errno.EACCES, "Permission denied", path)
            return call(path, *arguments, **options)

        return refuse

    before = many.files()
    with monkeypatch.context() as patched:
        for name in ("stat", "lstat", "open"):
            patched.setattr(os, name, closed(getattr(os, name)))
        run = catalog.publish(f"ops={many}")
    assert (run.code, run.codes) == (4, ["GC002"])
    assert f"{many}/docs/gpus.md: error GC002: cannot be read: Permission denied" in run.out
    assert many.files() == before


@pytest.mark.parametrize("to", ["../x.ts", "/tmp/x.ts", ".git/hooks/x", "a/.GIT/x", "a/../../x.ts"])
def test_paths_that_lead_out_are_no_catalog(catalog, web, to):
    text = catalog.path.read_text().replace("src/gpuLabels.ts", to)
    catalog.path.write_text(text)
    run = catalog.publish(f"web={web}")
    assert (run.code, run.codes) == (3, ["GC225"])
    assert web.files() == {}


def test_a_record_that_names_files_elsewhere_reaches_none_of_them(catalog, web, tmp_path):
    outside = tmp_path / "outside.ts"
    outside.write_text("// Generated by gpu-catalog from catalog.yaml.\n")
    web.put(".gpu-catalog.json", '{"../outside.ts": {"file": "x"}, "/etc/passwd": {"file": "x"}}')
    run = catalog.publish(f"web={web}")
    assert (run.code, run.codes[:2]) == (0, ["GC423", "GC423"])
    assert outside.exists()


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("gpus.md", PAGE.encode() + b"\xff\xfe \xe9\n"),
        ("gpus.md", b"\xef\xbb\xbf" + PAGE.replace("\n", "\r\n").encode()),
        ("openapi.yaml", b"\xef\xbb\xbf" + API.encode().rstrip()),
    ],
    ids=["not UTF-8", "BOM and CRLF", "BOM, and no last line feed"],
)
def test_bytes_outside_the_place_survive(catalog, tmp_path, name, text):
    both = Checkout(tmp_path / "both", **{"gpus.md": PAGE, "openapi.yaml": API, name: text})
    consumer = "docs" if name == "gpus.md" else "api"
    assert catalog.publish(f"{consumer}={both}").code == 0
    data = (both.root / name).read_bytes()
    assert data != text
    for end in (text.split(b"gpu-labels -->")[0], text.split(b"[x]")[0]):
        assert end == text or data.startswith(end)
    for end in (text.rsplit(b"<!-- END", 1)[-1], text.rsplit(b"[x]", 1)[-1]):
        assert end == text or data.endswith(end)


def test_a_document_that_is_not_utf8_has_no_pointers(catalog, api):
    api.put("openapi.yaml", API.encode() + b"# \xe9\n")
    run = catalog.publish(f"api={api}")
    assert (run.code, run.codes) == (4, ["GC412"])
    assert f"{api}/openapi.yaml:7:3: error GC412" in run.out


# --- Kubeflow's default vendor -----------------------------------------------------------------


@pytest.mark.parametrize(
    ("vendor", "codes"),
    [('""', []), ("nvidia.com/a10g", []), ("nvidia.com/gpu", ["GC421"]), ("~", []), ("[]", [])],
)
def test_the_default_vendor(catalog, many, vendor, codes):
    many.put("form.yaml", FORM.replace('"nvidia.com/gpu"', vendor))
    for words in ([], ["--check"]):
        run = catalog.publish(f"ops={many}", *words)
        assert [code for code in run.codes if code == "GC421"] == codes
    assert not codes or f"{many}/form.yaml:4:15: warning GC421: the default vendor" in run.out
