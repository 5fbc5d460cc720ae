"""A request for OpenAI's Responses, as one for Chat Completions: what Codex asks of a model server.

    {"model": "m", "instructions": "Be brief.",             {"model": "m",
     "input": [{"role": "user", "content": "Oslo?"},         "messages": [{"role": "system", "content": "Be brief."},
       {"type": "function_call", "call_id": "c1", …},                     {"role": "user", "content": "Oslo?"},
       {"type": "function_call_output", …}],                              {"role": "assistant", "tool_calls": […]},
     "tools": [{"type": "custom", "name": "apply_patch"}]}                {"role": "tool", …}], "tools": […]}

Nothing is kept between two requests, so all that was said must be in `input`: `previous_response_id`, `conversation`,
`prompt`, references to items and what only OpenAI's servers can read are refused, with RequestError.

A tool that is no function becomes one: a custom tool takes one text, a local shell a command, and the tools of a
namespace have its name before their own. `ResponsesRequest.items` tells `ResponsesEncoder` how to write their calls, so
that the client sees them as it declared them. Tools that OpenAI's servers run, such as web_search, are left out, and so
is what they have done so far; if no tool is left, the request is refused. Left out are also encrypted reasoning and
what is said about OpenAI's servers: `store`, `include`, `metadata`, `service_tier` and the like.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from attrs import frozen

from streamparse.arguments.json_text import to_json
from streamparse.encoders import ToolItem
from streamparse.encoders.item_arguments import INPUT
from streamparse.errors import RequestError
from streamparse.proxy.chat_messages import ChatMessages, Json, Piece, file_part, function_tool, image_part, streamed
from streamparse.proxy.request_fields import parts_of, refused, text_field, unknown_role

#: What is called the same in both.
_SAME = ("model", "temperature", "top_p")
#: What would have to be kept from one request to the next, or is known to OpenAI alone.
_KEPT = ("previous_response_id", "conversation", "prompt", "background")
#: Items of what OpenAI's servers have run; and others that only they can read, but nobody misses.
_LEFT_OUT = (
    *("web_search_call", "file_search_call", "code_interpreter_call", "image_generation_call"),
    *("mcp_call", "mcp_list_tools", "mcp_approval_request", "mcp_approval_response"),
    *("tool_search_call", "tool_search_output", "program", "program_output"),
)
_SHELL = "local_shell"
_COMMAND = {
    "type": "object",
    "properties": {
        "command": {"type": "array", "items": {"type": "string"}, "description": "The program and its arguments."},
        "working_directory": {"type": "string"},
        "timeout_ms": {"type": "integer"},
    },
    "required": ["command"],
}


@frozen
class ResponsesRequest:
    """The body for Chat Completions, and what the calls of tools are that the client did not declare as functions."""

    body: Json
    items: dict[str, ToolItem]


def to_chat(body: Any) -> ResponsesRequest:
    """The same request for Chat Completions. Raises RequestError for what cannot be said there."""
    if not isinstance(body, Mapping):
        raise RequestError("the body must be a JSON object")
    for name in _KEPT:
        if body.get(name):
            raise RequestError(f"{name}: this server keeps nothing; send all items of the conversation as input")
    tools = _Tools()
    chat: Json = {name: body[name] for name in _SAME if body.get(name) is not None}
    chat["messages"] = _Conversation(tools).messages(body)
    if body.get("max_output_tokens") is not None:
        chat["max_tokens"] = body["max_output_tokens"]
    tools.add(body.get("tools"), "tools")
    chat |= streamed(dict(body)) | _output(body) | tools.chosen(body)
    return ResponsesRequest(chat, tools.items)


def _output(body: Mapping[str, Any]) -> Json:
    """How much to think, and what the answer is to look like."""
    reasoning, text = body.get("reasoning"), body.get("text")
    made: Json = {}
    if isinstance(reasoning, Mapping) and reasoning.get("effort"):
        made["reasoning_effort"] = reasoning["effort"]
    match text.get("format") if isinstance(text, Mapping) else None:
        case None | {"type": "text"}:
            pass
        case {"type": "json_object"}:
            made["response_format"] = {"type": "json_object"}
        case {"type": "json_schema", **schema}:
            made["response_format"] = {"type": "json_schema", "json_schema": schema}
        case _:
            raise RequestError("text.format: this model server can be told of text, json_object and json_schema")
    return made


# -- the conversation --------------------------------------------------------------------------------------------------


class _Conversation:
    """Instructions and input, as messages."""

    def __init__(self, tools: _Tools) -> None:
        self._tools = tools
        self._chat = ChatMessages()

    def messages(self, body: Mapping[str, Any]) -> list[Json]:
        instructions, given = body.get("instructions"), body.get("input")
        if isinstance(instructions, str):
            self._chat.system(instructions)
        if isinstance(given, str):
            given = [{"role": "user", "content": given}]
        for item, at in parts_of(given, "input", "item"):
            self._item(item, at)
        return self._chat.finish()

    def _item(self, item: Mapping[str, Any], where: str) -> None:
        kind = item.get("type", "message" if "role" in item else None)
        match kind:
            case "message":
                self._message(item, where)
            case "reasoning":
                self._chat.assistant()
                self._chat.think("\n\n".join(_thoughts(item)))
            case "function_call":
                self._call(item, text_field(item, "arguments", where) or "{}", where)
            case "custom_tool_call":
                self._call(item, to_json({INPUT: text_field(item, INPUT, where)}), where)
            case "local_shell_call":
                self._shell_call(item, where)
            case "function_call_output" | "custom_tool_call_output" | "local_shell_call_output":
                call_id = text_field(item, "call_id" if "call_id" in item else "id", where)
                self._chat.result(call_id, list(_pieces(item.get("output"), f"{where}.output")))
            case "additional_tools":
                self._tools.add(item.get("tools"), f"{where}.tools")
            case _ if kind not in _LEFT_OUT:
                raise refused(item, where, "item")

    def _message(self, item: Mapping[str, Any], where: str) -> None:
        pieces = list(_pieces(item.get("content"), f"{where}.content"))
        texts = [piece for piece in pieces if isinstance(piece, str)]
        match item.get("role"):
            case "user":
                self._chat.user(pieces)
            case "assistant":
                self._chat.assistant()
                for text in texts:
                    self._chat.say(text)
            case "system" | "developer":
                self._chat.system("\n\n".join(texts))
            case role:
                raise unknown_role(role, where)

    def _call(self, item: Mapping[str, Any], arguments: str, where: str) -> None:
        name = _in_namespace(text_field(item, "name", where), item.get("namespace"))
        self._chat.assistant()
        self._chat.call(text_field(item, "call_id", where), name, arguments)

    def _shell_call(self, item: Mapping[str, Any], where: str) -> None:
        action = item.get("action")
        if not isinstance(action, Mapping):
            raise RequestError(f"{where}.action must be an object")
        given = {name: action[name] for name in _COMMAND["properties"] if action.get(name) is not None}
        self._chat.assistant()
        self._chat.call(text_field(item, "call_id", where), _SHELL, to_json(given))


def _thoughts(item: Mapping[str, Any]) -> Iterator[str]:
    """The reasoning itself, if it is there; else its summary."""
    parts = item.get("content") or item.get("summary")
    for part in parts if isinstance(parts, list) else ():
        if isinstance(part, Mapping) and isinstance(part.get("text"), str):
            yield part["text"]


def _pieces(content: Any, where: str) -> Iterator[Piece]:
    """What the parts of a content say."""
    for part, at in parts_of(content, where, "part"):
        match part:
            case {"type": "input_text" | "output_text" | "text", "text": str(text)}:
                yield text
            case {"type": "refusal", "refusal": str(text)}:
                yield text
            case {"type": "input_image", "image_url": str(url)}:
                yield image_part(url, part.get("detail"))
            case {"type": "input_file", "file_data": str(data)}:
                yield file_part(data, part.get("filename"))
            case {"type": "input_image" | "input_file"}:
                raise RequestError(f"{at}: only OpenAI's servers can read this file; send its data")
            case _:
                raise refused(part, at, "part")


def _in_namespace(name: str, namespace: Any) -> str:
    """The name of a function that stands for a tool of a namespace, if there is one."""
    return name if namespace is None else f"{namespace}__{name}"


# -- tools -------------------------------------------------------------------------------------------------------------


class _Tools:
    """The tools of a request as functions, and what their calls are."""

    def __init__(self) -> None:
        self.items: dict[str, ToolItem] = {}
        self._functions: dict[str, Json] = {}
        self._left_out: list[str] = []

    def add(self, tools: Any, where: str, namespace: str | None = None) -> None:
        """Declare these."""
        tools = [] if tools is None else tools
        if not isinstance(tools, list):
            raise RequestError(f"{where} must be a list")
        for place, tool in enumerate(tools):
            if not isinstance(tool, Mapping):
                raise RequestError(f"{where}.{place} must be a tool")
            self._add(tool, f"{where}.{place}", namespace)

    def _add(self, tool: Mapping[str, Any], where: str, namespace: str | None) -> None:
        match tool.get("type"):
            case "function":
                parameters = tool.get("parameters") or {"type": "object", "properties": {}}
                self._declare(tool, parameters, tool.get("description"), ("function_call", namespace), where)
            case "custom":
                parameters = {"type": "object", "properties": {INPUT: {"type": "string"}}, "required": [INPUT]}
                self._declare(tool, parameters, _described(tool), ("custom_tool_call", namespace), where)
            case "local_shell":
                told = {"name": _SHELL}
                self._declare(
                    told, _COMMAND, "Runs a command on the user's machine.", ("local_shell_call", None), where
                )
            case "namespace":
                self.add(tool.get("tools"), f"{where}.tools", text_field(tool, "name", where))
            case kind:
                self._left_out.append(str(kind))

    def _declare(
        self, tool: Mapping[str, Any], parameters: Json, description: Any, item: tuple[Any, str | None], where: str
    ) -> None:
        kind, namespace = item
        own = text_field(tool, "name", where)
        name = _in_namespace(own, namespace)
        self._functions[name] = function_tool(name, parameters, description, tool.get("strict"))
        if kind != "function_call" or namespace is not None:
            self.items[name] = ToolItem(kind, own, namespace)

    def chosen(self, body: Mapping[str, Any]) -> Json:
        """What the request says of tools. Those that may not be called are not declared."""
        if self._left_out and not self._functions:
            kinds = ", ".join(self._left_out)
            raise RequestError(f"tools: {kinds}: this model server cannot run these tools")
        if not self._functions:
            return {}
        made: Json = {"tools": list(self._functions.values())}
        match body.get("tool_choice"):
            case None:
                pass
            case "auto" | "none" | "required" as choice:
                made["tool_choice"] = choice
            case Mapping() as choice if (name := self._named(choice)) is not None:
                made["tool_choice"] = {"type": "function", "function": {"name": name}}
            case {"type": "allowed_tools", "mode": "auto" | "required" as mode, "tools": [*tools]} if allowed := [
                name for tool in tools if (name := self._named(tool)) is not None
            ]:
                made = {"tools": [self._functions[name] for name in allowed], "tool_choice": mode}
            case choice:
                raise RequestError(f"tool_choice is none that this model server can be told: {to_json(choice)}")
        if body.get("parallel_tool_calls") is not None:
            made["parallel_tool_calls"] = body["parallel_tool_calls"]
        return made

    def _named(self, choice: Any) -> str | None:
        """The name of the function that is meant, if there is one."""
        match choice:
            case {"type": "function" | "custom", "name": str(own)}:
                name = _in_namespace(own, choice.get("namespace"))
                return name if name in self._functions else None
            case {"type": "local_shell"}:
                return _SHELL if _SHELL in self._functions else None
        return None


def _described(tool: Mapping[str, Any]) -> str:
    """The description of a tool that takes a plain text; what the text must look like is said there, too."""
    description = tool.get("description")
    told = description if isinstance(description, str) else ""
    match tool.get("format"):
        case {"type": "grammar", "syntax": str(syntax), "definition": str(definition)}:
            told += f"\n\nThe {INPUT} must follow this grammar ({syntax}):\n{definition}"
    return told.strip()
