"""What the encoders write, read by the real clients over HTTP: streamed and whole, they have the same to say."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from typing import Any

import anthropic
import openai
import pytest
from anthropic.types import Message
from openai.types.chat import ChatCompletion, ChatCompletionChunk
from openai.types.responses import Response

from streamparse.encoders import AnthropicEncoder, OpenAIEncoder, ResponsesEncoder, frames
from streamparse.encoders.encoder import Encoder
from streamparse.invocations import AnyItem
from streamparse.outcome import Outcome, Usage
from tests.e2e.clients import MESSAGES, NO_RETRY
from tests.e2e.server import serve
from tests.encoders.kit import CALL, EMPTY_CALL, TOOLS, at_once, items, segment

LONG = "def f():\n    return 'é 🎉 \\\\' \t\n" * 40
FILE = f'<tool_call>{{"name": "f", "arguments": {{"s": {json.dumps(LONG)}, "n": 1}}}}</tool_call>'
USAGE = Usage(5, 7, 3, 2)

REPLIES: dict[str, list[AnyItem]] = {
    "text": items(list("Hi.\nThere."), outcome=Outcome("stop", usage=USAGE)),
    "nothing": items("", outcome=Outcome("stop")),
    "calls": items(list(f"<think>Hm.</think>\n\nHi.\n{CALL}\n{EMPTY_CALL}\n"), outcome=Outcome("stop", usage=USAGE)),
    "file": items(list(f"Sure:\n\n```json\n{FILE}\n```\nDone."), outcome=Outcome("tool_calls")),
    "at once": at_once(),
    "refusal": [*segment(1, "refusal", "I won't."), *items("", outcome=Outcome("refusal"))],
    "half": items(["\ud83d"], outcome=Outcome("stop")),
}
CUT: dict[str, list[AnyItem]] = {
    "cut text": items("Hi.", outcome=Outcome("length")),
    "cut call": items(list(f"Hi.{CALL}{FILE[:90]}"), outcome=Outcome("stop")),
    "begun call": items(f"{CALL[:41]}", outcome=Outcome("stop")),
}
FAILED = items("Hi.", outcome=Outcome("error", error="out of memory"))
ENCODERS: dict[str, Callable[[], Encoder]] = {
    "chat": lambda: OpenAIEncoder(model="m", tools=TOOLS),
    "anthropic": lambda: AnthropicEncoder(model="m", tools=TOOLS),
    "responses": lambda: ResponsesEncoder(model="m", tools=TOOLS),
}


def recordings() -> Iterator[tuple[str, tuple[str, bytes]]]:
    for name, stream in {**REPLIES, **CUT, "failed": FAILED}.items():
        for kind, make in ENCODERS.items():
            body = "".join(frames(stream, make())).encode()
            yield f"{kind} {name}", ("text/event-stream", body)
            yield f"{kind} {name} whole", ("application/json", json.dumps(make().fold(stream)).encode())


@pytest.fixture(scope="module")
def url() -> Iterator[str]:
    with serve(dict(recordings())) as address:
        yield address


@pytest.fixture(scope="module")
def chat(url: str) -> Iterator[openai.OpenAI]:
    with openai.OpenAI(base_url=f"{url}/v1", **NO_RETRY) as client:
        yield client


@pytest.fixture(scope="module")
def claude(url: str) -> Iterator[anthropic.Anthropic]:
    with anthropic.Anthropic(base_url=url, **NO_RETRY) as client:
        yield client


def without_ids(value: Any) -> Any:
    """Plain data without ids, times, and what is not said."""
    if isinstance(value, dict):
        left_out = ("id", "call_id", "created", "created_at", "parsed", "parsed_arguments", "index", "object")
        return {
            name: without_ids(inner)
            for name, inner in value.items()
            if name not in left_out and inner is not None and (inner != [] or name == "output")
        }
    return [without_ids(inner) for inner in value] if isinstance(value, list) else value


# -- Chat Completions --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", REPLIES)
def test_chat_completions(chat: openai.OpenAI, name: str) -> None:
    with chat.chat.completions.stream(model=f"chat {name}", messages=MESSAGES) as stream:
        for _ in stream:
            pass
        streamed = stream.get_final_completion()
    whole = chat.chat.completions.create(model=f"chat {name} whole", messages=MESSAGES)
    left, right = without_ids(streamed.to_dict()), without_ids(whole.to_dict())
    left["choices"][0]["message"].setdefault("content", "" if "tool_calls" not in str(left) else None)
    right["choices"][0]["message"].setdefault("content", None)
    left["choices"][0].pop("logprobs", None)
    assert left == right


@pytest.mark.parametrize("name", [*REPLIES, *CUT])
def test_chunks_are_what_the_client_says_they_are(name: str) -> None:
    stream = {**REPLIES, **CUT}[name]
    made = OpenAIEncoder(model="m", tools=TOOLS)
    for chunk in [*(chunk for item in stream for chunk in made.encode(item)), *made.finish()]:
        ChatCompletionChunk.model_validate(chunk, strict=True)
    ChatCompletion.model_validate(ENCODERS["chat"]().fold(stream), strict=True)
    Message.model_validate(ENCODERS["anthropic"]().fold(stream), strict=True)
    Response.model_validate(ENCODERS["responses"]().fold(stream))


@pytest.mark.parametrize("name", CUT)
def test_chat_completions_that_are_cut(chat: openai.OpenAI, name: str) -> None:
    arguments: dict[int, str] = {}
    reason = None
    for chunk in chat.chat.completions.create(model=f"chat {name}", messages=MESSAGES, stream=True):
        [choice] = chunk.choices
        for call in choice.delta.tool_calls or ():
            assert call.function is not None
            arguments[call.index] = arguments.get(call.index, "") + (call.function.arguments or "")
        reason = choice.finish_reason
    assert reason == "length"
    whole = chat.chat.completions.create(model=f"chat {name} whole", messages=MESSAGES).choices[0]
    complete = [text for text in arguments.values() if is_json(text)]
    assert [call.function.arguments for call in whole.message.tool_calls or () if call.type == "function"] == complete
    assert len(arguments) - len(complete) == (name != "cut text")
    assert whole.finish_reason == "length"


def is_json(text: str) -> bool:
    try:
        json.loads(text)
    except ValueError:
        return False
    return True


def test_chat_completions_that_fail(chat: openai.OpenAI) -> None:
    stream = chat.chat.completions.create(model="chat failed", messages=MESSAGES, stream=True)
    assert next(stream).choices[0].delta.content == "Hi."
    with pytest.raises(openai.APIError, match="out of memory"):
        next(stream)


# -- Messages ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", [*REPLIES, "cut text"])
def test_messages(claude: anthropic.Anthropic, name: str) -> None:
    with claude.messages.stream(model=f"anthropic {name}", max_tokens=9, messages=MESSAGES) as stream:
        streamed = stream.get_final_message()
    whole = claude.messages.create(model=f"anthropic {name} whole", max_tokens=9, messages=MESSAGES)
    assert without_ids(streamed.to_dict()) == without_ids(whole.to_dict())


def test_messages_that_are_cut(claude: anthropic.Anthropic) -> None:
    with claude.messages.stream(model="anthropic cut call", max_tokens=9, messages=MESSAGES) as stream:
        streamed = stream.get_final_message()
    assert [block.type for block in streamed.content] == ["text", "tool_use", "tool_use"]
    assert streamed.stop_reason == "max_tokens"
    whole = claude.messages.create(model="anthropic cut call whole", max_tokens=9, messages=MESSAGES)
    assert [block.type for block in whole.content] == ["text", "tool_use", "text"]


def test_messages_that_fail(claude: anthropic.Anthropic) -> None:
    with (
        pytest.raises(anthropic.APIStatusError, match="out of memory"),
        claude.messages.stream(model="anthropic failed", max_tokens=9, messages=MESSAGES) as stream,
    ):
        stream.get_final_message()


# -- Responses ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", REPLIES)
def test_responses(chat: openai.OpenAI, name: str) -> None:
    with chat.responses.stream(model=f"responses {name}", input="Hi") as stream:
        for _ in stream:
            pass
        streamed = stream.get_final_response()
    whole = chat.responses.create(model=f"responses {name} whole", input="Hi")
    assert without_ids(streamed.to_dict()) == without_ids(whole.to_dict())


@pytest.mark.parametrize("name", [*CUT, "failed"])
def test_responses_that_are_cut_or_fail(chat: openai.OpenAI, name: str) -> None:
    events = list(chat.responses.create(model=f"responses {name}", input="Hi", stream=True))
    status = "failed" if name == "failed" else "incomplete"
    assert events[-1].type == f"response.{status}"
    assert [event.sequence_number for event in events] == list(range(len(events)))
    last = events[-1].response.output[-1]
    if name in ("cut call", "begun call"):
        assert last.type == "function_call"
        assert (last.status, is_json(last.arguments)) == ("incomplete", False)
    whole = chat.responses.create(model=f"responses {name} whole", input="Hi")
    assert whole.status == status
    assert all(item.type != "function_call" or is_json(item.arguments) for item in whole.output)
