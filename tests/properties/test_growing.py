"""Arguments that are shown while they come, in every format: they depend on the content alone, and they only grow."""

from __future__ import annotations

import random
import re
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from streamparse import Limits, ParserConfig, StreamingResponseHandler, ToolSpec, formats
from streamparse.arguments import ArgumentDecoder, ArgumentsError, Signature
from streamparse.errors import RenderError
from tests import seeds
from tests.properties.test_one_story import WRITERS, bodies
from tests.properties.test_partial import begins

EXAMPLES = seeds.times(2)
TYPES = {"s": "string", "t": ["string", "null"], "n": "integer", "b": "boolean", "o": "object", "l": "array"}
TOOL = ToolSpec("f", {"type": "object", "properties": {name: {"type": kind} for name, kind in TYPES.items()}})
SAMPLES: list[dict[str, Any]] = [
    {"s": "a b", "n": 3},
    {"s": 'x<y>&amp;</p>\nq\r\n"', "t": "null"},
    {"o": {"a": [1, {"b": "c"}]}, "l": ["x", "é\\"]},
    {"zz": "text <b>bold</b>", "b": True},
]
#: What may stand in a content besides the tags of its format.
SOUP = [
    *("{", "}", "[", "]", '"', '"s"', '"n": 1', ": ", ", ", "\\", "\\n", "\\ud83d", "\\ude00", "1e999", "true", "nul"),
    *('{"name": "f", "arguments": ', '"arguments": "{\\"s\\": \\"', "s=", "'", '"""', "n=5", "text", "5", " ", "\n"),
    *("\r\n", "<", "</", "&amp;", "&l", "<!--", "-->", "<note>", "</note>", "<item>a</item>", "<s>", "</s>", "<n>"),
]
DECODERS = [name for name in formats.names() if formats.get(name).arguments is not None]
#: What is held is soon held too long.
SHORT = ParserConfig(limits=Limits(max_held=40))


def rendered(format: str, arguments: dict[str, Any]) -> str:
    """The call as the format writes it, or nothing if it cannot."""
    try:
        return formats.get(format).render_call("f", arguments)
    except RenderError:
        return ""


def contents(format: str, rng: random.Random) -> list[str]:
    """Contents of calls, right and wrong: pieces of calls, and a soup of what they consist of."""
    calls = [call for sample in SAMPLES if (call := rendered(format, sample))]
    tags = sorted({tag for call in calls for tag in re.findall(r"[<\[][^<>\[\]]*[>\]]", call)})
    pieces = [*SOUP, *tags * 3]
    soups = ["".join(rng.choices(pieces, k=rng.randint(2, 14))) for _ in range(seeds.times(12))]
    return [*(call[rng.randrange(min(len(call), 60)) :] for call in calls), *soups]


def check_growing(decoder: ArgumentDecoder, content: str, signature: Signature, rng: random.Random) -> None:
    """Whatever the pieces in which the content comes, it shows what it shows when all of it comes at once."""
    try:
        growing = decoder.grow(signature)
    except ArgumentsError:
        assert decoder.decode_partial(content, signature) == decoder.decode_cut(content, signature) == {}
        return
    end = 0
    while end < len(content):
        start, end = end, min(end + rng.randint(1, 6), len(content))
        growing.feed(content[start:end])
        if rng.random() < 0.8:
            shown = growing.show()
            assert shown == decoder.decode_partial(content[:end], signature), content[:end]
            assert list(shown) == list(decoder.decode_partial(content[:end], signature)), content[:end]
    assert growing.cut() == decoder.decode_cut(content, signature), content


@pytest.mark.parametrize("format", DECODERS)
def test_what_is_shown_depends_on_the_content_alone(format: str) -> None:
    rng = seeds.rng(f"growing {format}")
    decoder = formats.get(format).arguments
    assert decoder is not None
    for content in contents(format, rng):
        for config in (ParserConfig(), SHORT):
            for signature in (Signature.of(TOOL, config), Signature.of(None, config, rng.choice(["f", "python"]))):
                check_growing(decoder, content, signature, rng)


@pytest.mark.parametrize("format", [*WRITERS, "json"])
@given(text=bodies, number=st.integers(-9, 999), size=st.integers(1, 5), is_declared=st.booleans())
@settings(max_examples=EXAMPLES * 4, deadline=None)
def test_what_is_shown_only_grows(format: str, text: str, number: int, size: int, is_declared: bool) -> None:
    call = rendered(format, {"s": text, "n": number, "t": text})
    handler = StreamingResponseHandler(format, tools=[TOOL] if is_declared else [])
    snapshots: list[dict[str, Any]] = []
    for start in range(0, len(call), size):
        events = handler.feed(call[start : start + size])
        snapshots += [shown for event in events if (shown := handler.partial_arguments(event.segment_id)) is not None]
    handler.finalize()
    complete = [made.arguments for made in handler.invocations if made.status == "complete"]
    if len(complete) == 1:
        for before, after in zip(snapshots, [*snapshots[1:], complete[0]], strict=True):
            assert begins(before, after), (before, after)
