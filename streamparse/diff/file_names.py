"""Which file a SEARCH/REPLACE block is for: the names that models write before it.

    src/a.py                    also `**src/a.py**`, `` `src/a.py` ``, `### src/a.py`, `File: src/a.py`, `# src/a.py`,
    ```python                   `<path>src/a.py</path>`, each with a colon behind it or not
    ------- SEARCH

    ```python src/a.py          or in the line that opens the fence: `src/a.py`, `python:src/a.py`, `title="src/a.py"`
    ------- SEARCH

What counts is the first of these that there is: a name in the fence's line, or that is all of the line above (blank
lines, the fence's line and lone tags aside); the one file of the tree of which that line speaks, as in ``In `src/a.py`,
do:``; the last line before that is nothing but the name of a file of the tree, and no item of a list; the one file of
which the line above speaks that is not in the tree, as in ``Create `src/new.py`:``. Without any, the block is for the
file that the block before was for, unless its old lines are also in another file of which the text between them speaks.
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
#: What is one by its looks even if there is no such file: `lib/a.py`, `a.py`; but not `self.name`, nor `Node.js`.
_CERTAIN = re.compile(
    r"(?!//)(?:.*/[^/]*\.[A-Za-z]\w{0,9}"
    r"|(?![A-Z]\w*\.js\Z)[\w.-]+\.(?:c|cc|cfg|conf|cpp|cs|css|csv|env|go|h|hpp|html|ini|ipynb|java|js|json|jsx|kt|lock|lua"
    r"|md|mjs|php|pl|ps1|py|pyi|rb|rs|rst|scala|scss|sh|sql|svelte|svg|swift|tex|toml|ts|tsx|txt|vue|xml|ya?ml|zig))"
)
#: A name that has blanks in it is one if it has folders or an extension, too: no sentence is.
_NAME = re.compile(r"\S+|.*/.*|.*\.[\w+-]{1,12}")
_WORDS = re.compile(r"[\w ./-]+")
#: So many names in the text between two blocks are looked at.
_SPOKEN = 32


@frozen
class Names:
    """What stands before a block."""

    #: Names by themselves.
    own: tuple[str, ...] = ()
    #: Files of which the line above speaks, and those that are not there.
    spoken_of: tuple[str, ...] = ()
    missing: tuple[str, ...] = ()
    #: The last name above it that is all of its line.
    above: str = ""
    #: What the text since the block before speaks of; there may be no such files.
    mentioned: tuple[str, ...] = ()


class FileNames:
    """Looks at the lines between blocks."""

    def __init__(self, exists: Callable[[str], bool]) -> None:
        self._exists = exists
        self._line = ""  # the last one, but for those that stand between a name and its block
        self._fence = ""  # what the line that opens a fence says behind it
        self._is_fenced = False
        self._above = ""
        self._mentioned: dict[str, None] = {}

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
        if len(self._mentioned) < _SPOKEN:
            self._mentioned.update(dict.fromkeys(_spoken_of(body)))
        if not _ITEM.match(body) and (name := whole_name(self._line)) and _PATH.fullmatch(name) and self._exists(name):
            self._above = name

    def _is_path(self, name: str) -> bool:
        if any(pattern.fullmatch(name) for pattern in (_PATH, _KNOWN)):
            return True
        return _NAME.fullmatch(name) is not None and self._exists(name)

    def _missing(self, spoken_of: Iterable[str]) -> list[str]:
        """Which of these are paths of files that are not there. Words right before a single one may be part of it."""
        names = [name for name in spoken_of if _CERTAIN.fullmatch(name) and not self._exists(name)]
        whole = whole_name(self._line)
        is_part = len(names) == 1 and whole.endswith(f" {names[0]}") and _WORDS.fullmatch(whole)
        return [*names, whole] if is_part else names

    def take(self) -> Names:
        """A block begins: what was said before it."""
        own = [name for name in (*_in_fence(self._fence), whole_name(_ITEM.sub("", self._line, count=1))) if name]
        spoken_of = dict.fromkeys(_spoken_of(self._line))
        names = Names(
            tuple(name for name in own if self._is_path(name)),
            tuple(filter(self._exists, spoken_of)),
            tuple(self._missing(spoken_of)),
            self._above,
            tuple(self._mentioned),
        )
        self._line = self._fence = self._above = ""
        self._mentioned = {}
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
