"""The formats against the response templates of transformers, and the parser that reads replies by them.

The package has templates for Qwen and Gemma, for models whose files have none (`transformers.cli.serving.utils`). The
others here say in the same language what its own tests say of these models. Both sides get the same replies: reasoning,
an answer, calls as `render_call` writes them. transformers is in the dependency group `peers` (`make test-peers`).
"""

from __future__ import annotations

import json
import random
from typing import Any, Literal

import pytest
from attrs import evolve, frozen

from streamparse import ParserConfig, Reply, formats
from streamparse.formats import Format
from tests.properties.documents import random_chunks

chat_parsing = pytest.importorskip("transformers.utils.chat_parsing", reason="the group `peers` is not installed")
serving = pytest.importorskip("transformers.cli.serving.utils", reason="the group `peers` is not installed")

TOOLS = [
    {
        "name": "get_weather",
        "parameters": {
            "type": "object",
            "properties": {
                "city": {"type": "string"},
                "days": {"type": "integer"},
                "by": {"type": "number"},
                "live": {"type": "boolean"},
                "at": {"type": "object", "properties": {"lat": {"type": "integer"}, "name": {"type": "string"}}},
                "tags": {"type": "array", "items": {"type": "string"}},
            },
        },
    },
    {"name": "noop", "parameters": {"type": "object", "properties": {}}},
]
VALUES: dict[str, list[Any]] = {
    "city": ["Oslo", "", "1", "a b", "<b>x</b>", "x\ny", 'é "雪" \\', "{a: 1}"],
    "days": [2, -1, 0],
    "by": [0.5, -2.25],
    "live": [True, False],
    "at": [{"lat": 1, "name": "x: y, z"}, {}],
    "tags": [["a", "b c"], []],
}
TEXTS = ["", "Hm.", "It is\ncold, é 雪.", "a < b <b>x</b>"]


def shipped(model_type: str) -> dict[str, Any]:
    """The template that the package has for models of this type."""
    templates = vars(serving)["_RESPONSE_TEMPLATE_FALLBACKS"]
    return next(template for types, template in templates.items() if model_type in types)


def template(start: str, **fields: dict[str, Any]) -> dict[str, Any]:
    return {"defaults": {"role": "assistant"}, "start_anchor": start, "fields": fields}


def calls(name: str, arguments: str, **field: Any) -> dict[str, Any]:
    function = {"name": name, "arguments": arguments}
    return {"content": "json", "transform": {"type": "function", "function": function}, **field}


COHERE = template(
    "<|CHATBOT_TOKEN|>",
    reasoning_content={"open": "<|START_THINKING|>", "close": "<|END_THINKING|>"},
    content={"open": "<|START_RESPONSE|>", "close": "<|END_RESPONSE|>"},
    tool_calls=calls(
        "{tool_name}", "{parameters}", open="<|START_ACTION|>", close="<|END_ACTION|>", transform_each=True
    ),
)
HARMONY = template(
    "<|start|>assistant",
    reasoning_content={"open": "<|channel|>analysis<|message|>", "close": "<|end|>"},
    content={"open": "<|channel|>final<|message|>", "close": "<|end|>"},
    tool_calls=calls(
        "{name}",
        "{content}",
        open_pattern=r"<\|channel\|>commentary to=functions\.(?P<name>\w+).*?<\|message\|>",
        close="<|call|>",
        repeats=True,
    ),
)
INKLING = template(
    "<|message_model|>",
    reasoning_content={"open_pattern": r"[^<]*<\|content_thinking\|>", "close": "<|end_message|>"},
    content={"open_pattern": r"[^<]*<\|content_text\|>", "close": "<|end_message|>"},
    tool_calls=calls(
        "{content.name}",
        "{content.args}",
        open_pattern=r"[^<]*<\|content_invoke_tool_json\|>",
        close="<|end_message|>",
        repeats=True,
    ),
)


@frozen
class Peer:
    """A format, what transformers says of it, and how reasoning and an answer are written."""

    format: str
    template: dict[str, Any]
    reasoning: str
    answer: str = "{}"
    #: Of several lists of calls, the last replaces the others in some templates.
    max_calls: int = 3


_COHERE = ("<|START_THINKING|>{}<|END_THINKING|>", "<|START_RESPONSE|>{}<|END_RESPONSE|>", 1)
PEERS = [
    Peer("hermes", shipped("qwen2"), "<think>{}</think>"),
    Peer("qwen3", shipped("qwen3"), "<think>\n{}\n</think>\n\n"),
    Peer("qwen3_coder", shipped("qwen3_5"), "<think>\n{}\n</think>\n\n"),
    Peer("gemma4", shipped("gemma4"), "<|channel>thought\n{}<channel|>"),
    Peer("cohere_command3", COHERE, *_COHERE),
    Peer("cohere_command4", COHERE, *_COHERE),
    Peer(
        "harmony",
        HARMONY,
        "<|channel|>analysis<|message|>{}<|end|>",
        "<|start|>assistant<|channel|>final<|message|>{}<|end|>",
    ),
    Peer(
        "inkling",
        INKLING,
        "<|content_thinking|>{}<|end_message|>",
        "<|message_model|><|content_text|>{}<|end_message|>",
    ),
]


def random_reply(peer: Peer, rng: random.Random) -> str:
    reasoning, answer = rng.choice(TEXTS), rng.choice(TEXTS)
    parts = [peer.reasoning.format(reasoning)] if reasoning else []
    parts += [peer.answer.format(answer)] if answer else []
    for _ in range(rng.randrange(peer.max_calls + 1)):
        name = rng.choice(["get_weather", "get_weather", "noop"])
        keys = rng.sample(list(VALUES), rng.randrange(1, len(VALUES))) if name == "get_weather" else []
        arguments = {key: rng.choice(VALUES[key]) for key in keys}
        parts.append(formats.get(peer.format).render_call(name, arguments, tools=TOOLS))
    return "".join(parts)


def ours(
    peer: Peer, chunks: list[str], reasoning: Literal["open", "closed"] = "closed", format: Format | None = None
) -> dict[str, Any]:
    reply = Reply(chunks, format or peer.format, tools=TOOLS, config=ParserConfig(reasoning=reasoning))
    assert all(call.status == "complete" for call in reply.read().calls)
    return {
        "reasoning_content": reply.reasoning.strip(),
        "content": reply.text.strip(),
        "tool_calls": [(call.name, json.dumps(call.arguments)) for call in reply.calls],
    }


def theirs(peer: Peer, chunks: list[str], prompt: str = "") -> dict[str, Any]:
    tools = [{"type": "function", "function": tool} for tool in TOOLS]
    parser = chat_parsing.ResponseParser(peer.template, prefix=prompt, tools=tools)
    for chunk in chunks:
        parser.feed(chunk)
    message, _ = parser.finalize()
    functions = [call["function"] for call in message.get("tool_calls", [])]
    return {
        "reasoning_content": message.get("reasoning_content", ""),
        "content": message.get("content", ""),
        "tool_calls": [(function["name"], json.dumps(function["arguments"])) for function in functions],
    }


@pytest.mark.parametrize("peer", PEERS, ids=lambda peer: peer.format)
def test_replies_are_read_alike(peer: Peer) -> None:
    rng = random.Random(7)
    for _ in range(200):
        chunks = random_chunks(rng, random_reply(peer, rng))
        assert ours(peer, chunks) == theirs(peer, chunks), "".join(chunks)


@pytest.mark.parametrize("peer", PEERS, ids=lambda peer: peer.format)
def test_a_format_made_of_the_template_reads_replies_alike(peer: Peer) -> None:
    format = Format.from_response_template(peer.template)
    rng = random.Random(9)
    for _ in range(200):
        chunks = random_chunks(rng, random_reply(peer, rng))
        assert ours(peer, chunks, format=format) == theirs(peer, chunks), "".join(chunks)


@pytest.mark.parametrize("peer", [peer for peer in PEERS if "<think>" in peer.reasoning], ids=lambda peer: peer.format)
def test_replies_whose_reasoning_the_prompt_has_opened_are_read_alike(peer: Peer) -> None:
    rng = random.Random(8)
    opener, rest = peer.reasoning.split("{}")
    for _ in range(100):
        chunks = random_chunks(rng, f"Hm.{rest}{random_reply(evolve(peer, reasoning=''), rng)}")
        prompt = f"<|im_start|>user\nHi<|im_end|>\n<|im_start|>assistant\n{opener}"
        assert ours(peer, chunks, "open") == theirs(peer, chunks, prompt), "".join(chunks)
        format = Format.from_response_template(peer.template)
        assert format.reasoning_is_open(prompt)
        assert ours(peer, chunks, "open", format) == theirs(peer, chunks, prompt), "".join(chunks)
