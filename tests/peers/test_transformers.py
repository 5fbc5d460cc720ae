"""The formats against the response templates of transformers, and the parser that reads replies by them.

The package has templates for Qwen and Gemma, for models whose files have none (`transformers.cli.serving.utils`). The
others here say in the same language what its own tests say of these models. Both sides get the same replies: reasoning,
an answer, calls as `render_call` writes them. transformers is in the dependency group `peers` (`make test-peers`).
"""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from typing import Any

import pytest
from attrs import frozen

from streamparse import Reply, formats
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
    "by": [0.5, 1e30],
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
    #: A text that is left out of these replies, since the two read it differently; the comments say who is right.
    is_left_out: Callable[[Any], bool] = lambda text: False
    max_calls: int = 3


PEERS = [
    Peer("hermes", shipped("qwen2"), "<think>{}</think>"),
    Peer("qwen3", shipped("qwen3"), "<think>\n{}\n</think>\n\n"),
    # An array or object that is declared is JSON, and so are the texts in it.
    Peer("qwen3_coder", shipped("qwen3_5"), "<think>\n{}\n</think>\n\n"),
    # What looks like a key behind a brace is quoted, but inside of strings it is data: they are set aside first.
    Peer("gemma4", shipped("gemma4"), "<|channel>thought\n{}<channel|>"),
    # A second list of calls replaces the first one there.
    Peer(
        "cohere_command3",
        COHERE,
        "<|START_THINKING|>{}<|END_THINKING|>",
        "<|START_RESPONSE|>{}<|END_RESPONSE|>",
        max_calls=1,
    ),
    Peer(
        "cohere_command4",
        COHERE,
        "<|START_THINKING|>{}<|END_THINKING|>",
        "<|START_RESPONSE|>{}<|END_RESPONSE|>",
        max_calls=1,
    ),
    Peer(
        "harmony",
        HARMONY,
        "<|channel|>analysis<|message|>{}<|end|><|start|>assistant",
        "<|channel|>final<|message|>{}<|end|>",
    ),
    Peer(
        "inkling",
        INKLING,
        "<|content_thinking|>{}<|end_message|><|message_model|>",
        "<|content_text|>{}<|end_message|>",
    ),
]
