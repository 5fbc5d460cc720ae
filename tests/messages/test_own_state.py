"""What a provider wants back goes to its own interface, and to no other."""

from __future__ import annotations

from typing import Any

import pytest

from streamparse import Reply
from streamparse.messages import DIALECTS, own_state
from tests.providers.cases import (
    block,
    block_delta,
    block_start,
    block_stop,
    call,
    calls,
    chat,
    grow,
    message_delta,
    part_start,
    parts,
    response,
    step_delta,
    step_start,
    step_stop,
    stop,
    v0,
    v2,
)

#: Stands in everything that only the provider itself understands; as base64 it is the text `secret`.
OPAQUE = "c2VjcmV0"
DETAILS = [{"type": "reasoning.encrypted", "index": 0, "data": OPAQUE}]
SIGNED = {"extra_content": {"google": {"thought_signature": OPAQUE}}}


def done(place: int, kind: str, **fields: Any) -> dict[str, Any]:
    item = {"type": kind, "id": f"{OPAQUE}{place}", **fields}
    return response("output_item.done", output_index=place, item=item)


#: For each interface, a reply with everything that it may want back.
STREAMS: dict[str, list[Any]] = {
    "openai-chat": [
        chat(reasoning="Hm", reasoning_details=DETAILS),
        chat(content="Hi"),
        calls({**call(0, "c1", "f", "{}"), **SIGNED}),
        chat("tool_calls"),
    ],
    "openai-responses": [
        done(0, "reasoning", summary=[], encrypted_content=OPAQUE),
        done(1, "message", content=[{"type": "output_text", "text": "Hi"}]),
        done(2, "compaction", encrypted_content=OPAQUE),
        done(3, "web_search_call", action={"query": "q"}),
        done(4, "function_call", call_id="c1", name="f", arguments="{}"),
        response("completed", response={}),
    ],
    "anthropic": [
        *(block(0, type="thinking", thinking="Hm", signature=OPAQUE), stop(0)),
        *(block(1, type="redacted_thinking", data=OPAQUE), stop(1)),
        *(block(2, type="text", text="Hi"), grow(2, "citations_delta", citation={"encrypted_index": OPAQUE}), stop(2)),
        *(block(3, type="container_upload", file_id=OPAQUE), stop(3)),
        *(block(4, type="server_tool_use", id="s", name="search", caller={"tool_id": OPAQUE}), stop(4)),
        *(block(5, type="search_tool_result", tool_use_id="s", content=[], caller={"tool_id": OPAQUE}), stop(5)),
        *(block(6, type="tool_use", id="c1", name="f", caller={"tool_id": OPAQUE}), stop(6)),
        message_delta("tool_use"),
    ],
    "google": [
        parts({"text": "Hm", "thought": True, "thoughtSignature": OPAQUE}, {"text": "Hi", "thoughtSignature": OPAQUE}),
        parts({"inlineData": {"mimeType": "image/png", "data": "eHg="}, "thoughtSignature": OPAQUE}),
        parts({"executableCode": {"code": "1"}, "thoughtSignature": OPAQUE}),
        parts({"functionCall": {"name": "f", "id": "c1"}, "thoughtSignature": OPAQUE}, finishReason="STOP"),
    ],
    "google-interactions": [
        *(step_start(0, type="thought", signature=OPAQUE), step_stop(0)),
        step_start(1, type="model_output"),
        *(step_delta(1, type="text", text="Hi"), step_stop(1)),
        *(step_start(2, type="code_execution_call", id="s", signature=OPAQUE, arguments={"code": "1"}), step_stop(2)),
        *(step_start(3, type="code_execution_result", call_id="s", result="1", signature=OPAQUE), step_stop(3)),
        *(step_start(4, type="function_call", id="c1", name="f", signature=OPAQUE, arguments={}), step_stop(4)),
    ],
    "bedrock": [
        *(block_delta(0, reasoningContent={"text": "Hm"}), block_delta(0, reasoningContent={"signature": OPAQUE})),
        *(block_stop(0), block_delta(1, reasoningContent={"redactedContent": b"secret"}), block_stop(1)),
        *(block_delta(2, text="Hi"), block_stop(2)),
        *(block_start(3, toolUse={"toolUseId": "c1", "name": "f"}), block_delta(3, toolUse={"input": "{}"})),
        *(block_stop(3), {"messageStop": {"stopReason": "tool_use"}}),
    ],
    "pydantic-ai": [
        part_start(0, "thinking", content="Hm", signature=OPAQUE, provider_name="google"),
        part_start(1, "thinking", content="", signature=OPAQUE, provider_name="anthropic", id="redacted_thinking"),
        part_start(2, "text", content="Hi", id=OPAQUE, provider_name="openai"),
        part_start(3, "tool-call", tool_name="f", args="{}", tool_call_id="c1", id=OPAQUE, provider_name="openai"),
    ],
    "cohere": [
        v2("tool-plan-delta", None, tool_plan="Hm"),
        v2("tool-call-start", 0, tool_calls={"id": "c1", "function": {"name": "f", "arguments": "{}"}}),
        {"type": "tool-call-end", "index": 0},
    ],
}
#: What a state of one interface is to the others, where that is anything.
RELATED = {("openai-chat", "google")}
NAMES = {"openai": "openai-chat"}


def written(stream: list[Any], dialect: str) -> str:
    """The next request, as a text."""
    reply = Reply(stream).read()
    return repr(reply.messages(dialect, ["ok"] * len(reply.calls)))


@pytest.mark.parametrize("dialect", DIALECTS)
@pytest.mark.parametrize("interface", STREAMS)
def test_a_state_goes_to_its_own_interface_alone(interface: str, dialect: str) -> None:
    found = written(STREAMS[interface], dialect)
    is_own = interface == NAMES.get(dialect, dialect) or (interface, dialect) in RELATED
    assert (OPAQUE in found or "secret" in found) is is_own
    assert "interface" not in found
    assert "'c1'" in found


@pytest.mark.parametrize("interface", STREAMS)
def test_a_text_format_has_no_states(interface: str) -> None:
    assert OPAQUE not in written(STREAMS[interface], "hermes")


@pytest.mark.parametrize("field", ["reasoning_content", "reasoning"])
def test_reasoning_of_chat_completions_goes_back_to_chat_completions_alone(field: str) -> None:
    stream = [chat(**{field: "Hm"}), calls(call(0, "c1", "f", "{}")), chat("tool_calls")]
    assert {name for name in [*DIALECTS, "hermes"] if f"'{field}': 'Hm'" in written(stream, name)} == {"openai"}
    assert {name for name in [*DIALECTS, "hermes"] if "reasoning_field" in written(stream, name)} == set()


@pytest.mark.parametrize("interface", [name for name in STREAMS if name != "openai-chat"])
def test_reasoning_of_another_interface_has_no_field(interface: str) -> None:
    [said, *_] = Reply(STREAMS[interface]).read().messages("openai", ["ok"])
    assert {"reasoning_content", "reasoning", "reasoning_details"} & set(said) == set()


@pytest.mark.parametrize("interface", STREAMS)
def test_every_state_says_of_which_interface_it_is(interface: str) -> None:
    reply = Reply(STREAMS[interface]).read()
    states = [segment.state for segment in reply.segments if segment.state]
    states += [made.state for made in reply.calls if made.state]
    assert {state["interface"] for state in states} == {interface}


@pytest.mark.parametrize("signer", ["anthropic", "bedrock"])
def test_a_signature_that_pydantic_ai_tells_is_its_providers(signer: str) -> None:
    thought = part_start(0, "thinking", content="Hm", signature=OPAQUE, provider_name=signer)
    stream = [thought, part_start(1, "text", content="Hi")]
    assert {name for name in DIALECTS if OPAQUE in written(stream, name)} == {signer}


def test_reasoning_that_langchain_tells_is_openais() -> None:
    stream = [v0({"id": "r", "encrypted_content": OPAQUE, "summary": []}), {"content": "Hi", "tool_call_chunks": []}]
    state = {"interface": "openai-responses", "id": "r", "encrypted_content": OPAQUE}
    assert [segment.state for segment in Reply(stream).read().segments] == [state, {}]


def test_a_state_that_says_nothing_of_its_interface_is_nobodys() -> None:
    reply = Reply([*STREAMS["anthropic"]]).read()
    reply.segments[0].state = {"signature": OPAQUE}
    own = own_state.OwnReply.of(reply, ("anthropic",))
    assert own.segments[0].state == {}
    assert own.segments[1].state == {"type": "redacted_thinking", "data": OPAQUE}


def test_the_reply_keeps_its_states() -> None:
    reply = Reply(STREAMS["google"]).read()
    before = [(segment.state, segment.call) for segment in reply.segments]
    reply.messages("anthropic", ["ok"])
    assert [(segment.state, segment.call) for segment in reply.segments] == before


def test_a_chunk_that_nobody_knows_changes_no_ones_interface() -> None:
    begun = block(0, type="tool_use", id="c1", name="f", caller={"tool_id": OPAQUE}, input={})
    reply = Reply([begun, {"type": "something_new"}, grow(0, "input_json_delta", partial_json="{}")]).read()
    assert [made.state for made in reply.calls] == [{"interface": "anthropic", "caller": {"tool_id": OPAQUE}}]
