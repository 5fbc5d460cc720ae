"""Which file a SEARCH/REPLACE block is for: the names that models write before it.

    src/a.py                    also `**src/a.py**`, `` `src/a.py` ``, `### src/a.py`, `File: src/a.py`, `# src/a.py`,
    ```python                   `<path>src/a.py</path>`, each with a colon behind it or not
    ------- SEARCH

    ```python src/a.py          or in the line that opens the fence: `src/a.py`, `python:src/a.py`, `title="src/a.py"`
    ------- SEARCH

What counts is the first of these that there is: a name in the fence's line, or that is all of the line above (blank
lines, the fence's line and lone tags aside); the one file of the tree of which that line speaks, as in ``In `src/a.py`,
do:``; the last line before that is nothing but the name of a file of the tree, and no item of a list. Without any, the
block is for the file that the block before was for.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator

from attrs import frozen

from streamparse.diff.lines import body_of, is_blank
from streamparse.diff.markers import LONGEST

_FENCE = re.compile(r"[ \t>]*(?:`{3,}|~{3,})[ \t]*([^`]*)")
_TAG = re.compile(r"[ \t]*</?[\w.:-]+>[ \t]*")
_ITEM = re.compile(r"[ \t]*(?:[-*+]|\d+[.)])[ \t]+")
_HEADING = re.compile(r"(?:#{1,6}|//|--|;|%)[ \t]+")
_LABEL = re.compile(
    r"(?:new |existing |updated? |in )?(?:file[ _-]?(?:name|path)?|path)[*`]*[ \t]*[:=][*`]*[ \t]*", re.IGNORECASE
)
_BEHIND = re.compile(r"[ \t]*\((?:new|new file|create[ds]?|updated?|modified|existing)\)\Z", re.IGNORECASE)
_ELEMENT = re.compile(
    r"<(?:file_?)?(?:path|name)>(.*)</(?:file_?)?(?:path|name)>|<\w+ (?:[\w-]+ )*(?:file_?)?(?:path|name)=\"(.*?)\".*>"
    r"|<!--(.*)-->|/\*(.*)\*/|\[(.*)\]\(.*\)"
)
#: In braces, a word behind a dot is a class, such as the language: `{.python file=a.py}`.
_CLASS = re.compile(r"\.[\w-]+")
_ATTRIBUTE = re.compile(r"[\w-]*[=:][\"']?([^\"'{}]+)[\"']?\Z")
_ENDS = "*`\"' \t"
#: A text that is a path by its looks: with folders, or with an extension.
_PATH = re.compile(r"(?=[^/]*/|.*\.[\w+-]{1,12}\Z)[^\s`*\"'<>|?:]*[^\s`*\"'<>|?:/.,;!()]")
#: Files that have neither, and that a block may make.
_KNOWN = re.compile(r"(?:Docker|Make|Rake|Gem|Proc|Jenkins|Vagrant|Brew|Just)file|LICENSE|README|NOTICE|CODEOWNERS")
#: What may be a path in a sentence.
_WORD = re.compile(r"[^\s`*\"'<>|?:,;()]+")


@frozen
class Names:
    """What stands before a block: names by themselves, files of which a sentence speaks, the last name above it."""

    own: tuple[str, ...] = ()
    spoken_of: tuple[str, ...] = ()
    above: str = ""


class FileNames:
    """Looks at the lines between blocks."""

    def __init__(self, exists: Callable[[str], bool]) -> None:
        self._exists = exists
        self._line = ""  # the last one, but for those that stand between a name and its block
        self._fence = ""  # what the line that opens a fence says behind it
        self._is_fenced = False
        self._above = ""

    def add(self, line: str) -> None:
        """The next line."""
        body = body_of(line)
        if len(body) > LONGEST:
            body = "…"  # no name, whatever it is
        if is_blank(body) or _TAG.fullmatch(body):
            return
        if fence := _FENCE.fullmatch(body):
            is_closing = self._is_fenced and not fence[1]
            self._is_fenced, self._fence = not is_closing, fence[1]
            self._line = "" if is_closing else self._line
            return
        self._line, self._fence = body, ""
        if not _ITEM.match(body) and (name := whole_name(self._line)) and _PATH.fullmatch(name) and self._exists(name):
            self._above = name

    def _is_path(self, name: str) -> bool:
        return any(pattern.fullmatch(name) for pattern in (_PATH, _KNOWN)) or self._exists(name)

    def take(self) -> Names:
        """A block begins: what was said before it."""
        own = [name for name in (*_in_fence(self._fence), whole_name(_ITEM.sub("", self._line, count=1))) if name]
        names = Names(
            tuple(name for name in own if self._is_path(name)),
            tuple(dict.fromkeys(name for name in _spoken_of(self._line) if self._exists(name))),
            self._above,
        )
        self._line = self._fence = self._above = ""
        return names


def whole_name(line: str) -> str:
    """The line without what models put around a name; it need not be one."""
    text = line.strip()
    while True:
        before = text
        text = _HEADING.sub("", text, count=1) if _HEADING.match(text) else text
        text = _BEHIND.sub("", text.removesuffix(":").strip(_ENDS))
        text = _LABEL.sub("", text, count=1) if _LABEL.match(text) else text
        if element := _ELEMENT.fullmatch(text):
            text = next(filter(None, element.groups()), "").strip()
        if text == before:
            return text


def _in_fence(info: str) -> Iterator[str]:
    """`python src/a.py`, `python:src/a.py`, `{.python title="src/a.py"}`: the parts of it that look like paths."""
    is_braced = info.startswith("{")
    for word in (word.strip("{}") for word in info.split()):
        attribute = _ATTRIBUTE.match(word)
        name = attribute[1] if attribute else word.strip("\"'")
        if _PATH.fullmatch(name) and not (is_braced and _CLASS.fullmatch(name)):
            yield name


def _spoken_of(line: str) -> Iterable[str]:
    return (name for word in _WORD.findall(line) if _PATH.fullmatch(name := word.rstrip(".!")))
