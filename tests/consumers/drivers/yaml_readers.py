"""PyYAML (pure and with libyaml) and ruamel.yaml (YAML 1.2) read texts.

Asked: {name: text}. Answers for each reader its data by name; whatever JSON cannot say, a date or
a key that is no text, is named with its type.
"""

import json
import sys
from pathlib import Path

import yaml
from ruamel.yaml import YAML


def plain(data: object) -> object:
    """The data as JSON can say it without loss."""
    if isinstance(data, dict):
        return {key if isinstance(key, str) else repr(key): plain(data[key]) for key in data}
    if isinstance(data, list):
        return [plain(item) for item in data]
    known = data is None or isinstance(data, (str, int, float, bool))
    return data if known else f"{type(data).__name__}: {data}"


READERS = {
    "PyYAML": lambda text: list(yaml.load_all(text, yaml.SafeLoader)),
    "PyYAML with libyaml": lambda text: list(yaml.load_all(text, yaml.CSafeLoader)),
    "ruamel.yaml": lambda text: list(YAML(typ="safe", pure=True).load_all(text)),
}


def attempt(read: object, text: str) -> object:
    """What a reader makes of a text, or why it refuses it."""
    try:
        return plain(read(text))
    except Exception as error:
        return f"{type(error).__name__}: {error}"


asked = json.loads(Path(sys.argv[1]).read_text("utf-8"))
json.dump(
    {
        reader: {name: attempt(read, text) for name, text in asked.items()}
        for reader, read in READERS.items()
    },
    sys.stdout,
)
