"""Dumps that cannot be used: exit 3, the file named, and nothing recorded."""

import json

import pytest
import yaml

from tests.cluster.healthy import CATALOG, Live, run

DEEP = 100_000


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "catalog.yaml").write_text(CATALOG)
    return Live().write(tmp_path / "dump")


def check(*words):
    return run("cluster", "check", "themelio", "--from", "dump", "--record", *words)


def good(name):
    return json.dumps(Live().printed()[name])


UNREADABLE = [
    ("empty", b"", "is empty"),
    ("blank", b"\n \n", "is empty"),
    ("null", b"null", "is empty"),
    ("comment", b"# kubectl get resourceslices\n", "is empty"),
    ("empty-documents", b"---\n---\n", "is empty"),
    ("truncated-json", good("resourceslices")[:-50].encode(), "is not complete JSON"),
    ("truncated-text", b'{"kind": "List", "items": [{"kin', "is not complete JSON"),
    (
        "truncated-yaml",
        b"apiVersion: v1\nitems:\n- apiVersion: resource.k8s.io/v1\n",
        "is nothing that kubectl prints, or its end",
    ),
    ("broken-yaml", b"apiVersion: v1\nitems: [\n", "is not complete YAML"),
    ("several-truncated", b'{"kind": "List"} {"kind"', "is not complete JSON"),
    ("utf-16", good("resourceslices").encode("utf-16"), "is not UTF-8"),
    ("latin-1", b'{"kind": "L\xe9st"}', "is not UTF-8"),
    ("binary", bytes(range(256)), "is not UTF-8"),
    ("text", b"Error from server (Forbidden)", "is nothing that kubectl prints"),
    ("number", b"17", "is nothing that kubectl prints"),
    ("list", b"[]", "is nothing that kubectl prints"),
    ("other-mapping", b"gpu_labels: {}", "is nothing that kubectl prints"),
    ("wrong-kind", good("nodes").encode(), "holds Node of v1, not ResourceSlice of"),
    (
        "mixed",
        b'{"kind": "List", "items": [{"kind": "Pod", "apiVersion": "v1"}]}',
        "holds Pod of v1",
    ),
    (
        "other-group",
        b'{"kind": "ResourceSlice", "apiVersion": "example.com/v1"}',
        "holds ResourceSlice of example.com/v1",
    ),
    (
        "too-old",
        b'{"kind": "ResourceSlice", "apiVersion": "resource.k8s.io/v1alpha3"}',
        "holds ResourceSlice of resource.k8s.io/v1alpha3",
    ),
    (
        "hostile-kind",
        b'{"kind": "a\\nerror GC999: b", "apiVersion": "v1"}',
        "holds something of v1",
    ),
    ("no-items", b'{"kind": "List"}', "is a list without items"),
    ("items-are-text", b'{"kind": "List", "items": ["a"]}', "holds an item that is no object"),
    ("deep-json", b"[" * DEEP + b"]" * DEEP, "is nested too deeply"),
    ("deep-yaml", b"- " * DEEP + b"a", "is "),
    ("deep-flow", b"a: " + b"[" * DEEP, "is "),
    ("huge-number", b'{"kind": "List", "items": [' + b"9" * 5000 + b"]}", "is not JSON"),
    (
        "merge-key",
        b"a: &a {b: c}\nd: {<<: *a}",
        "is not complete YAML: kubectl prints no merge keys",
    ),
    ("tag", b"!!python/object:os.system {}", "is not complete YAML"),
    ("control", b"a: \x07", "is not complete YAML: the character U+0007 may not stand in YAML"),
    ("no-such-day", b"a: 2026-13-45", "is not complete YAML: 2026-13-45 is not what its form says"),
    ("no-boolean", b"a: !!bool maybe", "is not complete YAML: maybe is not what its form says"),
    ("no-number", b"a: !!int ''", "is not complete YAML:  is not what its form says"),
    ("no-float", b"a: !!float ''", "is not complete YAML:  is not what its form says"),
    ("no-time", b"a: !!timestamp x", "is not complete YAML: x is not what its form says"),
]


@pytest.mark.parametrize(
    ("data", "message"), [pytest.param(*row[1:], id=row[0]) for row in UNREADABLE]
)
@pytest.mark.parametrize("suffix", ["json", "yaml"])
def test_unreadable(folder, data, message, suffix):
    (folder / "resourceslices.json").unlink()
    (folder / f"resourceslices.{suffix}").write_bytes(data)
    code, out, _ = check()
    assert code == 3
    assert out.startswith(f"dump/resourceslices.{suffix}:")
    assert f"error GC502: {message}" in out
    assert not (folder.parent / "evidence").exists()


def test_where_json_breaks(folder):
    (folder / "nodes.json").write_text('{\n  "kind": "List",\n  "items": [}\n')
    assert check()[1].startswith(
        "dump/nodes.json:3:13: error GC502: is not complete JSON: Expecting value\n"
        '    "items": [}\n              ^\n'
        "hint: have kubectl print it anew, see"
    )


@pytest.mark.parametrize(
    ("version", "message"),
    [
        ("{}", "does not say the API server's version"),
        ('{"clientVersion": {"gitVersion": "v1.36.0"}}', "does not say the API server's version"),
        ('{"serverVersion": {"gitVersion": 1.36}}', "does not say the API server's version"),
        ('{"serverVersion": {"gitVersion": "v1.36\\n"}}', "is no name of Kubernetes: 'v1.36\\n'"),
    ],
)
def test_version(folder, version, message):
    (folder / "version.json").write_text(version)
    code, out, _ = check()
    assert (code, out.startswith("dump/version.json:")) == (3, True)
    assert message in out


# --- objects that no API server prints -----------------------------------------------------------


def in_slice(change):
    return lambda live: change(live.slice("gpu-a10g-01"))


def in_device(change):
    return lambda live: change(live.devices("gpu-a10g-01")[0])


def put(key, value):
    return lambda mapping: mapping.update({key: value})


def put_attribute(key, value):
    return in_device(lambda device: device["attributes"].update({key: value}))


def in_meta(resource, value):
    return lambda live: getattr(live, resource)[0]["metadata"].update({"name": value})


def test_what_is_not_read_may_have_any_shape():
    live = Live()
    in_meta("resourceslices", [])(live)
    live.nodes[0]["metadata"]["namespace"] = {}
    assert live.checked().faults == []


MALFORMED = [
    (
        "no-spec",
        "resourceslices",
        lambda live: live.resourceslices[0].pop("spec"),
        "`spec` is missing",
    ),
    ("no-pool", "resourceslices", in_slice(lambda spec: spec.pop("pool")), "`pool` is missing"),
    ("pool-is-text", "resourceslices", in_slice(put("pool", "a")), "`pool` is no mapping"),
    (
        "generation-is-text",
        "resourceslices",
        in_slice(lambda spec: spec["pool"].update(generation="1")),
        "`generation` is no whole number",
    ),
    (
        "count-is-bool",
        "resourceslices",
        in_slice(lambda spec: spec["pool"].update(resourceSliceCount=True)),
        "`resourceSliceCount` is no whole number",
    ),
    (
        "devices-are-text",
        "resourceslices",
        in_slice(put("devices", "a")),
        "`devices` is no list of mappings",
    ),
    (
        "driver-with-line-feed",
        "resourceslices",
        in_slice(put("driver", "a\nb")),
        "`driver` is no name of Kubernetes: 'a\\nb'",
    ),
    (
        "node-with-escape",
        "resourceslices",
        in_slice(put("nodeName", "a\x1b[2J")),
        "`nodeName` is no name of Kubernetes: 'a\\x1b[2J'",
    ),
    (
        "node-with-shell",
        "resourceslices",
        in_slice(put("nodeName", "$(reboot)")),
        "`nodeName` is no name of Kubernetes: $(reboot)",
    ),
    (
        "device-without-name",
        "resourceslices",
        in_device(lambda device: device.pop("name")),
        "`name` is missing",
    ),
    (
        "string-is-int",
        "resourceslices",
        put_attribute("type", {"string": 1}),
        "device gpu-0: attribute type is no string",
    ),
    ("int-is-bool", "resourceslices", put_attribute("x", {"int": True}), "attribute x is no int"),
    ("int-is-huge", "resourceslices", put_attribute("x", {"int": 2**63}), "attribute x is no int"),
    (
        "version-is-float",
        "resourceslices",
        put_attribute("x", {"version": 1.5}),
        "attribute x is no version",
    ),
    (
        "hostile-attribute",
        "resourceslices",
        put_attribute("a\nb", {"int": "x"}),
        "attribute 'a\\nb' is no int",
    ),
    (
        "capacity",
        "resourceslices",
        in_device(put("capacity", {"memory": {"value": "40GB"}})),
        "capacity memory is no quantity",
    ),
    (
        "capacity-is-huge",
        "resourceslices",
        in_device(put("capacity", {"memory": {"value": "1e99999999"}})),
        "capacity memory is no quantity",
    ),
    (
        "taints-are-text",
        "resourceslices",
        in_device(put("taints", "a")),
        "`taints` is no list of mappings",
    ),
    (
        "slice-twice",
        "resourceslices",
        lambda live: live.resourceslices.append(live.resourceslices[0]),
        "stands in it twice",
    ),
    (
        "node-twice",
        "nodes",
        lambda live: live.nodes.append(live.nodes[0]),
        "gpu-a10g-01 stands in it twice",
    ),
    ("node-name", "nodes", in_meta("nodes", "a b"), "a b: `name` is no name of Kubernetes: a b"),
    (
        "kubelet-is-no-text",
        "nodes",
        lambda live: live.nodes[0]["status"]["nodeInfo"].update(kubeletVersion=1),
        "`kubeletVersion` is no text",
    ),
    (
        "labels-are-ints",
        "nodes",
        lambda live: live.nodes[0]["metadata"].update(labels={"a": 1}),
        "`labels` has a, where only texts can be",
    ),
    (
        "quota-values",
        "resourcequotas",
        lambda live: live.resourcequotas[0]["spec"].update(hard={"a": 1}),
        "`hard` has a, where only texts can be",
    ),
    (
        "config-map-data",
        "configmaps",
        lambda live: live.configmaps[0].update(data={"a": None}),
        "`data` has a, where only texts can be",
    ),
    (
        "selector",
        "deviceclasses",
        lambda live: live.deviceclasses[0]["spec"].update(selectors=[{}]),
        "`cel` is missing",
    ),
    (
        "selectors-are-text",
        "deviceclasses",
        lambda live: live.deviceclasses[0]["spec"].update(selectors="x"),
        "`selectors` is no list of mappings",
    ),
    (
        "class-label",
        "deviceclasses",
        lambda live: live.deviceclasses[0]["spec"].update(extendedResourceName=1),
        "`extendedResourceName` is no text",
    ),
    (
        "no-metadata",
        "namespaces",
        lambda live: live.namespaces[0].pop("metadata"),
        "object 1: `metadata` is missing",
    ),
]


@pytest.mark.parametrize(
    ("resource", "break_it", "message"), [pytest.param(*row[1:], id=row[0]) for row in MALFORMED]
)
def test_malformed(folder, resource, break_it, message):
    live = Live()
    break_it(live)
    live.write(folder)
    code, out, _ = check()
    assert code == 3
    assert out.startswith(f"dump/{resource}.json: error GC502: ")
    assert message in out
    assert "\x1b" not in out
    assert not (folder.parent / "evidence").exists()


@pytest.mark.parametrize("field", ["attributes", "capacity"])
def test_a_name_that_yaml_takes_for_a_number(folder, field):
    live = Live()
    live.devices("gpu-a10g-01")[0][field] = {12: {"string": "x"}}
    live.write(folder)
    items = live.printed()["resourceslices"]
    (folder / "resourceslices.json").unlink()
    (folder / "resourceslices.yaml").write_text(yaml.dump(items, Dumper=yaml.CSafeDumper))
    code, out, _ = check()
    assert (code, "name is no text: 12" in out) == (3, True)


def test_every_malformed_object_is_named(folder):
    live = Live()
    live.nodes[0]["status"]["nodeInfo"] = "v1.36.4"
    live.nodes[1]["status"]["nodeInfo"] = "v1.36.4"
    live.resourcequotas[0]["spec"]["hard"] = {"a": 1}
    live.write(folder)
    out = check("--format", "json")[1]
    assert [one["path"] for one in json.loads(out)["findings"]] == [
        "dump/nodes.json",
        "dump/nodes.json",
        "dump/resourcequotas.json",
    ]


# --- the folder ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "name", ["pods.json", "resourceslice.json", "nodes.txt", "README.md", "nodes"]
)
def test_a_foreign_file(folder, name):
    (folder / name).write_text(good("nodes"))
    code, out, _ = check()
    assert (code, out.startswith(f"dump/{name}: error GC502: is none of the dumps")) == (3, True)


def test_two_dumps_of_one_resource(folder):
    (folder / "nodes.yaml").write_text(good("nodes"))
    code, out, _ = check()
    assert (code, out.startswith("dump/nodes.yaml: error GC502: stands beside nodes.json")) == (
        3,
        True,
    )


def test_hidden_files_are_left_alone(folder):
    (folder / ".gitkeep").touch()
    assert check()[0] == 0


def test_an_empty_folder(folder):
    for path in folder.iterdir():
        path.unlink()
    code, out, _ = check()
    assert (code, out.startswith("dump: error GC502: holds no dump")) == (3, True)


def test_no_folder():
    code, out, _ = run("cluster", "check", "themelio", "--from", "nowhere")
    assert (code, out.startswith("nowhere: error GC002: cannot be listed")) == (4, True)


def test_a_file_instead_of_a_folder():
    code, out, _ = run("cluster", "check", "themelio", "--from", "catalog.yaml")
    assert (code, out.startswith("catalog.yaml: error GC002: cannot be listed")) == (4, True)


def test_a_named_pipe_makes_nobody_wait(folder):
    import os

    (folder / "nodes.json").unlink()
    os.mkfifo(folder / "nodes.json")
    code, out, _ = check()
    assert (code, out.startswith("dump/nodes.json: error GC002: is not a regular file")) == (
        4,
        True,
    )


# --- untrusted texts reach nothing ---------------------------------------------------------------


@pytest.mark.parametrize(
    "text",
    [
        "a\nerror GC999: forged",
        "\x1b[2J",
        "\u202eevil",
        "{{ lookup('pipe', 'id') }}",
        "\ud800",
        "a" * 64,
        "'\"",
        "# x",
        "true",
        "- a: b",
    ],
)
def test_hostile_attributes(folder, text):
    live = Live()
    for device in live.devices("gpu-a10g-01"):
        device["attributes"]["productName"] = {"string": text}
        device["attributes"]["profile"] = {"string": text}
        device["attributes"]["uuid"] = {"string": text}
    live.write(folder)
    for words in (("check",), ("discover",)):
        code, out, err = run("cluster", *words, "themelio", "--from", "dump")
        assert code in ((0, 1) if words == ("check",) else (0,))
        assert not any(control in out + err for control in ("\x1b", "\u202e", "\nerror GC999"))


def test_hostile_names_in_the_record(folder):
    """A product name that a raw expression lets through is quoted in the evidence file."""
    from generator.catalog.evidence import read_evidence

    catalog = CATALOG.replace(
        "products: [a10g]",
        "cel: device.driver == 'gpu.nvidia.com'"
        " && device.attributes['gpu.nvidia.com'].cudaComputeCapability == semver('8.6.0')",
    )
    (folder.parent / "catalog.yaml").write_text(catalog)
    live = Live(catalog)
    name = "NVIDIA: \"x\"\n- a: 'b' # \u2028"
    for device in live.devices("gpu-a10g-01"):
        device["attributes"]["productName"] = {"string": name}
    live.write(folder)
    assert check()[0] == 0
    evidence = read_evidence((folder.parent / "evidence/themelio.yaml").read_bytes(), "")
    assert evidence.classes["a10g.nvidia.com"].products == {name: 2}
