r"""Calls of OpenAI Responses that the program runs, and their results, as items of the next request.

    {"type": "function_call", "id": "fc_1", "call_id": "c1", "name": "search", "arguments": "{\"query\": \"cats\"}"}
    {"type": "function_call_output", "call_id": "c1", "output": "…"}

| call | what its result may be |
|---|---|
| function_call, custom_tool_call, local_shell_call | a text, or other plain data as JSON |
| apply_patch_call | a text; `is_error` makes it "failed" |
| shell_call | the text that was printed, or a list of `{"stdout", "stderr", "outcome"}`, one for each command |
| computer_call | the url of a screenshot (`data:` or `http`), or `{"file_id": …}` |
| tool_search_call | the list of the tools that were found |
| mcp_approval_request | True or False; a text is the reason why not |

Of the last five, a result may also be a dict with the fields of the answering item itself, such as
`{"output": {…}, "acknowledged_safety_checks": […]}`. Calls of other interfaces and of text formats have no such state,
and are plain functions, but for custom tools of Chat Completions.
"""

from __future__ import annotations

import shlex
from collections.abc import Mapping
from typing import Any

from streamparse.invocations import ToolInvocation
from streamparse.messages.results import Answer
from streamparse.messages.written import written_arguments, written_input

#: Keys of states that are no fields of an item.
NO_FIELDS = frozenset(("type", "status", "lengths", "part", "store", "is_error"))
#: Calls that are worth nothing unless they are whole.
_WHOLE = ("computer_call", "tool_search_call", "mcp_approval_request")
#: Calls whose items must have a status.
_WITH_STATUS = ("apply_patch_call", "local_shell_call", "computer_call")
#: The field by which a dict shows that it is the answering item.
_FIELDS = {
    "apply_patch_call": "status",
    "shell_call": "output",
    "computer_call": "output",
    "tool_search_call": "tools",
    "mcp_approval_request": "approve",
}


def item_state(state: Mapping[str, Any] | None) -> Mapping[str, Any]:
    """The state of an item; without an id it is none."""
    return state if state and "id" in state else {}


def kind_of(call: ToolInvocation) -> str:
    """The type of the call's item."""
    kind = str((call.state or {}).get("type", ""))
    if kind in ("custom", "custom_tool_call"):  # the first is that of Chat Completions
        return "custom_tool_call"
    is_own = bool(item_state(call.state)) and (kind in _FIELDS or kind == "local_shell_call")
    return kind if is_own else "function_call"


def call_item(answer: Answer) -> dict[str, Any] | None:
    """The item of a call; None if so little of it came that no item can be written."""
    call, kind = answer.call, kind_of(answer.call)
    if kind in _WHOLE and not call.is_complete:
        return None
    item: dict[str, Any] = {"type": kind}
    item |= {name: value for name, value in item_state(call.state).items() if name not in NO_FIELDS}
    if kind != "mcp_approval_request":
        item["call_id"] = answer.call_id
    if kind in _WITH_STATUS:
        item["status"] = "completed"
    return item | _told(call, kind)


def _told(call: ToolInvocation, kind: str) -> dict[str, Any]:
    """The fields that are told as the name and the arguments of the call."""
    match kind:
        case "custom_tool_call":
            return {"name": call.name, "input": written_input(call)}
        case "apply_patch_call":
            return {"operation": _operation(call)}
        case "local_shell_call":
            return {"action": {"type": "exec", "command": _words(call), "env": {}, **_rest(call)}}
        case "shell_call":
            return {"action": {"commands": _commands(call), **_rest(call)}}
        case "computer_call":
            return {"pending_safety_checks": [], **call.arguments}
        case "tool_search_call":
            return {"arguments": call.arguments}
        case "mcp_approval_request":
            return {"name": "", "arguments": "{}", **call.arguments}
        case _:
            return {"name": call.name, "arguments": written_arguments(call)}


def _operation(call: ToolInvocation) -> dict[str, Any]:
    kind = call.arguments.get("operation", "update_file")
    operation = {"type": kind, "path": call.arguments.get("path", "")}
    return operation if kind == "delete_file" else {**operation, "diff": _body(call, "patch")}


def _words(call: ToolInvocation) -> list[str]:
    command = _body(call, "command")
    try:
        return shlex.split(command)
    except ValueError:  # it was cut off
        return [command]


def _commands(call: ToolInvocation) -> list[str]:
    """The commands that are the lines of one: a command may have lines of its own."""
    whole, begin = _body(call, "command"), 0
    commands = []
    for length in item_state(call.state).get("lengths", (len(whole),)):
        commands.append(whole[begin : begin + length])
        begin += length + 1
    return commands


def _body(call: ToolInvocation, name: str) -> str:
    given = call.arguments.get(name)
    return given if isinstance(given, str) else call.content or ""


def _rest(call: ToolInvocation) -> dict[str, Any]:
    """Whatever else is said of a command."""
    return {name: value for name, value in call.arguments.items() if name != "command"}


# -- results -----------------------------------------------------------------------------------------------------------


def result_item(answer: Answer) -> dict[str, Any]:
    """The item that answers a call. Raises ValueError if no item can say what the result says."""
    call, kind, data = answer.call, kind_of(answer.call), answer.data
    if kind == "mcp_approval_request":
        item: dict[str, Any] = {"type": "mcp_approval_response", "approval_request_id": answer.call_id}
    else:
        name = "tool_search_output" if kind == "tool_search_call" else f"{kind}_output"
        item = {"type": name, "call_id": answer.call_id}
    state = item_state(call.state)
    item |= {name: state[name] for name in ("caller", "execution") if name in state}
    if kind == "shell_call" and "max_output_length" in call.arguments:
        item["max_output_length"] = call.arguments["max_output_length"]
    if isinstance(data, dict) and _FIELDS.get(kind) in data:
        return item | data
    return item | _answered(answer, kind)


def _answered(answer: Answer, kind: str) -> dict[str, Any]:
    """The fields that say what came of the call."""
    data, content = answer.data, answer.content
    match kind:
        case "apply_patch_call":
            return {"status": "failed" if answer.is_error else "completed", "output": content}
        case "shell_call":
            return {"output": data if isinstance(data, list) else [_printed(answer)]}
        case "computer_call":
            return {"output": {"type": "computer_screenshot", **_screenshot(answer)}}
        case "tool_search_call":
            if not isinstance(data, list) and not answer.is_error:
                raise ValueError(f"the result of {answer.call_id}, a search for tools, is a list of tools")
            return {"tools": [] if answer.is_error else data}
        case "mcp_approval_request":
            return {"approve": data} if isinstance(data, bool) else {"approve": False, "reason": content}
        case _:
            return {"output": content}


def _printed(answer: Answer) -> dict[str, Any]:
    outcome = {"type": "exit", "exit_code": 1 if answer.is_error else 0}
    return {"stdout": answer.content, "stderr": "", "outcome": outcome}


def _screenshot(answer: Answer) -> dict[str, Any]:
    if isinstance(answer.data, dict):
        return answer.data
    if not answer.content.startswith(("data:", "http:", "https:")):
        raise ValueError(f"the result of {answer.call_id}, a call of the computer, is the url of a screenshot")
    return {"image_url": answer.content}
