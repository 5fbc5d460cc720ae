"""The agent for editors as a program that the protocol's own client starts."""

from __future__ import annotations

import asyncio
import os
import sys
from pathlib import Path

import acp
import pytest

from tests.agent.editor import Editor, new_session, prompt
from tests.agent.kit import CALC, PROJECT
from tests.agent.scripted_server import Calls, ScriptedServer

ROOT = Path(__file__).parents[2]


async def test_the_program_makes_a_project_and_ends_with_its_editor(tmp_path: Path) -> None:
    editor = Editor()
    folder = tmp_path / "folder"
    folder.mkdir()
    script = [*PROJECT, Calls(("run_bash", {"command": "echo pid=$$; exec sleep 1000"}))]
    with ScriptedServer(script) as server:
        start = [sys.executable, "-m", "streamparse", "agent", "--acp", "--base-url", server.url, "--model", "m"]
        environment = {**os.environ, "PYTHONPATH": str(ROOT), "XDG_CACHE_HOME": str(tmp_path / "cache")}
        patient = {"shutdown_timeout": 60.0}  # it ends by itself, however busy the machine is
        async with acp.spawn_agent_process(editor, *start, env=environment, transport_kwargs=patient) as (
            connection,
            process,
        ):
            await connection.initialize(protocol_version=1)
            session = await new_session(connection, folder)
            assert await prompt(connection, session, "Make it.") == "end_turn"
            assert (folder / "calc.py").read_text() == CALC.replace("-", "+")
            working = asyncio.ensure_future(prompt(connection, session, "More."))
            command = await editor.process()
            assert command.exists()
    with pytest.raises(ConnectionError):
        await working
    assert process.returncode == 0
    assert not command.exists()
