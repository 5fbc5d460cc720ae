"""An editor, as the tests of the agent for editors need one."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import acp
from acp import schema
from acp.client.connection import ClientSideConnection


class Editor:
    """What an editor does: it keeps updates, and answers questions with what `answers` say, then with "allow"."""

    def __init__(self, *answers: str) -> None:
        self.updates: list[tuple[str, Any]] = []
        self.asked: list[Any] = []
        self.answers = list(answers)
        self.has_asked = asyncio.Event()
        self.has_news = asyncio.Event()

    async def session_update(self, session_id: str, update: Any, **_: Any) -> None:
        self.updates.append((session_id, update))
        self.has_news.set()

    async def request_permission(self, session_id: str, tool_call: Any, options: list[Any], **_: Any) -> Any:
        self.asked.append(tool_call)
        self.has_asked.set()
        assert [option.kind for option in options] == ["allow_once", "allow_always", "reject_once", "reject_always"]
        answer = self.answers.pop(0) if self.answers else "allow_once"
        if answer == "fails":
            raise acp.RequestError(-32000, "There is no window")
        if answer == "wait":
            await asyncio.sleep(1_000)
        if answer == "cancelled":
            return schema.RequestPermissionResponse(outcome=schema.DeniedOutcome(outcome="cancelled"))
        return schema.RequestPermissionResponse(outcome=schema.AllowedOutcome(outcome="selected", option_id=answer))

    def on_connect(self, conn: object) -> None:
        pass

    async def until(self, text: str) -> None:
        """Wait for an update in which the text stands."""
        while not any(text in str(update) for _, update in self.updates):
            self.has_news.clear()
            await asyncio.wait_for(self.has_news.wait(), 20)

    async def process(self) -> Path:
        """Wait for a command that tells its id; where the system keeps that process."""
        while not (found := re.search(r"pid=(\d+)", str(self.updates))):
            self.has_news.clear()
            await asyncio.wait_for(self.has_news.wait(), 20)
        return Path("/proc", found[1])

    def said(self, kind: str, session_id: str | None = None) -> str:
        return "".join(
            update.content.text
            for name, update in self.updates
            if update.session_update == kind and session_id in (None, name)
        )

    def statuses(self) -> list[tuple[str, str | None]]:
        return [
            (update.tool_call_id, update.status)
            for _, update in self.updates
            if getattr(update, "status", None) is not None
        ]


async def new_session(connection: ClientSideConnection, folder: Path, servers: Sequence[Any] = ()) -> str:
    return (await connection.new_session(cwd=str(folder), mcp_servers=list(servers))).session_id


async def prompt(connection: ClientSideConnection, session: str, text: str = "go") -> str:
    return (await connection.prompt(session_id=session, prompt=[acp.text_block(text)])).stop_reason
