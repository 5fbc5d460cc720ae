"""An agent loop over any server that streams text and knows no tools: calls are written in the text, as hermes does."""

from collections.abc import Iterator
from typing import Any

from streamparse import Reply, SegmentContent, ToolInvocation, ToolResult, check, formats

CITY = {"type": "object", "properties": {"city": {"type": "string"}}, "required": ["city"]}
TOOLS = [{"name": "get_weather", "description": "The weather in a city.", "parameters": CITY}]
#: What the fake model writes, one reply after the other: at first it gets the argument wrong.
REPLIES = [
    'Let me see.\n<tool_call>\n{"name": "get_weather", "arguments": {"town": "Oslo"}}\n</tool_call>',
    '<tool_call>\n{"name": "get_weather", "arguments": {"city": "Oslo"}}\n</tool_call>',
    "It is 12 degrees in Oslo.",
]


def complete(messages: list[dict[str, Any]]) -> Iterator[str]:
    """Stands for a request with these messages: the reply, in pieces of nine characters."""
    text = REPLIES[sum(message["role"] == "assistant" for message in messages)]
    return (text[at : at + 9] for at in range(0, len(text), 9))


def answer(call: ToolInvocation) -> ToolResult:
    problem = check(call, TOOLS)
    if problem is not None:
        return ToolResult(f"error: {problem}", is_error=True)  # the model can mend its call
    return ToolResult({"city": call.arguments["city"], "degrees": 12})


def main() -> None:
    messages: list[dict[str, Any]] = [
        {"role": "system", "content": formats.get("hermes").instructions(TOOLS)},
        {"role": "user", "content": "How warm is it in Oslo?"},
    ]
    while True:
        reply = Reply(complete(messages), "hermes", tools=TOOLS)
        for item in reply:
            if isinstance(item, SegmentContent):
                print(f"{item.segment_type}: {item.delta!r}")
        messages += reply.messages("hermes", [answer(call) for call in reply.calls])
        print(messages[-1])
        if not reply.calls:
            break


if __name__ == "__main__":
    main()
