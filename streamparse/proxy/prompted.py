"""Prompted mode: the body of a request with tools, for a model server that knows none.

    {"messages": [                                  {"messages": [
      {"role": "system", "content": "Be brief."},     {"role": "system", "content": "Be brief.\\n\\n# Tools …"},
      {"role": "user", "content": "Oslo?"},           {"role": "user", "content": "Oslo?"},
      {"role": "assistant", "tool_calls": […]},       {"role": "assistant", "content": "<tool_call>…</tool_call>"},
      {"role": "tool", "content": "12", …}],          {"role": "user", "content": "<tool_response>…"}]}
     "tools": […], "tool_choice": "required"}

The tools are taught in the system prompt, behind what stands there, so that a cache of prompts is of use. What was
called and answered before is written as the format writes it; what a tool has put out cannot end its result, and what
was called, or is said of a tool, cannot begin a turn (`formats/result_text.py`). A call that the format cannot express,
or whose arguments are no JSON object, is told in plain words, since without it the conversation could not go on.

Roles alternate (`messages/alternating.py`): so results are messages of the user, unless the server's template has
messages for results (`has_result_turns`). Reasoning stays in its own field, where a template that wants it finds it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, TypeAlias

from streamparse import formats
from streamparse.arguments.json_text import to_json
from streamparse.config import Tools
from streamparse.errors import RenderError, RequestError
from streamparse.formats import Format
from streamparse.messages.alternating import Content, alternating, joined, text_part
from streamparse.messages.text_format import write_call
from streamparse.messages.written import loaded
from streamparse.proxy.request_fields import unknown_role

Json: TypeAlias = dict[str, Any]

#: What of a request is about tools.
_ABOUT_TOOLS = ("tools", "tool_choice", "parallel_tool_calls")
_LEGACY = ("functions", "function_call")
#: Fields of messages that this mode writes anew.
_WRITTEN = ("role", "content", "tool_calls", "function_call", "refusal", "tool_call_id")
_SYSTEM, _RESULTS = ("system", "developer"), ("tool", "function")

_ONE_CALL = "Call at most one tool in a reply."
_NO_CALL = "Do not call a tool in your next reply."
_A_CALL = "You must call a tool in your next reply."


def rewrite(body: Mapping[str, Any], format: str | Format, *, has_result_turns: bool = False) -> Json:
    """The body of a request for Chat Completions without tools, which are taught as `format` writes them.

    Raises RequestError for what cannot be said that way. The body itself is not changed.
    """
    found = formats.get(format)
    messages = body.get("messages")
    if not isinstance(messages, list):
        raise RequestError("messages must be a list")
    if any(body.get(name) for name in _LEGACY):
        raise RequestError("functions and function_call are not supported: declare tools, and use tool_choice")
    tools = _declared(body.get("tools"))
    turns = alternating(_History(found, tools, has_result_turns).turns(messages))
    told = "\n\n".join(_told(body, tools, found))
    if told:
        system = turns.pop(0) if turns and turns[0]["role"] == "system" else {"role": "system", "content": ""}
        turns.insert(0, {**system, "content": joined(system["content"], told)})
    return {**{name: value for name, value in body.items() if name not in _ABOUT_TOOLS}, "messages": turns}


# -- what the system prompt says ---------------------------------------------------------------------------------------


def _declared(tools: Any) -> Tools:
    if not isinstance(tools, list | None):
        raise RequestError("tools must be a list")
    for place, tool in enumerate(tools or ()):
        if not isinstance(tool, Mapping) or tool.get("type", "function") != "function":
            raise RequestError(f"tools.{place}: only tools of type function can be taught to this model")
    try:
        return Tools.of(tools)
    except (TypeError, ValueError) as error:
        raise RequestError(f"tools: {error}") from error


def _told(body: Mapping[str, Any], tools: Tools, format: Format) -> Iterator[str]:
    """The instructions, and what the request wants of the next reply."""
    if not tools:
        return
    try:
        yield format.instructions(tools.values())
    except RenderError as error:
        raise RequestError(f"the tools cannot be taught to this model: {error}") from error
    if body.get("parallel_tool_calls") is False:
        yield _ONE_CALL
    yield from _wanted(body.get("tool_choice"), tools)


def _wanted(choice: Any, tools: Tools) -> Iterator[str]:
    match choice:
        case None | "auto":
            return
        case "none":
            yield _NO_CALL
        case "required":
            yield _A_CALL
        case {"type": "function", "function": {"name": str(name)}}:
            yield f"You must call the tool {_known(name, tools)} in your next reply, and no other one."
        case {"type": "allowed_tools", "allowed_tools": {"mode": mode, "tools": [*allowed]}}:
            names = [_known(_named(tool), tools) for tool in allowed]
            yield f"In your next reply, call no other tools than these: {', '.join(names)}."
            if mode == "required":
                yield _A_CALL
        case _:
            raise RequestError(f"tool_choice is none that this model can be told: {to_json(choice)}")


def _named(tool: Any) -> Any:
    match tool:
        case {"function": {"name": name}} | {"name": name}:
            return name
    return tool


def _known(name: Any, tools: Tools) -> str:
    if not isinstance(name, str) or name.lower() not in tools:
        raise RequestError(f"tool_choice names {name!r}, which is not among the tools")
    return name


# -- the conversation --------------------------------------------------------------------------------------------------


class _History:
    """What was said, called and answered so far, as messages of the system, the user and the assistant."""

    def __init__(self, format: Format, tools: Tools, has_result_turns: bool) -> None:
        self._format = format
        self._tools = tools
        own_role = format.result_role  # RenderError for a format that has no prompt side
        self._result_role = own_role if has_result_turns else "user"
        self._names: dict[str, str] = {}  # of the tools, by the ids of their calls
        self._has_answered = False

    def turns(self, messages: list[Any]) -> Iterator[tuple[Json, bool]]:
        """A message for each message, and whether it is a result. Those of one role are not put together yet."""
        for place, message in enumerate(messages):
            role = message.get("role") if isinstance(message, Mapping) else None
            if role in _SYSTEM:
                yield _kept(message, "system", _content(message, place)), False
            elif role == "user":
                yield _kept(message, "user", _content(message, place)), False
            elif role == "assistant":
                self._has_answered = True
                yield _kept(message, "assistant", self._said(message, place)), False
            elif role in _RESULTS:
                # What nobody has asked for is the user's: in some templates results have the role of the system.
                result_role = self._result_role if self._has_answered else "user"
                yield {"role": result_role, "content": self._result(message, place)}, True
            else:
                raise unknown_role(role, f"messages.{place}")

    def _said(self, message: Mapping[str, Any], place: int) -> Content:
        """What the model said, and the calls behind it, each on a line of its own."""
        refusal = message.get("refusal")
        content = _content(message, place) or (refusal if isinstance(refusal, str) else "")
        legacy = message.get("function_call")
        calls = message.get("tool_calls") or ([{"function": legacy}] if legacy else [])
        if not isinstance(calls, list):
            raise RequestError(f"messages.{place}.tool_calls must be a list")
        where = f"messages.{place}.tool_calls"
        return joined(
            content, "\n".join(self._call(call, f"{where}.{number}") for number, call in enumerate(calls)), "\n"
        )

    def _call(self, call: Any, where: str) -> str:
        given: Any
        match call:
            case {"custom": {"name": str(name), "input": str() as given}}:
                arguments: Any = {"input": given}
            case {"function": {"name": str(name), **function}}:
                given = function.get("arguments") or "{}"
                arguments = loaded(given) if isinstance(given, str) else given
            case _:
                raise RequestError(f"{where} is no call of a function")
        call_id = call.get("id") if isinstance(call.get("id"), str) else None
        if call_id is not None:
            self._names[call_id] = name
        try:
            return write_call(self._format, name, arguments, call_id, self._tools)
        except RenderError:  # also where the arguments are no object
            told = given if isinstance(given, str) else to_json(given)
            return str(self._format.defused(f"I called the tool {name} with: {told}"))

    def _result(self, message: Mapping[str, Any], place: int) -> Content:
        content = _content(message, place)
        parts = _parts(content)
        text = "\n".join(part["text"] for part in parts if _is_text(part))
        others = [part for part in parts if not _is_text(part)]
        call_id = message.get("tool_call_id")
        name = self._names.get(call_id, "") if isinstance(call_id, str) else ""
        rendered = self._rendered(name or str(message.get("name") or "tool"), text, call_id)
        return [text_part(rendered), *others] if others else rendered

    def _rendered(self, name: str, text: str, call_id: Any) -> str:
        format, given = self._format, call_id if isinstance(call_id, str) else None
        rendered = format.render_message(name, text, given)
        if format.result_is_template and self._result_role == "user":
            # The tokens of its turn are the template's to write. In a message of the user it needs edges all the same.
            return formats.get("hermes").render_message(name, rendered)
        return rendered


def _kept(message: Mapping[str, Any], role: str, content: Content) -> Json:
    """The message with these, and with the fields that are no matter of this mode."""
    others = {name: value for name, value in message.items() if name not in _WRITTEN}
    return {"role": role, "content": content, **others}


def _content(message: Mapping[str, Any], place: int) -> Content:
    content = message.get("content")
    if content is None:
        return ""
    if isinstance(content, str):
        return content
    if isinstance(content, list) and all(isinstance(part, dict) for part in content):
        return content
    raise RequestError(f"messages.{place}.content must be a text or a list of parts")


def _parts(content: Content) -> list[Json]:
    return [text_part(content)] if isinstance(content, str) else content


def _is_text(part: Mapping[str, Any]) -> bool:
    """Also parts that other interfaces call `input_text` or `output_text`: some servers read those."""
    return isinstance(part.get("text"), str)
