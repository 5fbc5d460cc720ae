"""OpenAI Chat Completions, and all that speak like it: vLLM, SGLang, DeepSeek, OpenRouter, LiteLLM, llama.cpp …

    {"choices": [{"delta": {"content": "Hi"}}]}
    {"choices": [{"delta": {"tool_calls": [{"index": 0, "id": "c", "function": {"name": "f", "arguments": "{"}}]}}]}
    {"choices": [{"delta": {}, "finish_reason": "tool_calls"}]}
    {"choices": [], "usage": {}}

Reasoning has no field in the specification; servers use `reasoning_content`, `reasoning` or `reasoning_details`, and
some send two of them with the same text, so the first that is there counts. Of several choices the first is read.
A whole `message` instead of a `delta`, as in a reply that was not streamed, is read alike.
"""

from __future__ import annotations

from streamparse.providers.content import joined, read_content
from streamparse.providers.deltas import Delta, Finish, ReasoningDelta, TextDelta
from streamparse.providers.fields import get, is_first, items, slot, text
from streamparse.providers.finish import read_error, read_finish
from streamparse.providers.keys import CallKeys


def read(chunk: object, keys: CallKeys) -> list[Delta] | None:
    """The deltas of a chunk with `choices`; None for anything else."""
    choices = get(chunk, "choices")
    if not isinstance(choices, (list, tuple)):
        return None
    deltas = [delta for choice in choices if is_first(choice) for delta in _read_choice(choice, keys)]
    if not choices or (deltas and deltas[-1] == Finish("error")):
        deltas += read_error(chunk)
    return deltas


def _read_choice(choice: object, keys: CallKeys) -> list[Delta]:
    delta = get(choice, "delta") or get(choice, "message")
    deltas = read_delta(delta, keys) if delta else read_content(text(choice, "text"))
    finish = read_finish(choice, "finish_reason")
    if finish:
        keys.finish()
    return deltas + finish


def read_delta(delta: object, keys: CallKeys) -> list[Delta]:
    """Reasoning, text and calls of a `delta`."""
    deltas: list[Delta] = []
    reasoning = text(delta, "reasoning_content") or text(delta, "reasoning") or joined(get(delta, "reasoning_details"))
    if reasoning:
        deltas.append(ReasoningDelta(reasoning))
    deltas += read_content(get(delta, "content"))
    refusal = text(delta, "refusal")
    if refusal:
        deltas.append(TextDelta(refusal))
    calls = items(delta, "tool_calls")
    for call in calls:
        deltas += read_call(call, keys)
    if not calls and get(delta, "function_call"):  # the form before tool_calls; some send both
        deltas += read_call(get(delta, "function_call"), keys)
    return deltas


def read_call(call: object, keys: CallKeys) -> list[Delta]:
    """One entry of `tool_calls`: name and arguments stand in `function`, or beside the id."""
    function = get(call, "function") or get(call, "custom") or call
    raw = text(call, "type") == "custom"
    call_id, name = text(call, "id"), text(function, "name")
    if call_id == "null":  # what Mistral's SDK makes of an id that did not come
        call_id = ""
    arguments = get(function, "input" if raw else "arguments")
    if not call_id and not name and not arguments:
        return []
    found = keys.find(slot(call, "index"), call_id, name, arguments)
    return found.read(call_id, name, arguments, raw)
