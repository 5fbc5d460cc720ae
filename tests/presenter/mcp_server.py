"""A server of tools, which speaks the Model Context Protocol: in the process of a test, or by itself on stdio."""

from __future__ import annotations

from typing import Any

from mcp.server import MCPServer
from mcp.server.mcpserver import Context
from mcp.types import ImageContent, TextContent, ToolAnnotations

server = MCPServer("test")


@server.tool(annotations=ToolAnnotations(read_only_hint=True))
def add(a: int, b: int) -> str:
    """Add two numbers."""
    return str(a + b)


@server.tool()
async def slow(ctx: Context) -> str:  # type: ignore[type-arg]
    """Report, and then return."""
    await ctx.report_progress(1, 2)
    await ctx.report_progress(1, None)
    await ctx.report_progress(2, 2, "nearly")
    return "done"


@server.tool()
def fail() -> str:
    """Fail."""
    raise ValueError("it failed")


@server.tool(structured_output=False)
def picture(several: bool) -> Any:
    """Give a picture."""
    image = ImageContent(type="image", data="AAAA", mime_type="image/png")
    return [image, TextContent(type="text", text="a cat")] if several else image


if __name__ == "__main__":
    server.run("stdio")
