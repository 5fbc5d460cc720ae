"""Replies of every format through every encoder, cut anywhere: the same chunks, and the same story when read back."""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from streamparse import ParserConfig, Reply, StreamingResponseHandler, ToolInvocation, ToolSpec, formats
from streamparse.arguments import JsonArgumentStream
from streamparse.encoders import AgUiEncoder, AiSdkEncoder, AnthropicEncoder, OpenAIEncoder, ResponsesEncoder, chunks
from streamparse.encoders.encoder import Encoder
from streamparse.encoders.part import CallDelta, CallEnd, CallStart, TextDelta
from streamparse.encoders.parts import Parts
from streamparse.errors import RenderError
from streamparse.invocations import AnyItem
from streamparse.invocations.lifecycle import ToolLifecycle
from tests import seeds
from tests.encoders.ag_ui_client import Client as AgUiClient
from tests.encoders.ai_sdk_client import AiSdkClient
from tests.properties.documents import random_chunks
from tests.properties.test_one_story import WRITERS

KINDS = {"s": "string", "t": ["string", "null"], "n": "integer", "b": "boolean", "o": "object", "l": "array"}
PROPERTIES = {name: {"type": kind} for name, kind in KINDS.items()}
STRING = {"type": "string"}
TOOLS = [
    ToolSpec("f", {"type": "object", "properties": PROPERTIES}),
    ToolSpec("write_file", {"type": "object", "properties": {"path": STRING, "content": STRING, **PROPERTIES}}),
    ToolSpec("run_bash", {"type": "object", "properties": {"command": STRING, **PROPERTIES}}),
]
TEXTS = [
    *("", " ", "a b", 'x<y>&amp;</p>\nq\r\n"', "null", "5", "007", "true", "é\\", "🎉", "\n\nfoo\n", "[1]", '{"a": 1}'),
    *("a\tb", "\\n", "'q'", "```json\n{}\n```", "x" * 1200),
]
VALUES: dict[str, list[Any]] = {
    "s": TEXTS,
    "t": [*TEXTS, None],
    "n": [0, -5, 12345],
    "b": [True, False],
    "o": [{}, {"a": [1, {"b": "c"}]}, {"k": "v w", "z": {}}, {"q": None}],
    "l": [[], ["x", "é\\"], [1, 2.5, None], [[], [[]]], [{"a": 1}, {"b": 2}]],
}
BODIES = {"write_file": {"path": "a.py", "content": ""}, "run_bash": {"command": ""}, "f": {}}
ENCODERS: list[Callable[..., Encoder]] = [OpenAIEncoder, AnthropicEncoder, ResponsesEncoder]


def any_call(format: str, rng: random.Random) -> str:
    """A call in this format, with its arguments in any order; nothing if it cannot be written."""
    tool = rng.choice(["f", "f", "write_file", "run_bash"])
    given = {name: rng.choice(VALUES[name]) for name in rng.sample(list(VALUES), rng.randrange(5))}
    given |= {name: value or rng.choice(TEXTS) for name, value in BODIES[tool].items()}
    names = rng.sample(list(given), len(given))
    try:
        return formats.get(format).render_call(tool, {name: given[name] for name in names}, tools=TOOLS)
    except RenderError:
        return ""


def any_cut(text: str, rng: random.Random) -> Iterator[list[str]]:
    """Whole, by characters, and anyhow."""
    yield [text]
    yield list(text)
    yield random_chunks(rng, text)


# -- argument text -----------------------------------------------------------------------------------------------------


def written(pieces: list[str], format: str, tools: list[ToolSpec]) -> list[tuple[str, ToolInvocation]]:
    """What is written of each call while it comes, and the call."""
    handler = StreamingResponseHandler(format, tools=tools, config=ParserConfig(reasoning="closed"))
    streams: dict[str, JsonArgumentStream] = {}
    texts: dict[str, str] = {}
    for piece in [*pieces, None]:
        for event in handler.finalize() if piece is None else handler.feed(piece):
            name, found = event.segment_id, handler.partial_arguments(event.segment_id)
            if found is not None and name not in {call.id for call in handler.invocations}:
                texts[name] = texts.get(name, "") + streams.setdefault(name, JsonArgumentStream()).feed(found)
    for call in handler.invocations:
        if call.is_complete:
            texts[call.id] = texts.get(call.id, "") + streams.setdefault(call.id, JsonArgumentStream()).finish(
                call.arguments
            )
    return [(texts.get(call.id, ""), call) for call in handler.invocations]


@pytest.mark.parametrize("format", WRITERS)
def test_the_text_of_arguments_is_that_of_the_call_in_every_format(format: str) -> None:
    rng = seeds.rng(f"argument text {format}")
    for _ in range(seeds.times(6)):
        text, tools = any_call(format, rng), rng.choice([TOOLS, TOOLS, []])
        for pieces in any_cut(text, rng):
            for found, call in written(pieces, format, tools):
                assert call.is_complete, text
                assert found == json.dumps(call.arguments, ensure_ascii=False), text


# -- encoders ----------------------------------------------------------------------------------------------------------


def any_reply(format: str, rng: random.Random) -> str:
    """Texts and calls; calls may be in fences, and the last thing may be cut."""
    parts = []
    for _ in range(rng.randint(1, 3)):
        parts.append(rng.choice(["", "", "Hi.", "Let me see.\n", "\n\n", "a b\n\nc", " "]))
        call = any_call(format, rng)
        parts.append(f"\n```\n{call}\n```\n" if rng.random() < 0.2 else call)
    text = "".join(parts)
    return text[: rng.randrange(len(text) + 1)] if rng.random() < 0.3 else text


def said(stream: list[AnyItem]) -> list[tuple[str, str]]:
    """The parts of a reply, the deltas of each joined; of a call that is not complete, its name alone."""
    parts, found = Parts(TOOLS), list[tuple[str, str]]()
    texts: dict[str, list[str]] = {}
    for part in (part for item in stream for part in parts.feed(item)):
        match part:
            case TextDelta():
                if not texts.get(part.id):
                    texts[part.id] = []
                    found.append(("text", part.id))
                texts[part.id].append(part.delta)
            case CallStart():
                texts[part.id] = []
                found.append((part.name, part.id))
            case CallDelta():
                texts[part.id].append(part.delta)
            case CallEnd() if not part.invocation.is_complete:
                assert not is_json("".join(texts[part.id]))
                texts[part.id] = [part.invocation.status]
    assert parts.finish() == []
    return [(kind, "".join(texts[name])) for kind, name in found]


def is_json(text: str) -> bool:
    try:
        json.loads(text)
    except ValueError:
        return False
    return True


def story(reply: Reply) -> tuple[str, str, list[str]]:
    """What a reply says: its text without what goes around calls, its reasoning, its complete calls."""
    text = " ".join(reply.text.replace("```", "").split())
    calls = [json.dumps([call.name, call.arguments], sort_keys=True) for call in reply.calls if call.is_complete]
    return text, reply.reasoning, calls


@pytest.mark.parametrize("format", WRITERS)
def test_what_is_encoded_does_not_depend_on_the_chunks_and_is_read_back(format: str) -> None:
    rng = seeds.rng(f"encoders {format}")
    for _ in range(seeds.times(3)):
        text = any_reply(format, rng)
        whole = None
        for pieces in any_cut(text, rng):
            reply = Reply(pieces, format, tools=TOOLS, config=ParserConfig(reasoning="closed"))
            stream = list(reply)
            found = said(stream)
            whole = whole or found
            assert found == whole, (text, pieces)
        for make in ENCODERS:
            check_read_back(reply, list(chunks(stream, make(model="m", tools=TOOLS))), text)
        for version in (5, 6, 7):
            check_message(reply, stream, version, text)
        check_run(reply, stream, text)


def check_read_back(reply: Reply, encoded: list[dict[str, Any]], text: str) -> None:
    back = Reply(encoded, tools=TOOLS).read()
    broken = [call for call in reply.calls if not call.is_complete]
    ours, theirs = story(reply), story(back)
    assert theirs[:2] == ours[:2], text
    assert back.outcome is not None
    if broken:  # it ends with "length", so the last of them may be taken for one that was cut, too
        assert set(theirs[2]) <= set(ours[2]), text
        assert len(back.calls) == len(reply.calls), text
        assert back.outcome.finish_reason == "length"
    else:
        assert theirs[2] == ours[2], text
        assert back.outcome.finish_reason == ("tool_calls" if reply.calls else "stop")


def check_message(reply: Reply, stream: list[AnyItem], version: Any, text: str) -> None:
    """A message of the AI SDK says what the reply says."""
    client = AiSdkClient(version).read(chunks(stream, AiSdkEncoder(version=version, tools=TOOLS)))
    texts = {kind: [part["text"] for part in client.parts if part["type"] == kind] for kind in ("text", "reasoning")}
    calls = [part for part in client.parts if part["type"] == "dynamic-tool"]
    complete = [part for part in calls if part["state"] == "input-available"]
    ours = story(reply)
    assert " ".join("".join(texts["text"]).replace("```", "").split()) == ours[0], text
    assert "".join(texts["reasoning"]) == ours[1], text
    assert [json.dumps([part["toolName"], part["input"]], sort_keys=True) for part in complete] == ours[2], text
    assert [json.loads(client.deltas[part["toolCallId"]]) for part in complete] == [part["input"] for part in complete]
    broken = [part for part in calls if part["state"] != "input-available"]
    assert [(part["state"], is_json(part["input"])) for part in broken] == [("output-error", False)] * len(broken)
    assert len(calls) == len(reply.calls), text


def run_of(stream: list[AnyItem], *, asks_oracle: bool) -> tuple[AgUiClient, list[tuple[dict[str, Any], bool]]]:
    """What a client of AG-UI makes of a stream; and its calls, and whether each is complete."""
    made = AgUiEncoder(thread_id="t", run_id="r", tools=TOOLS)
    client = AgUiClient(asks_oracle).read(chunks(stream, made))
    calls = [(call["function"], "metadata" not in call) for call in client.calls]
    assert [is_json(function["arguments"]) for function, _ in calls] == [is_complete for _, is_complete in calls]
    is_broken = not all(is_complete for _, is_complete in calls)
    assert client.last["type"] == ("RUN_ERROR" if is_broken else "RUN_FINISHED")
    return client, calls


def check_run(reply: Reply, stream: list[AnyItem], text: str) -> None:
    """A run of AG-UI says what the reply says."""
    client, calls = run_of(stream, asks_oracle=True)
    said = {role: [each for each in client.messages if each["role"] == role] for role in ("assistant", "reasoning")}
    texts = {role: [each.get("content", "") for each in found] for role, found in said.items()}
    ours = story(reply)
    assert " ".join("".join(texts["assistant"]).replace("```", "").split()) == ours[0], text
    assert "".join(texts["reasoning"]) == ours[1], text
    complete = [[function["name"], json.loads(function["arguments"])] for function, is_complete in calls if is_complete]
    assert [json.dumps(call, sort_keys=True) for call in complete] == ours[2], text
    assert len(calls) == len(reply.calls), text


@pytest.mark.parametrize("make", ENCODERS)
def test_a_reply_can_be_left_behind_every_item(make: Callable[..., Encoder]) -> None:
    rng = seeds.rng("left")
    for format in seeds.rng(1).sample(WRITERS, 6):
        reply = Reply(random_chunks(rng, any_reply(format, rng)), format, tools=TOOLS)
        stream = list(reply)
        for length in range(0, len(stream), 3):
            back = Reply(list(chunks(stream[:length], make(model="m", tools=TOOLS))), tools=TOOLS).read()
            assert back.outcome is not None
            assert back.outcome.finish_reason == "length"
            ended = [item.id for item in stream[:length] if isinstance(item, ToolInvocation) and item.is_complete]
            assert len([call for call in back.calls if call.is_complete]) <= len(ended) + 1


@pytest.mark.parametrize("format", WRITERS)
def test_a_message_of_the_ai_sdk_can_be_left_behind_every_item(format: str) -> None:
    rng = seeds.rng(f"left message {format}")
    stream = list(Reply(random_chunks(rng, any_reply(format, rng)), format, tools=TOOLS))
    for length in range(len(stream) + 1):
        version: Any = 5 + length % 3
        AiSdkClient(version).read(chunks(stream[:length], AiSdkEncoder(version=version, tools=TOOLS)))


@pytest.mark.parametrize("format", WRITERS)
def test_a_run_of_ag_ui_can_be_left_behind_every_item(format: str) -> None:
    rng = seeds.rng(f"left run {format}")
    stream = list(Reply(random_chunks(rng, any_reply(format, rng)), format, tools=TOOLS))
    for length in range(len(stream) + 1):
        run_of(stream[:length], asks_oracle=False)


@pytest.mark.parametrize("format", WRITERS)
def test_questions_anywhere_change_nothing_in_what_a_run_of_ag_ui_says(format: str) -> None:
    rng = seeds.rng(f"questions {format}")
    stream = list(Reply(random_chunks(rng, any_reply(format, rng)), format, tools=TOOLS))
    made = [AgUiEncoder(thread_id="t", run_id="r", id="m", tools=TOOLS) for _ in range(2)]
    whole, asked = AgUiClient().read(chunks(stream, made[0])), AgUiClient()
    for item in stream:
        asked.read(made[1].encode(item))
        if rng.random() < 0.2:
            asked.read(made[1].encode(ToolLifecycle("approval_requested", "seg_0", "f", approval_id="q")))
            assert [each["id"] for each in asked.interrupts] == ["q"]
            made[1].resume("r2")
    asked.read(made[1].finish())
    assert [contents(message) for message in asked.messages] == [contents(message) for message in whole.messages]
    assert asked.last["type"] == whole.last["type"]


def contents(message: dict[str, Any]) -> list[Any]:
    calls = message.get("toolCalls", ())
    return [
        message["role"],
        message["id"],
        message.get("content", ""),
        *((call["id"], call["function"]) for call in calls),
    ]
