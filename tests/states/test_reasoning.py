"""states/reasoning.py: reasoning between markers that are no tags, opened by the prompt, ended by calls."""

from __future__ import annotations

import pytest

from streamparse import ParserConfig, StreamingParser
from streamparse.testing import Segment
from tests.formats.kit import call, reasoning, rows, text

OPEN = ParserConfig(reasoning="open")
CUT = {"status": "truncated"}


@pytest.mark.parametrize(
    ("reply", "expected"),
    [
        ("[THINK]a[/THINK]b", [reasoning("a"), text("b")]),
        ("[THINK]a</think>b", [reasoning("a"), text("b")]),
        ("<think>a[/THINK]b", [reasoning("a"), text("b")]),
        ("[THINK][/THINK]b", [reasoning(""), text("b")]),
        ("[THINK]a[THINK]b[/THINK][THINK]c", [reasoning("a[THINK]b"), reasoning("c", **CUT)]),
        ("[THINK]a[/TH", [reasoning("a[/TH", **CUT)]),
        ("[think]a[/THINK]b", [text("[think]ab")]),
        ("[THINK]`[/THINK]`b", [reasoning("`"), text("`b")]),
        ("[THINK]a</s>b", [reasoning("ab", **CUT)]),
    ],
)
def test_reasoning_between_markers(reply: str, expected: list[Segment]) -> None:
    assert rows("mistral", reply) == expected


def test_a_call_in_a_code_span_of_reasoning() -> None:
    """Ended behind the call, the span may be a stray backtick: then the call is repaired."""
    reply = "[THINK]`[TOOL_CALLS]f{}`[/THINK]"
    assert rows("mistral", reply, is_mended=True) == [reasoning("`[TOOL_CALLS]f{}`")]


@pytest.mark.parametrize(
    ("reply", "expected"),
    [
        ("a[/THINK]b", [reasoning("a"), text("b")]),
        ("a</think>b", [reasoning("a"), text("b")]),
        ("[THINK]a[/THINK]b", [reasoning("a"), text("b")]),
        ("[THI", [reasoning("[THI", **CUT)]),
        ("a[TOOL_CALLS]f{}b", [reasoning("a"), call("f", "{}"), text("b")]),
        ("[TOOL_CALLS]f{}b", [call("f", "{}"), text("b")]),
        ("[/THINK]b", [text("b")]),
        ("", []),
    ],
)
def test_reasoning_that_the_prompt_has_opened(reply: str, expected: list[Segment]) -> None:
    assert rows("mistral", reply, config=OPEN) == expected


def test_blanks_in_an_opener_that_may_be_repeated_are_waited_past_only_where_any_may_stand() -> None:
    assert rows("hermes", "<think \n\n>a</think>", config=OPEN) == [reasoning("a")]
    assert rows("apriel", "Here  are", config=OPEN) == [reasoning("Here  are", **CUT)]
    assert rows("granite3", "a `Here  is` Here is my response:", config=OPEN) == [reasoning("a `Here  is` ")]


def test_a_call_that_does_not_end_reasoning_is_reasoning() -> None:
    reply = '<think>a<tool_call>{"name": "f"}</tool_call></think>'
    assert rows("hermes", reply) == [reasoning('a<tool_call>{"name": "f"}</tool_call>')]


def test_a_call_that_stands_in_reasoning_does_not_end_it() -> None:
    reply = '<|inner_prefix|>a<|tools_prefix|>[{"f": {}}]<|tools_suffix|>b'
    assert rows("apertus", reply) == [reasoning("a"), call("f", "{}"), reasoning("b", **CUT)]


def test_what_is_open_when_a_call_of_another_interface_comes_is_settled_as_at_the_end() -> None:

    parser = StreamingParser("ernie45")
    parser.feed("a</think>")
    parser.interrupt()
    assert [event.delta for event in parser.feed("\n\nb") if event.type == "SEGMENT_CONTENT"] == ["\n\nb"]
