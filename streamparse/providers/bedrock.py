"""Bedrock Converse: plain dicts with exactly one key.

    {"contentBlockStart": {"contentBlockIndex": 1, "start": {"toolUse": {"toolUseId": "t", "name": "f"}}}}
    {"contentBlockDelta": {"contentBlockIndex": 1, "delta": {"toolUse": {"input": "{}"}}}}
    {"contentBlockStop": {"contentBlockIndex": 1}}
    {"messageStop": {"stopReason": "tool_use"}}
    {"metadata": {"usage": {"inputTokens": 9, "outputTokens": 12}}}
    {"throttlingException": {"message": "slow down"}}

Text and reasoning have no start event. What must go back: the reasoning's state has its `signature`, or
`redacted_content` in base64; that of a call which the provider ran is `{"toolUse": {"type": "server_tool_use"}}`; that
of its result is `{"toolResult": {…}}` with the `type` and `status` that came, and its content is the JSON of the list
that came. `{"chunk": {"bytes": …}}` of InvokeModelWithResponseStream is an envelope around what the model's own
interface streams.
"""

from __future__ import annotations

import base64
import json
from collections.abc import Callable
from typing import Any

from streamparse.providers.content import joined, read_content
from streamparse.providers.deltas import Delta, File, ProviderError, ReasoningDelta, ServerResult
from streamparse.providers.fields import Fields, child, data, fields, items, plain, slot, text, told
from streamparse.providers.finish import read_finish
from streamparse.providers.json_text import as_json
from streamparse.providers.memory import Memory
from streamparse.wire import present

#: Fields of what is kept of a block until it stops, that are not its state.
_RESULT, _CALL_ID, _FORMAT, _BYTES = "result", "call_id", "format", "bytes"


def read(chunk: Fields, memory: Memory) -> list[Delta] | None:
    """The deltas of a dict with one of the keys above; None for anything else."""
    if not isinstance(chunk, dict) or len(chunk) != 1:
        return None
    [(name, value)] = chunk.items()
    if name in _EVENTS:
        return _EVENTS[name](fields(value), memory)
    if name in _EXCEPTIONS:
        return [ProviderError(text(fields(value), "message") or name)]
    return [] if name in ("messageStart", "trace", "initial-response") else None


def unwrap(chunk: Fields) -> object | None:
    """What the model's own interface says, in a chunk of InvokeModelWithResponseStream; None for anything else."""
    if not isinstance(chunk, dict) or len(chunk) != 1:
        return None
    payload = child(chunk, "chunk").get("bytes")
    return decode_payload(payload) if isinstance(payload, bytes) else None


def decode_payload(payload: bytes) -> dict[str, Any]:
    """The bytes of such a chunk: a JSON object, or the text of a reply (of an agent)."""
    try:
        value = json.loads(payload)
    except (ValueError, RecursionError):
        value = None
    return value if isinstance(value, dict) else {"content": payload.decode("utf-8", "replace")}


def _block_start(event: Fields, memory: Memory) -> list[Delta]:
    start, index = child(event, "start"), slot(event, "contentBlockIndex")
    if start.get("toolUse"):
        use = child(start, "toolUse")
        call, is_server = (text(use, "toolUseId"), text(use, "name")), text(use, "type") == "server_tool_use"
        state = {"toolUse": told(use, "type")} if is_server else None
        return memory.begin_call(index, *call, state=state, is_server=is_server)
    if start.get("toolResult"):
        result = child(start, "toolResult")
        kept = memory.keep(index)
        kept.update(told(result, "type", "status"))
        kept[_RESULT], kept[_CALL_ID] = [], text(result, "toolUseId")
    elif start.get("image"):
        memory.keep(index)[_FORMAT] = text(child(start, "image"), "format")
    return memory.begin_block(index)


def _block_delta(event: Fields, memory: Memory) -> list[Delta]:
    delta = child(event, "delta")
    deltas = memory.settle()  # text has no start event that could say so
    if delta.get("text"):
        return deltas + read_content(text(delta, "text"))
    index = slot(event, "contentBlockIndex")
    if delta.get("toolUse"):
        return deltas + memory.grow_call(index, child(delta, "toolUse").get("input"))
    if delta.get("reasoningContent"):
        return deltas + _read_reasoning(child(delta, "reasoningContent"), index, memory)
    if delta.get("toolResult"):
        kept = memory.keep(index)
        kept.setdefault(_RESULT, []).extend(map(plain, items(delta, "toolResult")))
    elif delta.get("citation"):
        deltas += _read_citation(data(delta, "citation"), memory)
    elif delta.get("image"):
        kept = memory.keep(index)
        kept.setdefault(_FORMAT, "")
        kept[_BYTES] = plain(child(child(delta, "image"), "source").get("bytes"))
    return deltas


def _read_reasoning(reasoning: Fields, index: int | str | None, memory: Memory) -> list[Delta]:
    """More of the reasoning, or what must go back with it, which is kept until its block stops."""
    kept = memory.keep(index)
    signature, redacted = text(reasoning, "signature"), reasoning.get("redactedContent")
    if signature:
        kept["signature"] = text(kept, "signature") + signature
    if isinstance(redacted, bytes):  # as boto3 gives it; the wire has base64
        redacted = base64.b64encode(redacted).decode("ascii")
    if redacted and isinstance(redacted, str):
        kept["redacted_content"] = kept.get("redacted_content", "") + redacted
    piece = text(reasoning, "text")
    return [ReasoningDelta(piece)] if piece else []


def _read_citation(citation: dict[str, object], memory: Memory) -> list[Delta]:
    """What the text cites: its address is in `location`, or it is the `source`."""
    url = text(child(fields(citation.get("location")), "web"), "url")
    cited = joined(citation.pop("sourceContent", None))
    return memory.source({**citation, **present(url=url, cited_text=cited)})


def _block_stop(event: Fields, memory: Memory) -> list[Delta]:
    index = slot(event, "contentBlockIndex")
    return memory.end_block(index) + _end_kept(index, memory)


def _end_kept(place: object, memory: Memory) -> list[Delta]:
    """What was kept of a block, which has ended: a result, an image, or what must go back with reasoning."""
    kept = memory.details.get(place, {})
    if _RESULT in kept:
        del memory.details[place]
        content, call_id = as_json(kept.pop(_RESULT)), kept.pop(_CALL_ID, "")
        return [ServerResult(content, memory.calls.name_of(call_id), call_id, {"toolResult": kept})]
    if _FORMAT in kept:
        del memory.details[place]
        media_type, image = kept[_FORMAT], kept.get(_BYTES)
        metadata = {"media_type": f"image/{media_type}"} if media_type else {}
        return [File(metadata, image)] if isinstance(image, str) else []
    return memory.end_details(place)


def _message_stop(event: Fields, memory: Memory) -> list[Delta]:
    finish = read_finish(event, "stopReason")
    deltas = memory.settle(finish)
    for place in [place for place, kept in memory.details.items() if kept]:  # of blocks that did not stop
        deltas += _end_kept(place, memory)
    return deltas + finish


def _metadata(event: Fields, memory: Memory) -> list[Delta]:
    memory.about.count(event.get("usage"))
    return []


_EVENTS: dict[str, Callable[[Fields, Memory], list[Delta]]] = {
    "contentBlockStart": _block_start,
    "contentBlockDelta": _block_delta,
    "contentBlockStop": _block_stop,
    "messageStop": _message_stop,
    "metadata": _metadata,
}
_EXCEPTIONS = {
    "internalServerException",
    "modelStreamErrorException",
    "modelTimeoutException",
    "validationException",
    "throttlingException",
    "serviceUnavailableException",
}
