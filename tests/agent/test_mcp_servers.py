"""McpServers: real servers, by HTTP and as programs, that answer, die, or say nothing."""

from __future__ import annotations

import asyncio
import os
import signal
import sys
from pathlib import Path
from typing import Any

import pytest
import uvicorn

from streamparse import ToolInvocation
from streamparse.agent.mcp_servers import McpServerError, McpServers, Program, Url
from streamparse.presenter import Toolbox
from streamparse.presenter.execution import execute
from tests.agent import mcp_server
from tests.agent.kit import no_task_is_left

ROOT = Path(__file__).parents[2]


async def greet(tools: Toolbox, name: str) -> Any:
    tool = tools.get(name)
    assert tool is not None
    return await execute(tool, ToolInvocation("1", name, {"name": "Ada"}), print)


async def test_without_servers_there_is_nothing_to_do() -> None:
    servers = McpServers()
    assert len(await servers.connect([])) == 0
    await servers.close()


async def test_a_server_by_http_is_sent_the_headers() -> None:
    seen: set[bytes | None] = set()
    inner = mcp_server.server.streamable_http_app()

    async def app(scope: Any, receive: Any, send: Any) -> None:
        if scope["type"] == "http":
            seen.add(dict(scope["headers"]).get(b"x-key"))
        await inner(scope, receive, send)

    http = uvicorn.Server(uvicorn.Config(app, port=0, log_level="critical"))
    serving = asyncio.create_task(http.serve())
    while not http.started:
        await asyncio.sleep(0.005)
    port = http.servers[0].sockets[0].getsockname()[1]
    servers = McpServers()
    try:
        tools = await servers.connect([Url("web", f"http://127.0.0.1:{port}/mcp", {"X-Key": "secret"})])
        assert [tool.spec.name for tool in tools] == ["web_greet"]
        assert (await greet(tools, "web_greet")).content == "Hello, Ada!"
    finally:
        await servers.close()
        http.should_exit = True
        await serving
    assert seen == {b"secret"}
    await no_task_is_left()


async def test_a_server_that_dies_makes_its_tools_fail_and_nothing_else(tmp_path: Path) -> None:
    environment = {"PYTHONPATH": str(ROOT), "PID_FILE": str(tmp_path / "pid")}
    servers = McpServers()
    tools = await servers.connect([Program("a", sys.executable, ["-m", "tests.agent.mcp_server"], environment)])
    assert (await greet(tools, "a_greet")).content == "Hello, Ada!"
    os.kill(int((tmp_path / "pid").read_text()), signal.SIGKILL)
    assert (await asyncio.wait_for(greet(tools, "a_greet"), 20)).is_error
    await servers.close()
    await no_task_is_left()


async def test_a_server_that_says_nothing_is_not_waited_for(tmp_path: Path) -> None:
    servers = McpServers(patience=0.3)
    pid = tmp_path / "pid"
    with pytest.raises(McpServerError, match="the MCP server mute did not answer"):
        await servers.connect([Program("mute", "/bin/sh", ["-c", f"echo $$ > {pid}; exec sleep 1000"])])
    assert not Path("/proc", pid.read_text().strip()).exists()
    await servers.close()
    await no_task_is_left()
