"""Rules: which calls run at once, which are asked about, and which never run. The last rule that fits decides.

    Rules({
        "*": "ask",
        "read_*": "allow",                                         # by the name of the tool
        "write_file": {"src/**": "allow", "**/*.lock": "deny"},    # by its path
        "run_bash": {"git status": "allow", "pytest": "allow"},    # by the first words of each of its commands
    })
    Rules([Rule("allow", "fetch", {"url": "https://docs.python.org/**"})])    # by any argument

Where no rule fits, a person is asked. A call about several files, or a command line of several commands, is judged
part by part, and the strictest answer counts. What is protected is asked about even where a rule allows it: files with
secrets, the insides of a repository, paths that lead out of the working directory.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from posixpath import normpath
from typing import Literal, TypeAlias, get_args, overload

from attrs import field, frozen

from streamparse.invocations import ToolInvocation
from streamparse.messages.results import as_text
from streamparse.presenter.commands import Command, split_commands
from streamparse.presenter.printable import brief
from streamparse.presenter.targets import targets_of
from streamparse.presenter.tool import Tool

Verdict: TypeAlias = Literal["allow", "ask", "deny"]
#: Verdicts by the name of a tool, or by that and what it is about.
RuleTable: TypeAlias = Mapping[str, Verdict | Mapping[str, Verdict]]
_STRICTNESS: dict[str, int] = {"allow": 0, "ask": 1, "deny": 2}
#: What is asked about in any case.
PROTECTED = (
    "**/.git", "**/.git/**", "**/.env", "**/.env.*", "**/*.pem", "**/*.key", "**/id_rsa*", "**/id_ed25519*",
    "**/.ssh", "**/.ssh/**", "**/.netrc", "**/.streamparse*", "**/.streamparse*/**",
)  # fmt: skip
_GLOB = re.compile(r"(\*\*/)|(/\*\*$)|(\*\*)|(\*)|(\?)|([^*?]+|/)")


@frozen
class Judgement:
    """What is to be done with a call, and why. The larger of two is the stricter."""

    verdict: Verdict
    reason: str = field(default="", eq=False)

    def __lt__(self, other: Judgement) -> bool:
        return _STRICTNESS[self.verdict] < _STRICTNESS[other.verdict]


def _check_verdict(_: object, __: object, verdict: object) -> None:
    if verdict not in get_args(Verdict):
        raise ValueError(f"a rule says 'allow', 'ask' or 'deny', not {verdict!r}")


@frozen
class Rule:
    """A verdict, and the calls that it is for: `*` and `?` stand for any characters, in paths `**` for folders, too.

    `target` is the path that the call is about or, as a beginning of words, its command: a word with spaces stands
    in quotes, as in a shell. `is_exact` says that the command has no further words, and that the name of the tool is
    this very name. All that is given must fit. A command that a rule which does not allow it may be about, because it
    names the same program by a path or has options in between, is asked about.
    """

    verdict: Verdict = field(validator=_check_verdict)
    tool: str = "*"
    arguments: Mapping[str, str] = field(factory=dict, hash=False)
    target: str | None = None
    is_exact: bool = False

    def __str__(self) -> str:
        about = [self.target, *(f"{name}={pattern}" for name, pattern in self.arguments.items())]
        return " ".join([self.tool, *(part for part in about if part is not None)])


class Rules:
    """Rules in their order. `read_only` is what is done with tools that change nothing, if no rule fits.

    `protected` are paths that are always asked about. A person's "always" is added as a rule: keep one object for all
    replies of a conversation.
    """

    # Apart, since type checkers find the type of a dict only where nothing else may stand.
    @overload
    def __init__(
        self, rules: RuleTable, *, read_only: Verdict = "ask", protected: Iterable[str] = PROTECTED
    ) -> None: ...

    @overload
    def __init__(
        self, rules: Iterable[Rule] = (), *, read_only: Verdict = "ask", protected: Iterable[str] = PROTECTED
    ) -> None: ...

    def __init__(
        self,
        rules: RuleTable | Iterable[Rule] = (),
        *,
        read_only: Verdict = "ask",
        protected: Iterable[str] = PROTECTED,
    ) -> None:
        self.rules: list[Rule] = list(_rules_of(rules) if isinstance(rules, Mapping) else rules)
        self._read_only = read_only
        self._protected = tuple(protected)

    def judge(self, call: ToolInvocation, tool: Tool) -> Judgement:
        """What is to be done with the call."""
        targets = targets_of(call, tool.spec)
        judgements = [self._judge_place(path) for path in targets.paths]
        if targets.command is not None:
            judgements += self._judge_command(call, tool, targets.command)
        elif targets.paths:
            judgements += [self._judge_part(call, tool, normpath(path)) for path in targets.paths]
        else:
            judgements.append(self._judge_part(call, tool, None))
        return max(judgements)

    def remember(self, call: ToolInvocation, tool: Tool, is_allowed: bool) -> None:
        """A person has decided for later calls as well: of this tool; of one that runs commands, for the same commands.

        Of a line with several commands, each is allowed from now on, but none is forbidden by itself. A command whose
        words are not all certain is not remembered.
        """
        verdict: Verdict = "allow" if is_allowed else "deny"
        command = targets_of(call, tool.spec).command
        if command is None:
            self.rules.append(Rule(verdict, tool.spec.name, is_exact=True))
            return
        commands = split_commands(command) or []
        if is_allowed or len(commands) == 1:
            whole = [shlex.join(one.words) for one in commands if one.is_whole]
            self.rules += [Rule(verdict, tool.spec.name, target=target, is_exact=True) for target in whole]

    def _judge_command(self, call: ToolInvocation, tool: Tool, line: str) -> Iterator[Judgement]:
        commands = split_commands(line)
        if not commands:
            yield self._judge_part(call, tool, None)
            yield Judgement("ask", "what it runs cannot be told for certain")
        for one in commands or ():
            yield self._judge_part(call, tool, one)
            yield Judgement("ask", one.doubt) if one.doubt else Judgement("allow")

    def _judge_part(self, call: ToolInvocation, tool: Tool, target: str | Command | None) -> Judgement:
        doubt = Judgement("allow")
        for rule in reversed(self.rules):
            if _fits(rule, call, tool, target):
                return max(Judgement(rule.verdict, f"the rule `{brief(str(rule))}` says so"), doubt)
            if rule.verdict != "allow" and isinstance(target, Command) and _may_fit(rule, call, tool, target):
                doubt = Judgement("ask", f"it may be what the rule `{brief(str(rule))}` is about")
        if tool.is_read_only:
            return max(Judgement(self._read_only, "it only reads"), doubt)
        return Judgement("ask", "no rule allows it")

    def _judge_place(self, path: str) -> Judgement:
        """Paths that lead out of the root, and those that are protected."""
        plain = normpath(path.replace("\\", "/")).lower()  # some file systems do not tell .ENV from .env
        if plain.startswith(("/", "../", "~")) or plain == ".." or re.match(r"[a-z]:", plain):
            return Judgement("ask", f"{brief(path)} lies outside of the working directory")
        is_protected = any(_matches(one.lower(), plain) for one in self._protected)
        return Judgement("ask", f"{brief(path)} is protected") if is_protected else Judgement("allow")


def _rules_of(rules: RuleTable) -> Iterable[Rule]:
    for tool, verdict in rules.items():
        if isinstance(verdict, Mapping):
            for target, inner in verdict.items():
                yield Rule(inner, tool, target=target)
        else:
            yield Rule(verdict, tool)


def _fits(rule: Rule, call: ToolInvocation, tool: Tool, target: str | Command | None) -> bool:
    if rule.target is not None and not _is_target(rule, target):
        return False
    return _is_for(rule, call, tool)


def _may_fit(rule: Rule, call: ToolInvocation, tool: Tool, command: Command) -> bool:
    """Whether the command is perhaps one that the rule is about, although its words are others."""
    if rule.target is None or rule.is_exact or not (words := _words(rule.target)):
        return False
    return command.may_be(words) and _is_for(rule, call, tool)


def _is_for(rule: Rule, call: ToolInvocation, tool: Tool) -> bool:
    """Whether the tool and the arguments fit."""
    name = tool.spec.name
    is_named = rule.tool == name if rule.is_exact else _matches(rule.tool, name)
    return is_named and all(
        name in call.arguments and _matches(pattern, as_text(call.arguments[name]))
        for name, pattern in rule.arguments.items()
    )


def _is_target(rule: Rule, target: str | Command | None) -> bool:
    assert rule.target is not None
    if isinstance(target, Command):
        if rule.is_exact:
            return target.is_whole and rule.target == shlex.join(target.words)
        words = _words(rule.target)
        return words == ("*",) or (bool(words) and target.words[: len(words)] == words)
    return target is not None and _matches(rule.target, target)


@cache
def _words(pattern: str) -> tuple[str, ...]:
    try:
        return tuple(shlex.split(pattern))
    except ValueError:  # a quote without its other half, as a path may have: no command is called so
        return (pattern,)


def _matches(pattern: str, text: str) -> bool:
    return _compiled(pattern).fullmatch(text) is not None


@cache
def _compiled(pattern: str) -> re.Pattern[str]:
    """`**/` is any number of folders, `/**` all that is in one, `**` anything, `*` and `?` anything but a slash.

    A `*` alone is anything.
    """
    parts = [
        r"(?:.*/)?" if match[1] else r"/.*" if match[2] else ".*" if match[3] else "[^/]*" if match[4]
        else "[^/]" if match[5] else re.escape(match[6])
        for match in _GLOB.finditer(pattern)
    ]  # fmt: skip
    return re.compile(".*" if pattern == "*" else "".join(parts), re.DOTALL)
