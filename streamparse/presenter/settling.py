"""Settling: calls are decided about and run, each when all that it waits for is done.

    settling = Settling(gate, ledger, …)
    await settling.settle([Step(call)])          # its result is in the ledger now

`gate.py` decides about a call, `execution.py` runs it, `schedule.py` says which of several may go. They are decided
about one after the other, so that a person has one question at a time, and run beside each other.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from functools import partial
from typing import TypeAlias

from streamparse.invocations import ToolInvocation
from streamparse.messages.results import ToolResult, as_text
from streamparse.presenter.execution import execute
from streamparse.presenter.gate import Gate, Permit
from streamparse.presenter.ledger import Ledger, Refusal
from streamparse.presenter.printable import brief
from streamparse.presenter.schedule import Schedule, Step
from streamparse.presenter.waiting import all_done, awaited

#: Is called before the first call of a reply that may change something.
BeforeChange: TypeAlias = Callable[[ToolInvocation], Awaitable[object] | object]


class Settling:
    """Settles the calls of one reply. If `is_one`, only the first call runs, or the first plan.

    `on_failure` is told of what a tool raises that no tool may raise: the program is to end by it.
    """

    def __init__(
        self,
        gate: Gate,
        ledger: Ledger,
        before_change: BeforeChange | None,
        on_failure: Callable[[BaseException], None],
        *,
        is_one: bool,
    ) -> None:
        self._gate = gate
        self._ledger = ledger
        self._before_change = before_change
        self._is_one = is_one
        self._is_first = True  # whether no call and no plan was there to be settled yet
        self._on_failure = on_failure

    async def settle(self, steps: Sequence[Step], on_decided: Callable[[], None] | None = None) -> None:
        """Decide about the steps and run them. `on_decided` is called when all are decided about, or never will be."""
        is_extra = self._is_one and not self._is_first
        self._is_first = False
        schedule = Schedule(steps)
        done: asyncio.Queue[tuple[int, bool]] = asyncio.Queue()
        runs: list[asyncio.Task[bool]] = []
        try:
            while True:
                while (number := schedule.next()) is not None:
                    step = steps[number]
                    permit = await self._decide(step, is_extra)
                    self._ledger.attachments += permit.attachments
                    if isinstance(permit, Refusal):
                        self._ledger.refuse(step.call, permit)
                        done.put_nowait((number, False))
                    else:
                        runs.append(run := asyncio.create_task(self._run(permit)))
                        run.add_done_callback(partial(self._note_end, done, number))
                if on_decided is not None and not schedule.undecided:
                    on_decided()
                if not schedule.going:
                    return
                number, is_ok = await done.get()
                for skipped, culprit in schedule.end(number, is_ok=is_ok):
                    self._ledger.refuse(steps[skipped].call, _dependent(steps[culprit].call))
        finally:
            for run in runs:
                run.cancel()  # if it has not ended
            await all_done(runs)

    async def _decide(self, step: Step, is_extra: bool) -> Permit | Refusal:
        if step.obstacle:
            return Refusal("skipped", f"The call was not run, because {step.obstacle}.")
        if is_extra and step.call.is_complete:
            return Refusal("skipped", "The call was not run: only one call of a message is.")
        permit = await self._gate.decide(step.call)
        if isinstance(permit, Permit) and not permit.tool.is_read_only and self._before_change is not None:
            hook, self._before_change = self._before_change, None
            await awaited(hook(permit.call))
        return permit

    async def _run(self, permit: Permit) -> bool:
        """Run the call; whether it succeeded."""
        call, ledger = permit.call, self._ledger
        ledger.tell(call, "running")
        try:
            result = await execute(permit.tool, call, lambda message: ledger.tell(call, "progress", message))
        except BaseException:
            ledger.interrupt(call)
            raise
        ledger.finish(call, _with_note(result, permit.note))
        return not result.is_error

    def _note_end(self, done: asyncio.Queue[tuple[int, bool]], number: int, run: asyncio.Task[bool]) -> None:
        """Say how a call has ended, whatever has ended it: who waits for it would wait for ever."""
        error = None if run.cancelled() else run.exception()
        if error is not None:
            self._on_failure(error)
        done.put_nowait((number, error is None and not run.cancelled() and run.result()))


def _dependent(culprit: ToolInvocation) -> Refusal:
    name = brief(culprit.step_id or culprit.name)
    return Refusal("skipped", f"The call was not run, because it depends on {name}, which did not succeed.")


def _with_note(result: ToolResult, note: str) -> ToolResult:
    """The result, and what the person said when they allowed the call."""
    return ToolResult(f"{as_text(result.content)}\n\nThe person says: {note}", result.is_error) if note else result
