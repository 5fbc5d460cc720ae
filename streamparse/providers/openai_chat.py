"""OpenAI Chat Completions, and all that speak like it: vLLM, SGLang, DeepSeek, OpenRouter, LiteLLM, llama.cpp …

    {"choices": [{"delta": {"content": "Hi"}}]}
    {"choices": [{"delta": {"tool_calls": [{"index": 0, "id": "c", "function": {"name": "f", "arguments": "{"}}]}}]}
    {"choices": [{"delta": {}, "finish_reason": "tool_calls"}]}
    {"choices": [], "usage": {}}

Reasoning has no field in the specification; servers use `reasoning_content`, `reasoning` or `reasoning_details`, and
some send two of them with the same text, so the first that is there counts. Reasoning before a call wants to be given
back in the field that it came in (DeepSeek, Kimi), so the first call behind it has the field's name in its state.
`reasoning_details` want to be given back as they came (OpenRouter): their pieces are joined by index, and are the state
of the reasoning. Of several choices one is read. A whole `message` instead of a `delta`, as in a reply that was not
streamed, is read alike.

What a server ran itself is told in `executed_tools` (Groq), or as a call whose id begins with `srvtoolu_` (Anthropic's
server tools, through LiteLLM). Sources stand in `annotations`, or as a list of `citations` beside the choices
(Perplexity, xAI); images in `images` (OpenRouter).
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from streamparse.providers.content import joined, read_content
from streamparse.providers.deltas import (
    BlockEnd,
    Delta,
    File,
    Finish,
    OtherChoice,
    ReasoningDelta,
    RefusalDelta,
    ServerResult,
    Source,
    TextDelta,
)
from streamparse.providers.fields import Fields, child, fields, items, plain, slot, text
from streamparse.providers.finish import read_error, read_finish
from streamparse.providers.keys import printed
from streamparse.providers.memory import Memory
from streamparse.wire import present

#: What a delta may say besides its `content`.
_BESIDES = (
    *("tool_calls", "function_call", "reasoning_content", "reasoning", "reasoning_details", "refusal", "annotations"),
    *("images", "executed_tools"),
)
_DATA_URL = re.compile(r"data:([^;,]*)(?:;[^,]*)?,(.*)", re.DOTALL)
#: The ids of calls that a provider behind a gateway has run.
_SERVER_ID = "srvtoolu_"


def read(chunk: Fields, memory: Memory) -> list[Delta] | None:
    """The deltas of a chunk with `choices`, which may be None; None for anything else."""
    choices = chunk.get("choices")
    if not isinstance(choices, (list, tuple)):
        return _read_rest(chunk, memory, []) if choices is None and _is_chunk(chunk) else None
    if len(choices) == 1 and not chunk.get("error") and (piece := _only_text(fields(choices[0]), memory)):
        return [TextDelta(piece)]
    deltas: list[Delta] = []
    for item in choices:
        choice = fields(item)
        index = choice.get("index") or 0
        if index != memory.choice:
            deltas.append(OtherChoice(index))
        else:
            _read_choice(choice, memory, deltas)
    return _read_rest(chunk, memory, deltas)


def _is_chunk(chunk: Fields) -> bool:
    """Whether what has no choices is a chunk all the same: the one that counts, or one with an error."""
    return "choices" in chunk and bool(
        chunk.get("usage") or chunk.get("error") or chunk.get("id") or chunk.get("object")
    )


def _only_text(choice: Fields, memory: Memory) -> str:
    """The text of a choice that says nothing else, as most of them do; nothing for any other."""
    if choice.get("finish_reason") or memory.details or (choice.get("index") or 0) != memory.choice:
        return ""
    delta = fields(choice.get("delta"))
    content = delta.get("content")
    if not isinstance(content, str):
        return ""
    is_alone = delta.__class__ is dict and len(delta) == 1  # as a rule
    return content if is_alone or not any(map(delta.get, _BESIDES)) else ""


def _read_choice(choice: Fields, memory: Memory, deltas: list[Delta]) -> None:
    delta = choice.get("delta") or choice.get("message")
    if delta:
        read_delta(fields(delta), memory, deltas)
    else:
        deltas += read_content(choice.get("text"))
    if choice.get("finish_reason"):
        memory.calls.finish()
        deltas += _end_details(memory)
        deltas += read_finish(choice, "finish_reason")


def _read_rest(chunk: Fields, memory: Memory, deltas: list[Delta]) -> list[Delta]:
    """What stands beside the choices."""
    about = memory.about
    if about.model is None or about.response_id is None:
        about.note(chunk)
    if chunk.get("usage"):
        about.count(chunk.get("usage"))
    if (not deltas or deltas[-1].__class__ is Finish) and not memory.has_sources:  # they come again with every chunk
        deltas[:0] = _read_citations(chunk, memory)
    if chunk.get("error") and (error := read_error(chunk)):  # it says more than the reason does
        return [delta for delta in deltas if not isinstance(delta, Finish)] + error
    return deltas


def read_delta(delta: Fields, memory: Memory, deltas: list[Delta]) -> None:
    """Add reasoning, text and calls of a `delta` to `deltas`."""
    calls = delta.get("tool_calls")
    if not calls or delta.__class__ is not dict or len(delta) > 1:  # a call's delta has nothing else, as a rule
        details, thought = delta.get("reasoning_details"), delta.get("reasoning_content")
        reasoning = thought or delta.get("reasoning") or details
        if reasoning and (piece := joined(reasoning)):
            deltas.append(ReasoningDelta(piece))
            memory.reasoning_field = "reasoning_content" if thought else "" if details else "reasoning"
        if details:
            _keep_details(details, memory)
        content = delta.get("content")
        if content:
            deltas += _end_details(memory)
            deltas += read_content(content)
        if delta.get("refusal"):
            deltas.append(RefusalDelta(text(delta, "refusal")))
        _read_besides(delta, memory, deltas)
    if isinstance(calls, (list, tuple)) and calls:
        if memory.details:
            deltas += _end_details(memory)
        for call in calls:
            _read_call(fields(call), memory, deltas)
    elif delta.get("function_call"):  # the form before tool_calls; some send both
        _read_call(child(delta, "function_call"), memory, deltas)


def _read_besides(delta: Fields, memory: Memory, deltas: list[Delta]) -> None:
    """What few servers send."""
    for annotation in items(delta, "annotations"):
        deltas += read_annotation(annotation)
    for image in map(fields, items(delta, "images")):
        deltas += read_url(text(child(image, "image_url"), "url"))
    for tool in map(fields, items(delta, "executed_tools")):
        deltas += _read_executed(tool, memory)


def read_annotation(annotation: object) -> list[Delta]:
    """The source of an annotation: its fields stand in itself, or in an object named after its type."""
    told = plain(annotation)
    if isinstance(told, dict):
        inner = told.get(text(told, "type"))
        told = {name: value for name, value in (inner if isinstance(inner, dict) else told).items() if name != "type"}
    return [Source(told)] if told and isinstance(told, dict) else []


def read_url(url: str) -> list[Delta]:
    """A file that is at `url`, or in it."""
    match = _DATA_URL.match(url)
    if match:
        return [File(present(media_type=match[1]), match[2])]
    return [File({"url": url})] if url else []


def _read_citations(chunk: Fields, memory: Memory) -> list[Delta]:
    """Sources of the whole reply."""
    found = items(chunk, "search_results") or items(chunk, "citations")
    memory.has_sources = bool(found)
    told = [{"url": item} if isinstance(item, str) else plain(item) for item in found]
    return [Source(source) for source in told if isinstance(source, dict) and source]


def _read_executed(tool: Fields, memory: Memory) -> list[Delta]:
    """A tool that Groq ran: it comes first with its arguments, and again with its output."""
    index, name = slot(tool, "index"), text(tool, "name") or text(tool, "type")
    place = "executed" if index is None else f"executed:{printed(index)}"
    call = memory.calls.at(place)
    deltas: list[Delta] = []
    if call is None:
        call = memory.calls.open(place)
        call.is_server = True
        deltas += call.read("", name, text(tool, "arguments")) + call.end()
    output = text(tool, "output")
    if output:
        memory.calls.close(place)
        deltas.append(ServerResult(output, name))
    return deltas


#: What of a piece of `reasoning_details` continues the piece before.
_GROWING = ("text", "summary", "data")


def _keep_details(details: object, memory: Memory) -> None:
    """Keep the pieces of `reasoning_details` by their index: texts grow, all else is replaced."""
    for piece in plain(details) if isinstance(details, (list, tuple)) else ():
        if isinstance(piece, dict):
            known = memory.keep((slot(piece, "index"), text(piece, "type")))
            for name, value in piece.items():
                if name not in _GROWING:
                    known[name] = value
                elif isinstance(value, str):
                    known.setdefault(name, []).append(value)


def _end_details(memory: Memory) -> list[Delta]:
    """The reasoning whose details were kept has ended."""
    if not memory.details:
        return []
    kept, memory.details = memory.details.values(), {}
    joined_up = [
        {name: "".join(value) if name in _GROWING else value for name, value in piece.items()} for piece in kept
    ]
    return [BlockEnd({"reasoning_details": joined_up}, "reasoning")]


def _read_call(call: Fields, memory: Memory, deltas: list[Delta]) -> None:
    """One entry of `tool_calls`: name and arguments stand in `function`, or beside the id."""
    inner, raw = call.get("function"), False
    if not inner:
        inner = call.get("custom")
        raw = bool(inner)
    function = fields(inner) if inner else call
    arguments = function.get("input" if raw else "arguments")
    if not (call.get("id") or function.get("name") or call.get("extra_content")) and isinstance(arguments, str):
        if arguments:  # the next piece of them and nothing else, as nearly always
            deltas.append(memory.calls.find(slot(call, "index")).more(arguments, raw))
        return
    call_id, name, state = text(call, "id"), text(function, "name"), _state(call, raw)
    if call_id == "null":  # what Mistral's SDK makes of an id that did not come
        call_id = ""
    if call_id or name or arguments or state:
        found = memory.calls.find(slot(call, "index"), call_id, name, arguments)
        found.is_server = found.is_server or call_id.startswith(_SERVER_ID)
        if memory.reasoning_field and not (found.is_announced or found.is_server):  # the first call behind reasoning
            state = {**(state or {}), "reasoning_field": memory.reasoning_field}
            memory.reasoning_field = ""
        deltas += found.read(call_id, name, arguments, raw, state)


def _state(call: Fields, raw: bool) -> Mapping[str, Any] | None:
    """What must go back with the call: what Gemini signed, and that it is no function's."""
    signature = text(child(child(call, "extra_content"), "google"), "thought_signature")
    if signature:
        return {"thought_signature": signature}
    return {"type": "custom"} if raw else None
