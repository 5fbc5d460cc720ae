"""McpServers: connections to servers of the Model Context Protocol that are kept while a conversation lasts.

    servers = McpServers()
    tools = await servers.connect([Program("files", "/usr/bin/mcp-files"), Url("docs", "https://example.com/mcp")])
    …
    await servers.close()

A connection must be left by the task that made it, whoever uses it, so they have one of their own. The only module that
knows the package `mcp`, which is part of the extra `agent`.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import Mapping, Sequence
from contextlib import AsyncExitStack
from typing import Any, TypeAlias

import httpx2
import mcp
from attrs import field, frozen
from mcp.client.streamable_http import streamable_http_client

from streamparse.errors import StreamparseError, in_words
from streamparse.presenter import Toolbox, mcp_tools

#: How long a server may take to say what it has, in seconds.
PATIENCE = 30.0
#: How long a tool or a server may be silent, in seconds: as long as the package itself allows.
_SILENCE = httpx2.Timeout(30.0, read=300.0)


class McpServerError(StreamparseError):
    """A server cannot be reached; the message names it and says why."""


@frozen
class Program:
    """A server that is started, and talked to by its standard input and output."""

    name: str
    command: str
    arguments: Sequence[str] = ()
    environment: Mapping[str, str] = field(factory=dict, repr=False)
    folder: str | None = None


@frozen
class Url:
    """A server that is there already."""

    name: str
    url: str
    headers: Mapping[str, str] = field(factory=dict, repr=False)


AnyServer: TypeAlias = Program | Url


class McpServers:
    """The servers of one conversation."""

    def __init__(self, *, patience: float = PATIENCE) -> None:
        self._patience = patience
        self._is_over = asyncio.Event()
        self._keeper: asyncio.Task[None] | None = None

    async def connect(self, servers: Sequence[AnyServer]) -> Toolbox:
        """Their tools, with the names of the servers before theirs. Raises McpServerError, and then none is left."""
        if not servers:
            return Toolbox()
        tools: asyncio.Future[Toolbox] = asyncio.get_running_loop().create_future()
        self._keeper = asyncio.create_task(self._keep(servers, tools))
        try:
            waited_for: set[asyncio.Future[Any]] = {self._keeper, tools}
            await asyncio.wait(waited_for, return_when=asyncio.FIRST_COMPLETED)
            if not tools.done():
                await self._keeper  # it has failed, and says why
            return tools.result()
        except BaseException:
            await self.close()
            raise

    async def close(self) -> None:
        """Leave them all; programs that were started are ended."""
        self._is_over.set()
        keeper, self._keeper = self._keeper, None
        if keeper is not None:
            if not keeper.done():
                keeper.cancel()
            await asyncio.wait({keeper})

    async def _keep(self, servers: Sequence[AnyServer], tools: asyncio.Future[Toolbox]) -> None:
        async with AsyncExitStack() as stack:
            found = Toolbox()
            for server in servers:
                try:
                    async with asyncio.timeout(self._patience):
                        client = await stack.enter_async_context(await _client(server, stack))
                        found |= await mcp_tools(client, prefix=f"{_plain(server.name)}_")
                except TimeoutError:
                    raise McpServerError(f"the MCP server {server.name} did not answer") from None
                except Exception as error:
                    raise McpServerError(f"the MCP server {server.name}: {in_words(error)}") from error
            tools.set_result(found)
            await self._is_over.wait()


async def _client(server: AnyServer, stack: AsyncExitStack) -> mcp.Client:
    if isinstance(server, Program):
        return mcp.Client(
            mcp.StdioServerParameters(
                command=server.command, args=list(server.arguments), env=dict(server.environment), cwd=server.folder
            )
        )
    client = await stack.enter_async_context(httpx2.AsyncClient(headers=dict(server.headers), timeout=_SILENCE))
    return mcp.Client(streamable_http_client(server.url, http_client=client))


def _plain(name: str) -> str:
    """What may stand in the name of a tool."""
    return re.sub(r"[^A-Za-z0-9_-]+", "_", name)[:32]
