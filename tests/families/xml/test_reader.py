"""families/xml/reader.py: what only limits, complete texts and rare tags reach."""

from __future__ import annotations

from typing import Any

import pytest

from streamparse import Limits, ParserConfig, StreamingResponseHandler, ToolSpec
from streamparse.arguments import Signature
from streamparse.families.xml.decoder import XML_ARGUMENTS
from streamparse.testing import assert_chunk_invariant, segments


def called(text: str, **options: Any) -> list[tuple[Any, ...]]:
    """What the calls of `text` come to; the events are the same however it is cut."""
    assert_chunk_invariant(text, "xml", **options)
    handler = StreamingResponseHandler("xml", **options)
    handler.feed(text)
    handler.finalize()
    return [(made.name, made.arguments, made.status, made.repaired, made.error) for made in handler.invocations]


def limited(**limits: int) -> ParserConfig:
    return ParserConfig(limits=Limits(**limits))


def test_what_is_held_past_the_limit_is_decided_for_the_decoder_as_for_the_state() -> None:
    """The `</tool>` in the value, and in the second call the closer before ` x`, wait for 20 characters."""
    unclosed = [("q", {}, "malformed", False, "a was never closed")]
    text = '<tool name="q"><arg name="a">1</tool>' + "x" * 30 + "</arg></tool>"
    assert called(text, config=limited(max_held=20)) == unclosed
    text = '<tool name="q"><arg name="a">1</arg> ' + "x" * 30 + '<arg name="b">2</arg></tool>'
    assert called(text, config=limited(max_held=20)) == unclosed


def test_past_the_limit_the_decoder_reads_no_further_than_the_end_of_the_call() -> None:
    content = '<arg name="a">1</tool>' + "x" * 30 + "</arg>"
    decoded = XML_ARGUMENTS.decode_call(content, Signature(limited(max_held=20)), is_truncated=False)
    assert (decoded.arguments, decoded.is_repaired) == ({"a": "1"}, True)


def test_blanks_behind_a_closer_are_waited_for_whatever_the_limit() -> None:
    text = '<tool name="q"><arg name="a">1</arg>' + " " * 40 + "</tool>."
    assert called(text, config=limited(max_held=20)) == [("q", {"a": "1"}, "complete", False, None)]


def test_a_body_before_a_path_that_comes_too_late_keeps_half_a_closer() -> None:
    text = (
        '<tool name="write_file"><arg name="content">0123456789</arg' + " " * 30 + '><arg name="path">p</arg></tool>.'
    )
    assert segments(assert_chunk_invariant(text, "xml", config=limited(max_held=40))) == [
        (
            "write_file",
            {"tool_name": "write_file"},
            "0123456789</arg" + " " * 5,
            {"status": "malformed", "error": "path is missing"},
        ),
        ("text", {}, ".", {}),
    ]


def test_in_a_raw_body_a_closer_that_fits_waits_for_the_end_marker_again_and_again() -> None:
    body = "__START_CONTENT__\na</arg></tool>b</arg></tool>c\n__END_CONTENT__"
    text = f'<tool name="write_file" path="p"><arg name="content">{body}</arg></tool>'
    assert segments(assert_chunk_invariant(text, "xml")) == [
        ("write_file", {"tool_name": "write_file", "path": "p"}, "a</arg></tool>b</arg></tool>c\n", {})
    ]


def test_in_a_raw_body_without_an_end_marker_the_closer_that_fits_counts_and_a_tool_closer_before_it_is_data() -> None:
    text = '<tool name="write_file" path="p"><arg name="content">__START_CONTENT__\na</tool>b</arg></tool>'
    assert segments(assert_chunk_invariant(text, "xml")) == [
        ("write_file", {"tool_name": "write_file", "path": "p"}, "a</tool>b", {"repaired": True})
    ]


def test_nested_tags_in_what_was_held_are_balanced() -> None:
    value = '<arg name="x">1</tool><arg name="y">2</arg><arg name="z"/></arg>'
    text = f'<tool name="q"><arg name="a">{value}</arg></tool>'
    ((name, arguments, status, _, _),) = called(text)
    assert (name, status, list(arguments)) == ("q", "complete", ["a"])


@pytest.mark.parametrize("wrapper", ["<meta>{}</meta>", "<meta a='1'>{}</meta>", "<A >\n{} </A>"])
def test_an_undeclared_tag_around_arguments_that_the_tool_has_means_nothing(wrapper: str) -> None:
    tools = [ToolSpec("q", {"type": "object", "properties": {"city": {"type": "string"}, "days": {"type": "integer"}}})]
    for inner in ('<arg name="city">Oslo</arg><arg name="days">2</arg>', "<city>Oslo</city><days>2</days>"):
        text = f'<tool name="q">{wrapper.format(inner)}</tool>'
        assert called(text, tools=tools) == [("q", {"city": "Oslo", "days": 2}, "complete", False, None)]


def test_an_undeclared_tag_around_a_file_means_nothing() -> None:
    text = '<tool name="write_file"><meta><path>a</path><content>x</content></meta></tool>'
    assert segments(assert_chunk_invariant(text, "xml")) == [
        ("write_file", {"tool_name": "write_file", "path": "a"}, "x", {})
    ]


def test_the_tag_of_the_call_in_the_call_is_an_argument_like_any_other() -> None:
    """It ends at its own closer, so the call goes on behind it."""
    assert called('<tool name="q"><tool>x</tool>y</tool>') == [("q", {"tool": "x"}, "complete", False, None)]


def test_a_wrapper_that_is_closed_says_nothing_of_later_closers() -> None:
    command = 'echo "</command></wrap>"; rm y'
    text = f'<tool name="run_bash"><wrap><path>a</path></wrap><command>{command}</command></tool>'
    assert called(text) == [("run_bash", {"path": "a", "command": command}, "complete", False, None)]


def test_wrappers_in_wrappers_are_closed_one_after_the_other() -> None:
    inner = "<a><path>p</path><b><content>x</content></b></a>"
    assert segments(assert_chunk_invariant(f'<tool name="write_file">{inner}</tool>', "xml")) == [
        ("write_file", {"tool_name": "write_file", "path": "p"}, "x", {})
    ]
    many = "<w><path>p</path>" * 4
    assert (
        called(f'<tool name="write_file">{many}<content>x</content></tool>', config=limited(max_depth=2))[0][2]
        == "complete"
    )


def test_an_argument_that_is_given_again_is_compared_by_what_it_means() -> None:
    properties = {"limit": {"type": "integer"}, "none": {"type": "null"}}
    for name, kind in (("other", None), ("save", "run_bash")):
        tools = [ToolSpec(name, {"type": "object", "properties": properties}, kind=kind)]
        body = "" if kind is None else "<command>ls</command>"
        text = f'<tool name="{name}" limit="5">{body}<limit> 5 </limit><none>null</none><none> null </none></tool>'
        ((_, arguments, status, _, _),) = called(text, tools=tools)
        assert (arguments["limit"], arguments["none"], status) == (5, None, "complete")
        ((_, _, status, _, error),) = called(text.replace("> 5 <", ">6<"), tools=tools)
        assert (status, error) == ("malformed", "limit is given twice")


def test_a_decoder_that_is_given_more_than_a_state_would_hold_decides_as_the_state_does() -> None:
    content = '<arg name="a">1</tool>' + "x" * 30 + "</arg>"
    decoded = XML_ARGUMENTS.decode_call(content, Signature(limited(max_held=20)), is_truncated=False)
    assert (decoded.arguments, decoded.is_repaired) == ({"a": "1"}, True)
