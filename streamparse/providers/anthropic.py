"""Anthropic Messages: blocks that start, grow and stop, by index.

    {"type": "message_start", "message": {"id": "m", "model": "…", "usage": {"input_tokens": 9}}}
    {"type": "content_block_start", "index": 1, "content_block": {"type": "tool_use", "id": "t", "name": "f"}}
    {"type": "content_block_delta", "index": 1, "delta": {"type": "input_json_delta", "partial_json": "{\\"a\\": 1}"}}
    {"type": "content_block_stop", "index": 1}
    {"type": "message_delta", "delta": {"stop_reason": "tool_use"}, "usage": {"output_tokens": 12}}

`messages.stream()` of the SDK puts events of its own between these (`text`, `input_json`, …), which say the same again:
they are ignored. Text blocks next to each other differ by their citations only, and are one text. What must go back:

| block | becomes | its state |
|---|---|---|
| `thinking` | reasoning | `signature` |
| `redacted_thinking`, `compaction`, any block of another type | an empty reasoning | the whole block, with its `type` |
| the `container` that code ran in (of `message_delta`) | an empty reasoning | `{"type": "container", "id": …}` |
| `tool_use` | a call | `caller`, `toolset_name`, if they came |
| `server_tool_use`, `mcp_tool_use` | a server tool | `type`, `caller`, `server_name` |
| `…_tool_result` | a server result: the JSON of the block's `content` | all else but `tool_use_id` |
| `container_upload` | a file with its `type` and `file_id` | `type` |
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from streamparse.providers.call import as_json
from streamparse.providers.content import read_part
from streamparse.providers.deltas import Delta, File, ServerResult, TextDelta
from streamparse.providers.fields import Fields, child, data, slot, text, told
from streamparse.providers.finish import read_error_event, read_finish
from streamparse.providers.keys import CallKeys

_IGNORED = {"message_stop", "ping", "text", "input_json", "thinking", "citation", "signature", "compaction"}
_CALLS = ("tool_use", "server_tool_use", "mcp_tool_use")
_RESULT = "_tool_result"
#: Where the container of a reply is kept, among the places of blocks.
_CONTAINER = "container"


def read(chunk: Fields, keys: CallKeys) -> list[Delta] | None:
    """The deltas of an event of one of Anthropic's types; None for anything else."""
    kind = text(chunk, "type")
    handler = _EVENTS.get(kind)
    if handler:
        return handler(chunk, keys)
    return [] if kind in _IGNORED else None


def _message_start(chunk: Fields, keys: CallKeys) -> list[Delta]:
    message = child(chunk, "message")
    keys.about.note(message)
    keys.about.count(message.get("usage"))
    _keep_container(message, keys)
    return []


def _block_start(chunk: Fields, keys: CallKeys) -> list[Delta]:
    block, index = child(chunk, "content_block"), slot(chunk, "index")
    kind = text(block, "type")
    if kind in _CALLS:
        names = ("caller", "toolset_name") if kind == "tool_use" else ("type", "caller", "server_name")
        call = text(block, "id"), text(block, "name"), block.get("input")
        return keys.begin_call(index, *call, told(block, *names), is_server=kind != "tool_use")
    begun = keys.begin_block(index)
    if kind == "text":
        keys.forget_sources()
    elif kind == "thinking":
        keys.keep(index).update(told(block, "signature"))
    elif kind.endswith(_RESULT):
        return begun + _read_result(data(chunk, "content_block"), keys)
    elif kind == "container_upload":
        return [*begun, File(told(block, "type", "file_id"), state=told(block, "type"))]
    elif kind:
        keys.keep(index).update(data(chunk, "content_block"))
        return begun
    return begun + read_part(block)


def _block_delta(chunk: Fields, keys: CallKeys) -> list[Delta]:
    delta = child(chunk, "delta")
    kind = text(delta, "type")
    if kind == "text_delta":
        piece = text(delta, "text")
        return [TextDelta(piece)] if piece else []
    if kind == "input_json_delta":
        return keys.grow_call(slot(chunk, "index"), text(delta, "partial_json"))
    if kind == "citations_delta":
        return _read_citation(data(delta, "citation"), keys)
    if kind == "signature_delta":
        kept, signature = keys.keep(slot(chunk, "index")), text(delta, "signature")
        if signature:
            kept["signature"] = text(kept, "signature") + signature
        return []
    if kind == "compaction_delta":
        keys.keep(slot(chunk, "index")).update(told(delta, "content", "encrypted_content"))
        return []
    return read_part(delta)


def _block_stop(chunk: Fields, keys: CallKeys) -> list[Delta]:
    index = slot(chunk, "index")
    return keys.end_block(index) + keys.end_details(index)


def _message_delta(chunk: Fields, keys: CallKeys) -> list[Delta]:
    delta = child(chunk, "delta")
    keys.about.count(chunk.get("usage"))
    _keep_container(delta, keys)
    finish = read_finish(delta, "stop_reason")
    if not finish:
        return []
    deltas = keys.settle(finish)
    for place in list(keys.details):
        deltas += keys.end_details(place)
    return deltas + finish


def _keep_container(source: Fields, keys: CallKeys) -> None:
    """The next request must name the container, if code ran in one."""
    container = text(child(source, "container"), "id")
    if container:
        keys.keep(_CONTAINER).update(type="container", id=container)


def _read_result(block: dict[str, Any], keys: CallKeys) -> list[Delta]:
    """What came of a tool that Anthropic ran."""
    content, call_id = as_json(block.pop("content", None)), text(block, "tool_use_id")
    block.pop("tool_use_id", None)
    return [ServerResult(content, keys.name_of(call_id), call_id, block)]


def _read_citation(citation: dict[str, Any], keys: CallKeys) -> list[Delta]:
    """What the text of this block cites, once. Titles of documents and addresses have names of their own."""
    names = {"title": citation.get("document_title"), "url": citation.get("source")}
    return keys.source({**{name: value for name, value in names.items() if value}, **citation})


def _error(chunk: Fields, _keys: CallKeys) -> list[Delta]:
    return read_error_event(chunk)


_EVENTS: dict[str, Callable[[Fields, CallKeys], list[Delta]]] = {
    "message_start": _message_start,
    "content_block_start": _block_start,
    "content_block_delta": _block_delta,
    "content_block_stop": _block_stop,
    "message_delta": _message_delta,
    "error": _error,
}
