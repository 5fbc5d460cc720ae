"""The header that git writes for a file: what its lines say about the section that they begin.

diff --git a/a.py b/b.py
old mode 100644
new mode 100755
similarity index 90%
rename from a.py
rename to b.py
index 1234567..89abcde
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from streamparse.diff.header_names import LONGEST, PREFIXES, unquoted, without_prefix
from streamparse.diff.section import Section

#: What its first line begins with.
GIT = "diff --git "
#: git's line about the mode of a file, and those of what is no file: a symbolic link, a submodule.
_MODE = re.compile(r"(new file mode|deleted file mode|old mode|new mode|index \S+) ([0-7]{6})[ \t]*")
#: Its line about the two texts, of which those are no text that are all `0` or the name of an empty file.
_INDEX = re.compile(r"index ([0-9a-f]+)\.\.([0-9a-f]+)\b")
_NOTHING = ("e69de29", "473a0f4")
_LINKS = ("120000", "160000")
#: One name with two prefixes: the usual ones, those of git's setting `diff.mnemonicPrefix`, or others of the user's.
_PREFIXED = re.compile(r'("?)([^/" ]+/)(.+)\1 \1(?!\2)([^/" ]+/)\3\1')


def git_section(names: str) -> Section:
    """What a `diff --git` line begins: the same name twice, with two prefixes or without any, or two names."""
    texts = [text for text in dict.fromkeys((names, names.strip())) if len(text) <= LONGEST]
    for text in texts:
        path, other = _paths_cut_at(len(text) // 2, text, ())
        if path and path == other:
            return Section(path, path, is_git=True, prefixes=(), names=names)
    for text in texts:
        if match := _PREFIXED.fullmatch(text):
            path = unquoted(f"{match[1]}{match[3]}{match[1]}")
            return Section(path, path, is_git=True, prefixes=(match[2], match[4]), names=names)
    text = names.strip()
    return Section(*_paths_cut_at(_cut_of(text), text, PREFIXES), is_git=True, names=names)


def _paths_cut_at(cut: int, names: str, prefixes: Sequence[str]) -> tuple[str, str]:
    """Both paths in a `diff --git` line; blanks in them are not quoted. Empty if there is no blank to cut at."""
    if names[cut : cut + 1] != " ":
        return "", ""
    return without_prefix(names[:cut], prefixes), without_prefix(names[cut + 1 :], prefixes)


def _cut_of(names: str) -> int:
    if '"' in names:
        return names.find('" ') + 1 if names.startswith('"') else names.find(' "')
    for between in (" b/", " "):
        if names.count(between) == 1:
            return names.find(between)
    return 0


def read_git_header(section: Section, body: str) -> None:
    """One of its lines behind the first."""
    if match := _MODE.fullmatch(body):
        section.is_link = section.is_link or match[2] in _LINKS
        if match[1] in ("new file mode", "new mode"):
            section.mode = int(match[2][-3:], 8)
    if body.startswith("similarity index"):
        section.is_similar = not body.rstrip().endswith(" 100%")
    elif match := _INDEX.match(body):
        section.may_be_empty = True
        section.is_altered = any(name.strip("0") and not name.startswith(_NOTHING) for name in match.groups())
    elif body.startswith("new file mode"):
        section.is_new = True
    elif body.startswith("deleted file mode"):
        section.is_deleted = True
    elif body.startswith(("rename from ", "copy from ")):
        section.old_path = _name_in(section, body.partition(" from ")[2])
    elif body.startswith("rename to "):
        section.new_path = section.moved_to = _name_in(section, body[10:])
    elif body.startswith("copy to "):
        section.new_path, section.is_copy = _name_in(section, body[8:]), True


def _name_in(section: Section, text: str) -> str:
    """A name in git's header; blanks around it belong to it if they also stand in the line with both names."""
    return unquoted(text if f"{text} " in f"{section.names} " else text.strip())
