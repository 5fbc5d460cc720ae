r"""OpenAI Responses: the items of the next request, where the server keeps none.

    {"type": "reasoning", "id": "rs_1", "summary": [{"type": "summary_text", "text": "…"}], "encrypted_content": "…"}
    {"type": "message", "id": "msg_1", "role": "assistant", "status": "completed", "phase": "commentary",
     "content": [{"type": "output_text", "text": "Let me see.", "annotations": []}]}
    {"type": "function_call", "id": "fc_1", "call_id": "c1", "name": "search", "arguments": "{\"query\": \"cats\"}"}
    {"type": "function_call_output", "call_id": "c1", "output": "…"}

Every item of the output goes back in its place, with its id. `responses_calls.py` writes the calls and their results;
what the provider ran is written here.

The server refuses an id whose reasoning is not there, and reasoning without the item behind it. So reasoning goes back
with its id, and the next item with its own; or neither does: reasoning that came without `encrypted_content` from a
server that does not store it, or that was cut off, is left out. What stands behind it then has no id: a message is a
plain one, and what the provider ran is left out, since it cannot be without. Text without an id is a plain message:

    {"type": "message", "role": "assistant", "content": "Let me see."}

Sources and files are no items. What was cut off is left out, except text, and calls of functions, which are answered
with their error.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import groupby
from typing import Any

from streamparse.events import SegmentType
from streamparse.messages.responses_calls import NO_FIELDS, call_item, item_state, result_item
from streamparse.messages.results import Answer, Messages, ReplyParts
from streamparse.messages.said import Media, Said, SaidPart
from streamparse.messages.written import loaded
from streamparse.segment import Segment

_TEXT, _REFUSAL, _REASONING = SegmentType.TEXT, SegmentType.REFUSAL, SegmentType.REASONING
_SERVER_TOOL, _SERVER_RESULT, _FILE = SegmentType.SERVER_TOOL, SegmentType.SERVER_RESULT, SegmentType.FILE
#: Segments that may be a part of an item, and the type of that.
_PARTS: dict[str, str] = {_TEXT: "message", _REFUSAL: "message", _REASONING: "reasoning"}
_TOOLS = ("web_search_call", "file_search_call", "code_interpreter_call", "image_generation_call", "mcp_call")
#: What the provider ran and cannot go back without an id, and what of it must have a status.
_NAMED = (*_TOOLS, "program", "program_output")
_WITH_STATUS = (*_TOOLS, "program_output")
#: What keeps its id in any case: it cannot be without, and an answer belongs to it.
_ALWAYS_NAMED = ("local_shell_call", "computer_call", "mcp_approval_request", "mcp_list_tools")


def build(reply: ReplyParts, answers: list[Answer]) -> Messages:
    """The items of the output, and one for each result."""
    calls = {answer.call.id: item for answer in answers if (item := call_item(answer)) is not None}
    results: dict[str, list[Segment]] = {}
    for segment in reply.segments:
        if segment.type in (_SERVER_RESULT, _FILE) and "call_id" in segment.metadata:
            results.setdefault(segment.metadata["call_id"], []).append(segment)
    items: list[dict[str, Any]] = []
    for _, group in groupby(filter(_is_item, reply.segments), _place):
        parts = list(group)
        kind = _PARTS.get(parts[0].type)
        if kind == "message":
            items += _message(parts)
        elif kind == "reasoning":
            items += _reasoning(parts)
        else:
            items += _call(parts[0], calls, results)
    return _paired(items), [result_item(answer) for answer in answers if answer.call.id in calls]


def say(said: Said) -> dict[str, Any]:
    """The message of a person, or a system prompt."""
    content = said.text if said.is_text else [_said(part) for part in said.content]
    return {"type": "message", "role": said.role, "content": content}


def _said(part: SaidPart) -> dict[str, Any]:
    if not isinstance(part, Media):
        return {"type": "input_text", "text": part}
    if part.is_image:
        return {"type": "input_image", "image_url": part.address, "detail": "auto"}
    if part.data is None:
        return {"type": "input_file", "file_url": part.address}
    return {"type": "input_file", "filename": part.name or "file", "file_data": part.address}


def _is_item(segment: Segment) -> bool:
    """Whether it is an item, or a part of one."""
    if segment.type == _SERVER_RESULT:
        return "type" in segment.state
    return segment.type in (*_PARTS, _SERVER_TOOL) or segment.call is not None


def _place(segment: Segment) -> tuple[str, str | None]:
    """Equal for neighbours that are parts of one item."""
    kind = _PARTS.get(segment.type)
    return (kind, item_state(segment.state).get("id")) if kind else ("", segment.id)


# -- messages and reasoning --------------------------------------------------------------------------------------------


def _message(parts: Sequence[Segment]) -> list[dict[str, Any]]:
    state = item_state(parts[0].state)
    if not state and not any(part.content.strip() for part in parts):
        return []
    content = [
        {"type": "refusal", "refusal": part.content}
        if part.type == _REFUSAL
        else {"type": "output_text", "text": part.content, "annotations": []}
        for part in parts
    ]
    message = {"type": "message", "status": "completed", **_fields(state), "role": "assistant", "content": content}
    return [message if state else _plain(message)]


def _plain(message: Mapping[str, Any]) -> dict[str, Any]:
    """The same message without its id: only its text counts, and its phase."""
    text = "".join(part.get("text") or part.get("refusal", "") for part in message["content"])
    phase = {"phase": message["phase"]} if "phase" in message else {}
    return {"type": "message", "role": "assistant", **phase, "content": text}


def _reasoning(parts: Sequence[Segment]) -> list[dict[str, Any]]:
    """An item of reasoning; without an id, if it cannot go back."""
    states = [item_state(part.state) for part in parts]
    state = {name: value for state in states for name, value in state.items()}
    if state.get("type") == "compaction":
        return [{"type": "compaction", **_fields(state)}]
    summary: list[dict[str, str]] = []
    content: list[dict[str, str]] = []
    for part in parts:
        kind = part.state.get("part", "summary_text")
        if part.content:
            (summary if kind == "summary_text" else content).append({"type": kind, "text": part.content})
    is_known = "encrypted_content" in state or content or state.get("store") is not False
    item = {"type": "reasoning", **(_fields(state) if is_known else {}), "summary": summary}
    return [{**item, "content": content} if content else item]


def _fields(state: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in state.items() if name not in NO_FIELDS}


def _paired(items: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    """Reasoning and the item behind it, both with their ids or neither."""
    is_followed: dict[int, bool] = {}
    has_id = False
    for place, item in reversed(list(enumerate(items))):
        is_followed[place] = has_id
        if item["type"] != "reasoning":
            has_id = "id" in item
    kept: list[dict[str, Any]] = []
    is_paired = True
    for place, item in enumerate(items):
        if item["type"] == "reasoning":
            is_paired = "id" in item and is_followed[place]
        if is_paired:
            kept.append(item)
        elif item["type"] not in ("reasoning", *_NAMED):
            kept.append(_without_id(item))
    return kept


def _without_id(item: dict[str, Any]) -> dict[str, Any]:
    if item["type"] in _ALWAYS_NAMED or "id" not in item:
        return item
    if item["type"] == "message":
        return _plain(item)
    return {name: value for name, value in item.items() if name != "id"}


# -- calls, and what the provider ran ----------------------------------------------------------------------------------


def _call(
    segment: Segment, calls: Mapping[str, dict[str, Any]], results: Mapping[str, list[Segment]]
) -> list[dict[str, Any]]:
    """The item of a call of the program, or of one that the provider ran, or of a result that is an item."""
    if segment.call is not None:
        return [calls[segment.id]] if segment.id in calls else []
    state, call_id = item_state(segment.state), segment.metadata.get("call_id", "")
    kind = state.get("type", "")
    if not kind or segment.status != "complete":
        return []
    item: dict[str, Any] = {"type": kind, **_fields(state)}
    if call_id != state["id"]:
        item["call_id"] = call_id
    if kind in _WITH_STATUS:
        item["status"] = state.get("status", "completed")
    if segment.type == _SERVER_RESULT:
        return [item | _result(segment, kind)]
    told = _SERVERS.get(kind, _other)(segment, results.get(call_id, ()))
    return [item | told] if told else []


def _result(segment: Segment, kind: str) -> dict[str, Any]:
    """The fields of a result that is an item."""
    content = segment.content
    if kind == "program_output":
        return {"result": content}
    if kind == "mcp_list_tools" and segment.state.get("is_error"):
        return {"tools": [], "error": content}
    data = loaded(content)
    if kind in ("mcp_list_tools", "tool_search_output"):
        return {"tools": data or []}
    return {"output": content if data is None else data}


def _action(segment: Segment, _results: Iterable[Segment]) -> dict[str, Any]:
    action = loaded(segment.content)
    return {"action": action} if action else {}


def _file_search(segment: Segment, results: Iterable[Segment]) -> dict[str, Any]:
    found = [loaded(result.content) for result in results]
    return {"queries": [], **_other(segment, ()), **({"results": found[0]} if found else {})}


def _program(segment: Segment, results: Iterable[Segment]) -> dict[str, Any]:
    outputs: list[Any] = []
    for result in results:
        if result.type == _FILE:
            outputs.append({"type": "image", "url": _url(result)})
        else:
            outputs += loaded(result.content) or []
    return {"code": segment.content, "outputs": outputs or None}


def _image(segment: Segment, results: Iterable[Segment]) -> dict[str, Any]:
    made = [result.content or result.metadata.get("url") for result in results if result.type == _FILE]
    return {**_other(segment, ()), "result": made[0] if made else None}


def _mcp(segment: Segment, results: Iterable[Segment]) -> dict[str, Any]:
    told: dict[str, Any] = {"name": segment.metadata.get("tool_name", ""), "arguments": segment.content}
    for result in results:
        if result.state.get("is_error"):
            error = loaded(result.content)
            is_whole = isinstance(error, dict)
            told["error"] = error if is_whole else {"type": "mcp_tool_execution_error", "content": result.content}
        else:
            told["output"] = result.content
    return told


def _search(segment: Segment, _results: Iterable[Segment]) -> dict[str, Any]:
    arguments = loaded(segment.content)
    return {"arguments": segment.content if arguments is None else arguments}


def _custom(segment: Segment, _results: Iterable[Segment]) -> dict[str, Any]:
    return {"name": segment.metadata.get("tool_name", ""), "input": segment.content}


def _code(segment: Segment, _results: Iterable[Segment]) -> dict[str, Any]:
    return {"code": segment.content}


def _other(segment: Segment, _results: Iterable[Segment]) -> dict[str, Any]:
    """The fields that the content has as JSON."""
    told = loaded(segment.content)
    return told if isinstance(told, dict) else {}


#: How each item of what the provider ran is written; all others as `_other` does.
_SERVERS: dict[str, Callable[[Segment, Iterable[Segment]], dict[str, Any]]] = {
    "web_search_call": _action,
    "shell_call": _action,
    "file_search_call": _file_search,
    "code_interpreter_call": _program,
    "image_generation_call": _image,
    "mcp_call": _mcp,
    "tool_search_call": _search,
    "custom_tool_call": _custom,
    "program": _code,
}


def _url(file: Segment) -> str:
    """The url of a file; a `data:` url if it came with its data."""
    if not file.content:
        return str(file.metadata.get("url", ""))
    return f"data:{file.metadata.get('media_type', '')};base64,{file.content}"
