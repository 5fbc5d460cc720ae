"""Items of a Responses stream that are calls, or results of calls: who runs them, and what they say.

    function_call        "arguments": "{}"                            a call of the function
    custom_tool_call     "input": "SELECT 1"                          a call of the tool; its input is raw text
    apply_patch_call     "operation": {"type": "update_file", "path": "a.py", "diff": "@@\\n-a\\n+b"}
                                       a call of patch_file {"operation": "update_file", "path": "a.py", "patch": …}
    local_shell_call     "action": {"command": ["ls", "-a"]}          a call of run_bash {"command": "ls -a"}
    shell_call           "action": {"commands": ["cd a", "ls"]}       a call of run_bash {"command": "cd a\\nls"}
    computer_call, tool_search_call, mcp_approval_request             a call named after the type
    web_search_call, mcp_call, code_interpreter_call, …               run by the provider
    shell_call_output, mcp_list_tools, …                              what came of such a thing

Whatever has another type is the provider's own: it is shown, and nobody runs it.

The state of a call or result is all of its item that is told nowhere else: `type` (of a plain function none), `id`,
`namespace`, `caller`, `server_label`, `container_id` and the like, `status` if it is "failed"; `lengths` are those of
several commands of a shell. A result that is an error has `is_error`.
"""

from __future__ import annotations

import shlex
from typing import Any

from streamparse.providers.deltas import Delta, File, ServerResult
from streamparse.providers.fields import Fields, child, fields, items, plain, text
from streamparse.providers.json_text import as_json, as_text
from streamparse.providers.openai_chat import read_url
from streamparse.wire import present

#: Where the arguments stand that come in pieces, by the type of the item: JSON, or raw text.
JSON_FIELDS = {"function_call": "arguments", "mcp_call": "arguments"}
RAW_FIELDS = {"custom_tool_call": "input", "code_interpreter_call": "code", "program": "code"}
#: Where the name of the tool stands in the item itself.
_NAMED = ("function_call", "custom_tool_call", "mcp_call")
#: Calls with a body that is no JSON; JSON is written around it, so they are like all others.
_TOOLS = {"apply_patch_call": "patch_file", "local_shell_call": "run_bash", "shell_call": "run_bash"}
_CLIENTS = ("function_call", "apply_patch_call", "local_shell_call", "computer_call", "mcp_approval_request")
#: The ids of calls that xAI has run.
_SERVER_ID = "xs_call_"
#: Fields that are told as arguments, content or metadata, that only repeat these, or that servers do not take back.
_NO_STATE = frozenset(
    (
        *("call_id", "name", "arguments", "parsed_arguments", "input", "output", "error", "action", "actions", "code"),
        *("queries", "results", "outputs", "result", "operation", "pending_safety_checks", "tools", "content", "role"),
        *("prompt", "revised_prompt", "size", "quality", "background", "output_format", "summary", "status"),
        "created_by",
    )
)
_IMAGE = ("prompt", "revised_prompt", "action", "size", "quality", "background", "output_format")


def is_result(kind: str) -> bool:
    """Whether an item of this type says what came of a call."""
    return kind.endswith("_output") or kind == "mcp_list_tools"


def is_server(item: Fields, kind: str) -> bool | None:
    """Whether the provider runs the call; None if that is not certain before the reply has ended."""
    if kind in _CLIENTS:
        return False
    if kind == "custom_tool_call":
        return text(item, "call_id").startswith(_SERVER_ID)
    if kind == "tool_search_call":
        return text(item, "execution") != "client"
    if kind == "shell_call":
        place = text(child(item, "environment"), "type")
        return place != "local" if place else None
    return True


def state_of(item: Fields, kind: str) -> dict[str, Any]:
    """What must go back besides what is told elsewhere."""
    known = plain(item)
    state = {str(name).rstrip("_"): value for name, value in known.items() if name not in _NO_STATE and value}
    if kind in ("function_call", "message", "reasoning"):
        state.pop("type", None)
    if text(item, "status") == "failed":
        state["status"] = "failed"
    commands = _commands(item) if kind == "shell_call" else []
    if len(commands) > 1:
        state["lengths"] = [len(command) for command in commands]
    return state


def call_id_of(item: Fields) -> str:
    """The id to answer with: of items without one, their own."""
    return text(item, "call_id") or text(item, "id")


def name_of(item: Fields, kind: str, is_server: bool) -> str:
    """The name of the tool."""
    if kind in _NAMED:
        return text(item, "name")
    return kind.removesuffix("_call") if is_server else _TOOLS.get(kind, kind)


# -- arguments ---------------------------------------------------------------------------------------------------------


def is_written(kind: str, is_server: bool) -> bool:
    """Whether the call's JSON is written around a body: `head`, then `body` with `escaped` pieces, then `tail`."""
    return kind in _TOOLS and not is_server


def head(item: Fields, kind: str) -> str:
    """The JSON in front of the body."""
    if kind != "apply_patch_call":
        return '{"command": "'
    operation = child(item, "operation")
    known = present(operation=text(operation, "type"), path=text(operation, "path"))
    return _members(known, "{", ", ") + '"patch": "'


def body(item: Fields, kind: str) -> str:
    """All of the body."""
    if kind == "apply_patch_call":
        return text(child(item, "operation"), "diff")
    return shlex.join(_words(item)) if kind == "local_shell_call" else "\n".join(_commands(item))


def tail(item: Fields, kind: str) -> str:
    """The JSON behind it: whatever else the item says of what to do."""
    action = plain(item.get("action")) if kind != "apply_patch_call" else None
    rest = action if isinstance(action, dict) else {}
    told = ("command", "commands", "type")
    return '"' + _members({name: rest[name] for name in rest if name not in told and rest[name]}, ", ", "") + "}"


def _members(values: dict[str, Any], before: str, behind: str) -> str:
    written = ", ".join(f"{as_json(name)}: {as_json(value)}" for name, value in values.items())
    return f"{before}{written}{behind}" if written else before.strip(", ")


def _words(item: Fields) -> list[str]:
    return [word for word in items(child(item, "action"), "command") if isinstance(word, str)]


def _commands(item: Fields) -> list[str]:
    return [command for command in items(child(item, "action"), "commands") if isinstance(command, str)]


def arguments_of(item: Fields, kind: str) -> dict[str, Any] | str:
    """The arguments of a call that come all at once, with the item."""
    if kind == "web_search_call":
        return {name: value for name, value in _object(item.get("action")).items() if name != "sources"}
    if kind == "shell_call":
        return _object(item.get("action"))
    if kind == "tool_search_call":
        arguments = item.get("arguments")
        return arguments if isinstance(arguments, str) else _object(arguments)
    names = {
        "file_search_call": ("queries",),
        "image_generation_call": _IMAGE,
        "computer_call": ("action", "actions", "pending_safety_checks"),
        "mcp_approval_request": ("server_label", "name", "arguments"),
    }.get(kind)
    known = _object(item)
    if names is None:  # of a type that nobody knows
        return {name: value for name, value in known.items() if name not in ("type", "id", "status", "call_id")}
    return {name: known[name] for name in names if known.get(name)}


def _object(value: object) -> dict[str, Any]:
    known = plain(value)
    return known if isinstance(known, dict) else {}


# -- results -----------------------------------------------------------------------------------------------------------


def read_result(item: Fields, kind: str) -> list[Delta]:
    """An item that is the result of another, or the list of a server's tools."""
    state = state_of(item, kind)
    name = kind.removesuffix("_output").removesuffix("_call")
    if item.get("error"):
        state["is_error"] = True
    told = [item.get(field) for field in ("error", "output", "result", "tools")]
    content = next((value for value in told if value is not None), None)
    return [ServerResult(_written(content), name, call_id_of(item), state)]


def read_outcome(item: Fields, kind: str, name: str) -> list[Delta]:
    """What the item of a call that the provider has run says of what came of it."""
    call_id = call_id_of(item)
    if kind == "image_generation_call" and text(item, "result"):
        return _read_image(item, call_id)
    if item.get("error"):
        return [ServerResult(_written(item.get("error")), name, call_id, {"is_error": True})]
    if kind == "code_interpreter_call":
        return _read_outputs(item, name, call_id)
    if kind == "web_search_call":
        found: object = items(child(item, "action"), "sources") or None
    elif kind == "file_search_call":
        found = items(item, "results") or None
    else:
        found = item.get("output")
    return [] if found is None else [ServerResult(_written(found), name, call_id)]


def _read_outputs(item: Fields, name: str, call_id: str) -> list[Delta]:
    """What a program printed, and the images that it made."""
    outputs = [fields(output) for output in items(item, "outputs")]
    printed = [plain(output) for output in outputs if text(output, "type") != "image"]
    deltas: list[Delta] = [ServerResult(_written(printed), name, call_id)] if printed else []
    for output in outputs:
        if text(output, "type") == "image":
            deltas += _files(text(output, "url"), call_id)
    return deltas


def _read_image(item: Fields, call_id: str) -> list[Delta]:
    result, form = text(item, "result"), text(item, "output_format") or "png"
    if result.startswith(("data:", "http://", "https://")):
        return _files(result, call_id)
    media_type = "image/svg+xml" if form == "svg" else f"image/{form}"
    return [File({"media_type": media_type, "call_id": call_id}, result)]


def _files(url: str, call_id: str) -> list[Delta]:
    """The file at `url`, with the id of the call that made it."""
    found = (delta for delta in read_url(url) if isinstance(delta, File))
    return [File({**file.metadata, "call_id": call_id}, file.data) for file in found]


def _written(value: object) -> str:
    """A text as it is, anything else as JSON."""
    return as_text(plain(value))
