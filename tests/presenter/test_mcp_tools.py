"""Tools of real MCP servers: one in this process, one that is started and speaks by stdio."""

from __future__ import annotations

import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from streamparse.presenter import Presenter, Rules, Toolbox, ToolResult, mcp_tools
from tests.presenter.kit import call, present, reply_of

mcp = pytest.importorskip("mcp")
ROOT = Path(__file__).parent.parent.parent


async def run(tools: Toolbox, *calls: str) -> tuple[list[str], list[ToolResult]]:
    presenter = Presenter(reply_of(*calls, tools=tools.specs), tools=tools, rules=Rules({"*": "allow"}))
    return await present(presenter), list(presenter.results.values())


async def test_a_server_in_this_process() -> None:
    from tests.presenter.mcp_server import server  # noqa: PLC0415

    async with mcp.Client(server) as client:
        tools = await mcp_tools(client, prefix="my_")
        assert [tool.spec.name for tool in tools] == ["my_add", "my_slow", "my_fail", "my_picture"]
        add = tools.get("my_add")
        assert add is not None
        assert (add.spec.description, add.is_read_only, add.is_async) == ("Add two numbers.", False, True)
        assert add.spec.parameters["required"] == ["a", "b"]
        _, results = await run(tools, '<tool name="my_add"><a>2</a></tool>', call("my_fail"))
        assert results[0] == ToolResult(
            "The call was not run: the arguments of my_add do not fit: b is missing.", is_error=True
        )
        assert results[1] == ToolResult("Error executing tool fail", is_error=True)
        shown, results = await run(tools, call("my_slow"))
        assert [one for one in shown if one.startswith("progress")] == [
            *("progress 1 of 2", "progress 1", "progress nearly"),
        ]
        assert results == [ToolResult("done")]
        image = {"type": "image", "data": "AAAA"}
        one, several = [
            (await tools.get("my_picture").run({"several": several}, SimpleNamespace())).content  # type: ignore[union-attr, arg-type]
            for several in (False, True)
        ]
        assert image.items() <= one.items()
        assert (image.items() <= several[0].items(), several[1]) == (True, "a cat")
        trusted = await mcp_tools(client, trust_annotations=True, timeout=5)
        assert [(tool.spec.name, tool.timeout) for tool in trusted if tool.is_read_only] == [("add", 5)]


async def test_a_server_that_is_started() -> None:
    server = mcp.StdioServerParameters(command=sys.executable, args=["-m", "tests.presenter.mcp_server"], cwd=ROOT)
    async with mcp.Client(server) as client:
        tools = Toolbox.of({"echo": lambda x: x}) | await mcp_tools(client)
        reply = reply_of(call("add", a=2, b=3), tools=tools.specs)
        presenter = Presenter(reply, tools=tools, rules=Rules({"*": "allow"}))
        await present(presenter)
        assert list(presenter.results.values()) == [ToolResult("5")]


class Paged:
    """A client whose list comes in two pages, and whose results have nothing but a structure."""

    def __init__(self) -> None:
        self.cursors: list[str | None] = []

    async def list_tools(self, *, cursor: str | None = None) -> Any:
        self.cursors.append(cursor)
        name = "second" if cursor else "first"
        listed = SimpleNamespace(name=name, input_schema={}, description=None, annotations=None)
        return SimpleNamespace(tools=[listed], next_cursor=None if cursor else "next")

    async def call_tool(self, name: str, arguments: dict[str, Any], **_: Any) -> Any:
        structured = {"name": name} if name == "first" else None
        return SimpleNamespace(content=[], structured_content=structured, is_error=None)


async def test_pages_and_structured_results() -> None:
    client = Paged()
    tools = await mcp_tools(client, trust_annotations=True)
    assert client.cursors == [None, "next"]
    _, results = await run(tools, call("first"), call("second"))
    assert results == [ToolResult({"name": "first"}), ToolResult("")]


class Endless(Paged):
    async def list_tools(self, *, cursor: str | None = None) -> Any:
        number = int(cursor or 0) + 1
        return SimpleNamespace(tools=[], next_cursor=str(number))


async def test_a_server_whose_tools_have_no_end() -> None:
    with pytest.raises(ValueError, match="the server has more than 100 pages of tools"):
        await mcp_tools(Endless())


class Odd(Paged):
    async def list_tools(self, *, cursor: str | None = None) -> Any:
        listed = SimpleNamespace(name="a.b\x1b[2J\n" + "c" * 100, input_schema={}, description=None, annotations=None)
        return SimpleNamespace(tools=[listed], next_cursor=None)


async def test_names_that_no_model_can_be_given() -> None:
    assert [spec.name for spec in (await mcp_tools(Odd(), prefix="x_")).specs] == ["x_a_b_2J_" + "c" * 55]
