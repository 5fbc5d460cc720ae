r"""split_commands: which commands a command line runs, as far as that can be told for certain.

    split_commands("cd src && grep -r x . | head")     cd src · grep -r x . · head
    split_commands("echo $(rm -r /)")                  echo · rm -r /
    split_commands("ls > out")                         ls, with a doubt: it writes to a file
    split_commands("bash -c 'rm -r /'")                bash -c …, with a doubt: it runs what it is told

The grammar is tree-sitter's for bash, from the extra `agent`; without it, nothing can be told. A command with a doubt
is asked about whatever the rules say. There is no doubt only about what is known to be harmless in itself: words,
quotes, lists, pipes, substitutions whose commands are told as well. Everything else that the grammar has is a doubt.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from itertools import takewhile
from typing import TYPE_CHECKING, Any

from attrs import evolve, frozen

from streamparse import deferred

if TYPE_CHECKING:
    from streamparse.presenter.bash_grammar import Node, Parser

#: Parts of a line that run nothing by themselves. What is in them is looked at.
_PLAIN = frozenset({
    "program", "list", "pipeline", "subshell", "compound_statement", "negated_command", "command", "command_name",
    "command_substitution", "process_substitution", "comment", "word", "number", "string", "string_content",
    "raw_string", "concatenation", "simple_expansion", "expansion", "variable_name", "special_variable_name",
    "test_command", "unary_expression", "binary_expression", "test_operator", "if_statement", "elif_clause",
    "else_clause", "for_statement", "while_statement", "do_group", "case_statement", "case_item",
    "extglob_pattern", "arithmetic_expansion", "brace_expression",
})  # fmt: skip
_REDIRECTIONS = frozenset({"redirected_statement", "file_redirect", "heredoc_redirect", "herestring_redirect"})
#: Programs that run what their arguments say.
_RUNNERS = frozenset({
    "eval", "exec", "source", ".", "command", "builtin", "bash", "sh", "zsh", "dash", "ksh", "fish", "sudo", "doas",
    "su", "env", "xargs", "parallel", "nohup", "time", "timeout", "nice", "ionice", "setsid", "stdbuf", "watch",
    "script", "ssh", "trap", "alias", "enable", "coproc", "busybox", "unshare", "chroot", "nsenter", "flock",
})  # fmt: skip
#: Options that make a program run, write or remove something that its first words do not tell.
_TELLING_OPTIONS = {
    "find": re.compile(r"-(exec|execdir|ok|okdir|delete|fprint|fprint0|fprintf|fls)"),
    "fd": re.compile(r"-[a-zA-Z]*[xX].*|--exec(-batch)?(=.*)?"),
    "git": re.compile(r"-c|--(config-env|exec-path|ext-diff|upload-pack|receive-pack|open-files-in-pager).*|-O.*"),
    "sort": re.compile(r"-o.*|--output.*|--compress-program.*"),
    "rg": re.compile(r"--pre(=.*)?"),
}
_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f]")


@frozen
class Command:
    """One command: its words up to the first that is not certain. `doubt` is why it is asked about in any case."""

    words: tuple[str, ...]
    doubt: str = ""


def split_commands(line: str) -> list[Command] | None:
    """All commands in it, wherever they stand; None if it cannot be told."""
    parser = _parser()
    if parser is None or _CONTROL.search(line):
        return None
    root = parser.parse(line.encode("utf-8", "surrogatepass")).root_node
    if root.has_error:
        return None
    commands = list(_commands_in(root))
    doubt = next((doubt for node in _nodes(root) if (doubt := _doubt_about(node))), "")
    return [evolve(command, doubt=command.doubt or doubt) for command in commands]


@cache
def _parser() -> Parser | None:
    try:
        parser: Parser = deferred.load("streamparse.presenter.bash_grammar", "PARSER")
    except ModuleNotFoundError:
        return None
    return parser


def _nodes(root: Node) -> Iterator[Node]:
    """The parts of the line that have a name, one after the other; a deep nesting needs no deep stack."""
    waiting: list[Any] = [root]
    while waiting:
        node = waiting.pop()
        if node.is_named:
            yield node
        waiting += reversed(node.children)


def _doubt_about(node: Node) -> str:
    """What is doubtful about a part of a line, if anything is."""
    if node.type in _PLAIN:
        return ""
    if node.type in _REDIRECTIONS:
        return "it redirects input or output"
    if node.type == "variable_assignment":
        return "it sets a variable, on which may depend what runs"
    return f"it has something in it whose effect is not known ({node.type.replace('_', ' ')})"


def _commands_in(root: Node) -> Iterator[Command]:
    for node in _nodes(root):
        if node.type == "command":
            words = [_literal(child) for child in node.children if child.type != "variable_assignment"]
            certain = tuple(word for word in takewhile(lambda word: word is not None, words) if word is not None)
            yield Command(certain, _doubt_about_words(certain, len(words)))


def _literal(node: Node) -> str | None:
    """The text of a word, without its quotes; None if something else may come in its place when it runs."""
    text = (node.text or b"").decode("utf-8", "surrogatepass")
    if node.type in ("command_name", "concatenation"):
        parts = [_literal(child) for child in node.children]
        return None if None in parts else "".join(part for part in parts if part is not None)
    if node.type == "raw_string":
        return text[1:-1]
    if node.type == "string":
        is_plain = all(child.type in ('"', "string_content") for child in node.children)
        return text[1:-1] if is_plain and "\\" not in text else None
    if node.type in ("word", "number"):
        return re.sub(r"\\(.)", r"\1", text) if "\\\n" not in text else None
    return None


def _doubt_about_words(words: tuple[str, ...], count: int) -> str:
    """The same of the words of a command, of which it has `count`, and these are certain."""
    if not words:
        return "which program it runs is only known when it runs"
    name = words[0].rpartition("/")[2]
    if re.search(r"[*?\[{~]", words[0]):
        return "which program it runs is only known when it runs"
    if name in _RUNNERS:
        return f"{name} runs what its arguments say"
    options = _TELLING_OPTIONS.get(name)
    if options is not None and (len(words) < count or any(options.fullmatch(word) for word in words[1:])):
        return f"an option of {name} may make it do something else"
    return ""
