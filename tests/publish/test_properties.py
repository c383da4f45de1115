"""Whatever the document looks like: every byte outside the place survives, and once is enough."""

import json

import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

from generator.publishing.plan import Text
from tests.publish.world import place

ITEMS = ["nvidia.com/a10g", "nvidia.com/a100-mig-1g.5gb", "no"]
LIST = "it:\n" + "".join(f'  - "{item}"\n' for item in ITEMS)
VENDORS = "it:\n" + "".join(f'  - k: "{item}"\n    "n": "{item} GPU"\n' for item in ITEMS)
WANTED = {LIST: ITEMS, VENDORS: [{"k": item, "n": f"{item} GPU"} for item in ITEMS]}

COMMENTS = st.sampled_from(["", "", "# a comment", "#", "# - not: [an item", "# 'é' \U0001f600"])
SIBLINGS = st.sampled_from(
    [
        "plain",
        "'single ''quoted'''",
        '"double \\" # no"',
        "[a, {b: c}]",
        "{}",
        "~",
        "1.50",
        "x: y",
        "|\n{}  text\n\n{}   # more\n",
        ">-\n{}  folded\n{}  text",
        "\n{}  - one\n{}  - two # c",
    ]
)
NEWLINES = st.sampled_from(["\n", "\r\n"])


class Writer:
    """Text of a document, and where its place begins and ends."""

    def __init__(self, draw):
        self.draw = draw
        self.text = ""
        self.count = 0

    def comment_lines(self, indent):
        for comment in self.draw(st.lists(COMMENTS, max_size=2)):
            self.text += f"{' ' * indent if comment else ''}{comment}\n"

    def sibling(self, indent):
        self.comment_lines(indent)
        self.count += 1
        value = self.draw(SIBLINGS)
        if ": " in value and value[0] not in "[{'\"":
            value = f'"{value}"'
        value = value.replace("{}", " " * indent) if "\n" in value else value
        self.text += f"{' ' * indent}s{self.count}: {value}\n"

    def siblings(self, indent):
        for _ in range(self.draw(st.integers(0, 2))):
            self.sibling(indent)

    def level(self, indent, depth, step):
        """A mapping that leads to the place; returns the pointer."""
        self.siblings(indent)
        if not depth:
            pointer = self.place(indent, step)
        elif self.draw(st.booleans()):
            self.text += f"{' ' * indent}m{depth}:\n"
            pointer = f"/m{depth}" + self.level(indent + step, depth - 1, step)
        else:
            dash = indent + self.draw(st.sampled_from([0, step]))
            self.text += f"{' ' * indent}l{depth}:\n{' ' * dash}- first\n{' ' * dash}- k: v\n"
            pointer = f"/l{depth}/1" + self.level(dash + 2, depth - 1, step)
        self.siblings(indent)
        return pointer

    def place(self, indent, step):
        comment = self.draw(COMMENTS)
        comment = f" {comment}" if comment else ""
        self.text += f"{' ' * indent}it:"
        kind = self.draw(st.sampled_from(["block", "mappings", "flow", "lines", "empty", "null"]))
        if kind == "null":
            self.text += comment
            self.before, self.after = len(self.text), len(self.text)
        else:
            self.before = len(self.text)
            self.text += self.old(kind, indent, step)
            self.after = len(self.text)
            self.text += comment
        self.text += "\n"
        return "/it"

    def old(self, kind, indent, step):
        dash = "\n" + " " * (indent + self.draw(st.sampled_from([0, step])))
        inner = "\n" + " " * (indent + step)
        quote = self.draw(st.sampled_from(["", "'", '"']))
        gap = " " * self.draw(st.integers(1, 3))
        return {
            "block": f"{dash}-{gap}{quote}x{quote} # inside{dash}-{gap}{quote}y{quote}",
            "mappings": f"{dash}-{gap}k: {quote}x{quote}{dash} {gap}n: y",
            "flow": f" [ {quote}x{quote}, y ]",
            "lines": f" [{inner}{quote}x{quote},{inner}y,{inner}]",
            "empty": " []",
        }[kind]


@st.composite
def documents(draw):
    """A file, the pointer to its place, and what stands before and after the place."""
    writer = Writer(draw)
    others = draw(st.sampled_from(["", "a: 1\n---\n", "%YAML 1.1\n--- # first\n- x\n...\n---\n"]))
    writer.text = others
    pointer = writer.level(0, draw(st.integers(0, 3)), draw(st.sampled_from([2, 3, 4])))
    text = writer.text + draw(st.sampled_from(["", "# the end\n", "---\nb: 1\n", "...\n"]))
    if draw(st.booleans()):
        text = text.rstrip("\n") if len(text.rstrip("\n")) >= writer.after else text
    before, after = text[: writer.before], text[writer.after :]
    newline = draw(NEWLINES)
    return pointer, *(part.replace("\n", newline) for part in (before, text, after))


@given(documents(), st.sampled_from([LIST, VENDORS]), st.booleans())
@settings(max_examples=250, deadline=None)
def test_yaml(document, artifact, has_mark):
    pointer, before, text, after = document
    data = ("\ufeff" * has_mark + text).encode()
    old = Text.of(data)
    placed = place(old.text, artifact, at=pointer, source_pointer="/it")
    new = Text(old.mark, placed.text).data

    assert new.startswith(("\ufeff" * has_mark + before).encode())
    assert new.endswith(after.encode())
    old_documents, new_documents = list(yaml.safe_load_all(data)), list(yaml.safe_load_all(new))
    changed = [one for one in zip(old_documents, new_documents, strict=True) if one[0] != one[1]]
    ((one, other),) = changed
    steps = [int(step) if step.isdigit() else step for step in pointer.split("/")[1:]]
    for step in steps[:-1]:
        one, other = one[step], other[step]
    assert other == {**one, "it": WANTED[artifact]}
    assert ("\r\n" in text) == ("\r\n" in placed.text) or "\n" not in text
    assert place(placed.text, artifact, at=pointer, source_pointer="/it").text == placed.text


NUMBERS = st.integers() | st.floats(allow_nan=False, allow_infinity=False)
JSON = st.recursive(
    st.none() | st.booleans() | NUMBERS | st.text(max_size=8),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=4), inner, max_size=3)
    ),
    max_leaves=8,
)
STYLES = st.sampled_from(
    [{"indent": 2}, {"indent": 4}, {"indent": "\t"}, {}, {"separators": (",", ":")}]
)


@given(JSON, JSON, st.sampled_from([[], ["x"], [{"k": "x"}], None]), STYLES, st.booleans())
@settings(max_examples=60, deadline=None)
def test_json(first, last, old, style, is_ascii):
    def dumped(value):
        data = {"first": first, "in": {"it": value, "a": {}}, "last": last}
        return json.dumps(data, **style, ensure_ascii=is_ascii)

    text = dumped(old)
    for artifact in (LIST, VENDORS):
        new = place(text, artifact, at="/in/it", source_pointer="/it", to="a.json").text
        assert new == dumped(WANTED[artifact])
        assert place(new, artifact, at="/in/it", source_pointer="/it", to="a.json").text == new


LINES = st.lists(
    st.text(st.characters(codec="utf-8", exclude_characters="\n\r"), max_size=12), max_size=4
)


INDENTS = st.text(" \t", max_size=4)


@given(LINES, LINES, LINES, INDENTS, NEWLINES, st.booleans(), st.binary(max_size=4))
@settings(max_examples=80, deadline=None)
def test_regions(before, inside, after, indent, newline, has_mark, tail):
    """In any text, and in one that is not even UTF-8."""
    artifact = "# BEGIN gpu-catalog r\nnew:\n\n  - line\n# END gpu-catalog r\n"
    head = newline.join([*before, f"{indent}# BEGIN gpu-catalog r", ""]).encode()
    foot = newline.join([f"{indent}# END gpu-catalog r", *after, ""]).encode() + tail
    body = "".join(line + newline for line in inside).encode()
    old = Text.of(b"\xef\xbb\xbf" * has_mark + head + body + foot)
    placed = place(old.text, artifact, region="r", marker="r")
    lines = "".join(line + newline for line in (f"{indent}new:", "", f"{indent}  - line"))
    assert Text(old.mark, placed.text).data == (
        b"\xef\xbb\xbf" * has_mark + head + lines.encode() + foot
    )
    assert place(placed.text, artifact, region="r", marker="r").text == placed.text
