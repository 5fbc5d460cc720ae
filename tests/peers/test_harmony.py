"""harmony against the reference implementation, `openai-harmony`, on random conversations.

It is in the dependency group `peers`, and loads its vocabulary over the network, or from `$TIKTOKEN_ENCODINGS_BASE`:
without either the comparison is skipped (`make test-peers` sets it up).
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

import pytest

from streamparse import StreamingParser
from streamparse.testing import segments
from tests.properties.documents import random_chunks

harmony = pytest.importorskip("openai_harmony", reason="the group `peers` is not installed")

BODIES = ["", "Hm.", "It is\ncold, é 雪.", "a < b <b>x</b> <|", '{"no": "call"}', "x" * 300]
ARGUMENTS = ["{}", '{"city": "Oslo"}', '{"a": [1, {"b": "}<"}], "c": null}', '{"a": "\\"<|"}']
HEADERS = [
    "<|channel|>analysis",
    "<|channel|>commentary",
    "<|channel|>final",
    "<|channel|>commentary to=functions.f <|constrain|>json",
    "<|channel|>commentary to=functions.f<|constrain|>json",
    " to=functions.f<|channel|>commentary json",
    " to=functions.f<|channel|>commentary <|constrain|>json",
    "<|channel|>analysis to=browser.search code",
    "<|channel|>analysis to=python code",
]


@pytest.fixture(scope="module")
def encoding() -> Any:
    try:
        return harmony.load_harmony_encoding(harmony.HarmonyEncodingName.HARMONY_GPT_OSS)
    except harmony.HarmonyError as error:
        pytest.skip(f"no vocabulary: {error}")


def replies(count: int) -> Iterator[str]:
    rng = random.Random(7)
    for _ in range(count):
        messages = []
        for _ in range(rng.randrange(1, 5)):
            header = rng.choice(HEADERS)
            is_json = "to=" in header and "python" not in header
            body = rng.choice(ARGUMENTS if is_json else BODIES)
            end = "<|call|>" if "to=" in header else rng.choice(["<|end|>", "<|end|>", "<|return|>"])
            messages.append(f"{header}<|message|>{body}{end}")
        yield "<|start|>assistant".join(messages)


def expected(encoding: Any, text: str) -> list[tuple[str, str, str]]:
    """Type, tool and content of each message, texts that follow each other as one."""
    tokens = encoding.encode(text, allowed_special="all")
    rows: list[tuple[str, str, str]] = []
    for message in encoding.parse_messages_from_completion_tokens(tokens, role=harmony.Role.ASSISTANT):
        body = "".join(part.text for part in message.content)
        recipient = message.recipient or "all"
        if recipient != "all":
            rows.append(("tool_call", recipient.removeprefix("functions."), body))
        elif message.channel == "analysis":
            rows.append(("reasoning", "", body))
        elif body and rows and rows[-1][0] == "text":
            rows[-1] = ("text", "", rows[-1][2] + body)
        elif body:
            rows.append(("text", "", body))
    return rows


def test_the_messages_are_those_of_the_reference(encoding: Any) -> None:
    rng = random.Random(8)
    for text in replies(300):
        parser = StreamingParser("harmony")
        events = [event for chunk in random_chunks(rng, text) for event in parser.feed(chunk)]
        found = segments(events + parser.finalize())
        assert {row[3].get("status") for row in found} <= {None}, text
        assert [(kind, str(data.get("tool_name", "")), content) for kind, data, content, _ in found] == (
            expected(encoding, text)
        ), text
