"""Google genai: `candidates`, whose parts are text, thoughts or calls.

    {"candidates": [{"content": {"parts": [{"text": "Hm", "thought": true}, {"text": "Hi"}]}}]}
    {"candidates": [{"content": {"parts": [{"functionCall": {"name": "f", "args": {"a": 1}}}]}}]}
    {"functionCall": {"partialArgs": [{"jsonPath": "$.a", "stringValue": "x"}], "willContinue": true}}
    {"candidates": [{"finishReason": "STOP"}], "usageMetadata": {"promptTokenCount": 9}, "modelVersion": "…"}

The SDK's objects have names with underscores, the wire's have capitals. A call comes whole. Only with argument
streaming (Vertex) it comes in `partialArgs`, which `partial_args.py` writes as JSON while they come. Of several
candidates one is read. What must go back is `thought_signature` (in base64), in the state of the text, reasoning, call
or file of the part that it came with; there is `thought` where such a part is one, such as the draft of an image, and
the metadata of a file says both. A part without any text closes the text before it, with its signature. What the
provider ran has besides that:

| part | becomes | its state |
|---|---|---|
| `executableCode` | a server tool `code_execution`, whose content is the code | `type` executable_code, `language` |
| `codeExecutionResult` | its server result, whose content is the output | `type` code_execution_result, `outcome` |
| `toolCall` | a server tool, named by its `toolType` | `type` tool_call |
| `toolResponse` | its server result, whose content is the JSON of `response` | `type` tool_response |
"""

from __future__ import annotations

from typing import Any

from streamparse.providers.call import ProviderCall
from streamparse.providers.deltas import (
    BlockEnd,
    Delta,
    File,
    Finish,
    OtherChoice,
    ReasoningDelta,
    ServerResult,
    TextDelta,
)
from streamparse.providers.fields import Fields, child, data, either, fields, items, plain, text
from streamparse.providers.finish import read_error, read_finish
from streamparse.providers.json_text import as_json
from streamparse.providers.memory import Memory
from streamparse.providers.partial_args import PartialArgs
from streamparse.wire import present

_STREAMED = "partial_args"  # where the call that is streamed is found again
_CODE = "code_execution"
#: What a source may be.
_GROUNDS = ("web", "retrieved_context", "maps", "image")


def read(chunk: Fields, memory: Memory) -> list[Delta] | None:
    """The deltas of a chunk with `candidates` (which may be None); None for anything else."""
    candidates = chunk.get("candidates")
    if not isinstance(candidates, (list, tuple)) and (candidates is not None or not _is_response(chunk)):
        return None
    about = memory.about
    if about.model is None or about.response_id is None:
        about.note(chunk, "responseId", "modelVersion")
        about.note(chunk, "response_id", "model_version")
    about.later = either(chunk, "usage_metadata") or about.later
    deltas: list[Delta] = []
    for item in candidates or ():
        candidate = fields(item)
        index = candidate.get("index")
        index = index if isinstance(index, int) else 0
        deltas += _read_candidate(candidate, memory) if index == memory.choice else [OtherChoice(index)]
    return deltas or read_error(chunk) or _read_block(fields(either(chunk, "prompt_feedback")))


def _is_response(chunk: Fields) -> bool:
    """Whether a chunk without candidates is of this kind all the same: the one with the token counts, or a refusal."""
    return "candidates" in chunk or "usageMetadata" in chunk or "promptFeedback" in chunk


def _read_block(feedback: Fields) -> list[Delta]:
    """Why the prompt was blocked, if it was: whatever the word is, a filter did it."""
    word = text(feedback, "block_reason") or text(feedback, "blockReason")
    return [Finish("content_filter", word)] if word and not word.endswith("_UNSPECIFIED") else []


def _read_candidate(candidate: Fields, memory: Memory) -> list[Delta]:
    deltas: list[Delta] = []
    for part in items(child(candidate, "content"), "parts"):
        deltas += _read_part(fields(part), memory)
    if grounding := either(candidate, "grounding_metadata"):
        deltas += _read_grounding(fields(grounding), memory)
    if citations := either(candidate, "citation_metadata"):
        deltas += _read_citations(fields(citations), memory)
    finish = read_finish(candidate, "finish_reason") or read_finish(candidate, "finishReason")
    if finish:
        memory.calls.finish()
    return deltas + finish


def _read_part(part: Fields, memory: Memory) -> list[Delta]:
    signature = either(part, "thought_signature")
    piece, is_thought = text(part, "text"), part.get("thought") is True
    deltas: list[Delta] = []
    if piece:
        deltas.append(ReasoningDelta(piece) if is_thought else TextDelta(piece))
        if not signature:  # as nearly always
            return deltas
    signature = plain(signature)
    state = {"thought_signature": signature} if signature and isinstance(signature, str) else {}
    if not piece:
        other = _read_other(part, {**state, "thought": True} if is_thought else state, memory)
        if other is not None:
            return other
    if state:
        deltas.append(BlockEnd(state, "reasoning" if is_thought else "text"))
    return deltas


def _read_other(part: Fields, state: dict[str, Any], memory: Memory) -> list[Delta] | None:
    """What a part holds that is no text; None if it holds nothing that is known."""
    function_call = either(part, "function_call")
    if function_call is not None:  # an empty one ends a call that was streamed
        return _read_call(fields(function_call), state, memory)
    for name, reader in _PARTS.items():
        if held := either(part, name):
            return reader(fields(held), state, memory)
    return None


def _read_call(function_call: Fields, state: dict[str, Any], memory: Memory) -> list[Delta]:
    call_id, name = text(function_call, "id"), text(function_call, "name")
    partial = either(function_call, "partial_args")
    will_continue = either(function_call, "will_continue") is True
    call = memory.calls.at(_STREAMED)
    if not partial and not will_continue and (call is None or name):
        whole = function_call.get("args") or {}
        return memory.calls.open(call_id or None, call_id).read(call_id, name, whole, state=state)
    if call is None or name:
        call = memory.calls.open(_STREAMED, call_id)
        call.held = PartialArgs()
    deltas = call.read(call_id, name, "" if call.has_arguments else "{", state=state)
    for value in partial if isinstance(partial, (list, tuple)) else ():
        if piece := call.held.put(fields(value)):
            deltas.append(call.more(piece))
    return deltas if will_continue else deltas + _end(call, memory)


def _end(call: ProviderCall, memory: Memory) -> list[Delta]:
    memory.calls.close(_STREAMED)
    rest = call.held.close()
    return [call.more(rest), *call.end()] if rest else call.end()


# -- what the provider ran, and files ---------------------------------------------------------------------------------


def _read_code(code: Fields, state: dict[str, Any], memory: Memory) -> list[Delta]:
    language = present(language=text(code, "language"))
    call_id = text(code, "id")
    call = memory.calls.open(None, call_id)
    call.is_server = True
    return [
        *call.read(call_id, _CODE, text(code, "code"), True, {"type": "executable_code", **language, **state}),
        *call.end(),
    ]


def _read_code_result(result: Fields, state: dict[str, Any], _memory: Memory) -> list[Delta]:
    outcome = present(outcome=text(result, "outcome"))
    told = {"type": "code_execution_result", **outcome, **state}
    return [ServerResult(text(result, "output"), _CODE, text(result, "id"), told)]


def _read_tool_call(tool: Fields, state: dict[str, Any], memory: Memory) -> list[Delta]:
    call_id, name = text(tool, "id"), text(tool, "tool_type") or text(tool, "toolType")
    call = memory.calls.open(None, call_id)
    call.is_server = True
    return call.read(call_id, name, data(tool, "args"), state={"type": "tool_call", **state})


def _read_tool_response(tool: Fields, state: dict[str, Any], _memory: Memory) -> list[Delta]:
    name = text(tool, "tool_type") or text(tool, "toolType")
    content = as_json(plain(tool.get("response")))
    return [ServerResult(content, name, text(tool, "id"), {"type": "tool_response", **state})]


def _read_file(file: Fields, state: dict[str, Any], _memory: Memory) -> list[Delta]:
    """A file with its data, or one that is elsewhere."""
    names = {"media_type": "mime_type", "name": "display_name", "url": "file_uri"}
    metadata = {name: value for name, field in names.items() if isinstance(value := either(file, field), str) and value}
    content = plain(file.get("data"))
    return [File({**metadata, **state}, content if isinstance(content, str) else "", state or None)]


_PARTS = {
    "executable_code": _read_code,
    "code_execution_result": _read_code_result,
    "tool_call": _read_tool_call,
    "tool_response": _read_tool_response,
    "inline_data": _read_file,
    "file_data": _read_file,
}


# -- sources ----------------------------------------------------------------------------------------------------------


def _read_grounding(grounding: Fields, memory: Memory) -> list[Delta]:
    """What the reply rests on, which comes again with every chunk."""
    deltas: list[Delta] = []
    for ground in map(fields, items(grounding, "grounding_chunks") or items(grounding, "groundingChunks")):
        for kind in _GROUNDS:
            if held := either(ground, kind):
                deltas += _source({"type": kind}, plain(held), memory)
    return deltas


def _read_citations(citations: Fields, memory: Memory) -> list[Delta]:
    """What the reply repeats."""
    found = items(citations, "citations") or items(citations, "citationSources")
    return [delta for citation in found for delta in _source({"type": "citation"}, plain(citation), memory)]


def _source(kind: dict[str, str], found: object, memory: Memory) -> list[Delta]:
    """A source under the names that all sources have: `url` is Google's `uri`."""
    if not isinstance(found, dict) or not found:
        return []
    return memory.source({**kind, **{"url" if name == "uri" else name: value for name, value in found.items()}})
