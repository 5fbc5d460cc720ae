"""What the tests of the agent share: a project that a model makes, and an agent that runs to its end."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from openai import AsyncOpenAI

from streamparse.agent import Agent, AgentLimits
from streamparse.invocations import AnyItem
from streamparse.presenter import Rule, Rules, ToolLifecycle
from tests.agent.scripted_server import AnyReply, Calls, ScriptedServer, Text

#: Runs the tests of the project: a small program without the modules of the site, for the sake of speed.
CHECK = f"'{sys.executable}' -ISB test_calc.py"
CALC = "def add(a, b):\n    return a - b\n"
TEST = "import sys\nsys.path.insert(0, '.')\nfrom calc import add\nassert add(2, 3) == 5, add(2, 3)\nprint('passed')\n"
PATCH = "<<<<<<< SEARCH\n    return a - b\n=======\n    return a + b\n>>>>>>> REPLACE"

#: A model that makes a project, runs its tests, repairs what fails, and says so.
PROJECT: list[Calls | Text] = [
    Calls(("list_files", {}), text="Let me look."),
    Calls(
        ("write_file", {"path": "calc.py", "content": CALC}),
        ("write_file", {"path": "test_calc.py", "content": TEST}),
        text="An empty folder.",
    ),
    Calls(("run_bash", {"command": CHECK})),
    Calls(("patch_file", {"path": "calc.py", "patch": PATCH}), text="The sign is wrong."),
    Calls(("run_bash", {"command": CHECK})),
    Text("It works."),
]
ALLOW_ALL = [Rule("allow", "*")]
QUICK = AgentLimits(pause=0)


def allow_all() -> Rules:
    return Rules(ALLOW_ALL)


@asynccontextmanager
async def scripted(replies: Sequence[AnyReply], **options: Any) -> AsyncIterator[tuple[Agent, ScriptedServer]]:
    """An agent that asks a scripted server by the real client. Afterwards no task of it is left."""
    options = {"limits": QUICK, "rules": allow_all(), **options}
    with ScriptedServer(replies) as server:
        async with AsyncOpenAI(base_url=server.url, api_key="none", max_retries=0) as client:
            yield Agent(client, model="scripted", **options), server
    await no_task_is_left()


async def run(agent: Agent, task: str = "go") -> list[AnyItem]:
    return [item async for item in agent.run(task)]


def last_words(items: Sequence[AnyItem]) -> list[tuple[str, str]]:
    """The last state of each call, with its name."""
    return [(item.name, item.state) for item in items if isinstance(item, ToolLifecycle) and item.is_last]


def told(agent: Agent) -> list[str]:
    """What the model was told of its calls."""
    return [message["content"] for message in agent.messages if message["role"] == "tool"]


def files(root: Path) -> dict[str, str]:
    return {path.name: path.read_text() for path in sorted(root.iterdir()) if path.is_file()}


async def no_task_is_left() -> None:
    """All tasks but that of the test have ended. (Generators that the client leaves to Python are closed in tasks.)"""
    for _ in range(100):
        await asyncio.sleep(0)
    assert asyncio.all_tasks() - {asyncio.current_task()} == set()
