"""Cohere: `type` says what happened (v2), or `event_type` does (v1).

    {"type": "content-delta", "index": 0, "delta": {"message": {"content": {"text": "Hi"}}}}
    {"type": "tool-plan-delta", "delta": {"message": {"tool_plan": "I will"}}}
    {"type": "tool-call-start", "index": 0, "delta": {"message": {"tool_calls": {"id": "c", "function": {…}}}}}
    {"type": "message-end", "delta": {"finish_reason": "COMPLETE", "usage": {"tokens": {"input_tokens": 9}}}}

    {"event_type": "text-generation", "text": "Hi", "is_finished": false}                                 v1
    {"event_type": "tool-calls-generation", "tool_calls": [{"name": "f", "parameters": {"a": 1}}]}
    {"event_type": "stream-end", "finish_reason": "COMPLETE", "response": {"meta": {}}}
    {"index": 0, "text": "Hi", "is_finished": false}                                                      (generate)

Reasoning with the state `{"type": "tool_plan"}` is what the model said of the calls that follow, and goes back as
`tool_plan`. Nothing else must go back. What a citation's sources are is one `Source` for each.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from streamparse.providers.content import read_content
from streamparse.providers.deltas import Delta, OtherChoice, ReasoningDelta, TextDelta
from streamparse.providers.fields import Fields, child, data, fields, items, slot, text
from streamparse.providers.finish import read_error, read_finish
from streamparse.providers.memory import Memory

_PLAN = "tool_plan"
_IGNORED = {"content-end", "citation-end", "debug", "search-queries-generation"}


def read(chunk: Fields, memory: Memory) -> list[Delta] | None:
    """The deltas of an event of one of Cohere's types; None for anything else."""
    kind = text(chunk, "type") or text(chunk, "event_type")
    handler = _EVENTS.get(kind)
    if handler:
        return handler(chunk, memory)
    if kind in _IGNORED:
        return []
    return _read_generated(chunk, memory) if not kind and isinstance(chunk.get("is_finished"), bool) else None


def _message(chunk: Fields) -> Fields:
    return child(child(chunk, "delta"), "message")


# -- v2 ---------------------------------------------------------------------------------------------------------------


def _message_start(chunk: Fields, memory: Memory) -> list[Delta]:
    memory.about.note(chunk)
    return []


def _content(chunk: Fields, memory: Memory) -> list[Delta]:
    """The beginning of a block, or more of it: text or thinking."""
    content = child(_message(chunk), "content")
    deltas = memory.end_details(_PLAN) if memory.details else []
    thinking = text(content, "thinking")
    if thinking:
        deltas.append(ReasoningDelta(thinking))
    return deltas + read_content(text(content, "text"))


def _plan(chunk: Fields, memory: Memory) -> list[Delta]:
    return _more_plan(text(_message(chunk), "tool_plan"), memory)


def _more_plan(piece: str, memory: Memory) -> list[Delta]:
    if not piece:
        return []
    memory.keep(_PLAN)["type"] = _PLAN
    return [ReasoningDelta(piece)]


def _call_start(chunk: Fields, memory: Memory) -> list[Delta]:
    call = child(_message(chunk), "tool_calls")
    function = child(call, "function")
    begun = memory.begin_call(slot(chunk, "index"), text(call, "id"), text(function, "name"))
    return memory.end_details(_PLAN) + begun + _grow(chunk, function, memory)


def _call_delta(chunk: Fields, memory: Memory) -> list[Delta]:
    return _grow(chunk, child(child(_message(chunk), "tool_calls"), "function"), memory)


def _grow(chunk: Fields, function: Fields, memory: Memory) -> list[Delta]:
    return memory.grow_call(slot(chunk, "index"), text(function, "arguments"))


def _call_end(chunk: Fields, memory: Memory) -> list[Delta]:
    return memory.end_block(slot(chunk, "index"))


def _citation_start(chunk: Fields, memory: Memory) -> list[Delta]:
    return _read_citation(data(_message(chunk), "citations"), memory)


def _read_citation(citation: Mapping[str, Any], memory: Memory) -> list[Delta]:
    """A source for each thing that is cited, with the piece of the reply (`text`, `start`, `end`) it stands for."""
    said = {name: value for name, value in citation.items() if name != "sources"}
    sources = [source for source in items(citation, "sources") if isinstance(source, dict)]
    return [delta for source in sources or ({},) for delta in memory.source({**_named(source), **said})]


def _named(source: Mapping[str, Any]) -> dict[str, Any]:
    """A source with the `url` and `title` of its document."""
    document = source.get("document")
    named = document if isinstance(document, dict) else {}
    return {**source, **{name: named[name] for name in ("url", "title") if named.get(name)}}


def _message_end(chunk: Fields, memory: Memory) -> list[Delta]:
    delta = child(chunk, "delta")
    memory.about.count(delta.get("usage"))
    return _end(delta, memory)


def _end(source: Fields, memory: Memory) -> list[Delta]:
    finish = read_finish(source, "finish_reason")
    return memory.end_details(_PLAN) + memory.settle(finish) + finish + read_error(source)


# -- v1 ---------------------------------------------------------------------------------------------------------------


def _stream_start(chunk: Fields, memory: Memory) -> list[Delta]:
    memory.about.note(chunk, "generation_id")
    return []


def _generated(chunk: Fields, memory: Memory) -> list[Delta]:
    piece = text(chunk, "text")
    return [*memory.end_details(_PLAN), TextDelta(piece)] if piece else []


def _calls_chunk(chunk: Fields, memory: Memory) -> list[Delta]:
    """More of the plan, which stands in `text`, or of a call, which is told again whole when all have come."""
    plan = _more_plan(text(chunk, "text"), memory)
    call = child(chunk, "tool_call_delta")
    index, name, parameters = slot(call, "index"), text(call, "name"), call.get("parameters")
    if not name and not parameters:
        return plan
    return plan + memory.end_details(_PLAN) + memory.calls.find(index, "", name, parameters).read("", name, parameters)


def _calls(chunk: Fields, memory: Memory) -> list[Delta]:
    """All calls: those that came in pieces are complete, all others are told now."""
    deltas: list[Delta] = []
    calls = [fields(call) for call in items(chunk, "tool_calls")]
    known = [memory.calls.close(index) for index in range(len(calls))]
    if not any(known):
        deltas += _more_plan(text(chunk, "text"), memory)
    deltas += memory.end_details(_PLAN)
    for call, begun in zip(calls, known, strict=True):
        if begun is None:
            call_id = text(call, "id")
            deltas += memory.calls.open(None, call_id).read(call_id, text(call, "name"), data(call, "parameters"))
        else:
            deltas += begun.end()
    return deltas


def _citations(chunk: Fields, memory: Memory) -> list[Delta]:
    """Citations name documents by their ids; the documents themselves came with the results of the search."""
    citations = [citation for citation in map(_as_dict, items(chunk, "citations")) if citation]
    return [delta for citation in citations for delta in memory.source(citation)]


def _search_results(chunk: Fields, memory: Memory) -> list[Delta]:
    documents = map(_as_dict, items(chunk, "documents"))
    return [delta for document in documents for delta in memory.source(document)]


def _as_dict(value: object) -> dict[str, Any]:
    return data({"value": value}, "value")


def _stream_end(chunk: Fields, memory: Memory) -> list[Delta]:
    meta = child(child(chunk, "response"), "meta")
    memory.about.count(meta.get("tokens") or meta.get("billed_units"))
    return _end(chunk, memory)


def _read_generated(chunk: Fields, memory: Memory) -> list[Delta]:
    """A piece of one of the texts of `generate`, which has no types."""
    index = slot(chunk, "index") or 0
    if isinstance(index, int) and index != memory.choice:
        return [OtherChoice(index)]
    return _generated(chunk, memory) + _end(chunk, memory)


_EVENTS: dict[str, Callable[[Fields, Memory], list[Delta]]] = {
    "message-start": _message_start,
    "content-start": _content,
    "content-delta": _content,
    "tool-plan-delta": _plan,
    "tool-call-start": _call_start,
    "tool-call-delta": _call_delta,
    "tool-call-end": _call_end,
    "citation-start": _citation_start,
    "message-end": _message_end,
    "stream-start": _stream_start,
    "text-generation": _generated,
    "tool-calls-chunk": _calls_chunk,
    "tool-calls-generation": _calls,
    "citation-generation": _citations,
    "search-results": _search_results,
    "stream-end": _stream_end,
}
