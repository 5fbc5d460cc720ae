"""Gate: may this call run? The checks, the rules and the person are asked, in this order.

1. Is it complete, declared, and do its arguments fit?      no: skipped, with the sentence of `check`
2. Does the program's own check object?                      yes: skipped, with its sentence
3. Was a call of this reply denied? May only one run?        yes: skipped
4. What do the rules say, and has it come too often?         allow, ask or deny
5. If they say "ask": what does the person say?

A call in Markdown code may be an example, so it is never allowed without a question. Arguments that the person has
edited are checked again, and a rule that denies them is heard; one that asks is not, since the person has decided.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any, TypeAlias

from attrs import evolve, frozen

from streamparse.config import Tools
from streamparse.invocations import ToolInvocation, check
from streamparse.presenter.decision import ApprovalRequest, Ask, Decision, as_decision
from streamparse.presenter.describe import describe
from streamparse.presenter.ledger import Ledger, Refusal
from streamparse.presenter.repetition import Repetition
from streamparse.presenter.rules import Judgement, Rules
from streamparse.presenter.tool import Tool, Toolbox
from streamparse.presenter.waiting import awaited

#: A check of the program's own: a sentence for the model if the call may not run, else None.
Check: TypeAlias = Callable[[ToolInvocation], str | Awaitable[str | None] | None]

#: So many turns of the event loop after a call was allowed its tool has begun, in a task of a task: it must not begin
#: behind a denial.
_TURNS_TO_BEGIN = 2
_FENCED = "it stands in Markdown code, where examples stand as well"


@frozen
class Permit:
    """The call runs with these arguments. `note` is what the person said, for the model, with `attachments`."""

    tool: Tool
    call: ToolInvocation
    note: str = ""
    attachments: tuple[Any, ...] = ()


class Gate:
    """Decides about the calls of one reply, one after the other."""

    def __init__(
        self,
        toolbox: Toolbox,
        rules: Rules,
        ask: Ask | None,
        check: Check | None,
        repetition: Repetition,
        ledger: Ledger,
    ) -> None:
        self._toolbox = toolbox
        self._declared = Tools.of(toolbox.specs)
        self._rules = rules
        self._ask = ask
        self._check = check
        self._repetition = repetition
        self._ledger = ledger
        self._denied: str | None = None

    async def decide(self, call: ToolInvocation) -> Permit | Refusal:
        """Say what is asked and answered, and return what comes of it."""
        tool = self._toolbox.get(call.name)
        problem = await self._find_problem(call)
        if problem is not None:
            return _skip(problem)
        assert tool is not None  # else there was a problem
        if self._denied is not None:
            return Refusal("skipped", f"The call was not run, because {self._denied} was denied before it.")
        judgement = self._judge(call, tool)
        if judgement.verdict == "allow":
            return Permit(tool, call)
        for _ in range(_TURNS_TO_BEGIN):
            await asyncio.sleep(0)
        if judgement.verdict == "deny":
            return self._deny_by_rule(call, judgement.reason)
        if self._ask is None:
            return self._deny_by_rule(call, f"{judgement.reason}, so it needs a consent, and nobody can be asked")
        return await self._ask_person(self._ask, call, tool, judgement.reason)

    async def _find_problem(self, call: ToolInvocation) -> str | None:
        problem = check(call, self._declared)
        if problem is None and self._check is not None:
            problem = await awaited(self._check(call))
            if not isinstance(problem, str | None):
                raise TypeError(f"check() gives a sentence or None, not {problem!r}")
        return problem

    def _judge(self, call: ToolInvocation, tool: Tool) -> Judgement:
        """The strictest of what the rules, the calls before and the place of the call say."""
        judgements = [self._rules.judge(call, tool), self._repetition.judge(call)]
        if call.is_fenced:
            judgements.append(Judgement("ask", _FENCED))
        return max(judgements)

    async def _ask_person(self, ask: Ask, call: ToolInvocation, tool: Tool, reason: str) -> Permit | Refusal:
        request = ApprovalRequest(call, describe(call, tool.spec), reason)
        self._ledger.tell(
            call,
            "approval_requested",
            request.description,
            approval_id=request.approval_id,
            reason=reason or None,
            arguments=dict(call.arguments),
        )
        decision = as_decision(await awaited(ask(request)))
        if decision.is_allowed:
            permit = await self._approve(call, tool, request, decision)
        else:
            permit = self._deny_by_person(call, tool, decision)
        if isinstance(permit, Refusal):  # it ends the question, as an approval does
            return evolve(permit, approval_id=request.approval_id, attachments=decision.attachments)
        return permit

    def _deny_by_person(self, call: ToolInvocation, tool: Tool, decision: Decision) -> Refusal:
        if decision.is_lasting:
            self._rules.remember(call, tool, is_allowed=False)
        return self._deny(call, decision.denial, decision.outcome if decision.is_answered else None)

    async def _approve(
        self, call: ToolInvocation, tool: Tool, request: ApprovalRequest, decision: Decision
    ) -> Permit | Refusal:
        edited = None if decision.arguments is None else dict(decision.arguments)
        if edited is not None:
            call = evolve(call, arguments=edited, content=None)
            if (refusal := await self._refuse_edited(call, tool)) is not None:
                return refusal
        if decision.is_lasting:
            self._rules.remember(call, tool, is_allowed=True)
        self._ledger.tell(
            call,
            "approved",
            decision.feedback or None,
            approval_id=request.approval_id,
            arguments=edited,
            outcome=decision.outcome,
        )
        return Permit(tool, call, decision.feedback, decision.attachments)

    async def _refuse_edited(self, call: ToolInvocation, tool: Tool) -> Refusal | None:
        """Why a call cannot run with the arguments that the person has given it, if it cannot."""
        if (problem := await self._find_problem(call)) is not None:
            return _skip(problem)
        judgement = self._rules.judge(call, tool)
        return self._deny_by_rule(call, judgement.reason) if judgement.verdict == "deny" else None

    def _deny_by_rule(self, call: ToolInvocation, reason: str) -> Refusal:
        return self._deny(call, f"The call was denied: {reason}.")

    def _deny(self, call: ToolInvocation, message: str, outcome: str | None = None) -> Refusal:
        self._denied = call.name
        return Refusal("denied", message, outcome)


def _skip(problem: str) -> Refusal:
    return Refusal("skipped", f"The call was not run: {problem.rstrip('.')}.")
