"""Rules: which calls run at once, which are asked about, which never run. The last rule that fits decides.

Rules({"*": "ask", "read_*": "allow", "write_file": {"src/**": "allow", "*.env": "deny"}})
"""

from __future__ import annotations

from collections.abc import Mapping
from fnmatch import fnmatchcase
from typing import Literal, TypeAlias

from attrs import field, frozen

from streamparse.invocations import ToolInvocation
from streamparse.presenter.tool import Tool

Verdict: TypeAlias = Literal["allow", "ask", "deny"]
_STRICTNESS: dict[str, int] = {"allow": 0, "ask": 1, "deny": 2}


@frozen
class Judgement:
    """What is to be done with a call, and why. The larger of two is the stricter."""

    verdict: Verdict
    reason: str = field(default="", eq=False)

    def __lt__(self, other: Judgement) -> bool:
        return _STRICTNESS[self.verdict] < _STRICTNESS[other.verdict]


class Rules:
    """Patterns of tool names, and what is done with their calls."""

    def __init__(self, rules: Mapping[str, Verdict] = {"*": "ask"}) -> None:
        self._rules: list[tuple[str, Verdict]] = list(rules.items())

    def judge(self, call: ToolInvocation, tool: Tool) -> Judgement:
        """What the last rule says that fits; "ask" if none does."""
        name = tool.spec.name
        for pattern, verdict in reversed(self._rules):
            if fnmatchcase(name, pattern):
                return Judgement(verdict, f"the rule {pattern!r} says so")
        return Judgement("ask", "no rule allows it")

    def remember(self, call: ToolInvocation, tool: Tool, is_allowed: bool) -> None:
        """A person has decided for later calls as well."""
        self._rules.append((tool.spec.name, "allow" if is_allowed else "deny"))
