"""The real clients, over real sockets, through the proxy, to a server that leaks in the ways that servers do."""

from __future__ import annotations

import json
import socket
import threading
import time
from collections.abc import Iterator
from typing import Any

import anthropic
import httpx2
import openai
import pytest

from streamparse.proxy import Settings, Transport
from tests.proxy.replies import ARGUMENTS, CALL, TOOLS, request
from tests.proxy.scripted import (
    RESET,
    STALL,
    Asked,
    Proxied,
    Script,
    Upstream,
    at_random,
    chunk,
    frame,
    leaking,
)
from tests.seeds import series, times

#: What a model wrote, and the name of the model; always: a thought, a text and a call.
LEAKS = {
    "hermes": ("Hermes-3-Llama-3.1-8B", f"<think>Hm.</think>Let me look.\n{CALL}"),
    "qwen3_coder": (
        "Qwen/Qwen3.5-35B-A3B",
        "Hm.</think>Let me look.\n<tool_call>\n<function=search>\n<parameter=q>\ncats & <dogs>\n</parameter>\n"
        "<parameter=n>\n5\n</parameter>\n</function>\n</tool_call>",
    ),
    "no opener": ("Qwen/QwQ-32B", f"Hm.</think>Let me look.\n{CALL}"),
    "bare JSON": ("unheard-of", f'<think>Hm.</think>Let me look.\n{{"name": "search", "arguments": {ARGUMENTS}}}'),
    "fenced JSON": (
        "unheard-of",
        f'<think>Hm.</think>Let me look.\n```json\n{{"name": "search", "arguments": {ARGUMENTS}}}\n```\n',
    ),
    "harmony": (
        "openai/gpt-oss-120b",
        "<|channel|>analysis<|message|>Hm.<|end|><|start|>assistant<|channel|>final<|message|>Let me look.<|end|>"
        "<|start|>assistant<|channel|>commentary to=functions.search<|constrain|>json<|message|>"
        f"{ARGUMENTS}<|call|>",
    ),
}
USAGE = {"prompt_tokens": 4, "completion_tokens": 5, "total_tokens": 9}


class Leaking:
    """A server that puts what the model wrote into `content`, cut at random; or gives it as it is, without `stream`."""

    def __init__(self, text: str, seed: int) -> None:
        self._text = text
        self._seed = seed

    def __call__(self, asked: Asked) -> Script:
        self._seed += 1
        if asked.body.get("stream"):
            stream = leaking(at_random(self._text, self._seed, 12), usage=USAGE)
            return Script(at_random(stream, self._seed, 300))
        message = {"role": "assistant", "content": self._text}
        choice = {"index": 0, "message": message, "finish_reason": "stop"}
        body = {**chunk({}), "object": "chat.completion", "choices": [choice], "usage": USAGE}
        return Script([json.dumps(body).encode()], headers={"content-type": "application/json"})


def ask(url: str, model: str, **fields: Any) -> tuple[str, str, list[tuple[str, str]], str | None]:
    """What the client of OpenAI makes of a stream."""
    content, reasoning, reason, calls = "", "", None, {}
    with openai.OpenAI(base_url=url, api_key="k", max_retries=0) as client:
        asked: Any = {**request(), "model": model, **fields, "messages": [{"role": "user", "content": "Cats?"}]}
        for one in client.chat.completions.create(**asked):
            for choice in one.choices:
                content += choice.delta.content or ""
                reasoning += getattr(choice.delta, "reasoning_content", None) or ""
                for call in choice.delta.tool_calls or ():
                    name, arguments = calls.get(call.index, (call.function.name, ""))
                    calls[call.index] = name, arguments + call.function.arguments
                reason = choice.finish_reason or reason
    return content, reasoning, list(calls.values()), reason


@pytest.mark.parametrize("leak", LEAKS)
def test_the_client_of_openai_gets_calls_and_reasoning(leak: str) -> None:
    model, text = LEAKS[leak]
    with Upstream(Leaking(text, series(1)[0])) as upstream, Proxied(upstream.url) as proxy:
        for _ in range(times(15)):
            assert ask(proxy.url, model) == ("Let me look.", "Hm.", [("search", ARGUMENTS)], "tool_calls")
        with openai.OpenAI(base_url=proxy.url, api_key="k") as client:
            reply = client.chat.completions.create(
                model=model,
                messages=[{"role": "user", "content": "Cats?"}],
                tools=TOOLS,  # type: ignore[arg-type]  # they are
            )
    message = reply.choices[0].message
    function = message.tool_calls[0].function  # type: ignore[index, union-attr]  # there is one
    assert (message.content, function.name, function.arguments) == ("Let me look.", "search", ARGUMENTS)
    assert reply.choices[0].finish_reason == "tool_calls"
    assert reply.usage is not None
    assert reply.usage.total_tokens == 9
    assert upstream.requests[0].headers["authorization"] == "Bearer k"


@pytest.mark.parametrize("seed", series(3))
def test_a_server_that_leaks_beside_its_own_fields(seed: int) -> None:
    call = {"index": 0, "id": "c1", "type": "function", "function": {"name": "search", "arguments": ""}}
    more = [{"tool_calls": [{"index": 0, "function": {"arguments": piece}}]} for piece in at_random(ARGUMENTS, seed, 5)]
    texts = [{"content": piece} for piece in at_random(f"Let me look.\n{CALL}", seed, 9)]
    deltas = [
        {"role": "assistant", "content": None},
        {"reasoning_content": "Hm."},
        *texts,
        {"tool_calls": [call]},
        *more,
    ]
    stream = b"".join(frame(chunk(delta)) for delta in deltas) + frame(chunk({}, "stop")) + frame("[DONE]")
    with Upstream(lambda _: Script(at_random(stream, seed, 200))) as upstream, Proxied(upstream.url) as proxy:
        expected = ("Let me look.", "Hm.", [("search", ARGUMENTS)], "tool_calls")
        assert ask(proxy.url, "Qwen/QwQ-32B") == expected


def test_the_client_of_anthropic_gets_blocks() -> None:
    text = LEAKS["hermes"][1]
    tools: Any = [{"name": tool["function"]["name"], "input_schema": tool["function"]["parameters"]} for tool in TOOLS]  # type: ignore[index]
    with Upstream(Leaking(text, 1)) as upstream, Proxied(upstream.url) as proxy:
        with anthropic.Anthropic(base_url=proxy.origin, api_key="k") as client:
            asked: Any = {"model": "m", "max_tokens": 99, "messages": [{"role": "user", "content": "Cats?"}]}
            with client.messages.stream(**asked, tools=tools) as stream:
                streamed = stream.get_final_message()
            whole = client.messages.create(**asked, tools=tools)
        assert upstream.requests[0].headers["authorization"] == "Bearer k"
    for message in (streamed, whole):
        assert [block.type for block in message.content] == ["thinking", "text", "tool_use"]
        assert message.content[2].input == json.loads(ARGUMENTS)  # type: ignore[union-attr]  # it is a call
        assert (message.stop_reason, message.usage.output_tokens) == ("tool_use", 5)


def test_the_client_of_openai_gets_items_of_responses() -> None:
    tools: Any = [{"type": "function", **tool["function"]} for tool in TOOLS]  # type: ignore[dict-item]
    with (
        Upstream(Leaking(LEAKS["hermes"][1], 1)) as upstream,
        Proxied(upstream.url) as proxy,
        openai.OpenAI(base_url=proxy.url, api_key="k") as client,
    ):
        with client.responses.stream(model="m", input="Cats?", tools=tools) as stream:
            streamed = stream.get_final_response()
        whole = client.responses.create(model="m", input="Cats?", tools=tools)
    for response in (streamed, whole):
        assert [item.type for item in response.output] == ["reasoning", "message", "function_call"]
        assert response.output[2].arguments == ARGUMENTS  # type: ignore[union-attr]  # it is a call
        assert response.output_text == "Let me look."


def test_without_a_server_of_its_own() -> None:
    with Upstream(Leaking(CALL, 1)) as upstream:
        transport = Transport(Settings(format="hermes", is_prompted=True))
        with openai.OpenAI(
            base_url=upstream.url, api_key="k", http_client=httpx2.Client(transport=transport)
        ) as client:
            stream = client.chat.completions.create(
                model="m",
                messages=[{"role": "user", "content": "Cats?"}],
                tools=TOOLS,  # type: ignore[arg-type]  # they are
                stream=True,
            )
            reasons = [choice.finish_reason for one in stream for choice in one.choices]
    assert reasons[-1] == "tool_calls"
    assert "tools" not in upstream.requests[0].body


# -- errors and ends ---------------------------------------------------------------------------------------------------

BEGUN = frame(chunk({"role": "assistant", "content": "Let me look."}))


def test_errors_of_the_server_reach_the_client_as_they_are() -> None:
    wrong = {"error": {"message": "context too long", "type": "invalid_request_error", "code": "too_long"}}
    script = Script([json.dumps(wrong).encode()], 400, {"content-type": "application/json"})
    with (
        Upstream(lambda _: script) as upstream,
        Proxied(upstream.url) as proxy,
        pytest.raises(openai.BadRequestError) as raised,
    ):
        ask(proxy.url, "m")
    assert raised.value.body == wrong["error"]


@pytest.mark.parametrize(
    ("steps", "is_ended"),
    [([BEGUN, RESET], True), ([BEGUN], False), ([BEGUN], True), ([BEGUN, frame({"error": {"message": "oom"}})], True)],
)
def test_a_reply_that_breaks_off_raises_an_error_at_the_client(steps: list[Any], is_ended: bool) -> None:
    script = Script(steps, is_ended=is_ended)
    with Upstream(lambda _: script) as upstream, Proxied(upstream.url) as proxy, pytest.raises(openai.APIError):
        ask(proxy.url, "m")


def test_nobody_is_there() -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
    wanted = pytest.raises(openai.InternalServerError, match="cannot be reached")
    with Proxied(f"http://127.0.0.1:{port}/v1") as proxy, wanted:
        ask(proxy.url, "m")


def listen(url: str, **fields: Any) -> Iterator[bytes]:
    address = f"{url}/chat/completions"
    with httpx2.Client(timeout=20) as client, client.stream("POST", address, json=request(**fields)) as response:
        yield from response.iter_raw()


def test_a_client_that_goes_away_closes_the_connection_to_the_server() -> None:
    with Upstream(lambda _: Script([BEGUN, STALL])) as upstream, Proxied(upstream.url) as proxy:
        stream = listen(proxy.url)
        assert next(stream) == BEGUN
        assert not upstream.closed.is_set()
        stream.close()  # type: ignore[attr-defined]  # it is a generator
        assert upstream.closed.wait(10)
        wait_for(lambda: "<th>streams now</th><td>0</td>" in httpx2.get(proxy.origin).text)


def test_a_client_that_goes_away_while_the_server_talks_closes_it_too() -> None:
    steps = [BEGUN, *[frame(chunk({"content": "x" * 10_000}))] * 20_000]
    with Upstream(lambda _: Script(steps)) as upstream, Proxied(upstream.url) as proxy:
        stream = listen(proxy.url)
        next(stream)
        stream.close()  # type: ignore[attr-defined]  # it is a generator
        assert upstream.closed.wait(10)


def test_the_server_is_read_only_as_the_client_reads() -> None:
    one = frame(chunk({"content": "x" * 100_000}))
    steps = [BEGUN, *[one] * 1_000, frame(chunk({}, "stop")), frame("[DONE]")]
    with Upstream(lambda _: Script(steps)) as upstream, Proxied(upstream.url) as proxy:
        stream = listen(proxy.url)
        size = len(next(stream))
        sent = -1
        while sent != upstream.sent:  # until nothing moves any more
            sent = upstream.sent
            time.sleep(0.3)
        assert sent < 250 * len(one), "buffers of the operating system are all that there is"
        size += sum(map(len, stream))
    assert size == sum(map(len, steps))


def test_after_the_first_call_nothing_more_is_read() -> None:
    steps = [BEGUN, frame(chunk({"content": CALL})), STALL]
    with Upstream(lambda _: Script(steps)) as upstream, Proxied(upstream.url) as proxy:
        found = ask(proxy.url, "m", parallel_tool_calls=False)
        assert found == ("Let me look.", "", [("search", ARGUMENTS)], "tool_calls")
        assert upstream.closed.wait(10)


def test_connections_are_kept() -> None:
    with Upstream(Leaking("Hi.", 1)) as upstream, Proxied(upstream.url) as proxy:
        for _ in range(5):
            assert ask(proxy.url, "m")[0] == "Hi."
        assert upstream.connections == 1


def test_a_connection_that_the_server_has_closed_is_not_used_again() -> None:
    with (
        Upstream(lambda _: Script([leaking("Hi.")], is_kept=False)) as upstream,
        Proxied(upstream.url) as proxy,
        httpx2.Client() as http,
    ):
        for number in range(1, 4):
            response = http.post(f"{proxy.url}/chat/completions", json=request())
            assert (response.status_code, response.content) == (200, leaking("Hi."))
            while upstream.over < number:
                time.sleep(0.001)
        assert upstream.connections == 3


def test_an_absolute_url_or_a_host_leads_nowhere_else() -> None:
    def say(line: str) -> str:
        with socket.create_connection(("127.0.0.1", int(proxy.origin.rpartition(":")[2])), 10) as connection:
            connection.sendall(f"{line}\r\nHost: evil.example\r\nConnection: close\r\n\r\n".encode())
            return b"".join(iter(lambda: connection.recv(9999), b"")).decode()

    script = Script([b"ok"], headers={"content-type": "text/plain"})
    with Upstream(lambda _: script) as upstream, Proxied(upstream.url) as proxy:
        assert say("GET http://evil.example/v1/models HTTP/1.1").startswith("HTTP/1.1 404")
        assert say("GET //evil.example/v1/models HTTP/1.1").startswith("HTTP/1.1 400")
        assert say("GET /v1/../secret HTTP/1.1").startswith("HTTP/1.1 400")
        assert upstream.requests == []
        assert say("GET /v1/models HTTP/1.1").startswith("HTTP/1.1 200")
    assert upstream.requests[0].headers["host"] == upstream.url.removeprefix("http://").removesuffix("/v1")


def test_nothing_is_logged(capfd: pytest.CaptureFixture[str]) -> None:
    script = Script([BEGUN, RESET])
    with Upstream(lambda _: script) as upstream, Proxied(upstream.url) as proxy, pytest.raises(openai.APIError):
        ask(proxy.url, "m")
    assert capfd.readouterr() == ("", "")


def test_many_streams_at_once() -> None:
    found: list[Any] = []
    with Upstream(Leaking(LEAKS["hermes"][1], 1)) as upstream, Proxied(upstream.url) as proxy:
        threads = [threading.Thread(target=lambda: found.append(ask(proxy.url, "m"))) for _ in range(20)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join(30)
    assert found == [("Let me look.", "Hm.", [("search", ARGUMENTS)], "tool_calls")] * 20


def wait_for(condition: Any) -> None:
    for _ in range(100):
        if condition():
            return
        time.sleep(0.05)
    raise AssertionError("it never became so")
