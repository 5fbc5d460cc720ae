"""Google genai: `candidates`, whose parts are text, thoughts or calls.

    {"candidates": [{"content": {"parts": [{"text": "Hm", "thought": true}, {"text": "Hi"}]}}]}
    {"candidates": [{"content": {"parts": [{"functionCall": {"name": "f", "args": {"a": 1}}}]}}]}
    {"functionCall": {"partialArgs": [{"jsonPath": "$.a", "stringValue": "x"}], "willContinue": true}}
    {"candidates": [{"finishReason": "STOP"}]}

The SDK's objects have names with underscores, the wire's have capitals. A call comes whole. Only with argument
streaming (Vertex) it comes in `partialArgs`: their values are collected by path, and the call's JSON is given when it
ends. It is opened by a single `{` at once, so a call that is cut never looks complete.
"""

from __future__ import annotations

import base64
import re
from functools import cache
from typing import Any

from streamparse.providers.call import Call, dumped
from streamparse.providers.deltas import Delta, ReasoningDelta, TextDelta
from streamparse.providers.fields import Fields, child, fields, items, text
from streamparse.providers.finish import read_error, read_finish
from streamparse.providers.keys import CallKeys

#: `$.a.b[0]['c']`: a name, an index, or a quoted name.
_STEP = re.compile(r"""\.?([^.\[\]'"$]+)|\[(\d{1,6})\]|\[(?:'([^']*)'|"([^"]*)")\]""")
_STREAMED = "partial_args"  # where the call that is streamed is found again


def read(chunk: Fields, keys: CallKeys) -> list[Delta] | None:
    """The deltas of a chunk with `candidates` (which may be None); None for anything else."""
    candidates = chunk.get("candidates")
    if not isinstance(candidates, (list, tuple)) and (candidates is not None or not _is_response(chunk)):
        return None
    deltas: list[Delta] = []
    for item in candidates or ():
        candidate = fields(item)
        if not candidate.get("index"):  # of several alternatives the first is read
            deltas += _read_candidate(candidate, keys)
    return deltas or read_error(chunk) or _read_block(fields(either(chunk, "prompt_feedback")))


def _is_response(chunk: Fields) -> bool:
    """Whether a chunk without candidates is of this kind all the same: the one with the token counts, or a refusal."""
    return "candidates" in chunk or "usageMetadata" in chunk or "promptFeedback" in chunk


def _read_block(feedback: Fields) -> list[Delta]:
    """Why the prompt was refused, if it was."""
    return read_finish(feedback, "block_reason") or read_finish(feedback, "blockReason")


def _read_candidate(candidate: Fields, keys: CallKeys) -> list[Delta]:
    deltas: list[Delta] = []
    for part in items(child(candidate, "content"), "parts"):
        deltas += _read_part(fields(part), keys)
    finish = read_finish(candidate, "finish_reason") or read_finish(candidate, "finishReason")
    if finish:
        keys.finish()
    return deltas + finish


def _read_part(part: Fields, keys: CallKeys) -> list[Delta]:
    function_call = either(part, "function_call")
    if function_call is not None:  # an empty one ends a call that was streamed
        return _read_call(fields(function_call), _signature(part), keys)
    piece = text(part, "text")
    if not piece:
        return []
    return [ReasoningDelta(piece) if part.get("thought") is True else TextDelta(piece)]


def _read_call(function_call: Fields, signature: str, keys: CallKeys) -> list[Delta]:
    call_id, name = text(function_call, "id"), text(function_call, "name")
    partial = either(function_call, "partial_args")
    will_continue = either(function_call, "will_continue") is True
    call = keys.at(_STREAMED)
    if not partial and not will_continue and (call is None or name):
        whole = function_call.get("args") or {}
        return keys.open(call_id or None, call_id).read(call_id, name, whole, state=_state(signature))
    if call is None or name:
        call = keys.open(_STREAMED, call_id)
        call.held = {}
    deltas = call.read(call_id, name, "" if call.has_arguments else "{", state=_state(signature))
    for value in partial if isinstance(partial, (list, tuple)) else ():
        _put(call.held, fields(value))
    return deltas if will_continue else deltas + _end(call, keys)


def _signature(part: Fields) -> str:
    """What must be given back with the call in the next turn. The SDK decodes it, the wire has it in base64."""
    value = either(part, "thought_signature")
    if isinstance(value, bytes):
        return base64.b64encode(value).decode("ascii")
    return value if isinstance(value, str) else ""


def _state(signature: str) -> dict[str, str] | None:
    return {"thought_signature": signature} if signature else None


def _end(call: Call, keys: CallKeys) -> list[Delta]:
    keys.close(_STREAMED)
    return [call.more(dumped(call.held)[1:] if call.held else "}"), *call.end()]


def _put(target: dict[str, Any], partial: Fields) -> None:
    """Put a partial value where its path says; a string continues the string that is there. Bad paths are ignored."""
    steps: list[int | str] = []
    for name, number, single, double in _STEP.findall(text(partial, "json_path") or text(partial, "jsonPath")):
        steps.append(int(number) if number else name or single or double)
    if not steps:
        return
    here: Any = target
    for step, then in zip(steps, [*steps[1:], None], strict=True):
        if isinstance(here, list) and isinstance(step, int) and step <= len(here):
            here.extend([None] * (step + 1 - len(here)))
            there = here[step]
        elif isinstance(here, dict) and isinstance(step, str):
            there = here.get(step)
        else:
            return
        if then is None:
            here[step] = _value(partial, there)
        elif not isinstance(there, (dict, list)):
            there = here[step] = [] if isinstance(then, int) else {}
        here = there


class _String:
    """A string that may be continued. Pieces are joined once, when the call is written as JSON: O(n)."""

    def __init__(self) -> None:
        self.pieces: list[str] = []

    def __str__(self) -> str:
        return "".join(self.pieces)


def _value(partial: Fields, before: object) -> object:
    piece = either(partial, "string_value")
    if isinstance(piece, str):
        string = before if isinstance(before, _String) else _String()
        string.pieces.append(piece)
        return string
    number, flag = either(partial, "number_value"), either(partial, "bool_value")
    if isinstance(number, float) and number.is_integer():
        return int(number)
    if isinstance(number, (int, float)):
        return number
    return flag if isinstance(flag, bool) else None


def either(source: Fields, name: str) -> Any:
    """The field `name`, spelled as the SDK does or as the wire does."""
    value = source.get(name)
    return source.get(_camel(name)) if value is None else value


@cache
def _camel(name: str) -> str:
    first, *rest = name.split("_")
    return first + "".join(word.title() for word in rest)
