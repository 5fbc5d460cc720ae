"""The guarantees for formats with parameters in tags, on random documents; and calls, written and read again."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from typing import Any

import pytest

from streamparse import Limits, ParserConfig, StreamingResponseHandler, formats
from streamparse.errors import RenderError
from streamparse.testing import check_order, normalize
from streamparse.testing.checks import is_prefix
from tests import seeds
from tests.formats.kit import tool
from tests.properties.documents import random_chunks

COUNT = seeds.times(80)
NS = "]<]minimax[>["
COMMON = ["\n", " ", "x", "1", "<", "</", "{", "}", '"', "`", "<think>", "</think>", "\0", "é"]
PIECES = {
    "qwen3_coder": [
        *(
            "<tool_call>",
            "</tool_call>",
            "<function=f>",
            "</function>",
            "<parameter=a>",
            "<parameter=b>",
            "</parameter>",
        ),
        *(
            "<para",
            "</func",
            "<tool_call><function=f>",
            "<tool_call><function=f><parameter=a>",
            "</parameter></function>",
        ),
    ],
    "glm45": [
        *("<tool_call>", "f", "</tool_call>", "<arg_key>", "</arg_key>", "<arg_value>", "</arg_value>", "\\n", "</arg"),
        *("<tool_call>f<arg_key>a</arg_key><arg_value>", "<arg_key>b</arg_key>", "<arg_key>b</arg_key>\n<arg_value>"),
    ],
    "hunyuan3": [
        *("<tool_calls:x>", "<tool_call>f<tool_sep>", "</tool_call>", "</tool_calls:x>", "<arg_key:x>a</arg_key>"),
        *("<arg_key>b</arg_key><arg_value>", "<arg_value>", "</arg_value>", "</arg_value:x>", ":"),
    ],
    "deepseek_v32": [
        *("<｜DSML｜function_calls>", '<｜DSML｜invoke name="f"', '<｜DSML｜invoke name="f">', ">", "/>", "<｜DS"),
        *('<｜DSML｜parameter name="a" string="true">', '<｜DSML｜parameter name="b" string="false">'),
        *("</｜DSML｜parameter>", "</｜DSML｜invoke>", "</｜DSML｜function_calls>"),
    ],
    "hy_v4": [
        *("<tool_calls:x>", "<tool_call>f", "<tool_call:x>f", "</tool_call>", "</tool_calls:x>", ":", "</think:x>"),
        *("<arg_key:x>a</arg_key>", "<arg_key>b</arg_key><arg_value>", "<arg_value>", "</arg_value>", "</arg_value:x>"),
    ],
    "k2_horizon": [
        *("<ifm|tool_calls>", "<ifm|tool_call>f", "</ifm|tool_call>", "</ifm|tool_calls>", "<ifm|tool_call>[", "<ifm|"),
        *("<ifm|arg_type>integer</ifm|arg_type>", "<ifm|arg_value>", "</ifm|arg_value>", "</ifm|think_fast>"),
        *("<ifm|arg_key>a</ifm|arg_key>", "<ifm|arg_key>b</ifm|arg_key><ifm|arg_value>"),
        '<ifm|tool_call>{"name": "f", "arguments": {',
    ],
    "minicpm5": [
        *('<function name="f"><param name="a">', '<param name="a">', "<param name=b>", "</param>", "</function>"),
        *("<![CDATA[", "]]>", "]]", '<function name="f"></function>'),
    ],
    "minimax_m3": [
        *(f"{NS}<tool_call>", f'{NS}<invoke name="f">', f"{NS}<a>", f"{NS}</a>", f"{NS} <b>", f"{NS}</b>", NS, "]<"),
        *(f"{NS}</invoke>", f"{NS}</tool_call>", f"{NS}<item>"),
    ],
    "kimi_k3": [
        *("<|open|>tools<|sep|>", '<|open|>call tool="f"<|sep|>', '<|open|>argument key="a" type="string"<|sep|>'),
        *("<|close|>argument<|sep|>", "<|close|>call<|sep|>", "<|close|>tools<|sep|>", "<|open|>response<|sep|>", "<|"),
    ],
}
TOOLS = [tool("f", a="string", b="integer")]


def documents(rng: random.Random, name: str, count: int) -> Iterator[str]:
    pieces = [*PIECES[name], *PIECES[name], *COMMON]
    for _ in range(count):
        yield "".join(rng.choice(pieces) for _ in range(rng.randrange(1, 16)))


def run(format: str, chunks: list[str], config: ParserConfig) -> tuple[list[Any], list[Any], list[Any]]:
    """What was shown before the end, all events, and the invocations."""
    handler = StreamingResponseHandler(format, tools=TOOLS, config=config)
    early = [event for chunk in chunks for event in handler.feed(chunk)]
    events = early + handler.finalize()
    check_order(events)
    return normalize(early), normalize(events), [made.to_dict() for made in handler.invocations]


@pytest.mark.parametrize("name", PIECES)
def test_same_events_for_every_chunking_and_nothing_is_taken_back(name: str) -> None:
    rng = seeds.rng(name)
    for text in documents(rng, name, COUNT):
        config = ParserConfig(limits=Limits(max_held=rng.choice([20, 60, 100_000])))
        _, whole, made = run(name, [text], config)
        for chunks in (list(text), random_chunks(rng, text), random_chunks(rng, text)):
            assert run(name, chunks, config)[1:] == (whole, made), chunks
        prefix = text[: rng.randrange(len(text) + 1)]
        shown = run(name, [prefix], config)[0]
        assert run(name, list(prefix), config)[0] == shown, prefix
        assert is_prefix(shown, whole), (prefix, text)


FORMATS = [
    *("qwen3_coder", "mimo", "seed_oss", "glm45", "glm47", "hunyuan3", "deepseek_v32", "deepseek_v4", "minimax_m2"),
    *("minimax_m3", "step3", "dots", "minicpm5", "kimi_k3", "deepseek_v41", "gigachat35", "hy_v4", "iquest_q1"),
    *("spark25", "k2_horizon", "beam", "granite_thinking", "minicpmv"),
]
PLAIN = [*"abc 12.,;:!?\n\t\r\"'{}[]()/\\-_&%$#@`=|äß", "true", "null", " < ", " > ", "&amp;", "😀", "\ud800"]
MARKED = [piece for pieces in PIECES.values() for piece in pieces] + COMMON


def string(rng: random.Random, is_plain: bool) -> str:
    pieces = PLAIN if is_plain else MARKED
    return "".join(rng.choice(pieces) for _ in range(rng.randrange(8)))


def value(rng: random.Random, is_plain: bool, depth: int = 0) -> Any:
    kind = rng.random()
    if depth > 2 or kind < 0.6:
        return string(rng, is_plain)
    if kind < 0.75:
        return rng.choice([0, -5, 10**20, 3.5, 2.0, 1e100, True, False, None])
    if kind < 0.87:
        return [value(rng, is_plain, depth + 1) for _ in range(rng.randrange(4))]
    return {rng.choice(["k", "item", "a b"]): value(rng, is_plain, depth + 1) for _ in range(rng.randrange(4))}


def type_of(value: Any) -> str:
    kinds = {str: "string", int: "integer", float: "number", bool: "boolean", list: "array", dict: "object"}
    return kinds.get(type(value), "null")


@pytest.mark.parametrize("is_plain", [True, False])
@pytest.mark.parametrize("name", FORMATS)
def test_a_call_is_refused_or_read_as_it_was_and_plain_ones_are_not_refused(name: str, is_plain: bool) -> None:
    rng = seeds.rng(f"{name}{is_plain}")
    config = ParserConfig(reasoning="closed")
    for _ in range(COUNT):
        keys = rng.sample(["a", "b", "city name", "x-y", "ünï"], rng.randrange(4))
        arguments = {key: value(rng, is_plain) for key in keys}
        try:
            rendered = formats.get(name).render_call("f", arguments)
        except RenderError:
            assert not is_plain, arguments
            continue
        types = {"a": "string", "b": "string", **{key: type_of(value) for key, value in arguments.items()}}
        text = f"Hi {rendered} bye"
        for chunks in ([text], random_chunks(rng, text)):
            handler = StreamingResponseHandler(name, tools=[tool("f", **types)], config=config)
            events = [event for chunk in chunks for event in handler.feed(chunk)] + handler.finalize()
            assert [made.status for made in handler.invocations] == ["complete"], text
            assert not handler.invocations[0].repaired
            assert json.dumps(handler.invocations[0].arguments) == json.dumps(arguments), text
            assert "".join(event.delta for event in events if event.segment_type == "text") == "Hi  bye"
