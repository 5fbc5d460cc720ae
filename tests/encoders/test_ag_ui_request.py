"""AgUiRequest: what a client of AG-UI sends, as the messages of the next request and as decisions."""

from __future__ import annotations

import asyncio
import json
from typing import Any

import pytest

from streamparse import SegmentStart, ToolSpec
from streamparse.encoders import AgUiEncoder, AgUiRequest, chunks
from streamparse.invocations import AnyItem, ToolInvocation
from streamparse.invocations.lifecycle import ToolLifecycle
from streamparse.messages import DIALECTS
from streamparse.outcome import Outcome, StreamEnd
from streamparse.presenter import ApprovalError, ApprovalRequest, Approvals, Decision
from tests.encoders.ag_ui_client import Client
from tests.encoders.kit import CALL, TOOLS, items, segment

Json = dict[str, Any]


def request(*messages: Json, **more: Any) -> AgUiRequest:
    numbered = [{"id": f"m{number}", **message} for number, message in enumerate(messages)]
    return AgUiRequest.of({"threadId": "t", "runId": "r", "messages": numbered, **more})


def told(stream: list[AnyItem]) -> list[Json]:
    """The messages that a client has of a stream."""
    return Client().read(chunks(stream, AgUiEncoder(thread_id="t", run_id="r", id="m", tools=TOOLS))).messages


def use(name: str = "c1", arguments: str = '{"n": 1}', **more: Any) -> Json:
    return {"id": name, "type": "function", "function": {"name": "f", "arguments": arguments}, **more}


def whole(number: int, kind: str, metadata: Json, *contents: str, **end: Any) -> list[AnyItem]:
    return [SegmentStart(f"seg_{number}", kind, metadata), *segment(number, kind, *contents, **end)[1:]]


# -- messages ----------------------------------------------------------------------------------------------------------


def test_what_a_client_was_told_comes_back() -> None:
    first = items(f"<think>Hm.</think>Hi.{CALL}", outcome=Outcome("tool_calls"))
    done = ToolLifecycle("result", "seg_3", "f", content="12 degrees")
    messages = told([*first[:-1], done, first[-1], *items("12 degrees.")])
    found = request({"role": "user", "content": "How warm?"}, *messages)
    call = {"id": "call_m0000", "type": "function", "function": {"name": "f", "arguments": '{"s": "x", "n": 1}'}}
    assert found.messages() == [
        {"role": "user", "content": "How warm?"},
        {"role": "assistant", "content": "Hi.", "tool_calls": [call]},
        {"role": "tool", "tool_call_id": "call_m0000", "content": "12 degrees"},
        {"role": "assistant", "content": "12 degrees."},
    ]
    assert found.call_ids == ["call_m0000"]


def test_what_a_provider_wants_back_comes_back() -> None:
    def state(**more: Any) -> Json:
        return {"interface": "anthropic", **more}

    stream = [
        *segment(1, "reasoning", "Hm.", state=state(signature="x")),
        *whole(2, "server_tool", {"tool_name": "s", "call_id": "s1"}, "{}", state=state(type="server_tool_use")),
        *whole(3, "server_result", {"call_id": "s1"}, "[]", state=state(type="s_tool_result")),
        *segment(4, "text", "Hi."),
        ToolInvocation("seg_5", "f", {"n": 1}, call_id="c", state=state(caller={"type": "direct"})),
        ToolLifecycle("result", "seg_5", "f", content="no", is_error=True),
        StreamEnd(Outcome("tool_calls")),
    ]
    call = {"type": "tool_use", "id": "c", "name": "f", "input": {"n": 1}, "caller": {"type": "direct"}}
    assert request(*told(stream)).messages("anthropic") == [
        {
            "role": "assistant",
            "content": [
                {"type": "thinking", "thinking": "Hm.", "signature": "x"},
                {"type": "server_tool_use", "id": "s1", "name": "s", "input": {}},
                {"type": "s_tool_result", "tool_use_id": "s1", "content": []},
                {"type": "text", "text": "Hi."},
                call,
            ],
        },
        {
            "role": "user",
            "content": [{"type": "tool_result", "tool_use_id": "c", "content": "no", "is_error": True}],
        },
    ]
    assert "signature" not in json.dumps(request(*told(stream)).messages("openai"))


def test_a_tool_of_the_provider_that_was_cut_off_is_left_out() -> None:
    state = {"interface": "anthropic", "type": "server_tool_use"}
    stream = whole(1, "server_tool", {"tool_name": "s"}, "{", status="truncated", state=state)
    assert request(*told([*stream, StreamEnd(Outcome("length"))])).messages("anthropic") == []


def test_a_call_that_was_cut_off_comes_back_as_that() -> None:
    [_, answer] = request(*told(items(CALL[:50]))).messages()
    assert answer["content"] == "The call was not run: the call was cut off before its end."


@pytest.mark.parametrize(
    "call", [use(arguments='{"n": '), use(arguments="[]"), use(metadata={"status": "unfinished", "error": 3})]
)
def test_a_call_that_is_none_is_not_complete(call: Json) -> None:
    [_, answer] = request({"role": "assistant", "toolCalls": [call]}).messages()
    assert answer["content"] == "The call was not run: the call is not complete."


def test_text_that_was_reasoning_and_a_refusal() -> None:
    thought = {"role": "assistant", "content": "Hm.", "metadata": {"reasoning": True}}
    refusal = {"role": "assistant", "content": "No.", "metadata": {"refusal": True}}
    assert request(thought, refusal).messages() == [{"role": "assistant", "content": "", "refusal": "No."}]


def test_what_is_said_by_others() -> None:
    parts = [
        {"type": "text", "text": "Look:"},
        {"type": "image", "source": {"type": "data", "value": "aWJv", "mimeType": "image/png"}},
        {"type": "image", "source": {"type": "url", "value": "https://example.org/a.png"}},
        {"type": "binary", "mimeType": "image/png", "data": "aWJv", "filename": "a.png"},
    ]
    found = request(
        {"role": "system", "content": "Be brief."},
        {"role": "developer", "content": "Be kind."},
        {"role": "activity", "activityType": "x", "content": {}},
        {"role": "user", "content": parts},
    )
    data = {"type": "image_url", "image_url": {"url": "data:image/png;base64,aWJv"}}
    assert found.messages() == [
        {"role": "system", "content": "Be brief."},
        {"role": "system", "content": "Be kind."},
        {
            "role": "user",
            "content": [
                {"type": "text", "text": "Look:"},
                data,
                {"type": "image_url", "image_url": {"url": "https://example.org/a.png"}},
                data,
            ],
        },
    ]
    assert found.system == "Be brief.\n\nBe kind."


def test_results_of_tools_that_the_client_ran() -> None:
    found = request(
        {"role": "assistant", "toolCalls": [use("c1", ""), use("c2"), use("c3")]},
        {"role": "tool", "toolCallId": "c2", "content": "", "error": "no"},
        {"role": "tool", "toolCallId": "c1", "content": [{"type": "text", "text": "ok"}]},
        {"role": "tool", "toolCallId": "c9", "content": "of nobody"},
        {"role": "assistant", "content": "So."},
    )
    assert [message["content"] for message in found.messages()] == [None, "ok", "no", "The call was not run.", "So."]
    [_, results, _] = found.messages("anthropic")
    assert [result["is_error"] for result in results["content"]] == [False, True, True]


def test_an_empty_message_says_nothing() -> None:
    assert request({"role": "assistant", "content": ""}, {"role": "reasoning", "content": "Hm."}).messages() == [
        {"role": "assistant", "content": ""},
    ]


@pytest.mark.parametrize("value", ["not json", "[]", '{"signature": "x"}', '{"interface": 1}', 7])
def test_what_others_have_encrypted_is_nothing_to_us(value: Any) -> None:
    message = {"role": "reasoning", "content": "Hm.", "encryptedValue": value, "metadata": 1}
    assert request(message).messages("anthropic") == []


def test_tools() -> None:
    schema = {"type": "object", "properties": {"n": {"type": "integer"}}}
    tools = [{"name": "f", "description": "Count.", "parameters": schema}, {"name": "g", "description": ""}]
    found = request(tools=tools).tools
    assert found == [ToolSpec("f", schema), ToolSpec("g")]
    assert found[0].description == "Count."


# -- decisions ---------------------------------------------------------------------------------------------------------


def answer(**more: Any) -> Json:
    return {"interruptId": "q1", "status": "resolved", **more}


@pytest.mark.parametrize(
    ("entry", "decision"),
    [
        (answer(payload={"approved": True}), Decision("allow_once")),
        (answer(payload={"approved": True, "reason": "ok", "x": 1}), Decision("allow_once", feedback="ok")),
        (answer(payload={"approved": True, "editedArgs": {"n": 2}}), Decision("allow_once", arguments={"n": 2})),
        (answer(payload={"approved": False, "editedArgs": {"n": 2}}), Decision("reject_once")),
        (answer(payload={"approved": False, "reason": "no"}), Decision("reject_once", feedback="no")),
        (
            answer(status="cancelled", payload={"approved": True}),
            Decision("reject_once", feedback="The person left the question unanswered."),
        ),
    ],
)
def test_an_answer_is_a_decision(entry: Json, decision: Decision) -> None:
    assert request(resume=[entry]).decisions == {"q1": decision}


async def test_decisions_are_given_to_those_who_wait() -> None:
    approvals = Approvals()
    call = ToolInvocation("seg_1", "f")
    asked = ApprovalRequest(call, "[f]")
    waits = asyncio.create_task(approvals.ask(asked))
    await asyncio.sleep(0)
    good = request(resume=[{**answer(payload={"approved": True}), "interruptId": asked.approval_id}])
    bad = request(resume=[good.input["resume"][0], answer(status="cancelled")])
    with pytest.raises(ApprovalError, match=r"^no question with the id 'q1' is open$"):
        bad.answer(approvals)
    assert good.answer(approvals) == [asked]
    assert await waits == Decision("allow_once")


# -- what is none ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("data", "error"),
    [
        ([], "the input is an object, not []"),
        ({"runId": "r", "messages": []}, "'threadId' is a text, not None"),
        ({"threadId": "t", "messages": []}, "'runId' is a text, not None"),
        ({"messages": {}}, "'messages' is a list, not {}"),
        ({"messages": [1]}, "a message is an object, not 1"),
        ({"messages": [{"role": "robot"}]}, "no message has the role 'robot'"),
        ({"messages": [{"role": "user"}]}, "the content of a message is a text or a list, not None"),
        ({"messages": [{"role": "user", "content": [{"type": "x"}]}]}, "no part of a message has the type 'x'"),
        (
            {"messages": [{"role": "user", "content": [{"type": "image", "source": {"type": "file", "value": "f"}}]}]},
            "nothing can be read from a source of the type 'file'",
        ),
        ({"messages": [{"role": "assistant", "content": 1}]}, "the content of a message of the model is a text, not 1"),
        (
            {"messages": [{"role": "assistant", "toolCalls": [{"id": "c"}]}]},
            "the function of a call is an object, not None",
        ),
        ({"messages": [], "tools": [{"name": ""}]}, "the name of a tool must be a non-empty string, not ''"),
        (
            {"messages": [], "resume": [{"interruptId": "q"}]},
            "the status of an answer is resolved or cancelled, not None",
        ),
        ({"messages": [], "resume": [answer()]}, "the payload of an answer is an object, not None"),
        ({"messages": [], "resume": [answer(payload={"approved": 1})]}, "`approved` is true or false, not 1"),
        (
            {"messages": [], "resume": [answer(payload={"approved": True, "editedArgs": "x"})]},
            "editedArgs is an object, not 'x'",
        ),
        (
            {"messages": [], "resume": [answer(payload={"approved": True, "reason": 1})]},
            "the reason of an answer is a text, not 1",
        ),
        (
            {"messages": [], "resume": [answer(status="cancelled"), answer(payload={"approved": True})]},
            "the question 'q1' is answered twice",
        ),
    ],
)
def test_what_is_no_request_raises(data: Any, error: str) -> None:
    with pytest.raises(ValueError) as raised:
        AgUiRequest.of(data)
    assert str(raised.value) == error


# -- what anybody may send ---------------------------------------------------------------------------------------------

EVERYTHING: Json = {
    **{"threadId": "t", "runId": "r", "state": {}, "context": [], "forwardedProps": {}},
    "messages": [
        {"id": "1", "role": "system", "content": "Be brief."},
        {"id": "2", "role": "user", "content": [{"type": "text", "text": "Look:"}]},
        {"id": "3", "role": "user", "content": [{"type": "binary", "mimeType": "image/png", "data": "aWJv"}]},
        {
            **{"id": "4", "role": "user"},
            "content": [{"type": "image", "source": {"type": "data", "value": "aWJv", "mimeType": "image/png"}}],
        },
        *told(
            [
                *segment(1, "reasoning", "Hm.", state={"interface": "anthropic", "signature": "x"}),
                *whole(2, "server_tool", {"call_id": "s1"}, "{}", state={"interface": "anthropic", "type": "x"}),
                *whole(3, "server_result", {"call_id": "s1"}, "[]"),
                *items(f"Hi.{CALL}"),
            ]
        ),
        {"id": "5", "role": "tool", "toolCallId": "call_m0001", "content": "ok", "error": "no"},
    ],
    "tools": [{"name": "f", "description": "d", "parameters": {"type": "object", "properties": {"n": {}}}}],
    "resume": [answer(payload={"approved": True, "editedArgs": {"n": 1}, "reason": "r"})],
}
JUNK: list[Any] = [None, 0, 1.5, True, "", "x", [], [1], {}, {"type": "text"}, {"a": 1}, '{"interface": "anthropic"}']


def places(value: Any, at: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """The paths to all values in plain data."""
    inner = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    return [at, *(path for name, each in inner for path in places(each, (*at, name)))]


def replaced(value: Any, path: tuple[Any, ...], junk: Any) -> Any:
    if not path:
        return junk
    copy = dict(value) if isinstance(value, dict) else list(value)
    copy[path[0]] = replaced(value[path[0]], path[1:], junk)
    return copy


@pytest.mark.parametrize("junk", JUNK, ids=repr)
def test_whatever_is_sent_is_a_request_or_an_error(junk: Any) -> None:
    for path in places(EVERYTHING):
        try:
            found = AgUiRequest.of(replaced(EVERYTHING, path, junk))
            for dialect in (*DIALECTS, "hermes"):
                found.messages(dialect)
        except ValueError:
            continue
        is_approved = [decision.is_allowed for decision in found.decisions.values()]
        assert is_approved == ([] if path == ("resume",) else [True])  # nothing but true has ever been a consent
