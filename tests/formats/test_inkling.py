"""formats/inkling.py: blocks of several kinds with the same end."""

from __future__ import annotations

import pytest

from tests.formats.kit import call, calls, reasoning, rows, text

JSON = '<|content_invoke_tool_json|>{"name": "f", "args": {"a": 1}}'


@pytest.mark.parametrize("end", ["<|end_message|>", "<|content_model_end_sampling|>"])
def test_the_blocks_of_a_reply(end: str) -> None:
    model = "<|message_model|>"
    assert rows("inkling", f"{model}<|content_thinking|>a{end}{model}f{JSON}{end}{model}<|content_text|>b{end}") == [
        *(reasoning("a"), call("f", '{"a": 1}'), text("b")),
    ]
    assert rows("inkling", f"<|content_thinking|>a{end}{JSON}{end}{model}{JSON}{end}<|content_text|>b{end}") == [
        *(reasoning("a"), call("f", '{"a": 1}'), call("f", '{"a": 1}'), text("b")),
    ]


def test_a_text_for_a_tool() -> None:
    reply = "<|message_model|>shell<|content_invoke_tool_text|> ls -l\n<|end_message|>ok"
    assert rows("inkling", reply) == [call("shell", " ls -l\n"), text("ok")]
    assert calls("inkling", reply) == [("shell", {"input": " ls -l\n"}, "complete")]


def test_stray_tokens_are_never_shown() -> None:
    assert rows("inkling", "a<|content_tool_error|>b<|end_message|><|message_model|>c d") == [text("abc d")]
