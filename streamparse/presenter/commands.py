r"""split_commands: which commands a command line runs, as far as that can be told for certain.

    split_commands("cd src && grep -r x . | head")     cd src · grep -r x . · head
    split_commands("echo $(rm -r /)")                  echo · rm -r /
    split_commands("ls > out")                         ls, with a doubt: it writes to a file
    split_commands("bash -c 'rm -r /'")                bash -c …, with a doubt: it runs what it is told

The grammar is tree-sitter's for bash, from the extra `agent`; without it, nothing can be told. A command with a doubt
is asked about whatever the rules say. There is no doubt only about what is known to be harmless in itself: words,
quotes, lists, pipes, conditions, and substitutions, whose commands are told as well. Everything else that the grammar
has is a doubt. So are assignments and loops over a variable, which could set PATH, and arithmetic, `[[ … ]]` and most
of `${…}`, by which bash runs what stands in the value of a variable.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from itertools import pairwise, takewhile
from typing import Protocol, cast

from attrs import evolve, frozen

from streamparse import deferred

#: Parts of a line that run nothing by themselves. What is in them is looked at.
_PLAIN = frozenset({
    "program", "list", "pipeline", "subshell", "compound_statement", "negated_command", "command", "command_name",
    "command_substitution", "process_substitution", "comment", "word", "number", "string", "string_content",
    "raw_string", "concatenation", "simple_expansion", "variable_name", "special_variable_name", "brace_expression",
    "if_statement", "elif_clause", "else_clause", "while_statement", "do_group",
})  # fmt: skip
_REDIRECTIONS = frozenset({"redirected_statement", "file_redirect", "heredoc_redirect", "herestring_redirect"})
#: Programs that run what their arguments say, and builtins that change what the next command is.
_RUNNERS = frozenset({
    "eval", "exec", "source", ".", "command", "builtin", "sudo", "doas", "su", "runuser", "pkexec", "env", "xargs",
    "parallel", "nohup", "time", "timeout", "nice", "ionice", "chrt", "taskset", "numactl", "prlimit", "setpriv",
    "setsid", "stdbuf", "unbuffer", "watch", "entr", "script", "expect", "ssh", "strace", "ltrace", "gdb", "busybox",
    "toybox", "unshare", "chroot", "nsenter", "flock", "systemd-run", "at", "batch", "crontab", "screen", "tmux",
    "fakeroot", "coproc", "trap", "alias", "unalias", "enable", "hash", "bind", "complete", "compgen", "fc", "jobs",
    "set", "shopt", "read", "mapfile", "readarray", "getopts", "let", "declare", "typeset", "local", "export",
    "readonly", "unset", "awk", "gawk", "mawk", "nawk", "ed", "ex", "valgrind", "perf", "setarch", "xvfb-run", "bwrap",
    "firejail", "proot", "run-parts", "start-stop-daemon", "dbus-run-session", "caffeinate", "rlwrap",
})  # fmt: skip
_SHELL = re.compile(r"(?:r?ba|z|da|k|pdk|mk|a|t?c|fi|xon|pw|power)?sh(?:ell)?[\d.-]*|cmd|nu|elvish")
#: Options that make a program run, write or remove something that its first words do not tell: those of one dash, or
#: other words, and the names of those of two dashes, of which most programs take a beginning for the whole.
_TELLING_OPTIONS: dict[str, tuple[str, tuple[str, ...]]] = {
    "find": (r"-(?:exec|execdir|ok|okdir|delete|fprint0?|fprintf|fls)", ()),
    "fd": (r"-\w*[xX].*", ("exec", "exec-batch")),
    "git": (
        r"-(?:[cC]|\w*[Ox]).*",
        (
            *("config-env", "exec-path", "exec", "ext-diff", "extcmd", "textconv", "upload-pack", "receive-pack"),
            *("open-files-in-pager", "output", "output-directory", "git-dir", "work-tree", "template"),
            *("namespace", "super-prefix", "attr-source"),  # the word behind these is not what git is to do
        ),
    ),
    "sort": (r"-\w*o.*", ("output", "compress-program")),
    "rg": ("(?!)", ("pre", "hostname-bin")),
    "tar": (
        r"-?\w*[IF].*",
        (
            *("to-command", "checkpoint-action", "use-compress-program", "rsh-command", "rmt-command"),
            *("info-script", "new-volume-script"),
        ),
    ),
    "rsync": (r"-\w*e.*", ("rsh", "rsync-path")),
    "printf": (r"-v.*|.*%[-+ #'0-9.*hlLqjzt]*n.*", ()),  # both set a variable
    "wait": (r"-\w*p.*", ()),
    "make": (r"-\w*[fCEI].*|\w+\W?\W?=.*", ("file", "makefile", "eval", "directory", "include-dir")),
    "go": (r"-(?:exec|toolexec|vettool|overlay|C).*", ("exec", "toolexec", "vettool", "overlay")),
    "split": ("(?!)", ("filter",)),
    "shuf": (r"-\w*o.*", ("output",)),
    "tree": (r"-\w*o.*", ("output",)),
    "zip": (r"-\w*T.*", ("unzip-command",)),
    "ag": ("(?!)", ("pager",)),
    "ack": ("(?!)", ("pager",)),
    "bat": ("(?!)", ("pager",)),
    "test": (r"-[vR]", ()),
    "man": (r"-\w*[PH].*", ("pager", "html")),
}
#: What git is told to do when it runs what its arguments, or its settings, say.
_RUNNERS_OF_GIT = frozenset({
    "bisect", "config", "difftool", "filter-branch", "for-each-repo", "hook", "instaweb", "mergetool", "send-email",
    "submodule",
})  # fmt: skip
#: A script for sed that shows or replaces lines, and neither runs a command nor writes a file.
_SED = re.compile(r"(?:\d*(?:,(?:\d+|\$))?[pdq]|s([/|#,])(?:(?!\1)[^\\\n]|\\.)*\1(?:(?!\1)[^\\\n]|\\.)*\1[gpIi\d]*)")
#: What stands between the words of a command, and that nothing stands between the parts of a word.
_GAPS = {
    **dict.fromkeys(("command", "negated_command"), re.compile(rb"[ \t]+")),
    **dict.fromkeys(("command_name", "concatenation"), re.compile(rb"")),
}
#: White space in a word that no backslash stands before.
_SPACE = re.compile(rb"(?<!\\)(?:\\\\)*[ \t\n]")
_UNKNOWN = "which program it runs is only known when it runs"


class Node(Protocol):
    """A part of a syntax tree: what is needed of tree-sitter's."""

    @property
    def type(self) -> str:
        """Its name in the grammar."""

    @property
    def text(self) -> bytes | None:
        """What is written there."""

    @property
    def children(self) -> Sequence[Node]:
        """Its parts."""

    @property
    def is_named(self) -> bool:
        """Whether it is more than punctuation."""

    @property
    def start_byte(self) -> int:
        """Where it begins."""

    @property
    def end_byte(self) -> int:
        """Where it ends."""

    @property
    def has_error(self) -> bool:
        """Whether something in it does not fit the grammar."""


@frozen
class Command:
    """One command: its words up to the first that is not certain. `doubt` is why it is asked about in any case.

    `is_whole` says that all of its words are certain.
    """

    words: tuple[str, ...]
    doubt: str = ""
    is_whole: bool = True

    def may_be(self, words: Sequence[str]) -> bool:
        """Whether it may do what a command of these first words does, although its own are others.

        The program may be named by its path, there may be options in between, and words that are not certain may be
        any.
        """
        if not self.words or _program(self.words[0]) != _program(words[0]):
            return False
        others = iter(self.words[1:])
        return not self.is_whole or all(word in others for word in words[1:])


def split_commands(line: str) -> list[Command] | None:
    """All commands in it, wherever they stand; None if it cannot be told."""
    parse = _parser()
    if parse is None or not _is_plain_text(line):
        return None
    root = parse(line)
    if root.has_error or not _is_faithful(root, line.encode()):
        return None
    doubt = next((doubt for node in _nodes(root) if (doubt := _doubt_about(node))), "")
    return [evolve(command, doubt=command.doubt or doubt) for command in _commands_in(root)]


@cache
def _parser() -> Callable[[str], Node] | None:
    """What reads bash; None where the extra is not installed."""
    try:
        return cast(Callable[[str], Node], deferred.load("streamparse.presenter.bash_grammar", "parse_bash"))
    except ImportError:
        return None


def _is_plain_text(line: str) -> bool:
    """Whether bash and the grammar see the same characters.

    A backslash at the end of a line joins two halves of a word; the grammar sees two words. Between backticks bash
    takes backslashes away before it reads the commands: what the grammar sees there in quotes may be one. And there is
    more that the grammar takes for white space than bash does.
    """
    if "\\\n" in line or ("`" in line and "\\" in line):
        return False
    return all(map(str.isprintable, re.split(r"[\n\t]", line)))


def _is_faithful(root: Node, line: bytes) -> bool:
    """Whether the tree has all of the line, and words and lines end in it where bash sees their ends.

    The grammar takes a line break before a backslash for a part of a word: `ls` and `\\rm x` below it are one command.
    It takes the halves of some words for two, and `!ls` for `! ls`.
    """
    end = 0
    for node in _all_nodes(root):
        gaps = [line[one.end_byte : other.start_byte] for one, other in pairwise(node.children)]
        if node.type in _GAPS and not all(map(_GAPS[node.type].fullmatch, gaps)):
            return False
        if not node.children:
            if line[end : node.start_byte].strip(b" \t\n"):
                return False
            end = node.end_byte
            if node.type == "word" and _SPACE.search(line[node.start_byte : end]):
                return False
    return not line[end:].strip(b" \t\n")


def _all_nodes(root: Node) -> Iterator[Node]:
    """The parts of the line, one after the other; a deep nesting needs no deep stack."""
    waiting = [root]
    while waiting:
        node = waiting.pop()
        yield node
        waiting += reversed(node.children)


def _nodes(root: Node) -> Iterator[Node]:
    """Those that have a name, and are more than punctuation."""
    return (node for node in _all_nodes(root) if node.is_named)


def _doubt_about(node: Node) -> str:
    """What is doubtful about a part of a line, if anything is."""
    if node.type in _PLAIN or (node.type == "expansion" and _is_plain_expansion(node)):
        return ""
    if node.type in _REDIRECTIONS:
        return "it redirects input or output"
    if node.type == "variable_assignment":
        return "it sets a variable, on which may depend what runs"
    return f"it has something in it whose effect is not known ({node.type.replace('_', ' ')})"


def _is_plain_expansion(node: Node) -> bool:
    """`${name}`, and no more."""
    return [child.type for child in node.children] == ["${", "variable_name", "}"]


def _commands_in(root: Node) -> Iterator[Command]:
    for node in _nodes(root):
        if node.type == "command":
            words = [_literal(child) for child in node.children if child.type != "variable_assignment"]
            certain = tuple(word for word in takewhile(lambda word: word is not None, words) if word is not None)
            is_whole = len(certain) == len(words)
            yield Command(certain, _doubt_about_words(certain, is_whole), is_whole)


def _literal(node: Node) -> str | None:
    """The text of a word, without its quotes; None if something else may come in its place when it runs."""
    text = (node.text or b"").decode()
    if node.type in ("command_name", "concatenation"):
        parts = [_literal(child) for child in node.children]
        return None if None in parts else "".join(part for part in parts if part is not None)
    if node.type == "raw_string":
        return text[1:-1]
    if node.type == "string":
        is_plain = all(child.type in ('"', "string_content") for child in node.children)
        return text[1:-1] if is_plain and "\\" not in text else None
    if node.type in ("word", "number"):
        unescaped = re.sub(r"\\.", "", text)
        # Names of files, or several words, may come in the place of these.
        return None if re.search(r"[*?\[{}~]", unescaped) else re.sub(r"\\(.)", r"\1", text)
    return None


def _doubt_about_words(words: tuple[str, ...], is_whole: bool) -> str:
    """The same of the words of a command."""
    if not words:
        return _UNKNOWN
    name = _program(words[0])
    if name in _RUNNERS or _SHELL.fullmatch(name) or (name == "git" and _task_of_git(words) in _RUNNERS_OF_GIT):
        return f"{name} runs what its arguments say"
    if name in _TELLING_OPTIONS:
        is_told = is_whole and not any(_is_telling(*_TELLING_OPTIONS[name], word) for word in words[1:])
    else:
        is_told = name != "sed" or (is_whole and _is_plain_sed(words[1:]))
    return "" if is_told else f"{name} may do something else, too, by what its arguments say"


def _program(word: str) -> str:
    """The name of a program, wherever it lies; some file systems do not tell RM from rm."""
    return word.rpartition("/")[2].lower().removesuffix(".exe")


def _task_of_git(words: tuple[str, ...]) -> str | None:
    return next((word for word in words[1:] if not word.startswith("-")), None)


def _is_telling(short: str, long: tuple[str, ...], word: str) -> bool:
    """Whether it is one of the options, or may be short for one of them."""
    if not word.startswith("--"):
        return re.fullmatch(short, word, re.DOTALL) is not None
    name = word[2:].partition("=")[0]
    return bool(name) and any(one.startswith(name) for one in long)


def _is_plain_sed(words: tuple[str, ...]) -> bool:
    """Whether sed has one script that is known to be harmless, and no options but those that do not matter."""
    script = next((word for word in words if not word.startswith("-")), "")
    options = [word for word in words if word.startswith("-")]
    return _SED.fullmatch(script) is not None and all(re.fullmatch(r"-[nErsz]+", word) for word in options)
