"""states/tool.py: what is almost the closer of an argument is content, and the argument stays open."""

from __future__ import annotations

import pytest

from streamparse import StreamingParser
from streamparse.testing import assert_chunk_invariant, segments


@pytest.mark.parametrize("almost", ["</arg x>", "</arg/>", "</arg \n x>", "</arg> and", "</arg", "</arg <"])
def test_what_is_not_quite_the_closer_of_an_argument_leaves_it_open(almost: str) -> None:
    """Open: so the `</tool>` behind it is data, because a closer that fits comes later."""
    body = f'<arg name="a">1{almost} </tool> 2</arg>'
    events = assert_chunk_invariant(f'<tool name="q">{body}</tool>.')
    assert segments(events) == [("tool_call", {"tool_name": "q"}, body, {}), ("text", {}, ".", {})]


@pytest.mark.parametrize("closer", ["</arg>", "</arg >", "</ARG\r\n>"])
def test_a_closer_with_blanks_and_the_end_behind_it_counts(closer: str) -> None:
    body = f'<arg name="a">1{closer} \n'
    events = assert_chunk_invariant(f'<tool name="q">{body}</tool>.</tool>')
    assert segments(events) == [("tool_call", {"tool_name": "q"}, body, {}), ("text", {}, ".</tool>", {})]


@pytest.mark.parametrize("chunks", [1, 100])
def test_the_closer_of_an_argument_of_the_name_of_the_call_does_not_wait(chunks: int) -> None:
    parser, text = StreamingParser("xml"), '<tool name="q"><tool>a</too'
    shown = [parser.feed(text[start : start + chunks]) for start in range(0, len(text), chunks)]
    assert "".join(event.delta for events in shown for event in events) == "<tool>a</too"
    rest = [*parser.feed("l><b>1</b></tool> x"), *parser.finalize()]
    assert "".join(event.delta for event in rest) == "l><b>1</b> x"
