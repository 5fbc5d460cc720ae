"""A reply through an exchange, cut everywhere, and what a client makes of the chunks."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from attrs import define, field

from streamparse.proxy import Exchange, Settings
from tests.cuts import some
from tests.proxy.scripted import chunk

SEARCH = {"type": "object", "properties": {"q": {"type": "string"}, "n": {"type": "integer"}}}
TOOLS = [
    {"type": "function", "function": {"name": "search", "parameters": SEARCH}},
    {"type": "function", "function": {"name": "now", "parameters": {"type": "object", "properties": {}}}},
]
CALL = '<tool_call>\n{"name": "search", "arguments": {"q": "cats & <dogs>", "n": 5}}\n</tool_call>'
EMPTY = '<tool_call>\n{"name": "now", "arguments": {}}\n</tool_call>'
FOREIGN = '<tool_call>\n{"name": "rm", "arguments": {"q": "/"}}\n</tool_call>'
ARGUMENTS = '{"q": "cats & <dogs>", "n": 5}'


@define
class Got:
    """What a client has of a choice in the end."""

    content: str = ""
    reasoning: str = ""
    calls: list[tuple[str, str]] = field(factory=list)
    reason: str | None = None


def request(**fields: Any) -> dict[str, Any]:
    return {"model": "some-model", "messages": [], "tools": TOOLS, "stream": True, **fields}


def got(chunks: Iterable[dict[str, Any]], index: int = 0) -> Got:
    """What a client makes of chunks, which are as the interface wants them."""
    found, roles, ids = Got(), 0, []
    for one in chunks:
        for choice in one["choices"]:
            if choice["index"] != index:
                continue
            assert found.reason is None, "a choice has ended, and goes on"
            delta = choice["delta"]
            roles += "role" in delta
            assert roles == 1, "the role stands in the first delta, and in no other"
            found.content += delta.get("content") or ""
            found.reasoning += delta.get("reasoning_content") or ""
            for call in delta.get("tool_calls") or ():
                if "id" in call:
                    assert call["index"] == len(found.calls)
                    assert call["type"] == "function"
                    ids.append(call["id"])
                    found.calls.append((call["function"]["name"], ""))
                name, arguments = found.calls[call["index"]]
                assert call["function"].get("name", name) == name
                found.calls[call["index"]] = name, arguments + call["function"]["arguments"]
            found.reason = choice["finish_reason"]
    assert len(set(ids)) == len(ids)
    return found


def run(
    deltas: Iterable[dict[str, Any]], reason: str | None = "stop", settings: Settings | None = None, **fields: Any
) -> Got:
    """Deltas through an exchange, as a client gets them."""
    return got(chunks(deltas, reason, settings, **fields))


def chunks(
    deltas: Iterable[dict[str, Any]], reason: str | None = "stop", settings: Settings | None = None, **fields: Any
) -> list[dict[str, Any]]:
    exchange = Exchange(request(**fields), settings)
    made = [one for delta in deltas for one in exchange.feed(chunk(delta))]
    return [*made, *(exchange.feed(chunk({}, reason)) if reason else ()), *exchange.finish()]


def cut(text: str) -> Iterator[list[str]]:
    """A text whole, by characters, and in two everywhere."""
    yield [text]
    yield list(text)
    for place in some(range(1, len(text))):
        yield [text[:place], text[place:]]


def everywhere(
    text: str, reason: str | None = "stop", settings: Settings | None = None, role: bool = True, **fields: Any
) -> Got:
    """What a client gets of a text in `content`, which is the same wherever it is cut."""
    first = [{"role": "assistant", "content": ""}] if role else []
    found = [
        run([*first, *({"content": piece} for piece in pieces)], reason, settings, **fields) for pieces in cut(text)
    ]
    for one in found:
        assert one == found[0]
    return found[0]


def folded(
    message: dict[str, Any], reason: str | None = "stop", settings: Settings | None = None, **fields: Any
) -> dict[str, Any]:
    """The choice of a response that is not streamed."""
    exchange = Exchange(request(stream=False, **fields), settings)
    choice = {"index": 0, "message": {"role": "assistant", **message}, "finish_reason": reason}
    made: dict[str, Any] = exchange.fold({"id": "x", "choices": [choice], "usage": {"total_tokens": 3}})
    assert (made["id"], made["usage"]) == ("x", {"total_tokens": 3})
    found: dict[str, Any] = made["choices"][0]
    return found


def without_ids(calls: list[dict[str, Any]]) -> list[tuple[str, str]]:
    """The calls of a message, which have ids of their own."""
    assert len({call["id"] for call in calls}) == len(calls)
    assert {call["type"] for call in calls} <= {"function"}
    return [(call["function"]["name"], call["function"]["arguments"]) for call in calls]
