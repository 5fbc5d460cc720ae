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
| `text` blocks in a row, some with citations | one text | `blocks`: each with its `length` and its `citations` |
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

from streamparse.providers.content import read_part
from streamparse.providers.deltas import BlockEnd, Delta, File, ServerResult, TextDelta
from streamparse.providers.fields import Fields, child, data, slot, text, told
from streamparse.providers.finish import read_error_event, read_finish
from streamparse.providers.json_text import as_json
from streamparse.providers.memory import Memory
from streamparse.wire import present

_IGNORED = {"message_stop", "ping", "text", "input_json", "thinking", "citation", "signature", "compaction"}
_CALLS = ("tool_use", "server_tool_use", "mcp_tool_use")
_RESULT = "_tool_result"
#: Where the container of a reply is kept, and blocks of text in a row, among the places of blocks.
_CONTAINER, _TEXTS = "container", "texts"


def read(chunk: Fields, memory: Memory) -> list[Delta] | None:
    """The deltas of an event of one of Anthropic's types; None for anything else."""
    kind = text(chunk, "type")
    handler = _EVENTS.get(kind)
    if handler:
        return handler(chunk, memory)
    return [] if kind in _IGNORED else None


def _message_start(chunk: Fields, memory: Memory) -> list[Delta]:
    message = child(chunk, "message")
    memory.about.note(message)
    memory.about.count(message.get("usage"))
    _keep_container(message, memory)
    return []


def _block_start(chunk: Fields, memory: Memory) -> list[Delta]:
    block, index = child(chunk, "content_block"), slot(chunk, "index")
    kind = text(block, "type")
    ended = [] if kind == "text" else _end_texts(memory)
    if kind in _CALLS:
        names = ("caller", "toolset_name") if kind == "tool_use" else ("type", "caller", "server_name")
        call = text(block, "id"), text(block, "name"), block.get("input")
        return ended + memory.begin_call(index, *call, told(block, *names), is_server=kind != "tool_use")
    begun = ended + memory.begin_block(index)
    if kind == "text":
        memory.forget_sources()
        memory.keep(_TEXTS).setdefault("blocks", []).append((memory.text_size, []))
        memory.text_size += len(text(block, "text"))
    elif kind == "thinking":
        memory.keep(index).update(told(block, "signature"))
    elif kind.endswith(_RESULT):
        return begun + _read_result(data(chunk, "content_block"), memory)
    elif kind == "container_upload":
        return [*begun, File(told(block, "type", "file_id"), state=told(block, "type"))]
    elif kind:
        memory.keep(index).update(data(chunk, "content_block"))
        return begun
    return begun + read_part(block)


def _block_delta(chunk: Fields, memory: Memory) -> list[Delta]:
    delta = child(chunk, "delta")
    if delta.get("type") == "text_delta":  # as most are
        piece = text(delta, "text")
        memory.text_size += len(piece)
        return [TextDelta(piece)] if piece else []
    kind = text(delta, "type")
    if kind == "input_json_delta":
        return memory.grow_call(slot(chunk, "index"), text(delta, "partial_json"))
    if kind == "citations_delta":
        return _read_citation(data(delta, "citation"), memory)
    if kind == "signature_delta":
        kept, signature = memory.keep(slot(chunk, "index")), text(delta, "signature")
        if signature:
            kept["signature"] = text(kept, "signature") + signature
        return []
    if kind == "compaction_delta":
        memory.keep(slot(chunk, "index")).update(told(delta, "content", "encrypted_content"))
        return []
    return read_part(delta)


def _block_stop(chunk: Fields, memory: Memory) -> list[Delta]:
    index = slot(chunk, "index")
    return memory.end_block(index) + memory.end_details(index)


def _message_delta(chunk: Fields, memory: Memory) -> list[Delta]:
    delta = child(chunk, "delta")
    memory.about.count(chunk.get("usage"))
    _keep_container(delta, memory)
    finish = read_finish(delta, "stop_reason")
    if not finish:
        return []
    deltas = _end_texts(memory) + memory.settle(finish)
    for place in list(memory.details):
        deltas += memory.end_details(place)
    return deltas + finish


def _keep_container(source: Fields, memory: Memory) -> None:
    """The next request must name the container, if code ran in one."""
    container = text(child(source, "container"), "id")
    if container:
        memory.keep(_CONTAINER).update(type="container", id=container)


def _read_result(block: dict[str, Any], memory: Memory) -> list[Delta]:
    """What came of a tool that Anthropic ran."""
    content, call_id = as_json(block.pop("content", None)), text(block, "tool_use_id")
    block.pop("tool_use_id", None)
    return [ServerResult(content, memory.calls.name_of(call_id), call_id, block)]


def _read_citation(citation: dict[str, Any], memory: Memory) -> list[Delta]:
    """What the text of this block cites, once. Titles of documents and addresses have names of their own."""
    if citation and _TEXTS in memory.details:
        memory.details[_TEXTS]["blocks"][-1][1].append(citation)
    return memory.source({**present(title=citation.get("document_title"), url=citation.get("source")), **citation})


def _end_texts(memory: Memory) -> list[Delta]:
    """Blocks of text in a row have ended: where each was, if any of them cites something."""
    blocks = memory.details.pop(_TEXTS, {}).get("blocks", [])
    if not any(citations for _, citations in blocks):
        return []
    ends = [*(begin for begin, _ in blocks[1:]), memory.text_size]
    state = [
        {"length": end - begin, **present(citations=citations)}
        for (begin, citations), end in zip(blocks, ends, strict=True)
    ]
    return [BlockEnd({"blocks": state})]


def _error(chunk: Fields, _memory: Memory) -> list[Delta]:
    return read_error_event(chunk)


_EVENTS: dict[str, Callable[[Fields, Memory], list[Delta]]] = {
    "message_start": _message_start,
    "content_block_start": _block_start,
    "content_block_delta": _block_delta,
    "content_block_stop": _block_stop,
    "message_delta": _message_delta,
    "error": _error,
}
