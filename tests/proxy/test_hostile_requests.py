"""Whatever a client sends: it is passed on as a request for Chat Completions, or refused with a sentence."""

from __future__ import annotations

import copy
import json
import random
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from streamparse.errors import RequestError
from streamparse.proxy import anthropic_request, prompted, responses_request
from tests import seeds
from tests.proxy import test_anthropic_request as of_anthropic
from tests.proxy import test_prompted as of_chat
from tests.proxy import test_responses_request as of_responses

JUNK: list[Any] = [
    None,
    True,
    0,
    -1.5,
    "",
    "x",
    [],
    {},
    [None],
    [[]],
    {"type": "text"},
    {"type": 7},
    "auto",
    ["a"],
    [{}],
]

CHAT = {
    "model": "m",
    "messages": [
        {"role": "system", "content": [{"type": "text", "text": "A"}]},
        of_chat.USER,
        of_chat.assistant(of_chat.call("weather", '{"city": "Oslo"}'), content="B", reasoning_content="C"),
        of_chat.result([{"type": "text", "text": "D"}, {"type": "image_url", "image_url": {"url": "u"}}]),
    ],
    "tools": of_chat.TOOLS,
    "tool_choice": {"type": "function", "function": {"name": "noop"}},
    "parallel_tool_calls": False,
}
MESSAGES = {
    "model": "m",
    "max_tokens": 9,
    "system": [of_anthropic.text("A")],
    "messages": [
        of_anthropic.user(of_anthropic.text("B"), of_anthropic.PNG),
        of_anthropic.assistant(
            {"type": "thinking", "thinking": "C", "signature": "x"}, of_anthropic.use("c1", "weather", city="Oslo")
        ),
        of_anthropic.user(of_anthropic.result("c1", [of_anthropic.text("D"), of_anthropic.PNG], is_error=True)),
        of_anthropic.user({"type": "document", "source": {"type": "content", "content": [of_anthropic.text("E")]}}),
    ],
    "tools": [of_anthropic.WEATHER, of_anthropic.SEARCH],
    "tool_choice": {"type": "tool", "name": "weather"},
    "output_config": {"effort": "low", "format": {"type": "json_schema", "schema": {}}},
    "stop_sequences": ["x"],
    "stream": True,
}
RESPONSES = {
    "model": "m",
    "instructions": "A",
    "input": [
        of_responses.message("user", "B"),
        {"type": "reasoning", "id": "rs", "summary": [{"type": "summary_text", "text": "C"}]},
        of_responses.function_call("c1", "exec", "{}", namespace="hub"),
        of_responses.custom_call("c2", "apply_patch", "D"),
        of_responses.SHELL_CALL,
        of_responses.output("c1", [{"type": "input_text", "text": "E"}]),
        {"type": "additional_tools", "role": "developer", "tools": [of_responses.PATCH]},
    ],
    "tools": [
        of_responses.EXEC,
        {"type": "local_shell"},
        {"type": "namespace", "name": "n", "tools": [of_responses.PATCH]},
    ],
    "tool_choice": {"type": "allowed_tools", "mode": "auto", "tools": [{"type": "function", "name": "exec"}]},
    "reasoning": {"effort": "low"},
    "text": {"format": {"type": "json_schema", "name": "n", "schema": {}}},
}

READERS: dict[str, tuple[dict[str, Any], Callable[[Any], Any]]] = {
    "prompted": (CHAT, lambda body: prompted.rewrite(body, "hermes")),
    "prompted, turns": (CHAT, lambda body: prompted.rewrite(body, "command_r", has_result_turns=True)),
    "anthropic": (MESSAGES, anthropic_request.to_chat),
    "responses": (RESPONSES, lambda body: responses_request.to_chat(body).body),
}


def places(value: Any) -> Iterator[tuple[Any, Any]]:
    """Everything in a value that may be another: what it is in, and where."""
    for key, inner in list(value.items()) if isinstance(value, dict) else enumerate(value):
        yield value, key
        if isinstance(inner, dict | list):
            yield from places(inner)


@pytest.mark.parametrize("name", READERS)
def test_what_is_no_request_is_refused_with_a_sentence(name: str) -> None:
    good, read = READERS[name]
    json.dumps(read(good))
    count = sum(1 for _ in places(good))
    for number in range(count):
        for junk in JUNK:
            body = copy.deepcopy(good)
            holder, key = list(places(body))[number]
            holder[key] = junk
            passed_on(read, body, f"{key!r} is {junk!r}")


@pytest.mark.parametrize("name", READERS)
def test_so_it_is_where_much_is_wrong(name: str) -> None:
    good, read = READERS[name]
    for seed in seeds.series(seeds.times(240)):
        rng = random.Random(seed)
        body = copy.deepcopy(good)
        for _ in range(rng.randint(1, 4)):
            holder, key = rng.choice(list(places(body)))
            if rng.randrange(3):
                holder[key] = copy.deepcopy(rng.choice([*JUNK, *(inner[at] for inner, at in places(good))]))
            elif isinstance(holder, dict):
                del holder[key]
        passed_on(read, body, str(seed))


def passed_on(read: Callable[[Any], Any], body: Any, why: str) -> None:
    message = "passed on"
    try:
        json.dumps(read(body))
    except RequestError as error:
        message = error.message
    except Exception as error:
        pytest.fail(f"{why}: {error!r}")
    assert message, why
