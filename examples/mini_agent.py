"""The loop of an agent without the class: a reply is shown, its calls are asked about and run, the model is told."""

import asyncio
from collections.abc import AsyncIterator
from typing import Any

from streamparse import Reply, SegmentContent
from streamparse.presenter import ApprovalRequest, Decision, Presenter, Rules, Tool, Toolbox, ToolLifecycle

NOTES: list[str] = []


def read_notes() -> list[str]:
    """Read all notes."""
    return NOTES


def take_note(text: str) -> str:
    """Take a note."""
    NOTES.append(text)
    return f"There are {len(NOTES)} notes."


TOOLS = Toolbox.of([Tool.of(read_notes, is_read_only=True), take_note])

#: What the fake model does: it calls these tools, one reply after the other, and is done.
CALLS = [("read_notes", "{}"), ("take_note", '{"text": "buy milk"}'), ("take_note", '{"text": "sell the cow"}')]


async def complete(messages: list[dict[str, Any]]) -> AsyncIterator[dict[str, Any]]:
    """Stands for `client.chat.completions.create(messages=messages, tools=TOOLS.declared("openai"), …)`."""
    number = sum(message["role"] == "assistant" for message in messages)
    if number == len(CALLS):
        yield {"choices": [{"delta": {"content": "I have taken "}}]}
        yield {"choices": [{"delta": {"content": "one note."}, "finish_reason": "stop"}]}
        return
    name, arguments = CALLS[number]
    call = {"index": 0, "id": f"call_{number}", "function": {"name": name, "arguments": arguments}}
    yield {"choices": [{"delta": {"tool_calls": [call]}, "finish_reason": "tool_calls"}]}


async def ask(request: ApprovalRequest) -> Decision:
    """Stands for a person, who needs the cow."""
    print(f"May I? {request.description}")
    if "cow" in request.invocation.arguments["text"]:
        return Decision("reject_once", feedback="The cow stays.")
    return Decision("allow_once")


async def main() -> None:
    messages: list[dict[str, Any]] = [{"role": "user", "content": "Take notes of what there is to do."}]
    rules = Rules(read_only="allow")  # one object for all replies: it remembers what was answered with "always"
    while True:
        reply = Reply(complete(messages), tools=TOOLS.specs)
        async with Presenter(reply, tools=TOOLS, rules=rules, ask=ask) as presenter:
            async for item in presenter:
                if isinstance(item, SegmentContent):
                    print(f"{item.segment_type}: {item.delta}")
                elif isinstance(item, ToolLifecycle):
                    print(f"{item.name}: {item.state}")
        messages += reply.messages("openai", presenter.results)
        if not reply.calls:
            break
    print(NOTES)
    print([message["content"] for message in messages if message["role"] == "tool"])


if __name__ == "__main__":
    asyncio.run(main())
