"""A reply, and the chunks that each provider would make of it.

    [Text("Hi"), Reasoning("Hm"), Call("f", '{"a": 1}')]

A call's arguments are JSON text. The k-th call has the id `ck`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, TypeAlias

from attrs import frozen

from streamparse import Chunk
from tests.providers.cases import block, call, calls, chat, grow, item, message_delta, response, stop


@frozen
class Text:
    text: str


@frozen
class Reasoning:
    text: str


@frozen
class Call:
    name: str
    arguments: str


Part: TypeAlias = Text | Reasoning | Call
Reply: TypeAlias = Sequence[Part]


def _numbered(reply: Reply) -> list[tuple[int, Part]]:
    """Each part with the number of its call, from 0; of other parts the number means nothing."""
    numbers, count = [], 0
    for part in reply:
        numbers.append((count, part))
        count += isinstance(part, Call)
    return numbers


def _in_blocks(reply: Reply) -> list[tuple[int, Part]]:
    """The same where each part is a block of its own: reasoning that is one has one block."""
    joined: list[Part] = []
    for part in reply:
        if isinstance(part, Reasoning) and joined and isinstance(joined[-1], Reasoning):
            part = Reasoning(joined.pop().text + part.text)
        joined.append(part)
    return _numbered(joined)


def openai_chat(reply: Reply) -> list[Any]:
    chunks = [chat(role="assistant", content="")]
    for number, part in _numbered(reply):
        match part:
            case Text(text):
                chunks.append(chat(content=text))
            case Reasoning(text):
                chunks.append(chat(content=None, reasoning_content=text))
            case Call(name, arguments):
                chunks.append(calls(call(number, f"c{number + 1}", name, "")))
                chunks.append(calls(call(number, arguments=arguments)))
    return [*chunks, chat("tool_calls"), {"object": "chat.completion.chunk", "choices": [], "usage": {}}]


def openai_responses(reply: Reply) -> list[Any]:
    chunks = [response("created", response={"id": "r"})]
    for number, part in _numbered(reply):
        match part:
            case Text(text):
                chunks.append(response("output_text.delta", item_id="m", delta=text))
            case Reasoning(text):
                chunks.append(response("reasoning_summary_text.delta", item_id="rs", delta=text))
            case Call(name, arguments):
                ids = {"id": None, "call_id": f"c{number + 1}", "name": name}
                place = {"output_index": number}
                chunks += [
                    response("output_item.added", **place, item=item(**ids, arguments="", status="in_progress")),
                    response("function_call_arguments.delta", **place, delta=arguments),
                    response("function_call_arguments.done", **place, arguments=arguments),
                    response("output_item.done", **place, item=item(**ids, arguments=arguments, status="completed")),
                ]
    return [*chunks, response("completed", response={"status": "completed"})]


def anthropic(reply: Reply) -> list[Any]:
    chunks: list[Any] = [{"type": "message_start", "message": {"id": "m", "content": []}}]
    for place, (number, part) in enumerate(_in_blocks(reply)):
        match part:
            case Text(text):
                chunks += [block(place, type="text", text=""), grow(place, "text_delta", text=text)]
            case Reasoning(text):
                chunks += [block(place, type="thinking", thinking=""), grow(place, "thinking_delta", thinking=text)]
            case Call(name, arguments):
                chunks += [
                    block(place, type="tool_use", id=f"c{number + 1}", name=name, input={}),
                    grow(place, "input_json_delta", partial_json=""),
                    grow(place, "input_json_delta", partial_json=arguments),
                ]
        chunks.append(stop(place))
    return [*chunks, message_delta("tool_use"), {"type": "message_stop"}]


def bedrock(reply: Reply) -> list[Any]:
    chunks: list[Any] = [{"messageStart": {"role": "assistant"}}]

    def delta(place: int, **fields: Any) -> dict[str, Any]:
        return {"contentBlockDelta": {"contentBlockIndex": place, "delta": fields}}

    for place, (number, part) in enumerate(_in_blocks(reply)):
        match part:
            case Text(text):
                chunks.append(delta(place, text=text))
            case Reasoning(text):
                chunks.append(delta(place, reasoningContent={"text": text}))
            case Call(name, arguments):
                use = {"toolUseId": f"c{number + 1}", "name": name}
                chunks.append({"contentBlockStart": {"contentBlockIndex": place, "start": {"toolUse": use}}})
                chunks.append(delta(place, toolUse={"input": arguments}))
        chunks.append({"contentBlockStop": {"contentBlockIndex": place}})
    return [*chunks, {"messageStop": {"stopReason": "tool_use"}}, {"metadata": {"usage": {}}}]


def plain(reply: Reply) -> list[Any]:
    """Chunks of our own, which have no finish reason: the end is finalize."""
    chunks: list[Any] = []
    for number, part in _numbered(reply):
        match part:
            case Text(text):
                chunks.append(Chunk(text))
            case Reasoning(text):
                chunks.append(Chunk(reasoning=text))
            case Call(name, arguments):
                entry = {"index": number, "id": f"c{number + 1}", "name": name, "arguments": arguments}
                chunks.append(Chunk(tool_calls=[entry]))
    return chunks


WIRES: dict[str, Callable[[Reply], list[Any]]] = {
    "openai_chat": openai_chat,
    "openai_responses": openai_responses,
    "anthropic": anthropic,
    "bedrock": bedrock,
    "plain": plain,
}
