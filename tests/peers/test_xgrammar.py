"""The formats against xgrammar's descriptions of what models write (`xgrammar.get_model_structural_tag`).

Engines hold a model to these descriptions token by token, so a reply they allow is one that users get. Two directions:
random replies that a description allows are read as calls whose arguments fit the schema, and what `render_call` writes
is allowed. xgrammar is in the dependency group `peers` (`make test-peers` sets it up).
"""

from __future__ import annotations

import json
import random
import re
from functools import cache
from typing import Any

import pytest
from attrs import frozen

from streamparse import StreamingResponseHandler, ToolInvocation, formats
from tests.properties.documents import random_chunks

xgrammar = pytest.importorskip("xgrammar", reason="the group `peers` is not installed")
jsonschema = pytest.importorskip("jsonschema")

TEXTS = ["Oslo", "1", "true", "null", "{}", "a b", "<b>x</b>", "x\ny", "é"]
WEATHER = {
    "type": "object",
    "properties": {
        "city": {"type": "string", "enum": TEXTS},
        "days": {"type": "integer"},
        "by": {"enum": [0.5, -2, 1000.25]},
        "live": {"type": "boolean"},
        "none": {"type": "null"},
        "at": {
            "type": "object",
            "properties": {"lat": {"type": "integer"}, "name": {"enum": ["x", "y z"]}},
            "required": ["lat"],
            "additionalProperties": False,
        },
        "tags": {"type": "array", "items": {"enum": ["a", "b c"]}, "maxItems": 3},
        "hours": {"type": "array", "items": {"type": "integer"}, "maxItems": 3},
    },
    "required": ["city", "days"],
    "additionalProperties": False,
}
SCHEMAS: dict[str, Any] = {
    "get_weather": WEATHER,
    "noop": {"type": "object", "properties": {}, "additionalProperties": False},
}
TOOLS = [{"name": name, "parameters": schema} for name, schema in SCHEMAS.items()]
WRITTEN: list[dict[str, Any]] = [
    *({"city": text, "days": 2} for text in TEXTS),
    {"city": "Oslo", "days": -1, "by": 0.5, "live": True, "none": None},
    {"city": "Oslo", "days": 0, "tags": ["a", "b c"], "hours": []},
    {"city": "Oslo", "days": 0, "at": {"lat": 1, "name": "y z"}},
]


@frozen
class Peer:
    """A description of xgrammar's, and the format it is of."""

    model: str
    format: str
    #: What a reply has around its calls, that `render_call` does not write.
    before: str = ""
    behind: str = ""
    #: Where the two write a call differently: ours, and theirs. The comments below say who is right.
    differences: tuple[tuple[str, str], ...] = ()
    #: Whether blanks that the description allows around a value are no part of it.
    has_blanks: bool = True
    #: Whether an object is JSON in our calls, and something else in theirs.
    writes_json: bool = False

    def as_reply(self, call: str) -> str:
        """A reply with this call, in their spelling."""
        for ours, theirs in self.differences:
            call = call.replace(ours, theirs)
        return f"{self.before}{call}{self.behind}"


NO_ARGUMENTS = (("<function=noop>\n", "<function=noop>\n\n"),)
PEERS = [
    # The token is for built-in tools: the object is the reply. Both are read; `render_call` writes the token, because
    # behind other text an object without it is data.
    Peer("llama", "llama3_json", differences=(("<|python_tag|>", ""),)),
    Peer("kimi", "kimi_k2"),
    # The prompt has opened the response. A value is marked as a string, and then its blanks are its own.
    Peer("kimi_k3", "kimi_k3", "Hi.<|close|>response<|sep|>", "<|close|>message<|sep|>", has_blanks=False),
    Peer("deepseek_r1", "deepseek_v3"),
    Peer("deepseek_v3_1", "deepseek_v31"),
    Peer("deepseek_v3_2", "deepseek_v32", "\n\n"),
    Peer("deepseek_v4", "deepseek_v4", "\n\n"),
    Peer("deepseek_v4_1", "deepseek_v41", "\n\n"),
    Peer("qwen_3", "qwen3"),
    # A call without arguments has one line break in the template; xgrammar wants one for each tag.
    Peer("qwen_3_5", "qwen3_coder", differences=NO_ARGUMENTS),
    Peer("qwen_3_coder", "qwen3_coder", differences=NO_ARGUMENTS),
    # Both are right: the templates of MiMo-V2 and V2.5 have line breaks between the tags, that of V2.6 has none.
    Peer("mimo", "mimo", differences=((">\n<", "><"),)),
    # The prompt has written the beginning. OpenAI's documents have the blank, xgrammar takes it in other headers only.
    Peer("harmony", "harmony", differences=(("<|start|>assistant", ""), (" <|constrain|>", "<|constrain|>"))),
    Peer("minimax", "minimax_m2", "\n</think>\n\n\n\n\n"),
    # The template writes objects in tags again. `render_call` does if their members are strings; of others it writes
    # JSON, since tags do not tell the types. Both are read.
    Peer("minimax_m3", "minimax_m3", writes_json=True),
    Peer("glm_4_7", "glm47"),
    # The models of EXAONE 4 write what Hermes does, on one line.
    Peer("exaone", "hermes", differences=((">\n{", ">{"), ("}\n<", "}<"))),
]
#: What is no format of this library: Cohere's calls in `<cofl:tool_calls>`, which came after Command A+.
MISSING = {"cohere"}

#: A token for each byte, and the last to stop.
VOCABULARY = [*(bytes([byte]) for byte in range(256)), b"</s>"]
STOP = 256


def ids(peer: Peer) -> str:
    return peer.model


@cache
def compiled(model: str) -> Any:
    """The description of replies that call a tool and do not reason."""
    info = xgrammar.TokenizerInfo(VOCABULARY, vocab_type=xgrammar.VocabType.RAW, stop_token_ids=[STOP])
    tag = xgrammar.get_model_structural_tag(
        model,
        tools=[{"type": "function", "function": tool} for tool in TOOLS],
        tool_choice="required",
        reasoning=False,
        max_whitespace_cnt=2,
    )
    return xgrammar.GrammarCompiler(info).compile_structural_tag(tag)


def is_allowed(model: str, reply: str) -> bool:
    matcher = xgrammar.GrammarMatcher(compiled(model))
    return bool(matcher.accept_string(reply)) and STOP in next_tokens(matcher)


def next_tokens(matcher: Any) -> list[int]:
    mask = xgrammar.allocate_token_bitmask(1, len(VOCABULARY))
    matcher.fill_next_token_bitmask(mask)
    words = mask[0].tolist()
    return [token for token in range(len(VOCABULARY)) if words[token >> 5] >> (token & 31) & 1]


def random_reply(peer: Peer, rng: random.Random) -> str:
    """A reply that the description allows, byte by byte, up to where it may stop."""
    before = peer.before if peer.model == "kimi_k3" else ""  # any text would do, and random text would not end
    matcher = xgrammar.GrammarMatcher(compiled(peer.model))
    assert matcher.accept_string(before)
    reply = bytearray()
    while not reply or STOP not in next_tokens(matcher):
        token = rng.choice(random_kind([t for t in next_tokens(matcher) if t != STOP], peer.has_blanks, rng))
        assert matcher.accept_token(token)
        reply.append(token)
    return before + reply.decode()


def random_kind(tokens: list[int], has_blanks: bool, rng: random.Random) -> list[int]:
    """Blanks, digits or the rest of these bytes, so that numbers are not the rarest of values."""
    blanks = [token for token in tokens if chr(token) in " \n"]
    digits = [token for token in tokens if chr(token) in "0123456789"]
    others = [token for token in tokens if 32 < token < 127 and token not in digits]
    kinds = [kind for kind in (blanks if has_blanks else [], digits, others) if kind]
    return rng.choice(kinds) if kinds else tokens


def calls_in(format: str, chunks: list[str]) -> list[ToolInvocation]:
    handler = StreamingResponseHandler(format, tools=TOOLS)
    for chunk in chunks:
        handler.feed(chunk)
    handler.finalize()
    return handler.invocations


def test_every_description_has_its_format() -> None:
    registered = vars(xgrammar.builtin_structural_tag)["_structural_tag_registry"]
    assert {peer.model for peer in PEERS} | MISSING == set(registered)


@pytest.mark.parametrize("peer", PEERS, ids=ids)
def test_what_is_allowed_is_read(peer: Peer) -> None:
    rng = random.Random(7)
    for _ in range(60):
        reply = random_reply(peer, rng)
        calls = calls_in(peer.format, random_chunks(rng, reply))
        names = re.findall("get_weather|noop", reply)
        assert [(call.name, call.status) for call in calls] == [(name, "complete") for name in names], reply
        for call in calls:
            jsonschema.validate(call.arguments, SCHEMAS[call.name])


@pytest.mark.parametrize("arguments", WRITTEN, ids=json.dumps)
@pytest.mark.parametrize("peer", PEERS, ids=ids)
def test_what_is_written_is_allowed_and_read(peer: Peer, arguments: dict[str, Any]) -> None:
    reply = peer.as_reply(formats.get(peer.format).render_call("get_weather", arguments, tools=TOOLS))
    assert is_allowed(peer.model, reply) == (not peer.writes_json or "at" not in arguments)
    (call,) = calls_in(peer.format, [reply])
    assert (call.name, call.status) == ("get_weather", "complete")
    assert json.dumps(call.arguments) == json.dumps(arguments)


@pytest.mark.parametrize("peer", PEERS, ids=ids)
def test_what_is_cut_off_is_not_allowed(peer: Peer) -> None:
    """Else the tests above could not fail."""
    reply = peer.as_reply(formats.get(peer.format).render_call("noop", {}, tools=TOOLS))
    assert is_allowed(peer.model, reply)
    assert not is_allowed(peer.model, reply[:-1])
    assert not is_allowed(peer.model, reply.replace("noop", "nope"))
