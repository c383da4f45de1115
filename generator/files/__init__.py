"""The only door to disk and git: read, replace all or nothing, lock, stay inside a folder.

What cannot be read or written safely raises `Unsafe` (exit 4) with the file named.
"""

from generator.files.checkout import ask_git, git, git_root
from generator.files.interrupts import exit_code, heed, held_off
from generator.files.locks import locked, unchanging
from generator.files.paths import TEMPORARY, inside, is_temporary, naming, unsafe
from generator.files.reading import heads, read, read_if_exists, read_tree
from generator.files.writing import Replaced, remove_left_behind, replace_all

__all__ = [
    "TEMPORARY",
    "Replaced",
    "ask_git",
    "exit_code",
    "git",
    "git_root",
    "heads",
    "heed",
    "held_off",
    "inside",
    "is_temporary",
    "locked",
    "naming",
    "read",
    "read_if_exists",
    "read_tree",
    "remove_left_behind",
    "replace_all",
    "unchanging",
    "unsafe",
]
