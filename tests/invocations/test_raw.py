"""`ToolInvocation.raw`: the arguments as the model wrote them, also where a call is shown as what it does."""

from __future__ import annotations

import pytest
from attrs import evolve

from streamparse import Limits, ParserConfig, StreamingParser, StreamingResponseHandler, ToolInvocation

#: By format: a call, and what of it is the arguments as they are written.
WRITTEN = [
    ("hermes", '<tool_call>{{"name": "write_file", "arguments": {}}}</tool_call>', '{"path": "a", "content": "x\\ny"}'),
    ("json", "{}", '{"name": "write_file", "arguments": {"path": "a", "content": "x\\ny"}}'),
    ("mistral", "[TOOL_CALLS]write_file[ARGS]{}", '{"path": "a", "content": "x\\ny"}'),
    ("pythonic", "[write_file({})]", "path='a', content='x\\ny'"),
    (
        "qwen3_coder",
        "<tool_call>\n<function=write_file>\n{}\n</function>\n</tool_call>",
        "<parameter=path>\na\n</parameter>\n<parameter=content>\nx\ny\n</parameter>",
    ),
    (
        "harmony",
        "<|channel|>commentary to=functions.write_file <|constrain|>json<|message|>{}<|call|>",
        '{"path": "a", "content": "x\\ny"}',
    ),
    ("xml", '<tool name="write_file">{}</tool>', "<path>a</path><content>x\ny</content>"),
    ("xml", '<tool name="write_file">{}</tool>', '<!-- . --><arg name="content">x\ny</arg>\n<arg name="path">a</arg>'),
    ("xml", '<write_file path="a">{}</write_file>', "\nx\ny"),
    ("xml", '<write_file path="a">{}</write_file>', "\r\nx\ny"),
    ("xml", '<write_file path="a">{}</write_file>', "x\ny"),
    ("cline", "<write_to_file>{}</write_to_file>", "\n<path>a</path>\n<content>\nx\ny\n</content>\n"),
    ("sentinel", '[[SEG_START {{"type": "write_file", "path": "a"}}]]{}[[SEG_END]]', "x\ny"),
    (
        "sentinel",
        '[[SEG_START {{"type": "tool_call", "tool_name": "write_file"}}]]{}[[SEG_END]]',
        '{"path": "a", "content": "x\\ny"}',
    ),
]


def called(text: str, format: str, size: int, config: ParserConfig | None = None) -> list[ToolInvocation]:
    handler = StreamingResponseHandler(format, config=config)
    for start in range(0, len(text), size):
        handler.feed(text[start : start + size])
    handler.finalize()
    return handler.invocations


@pytest.mark.parametrize(("format", "call", "raw"), WRITTEN)
def test_raw_is_what_is_written_and_content_what_is_meant(format: str, call: str, raw: str) -> None:
    text = call.format(raw)
    for size in (1, 2, 5, len(text)):
        (made,) = called(text, format, size)
        assert (made.status, made.raw, made.content) == ("complete", raw, "x\ny")
        assert (made.arguments["path"], made.arguments["content"]) == ("a", "x\ny")


@pytest.mark.parametrize(("format", "call", "raw"), WRITTEN)
def test_a_bare_parser_that_builds_no_calls_keeps_nothing(format: str, call: str, raw: str) -> None:
    text = call.format(raw)
    parser = StreamingParser(format, ParserConfig(invocations=False))
    events = [event for character in text for event in parser.feed(character)] + parser.finalize()
    (end,) = [event for event in events if event.segment_type == "write_file" and event.type == "SEGMENT_END"]
    assert getattr(end, "raw", "") is None
    assert "".join(event.delta for event in events if event.segment_type == "write_file") == "x\ny"


@pytest.mark.parametrize("size", [1, 3, 100])
def test_the_entities_of_a_command_are_raw_as_they_are_written(size: int) -> None:
    raw = "\nls -la some/where &amp;&amp; pwd &lt; a\n"
    for text in (f"<run_bash>{raw}</run_bash>", f"<run_bash>{raw}</run_ba"):
        (made,) = called(text, "xml", size)
        assert made.content is not None
        assert made.content.startswith("ls -la some/where && pwd < a\n")
        assert made.raw == text.removeprefix("<run_bash>").removesuffix("</run_bash>")


@pytest.mark.parametrize("size", [1, 3, 100])
def test_between_raw_markers_closers_belong_to_what_is_written(size: int) -> None:
    raw = '<path>a</path><arg name="content">__START_CONTENT__\n</arg></tool>\n__END_CONTENT__</arg>'
    (made,) = called(f'<tool name="write_file">{raw}</tool> Done.', "xml", size)
    assert (made.raw, made.content) == (raw, "</arg></tool>\n")


@pytest.mark.parametrize("size", [1, 3, 100])
def test_a_call_that_is_lost_has_all_of_its_text(size: int) -> None:
    """What START waits for does not come in time; the call ends at the first closer all the same."""
    config = ParserConfig(limits=Limits(max_held=16))
    raw = "<content>" + "x" * 40 + "</content>"
    for end in ("</tool> Done.", ""):
        text = f'<tool name="write_file">{raw}{end}'
        (made,) = called(text, "xml", size, config)
        assert (made.is_complete, made.raw) == (False, raw)
        assert called(text, "xml", size, evolve(config, invocations=False)) == []


@pytest.mark.parametrize("size", [1, 3, 1_000])
def test_raw_ends_where_arguments_are_too_long(size: int) -> None:
    config = ParserConfig(limits=Limits(max_arguments=40))
    raw = '{"path": "a", "content": "' + "x\\n" * 20 + '"}'
    text = f'<tool_call>{{"name": "write_file", "arguments": {raw}}}</tool_call>'
    (made,) = called(text, "hermes", size, config)
    assert (made.raw, made.content) == (raw[:40], "x\n" * 20)


@pytest.mark.parametrize("size", [1, 3, 100])
def test_what_is_no_json_behind_the_arguments_is_written_all_the_same(size: int) -> None:
    raw = '{"path": "a", "content": "x"}'
    text = f'<tool_call>{{"name": "write_file", "arguments": {raw} oops}}</tool_call>'
    for config in (ParserConfig(), ParserConfig(invocations=False)):
        made = called(text, "hermes", size, config)
        assert [(call.status, call.content) for call in made] == [("malformed", "x")] * config.invocations
    plain = called(text.replace("write_file", "other"), "hermes", size)
    assert [call.raw for call in called(text, "hermes", size)] == [call.raw for call in plain]
