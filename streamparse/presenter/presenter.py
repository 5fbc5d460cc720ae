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
from collections.abc import AsyncGenerator, AsyncIterator, Awaitable, Callable, Coroutine, Iterable
from typing import Any, Literal, Self, TypeAlias

from streamparse.errors import ParserStateError
from streamparse.events import SegmentContent, SegmentStart
from streamparse.invocations import Item, ToolInvocation
from streamparse.messages.results import ToolResult, as_text
from streamparse.outcome import StreamEnd
from streamparse.plans import PlanBuilder
from streamparse.presenter.backlog import Backlog
from streamparse.presenter.decision import ApprovalRequest, Ask
from streamparse.presenter.describe import describe
from streamparse.presenter.execution import execute
from streamparse.presenter.gate import Check, Gate, Permit, Refusal, awaited
from streamparse.presenter.lifecycle import LifecycleState, ToolLifecycle
from streamparse.presenter.repetition import LoopGuard, Repetition
from streamparse.presenter.rules import Rules
from streamparse.presenter.schedule import Schedule, Step, steps_of
from streamparse.presenter.tool import AnyTools, Toolbox
from streamparse.reply import Reply

#: How many calls of one reply run: the first, all of them one after the other, or all at the same time.
Calls: TypeAlias = Literal["one", "sequential", "parallel"]
#: Shows a call that is being written.
Preview: TypeAlias = Callable[[ApprovalRequest], Awaitable[None] | None]
#: Why a call did not run to its end, if nobody has said so.
_LEFT, _FAILED = "The reply was stopped.", "The program failed."
#: What a presenter gives.
PresenterItem: TypeAlias = Item | ToolLifecycle


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
    or with `aclose`, or write `async with` around it.
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
        self._tasks: set[asyncio.Task[None]] = set()  # calls that are being decided or run
        self._holder: asyncio.Task[None] | None = None  # the one of them that what stands behind it waits for
        self._plans = PlanBuilder(invocations=True)
        self._units = 0  # how many calls and plans were there to be decided about
        self._end: StreamEnd | None = None
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
            await self._reply.aclose()
        await self._items.aclose()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.aclose()

    def cancel(self, why: str = "The reply was stopped.") -> None:
        """Stop, and let the loop come to its end: it is given the ENDs of what is open, the last word on each call."""
        if self.stopped is None:
            self.stopped = why
            self._reply.stop()
            for task in self._all_tasks:
                task.cancel()

    async def _present(self) -> AsyncGenerator[PresenterItem, None]:
        self._reader = asyncio.create_task(self._read())
        try:
            while True:
                if self._said:
                    yield self._said.popleft()
                elif self._backlog and self._holder is None:
                    item = self._backlog.take()
                    self._room.set()
                    await self._show_partial(item)
                    yield item
                    self._take_call(item)
                elif self._reader.done() and not self._tasks:
                    if not self._settle_cut_plans():
                        break
                else:
                    await self._wake.wait()
                    self._wake.clear()
            if self._end is not None:
                yield self._end
        finally:
            await self._end_tasks()
        if self._failure is not None:
            raise self._failure

    @property
    def _all_tasks(self) -> list[asyncio.Task[None]]:
        return [*self._tasks, *([self._reader] if self._reader is not None else [])]

    async def _end_tasks(self) -> None:
        """Whatever still goes on is cancelled, and waited for; calls that were not given have a result as well."""
        tasks = self._all_tasks
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        for call in self._reply.calls if self._gate is not None else ():
            self.results.setdefault(
                call.id, ToolResult(f"The call was not run. {self.stopped or _LEFT}", is_error=True)
            )

    # -- the reply ----------------------------------------------------------------------------------------------------

    async def _read(self) -> None:
        """Put what the reply brings into the backlog, and wait if there is much that could be taken from it."""
        try:
            async for item in self._reply:
                if isinstance(item, StreamEnd):
                    self._end = item
                    continue
                self._backlog.put(item)
                self._wake.set()
                if self._guard is not None and (why := self._guard.feed(item)):
                    self.cancel(why)
                if self._backlog.is_full and self._holder is None:
                    await self._wait_for_room()
        except Exception as error:
            self._failure = self._failure or error
        finally:
            self._wake.set()

    async def _wait_for_room(self) -> None:
        self._room.clear()
        try:
            await self._room.wait()
        except asyncio.CancelledError:
            task = asyncio.current_task()
            if self.stopped is None or task is None:
                raise
            task.uncancel()  # the reply knows that it is to end, and what it gives until then is given

    async def _show_partial(self, item: Item) -> None:
        """Show a call that is being written, if somebody wants to see it."""
        if self._preview is None or not isinstance(item, SegmentStart | SegmentContent):
            return
        arguments = self._reply.partial_arguments(item.segment_id)
        if arguments is None:
            return
        name = str(self._reply.segment(item.segment_id).metadata.get("tool_name", item.segment_type))
        call = ToolInvocation(item.segment_id, name, arguments, "truncated")
        await awaited(self._preview(ApprovalRequest(call, describe(call), is_partial=True)))

    # -- its calls ----------------------------------------------------------------------------------------------------

    def _take_call(self, item: Item) -> None:
        """Settle a call, or a plan when all of it is there."""
        plan = self._plans.feed(item)
        if plan is not None:
            self._settle(steps_of(plan))
        elif isinstance(item, ToolInvocation) and item.plan_id is None:
            self._settle([Step(item)])

    def _settle_cut_plans(self) -> bool:
        """The reply is over; whether there were plans whose end did not come."""
        known = len(self._plans.plans)
        plans = self._plans.finalize()[known:]
        for plan in plans:
            self._settle(steps_of(plan))
        return bool(plans)

    def _settle(self, steps: list[Step]) -> None:
        """Decide about the calls and run them, while the reply is read on."""
        if self._gate is None:
            return
        if self.stopped is not None:
            self._refuse_all(steps, self.stopped)
            return
        self._holder = self._start(self._decide_and_run(self._gate, steps))

    def _start(self, work: Coroutine[Any, Any, None]) -> asyncio.Task[None]:
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._on_done)
        return task

    def _on_done(self, task: asyncio.Task[None]) -> None:
        self._tasks.discard(task)
        self._release(task)
        if not task.cancelled() and (error := task.exception()) is not None:
            self._failure = self._failure or error
            self.cancel(_FAILED)

    def _release(self, task: asyncio.Task[None] | None) -> None:
        """What stands behind the calls of this task need not wait any longer."""
        if self._holder is task:
            self._holder = None
        self._wake.set()

    async def _decide_and_run(self, gate: Gate, steps: list[Step]) -> None:
        """Each step is decided about when all that it waits for is done, one after the other, and run beside others."""
        schedule = Schedule(steps)
        done: asyncio.Queue[tuple[int, bool]] = asyncio.Queue()
        running = 0
        self._units += 1
        try:
            while True:
                while (number := schedule.next()) is not None:
                    step = steps[number]
                    permit = await self._decide(gate, step)
                    if isinstance(permit, Refusal):
                        self._refuse(step.call, permit)
                        done.put_nowait((number, False))
                    else:
                        self._start(self._run(permit, number, done))
                    running += 1
                if self._mode == "parallel" and not schedule.undecided:
                    self._release(asyncio.current_task())
                if not running:
                    return
                number, is_ok = await done.get()
                running -= 1
                for skipped, culprit in schedule.end(number, is_ok=is_ok):
                    self._refuse(steps[skipped].call, _dependent(steps[culprit].call))
        except BaseException:
            self._refuse_all([steps[number] for number in schedule.skip_rest()], self.stopped or _FAILED)
            raise

    async def _decide(self, gate: Gate, step: Step) -> Permit | Refusal:
        if step.is_cut:
            return Refusal("skipped", "The call was not run, because its plan was cut off.")
        if self._mode == "one" and self._units > 1 and step.call.is_complete:
            return Refusal("skipped", "The call was not run: only one call of a message is.")
        try:
            permit = await gate.decide(step.call)
            if isinstance(permit, Permit) and not permit.tool.is_read_only and self._before_change is not None:
                hook, self._before_change = self._before_change, None
                await awaited(hook(step.call))
            return permit
        except BaseException:
            self._refuse_all([step], self.stopped or _FAILED)
            raise

    async def _run(self, permit: Permit, number: int, done: asyncio.Queue[tuple[int, bool]]) -> None:
        call = permit.call
        self._tell(call, "running")
        try:
            result = await execute(permit.tool, call, lambda message: self._tell(call, "progress", message))
        except BaseException:
            why = self.stopped or _LEFT
            self._finish(call, ToolResult(f"The call was stopped while it ran. {why}", is_error=True))
            raise
        self._finish(call, _with_note(result, permit.note))
        self.attachments += permit.attachments
        done.put_nowait((number, not result.is_error))

    def _refuse_all(self, steps: Iterable[Step], why: str) -> None:
        for step in steps:
            self._refuse(step.call, Refusal("skipped", f"The call was not run. {why}"))

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
    name = culprit.step_id or culprit.name
    return Refusal("skipped", f"The call was not run, because it depends on {name}, which did not succeed.")


def _with_note(result: ToolResult, note: str) -> ToolResult:
    """The result, and what the person said when they allowed the call."""
    return ToolResult(f"{as_text(result.content)}\n\nThe person says: {note}", result.is_error) if note else result
