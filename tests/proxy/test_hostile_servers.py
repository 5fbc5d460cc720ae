"""Whatever a server answers: the client gets repaired chunks, or an error; never an exception, and always an end."""

from __future__ import annotations

import copy
import json
import random
from collections.abc import Callable
from typing import Any, cast

import pytest

from streamparse.proxy import Exchange, Settings
from streamparse.proxy.answer import Answer
from streamparse.proxy.endpoints import ENDPOINTS, Conversation
from tests import seeds
from tests.proxy.replies import CALL, TOOLS, Got, got, request
from tests.proxy.scripted import chunk, frame
from tests.proxy.test_frames import events, frames, read
from tests.proxy.test_hostile_requests import JUNK, places

Json = dict[str, Any]
Check = Callable[[str, list[Any], object], None]
SEARCH: Json = dict(cast(Json, TOOLS[0]["function"]))
#: A request of each interface.
ASKED: dict[str, Json] = {
    "/chat/completions": request(logprobs=True),
    "/messages": {
        **{"model": "m", "max_tokens": 9, "messages": [{"role": "user", "content": "Hi"}]},
        "tools": [{"name": "search", "input_schema": SEARCH["parameters"]}],
    },
    "/responses": {
        **{"model": "m", "input": "Hi"},
        "tools": [{"type": "function", **SEARCH}, {"type": "custom", "name": "patch"}, {"type": "local_shell"}],
    },
}
PROBS = {"content": [{"token": "Hi", "logprob": -1.0, "top_logprobs": []}]}
MORE = {
    "refusal": "No.",
    "annotations": [{"type": "url_citation", "url_citation": {"url": "u"}}],
    "function_call": {"name": "search", "arguments": "{}"},
}
USAGE = {"prompt_tokens": 1, "completion_tokens": 2, "completion_tokens_details": {"reasoning_tokens": 1}}


def field(arguments: str, **more: Any) -> Json:
    return {"tool_calls": [{"index": 0, **more, "function": {"name": "search", "arguments": arguments}}]}


#: What a server may say, in a stream and whole.
STREAM: list[Json] = [
    chunk({"role": "assistant", "content": ""}),
    chunk({"reasoning_content": "Hm."}),
    {"id": "x", "choices": [{"index": 0, "delta": {"content": "Hi<think>a</think>"}, "logprobs": PROBS}]},
    chunk({"content": CALL}),
    chunk(field('{"q":', id="c1", type="function")),
    chunk({"tool_calls": [{"index": 0, "function": {"arguments": '"b"}'}}]}),
    chunk(MORE),
    {**chunk({}, "stop"), "usage": USAGE},
    {"id": "x", "choices": [], "usage": USAGE},
]
MESSAGE = {"role": "assistant", "content": f"Hi{CALL}", "reasoning_content": "Hm.", **MORE, **field("{}", id="c1")}
WHOLE: list[Json] = [
    {
        **{"id": "x", "object": "chat.completion", "usage": USAGE},
        "choices": [{"index": 0, "message": MESSAGE, "logprobs": PROBS, "finish_reason": "stop"}],
    }
]


def conversing(path: str, *, stream: bool) -> Conversation:
    return ENDPOINTS[path].converse(json.dumps({**ASKED[path], "stream": stream}).encode(), Settings(format="hermes"))


def check_whole(path: str, said: list[Any], why: object) -> None:
    """What a client of an interface gets for a response is JSON."""
    try:
        answer = Answer(conversing(path, stream=False), 200, [])
        json.loads(answer.feed(json.dumps(said[0]).encode()) + answer.close())
    except Exception as error:
        pytest.fail(f"{why}: {error!r}")


def check_stream(path: str, said: list[Any], why: object) -> None:
    """What a client gets for these chunks is JSON, and has an end."""
    try:
        reader = conversing(path, stream=True).frames
        found = read(b"".join(map(frame, said)) + b"data: [DONE]\n\n", reader)
        told = [line[6:] for line in found.split(b"\n") if line.startswith(b"data: ")]
        last = told.pop()
        for one in told:
            json.loads(one)
    except Exception as error:
        pytest.fail(f"{why}: {error!r}")
    ends = (b"[DONE]", b'{"type": "message_stop"}')
    assert last in ends or b'"error"' in last or b'"type": "response.' in last, why


@pytest.mark.parametrize("path", ASKED)
@pytest.mark.parametrize(("said", "check"), [(STREAM, check_stream), (WHOLE, check_whole)], ids=["streamed", "whole"])
def test_anything_may_be_wrong_with_what_a_server_says(path: str, said: list[Json], check: Check) -> None:
    check(path, said, "nothing")
    for number in range(sum(1 for _ in places(said))):
        for junk in (None, 5, "x", [None], {"type": 7}):
            wrong = copy.deepcopy(said)
            holder, key = list(places(wrong))[number]
            holder[key] = junk
            check(path, wrong, f"{key!r} is {junk!r}")


@pytest.mark.parametrize("path", ASKED)
@pytest.mark.parametrize(("said", "check"), [(STREAM, check_stream), (WHOLE, check_whole)], ids=["streamed", "whole"])
def test_so_it_may_be_with_much_of_it(path: str, said: list[Json], check: Check) -> None:
    for seed in seeds.series(seeds.times(100)):
        rng = random.Random(seed)
        wrong = copy.deepcopy(said)
        for _ in range(rng.randint(1, 5)):
            if found := list(places(wrong)):
                holder, key = rng.choice(found)
                holder[key] = copy.deepcopy(rng.choice([*JUNK, *(inner[at] for inner, at in places(said))]))
        if rng.random() < 0.3:
            rng.shuffle(wrong)
        check(path, wrong, seed)


def test_tokens_of_a_content_that_is_no_text_are_dropped() -> None:
    for content in (5, [{"type": "text", "text": "Hi"}]):
        message = {"role": "assistant", "content": content, "tool_calls": [{"function": {"name": "now"}}]}
        response = {"choices": [{"index": 0, "message": message, "logprobs": PROBS, "finish_reason": "stop"}]}
        [made] = Exchange(request(logprobs=True)).fold(response)["choices"]
        assert (made["message"], made["logprobs"], made["finish_reason"]) == (message, None, "tool_calls")


@pytest.mark.parametrize("choices", [[], {"index": 0}, None])
def test_usage_in_the_middle_of_a_reply_is_told_though_the_next_chunk_is_held_back(choices: Any) -> None:
    told = {"id": "x", "choices": choices, "usage": USAGE}
    said = [chunk({"role": "assistant", "content": "Hi"}), told, chunk({"content": "<tool_call>"}), chunk({}, "stop")]
    first, second, *rest, _ = events(read(b"".join(map(frame, said)) + b"data: [DONE]\n\n", frames()))
    assert second == told
    assert got([first, *rest]) == Got("Hi<tool_call>", "", [], "stop")


def test_a_call_in_the_field_that_was_held_back_comes_before_the_text_behind_it() -> None:
    """It has the name of a call in the text, so it might have been the second telling of that one."""
    said = [
        chunk({"role": "assistant", "content": CALL}),
        chunk(field('{"q":', id="c1", type="function")),
        chunk({"tool_calls": [{"index": 0, "function": {"arguments": ' "b"}'}}]}),
        chunk({"content": "Hi."}),
        chunk({"content": " Bye."}, "stop"),
    ]
    exchange = Exchange(request(), Settings(format="hermes"))
    made = [one for given in said for one in exchange.feed(given)]
    assert [one["choices"][0]["delta"] for one in made[-3:]] == [
        {"tool_calls": [{**entry["choices"][0]["delta"]["tool_calls"][0], "index": 1} for entry in said[1:3]]},
        {"content": "Hi."},
        {"content": " Bye."},
    ]
    assert got(made).calls[1] == ("search", '{"q": "b"}')
