"""Rules: which calls run at once, which are asked about, and which never run. The last rule that fits decides.

    Rules({
        "*": "ask",
        "read_*": "allow",                                         # by the name of the tool
        "write_file": {"src/**": "allow", "**/*.lock": "deny"},    # by its path
        "run_bash": {"git status": "allow", "pytest": "allow"},    # by the first words of the command
    })
    Rules([Rule("allow", "fetch", {"url": "https://docs.python.org/**"})])    # by any argument

Where no rule fits, a person is asked. A call about several files, or a command line of several commands, is judged
part by part, and the strictest answer counts. What is protected is asked about even where a rule allows it: files with
secrets, the insides of a repository, paths that lead out of the working directory.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from functools import cache
from posixpath import normpath
from typing import Any, Literal, TypeAlias, get_args

from attrs import field, frozen

from streamparse.invocations import ToolInvocation
from streamparse.presenter.commands import Command, split_commands
from streamparse.presenter.targets import targets_of
from streamparse.presenter.tool import Tool

Verdict: TypeAlias = Literal["allow", "ask", "deny"]
_STRICTNESS: dict[str, int] = {"allow": 0, "ask": 1, "deny": 2}
#: What is asked about in any case.
PROTECTED = (
    "**/.git/**", "**/.env", "**/.env.*", "**/*.pem", "**/*.key", "**/id_rsa*", "**/.ssh/**", "**/.netrc",
    "**/.streamparse*/**",
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

    `target` is the path that the call is about or, as a beginning of words, its command. All that is given must fit.
    """

    verdict: Verdict = field(validator=_check_verdict)
    tool: str = "*"
    arguments: Mapping[str, str] = field(factory=dict, hash=False)
    target: str | None = None

    def __str__(self) -> str:
        about = [self.target, *(f"{name}={pattern}" for name, pattern in self.arguments.items())]
        return " ".join([self.tool, *(part for part in about if part is not None)])


class Rules:
    """Rules in their order. `read_only` is what is done with tools that change nothing, if no rule fits.

    `protected` are paths that are always asked about. A person's "always" is added as a rule: keep one object for all
    replies of a conversation.
    """

    def __init__(
        self,
        rules: Mapping[str, Verdict | Mapping[str, Verdict]] | Iterable[Rule] = (),
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
        if targets.command is not None:
            return self._judge_command(call, tool, targets.command)
        if not targets.paths:
            return self._judge_part(call, tool, None)
        return max(max(self._judge_part(call, tool, normpath(path)), self._judge_place(path)) for path in targets.paths)

    def remember(self, call: ToolInvocation, tool: Tool, is_allowed: bool) -> None:
        """A person has decided for later calls as well: of this tool, and a command for the same commands alone."""
        verdict: Verdict = "allow" if is_allowed else "deny"
        command = targets_of(call, tool.spec).command
        if command is None:
            self.rules.append(Rule(verdict, tool.spec.name))
            return
        commands = split_commands(command)
        if commands is None:
            return  # nobody can say what it would be that is always allowed
        self.rules += [Rule(verdict, tool.spec.name, target=" ".join(one.words)) for one in commands]

    def _judge_command(self, call: ToolInvocation, tool: Tool, command: str) -> Judgement:
        commands = split_commands(command)
        if not commands:
            return max(self._judge_part(call, tool, None), Judgement("ask", "what it runs cannot be told for certain"))
        judgements: list[Judgement] = []
        for one in commands:
            judgements.append(self._judge_part(call, tool, one))
            if one.doubt:
                judgements.append(Judgement("ask", one.doubt))
        return max(judgements)

    def _judge_part(self, call: ToolInvocation, tool: Tool, target: str | Command | None) -> Judgement:
        for rule in reversed(self.rules):
            if _fits(rule, call, tool, target):
                return Judgement(rule.verdict, f"the rule `{rule}` says so")
        if tool.is_read_only:
            return Judgement(self._read_only, "it only reads")
        return Judgement("ask", "no rule allows it")

    def _judge_place(self, path: str) -> Judgement:
        """Paths that lead out of the root, and those that are protected."""
        plain = normpath(path.replace("\\", "/"))
        if plain.startswith(("/", "../", "~")) or plain == ".." or re.match(r"[A-Za-z]:", plain):
            return Judgement("ask", f"{path} lies outside of the working directory")
        pattern = next((one for one in self._protected if _matches(one, plain)), None)
        return Judgement("allow") if pattern is None else Judgement("ask", f"{path} is protected")


def _rules_of(rules: Mapping[str, Verdict | Mapping[str, Verdict]]) -> Iterable[Rule]:
    for tool, verdict in rules.items():
        if isinstance(verdict, Mapping):
            for target, inner in verdict.items():
                yield Rule(inner, tool, target=target)
        else:
            yield Rule(verdict, tool)


def _fits(rule: Rule, call: ToolInvocation, tool: Tool, target: str | Command | None) -> bool:
    if not _matches(rule.tool, tool.spec.name):
        return False
    if rule.target is not None and not _is_target(rule.target, target):
        return False
    return all(_matches(pattern, _text(call.arguments.get(name))) for name, pattern in rule.arguments.items())


def _is_target(pattern: str, target: str | Command | None) -> bool:
    if isinstance(target, Command):
        words = pattern.split()
        return words in (["*"], list(target.words[: len(words)]))
    return target is not None and _matches(pattern, target)


def _text(value: Any) -> str:
    return value if isinstance(value, str) else str(value)


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
