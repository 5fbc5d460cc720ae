"""mcp_tools: the tools of a server that speaks the Model Context Protocol, to be run like any others.

    import mcp                                                # pip install "mcp>=2.3"

    async with mcp.Client("http://localhost:8000/mcp") as client:
        tools = Toolbox.of({"search": search}) | await mcp_tools(client)

A client is made of a URL, of a program to be started (`mcp.StdioServerParameters`) or of a server in the same process.
"""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable, Sequence
from functools import partial
from typing import Any, Protocol

from streamparse.config import ToolSpec
from streamparse.messages.results import ToolResult
from streamparse.presenter.tool import TIMEOUT, Tool, Toolbox, ToolContext

#: A server that names one more page each time has no end.
_MOST_PAGES = 100
_LONGEST_NAME = 64


class _Listed(Protocol):
    @property
    def tools(self) -> Sequence[Any]: ...
    @property
    def next_cursor(self) -> str | None: ...


class McpClient(Protocol):
    """What is needed of `mcp.Client`."""

    def list_tools(self, *, cursor: str | None = None) -> Awaitable[_Listed]:
        """One page of the server's tools."""

    @property
    def call_tool(self) -> Callable[..., Awaitable[Any]]:
        """Run one of them."""


async def mcp_tools(
    client: McpClient, *, prefix: str = "", trust_annotations: bool = False, timeout: float | None = TIMEOUT
) -> Toolbox:
    """All tools of the server that `client` is connected to. `prefix` stands before their names.

    In a name, what most models' servers refuse becomes `_`. What a server says of its own tools is not believed unless
    `trust_annotations` says so: then those that it calls read-only are. Raises ValueError if two tools have the same
    name, or if there is no end to the tools.
    """
    tools: list[Tool] = []
    cursor: str | None = None
    for _ in range(_MOST_PAGES):
        page = await client.list_tools(cursor=cursor)
        for listed in page.tools:
            hints = listed.annotations if trust_annotations else None
            spec = ToolSpec(_plain(prefix + listed.name), listed.input_schema, description=listed.description or "")
            is_read_only = bool(hints is not None and hints.read_only_hint)
            tools.append(Tool(spec, partial(_call, client, listed.name), True, is_read_only, timeout))
        cursor = page.next_cursor
        if not cursor:
            return Toolbox(tools)
    raise ValueError(f"the server has more than {_MOST_PAGES} pages of tools")


def _plain(name: str) -> str:
    """What may stand in the declaration of a tool."""
    return re.sub(r"[^A-Za-z0-9_-]+", "_", name)[:_LONGEST_NAME]


async def _call(client: McpClient, name: str, arguments: dict[str, Any], context: ToolContext) -> ToolResult:
    async def report(progress: float, total: float | None, message: str | None) -> None:
        of = "" if total is None else f" of {total:g}"
        context.progress(message or f"{progress:g}{of}")

    result = await client.call_tool(name, arguments, progress_callback=report)
    return ToolResult(_content_of(result), is_error=bool(result.is_error))


def _content_of(result: Any) -> Any:
    """The text of a result; other things, such as pictures, as plain data; what has a structure of its own as that."""
    blocks = [block.text if block.type == "text" else block.model_dump(mode="json") for block in result.content]
    if all(isinstance(block, str) for block in blocks):
        return "\n".join(blocks) or (result.structured_content if result.structured_content is not None else "")
    return blocks[0] if len(blocks) == 1 else blocks
