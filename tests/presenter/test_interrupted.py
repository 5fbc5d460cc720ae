"""Whatever happens at whatever moment, nothing is left half done.

A reply with calls, a plan and every hook is presented. The source, each hook and each tool suspend several times; at
the n-th suspension, for every n, somebody cancels, closes or fails.
"""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable
from typing import Any

import pytest

from streamparse import Reply
from streamparse.invocations import ToolInvocation
from streamparse.presenter import ApprovalRequest, Presenter, Rules, Tool, ToolContext
from streamparse.presenter.presenter import Calls
from tests.presenter.kit import Source, call, check_lives, others, plan, short, story

CHUNKS = [
    "Hi. ",
    '<tool name="ask_me"><n>1</n>',
    "</tool>",
    call("thread", n=2),
    plan(call("go", toolId="a", n=3), call("go", toolId="b", n=4, dependsOn="a"), call("go", n=5)),
    "Then ",
    call("go", n=6),
    '<tool name="go"><n>7',
]


class InjectedError(Exception):
    """What fails."""


class Steps:
    """Counts the moments in which somebody waits; `act` is called in the one with the number `at`."""

    def __init__(self, at: int, act: Callable[[], None] | None) -> None:
        self.at, self.act = at, act
        self.count = 0

    @property
    def is_reached(self) -> bool:
        return self.count >= self.at

    async def pause(self) -> None:
        for _ in range(2):
            self.count += 1
            if self.count == self.at:
                if self.act is None:
                    raise InjectedError
                asyncio.get_running_loop().call_soon(self.act)
            await asyncio.sleep(0)


class Scene:
    """A presenter with everything, and what can be seen of it afterwards."""

    def __init__(self, at: int, act: Callable[[Scene], None] | None, calls: Calls) -> None:
        self.steps = Steps(at, None if act is None else lambda: act(self))
        self.source = Source(CHUNKS, self.steps.pause)
        self.reply = Reply(self.source, "xml")
        self.ran: list[str] = []
        self.items: list[object] = []
        self.task: asyncio.Task[None] | None = None
        self.presenter = Presenter(
            self.reply,
            tools={"go": self.go, "ask_me": Tool.of(self.go, name="ask_me"), "thread": self.in_thread},
            rules=Rules({"*": "allow", "ask_me": "ask"}),
            ask=self.hook,
            check=self.check,
            preview=self.hook,
            before_change=self.hook,
            calls=calls,
        )

    async def go(self, n: str, context: ToolContext) -> str:
        assert n not in self.ran
        self.ran.append(n)
        await self.steps.pause()
        context.progress("half")
        return "done"

    def in_thread(self, n: str) -> str:
        assert n not in self.ran
        assert threading.current_thread() is not threading.main_thread()
        self.ran.append(n)
        return "done"

    async def hook(self, _: ApprovalRequest | ToolInvocation) -> bool:
        await self.steps.pause()
        return True

    async def check(self, _: ToolInvocation) -> str | None:
        await self.steps.pause()
        return None

    async def consume(self) -> None:
        async for item in self.presenter:
            self.items.append(item)

    async def play(self) -> BaseException | None:
        """Consume all of it in a task; what that raised."""
        self.task = asyncio.create_task(self.consume())
        [raised] = await asyncio.gather(self.task, return_exceptions=True)
        return raised

    def verify(self) -> None:
        """What holds in any case."""
        assert self.presenter.results.keys() == {call.id for call in self.reply.calls}
        assert [segment.id for segment in self.reply.segments if segment.status is None] == []
        assert self.source.is_closed
        assert others() == set()

    def verify_told(self) -> None:
        """What holds if the consumer was there to the end."""
        assert short(self.items[-1]).startswith("end ")
        assert story(self.items) == [(one.type, one.content, one.status) for one in self.reply.segments]
        given = [item.id for item in self.items if isinstance(item, ToolInvocation)]
        assert given == [call.id for call in self.reply.calls]
        check_lives(self.items, self.reply.calls)


async def at_every_step(
    act: Callable[[Scene], None] | None, calls: Calls, verify: Callable[[Scene, Any], None]
) -> None:
    for at in range(1, 1_000):
        scene = Scene(at, act, calls)
        raised = await scene.play()
        scene.verify()
        verify(scene, raised)
        if not scene.steps.is_reached:
            assert at > 40
            assert raised is None
            assert sorted(scene.ran) == ["1", "2", "3", "4", "5", "6"]
            return
    raise AssertionError("it never comes to its end")


MODES = pytest.mark.parametrize("calls", ["sequential", "parallel"])


@MODES
async def test_the_presenter_is_cancelled(calls: Calls) -> None:
    def verify(scene: Scene, raised: object) -> None:
        assert raised is None
        scene.verify_told()

    await at_every_step(lambda scene: scene.presenter.cancel(), calls, verify)


@MODES
async def test_the_consumer_is_cancelled(calls: Calls) -> None:
    def cancel(scene: Scene) -> None:
        assert scene.task is not None
        scene.task.cancel()

    def verify(scene: Scene, raised: object) -> None:
        assert raised is None or isinstance(raised, asyncio.CancelledError)

    await at_every_step(cancel, calls, verify)


@MODES
async def test_both_are_cancelled_and_the_consumer_twice(calls: Calls) -> None:
    def cancel(scene: Scene) -> None:
        assert scene.task is not None
        scene.presenter.cancel()
        loop = asyncio.get_running_loop()
        loop.call_soon(scene.task.cancel)
        loop.call_soon(loop.call_soon, scene.task.cancel)

    await at_every_step(cancel, calls, lambda scene, raised: None)


@MODES
async def test_something_fails(calls: Calls) -> None:
    def verify(scene: Scene, raised: object) -> None:
        assert raised is None or isinstance(raised, InjectedError)
        scene.verify_told()

    await at_every_step(None, calls, verify)


@MODES
async def test_the_presenter_is_closed_behind_every_item(calls: Calls) -> None:
    whole = Scene(0, lambda _: None, calls)
    await whole.play()
    for count in range(len(whole.items) + 1):
        scene = Scene(0, lambda _: None, calls)
        async with scene.presenter:
            left = count
            async for item in scene.presenter:
                scene.items.append(item)
                left -= 1
                if left < 0:
                    break
        scene.verify()
        assert len(scene.items) == min(count + 1, len(whole.items))


@MODES
async def test_a_question_never_holds_up_the_reply(calls: Calls) -> None:
    """Whoever is asked answers when all of the reply was read."""
    source = Source([call("f"), call("f"), *(f"{number} " for number in range(300))])

    async def ask(_: ApprovalRequest) -> bool:
        while not source.is_read:
            await asyncio.sleep(0)
        return True

    presenter = Presenter(Reply(source, "xml"), tools={"f": lambda: "done"}, ask=ask, calls=calls)
    async with asyncio.timeout(30):
        shown = [short(item) async for item in presenter]
    assert shown.count("result done") == 2
