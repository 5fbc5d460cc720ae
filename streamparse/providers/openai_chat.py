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
from streamparse.providers.deltas import Delta, ReasoningDelta, TextDelta
from streamparse.providers.fields import Fields, child, fields, slot, text
from streamparse.providers.finish import read_error, read_finish
from streamparse.providers.keys import CallKeys

#: What a delta may say besides its `content`.
_BESIDES = ("tool_calls", "function_call", "reasoning_content", "reasoning", "reasoning_details", "refusal")


def read(chunk: Fields, keys: CallKeys) -> list[Delta] | None:
    """The deltas of a chunk with `choices`; None for anything else."""
    choices = chunk.get("choices")
    if not isinstance(choices, (list, tuple)):
        return None
    if len(choices) == 1 and not chunk.get("error") and (piece := _only_text(fields(choices[0]))):
        return [TextDelta(piece)]
    deltas: list[Delta] = []
    for item in choices:
        choice = fields(item)
        if choice.get("index"):
            continue
        delta = choice.get("delta") or choice.get("message")
        if delta:
            read_delta(fields(delta), keys, deltas)
        else:
            deltas += read_content(choice.get("text"))
        if choice.get("finish_reason"):
            keys.finish()
            deltas += read_finish(choice, "finish_reason")
    if chunk.get("error"):
        deltas += read_error(chunk)
    return deltas


def _only_text(choice: Fields) -> str:
    """The text of a choice that says nothing else, as most of them do; nothing for any other."""
    if choice.get("index") or choice.get("finish_reason"):
        return ""
    delta = fields(choice.get("delta"))
    content = delta.get("content")
    if not isinstance(content, str):
        return ""
    is_alone = delta.__class__ is dict and len(delta) == 1  # as a rule
    return content if is_alone or not any(map(delta.get, _BESIDES)) else ""


def read_delta(delta: Fields, keys: CallKeys, deltas: list[Delta]) -> None:
    """Add reasoning, text and calls of a `delta` to `deltas`."""
    calls = delta.get("tool_calls")
    if not calls or delta.__class__ is not dict or len(delta) > 1:  # a call's delta has nothing else, as a rule
        reasoning = delta.get("reasoning_content") or delta.get("reasoning") or delta.get("reasoning_details")
        if reasoning and (piece := joined(reasoning)):
            deltas.append(ReasoningDelta(piece))
        content = delta.get("content")
        if content:
            deltas += read_content(content)
        if delta.get("refusal"):
            deltas += read_content(text(delta, "refusal"))
    if isinstance(calls, (list, tuple)) and calls:
        for call in calls:
            _read_call(fields(call), keys, deltas)
    elif delta.get("function_call"):  # the form before tool_calls; some send both
        _read_call(child(delta, "function_call"), keys, deltas)


def _read_call(call: Fields, keys: CallKeys, deltas: list[Delta]) -> None:
    """One entry of `tool_calls`: name and arguments stand in `function`, or beside the id."""
    inner, raw = call.get("function"), False
    if not inner:
        inner = call.get("custom")
        raw = bool(inner)
    function = fields(inner) if inner else call
    arguments = function.get("input" if raw else "arguments")
    if not (call.get("id") or function.get("name") or call.get("extra_content")) and isinstance(arguments, str):
        if arguments:  # the next piece of them and nothing else, as nearly always
            deltas.append(keys.find(slot(call, "index")).more(arguments, raw))
        return
    call_id, name, signature = text(call, "id"), text(function, "name"), _signature(call)
    if call_id == "null":  # what Mistral's SDK makes of an id that did not come
        call_id = ""
    if call_id or name or arguments or signature:
        found = keys.find(slot(call, "index"), call_id, name, arguments)
        deltas += found.read(call_id, name, arguments, raw, signature)


def _signature(call: Fields) -> str:
    """What Gemini wants back with the call in the next turn."""
    return text(child(child(call, "extra_content"), "google"), "thought_signature")
