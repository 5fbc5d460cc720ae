"""Ollama: a `message` per chunk, and `done`.

    {"message": {"thinking": "Hm"}, "done": false}
    {"message": {"content": "Hi", "tool_calls": [{"function": {"name": "f", "arguments": {"a": 1}}}]}, "done": false}
    {"message": {"content": ""}, "done": true, "done_reason": "stop", "prompt_eval_count": 9, "eval_count": 12}
    {"response": "Hi", "done": false}                                                            (/api/generate)

Calls come whole, as objects, each a call of its own: the server's ids are often dropped on the way. Nothing must go
back. A request without a prompt loads or unloads a model (`done_reason` load, unload): an empty reply that is complete.
"""

from __future__ import annotations

from streamparse.providers.content import read_content
from streamparse.providers.deltas import Delta, File, ReasoningDelta
from streamparse.providers.fields import Fields, child, fields, items, plain, text, told
from streamparse.providers.finish import read_finish
from streamparse.providers.memory import Memory

_COUNTS = (
    *("prompt_eval_count", "eval_count", "total_duration", "load_duration"),
    *("prompt_eval_duration", "eval_duration"),
)


def read(chunk: Fields, memory: Memory) -> list[Delta] | None:
    """The deltas of a chunk with `done` and a `message` or `response`; None for anything else."""
    done = chunk.get("done")
    if not isinstance(done, bool) and done is not None:
        return None
    message = chunk.get("message")
    if message is not None and (done is not None or chunk.get("created_at") is not None):
        deltas = _read_message(fields(message), "content", memory)
    elif done is not None and isinstance(chunk.get("response"), str):
        deltas = _read_message(chunk, "response", memory)
    else:
        return None
    if memory.about.model is None:
        memory.about.note(chunk)
    if not done:
        return deltas
    memory.about.count(told(chunk, *_COUNTS))
    finish = read_finish(chunk, "done_reason")
    if finish:
        memory.calls.finish()
    return deltas + finish


def _read_message(message: Fields, content: str, memory: Memory) -> list[Delta]:
    thinking = text(message, "thinking")
    deltas: list[Delta] = [ReasoningDelta(thinking)] if thinking else []
    deltas += read_content(text(message, content))
    for image in (message.get("image"), *items(message, "images")):
        if image:  # base64; the SDK has an object around it
            value = plain(image if isinstance(image, str | bytes) else fields(image).get("value"))
            deltas += [File({}, value)] if isinstance(value, str) else []
    for call in map(fields, items(message, "tool_calls")):
        function, call_id = child(call, "function"), text(call, "id")
        arguments = function.get("arguments")
        new = memory.calls.open(None, call_id)
        deltas += new.read(call_id, text(function, "name"), {} if arguments is None else arguments) + new.end()
    return deltas
