"""Limits inside a call: what a state does when what it waits for does not come in time, at every split."""

from __future__ import annotations

import pytest

from streamparse import Limits, ParserConfig, StreamingParser
from streamparse.testing import Segment, assert_chunk_invariant, segments


def rows(text: str, **limits: int) -> list[Segment]:
    return segments(assert_chunk_invariant(text, config=ParserConfig(limits=Limits(**limits))))


NO_PATH = {"status": "malformed", "error": "path is missing"}


def test_a_body_before_its_path_is_shown_up_to_the_limit_and_the_rest_of_the_call_is_swallowed() -> None:
    """Behind the tool's tag 30 characters: the 20 of `<arg name="content">` and 10 of the body."""
    text = (
        '<tool name="write_file"><arg name="content">0123456789ABC</arg><arg name="path">p</arg></tool> and '
        '<write_file path="q">x</write_file>'
    )
    assert rows(text, max_held=30) == [
        ("write_file", {"tool_name": "write_file"}, "0123456789", NO_PATH),
        ("text", {}, " and ", {}),
        (
            *("write_file", {"path": "q"}, "x"),
            {"status": "malformed", "error": "it stands behind an argument that was never closed"},
        ),
    ]


def test_a_whole_body_before_a_path_that_never_comes_is_shown_at_the_limit() -> None:
    note = f'<arg name="note">{"x" * 100}</arg>'
    text = f'<tool name="patch_file"><arg name="patch">@@</arg>{note}<arg name="path">p</arg></tool>.'
    assert rows(text, max_held=80) == [
        ("patch_file", {"tool_name": "patch_file"}, "@@", NO_PATH),
        ("text", {}, ".", {}),
    ]


def test_a_call_that_is_cut_off_behind_the_limit_is_truncated() -> None:
    text = '<tool name="write_file"><arg name="content">0123456789ABC</arg><arg name="path">p</ar'
    assert rows(text, max_held=30) == [
        ("write_file", {"tool_name": "write_file"}, "0123456789", {"status": "truncated"}),
    ]


def test_arguments_known_at_the_limit_are_in_the_start() -> None:
    text = '<tool name="write_file" mode="a"><encoding>utf-8</encoding>' + " " * 100 + "<path>p</path></tool>."
    assert rows(text, max_held=60) == [
        ("write_file", {"mode": "a", "tool_name": "write_file", "encoding": "utf-8"}, "", NO_PATH),
        ("text", {}, ".", {}),
    ]


def test_the_start_comes_at_the_limit_and_not_later() -> None:
    parser = StreamingParser("xml", ParserConfig(limits=Limits(max_held=30)))
    assert parser.feed('<tool name="write_file"><arg name="content">0123456789') == []
    events = parser.feed("A")
    assert [(event.type.value, event.delta) for event in events] == [
        *(("SEGMENT_START", ""), ("SEGMENT_CONTENT", "0123456789")),
    ]
    assert parser.feed("BC") == []


@pytest.mark.parametrize("size", [95, 96, 97])
def test_an_argument_that_is_too_long_makes_the_call_malformed(size: int) -> None:
    """Names count too: `note` and 96 characters are 100."""
    text = f'<tool name="run_bash"><note>{"n" * size}</note><command>ls</command></tool>.'
    end = {"status": "malformed", "error": "note is too long"} if size > 96 else {"late": {"note": "n" * size}}
    assert rows(text, max_arguments=100) == [
        ("run_bash", {"tool_name": "run_bash"}, "ls", end),
        ("text", {}, ".", {}),
    ]


def test_all_arguments_of_a_call_count_together() -> None:
    notes = "".join(f'<arg name="n{number}">{"x" * 40}</arg>' for number in range(4))
    text = f'<tool name="run_bash"><arg name="command">ls</arg>{notes}</tool>.'
    (first, last) = rows(text, max_arguments=150)
    assert first == (
        "run_bash",
        {"tool_name": "run_bash"},
        "ls",
        {"status": "malformed", "error": "n3 is too long", "late": {f"n{number}": "x" * 40 for number in range(3)}},
    )
    assert last == ("text", {}, ".", {})


def test_a_body_is_no_argument_that_can_be_too_long() -> None:
    body = "x" * 500
    text = f'<tool name="write_file" path="p"><arg name="content">{body}</arg></tool>'
    assert rows(text, max_arguments=10, max_held=50) == [
        ("write_file", {"path": "p", "tool_name": "write_file"}, body, {}),
    ]


def test_a_closer_that_lies_across_the_limit_is_no_content() -> None:
    """Behind the tool's tag 27 characters: `<arg name="content">`, `abc` and the `</to` of the closer."""
    assert rows('<tool name="write_file"><arg name="content">abc</tool>.', max_held=27) == [
        ("write_file", {"tool_name": "write_file"}, "abc", NO_PATH),
        ("text", {}, ".", {}),
    ]


def test_a_tag_that_is_none_before_it_is_too_long_is_text_and_no_more() -> None:
    config = ParserConfig(limits=Limits(max_tag=20))
    text = '<tool name="q" name="r"><tool name="q"/>'
    expected = [("text", {}, '<tool name="q" name="r">', {}), ("tool_call", {"tool_name": "q"}, "", {})]
    assert segments(assert_chunk_invariant(text, config=config)) == expected
