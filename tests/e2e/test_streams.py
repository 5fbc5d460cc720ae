"""From a server's bytes through the real clients to events: exactly, whichever client, and however it all ends."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Iterator
from typing import Any

import anthropic
import ollama
import openai
import pytest

from streamparse import ProviderStreamError, SegmentEvent, StreamingResponseHandler, ToolInvocation, aparse, parse
from streamparse.testing import normalize
from tests.e2e import clients
from tests.e2e.recordings import CODE, COMMAND, FILE, RECORDINGS, SHORT_CODE, WEATHER
from tests.e2e.server import serve
from tests.native.kit import (
    BY_LENGTH,
    Wire,
    check_order,
    content,
    cut,
    end,
    inv,
    invocations_of,
    judged,
    kind,
    reasoning,
    start,
    text,
    tool,
    wire,
)
from tests.native.states import stated

BEFORE = [*reasoning(1, "Let me see."), *text(2, "Writing it.\n")]


def signed(before: list[Wire]) -> list[Wire]:
    """Anthropic wants its signature back with the reasoning."""
    return stated(before, {1: {"signature": "eHg="}}, "anthropic")


def the_file(number: int, call_id: str | None, status: str | None = None) -> list[Wire]:
    code = SHORT_CODE if status else CODE
    return kind(number, "write_file", code, status, path="src/hello.py", call_id=call_id)


def one_by_one(prefix: str | None, status: str | None = None) -> list[Wire]:
    """The calls, where they come one after the other."""
    ids = [f"{prefix}{number}" if prefix else None for number in (1, 2, 3)]
    json_text = '{"city": "Zürich"}'
    before = signed(BEFORE) if prefix else BEFORE
    return [
        *(*before, *tool(3, "get_weather", json_text, call_id=ids[0]), *kind(4, "run_bash", "ls -l", call_id=ids[1])),
        *the_file(5, ids[2], status),
    ]


def interleaved(status: str | None = None, *, ends_at_once: bool) -> list[Wire]:
    """The calls, where two of them come at once; `ends_at_once`: the provider says when each of them ends."""
    weather, bash = end(3), end(4)
    return [
        *(*BEFORE, start(3, "tool_call", tool_name="get_weather", call_id="call_1"), content(3, '{"city": "Zü')),
        *(start(4, "run_bash", tool_name="run_bash", call_id="call_2"), content(4, "ls"), content(3, 'rich"}')),
        *([weather, content(4, " -l")] if ends_at_once else [content(4, " -l"), weather]),
        *(bash, *the_file(5, "call_3", status)),
    ]


def calls_first(status: str | None) -> list[Wire]:
    """What Ollama sends when the text is cut: whole calls before it."""
    return [
        *(*tool(1, "get_weather", '{"city": "Zürich"}', call_id=None), *kind(2, "run_bash", "ls -l", call_id=None)),
        *(*the_file(3, None), *reasoning(4, "Let me see."), *text(5, "Writing it.\n", status)),
    ]


#: What Chat Completions wants back: the field in which the reasoning before the first call came.
FIELD = {3: {"reasoning_field": "reasoning_content"}}
#: What OpenAI wants back: the ids of its items.
ITEMS = {2: {"id": "msg_1"}, 3: {"id": "fc_1"}, 4: {"id": "fc_2"}, 5: {"id": "fc_3"}}
WHOLE = {
    "chat": stated(interleaved(ends_at_once=False), FIELD, "openai-chat"),
    "responses": stated(interleaved(ends_at_once=True), ITEMS),
    "anthropic": one_by_one("toolu_"),
    "ollama": one_by_one(None),
}
OPEN = {
    "chat": stated(interleaved("truncated", ends_at_once=False), FIELD, "openai-chat"),
    "responses": stated(interleaved("truncated", ends_at_once=True), ITEMS),
    "anthropic": one_by_one("toolu_", "truncated"),
    "ollama": calls_first("truncated"),
}
#: Anthropic ends the block of a call before it says that the reply was cut.
SHORT = {name: events if name == "anthropic" else cut(BY_LENGTH, events) for name, events in OPEN.items()}


def failed(provider: str, error: Exception) -> list[Wire]:
    """What is open says why: as the provider said it, or which exception of its client it was."""
    why = error.message if isinstance(error, ProviderStreamError) else type(error).__name__
    return cut(f": {why}", OPEN[provider])


def invocations(events: list[Wire]) -> list[Wire]:
    """The three calls, in the order of their ends."""
    first = 1 if events[0]["segment_type"] == "tool_call" else 3
    is_cut = any("status" in event["payload"] for event in events if event["segment_id"] == f"seg_{first + 2}")
    file = {**FILE, "content": SHORT_CODE} if is_cut else FILE
    return invocations_of(events, [inv(first, WEATHER), inv(first + 1, COMMAND), inv(first + 2, file)])


@pytest.fixture(scope="module")
def server() -> Iterator[str]:
    with serve(RECORDINGS) as url:
        yield url


@pytest.fixture(autouse=True)
def _no_proxy(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    monkeypatch.delenv("STREAMPARSE_PARSER", raising=False)


def each(sources: dict[str, list[Any]]) -> Any:
    rows = [pytest.param(name, source, id=f"{name}: {source.__name__}") for name in sources for source in sources[name]]
    return pytest.mark.parametrize(("provider", "client"), rows)


@each(clients.SYNC)
@pytest.mark.parametrize(("suffix", "expected"), [("", WHOLE), (" short", SHORT)], ids=["whole", "short"])
def test_a_handler_is_fed_by_a_client(
    server: str,
    provider: str,
    client: Callable[[str, str], Iterator[Any]],
    suffix: str,
    expected: dict[str, list[Wire]],
) -> None:
    handler = StreamingResponseHandler()
    events = [event for chunk in client(server, provider + suffix) for event in handler.feed(chunk)]
    events += handler.finalize()
    check_order(events)
    assert wire(normalize(events)) == judged(expected[provider], invocations(expected[provider]))
    assert [made.to_dict() for made in handler.invocations] == invocations(expected[provider])


@each(clients.SYNC)
def test_parse_takes_a_clients_stream(server: str, provider: str, client: Callable[[str, str], Iterator[Any]]) -> None:
    items = list(parse(client(server, provider), "native", invocations=True))
    made = [item for item in items if isinstance(item, ToolInvocation)]
    assert wire(normalize(item for item in items if isinstance(item, SegmentEvent))) == WHOLE[provider]
    assert [invocation.to_dict() for invocation in made] == invocations(WHOLE[provider])


@each(clients.ASYNC)
@pytest.mark.parametrize(("suffix", "expected"), [("", WHOLE), (" short", SHORT)], ids=["whole", "short"])
async def test_aparse_takes_an_asynchronous_clients_stream(
    server: str,
    provider: str,
    client: Callable[[str, str], AsyncIterator[Any]],
    suffix: str,
    expected: dict[str, list[Wire]],
) -> None:
    made: list[ToolInvocation] = []
    source = aparse(client(server, provider + suffix), on_tool_invocation=made.append)
    found = wire(normalize([event async for event in source]))
    assert found == judged(expected[provider], invocations(expected[provider]))
    assert [invocation.to_dict() for invocation in made] == invocations(expected[provider])


#: Most clients raise exceptions of their own for an error in mid-stream: what is open is truncated all the same.
OWN_ERRORS: dict[str, type[Exception]] = {
    "openai_chat": openai.APIError,
    "anthropic_raw": anthropic.APIError,
    "anthropic_stream": anthropic.APIError,
    "ollama_chat": ollama.ResponseError,
}


def error_of(client: Callable[..., Any]) -> type[Exception]:
    return OWN_ERRORS.get(client.__name__.removeprefix("async_"), ProviderStreamError)


@each(clients.SYNC)
def test_an_error_in_mid_stream_truncates_what_is_open(
    server: str, provider: str, client: Callable[[str, str], Iterator[Any]]
) -> None:
    items: list[Any] = []
    with pytest.raises(error_of(client), match="The server had an error") as caught:
        items.extend(parse(client(server, f"{provider} error"), invocations=True))
    made = [item.to_dict() for item in items if isinstance(item, ToolInvocation)]
    found = wire(normalize(item for item in items if isinstance(item, SegmentEvent)))
    expected = failed(provider, caught.value)
    assert found == judged(expected, invocations(expected))
    assert made == invocations(expected)


@each(clients.ASYNC)
async def test_an_error_in_an_asynchronous_stream_truncates_what_is_open(
    server: str, provider: str, client: Callable[[str, str], AsyncIterator[Any]]
) -> None:
    events: list[SegmentEvent] = []

    async def collect() -> None:
        async for event in aparse(client(server, f"{provider} error")):
            events.append(event)

    with pytest.raises(error_of(client), match="The server had an error") as caught:
        await collect()
    assert wire(normalize(events)) == failed(provider, caught.value)


@pytest.mark.parametrize("provider", ["chat", "responses", "anthropic", "ollama"])
def test_a_handler_raises_what_the_server_says(server: str, provider: str) -> None:
    handler = StreamingResponseHandler()
    events: list[SegmentEvent] = []

    def feed_all() -> None:
        for chunk in clients.plain(server, f"{provider} error"):
            events.extend(handler.feed(chunk))

    with pytest.raises(ProviderStreamError) as caught:
        feed_all()
    assert caught.value.message == "The server had an error"
    found = wire(normalize(events + caught.value.events))
    expected = failed(provider, caught.value)
    assert found == judged(expected, invocations(expected))
    assert handler.finalize() == []
