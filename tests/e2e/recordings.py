"""What providers put on the wire for the same reply: whole, cut by its length, and broken off by an error.

The reply thinks, says something, calls two tools at once and writes a file whose content has escapes, in pieces that
are cut anywhere.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any

CODE = 'print("é 😀\t\\n")\n# "end"\n'
WEATHER = {"city": "Zürich"}
COMMAND = {"command": "ls -l"}
FILE = {"path": "src/hello.py", "content": CODE}


def cut(source: str, size: int = 5) -> list[str]:
    return [source[place : place + size] for place in range(0, len(source), size)]


#: Everything beyond ASCII is escaped, as some providers do; the cuts go through \u00e9 and the pair of an emoji.
FILE_PIECES = cut(json.dumps(FILE))
#: Where the reply is cut off: inside of the content, between the halves of the emoji.
SHORT_PIECES = cut(json.dumps(FILE)[: json.dumps(FILE).index("\\ude00")])
SHORT_CODE = 'print("é '


def sse(events: Iterable[dict[str, Any]], *, named: bool = False, done: bool = False) -> bytes:
    lines = []
    for event in events:
        name = f"event: {event['type']}\n" if named else ""
        lines.append(f"{name}data: {json.dumps(event, ensure_ascii=False)}\n\n")
    return ("".join(lines) + ("data: [DONE]\n\n" if done else "")).encode()


# -- OpenAI Chat Completions -------------------------------------------------------------------------------------------


def _chat(finish: str | None = None, **delta: Any) -> dict[str, Any]:
    choice = {"index": 0, "delta": delta, "logprobs": None, "finish_reason": finish}
    return {"id": "chatcmpl-1", "object": "chat.completion.chunk", "created": 1, "model": "m", "choices": [choice]}


def _begin(index: int, call_id: str, name: str) -> dict[str, Any]:
    function = {"name": name, "arguments": ""}
    return _chat(tool_calls=[{"index": index, "id": call_id, "type": "function", "function": function}])


def _more(index: int, arguments: str) -> dict[str, Any]:
    return _chat(tool_calls=[{"index": index, "function": {"arguments": arguments}}])


_CHAT_BEFORE = [
    _chat(role="assistant", content=""),
    *(_chat(reasoning_content=piece) for piece in ("Let me ", "see.")),
    *(_chat(content=piece) for piece in ("Writing ", "it.\n")),
    *(_begin(0, "call_1", "get_weather"), _more(0, '{"city": "Zü')),
    *(_begin(1, "call_2", "run_bash"), _more(1, '{"command": "ls')),
    *(_more(0, 'rich"}'), _more(1, ' -l"}'), _begin(2, "call_3", "write_file")),
]
_USAGE = {**_chat(), "choices": [], "usage": {"prompt_tokens": 1, "completion_tokens": 2, "total_tokens": 3}}

CHAT = sse([*_CHAT_BEFORE, *(_more(2, piece) for piece in FILE_PIECES), _chat("tool_calls"), _USAGE], done=True)
CHAT_SHORT = sse([*_CHAT_BEFORE, *(_more(2, piece) for piece in SHORT_PIECES), _chat("length"), _USAGE], done=True)
CHAT_ERROR = sse(
    [
        *(*_CHAT_BEFORE, *(_more(2, piece) for piece in SHORT_PIECES)),
        {"error": {"message": "The server had an error", "type": "server_error", "param": None, "code": None}},
    ],
    done=True,
)


# -- OpenAI Responses --------------------------------------------------------------------------------------------------


def _responses(events: Iterable[dict[str, Any]]) -> bytes:
    return sse(({**event, "sequence_number": number} for number, event in enumerate(events)), named=True)


def _item(number: int, name: str, arguments: str = "", status: str = "in_progress") -> dict[str, Any]:
    ids = {"id": f"fc_{number}", "call_id": f"call_{number}"}
    return {"type": "function_call", **ids, "name": name, "arguments": arguments, "status": status}


def _added(number: int, name: str) -> dict[str, Any]:
    return {"type": "response.output_item.added", "output_index": number, "item": _item(number, name)}


def _delta(number: int, delta: str) -> dict[str, Any]:
    place = {"item_id": f"fc_{number}", "output_index": number}
    return {"type": "response.function_call_arguments.delta", **place, "delta": delta}


def _done(number: int, name: str, arguments: str) -> list[dict[str, Any]]:
    place = {"item_id": f"fc_{number}", "output_index": number}
    item = _item(number, name, arguments, "completed")
    return [
        {"type": "response.function_call_arguments.done", **place, "arguments": arguments},
        {"type": "response.output_item.done", "output_index": number, "item": item},
    ]


def _response(kind: str, status: str, **fields: Any) -> dict[str, Any]:
    basics = {"id": "resp_1", "object": "response", "created_at": 1, "model": "m", "output": [], "tools": []}
    return {"type": f"response.{kind}", "response": {**basics, "status": status, "error": None, **fields}}


_MESSAGE = {"item_id": "msg_1", "output_index": 0, "content_index": 0}
_RESPONSES_BEFORE = [
    *(_response("created", "in_progress"), _response("in_progress", "in_progress")),
    *(
        {"type": "response.reasoning_summary_text.delta", "item_id": "rs_1", "output_index": 0, "summary_index": 0}
        | {"delta": piece}
        for piece in ("Let me ", "see.")
    ),
    {"type": "response.reasoning_summary_text.done", "item_id": "rs_1", "output_index": 0, "text": "Let me see."},
    {"type": "response.output_item.added", "output_index": 0, "item": {"type": "message", "id": "msg_1"}},
    *({"type": "response.output_text.delta", **_MESSAGE, "delta": piece} for piece in ("Writing ", "it.\n")),
    {"type": "response.output_text.done", **_MESSAGE, "text": "Writing it.\n"},
    *(_added(1, "get_weather"), _delta(1, '{"city": "Zü'), _added(2, "run_bash"), _delta(2, '{"command": "ls')),
    *(_delta(1, 'rich"}'), *_done(1, "get_weather", '{"city": "Zürich"}')),
    *(_delta(2, ' -l"}'), *_done(2, "run_bash", '{"command": "ls -l"}'), _added(3, "write_file")),
]

RESPONSES = _responses(
    [
        *(*_RESPONSES_BEFORE, *(_delta(3, piece) for piece in FILE_PIECES)),
        *(*_done(3, "write_file", json.dumps(FILE)), _response("completed", "completed")),
    ]
)
RESPONSES_SHORT = _responses(
    [
        *(*_RESPONSES_BEFORE, *(_delta(3, piece) for piece in SHORT_PIECES)),
        _response("incomplete", "incomplete", incomplete_details={"reason": "max_output_tokens"}),
    ]
)
RESPONSES_ERROR = _responses(
    [
        *(*_RESPONSES_BEFORE, *(_delta(3, piece) for piece in SHORT_PIECES)),
        _response("failed", "failed", error={"code": "server_error", "message": "The server had an error"}),
    ]
)


# -- Anthropic Messages ------------------------------------------------------------------------------------------------


def _block(index: int, block: dict[str, Any], deltas: Iterable[dict[str, Any]]) -> list[dict[str, Any]]:
    return [
        {"type": "content_block_start", "index": index, "content_block": block},
        *({"type": "content_block_delta", "index": index, "delta": delta} for delta in deltas),
        {"type": "content_block_stop", "index": index},
    ]


def _use(index: int, name: str, pieces: Iterable[str]) -> list[dict[str, Any]]:
    block = {"type": "tool_use", "id": f"toolu_{index - 1}", "name": name, "input": {}}
    return _block(index, block, ({"type": "input_json_delta", "partial_json": piece} for piece in ("", *pieces)))


def _anthropic(pieces: Iterable[str], *ending: dict[str, Any]) -> bytes:
    message = {"id": "msg_1", "type": "message", "role": "assistant", "model": "m", "content": []}
    thinking = [{"type": "thinking_delta", "thinking": piece} for piece in ("Let me ", "see.")]
    events = [
        {
            "type": "message_start",
            "message": {
                **message,
                "stop_reason": None,
                "stop_sequence": None,
                "usage": {"input_tokens": 1, "output_tokens": 1},
            },
        },
        {"type": "ping"},
        *_block(
            0,
            {"type": "thinking", "thinking": "", "signature": ""},
            [*thinking, {"type": "signature_delta", "signature": "eHg="}],
        ),
        *_block(
            1,
            {"type": "text", "text": ""},
            [{"type": "text_delta", "text": piece} for piece in ("Writing ", "it.\n")],
        ),
        *_use(2, "get_weather", ['{"city": "Zü', 'rich"}']),
        *_use(3, "run_bash", ['{"command": "ls', ' -l"}']),
        *_use(4, "write_file", pieces),
    ]
    return sse([*events[: -1 if ending[0]["type"] == "error" else None], *ending], named=True)


def _message_delta(reason: str) -> list[dict[str, Any]]:
    delta = {"stop_reason": reason, "stop_sequence": None}
    return [{"type": "message_delta", "delta": delta, "usage": {"output_tokens": 9}}, {"type": "message_stop"}]


ANTHROPIC = _anthropic(FILE_PIECES, *_message_delta("tool_use"))
ANTHROPIC_SHORT = _anthropic(SHORT_PIECES, *_message_delta("max_tokens"))
ANTHROPIC_ERROR = _anthropic(
    SHORT_PIECES, {"type": "error", "error": {"type": "overloaded_error", "message": "The server had an error"}}
)


# -- Ollama ------------------------------------------------------------------------------------------------------------


def _ollama(*messages: dict[str, Any], reason: str | None) -> bytes:
    basics = {"model": "m", "created_at": "2026-01-01T00:00:00Z"}
    lines = [
        {**basics, "message": {"role": "assistant", "content": "", **message}, "done": False} for message in messages
    ]
    last = {**basics, "message": {"role": "assistant", "content": ""}, "done": True, "done_reason": reason}
    ending = last if reason else {"error": "The server had an error"}
    return "".join(json.dumps(line, ensure_ascii=False) + "\n" for line in (*lines, ending)).encode()


def _function(name: str, arguments: dict[str, Any]) -> dict[str, Any]:
    return {"function": {"name": name, "arguments": arguments}}


_OLLAMA_BEFORE = (
    *({"thinking": piece} for piece in ("Let me ", "see.")),
    *({"content": piece} for piece in ("Writing ", "it.\n")),
)
_OLLAMA_CALLS = (
    {"tool_calls": [_function("get_weather", WEATHER), _function("run_bash", COMMAND)]},
    {"tool_calls": [_function("write_file", FILE)]},
)
OLLAMA = _ollama(*_OLLAMA_BEFORE, *_OLLAMA_CALLS, reason="stop")
#: Ollama sends whole calls: it is the text that is cut.
OLLAMA_SHORT = _ollama(*_OLLAMA_CALLS, *_OLLAMA_BEFORE, reason="length")
OLLAMA_ERROR = _ollama(*_OLLAMA_CALLS, *_OLLAMA_BEFORE, reason=None)

_SSE, _LINES = "text/event-stream; charset=utf-8", "application/x-ndjson"

RECORDINGS = {
    "chat": (_SSE, CHAT),
    "chat short": (_SSE, CHAT_SHORT),
    "chat error": (_SSE, CHAT_ERROR),
    "responses": (_SSE, RESPONSES),
    "responses short": (_SSE, RESPONSES_SHORT),
    "responses error": (_SSE, RESPONSES_ERROR),
    "anthropic": (_SSE, ANTHROPIC),
    "anthropic short": (_SSE, ANTHROPIC_SHORT),
    "anthropic error": (_SSE, ANTHROPIC_ERROR),
    "ollama": (_LINES, OLLAMA),
    "ollama short": (_LINES, OLLAMA_SHORT),
    "ollama error": (_LINES, OLLAMA_ERROR),
}
