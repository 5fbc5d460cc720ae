"""
title: streamparse
description: The models of a server that knows no tools, or that leaks calls and thoughts into its text.

Install streamparse where Open WebUI is installed, paste this file under "Admin Panel", "Functions", and switch it on:
the models of the server are in the list then. The URL of the server and the format are its valves. Open WebUI gets the
chunks of Chat Completions: `reasoning_content` for what a model thinks, `tool_calls` for what it calls.
"""

from collections.abc import AsyncGenerator
from typing import Any

import httpx2  # a dependency of Open WebUI, too
from pydantic import BaseModel, Field

from streamparse.providers.sse import achunks
from streamparse.proxy import AsyncTransport, Settings


class Pipe:
    class Valves(BaseModel):
        """What an administrator can set."""

        base_url: str = Field("http://localhost:8000/v1", description="The API of the model server.")
        api_key: str = Field("none", description="Its key.")
        format: str = Field("auto", description="The format of the calls; auto: as the model is known to write.")
        prompted: bool = Field(True, description="Teach tools in the prompt, for a server that knows none.")

    def __init__(self) -> None:
        self.valves = self.Valves()

    async def pipes(self) -> list[dict[str, str]]:
        """The models of the server."""
        async with self._client() as client:
            response = await client.get("/models")
        return [{"id": model["id"], "name": model["id"]} for model in response.raise_for_status().json()["data"]]

    async def pipe(self, body: dict[str, Any]) -> dict[str, Any] | AsyncGenerator[dict[str, Any], None]:
        """The reply to a request: chunks as they come, or the whole."""
        request = {**body, "model": body["model"].partition(".")[2]}  # without the name of this function
        if request.get("stream"):
            return self._chunks(request)
        async with self._client() as client:
            response = await client.post("/chat/completions", json=request)
        whole: dict[str, Any] = response.json()
        return whole

    async def _chunks(self, request: dict[str, Any]) -> AsyncGenerator[dict[str, Any], None]:
        try:
            async with self._client() as client, client.stream("POST", "/chat/completions", json=request) as response:
                async for chunk in achunks(response.aiter_bytes()):  # the body of an error is one, too
                    yield chunk
        except httpx2.TransportError as error:
            yield {"error": {"message": f"the model server cannot be read ({type(error).__name__})"}}

    def _client(self) -> httpx2.AsyncClient:
        settings = Settings(format=self.valves.format, is_prompted=self.valves.prompted)
        return httpx2.AsyncClient(
            base_url=self.valves.base_url,
            headers={"authorization": f"Bearer {self.valves.api_key}"},
            transport=AsyncTransport(settings),
            timeout=None,
        )
