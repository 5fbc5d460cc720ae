"""AgUiEncoder: the events of a run, and the messages that a client makes of them."""

from __future__ import annotations

import asyncio
import json
from typing import Any

import pytest

from streamparse import Reply, SegmentContent, SegmentStart, ToolInvocation
from streamparse.encoders import AgUiEncoder, achunks, chunks, frames
from streamparse.invocations import AnyItem
from streamparse.invocations.lifecycle import ToolLifecycle
from streamparse.outcome import FinishReason, Outcome, StreamEnd, Usage
from streamparse.presenter import Approvals, Decision, Presenter, Rules, Toolbox
from tests.encoders.ag_ui_client import Client
from tests.encoders.kit import CALL, EMPTY_CALL, TOOLS, at_once, cuts, items, segment

Json = dict[str, Any]

TEXT = f"<think>Hm.</think>\n\nHi.\n{CALL}\n{EMPTY_CALL}\n"
CUT = CALL[:50]
RUN = {"threadId": "t", "runId": "r"}
F = '{"s": "x", "n": 1}'
CUT_OFF = {"status": "truncated", "error": "the call was cut off before its end"}


def encoder(**options: Any) -> AgUiEncoder:
    return AgUiEncoder(**{"thread_id": "t", "run_id": "r", "id": "m", "tools": TOOLS, **options})


def events(stream: list[AnyItem], made: AgUiEncoder | None = None) -> list[Json]:
    """All events, the deltas of a part joined."""
    found: list[Json] = []
    for event in chunks(stream, made or encoder()):
        before = found[-1] if found else {}
        if "delta" in event and {**before, "delta": ""} == {**event, "delta": ""}:
            before["delta"] += event["delta"]
        else:
            found.append(event)
    return found


def client(stream: list[AnyItem], made: AgUiEncoder | None = None) -> Client:
    return Client().read(chunks(stream, made or encoder()))


def call(number: int, name: str, arguments: str, **more: Any) -> Json:
    function = {"name": name, "arguments": arguments}
    return {"id": f"call_m{number:04x}", "type": "function", "function": function, **more}


def message(number: int, **more: Any) -> Json:
    return {"id": f"msg_m{number:04x}", "role": "assistant", **more}


def result(number: int, of: int, content: str, **metadata: Any) -> Json:
    about = {"metadata": metadata} if metadata else {}
    return message(number, role="tool", toolCallId=f"call_m{of:04x}", content=content, **about)


def finished(reason: str = "unknown", **more: Any) -> Json:
    return {
        **{"type": "RUN_FINISHED", **RUN, "outcome": {"type": "success"}},
        **{"metadata": {"finishReason": reason}, **more},
    }


def test_every_event_of_a_reply_whatever_its_chunks() -> None:
    thought, text = {"messageId": "msg_m0001"}, {"messageId": "msg_m0002"}
    first, second = {"toolCallId": "call_m0000"}, {"toolCallId": "call_m0001"}
    usage = [{"model": "q", "inputTokens": 5, "outputTokens": 7, "reasoningTokens": 3, "cachedInputTokens": 2}]
    for cut in cuts(TEXT):
        stream = items(cut, outcome=Outcome("stop", usage=Usage(5, 7, 3, 2), model="q"))
        Client().read(chunks(stream, encoder()))
        assert events(stream) == [
            {"type": "RUN_STARTED", **RUN},
            {"type": "REASONING_START", **thought},
            {"type": "REASONING_MESSAGE_START", **thought, "role": "reasoning"},
            {"type": "REASONING_MESSAGE_CONTENT", **thought, "delta": "Hm."},
            {"type": "REASONING_MESSAGE_END", **thought},
            {"type": "REASONING_END", **thought},
            {"type": "TEXT_MESSAGE_START", **text, "role": "assistant"},
            {"type": "TEXT_MESSAGE_CONTENT", **text, "delta": "\n\nHi."},
            {"type": "TEXT_MESSAGE_END", **text},
            {"type": "TOOL_CALL_START", **first, "toolCallName": "f", "parentMessageId": "msg_m0002"},
            {"type": "TOOL_CALL_ARGS", **first, "delta": F},
            {"type": "TOOL_CALL_END", **first},
            {"type": "TOOL_CALL_START", **second, "toolCallName": "g", "parentMessageId": "msg_m0002"},
            {"type": "TOOL_CALL_ARGS", **second, "delta": "{}"},
            {"type": "TOOL_CALL_END", **second},
            finished("stop", usage=[{**usage[0], "totalTokens": 12}]),
        ]


def test_frames_have_data_and_nothing_else() -> None:
    found = list(frames(items("é"), encoder()))
    assert found[0] == 'data: {"type": "RUN_STARTED", "threadId": "t", "runId": "r"}\n\n'
    assert "".join(found).split("\n\n")[-1] == ""
    assert [json.loads(frame.removeprefix("data: ")) for frame in found] == events(items("é"))


# -- messages ----------------------------------------------------------------------------------------------------------


def test_calls_belong_to_the_text_before_them_and_text_behind_them_is_a_message() -> None:
    found = client(items(f"Hi.{CALL}Then{EMPTY_CALL}")).messages
    assert found == [
        message(1, content="Hi.", toolCalls=[call(0, "f", F)]),
        message(2, content="Then", toolCalls=[call(1, "g", "{}")]),
    ]


def test_calls_without_a_text_have_a_message_of_their_own() -> None:
    assert client(items(CALL + EMPTY_CALL)).messages == [message(1, toolCalls=[call(0, "f", F), call(1, "g", "{}")])]


def test_a_call_behind_a_thought_begins_a_message() -> None:
    found = client(items(f"{CALL}<think>Hm.</think>{EMPTY_CALL}")).messages
    assert found == [
        message(1, toolCalls=[call(0, "f", F)]),
        message(2, role="reasoning", content="Hm."),
        message(3, toolCalls=[call(1, "g", "{}")]),
    ]


def test_text_that_turned_out_to_be_reasoning_says_so() -> None:
    stream = [*segment(1, "text", "Hm.", reasoning=True), *items(CALL)]
    assert client(stream).messages == [
        message(1, content="Hm.", metadata={"reasoning": True}),
        message(2, toolCalls=[call(0, "f", F)]),
    ]


def test_calls_at_the_same_time() -> None:
    found = client(at_once()).messages
    [first, second] = found[0]["toolCalls"]
    assert first == {**call(0, "f", '{"s": "x"}'), "id": "a"}
    assert second == {**call(1, "g", "{}"), "id": "b"}


def test_a_call_has_no_id_that_the_thread_has() -> None:
    stream: list[AnyItem] = [ToolInvocation(f"seg_{n}", "f", call_id="functions.f:0") for n in range(2)]
    made = [call["id"] for call in client(stream, encoder(taken=["functions.f:0"])).calls]
    assert made == ["call_m0001", "call_m0002"]
    assert [call["id"] for call in client(stream).calls] == ["functions.f:0", "call_m0001"]


def test_long_arguments_come_in_few_pieces() -> None:
    body = "x" * 3000
    text = f'<tool_call>{{"name": "f", "arguments": {{"s": "{body}"}}}}</tool_call>'
    pieces = [event for event in chunks(items(list(text)), encoder()) if event["type"] == "TOOL_CALL_ARGS"]
    assert "".join(piece["delta"] for piece in pieces) == json.dumps({"s": body})
    assert 10 < len(pieces) < 14


@pytest.mark.parametrize("kind", ["text", "reasoning"])
def test_what_a_provider_wants_back_goes_with_the_message(kind: str) -> None:
    state = {"interface": "anthropic", "signature": "x"}
    [found] = client(segment(1, kind, "Hm.", state=state)).messages
    assert json.loads(found["encryptedValue"]) == state


def test_what_a_provider_wants_back_goes_with_the_call() -> None:
    state = {"interface": "google", "thought_signature": "x"}
    [found] = client([ToolInvocation("seg_1", "f", state=state)]).calls
    assert json.loads(found["encryptedValue"]) == state


# -- what is not complete ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("reason", ["stop", "tool_calls", "length", "unknown", "cancelled"])
def test_a_call_that_is_cut_off_ends_the_run_with_an_error(reason: FinishReason) -> None:
    found = client(items(f"Hi.{CUT}", outcome=Outcome(reason)))
    assert found.messages == [message(1, content="Hi.", toolCalls=[call(0, "f", '{"s": "x', metadata=CUT_OFF)])]
    assert found.last == {
        "type": "RUN_ERROR",
        "message": "the call of f cannot be run: the call was cut off before its end",
        "code": "incomplete_tool_call",
    }


def test_a_malformed_call_ends_the_run_with_an_error() -> None:
    found = client(items('<tool_call>{"name": "f", "arguments": nothing}</tool_call>', outcome=Outcome("stop")))
    [made] = found.calls
    assert made["function"]["arguments"] == "{"
    assert made["metadata"]["status"] == "malformed"
    assert found.last["code"] == "incomplete_tool_call"


def test_a_call_that_nobody_says_what_is_wrong_with() -> None:
    found = client([ToolInvocation("seg_1", "f", status="malformed")])
    assert found.calls[0]["metadata"] == {"status": "malformed", "error": "the call is not complete"}
    assert found.last["message"] == "the call of f cannot be run: the call is not complete"


def test_a_call_that_is_cut_off_and_answered_does_not_fail_the_run() -> None:
    stream = items(CUT)
    skipped = ToolLifecycle("skipped", "seg_1", "f", message="The call was not run: it was cut off.")
    found = client([*stream[:-1], skipped, StreamEnd(Outcome("length"))])
    assert found.messages == [
        message(1, toolCalls=[call(0, "f", '{"s": "x', metadata=CUT_OFF)]),
        result(2, 0, "The call was not run: it was cut off.", error=True, state="skipped"),
    ]
    assert found.last == {"type": "RUN_FINISHED", **RUN, "metadata": {"finishReason": "length"}}


@pytest.mark.parametrize("reason", ["length", "cancelled", "content_filter", "refusal", "pause"])
def test_a_reply_that_is_not_whole_is_no_success(reason: FinishReason) -> None:
    found = client(items("Hi.", outcome=Outcome(reason)))
    assert found.last == {"type": "RUN_FINISHED", **RUN, "metadata": {"finishReason": reason}}


@pytest.mark.parametrize("reason", ["stop", "tool_calls", "unknown"])
def test_a_reply_that_is_whole_is_one(reason: FinishReason) -> None:
    assert client(items("Hi.", outcome=Outcome(reason))).last == finished(reason)


def test_text_that_is_left_is_cut() -> None:
    found = client(items("Hi.")[:2])
    assert found.messages == [message(1, content="Hi.", metadata={"status": "truncated"})]
    assert found.last == {"type": "RUN_FINISHED", **RUN, "metadata": {"finishReason": "cancelled"}}


def test_an_error_of_the_provider() -> None:
    found = client(items("Hi.", outcome=Outcome("error", error="out of memory", usage=Usage(1))))
    assert found.messages == [message(1, content="Hi.")]
    usage = [{"inputTokens": 1}]
    assert found.last == {"type": "RUN_ERROR", "message": "out of memory", "code": "error", "usage": usage}


def test_a_run_without_anything() -> None:
    assert events([]) == [
        {"type": "RUN_STARTED", **RUN},
        {"type": "RUN_FINISHED", **RUN, "metadata": {"finishReason": "cancelled"}},
    ]


def test_a_run_ends_once() -> None:
    made = encoder()
    assert [event["type"] for event in made.finish()] == ["RUN_STARTED", "RUN_FINISHED"]
    assert made.finish() == []


# -- several replies ---------------------------------------------------------------------------------------------------


def test_a_run_of_two_replies_and_the_result_between_them() -> None:
    first = items(f"Hi.{CALL}", outcome=Outcome("tool_calls", usage=Usage(1, 2), model="q"))
    done = ToolLifecycle("result", "seg_2", "f", content={"n": 1})
    second = items(f"So.{EMPTY_CALL}", outcome=Outcome("stop", usage=Usage(3, cached=1), model="q"))
    found = client([*first[:-1], done, first[-1], *second])
    assert found.messages == [
        message(1, content="Hi.", toolCalls=[call(0, "f", F)]),
        result(2, 0, '{"n": 1}'),
        message(3, content="So.", toolCalls=[call(1, "g", "{}")]),
    ]
    usage = {"model": "q", "inputTokens": 4, "outputTokens": 2, "cachedInputTokens": 1, "totalTokens": 6}
    assert found.last == finished("stop", usage=[usage])


def test_a_run_that_fails_behind_a_reply() -> None:
    made = encoder()
    found = Client().read(event for item in items("Hi.") for event in made.encode(item))
    assert found.read(made.finish(Outcome("error", error="no"))).last == {
        **{"type": "RUN_ERROR", "message": "no", "code": "error"}
    }


# -- other segments ----------------------------------------------------------------------------------------------------


def whole(number: int, kind: str, metadata: Json, *contents: str, **end: Any) -> list[AnyItem]:
    start, *rest = segment(number, kind, *contents, **end)
    assert isinstance(start, SegmentStart)
    return [SegmentStart(start.segment_id, kind, metadata), *rest]


def test_a_tool_of_the_provider_is_a_call_with_a_result() -> None:
    stream = [
        *whole(1, "server_tool", {"tool_name": "web_search", "call_id": "s1"}, '{"query": ', '"x"}'),
        *whole(2, "server_tool", {"tool_name": "run"}),
        *whole(3, "server_result", {"call_id": "s1"}, "found"),
        *whole(4, "server_result", {}, "ran"),
        *whole(5, "server_result", {}, "more"),
    ]
    found = client(stream)
    about = {"metadata": {"providerExecuted": True}}
    assert found.messages == [
        message(
            1,
            toolCalls=[
                {**call(0, "web_search", '{"query": "x"}', **about), "id": "s1"},
                call(1, "run", "{}", **about),
            ],
        ),
        {**result(2, 0, "found", providerExecuted=True), "toolCallId": "s1"},
        result(3, 1, "ran", providerExecuted=True),
    ]
    assert found.custom == [("server_result", {"content": "more"})]


def test_a_tool_of_the_provider_without_a_result_has_one_when_the_reply_ends() -> None:
    stream = whole(1, "server_tool", {}, '{"query": ', status="truncated", error="it was cut off")
    found = client([*stream, StreamEnd(Outcome("pause"))])
    status = {"status": "truncated", "error": "it was cut off", "providerExecuted": True}
    assert found.messages == [
        message(1, toolCalls=[call(0, "server_tool", '{"query": ', metadata=status)]),
        result(2, 0, "", providerExecuted=True),
    ]
    assert found.last["metadata"] == {"finishReason": "pause"}


def test_a_refusal_is_a_text() -> None:
    stream = [*segment(1, "refusal", "No."), *segment(2, "refusal"), StreamEnd(Outcome("refusal"))]
    found = client(stream)
    assert found.messages == [message(1, content="No.", metadata={"refusal": True})]
    assert found.custom == []  # one without words has nothing to tell


def test_sources_files_and_segments_of_your_own_are_custom_events() -> None:
    source = whole(2, "source", {"url": "https://example.org"})
    text: list[AnyItem] = segment(1, "text", "a", "b")
    stream = [
        *(*text[:2], *source, *text[2:]),
        *whole(3, "file", {"media_type": "image/png"}, "iVBO"),
        *whole(4, "plan", {"a": 1}),
        *whole(5, "note", {}, "n", status="malformed", error="bad"),
        *whole(6, "note", {}, "cut", "…")[:-1],
    ]
    found = client(stream)
    assert found.messages == [message(1, content="ab")]
    assert found.custom == [
        ("source", {"metadata": {"url": "https://example.org"}}),
        ("file", {"metadata": {"media_type": "image/png"}, "content": "iVBO"}),
        ("plan", {"metadata": {"a": 1}}),
        ("note", {"status": "malformed", "error": "bad", "content": "n"}),
        ("note", {"status": "truncated", "content": "cut…"}),
    ]


PLAN = """<multi_tool_use mode="parallel">
<tool name="f"><toolId>a</toolId><s>x</s></tool>
<tool name="g"><toolId>b</toolId><dependsOn>a</dependsOn></tool>
</multi_tool_use>"""


def test_a_plan_is_a_custom_event_when_it_begins_and_when_it_ends() -> None:
    first, cut = list(Reply(PLAN, "xml", tools=TOOLS)), list(Reply(PLAN[:90], "xml", tools=TOOLS))
    steps = [
        {"id": "a", "dependsOn": [], "toolName": "f", "toolCallId": "call_m0000"},
        {"id": "b", "dependsOn": ["a"], "toolName": "g", "toolCallId": "call_m0001"},
    ]
    again = [{**steps[0], "toolCallId": "call_m0002"}]
    problem = "plan_1 was cut off: its end did not come"
    begun = {"mode": "parallel", "isComplete": False, "steps": [], "problems": []}
    assert client([*first, *cut]).custom == [
        ("plan", {"id": "plan_m0001", **begun}),
        ("plan", {"id": "plan_m0001", **begun, "isComplete": True, "steps": steps}),
        ("plan", {"id": "plan_m0003", **begun}),
        ("plan", {"id": "plan_m0003", **begun, "steps": again, "problems": [problem]}),
    ]


# -- what becomes of calls ---------------------------------------------------------------------------------------------


def asked(name: str = "seg_1", **more: Any) -> ToolLifecycle:
    about = {"approval_id": "q1", "message": "[f]", "reason": "no rule allows it", "arguments": {"s": "x"}}
    return ToolLifecycle("approval_requested", name, "f", **{**about, **more})


def test_steps_of_a_call() -> None:
    steps: list[AnyItem] = [
        ToolLifecycle("approved", "seg_1", "f", "c", "q1", outcome="allow_once", arguments={"s": "y"}),
        ToolLifecycle("running", "seg_1", "f"),
        ToolLifecycle("progress", "seg_1", "f", message="half"),
        ToolLifecycle("result", "seg_1", "f", content="no such file", is_error=True),
        ToolLifecycle("denied", "seg_9", "g", message="The person denied the call."),
        ToolLifecycle("skipped", "seg_9", "g", "c9"),
    ]
    found = client([*items(CALL)[:-1], *steps])
    edited = {"approval_id": "q1", "outcome": "allow_once", "arguments": {"s": "y"}}
    about = {"toolCallId": "call_m0000", "name": "f"}
    assert found.custom == [
        ("tool_lifecycle", {**about, "state": "approved", **edited}),
        ("tool_lifecycle", {**about, "state": "running"}),
        ("tool_lifecycle", {**about, "state": "progress", "message": "half"}),
    ]
    denied = result(3, 0, "The person denied the call.", error=True, state="denied")
    assert found.messages == [
        message(1, toolCalls=[call(0, "f", F)]),
        result(2, 0, "no such file", error=True),
        {**denied, "toolCallId": "seg_9"},
        {**result(4, 0, "", error=True, state="skipped"), "toolCallId": "c9"},
    ]


def test_a_question_ends_the_run_and_what_follows_is_the_next() -> None:
    made, stream = encoder(), items(f"Hi.{CALL}Bye.", outcome=Outcome("stop"))
    place = [type(item) for item in stream].index(ToolInvocation) + 1
    rest = iter([*stream[:place], asked("seg_2"), ToolLifecycle("result", "seg_2", "f", content="ok"), *stream[place:]])
    found = Client().read(chunks(rest, made))
    assert made.is_waiting
    assert made.finish() == []
    [interrupt] = found.interrupts
    properties = {"approved": {"type": "boolean"}, "editedArgs": {"type": "object"}, "reason": {"type": "string"}}
    assert interrupt == {
        **{"id": "q1", "reason": "tool_call", "toolCallId": "call_m0000", "message": "[f]"},
        "responseSchema": {"type": "object", "properties": properties, "required": ["approved"]},
        "metadata": {"name": "f", "arguments": {"s": "x"}, "reason": "no rule allows it"},
    }
    made.resume("r2")
    assert found.read(chunks(rest, made)).messages == [
        message(1, content="Hi.", toolCalls=[call(0, "f", F)]),
        result(2, 0, "ok"),
        message(3, content="Bye."),
    ]
    assert found.last == {**finished("stop"), "runId": "r2"}
    assert found.interrupts == []


def test_a_question_that_says_little() -> None:
    found = client([asked(approval_id=None, message=None, reason=None, arguments=None)])
    [interrupt] = found.interrupts
    assert interrupt.pop("responseSchema")
    assert interrupt == {
        **{"id": "seg_1", "reason": "tool_call", "toolCallId": "seg_1"},
        "metadata": {"name": "f", "arguments": {}},
    }


def test_what_is_being_written_when_a_question_is_asked_goes_on_in_the_next_run() -> None:
    made, stream = encoder(), at_once()
    place = [type(item) for item in stream].index(ToolInvocation) + 1
    rest = iter([*stream[:place], asked(), *stream[place:]])
    found = Client().read(chunks(rest, made))
    first = {"id": "a", "type": "function", "function": {"name": "f", "arguments": '{"s": "x"}'}}
    second = {"id": "b", "type": "function", "function": {"name": "g", "arguments": ""}}
    assert found.calls == [first, {**second, "metadata": {"status": "unfinished"}}]
    made.resume("r2")
    found.read(chunks(rest, made))
    done = {"name": "g", "arguments": "{}"}
    assert found.calls == [first, {**second, "function": done, "metadata": {"status": "complete"}}]


def test_what_is_being_written_is_ended_as_cut_if_nothing_follows_in_the_next_run() -> None:
    made = encoder()
    stream: list[AnyItem] = [SegmentStart("seg_1", "text"), SegmentContent("seg_1", "Hi."), asked("seg_9")]
    found = Client().read(chunks(stream, made))
    assert found.messages == [message(1, content="Hi.", metadata={"status": "unfinished"})]
    made.resume("r2")
    found.read(made.finish())
    assert found.messages == [message(1, content="Hi.", metadata={"status": "truncated"})]


def test_a_stream_is_valid_behind_every_item() -> None:
    stream = [*items(list(TEXT)), ToolLifecycle("result", "seg_3", "f", content="ok"), *items(list(CUT))]
    for length in range(len(stream)):
        client(stream[:length])


async def test_a_presenter_asks_in_one_run_and_goes_on_in_the_next() -> None:
    gate = asyncio.Event()

    async def slow() -> str:
        await gate.wait()
        return "slow"

    async def quick(n: int) -> str:
        return f"quick {n}"

    tools, approvals = Toolbox.of([slow, quick]), Approvals()
    text = '<tool name="slow"/>Now<tool name="quick"><n>1</n></tool><tool name="quick"><n>2</n></tool>Bye.'
    reply = Reply(list(text), "xml", tools=tools.specs)
    presenter = Presenter(reply, tools=tools, rules=Rules({"slow": "allow"}), ask=approvals.ask, calls="parallel")
    made, found, rest = encoder(tools=tools.specs), Client(), aiter(presenter)
    found.read([event async for event in achunks(rest, made)])
    for number, answer in enumerate([Decision("allow_once", arguments={"n": 3}), Decision("reject_once")], 2):
        [interrupt] = found.interrupts
        approvals.answer(interrupt["id"], answer)
        gate.set()
        made.resume(f"r{number}")
        found.read([event async for event in achunks(rest, made)])
    assert found.interrupts == []
    [edited] = [value for _, value in found.custom if value["state"] == "approved"]
    assert edited["arguments"] == {"n": 3}
    results = {each["toolCallId"]: each for each in found.messages if each["role"] == "tool"}
    assert [(each["content"], each.get("metadata")) for _, each in sorted(results.items())] == [
        ("slow", None),
        ("quick 3", None),
        ("The person denied the call.", {"error": True, "state": "denied"}),
    ]
    assert [each for each in found.messages if each["role"] == "assistant"] == [
        message(1, toolCalls=[call(0, "slow", "{}")]),
        message(2, content="Now", toolCalls=[call(1, "quick", '{"n": 1}'), call(2, "quick", '{"n": 2}')]),
        message(6, content="Bye."),
    ]
    assert found.last == {**finished("unknown"), "runId": "r3"}


def test_what_becomes_of_a_call_may_be_told_behind_the_end_of_its_reply() -> None:
    told = ToolLifecycle("result", "seg_1", "f", content="ok")
    found = client([*items(CALL, outcome=Outcome("stop")), told])
    assert [message.get("toolCallId") for message in found.messages] == [None, "call_m0000"]
    assert found.messages[1]["content"] == "ok"
