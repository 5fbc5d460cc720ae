"""AiSdkEncoder: the parts of a UI message stream, for each version of its client."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

import pytest

from streamparse import Reply, SegmentContent, SegmentEnd, SegmentStart, ToolInvocation
from streamparse.encoders import AiSdkEncoder, chunks, frames
from streamparse.invocations import AnyItem
from streamparse.invocations.lifecycle import ToolLifecycle
from streamparse.outcome import FinishReason, Outcome, StreamEnd
from tests.encoders.ai_sdk_client import AiSdkClient
from tests.encoders.kit import CALL, EMPTY_CALL, TOOLS, at_once, cuts, items, segment

Json = dict[str, Any]
STOP = StreamEnd(Outcome("stop"))
START, STEP, STEP_END = {"type": "start"}, {"type": "start-step"}, {"type": "finish-step"}
#: The ids of the first two calls.
FIRST, SECOND = "call_x0000", "call_x0001"
DYNAMIC = {"dynamic": True}
F = {"toolCallId": FIRST, "toolName": "f"}
F_STARTS = {"type": "tool-input-start", **F, **DYNAMIC}
F_INPUT = {"type": "tool-input-available", **F, "input": {"s": "x", "n": 1}, **DYNAMIC}


def encoder(version: Any = 7, **options: Any) -> AiSdkEncoder:
    return AiSdkEncoder(version=version, tools=TOOLS, id="x", **options)


def encoded(stream: Sequence[AnyItem], version: int = 7, **options: Any) -> list[Json]:
    """All parts of a message, which the client takes."""
    made = encoder(version, **options)
    found = list(chunks(stream, made))
    if made.is_waiting or options.get("dynamic", True):
        AiSdkClient(version).read(found)
    return found


def finish(reason: str) -> Json:
    return {"type": "finish", "finishReason": reason}


def text(name: str, *deltas: str, kind: str = "text", **end: Any) -> list[Json]:
    told = [{"type": f"{kind}-delta", "id": name, "delta": delta} for delta in deltas]
    return [{"type": f"{kind}-start", "id": name}, *told, {"type": f"{kind}-end", "id": name, **end}]


def step(state: Any, **about: Any) -> ToolLifecycle:
    return ToolLifecycle(state, "seg_1", "f", **about)


def called(*steps: AnyItem, version: int = 7, call: str = CALL, **options: Any) -> list[Json]:
    """The parts behind those of a call that is complete, and of what became of it."""
    found = encoded([*items(call)[:-1], *steps, STOP], version, **options)
    assert found[-2:] in ([STEP_END, finish("tool-calls")], [STEP_END, finish("length")])
    return found[5:-2]


QUESTION = step("approval_requested", approval_id="q1", message="[f for 'x']", reason="no rule allows it", arguments={})
DESCRIPTOR = {"approvalId": "q1", "description": "[f for 'x']", "reason": "no rule allows it"}
REQUEST = {
    "type": "tool-approval-request",
    "approvalId": FIRST,
    "toolCallId": FIRST,
    "approvalDescriptor": DESCRIPTOR,
}


# -- text and calls ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("version", [5, 6, 7])
def test_a_reply_whatever_the_chunks(version: int) -> None:
    for pieces in cuts(f"<think>Hm.</think>\n\nHi.\n{CALL}\n{EMPTY_CALL}\nBye."):
        client = AiSdkClient(version).read(chunks(items(pieces, outcome=Outcome("stop")), encoder(version)))
        assert client.parts == [
            {"type": "step-start"},
            {"type": "reasoning", "id": "seg_1", "text": "Hm.", "state": "done"},
            {"type": "text", "text": "\n\nHi.", "state": "done"},
            {"type": "dynamic-tool", **F, "state": "input-available", "input": {"s": "x", "n": 1}},
            {"type": "dynamic-tool", "toolCallId": SECOND, "toolName": "g", "state": "input-available", "input": {}},
            {"type": "text", "text": "\nBye.", "state": "done"},
        ]
        assert client.deltas == {FIRST: '{"s": "x", "n": 1}', SECOND: "{}"}
        assert client.finish_reason == "tool-calls"


def test_all_parts_of_a_reply() -> None:
    assert encoded(items(["<think>Hm.</think>", "Hi", f".\n{CALL}"], outcome=Outcome("stop"))) == [
        *(START, STEP, *text("seg_1", "Hm.", kind="reasoning"), *text("seg_2", "Hi", ".")),
        *(F_STARTS, {"type": "tool-input-delta", "toolCallId": FIRST, "inputTextDelta": '{"s": "x", "n": 1}'}, F_INPUT),
        *(STEP_END, finish("tool-calls")),
    ]


def test_a_client_that_has_declared_all_tools() -> None:
    found = encoded(items(CALL), dynamic=False)
    assert [part for part in found if "dynamic" in part] == []
    assert found[2] == {"type": "tool-input-start", **F}


def test_the_message_gets_the_id_that_is_given() -> None:
    assert encoded([STOP], message_id="m1") == [{"type": "start", "messageId": "m1"}, finish("stop")]


def test_the_model_s_own_ids_are_kept() -> None:
    assert [part["toolCallId"] for part in encoded(at_once()) if part["type"] == "tool-input-start"] == ["a", "b"]


@pytest.mark.parametrize("length", range(41, CALL.index("}}") + 1))
def test_a_call_that_is_cut_never_looks_complete(length: int) -> None:
    for pieces in cuts(CALL[:length]):
        client = AiSdkClient(7).read(chunks(items(pieces, outcome=Outcome("stop")), encoder()))
        part = client.parts[-1]
        assert part["state"] == "output-error"
        assert part["input"] == client.deltas[FIRST]
        with pytest.raises(json.JSONDecodeError):
            json.loads(part["input"])
        assert client.finish_reason == "length"


def test_a_malformed_call() -> None:
    found = encoded(items('<tool_call>{"name": "f", "arguments": nothing}</tool_call>', outcome=Outcome("stop")))
    assert {**found[4], "errorText": ""} == {"type": "tool-input-error", **F, "input": "{", "errorText": "", **DYNAMIC}
    assert found[4]["errorText"]
    assert found[-1] == finish("length")


def test_a_broken_call_that_nobody_explains() -> None:
    call = ToolInvocation("seg_1", "f", status="malformed")
    assert encoded([call, STOP])[4]["errorText"] == "the call is not complete"


def test_arguments_are_told_when_they_have_grown() -> None:
    body = "x" * 3000
    call = f'<tool_call>{{"name": "f", "arguments": {{"s": "{body}"}}}}</tool_call>'
    deltas = [part for part in encoded(items(list(call))) if part["type"] == "tool-input-delta"]
    assert "".join(part["inputTextDelta"] for part in deltas) == f'{{"s": "{body}"}}'
    assert 10 < len(deltas) < 14


def test_what_a_provider_wants_back_is_kept_by_the_client() -> None:
    thought = [*segment(1, "reasoning", "Hm.", state={"interface": "anthropic", "signature": "s"})]
    call = ToolInvocation("seg_2", "f", {}, state={"interface": "google", "thought_signature": "t"})
    client = AiSdkClient(7).read(encoded([*thought, call, STOP]))
    assert [part.get("providerMetadata", part.get("callProviderMetadata")) for part in client.parts[1:]] == [
        {"streamparse": {"interface": "anthropic", "signature": "s"}},
        {"streamparse": {"interface": "google", "thought_signature": "t"}},
    ]


# -- other segments ----------------------------------------------------------------------------------------------------


def server_tool(*contents: str, **end: Any) -> list[AnyItem]:
    about = {"tool_name": "web", "call_id": "s1"}
    return [
        SegmentStart("seg_1", "server_tool", about),
        *(SegmentContent("seg_1", content) for content in contents),
        SegmentEnd("seg_1", **end),
    ]


def server_result(content: str, **about: str) -> list[AnyItem]:
    return [
        SegmentStart("seg_2", "server_result", about),
        SegmentContent("seg_2", content),
        SegmentEnd("seg_2", state={"interface": "anthropic", "type": "web_search_tool_result"}),
    ]


SERVER = {"dynamic": True, "providerExecuted": True}
WEB = {"toolCallId": "s1", "toolName": "web"}


@pytest.mark.parametrize("version", [5, 6, 7])
def test_a_tool_of_the_provider_and_its_result(version: int) -> None:
    about = {"tool_name": "web", "call_id": "s1"}
    found = encoded([*server_tool('{"q": ', '"a"}'), *server_result("[1]", **about), STOP], version)
    state = {"streamparse": {"interface": "anthropic", "type": "web_search_tool_result"}}
    output = {"type": "tool-output-available", "toolCallId": "s1", "output": [1], **SERVER}
    assert found == [
        *(START, STEP, {"type": "tool-input-start", **WEB, **SERVER}),
        {"type": "tool-input-delta", "toolCallId": "s1", "inputTextDelta": '{"q": '},
        {"type": "tool-input-delta", "toolCallId": "s1", "inputTextDelta": '"a"}'},
        {"type": "tool-input-available", **WEB, "input": {"q": "a"}, **SERVER},
        output if version == 5 else {**output, "providerMetadata": state},
        *(STEP_END, finish("stop")),
    ]


@pytest.mark.parametrize(
    ("contents", "told"), [((), {}), (("[1",), "[1"), (("print(1)",), "print(1)"), (('{"a": 1}',), {"a": 1})]
)
def test_the_input_of_a_tool_of_the_provider(contents: tuple[str, ...], told: Any) -> None:
    [found] = [part for part in encoded([*server_tool(*contents), STOP]) if part["type"] == "tool-input-available"]
    assert found["input"] == told


def test_a_tool_of_the_provider_that_is_cut() -> None:
    stream = server_tool('{"q": "a')[:-1]
    told = {"input": '{"q": "a', "errorText": "the call is not complete"}
    assert encoded(stream)[-3:] == [
        {"type": "tool-input-error", **WEB, **told, **SERVER},
        *(STEP_END, finish("interrupted")),
    ]


def test_a_result_without_an_id_belongs_to_the_first_tool_without_one() -> None:
    found = encoded([*server_tool("{}"), *server_result("x"), STOP])
    assert [(part["toolCallId"], part["output"]) for part in found if "output" in part] == [("s1", "x")]


def test_a_result_whose_tool_was_not_seen() -> None:
    found = encoded([*server_result("x", tool_name="web"), STOP])
    web = {"toolCallId": FIRST, "toolName": "web"}
    assert found[2:4] == [
        {"type": "tool-input-start", **web, **SERVER},
        {"type": "tool-input-available", **web, "input": {}, **SERVER},
    ]
    assert found[4]["output"] == "x"


def beside(kind: str, metadata: Json, *contents: str) -> list[AnyItem]:
    return [
        SegmentStart("seg_1", kind, metadata),
        *(SegmentContent("seg_1", content) for content in contents),
        SegmentEnd("seg_1"),
    ]


@pytest.mark.parametrize(
    ("metadata", "part"),
    [
        ({"url": "u"}, {"type": "source-url", "url": "u"}),
        (
            {"url": "u", "title": "t", "cited_text": "c"},
            {
                **{"type": "source-url", "url": "u", "title": "t"},
                "providerMetadata": {"streamparse": {"cited_text": "c"}},
            },
        ),
        (
            {"title": "t", "media_type": "text/plain"},
            {"type": "source-document", "title": "t", "mediaType": "text/plain"},
        ),
        (
            {"document_title": "t"},
            {
                **{"type": "source-document", "title": "t", "mediaType": "application/octet-stream"},
                "providerMetadata": {"streamparse": {"document_title": "t"}},
            },
        ),
        ({"url": 5}, {"type": "source-document", "title": "", "mediaType": "application/octet-stream"}),
    ],
)
def test_sources(metadata: Json, part: Json) -> None:
    assert encoded([*beside("source", metadata), STOP])[2] == {"sourceId": "x0001", **part}


@pytest.mark.parametrize(
    ("metadata", "content", "part"),
    [
        ({"media_type": "image/png"}, "AAAA", {"url": "data:image/png;base64,AAAA", "mediaType": "image/png"}),
        ({"url": "u"}, "", {"url": "u", "mediaType": "application/octet-stream"}),
        (
            {"id": "f1"},
            "",
            {"url": "", "mediaType": "application/octet-stream", "providerMetadata": {"streamparse": {"id": "f1"}}},
        ),
    ],
)
def test_files(metadata: Json, content: str, part: Json) -> None:
    found = encoded([*beside("file", metadata, *([content] if content else [])), STOP])
    assert found[2:-2] == [{"type": "file", **part}]


def test_a_refusal_is_a_text() -> None:
    found = encoded([*segment(1, "refusal", "I ", "won't."), StreamEnd(Outcome("refusal"))])
    assert found == [START, STEP, *text("seg_1", "I won't."), STEP_END, finish("stop")]


def test_a_refusal_without_words() -> None:
    assert encoded([*segment(1, "refusal"), StreamEnd(Outcome("refusal"))])[-1] == finish("content-filter")


def test_a_segment_of_one_s_own_is_data_that_grows() -> None:
    found = encoded([*beside("note", {"a": 1}, "n", "o"), STOP])
    data = {"type": "data-note", "id": "x0001"}
    assert found == [
        *(START, STEP, {**data, "data": {"metadata": {"a": 1}, "content": "n", "status": "streaming"}}),
        {**data, "data": {"metadata": {"a": 1}, "content": "no", "status": "complete"}},
        *(STEP_END, finish("stop")),
    ]


def test_a_segment_of_one_s_own_is_told_again_when_it_has_grown() -> None:
    found = encoded([*beside("note", {}, *["0123456789"] * 400), STOP])
    sizes = [len(part["data"]["content"]) for part in found if part["type"] == "data-note"]
    assert sizes == [
        *(10, 270, 530, 790, 1050, 1310, 1570, 1830, 2090),
        *(2360, 2660, 3000, 3380, 3810, 4000),
    ]


def test_segments_of_two_replies_are_not_the_same() -> None:
    note = beside("note", {}, "n")
    found = encoded([*note, STOP, *note, STOP])
    assert [part["id"] for part in found if part["type"] == "data-note"] == ["x0001", "x0001", "x0002", "x0002"]


PLAN = """<multi_tool_use mode="parallel">
<tool name="f"><toolId>a</toolId><s>x</s></tool>
<tool name="g"><toolId>b</toolId><dependsOn>a</dependsOn></tool>
</multi_tool_use>"""
BEGUN = {"mode": "parallel", "isComplete": False, "steps": [], "problems": []}
STEPS = [
    {"id": "a", "dependsOn": [], "toolName": "f", "toolCallId": FIRST},
    {"id": "b", "dependsOn": ["a"], "toolName": "g", "toolCallId": SECOND},
]


def plans(reply: str) -> list[Json]:
    found = encoded(list(Reply(reply, "xml", tools=TOOLS)))
    assert {part["id"] for part in found if part["type"] == "data-plan"} == {"x0001"}
    return [part["data"] for part in found if part["type"] == "data-plan"]


def test_a_plan_is_data() -> None:
    assert plans(PLAN) == [BEGUN, {"mode": "parallel", "isComplete": True, "steps": STEPS, "problems": []}]


def test_a_plan_that_is_cut() -> None:
    cut = "plan_1 was cut off: its end did not come"
    assert plans(PLAN[: PLAN.rindex("\n")]) == [
        BEGUN,
        {"mode": "parallel", "isComplete": False, "steps": STEPS, "problems": [cut]},
    ]


def test_a_plan_in_a_plan() -> None:
    inner = {"mode": "parallel", "isComplete": True, "steps": STEPS, "problems": []}
    outer = f'<multi_tool_use mode="sequential">\n{PLAN}\n</multi_tool_use>'
    assert plans(outer)[-1] == {
        "mode": "sequential",
        "isComplete": True,
        "steps": [{"id": "plan_2", "dependsOn": [], "plan": inner}],
        "problems": [],
    }


def test_somebody_else_s_plan_is_a_segment_of_their_own() -> None:
    found = encoded([*beside("plan", {"a": 1}), STOP])
    assert found[2]["data"] == {"metadata": {"a": 1}, "content": "", "status": "complete"}


# -- what becomes of calls ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize("version", [5, 6, 7])
def test_a_call_that_runs(version: int) -> None:
    steps = [step("running"), step("progress", message="a"), step("progress", message="b")]
    found = called(*steps, step("result", content={"t": 1}), version=version)
    output = {"type": "tool-output-available", "toolCallId": FIRST}
    assert found == [
        {**output, "output": "a", "preliminary": True, **DYNAMIC},
        {**output, "output": {"t": 1}, **DYNAMIC},
    ]


def test_a_call_that_reports_much() -> None:
    found = called(*(step("progress", message="0123456789") for _ in range(60)), step("progress"))
    assert [len(part["output"]) for part in found] == [10, 270, 530]


def test_numbers_that_json_does_not_have() -> None:
    [found] = called(step("result", content={"t": float("nan")}))
    assert found["output"] == '{"t": NaN}'
    with pytest.raises(TypeError):
        called(step("result", content=object()))


@pytest.mark.parametrize(
    ("given", "is_read"),
    [
        ({"__proto__": 1}, False),
        ({"a": [{"__proto__": {}}]}, False),
        ({"constructor": {"prototype": 1}}, False),
        ({"constructor": 1, "s": '"__proto__": 1'}, True),
        ({"prototype": {"proto": 1}}, True),
    ],
)
def test_names_that_clients_refuse_are_told_in_a_text(given: Json, is_read: bool) -> None:
    """They would end the message: what a model calls with, or a tool gives, must not."""
    written = json.dumps(given)
    [result] = called(step("result", content=given))
    [_, edited, _] = called(QUESTION, step("approved", arguments=given), holds_open=True)
    [*_, first, _, _] = encoded(items(f'<tool_call>{{"name": "f", "arguments": {written}}}</tool_call>'))
    told = given if is_read else written
    assert (result["output"], edited["input"], first["input"]) == (told, told, told)
    [_, _, note, _, _] = encoded([*beside("note", given), STOP])
    assert note["data"]["metadata"] == told
    state = {"interface": "anthropic", **given}
    [*_, end, _, _] = encoded([*segment(1, "text", "Hi", state=state), STOP])
    assert end.get("providerMetadata") == ({"streamparse": state} if is_read else None)
    [*_, output, _, _] = encoded(
        [*server_tool("{}"), *server_result(written, call_id="s1"), StreamEnd(Outcome("stop"))]
    )
    assert output["output"] == told


def test_a_call_that_fails() -> None:
    assert called(step("result", content={"e": 1}, is_error=True)) == [
        {"type": "tool-output-error", "toolCallId": FIRST, "errorText": '{"e": 1}', **DYNAMIC}
    ]


def test_a_call_that_is_skipped() -> None:
    skipped = step("skipped", message="It was not run.")
    error = {"type": "tool-output-error", "toolCallId": FIRST, "errorText": "It was not run.", **DYNAMIC}
    assert called(skipped) == [error]
    assert called(skipped, call=CALL[:50]) == [error]
    assert called(step("skipped"))[0]["errorText"] == ""


def test_a_call_that_a_rule_denies() -> None:
    assert called(step("denied", message="The call was denied.")) == [
        {"type": "tool-output-error", "toolCallId": FIRST, "errorText": "The call was denied.", **DYNAMIC}
    ]


@pytest.mark.parametrize("version", [6, 7])
def test_a_question_ends_the_response_and_the_message_goes_on(version: int) -> None:
    made, client = encoder(version), AiSdkClient(version)
    stream = iter([*items(CALL)[:-1], QUESTION, step("approved", message="ok"), step("result", content="r"), STOP])
    asked = list(chunks(stream, made))
    request = {**REQUEST, "reason": "no rule allows it"} if version == 7 else REQUEST
    assert asked[-2:] == [request, finish("tool-calls")]
    assert made.is_waiting
    assert made.finish() == []
    client.read(asked)
    answered = list(chunks(stream, made))
    response = {"type": "tool-approval-response", "approvalId": FIRST, "approved": True, "reason": "ok"}
    assert answered == [
        *(START, *([response] if version == 7 else [])),
        {"type": "tool-output-available", "toolCallId": FIRST, "output": "r", **DYNAMIC},
        *(STEP_END, finish("tool-calls")),
    ]
    assert not made.is_waiting
    assert client.read(answered).parts[-1]["state"] == "output-available"


@pytest.mark.parametrize("version", [6, 7])
def test_a_call_that_a_person_denies(version: int) -> None:
    found = called(QUESTION, step("denied", message="No."), version=version, holds_open=True)
    response = {"type": "tool-approval-response", "approvalId": FIRST, "approved": False}
    assert found == [
        {**REQUEST, "reason": "no rule allows it"} if version == 7 else REQUEST,
        *([response] if version == 7 else []),
        {"type": "tool-output-denied", "toolCallId": FIRST},
    ]


def test_arguments_that_a_person_has_edited() -> None:
    found = called(QUESTION, step("approved", arguments={"s": "y"}), holds_open=True)
    assert found[1:] == [
        {**F_INPUT, "input": {"s": "y"}},
        {"type": "tool-approval-response", "approvalId": FIRST, "approved": True},
    ]


def test_version_5_is_told_of_a_question_as_data() -> None:
    found = called(QUESTION, step("approved"), step("denied", message="No."), version=5)
    assert found == [
        {"type": "data-approval", "id": "x0001", "data": {"toolCallId": FIRST, **DESCRIPTOR}},
        {"type": "tool-output-error", "toolCallId": FIRST, "errorText": "No.", **DYNAMIC},
    ]


def test_a_call_of_an_earlier_response_has_the_id_that_it_had() -> None:
    made = encoder()
    result = ToolLifecycle("result", "call_9", "f", content="r")
    assert [*made.encode(result), *made.finish(Outcome("stop"))] == [
        START,
        {"type": "tool-output-available", "toolCallId": "call_9", "output": "r", **DYNAMIC},
        finish("stop"),
    ]


def test_a_call_that_is_written_while_another_is_asked_about_goes_on_quietly() -> None:
    made, client = encoder(), AiSdkClient(7)
    stream = at_once()
    place = next(number for number, item in enumerate(stream) if isinstance(item, ToolInvocation))
    rest = iter([*stream[: place + 1], QUESTION, step("result", content="r"), *stream[place + 1 :]])
    client.read(chunks(rest, made))
    assert [part["state"] for part in client.parts[1:]] == ["approval-requested", "input-streaming"]
    client.read(chunks(rest, made))
    assert [part["state"] for part in client.parts[1:]] == ["output-available", "input-available"]


# -- several replies, and the end --------------------------------------------------------------------------------------


def test_several_replies_are_the_steps_of_one_message() -> None:
    second = items(f"Done.{CALL}", outcome=Outcome("stop"))
    found = encoded([*items(CALL), step("result", content="r"), *second, *items("Bye.", outcome=Outcome("stop"))])
    assert [part["type"] for part in found if "step" in part["type"]] == ["start-step", "finish-step"] * 3
    assert [part["toolCallId"] for part in found if part["type"] == "tool-input-start"] == [FIRST, SECOND]
    assert [part["toolCallId"] for part in found if "output" in part] == [FIRST]
    assert found[-1] == finish("stop")


@pytest.mark.parametrize(
    ("reason", "told"),
    [
        *(("stop", ["stop"] * 3), ("tool_calls", ["stop"] * 3), ("length", ["length"] * 3)),
        *(("content_filter", ["content-filter"] * 3), ("refusal", ["content-filter"] * 3)),
        *(("pause", ["unknown", "other", "other"]), ("unknown", ["unknown", "other", "other"])),
        ("cancelled", ["other", "other", "interrupted"]),
    ],
)
def test_how_a_message_ends(reason: FinishReason, told: list[str]) -> None:
    stream = items("Hi.", outcome=Outcome(reason))
    assert [encoded(stream, version)[-1]["finishReason"] for version in (5, 6, 7)] == told


def test_an_error_of_the_provider() -> None:
    stream = items("Hi.", outcome=Outcome("error", error="out of memory"))
    assert encoded(stream)[-3:] == [STEP_END, {"type": "error", "errorText": "out of memory"}, finish("error")]


def test_an_error_between_two_replies() -> None:
    made = encoder()
    for item in items("Hi.", outcome=Outcome("stop")):
        made.encode(item)
    assert made.finish(Outcome("error")) == [
        {"type": "error", "errorText": "the provider reported an error"},
        finish("error"),
    ]


def test_an_error_before_anything() -> None:
    error = {"type": "error", "errorText": "the provider reported an error"}
    assert encoder().finish(Outcome("error")) == [START, error, finish("error")]


def test_a_message_is_finished_once() -> None:
    made = encoder()
    assert made.finish() == [START, finish("interrupted")]
    assert made.finish() == []


@pytest.mark.parametrize("version", [5, 6, 7])
def test_a_message_can_be_left_behind_every_item(version: int) -> None:
    stream = [
        *items(list(f"<think>Hm.</think>\n\nHi.\n{CALL}\n{CALL[:50]}"))[:-1],
        *server_tool('{"q": ', '"a"}'),
        *server_result("[1]", call_id="s1"),
        *beside("note", {}, "n", "o"),
        STOP,
    ]
    for length in range(len(stream) + 1):
        AiSdkClient(version).read(chunks(stream[:length], encoder(version)))


def test_frames_and_headers() -> None:
    assert list(frames(items("Hi.", outcome=Outcome("stop")), encoder()))[:2] == [
        'data: {"type": "start"}\n\n',
        'data: {"type": "start-step"}\n\n',
    ]
    assert list(frames([STOP], encoder()))[-1] == "data: [DONE]\n\n"
    assert AiSdkEncoder.headers["x-vercel-ai-ui-message-stream"] == "v1"
    assert AiSdkEncoder.headers["content-type"] == "text/event-stream"


def test_a_version_that_is_not_known() -> None:
    with pytest.raises(ValueError, match="version is 5, 6 or 7, not 4"):
        encoder(4)
