"""A program that changes three files at once, again and again, and is killed when it moves a file for the nth time.

python -m tests.agent.killed ROOT N
"""

from __future__ import annotations

import asyncio
import json
import os
import signal
import sys
from typing import Any

from streamparse.agent import Agent, SessionLog
from streamparse.presenter import Rule, Rules
from streamparse.workspace import workspace_tools

NAMES = ("a.txt", "b.txt", "c.txt")


def count_up(messages: list[dict[str, Any]], _: object) -> str:
    """A model that counts up in all files, from where it is told that it has come to four."""
    number = done_so_far(messages)
    if number == 4:
        return "Done."
    files = "".join(f"*** Update File: {name}\n@@\n-{number}\n+{number + 1}\n" for name in NAMES)
    call = {"name": "patch_file", "arguments": {"patch": f"*** Begin Patch\n{files}*** End Patch"}}
    return f"<tool_call>\n{json.dumps(call)}\n</tool_call>"


def done_so_far(messages: list[dict[str, Any]]) -> int:
    """How many changes have their result in the conversation."""
    return sum("<tool_response>" in str(message["content"]) and message["role"] != "system" for message in messages)


async def main(root: str) -> None:
    rules = Rules([Rule("allow", "*")])
    log = SessionLog(f"{root}.log")
    agent = Agent(count_up, format="hermes", tools=workspace_tools(root), rules=rules, log=log)
    async for _ in agent.run("go"):
        pass


if __name__ == "__main__":
    moves, replace = int(sys.argv[2]), os.replace

    def kill_or_replace(*args: Any, **options: Any) -> None:
        global moves
        moves -= 1
        if moves == 0:
            os.kill(os.getpid(), signal.SIGKILL)
        replace(*args, **options)

    os.replace = kill_or_replace
    asyncio.run(main(sys.argv[1]))
