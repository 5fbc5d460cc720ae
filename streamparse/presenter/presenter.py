"""Presenter: a reply becomes one ordered stream of what is to be shown, and its calls are asked about and run.

    presenter = Presenter(reply, tools={"search": search}, rules=Rules({"search": "allow"}), ask=ask)
    async for item in presenter:             # events, invocations, ToolLifecycle, and the StreamEnd last
        show(item)
    messages += reply.messages("openai", presenter.results)

**Order.** Items come in the order the model wrote them. Behind a call come the steps of its life, and what the model
wrote behind the call comes when the call is done (`calls="sequential"`), or when it is decided (`"parallel"`). The
reply is read on meanwhile: a question to a person never holds up the provider, and what came in the meantime is given
in larger pieces.

**One result for each call.** A call that may not run, because it is not complete, is not declared, does not fit its
schema, was denied or stands behind one that was denied, has a sentence for the model as its result.

`settling.py` decides about calls and runs them, and tells `ledger.py` what becomes of each; `backlog.py` keeps what the
reply has brought meanwhile.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, AsyncIterator, Awaitable, Callable
from typing import Any, Literal, Self, TypeAlias

from streamparse.errors import ParserStateError
from streamparse.events import SegmentContent, SegmentStart
from streamparse.invocations import AnyItem, Item, ToolInvocation
from streamparse.messages.results import ToolResult
from streamparse.outcome import StreamEnd
from streamparse.plans import PlanBuilder
from streamparse.presenter.backlog import Backlog
from streamparse.presenter.decision import ApprovalRequest, Ask
from streamparse.presenter.describe import describe
from streamparse.presenter.gate import Check, Gate
from streamparse.presenter.ledger import LEFT, Ledger
from streamparse.presenter.loop_guard import LoopGuard
from streamparse.presenter.repetition import Repetition
from streamparse.presenter.rules import Rules
from streamparse.presenter.schedule import Step, steps_of
from streamparse.presenter.settling import BeforeChange, Settling
from streamparse.presenter.tool import AnyTools, Toolbox
from streamparse.presenter.waiting import all_done, awaited
from streamparse.reply import Reply

#: How many calls of one reply run: the first, all of them one after the other, or all at the same time.
Calls: TypeAlias = Literal["one", "sequential", "parallel"]
#: Shows a call that is being written.
Preview: TypeAlias = Callable[[ApprovalRequest], Awaitable[None] | None]


class Presenter:
    """Iterate over it once, with `async for`. What the calls came to is in `results`, by the ids of their segments.

    `tools` are those that may be run; without any, nothing runs, and the presenter is a loop over the reply. `rules`
    say which calls run at once and which are asked about (all, if there are none), `ask` is who is asked, `check` may
    object to a call with a sentence for the model. `preview` is shown a call while it is being written, again and
    again: the question that may come, with the arguments so far. `before_change` is called before the first call of the
    reply that may change something. `repetition` is kept from reply to reply by whoever wants a model stopped that goes
    round in circles, and `guard` ends a reply that repeats itself. `calls` says how many of one reply run: "one" (the
    others are skipped), all of them one after the other ("sequential"), or at the same time ("parallel").

    An `async for` does not tell when it is left: stop a presenter with `cancel`, which lets the loop come to its end,
    or with `aclose`, or write `async with` around it. From another task, `cancel` is the way.
    """

    def __init__(
        self,
        reply: Reply,
        *,
        tools: AnyTools | None = None,
        rules: Rules | None = None,
        ask: Ask | None = None,
        check: Check | None = None,
        preview: Preview | None = None,
        before_change: BeforeChange | None = None,
        repetition: Repetition | None = None,
        guard: LoopGuard | None = None,
        calls: Calls = "sequential",
    ) -> None:
        if calls not in ("one", "sequential", "parallel"):
            raise ValueError(f"calls must be 'one', 'sequential' or 'parallel', not {calls!r}")
        self._reply = reply
        self._is_parallel = calls == "parallel"
        self._preview = preview
        self._guard = guard
        self._items: AsyncGenerator[AnyItem, None] | None = None
        self._backlog = Backlog()
        self._wake = asyncio.Event()  # something has come, or has ended
        self._room = asyncio.Event()  # some of what has come was taken
        self._reader: asyncio.Task[None] | None = None
        self._is_waiting = False  # whether the reader waits for the reply, not for room
        self._units: dict[asyncio.Task[None], list[Step]] = {}  # calls and plans that are being decided or run
        self._holder: asyncio.Task[None] | None = None  # the one of them that what stands behind it waits for
        self._plans = PlanBuilder(invocations=True)
        self._settled_plans = 0
        self._end: StreamEnd | None = None
        self._is_over = False
        self._failure: BaseException | None = None
        self._ledger = ledger = Ledger(self._wake.set)
        self._settling: Settling | None = None  # without tools, nothing runs
        if tools is not None:
            gate = Gate(Toolbox.of(tools), rules or Rules(), ask, check, repetition or Repetition(), ledger)
            self._settling = Settling(gate, ledger, before_change, self._fail, is_one=calls == "one")
        #: What people have attached to their decisions: for the next message to the model.
        self.attachments: list[Any] = ledger.attachments
        #: The result of each call, by the id of its segment: what `reply.messages` takes.
        self.results: dict[str, ToolResult] = ledger.results

    @property
    def stopped(self) -> str | None:
        """Why the reply was stopped before its end, if it was."""
        return self._ledger.stopped

    # -- iterating ----------------------------------------------------------------------------------------------------

    def __aiter__(self) -> AsyncIterator[AnyItem]:
        if self._items is not None:
            raise ParserStateError("a presenter is iterated over once")
        self._items = self._present()
        return self._items

    async def aclose(self) -> None:
        """Stop at once: nothing more is given. What is open is ended as truncated, what runs is cancelled."""
        if self._items is None:
            self._items = self._present()
        await self._items.aclose()
        await self._close()  # it has done so itself, unless it had not begun

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.aclose()

    def cancel(self, why: str = LEFT) -> None:
        """Stop, and let the loop come to its end: it is given the ENDs of what is open, the last word on each call."""
        if self.stopped is not None or self._is_over:
            return
        self._ledger.stopped = why
        self._reply.stop()
        self._room.set()
        for unit in self._units:
            unit.cancel()
        if self._reader is not None and self._is_waiting and self._end is None:
            self._reader.cancel()  # it does not end by that: the reply goes on with its last items

    async def _present(self) -> AsyncGenerator[AnyItem, None]:
        said = self._ledger.said
        self._reader = asyncio.create_task(self._read())
        self._reader.add_done_callback(lambda _: self._wake.set())
        try:
            while True:
                if said:
                    yield said.popleft()
                elif self._backlog and self._holder is None:
                    item = self._backlog.take()
                    self._room.set()
                    if self._preview is not None:
                        await self._show_partial(self._preview, item)
                    yield item
                    if self._settling is not None and not isinstance(item, SegmentContent):
                        self._take_call(item)
                elif not self._reader.done() or self._units:
                    await self._wake.wait()
                    self._wake.clear()
                elif not self._settle_rest():
                    break
            self._is_over = True
            if self._end is not None:
                yield self._end
        finally:
            await self._close()
        if self._failure is not None:
            raise self._failure

    async def _close(self) -> None:
        """Whatever still goes on is cancelled, and waited for; calls that were not given have a result as well."""
        for unit in self._units:
            unit.cancel()
        tasks = list(self._units)
        if self._reader is not None:
            tasks.append(self._reader)
            if self._end is None:
                self._reader.cancel()
        try:
            await all_done(tasks)
            await self._reply.aclose()
        finally:
            self._is_over = True
            if self._settling is not None:
                self._ledger.refuse_all(self._reply.calls)

    # -- the reply ----------------------------------------------------------------------------------------------------

    async def _read(self) -> None:
        """Put what the reply brings into the backlog, and wait if there is much that could be taken from it."""
        try:
            self._is_waiting = True
            async for item in self._reply:
                self._is_waiting = False
                if isinstance(item, StreamEnd):
                    self._end = item
                else:
                    self._backlog.put(item)
                    self._wake.set()
                    if self._guard is not None:
                        self._watch(self._guard, item)
                    if self._backlog.is_full and self._holder is None and self.stopped is None:
                        self._room.clear()
                        await self._room.wait()
                self._is_waiting = True
        except Exception as error:
            self._failure = self._failure or error

    def _watch(self, guard: LoopGuard, item: Item) -> None:
        try:
            why = guard.feed(item)
        except Exception as error:
            self._fail(error)
        else:
            if why:
                self.cancel(why)

    def _fail(self, error: BaseException) -> None:
        """Something of the program has failed: the reply is stopped, and whoever iterates is told at the end."""
        self._failure = self._failure or error
        self.cancel("The program failed.")

    async def _show_partial(self, preview: Preview, item: Item) -> None:
        """Show a call that is being written."""
        if self.stopped is not None or not isinstance(item, SegmentStart | SegmentContent):
            return
        arguments = self._reply.partial_arguments(item.segment_id)
        if arguments is None:
            return
        name = str(self._reply.segment(item.segment_id).metadata.get("tool_name", item.segment_type))
        call = ToolInvocation(item.segment_id, name, arguments, "truncated")
        try:
            await awaited(preview(ApprovalRequest(call, describe(call), is_partial=True)))
        except Exception as error:
            self._fail(error)

    # -- its calls ----------------------------------------------------------------------------------------------------

    def _take_call(self, item: Item) -> None:
        """Settle a call, or a plan when all of it is there."""
        if isinstance(item, ToolInvocation) and item.plan_id is None:
            self._settle([Step(item)])
        else:
            self._plans.feed(item)
            self._settle_plan()

    def _settle_plan(self) -> bool:
        """Settle a plan that has ended, or was cut off, since the last time; whether there was one."""
        if len(self._plans.plans) == self._settled_plans:
            return False
        plan = self._plans.plans[self._settled_plans]
        self._settled_plans += 1
        self._settle(steps_of(plan))
        return True

    def _settle_rest(self) -> bool:
        """The reply is over: settle plans whose end did not come; whether there was one."""
        self._plans.finalize()
        return self._settle_plan()

    def _settle(self, steps: list[Step]) -> None:
        """Decide about the calls and run them, while the reply is read on."""
        if self._settling is None or self.stopped is not None:
            self._ledger.refuse_all(step.call for step in steps)
            return
        on_decided = self._release if self._is_parallel else None
        unit = asyncio.create_task(self._settling.settle(steps, on_decided))
        self._units[unit] = steps
        self._holder = unit
        unit.add_done_callback(self._on_done)

    def _on_done(self, unit: asyncio.Task[None]) -> None:
        """A call or a plan is done, or was stopped: those of its calls that were not run have their last word now."""
        steps = self._units.pop(unit)
        if not unit.cancelled() and (error := unit.exception()) is not None:
            self._fail(error)
        self._ledger.refuse_all(step.call for step in steps)
        self._release(unit)

    def _release(self, unit: asyncio.Task[Any] | None = None) -> None:
        """What stands behind these calls need not wait any longer: those of a unit that has ended, or of this task."""
        if self._holder is (unit or asyncio.current_task()):
            self._holder = None
        self._wake.set()
