"""The only door to disk and git: read, replace all or nothing, lock, stay inside a folder.

What cannot be read or written safely raises `Unsafe` (exit 4) with the file named.
"""

from generator.files.checkout import ask_git, git, git_root
from generator.files.locks import locked, unchanging
from generator.files.paths import TEMPORARY, inside, is_temporary, unsafe
from generator.files.reading import list_files, read, read_if_exists, read_tree
from generator.files.writing import replace_all

__all__ = [
    "TEMPORARY",
    "ask_git",
    "git",
    "git_root",
    "inside",
    "is_temporary",
    "list_files",
    "locked",
    "read",
    "read_if_exists",
    "read_tree",
    "replace_all",
    "unchanging",
    "unsafe",
]
