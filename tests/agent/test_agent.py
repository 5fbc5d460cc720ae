"""The agent end to end: the real client, a scripted server, real files and commands."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import aclosing
from pathlib import Path
from typing import Any

import pytest
from openai import AsyncOpenAI, OpenAI

from streamparse import Outcome, StreamEnd, formats
from streamparse.agent import Agent, AgentLimits, ModelError, SessionLog, ask_openai
from streamparse.errors import ParserStateError, ProviderStreamError
from streamparse.events import SegmentContent, SegmentEnd
from streamparse.presenter import ApprovalRequest, Decision, Repetition, Rules, ToolLifecycle
from streamparse.workspace import workspace_tools
from tests.agent.kit import (
    CALC,
    PROJECT,
    QUICK,
    TEST,
    allow_all,
    files,
    last_words,
    no_task_is_left,
    run,
    scripted,
    told,
)
from tests.agent.scripted_server import Broken, Calls, Hanging, Refused, ScriptedServer, Text

FIXED = {"calc.py": CALC.replace("-", "+"), "test_calc.py": TEST}
FAILED = "The call was not run: the call is not complete"


class Notes:
    """A tool that changes something, and what was done with it."""

    def __init__(self) -> None:
        self.taken: list[str] = []

    def note(self, text: str) -> str:
        """Take a note."""
        self.taken.append(text)
        return f"noted {text}"


@pytest.fixture
def notes() -> Notes:
    return Notes()


def note(*texts: str, **options: Any) -> Calls:
    return Calls(*[("note", {"text": text}) for text in texts], **options)


# -- the project ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("format", [None, "hermes", "qwen3_coder", "cline"])
async def test_it_makes_a_project_runs_its_tests_and_repairs_a_failure(format: str | None, tmp_path: Path) -> None:
    tools = workspace_tools(tmp_path)
    script = [
        reply.written_in(formats.get(format), tools.specs) if format is not None and isinstance(reply, Calls) else reply
        for reply in PROJECT
    ]
    async with scripted(script, tools=tools, format=format, system="Be careful.") as (agent, server):
        items = await run(agent, "Make a calculator.")
    assert last_words(items) == [
        (name, "result") for name in ("list_files", "write_file", "write_file", "run_bash", "patch_file", "run_bash")
    ]
    assert files(tmp_path) == FIXED
    results = [item for item in items if isinstance(item, ToolLifecycle) and item.state == "result"]
    assert [result.is_error for result in results] == [False, False, False, True, False, False]
    assert results[3].content.splitlines()[-2:] == ["AssertionError: -1", "[exit code 1]"]
    assert results[5].content == "passed\n"
    assert (agent.stopped, agent.tokens) == ("done", 6 * 15)
    assert agent.messages[-1] == {"role": "assistant", "content": "It works."}
    assert [request["messages"] for request in server.requests] == [
        agent.messages[: at + 1] for at, message in enumerate(agent.messages) if is_asked(agent.messages, at)
    ]
    assert all(("tools" in request) is (format is None) for request in server.requests)
    first = agent.messages[0]["content"]
    assert first.startswith("Be careful.")
    assert ("write_file" in first) is (format is not None)


def is_asked(messages: list[dict[str, Any]], at: int) -> bool:
    """Whether the message after this one is the model's."""
    return at + 1 < len(messages) and messages[at + 1]["role"] == "assistant"


async def test_a_conversation_goes_on_with_the_next_task() -> None:
    async with scripted([Text("One."), Text("Two.")]) as (agent, server):
        await run(agent, "first")
        items = await run(agent, "second")
    assert [message["content"] for message in server.requests[1]["messages"]] == ["first", "One.", "second"]
    assert {item.segment_id for item in items if isinstance(item, SegmentContent)} == {"turn_2_1"}


# -- decisions --------------------------------------------------------------------------------------------------------


async def test_a_denial_is_told_and_the_model_goes_on(notes: Notes) -> None:
    answers = iter([Decision("reject_once", feedback="not now"), True])
    script = [note("a", "b"), note("c"), Text("Done.")]
    async with scripted(script, tools=[notes.note], rules=Rules(), ask=lambda _: next(answers)) as (agent, _):
        items = await run(agent)
    assert notes.taken == ["c"]
    assert last_words(items) == [("note", "denied"), ("note", "skipped"), ("note", "result")]
    assert told(agent) == [
        "The person denied the call. not now",
        "The call was not run, because note was denied before it.",
        "noted c",
    ]
    assert agent.stopped == "done"


async def test_arguments_can_be_edited_and_things_attached(notes: Notes) -> None:
    picture = {"type": "image_url", "image_url": {"url": "data:,"}}

    def ask(_: ApprovalRequest) -> Decision:
        return Decision("allow_once", "better so", (picture,), {"text": "A"})

    async with scripted([note("a"), Text("Done.")], tools=[notes.note], rules=Rules(), ask=ask) as (agent, server):
        await run(agent)
    assert notes.taken == ["A"]
    assert told(agent) == ["noted A\n\nThe person says: better so"]
    assert server.requests[1]["messages"][-1] == {"role": "user", "content": [picture]}


@pytest.mark.parametrize("hook", ["ask", "check", "before_change"])
async def test_an_error_of_a_hook_is_raised_and_never_taken_for_one_of_the_server(hook: str, notes: Notes) -> None:
    def fail(_: object) -> None:
        raise LookupError("a bug")

    rules = Rules() if hook == "ask" else allow_all()
    async with scripted([note("a"), Text("Done.")], tools=[notes.note], rules=rules, **{hook: fail}) as (agent, server):
        with pytest.raises(LookupError, match="a bug"):
            await run(agent)
        assert (len(server.requests), agent.stopped, notes.taken) == (1, None, [])
        await run(agent)
    assert len(server.requests) == 2
    answered = {message["tool_call_id"] for message in agent.messages if message["role"] == "tool"}
    called = {call["id"] for message in agent.messages for call in message.get("tool_calls", ())}
    assert answered == called


async def test_a_model_that_does_the_same_again_and_again_is_refused(notes: Notes) -> None:
    script = [*[note("a")] * 6, Text("I give up.")]
    async with scripted(script, tools=[notes.note], ask=lambda _: True) as (agent, _):
        items = await run(agent)
    assert last_words(items) == [*[("note", "result")] * 4, *[("note", "denied")] * 2]
    assert notes.taken == ["a"] * 4


async def test_repetition_can_be_switched_off(notes: Notes) -> None:
    script = [*[note("a")] * 6, Text("Done.")]
    repetition = Repetition(ask_at=None, stop_at=None)
    async with scripted(script, tools=[notes.note], repetition=repetition) as (agent, _):
        await run(agent)
    assert notes.taken == ["a"] * 6


async def test_a_reply_that_repeats_itself_is_stopped_and_so_is_the_run(notes: Notes) -> None:
    loop = Text("All work and no play makes Jack a dull boy. And so on.\n" * 40)
    async with scripted([loop, Text("never")], tools=[notes.note]) as (agent, server):
        items = await run(agent)
    assert (agent.stopped, len(server.requests)) == ("repetition", 1)
    assert items[-1] == StreamEnd(Outcome("cancelled"))
    assert len(agent.messages[-1]["content"]) < len(loop.text)


# -- replies that are cut, fail, break off ----------------------------------------------------------------------------


async def test_a_text_that_was_cut_off_is_gone_on_with() -> None:
    async with scripted([Text("One, two", "length"), Text(", three.")]) as (agent, server):
        await run(agent)
    assert [message["content"] for message in server.requests[1]["messages"]] == [
        "go",
        "One, two",
        "Your last message was cut off. Go on where it ended.",
    ]
    assert agent.stopped == "done"


@pytest.mark.parametrize("format", [None, "hermes"])
async def test_a_call_that_was_cut_off_is_not_run_and_the_model_is_told(format: str | None, notes: Notes) -> None:
    cut: Any = note("a", "b" * 40, cut=20, reason="length")
    if format is not None:
        specs = Agent(print, tools=[notes.note])._tools.specs
        cut = Text(note("a", "b" * 40).written_in(formats.get(format), specs).text[:-35], "length")
    async with scripted([cut, Text("Done.")], tools=[notes.note], format=format) as (agent, server):
        items = await run(agent)
    assert notes.taken == ["a"]
    assert last_words(items) == [("note", "result"), ("note", "skipped")]
    assert [message["role"] for message in server.requests[1]["messages"]][-2:] == (
        ["tool", "tool"] if format is None else ["assistant", "user"]
    )
    assert "was not run" in agent.messages[-2]["content"]


async def test_a_reply_that_fails_before_a_call_is_asked_for_again(notes: Notes) -> None:
    script = [Broken(Text("Let me think about it"), 2), Broken(note("a"), 2), note("a"), Text("Done.")]
    async with scripted(script, tools=[notes.note]) as (agent, server):
        items = await run(agent)
    assert notes.taken == ["a"]
    assert len(server.requests) == 4
    assert server.requests[0]["messages"] == server.requests[1]["messages"] == server.requests[2]["messages"]
    ends = [item.status for item in items if isinstance(item, SegmentEnd)]
    assert ends == ["truncated", "truncated", None, None]
    assert [message["role"] for message in agent.messages] == ["user", "assistant", "tool", "assistant"]


async def test_a_reply_that_fails_behind_a_call_is_kept_and_nothing_runs_twice(notes: Notes) -> None:
    # The first call is whole, and run, before the second breaks off.
    script = [Broken(note("a", "bbbbbbbbbbbbbbb"), 6), note("b"), Text("Done.")]
    async with scripted(script, tools=[notes.note]) as (agent, server):
        items = await run(agent)
    assert notes.taken == ["a", "b"]
    assert last_words(items) == [("note", "result"), ("note", "skipped"), ("note", "result")]
    history = server.requests[1]["messages"]
    assert [message["role"] for message in history] == ["user", "assistant", "tool", "tool"]
    assert history[2]["content"] == "noted a"
    assert "was not run" in history[3]["content"]


@pytest.mark.parametrize(
    "broken",
    [
        Broken(Text("Let me think"), 1),
        Broken(Text("Let me think"), 1, ""),
        Broken(Text("Let me think"), 1, "", is_dropped=True),
        Refused(503),
        Refused(429),
    ],
)
async def test_retries_are_bounded(broken: Broken | Refused) -> None:
    async with scripted([broken] * 5) as (agent, server):
        with pytest.raises(ModelError, match="the model could not be asked: "):
            await run(agent)
    assert len(server.requests) == 3
    assert (agent.messages, agent.stopped) == ([{"role": "user", "content": "go"}], None)


@pytest.mark.parametrize("broken", [Broken(Text("Let me think"), 1, ""), Broken(note("a"), 3, "", is_dropped=True)])
async def test_a_connection_that_breaks_off_is_no_end(broken: Broken, notes: Notes) -> None:
    async with scripted([broken, Text("Done.")], tools=[notes.note]) as (agent, _):
        await run(agent)
    assert agent.messages[1:] == [{"role": "assistant", "content": "Done."}]
    assert notes.taken == []


async def test_replies_that_fail_behind_calls_are_bounded_as_well(notes: Notes) -> None:
    script = [Broken(note(name, "xxxxxxxxxxxxx"), 6) for name in "abcdef"]
    async with scripted(script, tools=[notes.note]) as (agent, _):
        with pytest.raises(ModelError, match="overloaded"):
            await run(agent)
    assert notes.taken == ["a", "b", "c"]
    assert told(agent)[::2] == ["noted a", "noted b", "noted c"]


async def test_failures_are_counted_in_a_row(notes: Notes) -> None:
    failure = Broken(Text("Let me"), 1)
    script = [failure, failure, note("a"), failure, failure, Text("Done.")]
    async with scripted(script, tools=[notes.note]) as (agent, _):
        await run(agent)
    assert agent.stopped == "done"


async def test_a_request_that_is_refused_as_such_is_not_sent_again() -> None:
    async with scripted([Refused(401, "who are you?"), Text("Done.")]) as (agent, server):
        with pytest.raises(ModelError, match=r"who are you\?"):
            await run(agent)
        assert len(server.requests) == 1
        await run(agent)
    assert agent.stopped == "done"


async def test_a_cancel_ends_the_pause_before_a_retry() -> None:
    limits = AgentLimits(pause=1_000)
    async with scripted([Broken(Text("Let me"), 1), Text("never")], limits=limits) as (agent, server):
        async for item in agent.run("go"):
            if isinstance(item, StreamEnd):
                asyncio.get_running_loop().call_soon(agent.cancel)
    assert (agent.stopped, len(server.requests)) == ("cancelled", 1)


# -- limits -----------------------------------------------------------------------------------------------------------


async def test_turns_are_limited(notes: Notes) -> None:
    script = [note(name) for name in "abcdef"]
    async with scripted(script, tools=[notes.note], limits=AgentLimits(turns=2)) as (agent, _):
        await run(agent)
        assert (agent.stopped, notes.taken) == ("turns", ["a", "b"])
        await run(agent)
    assert notes.taken == ["a", "b", "c", "d"]


async def test_tokens_are_limited(notes: Notes) -> None:
    script = [note(name) for name in "abcdef"]
    async with scripted(script, tools=[notes.note], limits=AgentLimits(tokens=16)) as (agent, _):
        await run(agent)
        assert (agent.stopped, agent.tokens, notes.taken) == ("tokens", 30, ["a", "b"])
        await run(agent)
    assert notes.taken == ["a", "b", "c", "d"]


@pytest.mark.parametrize("after", [-1, 0, 2])
async def test_a_reply_that_hangs_ends_with_the_seconds(after: int) -> None:
    script = [Hanging(Text("Let me think about it"), after)]
    async with scripted(script, limits=AgentLimits(seconds=0.15)) as (agent, _):
        items = await run(agent)
    assert agent.stopped == "seconds"
    assert isinstance(items[-1], StreamEnd)
    assert items[-1].outcome.finish_reason == "cancelled"
    said = "".join(item.delta for item in items if isinstance(item, SegmentContent))
    assert said == {-1: "", 0: "", 2: "Let me think a"[:14]}[after]
    assert agent.messages[1:] == ([{"role": "assistant", "content": said}] if said else [])


async def test_a_tool_that_hangs_ends_with_the_seconds() -> None:
    async def sleep() -> None:
        await asyncio.sleep(1_000)

    async with scripted([Calls(("sleep", {}))], tools=[sleep], limits=AgentLimits(seconds=0.15)) as (agent, _):
        items = await run(agent)
    assert agent.stopped == "seconds"
    assert last_words(items) == [("sleep", "result")]
    assert told(agent) == ["The call was stopped while it ran. The time is up."]


# -- compaction -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("is_async", [False, True])
async def test_messages_can_be_made_fewer_before_each_request(is_async: bool, notes: Notes) -> None:
    def last_two(messages: list[dict[str, Any]]) -> list[dict[str, Any]]:
        return messages if len(messages) <= 3 else [messages[0], *messages[-2:]]

    async def later(messages: list[dict[str, Any]]) -> list[dict[str, Any]]:
        await asyncio.sleep(0)
        return last_two(messages)

    script = [note("a"), note("b"), Text("Done.")]
    compact: Callable[..., Any] = later if is_async else last_two
    async with scripted(script, tools=[notes.note], compact=compact) as (agent, server):
        await run(agent)
    assert [len(request["messages"]) for request in server.requests] == [1, 3, 3]
    assert [message["role"] for message in agent.messages] == ["user", "assistant", "tool", "assistant"]


async def test_a_run_that_is_cancelled_while_messages_are_made_fewer_asks_no_more() -> None:
    async def compact(_: object) -> Any:
        agent.cancel()
        await asyncio.sleep(1_000)

    async with scripted([Text("never")], compact=compact) as (agent, server):
        assert await run(agent) == []
    assert (agent.stopped, server.requests) == ("cancelled", [])
    assert agent.messages == [{"role": "user", "content": "go"}]


async def test_an_error_of_the_hook_is_raised() -> None:
    async with scripted([Text("never")], compact=lambda _: {}["none"]) as (agent, _):
        with pytest.raises(KeyError):
            await run(agent)
        with pytest.raises(KeyError):  # and the agent is not at work any more
            await run(agent)


# -- cancelling -------------------------------------------------------------------------------------------------------


async def test_cancelling_without_a_run_does_nothing() -> None:
    async with scripted([Text("Done.")]) as (agent, _):
        agent.cancel()
        await run(agent)
        agent.cancel()
    assert agent.stopped == "done"


async def test_a_cancelled_reply_is_kept_as_far_as_it_came(notes: Notes) -> None:
    async with scripted([Hanging(Text("Let me think about it"), 2), Text("Done.")], tools=[notes.note]) as (agent, _):
        async for item in agent.run("go"):
            if isinstance(item, SegmentContent):
                agent.cancel("I know better.")
        assert agent.stopped == "cancelled"
        assert agent.messages[1]["content"] in ("Let me ", "Let me think a")
        await run(agent, "do it otherwise")
    assert agent.stopped == "done"


async def test_a_call_that_is_cancelled_while_somebody_is_asked_has_a_result(notes: Notes) -> None:
    async def ask(_: ApprovalRequest) -> bool:
        agent.cancel()
        await asyncio.sleep(1_000)
        return True

    async with scripted([note("a", "b"), Text("never")], tools=[notes.note], rules=Rules(), ask=ask) as (agent, server):
        items = await run(agent)
    assert last_words(items) == [("note", "skipped"), ("note", "skipped")]
    assert (notes.taken, len(server.requests), agent.stopped) == ([], 1, "cancelled")
    assert [message["role"] for message in agent.messages] == ["user", "assistant", "tool", "tool"]


async def test_one_run_at_a_time() -> None:
    async with scripted([Text("Done."), Text("Done.")]) as (agent, _):
        async with aclosing(agent.run("go")) as items:
            await anext(items)
            with pytest.raises(ParserStateError, match="the agent is at work"):
                await run(agent)
        assert agent.stopped == "cancelled"
        await run(agent)
    assert agent.stopped == "done"


def fake_stream(replies: list[list[Any]]) -> Callable[..., Any]:
    """A model that gives up control before each chunk."""

    async def complete(messages: list[dict[str, Any]], tools: list[dict[str, Any]]) -> AsyncIterator[Any]:
        for chunk in replies[sum(message["role"] == "assistant" for message in messages)]:
            await asyncio.sleep(0)
            yield {"choices": [{"index": 0, **chunk}]}

    return complete


@pytest.mark.parametrize("way", ["cancel", "task", "leave"])
async def test_it_can_be_stopped_at_every_await(way: str, tmp_path: Path) -> None:
    """Whatever is stopped where: each call has one result in the log, what ran is there, and no task is left."""
    script = [note("a", "b", text="Look:"), note("c"), Text("Done.")]
    complete = fake_stream([list(reply.chunks()) for reply in script])
    kinds: set[Any] = set()
    for step in range(400):
        notes, log = Notes(), SessionLog(tmp_path / f"{step}.jsonl")

        async def take(text: str, notes: Notes = notes) -> str:
            await asyncio.sleep(0)
            notes.taken.append(text)
            return "noted"

        async def ask(_: ApprovalRequest) -> bool:
            await asyncio.sleep(0)
            return True

        agent = Agent(complete, tools={"note": take}, ask=ask, log=log)
        task = asyncio.ensure_future(consume(agent, step if way == "leave" else 1_000))
        for _ in range(step if way != "leave" else 1_000):
            await asyncio.sleep(0)
        is_done = task.done() and agent.stopped == "done"
        (agent if way == "cancel" else task).cancel()
        await asyncio.gather(task, return_exceptions=True)
        await no_task_is_left()
        messages = SessionLog(tmp_path / f"{step}.jsonl").read()
        assert messages == agent.messages
        called = [call["id"] for message in messages for call in message.get("tool_calls", ())]
        answers = [(message["tool_call_id"], message["content"]) for message in messages if message["role"] == "tool"]
        assert [name for name, _ in answers] == called
        assert [content for _, content in answers].count("noted") <= len(notes.taken)
        assert notes.taken == ["a", "b", "c"][: len(notes.taken)]
        # What ran is told, or it was stopped while it ran; nothing ran that is not in the log.
        assert len(called) >= len(notes.taken)
        kinds.add((agent.stopped, len(called), len(notes.taken)))
        if is_done:
            break
    assert ("done", 3, 3) in kinds
    assert len(kinds) > 5


async def consume(agent: Agent, most: int) -> None:
    """Take so many items of a run."""
    async with aclosing(agent.run("go")) as items:
        for _ in range(most):
            if await anext(items, None) is None:
                break
            await asyncio.sleep(0)


# -- clients ----------------------------------------------------------------------------------------------------------


async def test_a_synchronous_client_does_not_hold_up_the_program(notes: Notes) -> None:
    ticks = 0

    async def tick() -> None:
        nonlocal ticks
        while True:
            ticks += 1
            await asyncio.sleep(0.001)

    script = [note("a"), Broken(Text("Let me"), 1), Text("Done.")]
    with ScriptedServer(script) as server, OpenAI(base_url=server.url, api_key="none", max_retries=0) as client:
        agent = Agent(client, model="scripted", tools=[notes.note], rules=allow_all(), limits=QUICK)
        ticking = asyncio.ensure_future(tick())
        await run(agent)
        ticking.cancel()
    assert (agent.stopped, notes.taken, len(server.requests)) == ("done", ["a"], 3)
    assert ticks > 3


async def test_a_synchronous_client_that_hangs_can_be_stopped() -> None:
    script = [Hanging(Text("Let me think about it"), 2)]
    with ScriptedServer(script) as server, OpenAI(base_url=server.url, api_key="none", max_retries=0) as client:
        agent = Agent(client, model="scripted", limits=AgentLimits(seconds=0.1))
        await run(agent)
    assert agent.stopped == "seconds"


async def test_options_go_into_each_request() -> None:
    with ScriptedServer([Text("Done.")]) as server:
        async with AsyncOpenAI(base_url=server.url, api_key="none", max_retries=0) as client:
            await run(Agent(ask_openai(client, "scripted", temperature=0.5)))
    assert (server.requests[0]["model"], server.requests[0]["temperature"]) == ("scripted", 0.5)


@pytest.mark.parametrize("kind", ["list", "text", "iterator", "generator", "async generator", "coroutine"])
async def test_a_plain_function_may_give_any_stream(kind: str, notes: Notes) -> None:
    texts = ['<tool_call>\n{"name": "note", "arguments": {"text": "a"}}\n</tool_call>', "Done."]

    def complete(messages: list[dict[str, Any]], tools: list[dict[str, Any]]) -> Any:
        assert tools == []
        text = texts[sum(message["role"] == "assistant" for message in messages)]
        pieces = [text[at : at + 5] for at in range(0, len(text), 5)]

        async def slowly() -> AsyncIterator[str]:
            for piece in pieces:
                yield piece

        async def later() -> list[str]:
            return pieces

        streams: dict[str, Callable[[], Any]] = {
            "list": lambda: pieces,
            "text": lambda: text,
            "iterator": lambda: iter(pieces),
            "generator": lambda: (piece for piece in pieces),
            "async generator": slowly,
            "coroutine": later,
        }
        return streams[kind]()

    agent = Agent(complete, tools=[notes.note], format="hermes", rules=allow_all())
    await run(agent)
    assert (agent.stopped, notes.taken) == ("done", ["a"])
    await no_task_is_left()


async def test_a_generator_is_closed_in_the_thread_that_reads_it() -> None:
    threads: list[threading.Thread] = []

    def stream() -> Iterator[str]:
        try:
            while True:
                yield "more and "
        finally:
            threads.append(threading.current_thread())

    agent = Agent(lambda *_: stream(), limits=AgentLimits(retries=0))
    async for item in agent.run("go"):
        if isinstance(item, SegmentContent):
            agent.cancel()
    while not threads:
        await asyncio.sleep(0.001)
    assert threads != [threading.main_thread()]


async def test_what_a_function_raises_is_an_error_of_the_model() -> None:
    def complete(*_: object) -> Any:
        raise RuntimeError("no such package")

    agent = Agent(complete, limits=AgentLimits(retries=0))
    with pytest.raises(ModelError, match="no such package") as caught:
        await run(agent)
    assert isinstance(caught.value.__cause__, RuntimeError)


async def test_what_a_providers_chunk_reports_is_an_error_of_the_model() -> None:
    agent = Agent(lambda *_: [{"error": {"message": "overloaded"}}], limits=AgentLimits(retries=0))
    with pytest.raises(ModelError, match="overloaded") as caught:
        await run(agent)
    assert isinstance(caught.value.__cause__, ProviderStreamError)


async def test_a_reply_without_anything_is_no_message() -> None:
    agent = Agent(lambda *_: [])
    assert await run(agent) == [StreamEnd(Outcome("unknown"))]
    assert (agent.messages, agent.stopped) == ([{"role": "user", "content": "go"}], "done")


async def test_half_a_character_does_not_spoil_the_conversation(notes: Notes, tmp_path: Path) -> None:
    script = [note("\ud800"), Text("Done.")]
    log = SessionLog(tmp_path / "log")
    async with scripted(script, tools=[notes.note], log=log) as (agent, server):
        await run(agent, "a\udcffb")
    assert notes.taken == ["\ud800"]
    assert server.requests[0]["messages"][0]["content"] == "a?b"
    assert told(agent) == ["noted ?"]
    assert SessionLog(tmp_path / "log").read() == agent.messages


async def test_commands_end_with_a_run_that_is_left(tmp_path: Path) -> None:
    script = [Calls(("run_bash", {"command": "echo $$; exec sleep 1000"}))]
    async with (
        scripted(script, tools=workspace_tools(tmp_path), ask=lambda _: True) as (agent, _),
        aclosing(agent.run("go")) as items,
    ):
        async for item in items:
            if isinstance(item, ToolLifecycle) and item.state == "progress":
                process = int(item.message or "")
                break
    assert not Path(f"/proc/{process}").exists()
    assert told(agent) == ["The call was stopped while it ran. The reply was stopped."]
