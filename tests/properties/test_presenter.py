"""Any sequence of calls and decisions: one result for each call, one last word, in order, and nothing runs unasked."""

from __future__ import annotations

import asyncio
import random
from typing import Any

import pytest
from attrs import define, field

from streamparse import Reply, ToolSpec
from streamparse.invocations import ToolInvocation
from streamparse.outcome import StreamEnd
from streamparse.presenter import ApprovalRequest, Decision, Presenter, Repetition, Rules, Tool, ToolLifecycle
from tests.presenter.kit import Source, check_lives, others, story
from tests.seeds import rng, series, times


def a_call(chance: random.Random, number: int, *inner: str) -> str:
    """A call of one of the tools, or of none, complete or not."""
    name = chance.choices(["ok", "ask", "deny", "fail", "missing", "sync"], [6, 4, 1, 2, 1, 2])[0]
    kind = chance.choices(["whole", "malformed", "wrong"], [12, 1, 1])[0]
    if kind == "malformed":
        return f'<tool name="{name}"><arguments>{{"n": </arguments></tool>'
    value = "x" if kind == "wrong" else number
    return f'<tool name="{name}"><n>{value}</n>{"".join(inner)}</tool>'


def a_plan(chance: random.Random, first: int) -> tuple[str, int]:
    """A plan of several calls, some of which depend on others; how many there are."""
    count = chance.randint(1, 5)
    steps = []
    for place in range(count):
        on = [f"<dependsOn>s{chance.randrange(count)}</dependsOn>" for _ in range(chance.choice([0, 0, 1, 2]))]
        steps.append(a_call(chance, first + place, f"<toolId>s{place}</toolId>", *on))
    mode = chance.choice(["parallel", "sequential"])
    return f'<multi_tool_use mode="{mode}">{"".join(steps)}</multi_tool_use>', count


def a_json_call(chance: random.Random, number: int) -> str:
    """The same in the format json, where a call in a code block is one."""
    name = chance.choices(["ok", "ask", "deny", "missing"], [6, 4, 1, 1])[0]
    value = chance.choices([number, '"x"', ""], [12, 1, 1])[0]
    return f'{{"name": "{name}", "arguments": {{"n": {value}}}}}'


def a_text(chance: random.Random, format: str) -> str:
    """A reply: prose, calls, calls in code, plans; it may be cut off anywhere."""
    parts: list[str] = []
    number = 1
    for _ in range(chance.randint(1, 7)):
        kind = chance.choices(["prose", "call", "fenced", "plan"], [3, 5, 2, 2])[0]
        text, count = "", 1
        if kind == "prose":
            text = chance.choice(["Well. ", "a < b ", "<think>hm</think>", "one\ntwo "])
        elif kind == "plan" and format == "xml":
            text, count = a_plan(chance, number)
        else:
            text = (a_call if format == "xml" else a_json_call)(chance, number)
            text = f"\n```json\n{text}\n```\n" if kind == "fenced" else f"\n{text}\n"
        parts.append(text)
        number += count
    text = "".join(parts)
    return text[: chance.randrange(len(text) + 1)] if chance.random() < 0.25 else text


def cut(chance: random.Random, text: str) -> list[str]:
    chunks = []
    while text:
        size = chance.choice([1, 3, 8, 40, 200])
        chunks.append(text[:size])
        text = text[size:]
    return chunks


@define
class World:
    """Tools and people who note what happens."""

    chance: random.Random
    begun: list[str] = field(factory=list)
    ended: list[str] = field(factory=list)
    asked: list[ApprovalRequest] = field(factory=list)
    denied: bool = False

    async def pause(self) -> None:
        for _ in range(self.chance.choice([0, 0, 1, 3])):
            await asyncio.sleep(0)

    def tools(self) -> list[Tool]:
        schema = {"type": "object", "properties": {"n": {"type": "integer"}}, "required": ["n"]}

        def tool(name: str, function: Any) -> Tool:
            return Tool.of(function, spec=ToolSpec(name, schema))

        async def run(n: int, **_: object) -> str:
            self.begin(n)
            await self.pause()
            self.ended.append(str(n))
            return f"did {n}"

        async def fail(n: int, **_: object) -> str:
            self.begin(n)
            await self.pause()
            raise ValueError(n)

        def sync(n: int, **_: object) -> str:
            self.begun.append(str(n))  # a thread may begin a moment later
            self.ended.append(str(n))
            return f"did {n}"

        return [*(tool(name, run) for name in ("ok", "ask", "deny")), tool("fail", fail), tool("sync", sync)]

    def begin(self, n: int) -> None:
        assert not self.denied, "nothing begins behind a denial"
        self.begun.append(str(n))

    async def ask(self, request: ApprovalRequest) -> Decision | bool:
        self.asked.append(request)
        await self.pause()
        answer = self.chance.choice(["yes", "yes", "no", "edit", "bad edit", "feedback", "always"])
        n = request.invocation.arguments["n"]
        if answer == "no":
            self.denied = True
            return Decision("reject_once", feedback=self.chance.choice(["", "no"]))
        return {
            "edit": Decision("allow_once", arguments={"n": n + 1_000}),
            "bad edit": Decision("allow_once", arguments={"n": "many"}),
            "feedback": Decision("allow_once", feedback="be quick"),
            "always": Decision("allow_always"),
        }.get(answer, True)

    async def check(self, invocation: ToolInvocation) -> str | None:
        await self.pause()
        return "no" if self.chance.random() < 0.05 else None


def tell_denial(world: World, item: object) -> None:
    if isinstance(item, ToolLifecycle) and item.state == "denied":
        world.denied = True


async def play(seed: int) -> None:
    chance = rng(f"presenter {seed}")
    format = chance.choice(["xml", "xml", "json"])
    text, world = a_text(chance, format), World(chance)
    source = Source(cut(chance, text), world.pause)
    mode = chance.choice(["one", "sequential", "parallel"])
    tools = world.tools()
    specs = [tool.spec for tool in tools]
    reply = Reply(source, format, tools=specs)
    presenter = Presenter(
        reply,
        tools=tools,
        rules=Rules({"*": "allow", "ask": "ask", "deny": "deny"}),
        ask=world.ask,
        check=world.check if chance.random() < 0.3 else None,
        repetition=Repetition(ask_at=None, stop_at=None),
        calls=mode,
    )
    stop_at = chance.randrange(40) if chance.random() < 0.2 else -1
    items: list[object] = []
    async for item in presenter:
        items.append(item)
        tell_denial(world, item)
        if len(items) == stop_at:
            presenter.cancel()
    assert isinstance(items[-1], StreamEnd)
    assert story(items) == [(one.type, one.content, one.status) for one in reply.segments]
    assert [item for item in items if isinstance(item, ToolInvocation)] == reply.calls
    if presenter.stopped is None:
        alone = Reply([text], format, tools=specs).read()
        assert [one.content for one in reply.segments] == [one.content for one in alone.segments]
        assert reply.calls == alone.calls
        assert source.is_read
    assert presenter.results.keys() == {call.id for call in reply.calls}
    check_lives(items, reply.calls)
    check_order(items, reply.calls)
    check_results(items, presenter)
    assert len(world.begun) == len(set(world.begun)), "nothing runs twice"
    check_runs(items, world, mode)
    fenced = {call.id for call in reply.calls if call.is_fenced}
    assert fenced & ran(items) <= {request.invocation.id for request in world.asked}
    assert source.is_closed
    assert others() == set()


def check_order(items: list[object], calls: list[ToolInvocation]) -> None:
    """What a call depends on has succeeded before it runs."""
    steps = {(call.plan_id, call.step_id): call for call in calls if call.plan_id and call.step_id}
    done: set[str] = set()
    running: dict[str, set[str]] = {}
    for item in items:
        if isinstance(item, ToolLifecycle) and item.state == "running":
            running[item.invocation_id] = set(done)
        if isinstance(item, ToolLifecycle) and item.state == "result" and not item.is_error:
            done.add(item.invocation_id)
    for call in calls:
        for name in call.depends_on or ():
            other = steps.get((call.plan_id, name))
            if call.id in running and other is not None and not is_circle(call, other, steps):
                assert other.id in running[call.id], (call, other)


def is_circle(call: ToolInvocation, other: ToolInvocation, steps: dict[Any, ToolInvocation]) -> bool:
    """Whether the other waits for this one, too: one of the two dependencies was dropped."""
    seen, waiting = set(), [other]
    while waiting:
        one = waiting.pop()
        if one.id == call.id:
            return True
        if one.id not in seen:
            seen.add(one.id)
            waiting += [steps[one.plan_id, name] for name in one.depends_on or () if (one.plan_id, name) in steps]
    return False


def check_results(items: list[object], presenter: Presenter) -> None:
    """The last word on a call is its result."""
    for item in items:
        if isinstance(item, ToolLifecycle) and item.is_last:
            result = presenter.results[item.invocation_id]
            told = item.content if item.state == "result" else item.message
            assert (told, item.is_error if item.state == "result" else True) == (result.content, result.is_error)


def ran(items: list[object]) -> set[str]:
    return {item.invocation_id for item in items if isinstance(item, ToolLifecycle) and item.state == "running"}


def check_runs(items: list[object], world: World, mode: str) -> None:
    """What is said to have run has run, and in the mode that was chosen."""
    running = [item.invocation_id for item in items if isinstance(item, ToolLifecycle) and item.state == "running"]
    assert len(running) == len(world.begun)
    plans = {item.id: item.plan_id or item.id for item in items if isinstance(item, ToolInvocation)}
    if mode == "one":
        assert len({plans[one] for one in running}) <= 1
    if mode == "sequential":
        going: set[str] = set()
        for item in items:
            if isinstance(item, ToolLifecycle) and item.state == "running":
                assert all(one.startswith("plan") for one in going - {plans[item.invocation_id]})
                going.add(plans[item.invocation_id])
            if isinstance(item, ToolLifecycle) and item.is_last:
                going.discard(plans[item.invocation_id])


@pytest.mark.parametrize("part", range(4))
async def test_any_calls_and_any_decisions(part: int) -> None:
    for seed in series(times(600), part):
        try:
            await play(seed)
        except BaseException as error:
            error.add_note(f"the seed is {seed}")
            raise
