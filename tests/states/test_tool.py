"""states/tool.py: what is almost the closer of an argument is content, and the argument stays open."""

from __future__ import annotations

import pytest

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
