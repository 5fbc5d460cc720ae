"""An agent works in a folder: it asks before it changes something, its changes can be undone, and it goes on later."""

import asyncio
import json
import tempfile
from pathlib import Path
from typing import Any

from streamparse import SegmentContent, SegmentType, ToolInvocation
from streamparse.agent import Agent, AgentLimits, SessionLog
from streamparse.presenter import ApprovalRequest, Decision, Rules, ToolLifecycle
from streamparse.workspace import Checkpoints, workspace_tools

PATCH = "------- SEARCH\nprice = 2\n=======\nprice = 3\n+++++++ REPLACE\n"
#: What the fake model does: it calls these tools, one reply after the other, and says that it is done.
CALLS: list[tuple[str, dict[str, str]]] = [
    ("read_file", {"path": "shop.py"}),
    ("patch_file", {"path": "shop.py", "patch": PATCH}),
    ("run_bash", {"command": "rm shop.py"}),
]


def complete(messages: list[dict[str, Any]], tools: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Stands for a server: `Agent(AsyncOpenAI(), model="gpt-5", …)` asks a real one."""
    number = sum(message["role"] == "assistant" for message in messages)
    if number >= len(CALLS):
        return [{"choices": [{"delta": {"content": "Done."}, "finish_reason": "stop"}]}]
    name, arguments = CALLS[number]
    call = {"index": 0, "id": f"call_{number}", "function": {"name": name, "arguments": json.dumps(arguments)}}
    return [{"choices": [{"delta": {"tool_calls": [call]}, "finish_reason": "tool_calls"}]}]


async def ask(request: ApprovalRequest) -> Decision:
    """Stands for a person."""
    print(f"May I? {request.description}")
    if request.invocation.name == "run_bash":
        return Decision("reject_once", feedback="We need the shop.")
    return Decision("allow_once")


def make_agent(root: Path, checkpoints: Checkpoints, log: Path) -> Agent:
    async def save(call: ToolInvocation) -> None:
        await asyncio.to_thread(checkpoints.save, f"before {call.name}")

    return Agent(
        complete,
        tools=workspace_tools(root),
        system="You work in the user's folder.",
        rules=Rules(read_only="allow"),  # without it, a person is asked before a file is read, too
        ask=ask,
        before_change=save,
        limits=AgentLimits(turns=20, seconds=600),
        log=SessionLog(log),
    )


async def work(agent: Agent, task: str) -> None:
    print(f"> {task}")
    async for item in agent.run(task):
        if isinstance(item, ToolLifecycle) and item.state in ("result", "denied"):
            print(f"{item.name}: {item.content or item.message}".rstrip())
        elif isinstance(item, SegmentContent) and item.segment_type == SegmentType.TEXT:
            print(item.delta)
    print(f"({agent.stopped})")


async def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        root, log = Path(folder, "shop"), Path(folder, "log.jsonl")
        root.mkdir()
        (root / "shop.py").write_text("price = 2\n")
        checkpoints = Checkpoints(root, store=Path(folder, "checkpoints"))
        await work(make_agent(root, checkpoints, log), "Coffee is 3 now.")
        agent = make_agent(root, checkpoints, log)  # another process, perhaps: the log has the conversation
        await work(agent, "Thank you.")
        print([message["role"] for message in agent.messages])
        first = checkpoints.list()[0]
        checkpoints.restore(first)
        print(f"{first.label}: {(root / 'shop.py').read_text()}", end="")


if __name__ == "__main__":
    asyncio.run(main())
