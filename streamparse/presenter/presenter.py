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

`gate.py` decides about a call, `execution.py` runs it, `backlog.py` keeps what the reply has brought meanwhile.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import AsyncGenerator, AsyncIterator, Awaitable, Callable, Iterable
from functools import partial
from typing import Any, Literal, Self, TypeAlias

from streamparse.errors import ParserStateError
from streamparse.events import SegmentContent, SegmentStart
from streamparse.invocations import AnyItem, Item, ToolInvocation, ToolLifecycle
from streamparse.invocations.lifecycle import LifecycleState
from streamparse.messages.results import ToolResult, as_text
from streamparse.outcome import StreamEnd
from streamparse.plans import PlanBuilder
from streamparse.presenter.backlog import Backlog
from streamparse.presenter.decision import ApprovalRequest, Ask
from streamparse.presenter.describe import describe
from streamparse.presenter.execution import execute
from streamparse.presenter.gate import Check, Gate, Permit, Refusal
from streamparse.presenter.loop_guard import LoopGuard
from streamparse.presenter.printable import brief
from streamparse.presenter.repetition import Repetition
from streamparse.presenter.rules import Rules
from streamparse.presenter.schedule import Schedule, Step, steps_of
from streamparse.presenter.tool import AnyTools, Toolbox
from streamparse.presenter.waiting import all_done, awaited
from streamparse.reply import Reply

#: How many calls of one reply run: the first, all of them one after the other, or all at the same time.
Calls: TypeAlias = Literal["one", "sequential", "parallel"]
#: Shows a call that is being written.
Preview: TypeAlias = Callable[[ApprovalRequest], Awaitable[None] | None]
#: Why a call did not run to its end, if nobody has said so.
_LEFT, _FAILED = "The reply was stopped.", "The program failed."
#: What a presenter gives.
PresenterItem: TypeAlias = AnyItem


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
        before_change: Callable[[ToolInvocation], Awaitable[object] | object] | None = None,
        repetition: Repetition | None = None,
        guard: LoopGuard | None = None,
        calls: Calls = "sequential",
    ) -> None:
        if calls not in ("one", "sequential", "parallel"):
            raise ValueError(f"calls must be 'one', 'sequential' or 'parallel', not {calls!r}")
        self._reply = reply
        self._mode = calls
        self._gate: Gate | None = None
        if tools is not None:
            self._gate = Gate(Toolbox.of(tools), rules or Rules(), ask, check, repetition or Repetition(), self._say)
        self._preview = preview
        self._before_change = before_change
        self._guard = guard
        self._items: AsyncGenerator[PresenterItem, None] | None = None
        self._backlog = Backlog()
        self._said: deque[ToolLifecycle] = deque()
        self._wake = asyncio.Event()  # something has come, or has ended
        self._room = asyncio.Event()  # some of what has come was taken
        self._reader: asyncio.Task[None] | None = None
        self._is_waiting = False  # whether the reader waits for the reply, not for room
        self._units: dict[asyncio.Task[None], list[Step]] = {}  # calls and plans that are being decided or run
        self._holder: asyncio.Task[None] | None = None  # the one of them that what stands behind it waits for
        self._plans = PlanBuilder(invocations=True)
        self._settled_plans = 0
        self._is_first = True  # whether no call and no plan was there to be decided about yet
        self._end: StreamEnd | None = None
        self._is_over = False
        self._failure: BaseException | None = None
        #: Why the reply was stopped before its end, if it was.
        self.stopped: str | None = None
        #: What people have attached to their decisions: for the next message to the model.
        self.attachments: list[Any] = []
        #: The result of each call, by the id of its segment: what `reply.messages` takes.
        self.results: dict[str, ToolResult] = {}

    # -- iterating ----------------------------------------------------------------------------------------------------

    def __aiter__(self) -> AsyncIterator[PresenterItem]:
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

    def cancel(self, why: str = _LEFT) -> None:
        """Stop, and let the loop come to its end: it is given the ENDs of what is open, the last word on each call."""
        if self.stopped is not None or self._is_over:
            return
        self.stopped = why
        self._reply.stop()
        self._room.set()
        for unit in self._units:
            unit.cancel()
        if self._reader is not None and self._is_waiting and self._end is None:
            self._reader.cancel()  # it does not end by that: the reply goes on with its last items

    async def _present(self) -> AsyncGenerator[PresenterItem, None]:
        self._reader = asyncio.create_task(self._read())
        self._reader.add_done_callback(lambda _: self._wake.set())
        try:
            while True:
                if self._said:
                    yield self._said.popleft()
                elif self._backlog and self._holder is None:
                    item = self._backlog.take()
                    self._room.set()
                    if self._preview is not None:
                        await self._show_partial(self._preview, item)
                    yield item
                    if self._gate is not None and not isinstance(item, SegmentContent):
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
            for call in self._reply.calls if self._gate is not None else ():
                self.results.setdefault(call.id, ToolResult(self._not_run, is_error=True))

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
        self.cancel(_FAILED)

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
        if self._gate is None or self.stopped is not None:
            self._refuse_all(steps)
            return
        is_extra = self._mode == "one" and not self._is_first
        self._is_first = False
        unit = asyncio.create_task(self._decide_and_run(self._gate, steps, is_extra))
        self._units[unit] = steps
        self._holder = unit
        unit.add_done_callback(self._on_done)

    def _on_done(self, unit: asyncio.Task[None]) -> None:
        """A call or a plan is done, or was stopped: those of its calls that were not run have their last word now."""
        steps = self._units.pop(unit)
        if not unit.cancelled() and (error := unit.exception()) is not None:
            self._fail(error)
        self._refuse_all(steps)
        self._release(unit)

    def _release(self, unit: asyncio.Task[None] | None) -> None:
        """What stands behind these calls need not wait any longer."""
        if self._holder is unit:
            self._holder = None
        self._wake.set()

    async def _decide_and_run(self, gate: Gate, steps: list[Step], is_extra: bool) -> None:
        """Each step is decided about when all that it waits for is done, one after the other, and run beside others."""
        schedule = Schedule(steps)
        done: asyncio.Queue[tuple[int, bool]] = asyncio.Queue()
        runs: set[asyncio.Task[bool]] = set()
        going = 0
        try:
            while True:
                while (number := schedule.next()) is not None:
                    step = steps[number]
                    permit = await self._decide(gate, step, is_extra)
                    self.attachments += permit.attachments
                    going += 1
                    if isinstance(permit, Refusal):
                        self._refuse(step.call, permit)
                        done.put_nowait((number, False))
                    else:
                        runs.add(run := asyncio.create_task(self._run(permit)))
                        run.add_done_callback(runs.discard)
                        run.add_done_callback(partial(self._note_end, done, number))
                if self._mode == "parallel" and not schedule.undecided:
                    self._release(asyncio.current_task())
                if not going:
                    return
                number, is_ok = await done.get()
                going -= 1
                for skipped, culprit in schedule.end(number, is_ok=is_ok):
                    self._refuse(steps[skipped].call, _dependent(steps[culprit].call))
        finally:
            left = list(runs)
            for run in left:
                run.cancel()
            await all_done(left)

    async def _decide(self, gate: Gate, step: Step, is_extra: bool) -> Permit | Refusal:
        if step.obstacle:
            return Refusal("skipped", f"The call was not run, because {step.obstacle}.")
        if is_extra and step.call.is_complete:
            return Refusal("skipped", "The call was not run: only one call of a message is.")
        permit = await gate.decide(step.call)
        if isinstance(permit, Permit) and not permit.tool.is_read_only and self._before_change is not None:
            hook, self._before_change = self._before_change, None
            await awaited(hook(permit.call))
        return permit

    async def _run(self, permit: Permit) -> bool:
        """Run the call; whether it succeeded."""
        call = permit.call
        self._tell(call, "running")
        try:
            result = await execute(permit.tool, call, lambda message: self._tell(call, "progress", message))
        except BaseException:
            why = self.stopped or _LEFT
            self._finish(call, ToolResult(f"The call was stopped while it ran. {why}", is_error=True))
            raise
        self._finish(call, _with_note(result, permit.note))
        return not result.is_error

    def _note_end(self, done: asyncio.Queue[tuple[int, bool]], number: int, run: asyncio.Task[bool]) -> None:
        """Say how a call has ended, whatever has ended it: who waits for it would wait for ever."""
        error = None if run.cancelled() else run.exception()
        if error is not None:
            self._fail(error)
        done.put_nowait((number, error is None and not run.cancelled() and run.result()))

    @property
    def _not_run(self) -> str:
        return f"The call was not run. {self.stopped or _LEFT}"

    def _refuse_all(self, steps: Iterable[Step]) -> None:
        for step in steps:
            self._refuse(step.call, Refusal("skipped", self._not_run))

    def _refuse(self, call: ToolInvocation, refusal: Refusal) -> None:
        if call.id not in self.results:
            self.results[call.id] = ToolResult(refusal.message, is_error=True)
            self._tell(call, refusal.state, refusal.message, outcome=refusal.outcome)

    def _finish(self, call: ToolInvocation, result: ToolResult) -> None:
        self.results[call.id] = result
        self._tell(call, "result", content=result.content, is_error=result.is_error)

    def _tell(self, call: ToolInvocation, state: LifecycleState, message: str | None = None, **about: Any) -> None:
        self._say(ToolLifecycle(state, call.id, call.name, call.call_id, message=message, **about))

    def _say(self, event: ToolLifecycle) -> None:
        self._said.append(event)
        self._wake.set()


def _dependent(culprit: ToolInvocation) -> Refusal:
    name = brief(culprit.step_id or culprit.name)
    return Refusal("skipped", f"The call was not run, because it depends on {name}, which did not succeed.")


def _with_note(result: ToolResult, note: str) -> ToolResult:
    """The result, and what the person said when they allowed the call."""
    return ToolResult(f"{as_text(result.content)}\n\nThe person says: {note}", result.is_error) if note else result
