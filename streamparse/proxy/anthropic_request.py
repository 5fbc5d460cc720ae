"""A request for Anthropic's Messages, as one for Chat Completions: what Claude Code asks of a model server.

    {"model": "m", "max_tokens": 64,                        {"model": "m", "max_tokens": 64,
     "system": [{"type": "text", "text": "Be brief."}],      "messages": [{"role": "system", "content": "Be brief."},
     "messages": [{"role": "user", "content": "Oslo?"}],                  {"role": "user", "content": "Oslo?"}],
     "tools": [{"name": "f", "input_schema": {…}}],          "tools": [{"type": "function", "function": {…}}],
     "tool_choice": {"type": "any"}}                         "tool_choice": "required"}

Left out is what a chat server has no use for:

- how Anthropic's servers work: `cache_control`, `metadata`, `service_tier`, `context_management` and the like;
- how the model thinks: `thinking` and `top_k`. `output_config.effort` is `reasoning_effort`;
- of the history: redacted thinking, signatures, citations, and what Anthropic's servers have searched and run;
- tools without a schema of their own, `web_search_20250305` or `bash_20250124`: Anthropic's servers and models know
  them, and nobody else;
- the first line of Claude Code's system prompt, `x-anthropic-billing-header: …`. It is another one in each request, so
  no server could keep what it has read of the prompt.

What the model would have to know and cannot be told is refused, with RequestError: a file or an address that only
Anthropic can read, a block of a kind that is not known, tools of which none is left. A result that is an error says so
in its text, since there is no field for it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, TypeAlias

from streamparse.arguments.json_text import to_json
from streamparse.errors import RequestError
from streamparse.proxy.chat_messages import ChatMessages, Json, Piece, file_part, function_tool, image_part, streamed
from streamparse.proxy.request_fields import parts_of, refused, text_field, unknown_role

#: What is called the same in both.
_SAME = ("model", "max_tokens", "temperature", "top_p")
_BILLING = "x-anthropic-billing-header:"
_ERROR = "Error: "
#: What only Anthropic's servers can read, what they have run, and what came of it.
_LEFT_OUT = ("redacted_thinking", "server_tool_use", "mcp_tool_use", "container_upload")
_SERVER_RESULT = "_tool_result"

#: Blocks, and where each stands.
_Blocks: TypeAlias = list[tuple[Json, str]]


def to_chat(body: Any) -> Json:
    """The body of the same request for Chat Completions. Raises RequestError for what cannot be said there."""
    if not isinstance(body, Mapping):
        raise RequestError("the body must be a JSON object")
    if body.get("mcp_servers"):
        raise RequestError("mcp_servers: this model server cannot call tools of MCP servers; declare them as tools")
    chat: Json = {name: body[name] for name in _SAME if body.get(name) is not None}
    chat["messages"] = _messages(body)
    if body.get("stop_sequences"):
        chat["stop"] = body["stop_sequences"]
    return chat | streamed(dict(body)) | _output(body) | _tools(body)


# -- messages ----------------------------------------------------------------------------------------------------------


def _messages(body: Mapping[str, Any]) -> list[Json]:
    given = body.get("messages")
    if not isinstance(given, list):
        raise RequestError("messages must be a list")
    messages = ChatMessages()
    for block, at in _blocks(body.get("system") or [], "system"):
        messages.system(_system_text(text_field(block, "text", at)))
    for place, message in enumerate(given):
        where = f"messages.{place}"
        role = message.get("role") if isinstance(message, Mapping) else None
        content = list(_blocks(message.get("content"), f"{where}.content")) if role else []
        match role:
            case "user":
                _user(content, messages)
            case "assistant":
                _assistant(content, messages)
            case "system":
                for block, at in content:
                    messages.system(text_field(block, "text", at))
            case _:
                raise unknown_role(role, where)
    return messages.finish()


def _system_text(text: str) -> str:
    """Without the line that Claude Code's servers are to read."""
    return text.partition("\n")[2] if text.startswith(_BILLING) else text


def _user(blocks: _Blocks, messages: ChatMessages) -> None:
    """Results stand first: they answer the message before."""
    pieces: list[Piece] = []
    for block, at in blocks:
        if block.get("type") == "tool_result":
            messages.result(text_field(block, "tool_use_id", at), _result(block, at))
        else:
            pieces += _pieces(block, at)
    if pieces or not any(block.get("type") == "tool_result" for block, _ in blocks):
        messages.user(pieces)


def _result(block: Json, where: str) -> list[Piece]:
    content = _blocks(block.get("content") or [], f"{where}.content")
    pieces = [piece for inner, at in content for piece in _pieces(inner, at)]
    if block.get("is_error") is not True:
        return pieces
    return [f"{_ERROR}{pieces[0]}", *pieces[1:]] if pieces and isinstance(pieces[0], str) else [_ERROR, *pieces]


def _assistant(blocks: _Blocks, messages: ChatMessages) -> None:
    messages.assistant()
    for block, at in blocks:
        kind = str(block.get("type"))
        match kind:
            case "text":
                messages.say(text_field(block, "text", at))
            case "thinking":
                messages.think(text_field(block, "thinking", at))
            case "tool_use":
                given = block.get("input")
                if not isinstance(given, Mapping):
                    raise RequestError(f"{at}.input must be an object")
                messages.call(text_field(block, "id", at), text_field(block, "name", at), to_json(given))
            case _ if kind in _LEFT_OUT or kind.endswith(_SERVER_RESULT):
                messages.assistant()  # what it says behind it is another paragraph
            case _:
                raise refused(block, at, "block")


def _pieces(block: Json, where: str) -> Iterator[Piece]:
    """What a block of the user, or of a result, says."""
    source = block.get("source")
    match block.get("type"):
        case "text":
            yield text_field(block, "text", where)
        case "image":
            yield image_part(_image_url(source, where))
        case "document":
            yield from _document(block, source, where)
        case "search_result":
            texts = [text_field(inner, "text", at) for inner, at in _blocks(block.get("content"), f"{where}.content")]
            yield "\n".join([text_field(block, "title", where), text_field(block, "source", where), *texts])
        case "tool_reference":
            yield f"The tool {text_field(block, 'tool_name', where)} is there."
        case _:
            raise refused(block, where, "block")


def _image_url(source: Any, where: str) -> str:
    match source:
        case {"type": "base64", "media_type": str(media_type), "data": str(data)}:
            return f"data:{media_type};base64,{data}"
        case {"type": "url", "url": str(url)}:
            return url
    raise RequestError(f"{where}.source: an image must be given as base64 or by its url")


def _document(block: Json, source: Any, where: str) -> Iterator[Piece]:
    yield from (text for name in ("title", "context") if isinstance(text := block.get(name), str))
    match source:
        case {"type": "text", "data": str(data)}:
            yield data
        case {"type": "content", "content": content}:
            for inner, at in _blocks(content, f"{where}.source.content"):
                yield from _pieces(inner, at)
        case {"type": "base64", "media_type": str(media_type), "data": str(data)}:
            yield file_part(f"data:{media_type};base64,{data}", block.get("title"))
        case _:
            raise RequestError(f"{where}.source: a document must be given as text, as content or as base64")


def _blocks(content: Any, where: str) -> Iterator[tuple[Json, str]]:
    return parts_of(content, where, "block")


# -- what the model is to do -------------------------------------------------------------------------------------------


def _output(body: Mapping[str, Any]) -> Json:
    """How much to think, and a schema of the answer."""
    config = body.get("output_config")
    config = config if isinstance(config, Mapping) else {}
    made: Json = {"reasoning_effort": config["effort"]} if config.get("effort") else {}
    match config.get("format") or body.get("output_format"):
        case {"type": "json_schema", "schema": schema}:
            described = {"name": "output", "schema": schema, "strict": True}
            made["response_format"] = {"type": "json_schema", "json_schema": described}
        case None:
            pass
        case _:
            raise RequestError("output_config.format: only a json_schema can be passed on to this model server")
    return made


def _tools(body: Mapping[str, Any]) -> Json:
    given = body.get("tools")
    given = [] if given is None else given
    if not isinstance(given, list) or not all(isinstance(tool, Mapping) for tool in given):
        raise RequestError("tools must be a list of tools")
    own = [tool for tool in given if "input_schema" in tool]
    if given and not own:
        kinds = ", ".join(str(tool.get("type")) for tool in given)
        raise RequestError(f"tools: {kinds}: only Anthropic's servers and models know these tools")
    if not own:
        return {}
    tools = [
        function_tool(
            text_field(tool, "name", f"tools.{place}"),
            tool["input_schema"],
            tool.get("description"),
            tool.get("strict"),
        )
        for place, tool in enumerate(own)
    ]
    return {"tools": tools, **_choice(body.get("tool_choice"), {tool["name"] for tool in own})}


def _choice(choice: Any, names: set[str]) -> Json:
    if choice is None:
        return {}
    made: Json
    match choice:
        case {"type": "auto" | "none" as kind}:
            made = {"tool_choice": kind}
        case {"type": "any"}:
            made = {"tool_choice": "required"}
        case {"type": "tool", "name": str(name)} if name in names:
            made = {"tool_choice": {"type": "function", "function": {"name": name}}}
        case _:
            raise RequestError(f"tool_choice is none that this model server can be told: {to_json(choice)}")
    return made | ({"parallel_tool_calls": False} if choice.get("disable_parallel_tool_use") is True else {})
