"""How names of files are written in a line of text, and in the line that opens a fence.

    **File:** `docs/new file.md`        whole_name: all of the line but what is put around it, and whether that marks it
    In `docs/new file.md` and a.py      spoken_of: what is in backticks or quotes is one name, all else are words
    ```md title="docs/new file.md"      in_fence: the same

A single word that is all of its line is a name if it is in backticks or a tag or behind `File:`, or looks like a path.
Blanks are part of a name that is in backticks or quotes, in a tag or behind `File:`, or that is all of its line and
begins with a folder, if it reads like a path. All else that has blanks may be a name or some words and a name.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from attrs import frozen

ITEM = re.compile(r"[ \t]*(?:[-*+]|\d+[.)])[ \t]+")
_HEADING = re.compile(r"(?:#{1,6}|//|--|;|%)[ \t]+")
_LABEL = re.compile(
    r"(?:new |existing |updated? |in )?(?:file[ _-]?(?:name|path)?|path)[*`]*[ \t]*[:=][*`]*[ \t]*", re.IGNORECASE
)
_BEHIND = re.compile(r"[ \t]*\((?:new|new file|create[ds]?|updated?|modified|existing)\)\Z", re.IGNORECASE)
#: Numbers of lines behind a path, as in `src/a.py#L3-L7` and `src/a.py:3`.
_LINES = re.compile(r"(\.[A-Za-z]\w{0,9})(?:#L\d+(?:-L?\d+)?|:\d+(?:[-:]\d+)?)(?![\w:])")
_TAG = re.compile(
    r"<(?:file_?)?(?:path|name)>(.*)</(?:file_?)?(?:path|name)>|<\w+ (?:[\w-]+ )*(?:file_?)?(?:path|name)=\"(.*?)\".*>"
)
#: Those of them that name files, and nothing else such as tools.
_FILE_TAG = re.compile(r"<(?:file\b|\w+ .*(?:file_?(?:name|path)|\bpath)=|file_?(?:name|path)>|path>)")
_AROUND = re.compile(r"<!--(.*)-->|/\*(.*)\*/|\[(.*)\]\(.*\)")
#: In braces, a word behind a dot is a class, such as the language: `{.python file=a.py}`.
_CLASS = re.compile(r"\.[\w-]+")
_ATTRIBUTE = re.compile(r"[\w-]*[=:][\"']?([^\"'{}]+)[\"']?\Z")
#: A value in quotes, with its key; of these keys it is a name.
_QUOTED_VALUE = re.compile(r"(?<![^\s{,])(?:([\w-]+)[ \t]*([=:])[ \t]*)?([\"'])(.+?)\3")
_KEYS = re.compile(r"title|(?:file[_-]?)?(?:name|path)|file", re.IGNORECASE)
_OF_FILES = re.compile(r"file[_-]?name|(?:file[_-]?)?path|file", re.IGNORECASE)
#: The language before a name, and a key.
_BEFORE = re.compile(r"\A(?:[\w+#.-]+[ \t]+)?(?:[\w+#.-]*[=:][\"']?)?")
#: What stands beside a name and is no part of it: a label, an attribute, something in braces.
_BESIDE = re.compile(r"\{.*\}|[\w-]+[=:].*|\W*")
_ENDS = "*`\"' \t"
#: A text that is a path by its looks: with folders, or with an extension.
PATH = re.compile(r"(?=[^/]*/|.*\.[\w+-]{1,12}\Z)[^\s`*\"'<>|?:]*[^\s`*\"'<>|?:/.,;!()]")
#: Files that have neither, or no usual extension, and that a block may make.
KNOWN = re.compile(
    r"(?:Docker|Make|Rake|Gem|Proc|Jenkins|Vagrant|Brew|Just)file|LICENSE|README|NOTICE|CODEOWNERS|go\.(?:mod|sum)"
    r"|\.(?:\w+(?:ignore|rc)|env(?:\.\w+)?|editorconfig|git(?:attributes|modules)|\w+-version)"
)
#: A word that may be the name of any file.
_ANY = re.compile(r"(?=.*[^\W\d_])[\w.-]+")
#: One that is all of its line, or that a few words say is to be made.
_ALONE = re.compile(r"[ \t]*(?:#{1,6}[ \t]+)?(?P<bold>\*\*|)(?P<name>[\w.-]+)(?P=bold)[ \t]*")
_MADE = re.compile(
    r"[ \t]*(?:#{1,6}[ \t]+)?(?:\*\*)?(?:"
    r"(?:(?:create|add|new)[ ])(?:(?:a|the)[ ])?(?:new[ ])?(?P<file>file[ ])?(?:\*\*)?`(?P<name>[\w.-]+)`"
    r"|`(?P<code>[\w.-]+)`(?:\*\*)?[ \t]*\((?:new|new file|created?)\))(?:\*\*)?:?(?:\*\*)?[ \t]*",
    re.IGNORECASE,
)
_VERSION = re.compile(r"[vV]?\d+(?:\.\d+)*(?:[-.]?[a-z]+\d*)?")
#: Names of what is no file: `Node.js`; and words as they begin a sentence or name a class, but not `Caddyfile`.
_FRAMEWORK = re.compile(r"[A-Z]\w*\.js")
_CAPITALIZED = re.compile(r"(?!\w+file\Z)[A-Z]\w*[a-z][\w-]*")
#: What may be a path in a sentence, and what is one name in it.
_WORD = re.compile(r"[^\s`*\"'<>|?:,;()]+")
_SPAN = re.compile(r"`([^`]+)`|\"([^\"]+)\"|(?<!\w)'([^']+)'(?!\w)")
#: What is one by its looks even if there is no such file: `lib/a.py`, `a.py`; but not `self.name`, nor `Node.js`.
CERTAIN = re.compile(
    r"(?!//)(?:.*/[^/]*\.[A-Za-z]\w{0,9}"
    r"|(?![A-Z]\w*\.js\Z)[\w.-]+\.(?:bat|c|cc|cfg|cjs|clj|cmake|conf|cpp|cs|csproj|css|csv|dart|env|exs?|go|gradle"
    r"|graphql|h|hpp|hs|html|ini|ipynb|java|jl|js|json|jsx|kts?|less|lock|lua|md|mdx|mjs|ml|mts|nix|php|pl|proto|ps1"
    r"|pyi?|rb|rs|rst|sass|scala|scss|sh|sol|sql|svelte|svg|swift|tex|tf|toml|tsx?|tsv|txt|vue|xml|ya?ml|zig|zsh))"
)
#: A path in brackets, which are no link.
_BRACKETS = re.compile(rf"\[({CERTAIN.pattern}|[^\s\[\]]*/[^\s\[\]]*)\]")
#: What is in backticks or in bold.
_MARKED = re.compile(r"`([^`]+)`|\*\*([^*`]+)\*\*|__([^_`]+)__")
#: A text with blanks that may be a name, and one that has nothing in it but what words have.
_BLANKS = re.compile(r"(?!.*(?:/\s|\s/))[^\s`*\"<>|?:=;{}][^`*\"<>|?:=;{}]*")
_EXTENSION = re.compile(r"[^\s/]\.[A-Za-z]\w{0,9}\Z")
WORDS = re.compile(r"[\w ./()&+@#~-]+")


@frozen
class Whole:
    """What is left of a line without what models put around a name; it need not be one."""

    text: str
    #: Whether it is in a tag for files or behind a label: `<path>LICENSE</path>`, `File: LICENSE`.
    is_labelled: bool = False
    #: Whether it is in backticks, and no mere item of a list: those of `- `a`` may be anything, that of `- `a`:` not.
    is_code: bool = False
    #: Whether it is in backticks, quotes or a tag, or behind a label.
    is_marked: bool = False

    @property
    def is_certain(self) -> bool:
        """Whether it is a name, whatever it looks like; one with blanks is not some words and a name."""
        if (self.is_labelled or self.is_code) and _ANY.fullmatch(self.text):
            return True
        if self.is_marked:
            return has_blanks(self.text)
        *folders, name = self.text.split("/")
        ends = CERTAIN.fullmatch(self.text) or KNOWN.fullmatch(name)
        others = self.text.split()[:-1]
        is_path = bool(folders and ends and WORDS.fullmatch(self.text)) and has_blanks(self.text)
        return is_path and "/" in others[0] and not any(map(CERTAIN.fullmatch, others))


def whole_name(line: str) -> Whole:
    """The line without what models put around a name."""
    item = ITEM.match(line)
    text = line[item.end() if item else 0 :].strip()
    is_labelled = is_marked = False
    while True:
        before = text
        text = _HEADING.sub("", text, count=1) if _HEADING.match(text) else text
        text = _BEHIND.sub("", text.removesuffix(":").strip(_ENDS))
        if label := _LABEL.match(text):
            # What stands behind it may also be a sentence.
            text = text[label.end() :]
            is_labelled = is_labelled or not any(map(CERTAIN.fullmatch, text.strip(_ENDS).split()[:-1]))
        if element := _TAG.fullmatch(text) or _AROUND.fullmatch(text) or _BRACKETS.fullmatch(text):
            is_marked = is_marked or element.re is _TAG
            is_labelled = is_labelled or (element.re is _TAG and _FILE_TAG.match(text) is not None)
            text = next(filter(None, element.groups()), "").strip()
        if text == before:
            is_marked = is_marked or is_labelled or any(f"{quote}{text}{quote}" in line for quote in "`\"'")
            is_caption = item is None or line.rstrip(_ENDS).endswith(":")
            return Whole(text, is_labelled, is_caption and f"`{text}`" in line, is_marked)


def has_blanks(text: str) -> bool:
    """Whether a text with blanks reads like a path: it ends in an extension, or has a slash and no other path in it."""
    words = text.split()
    if len(words) < 2 or not _BLANKS.fullmatch(text):
        return False
    return bool(_EXTENSION.search(text)) or ("/" in text and not any(map(CERTAIN.fullmatch, words)))


def is_file_name(name: str) -> bool:
    """Whether it is hardly anything but the path of a file: `src/a.py` or `LICENSE`, but not `self.name` nor `1.2`."""
    return may_be_made(name) or KNOWN.fullmatch(name.rpartition("/")[2]) is not None


def may_be_new(name: str) -> bool:
    """Whether a block may make a file that is called so by itself: `bin/run`, `my notes`, but not `console.log`."""
    return is_file_name(name) or "/" in name or " " in name


def without_lines(text: str) -> str:
    """The text without numbers of lines behind a path."""
    return _LINES.sub(r"\1", text)


def is_word_of(text: str, word: str) -> bool:
    """Whether the word stands in that text, as what is explained there does."""
    literal = re.escape(word)
    # What begins with the word itself is looked for at the speed of `str.find`.
    return re.search(rf"{literal}(?!\w)(?<!\w{literal})", text) is not None


def may_be_made(name: str) -> bool:
    """Whether it is a path by its looks even if there is no such file."""
    return any(CERTAIN.fullmatch(part) for part in (name, name.rpartition(" ")[2]))


def spoken_of(line: str) -> Iterator[str]:
    """What may be paths in the line: all that is in backticks or quotes, if it reads like a path, and single words."""
    yield from (name for match in _SPAN.finditer(line) if has_blanks(name := _value(match)))
    yield from words_of(unquoted_in(line))


def marked_in(line: str) -> tuple[str, ...]:
    """What is in backticks or in bold, if one of these is a path by its looks."""
    marked = tuple(_value(match).strip(" :") for match in _MARKED.finditer(line))
    return marked if any(map(may_be_made, marked)) else ()


def unquoted_in(line: str) -> str:
    """The line without the names with blanks that are in backticks or quotes."""
    return _SPAN.sub(lambda match: "`" if has_blanks(_value(match)) else match[0], line)


def words_of(text: str) -> Iterator[str]:
    """Single words that may be paths."""
    return (name for word in _WORD.findall(text) if PATH.fullmatch(name := word.rstrip(".!")))


def _value(match: re.Match[str]) -> str:
    return match[match.lastindex or 0]


def stands_alone(line: str) -> str:
    """The name that is all of the line, bare, in bold or as a heading, or behind words that make a file; else empty.

    In backticks it needs such words, or `(new file)` behind it. A single word with no dot in it is none if it is
    written like the first one of a sentence.
    """
    alone = _ALONE.fullmatch(line) or _MADE.fullmatch(line)
    if alone is None:
        return ""
    said = alone.groupdict()
    name = said["name"] or said["code"]
    is_none = _VERSION.fullmatch(name) or not _ANY.fullmatch(name) or name.endswith(".") or _FRAMEWORK.fullmatch(name)
    is_word = not (said.get("file") or said.get("code")) and _CAPITALIZED.fullmatch(name)
    return "" if is_none or is_word else name


def is_file_in_fence(info: str, name: str) -> bool:
    """Whether a key in the line that opens a fence says that this is the name of a file: `file="run"`."""
    return any(_OF_FILES.fullmatch(key) for key in re.findall(rf"([\w-]+)[=:][\"']?{re.escape(name)}(?!\S*\w)", info))


@frozen
class Info:
    """The names in the line that opens a fence."""

    names: tuple[str, ...] = ()
    #: What may be a single name, if words stand beside what looks like one and no quotes tell them apart.
    whole: tuple[str, ...] = ()


def in_fence(info: str) -> Info:
    """`python src/a.py`, `python:src/a.py`, `{.python title="src/a.py"}`: the parts of it that look like paths."""
    if quoted := tuple(match[4] for match in _QUOTED_VALUE.finditer(info) if _is_name(match)):
        return Info(quoted)
    info, is_braced = _BEHIND.sub("", _QUOTED_VALUE.sub(" ", info).strip()), info.startswith("{")
    names: dict[str, None] = {}
    others = 0
    for at, word in enumerate(info.split()):
        bare = word.strip("{}")
        attribute = _ATTRIBUTE.match(bare)
        name = attribute[1] if attribute else bare.strip("\"'")
        is_class = is_braced and _CLASS.fullmatch(name)
        if PATH.fullmatch(name) and not is_class:
            names[name] = None
        elif at and not is_class and not _BESIDE.fullmatch(word):
            others += 1
    info = info.strip("{} ")
    is_doubtful = bool(names) and len(names) + others > 1
    return Info(tuple(names), (info, _BEFORE.sub("", info).rstrip("\"'")) if is_doubtful else ())


def _is_name(value: re.Match[str]) -> bool:
    """Whether a value in quotes is a name. With blanks it may also be a caption, which has a key of its own."""
    if has_blanks(value[4]):
        is_title = value[1] == "title" and not may_be_made(value[4])
        return not is_title and (value[2] != "=" or _KEYS.fullmatch(value[1]) is not None)
    if PATH.fullmatch(value[4]) or KNOWN.fullmatch(value[4]):
        return True
    return bool(value[1] and _OF_FILES.fullmatch(value[1]) and _ANY.fullmatch(value[4]))
