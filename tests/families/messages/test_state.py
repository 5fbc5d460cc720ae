"""families/messages/state.py: a header says what the body is."""

from __future__ import annotations

import pytest

from streamparse import ParserConfig
from tests.formats.kit import call, calls, reasoning, rows, text

CALL = "<|channel|>commentary to=functions.f<|message|>"


def test_a_body_is_reasoning_prose_or_a_call() -> None:
    assert rows(
        "harmony",
        "<|channel|>analysis<|message|>hm<|end|><|start|>assistant<|channel|>final<|message|>ok<|end|>"
        f'<|start|>assistant{CALL}{{"a": 1}}<|call|>',
    ) == [reasoning("hm"), text("ok"), call("f", '{"a": 1}')]


def test_a_text_is_shown_up_to_the_end_token() -> None:
    text_call = "<|channel|>analysis to=python code<|message|>\nif a < b: <|x|>\n<|call|>ok"
    assert rows("harmony", text_call) == [call("python", "\nif a < b: <|x|>\n"), text("ok")]
    assert calls("harmony", text_call) == [("python", {"code": "\nif a < b: <|x|>\n"}, "complete")]


def test_json_ends_with_its_last_bracket_and_blanks_around_it_are_no_content() -> None:
    assert rows("harmony", f'{CALL} \n{{"a": "<|call|>"}}\n<|call|> x') == [
        *(call("f", '{"a": "<|call|>"}'), text(" x")),
    ]
    assert rows("harmony", f"{CALL}{{}} x") == [call("f", "{}"), text(" x")]


def test_a_call_without_a_body_has_no_arguments() -> None:
    assert rows("harmony", f"{CALL} <|call|>x") == [call("f", ""), text("x")]
    assert calls("harmony", f"{CALL}<|call|>") == [("f", {}, "complete")]


@pytest.mark.parametrize("body", ["no json", "[1]", "<|x|>", '"{}"'])
def test_a_body_that_is_no_object_is_malformed_up_to_its_end(body: str) -> None:
    assert rows("harmony", f"{CALL}{body}<|end|>ok") == [
        *(call("f", body, status="malformed", error="arguments must be a JSON object"), text("ok")),
    ]


def test_an_end_token_before_the_last_bracket_ends_a_malformed_call() -> None:
    error = "the call is not JSON: it ends too early"
    assert rows("harmony", f'{CALL}{{"a": [1 <2<|call|>ok') == [
        *(call("f", '{"a": [1 <2', status="malformed", error=error), text("ok")),
    ]


@pytest.mark.parametrize("body", ["", " ", '{"a', "{<|ca", "no<|ca", "<|ca"])
def test_a_call_that_is_cut_off_is_truncated(body: str) -> None:
    assert rows("harmony", CALL + body) == [call("f", body.lstrip(), status="truncated")]


def test_a_header_ends_reasoning_that_was_not_ended_whatever_the_settings() -> None:
    reply = f"<|channel|>analysis<|message|>a <|channel|> b {CALL}{{}}<|call|>c"
    expected = [reasoning("a <|channel|> b "), call("f", "{}"), text("c")]
    assert rows("harmony", reply) == expected
    assert rows("harmony", reply, config=ParserConfig(tools_in_reasoning=True)) == expected


def test_without_calls_their_headers_and_bodies_are_text() -> None:
    config = ParserConfig(parse_tool_calls=False)
    reply = "<|channel|>analysis<|message|>a<|end|>" + CALL + "{}"
    assert rows("harmony", reply, config=config) == [reasoning("a"), text(CALL + "{}")]
    assert rows("harmony", " to=f<|channel|>final<|message|>{}", config=config) == [
        text(" to=f<|channel|>final<|message|>{}"),
    ]
