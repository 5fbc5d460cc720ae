"""formats/harmony.py: the messages of gpt-oss, and what goes wrong in their headers."""

from __future__ import annotations

import pytest

from streamparse import ParserConfig
from tests.formats.kit import call, calls, reasoning, rows, text

BODY = '<|message|>{"city": "Oslo"}<|call|>'
CALL = call("get_weather", '{"city": "Oslo"}')


def test_channels() -> None:
    assert rows("harmony", "<|channel|>analysis<|message|>Easy.<|end|><|channel|>final<|message|>Four.<|return|>") == [
        *(reasoning("Easy."), text("Four.")),
    ]
    assert rows("harmony", "<|channel|>commentary<|message|>Checking.<|end|>") == [text("Checking.")]
    assert rows("harmony", "<|start|>assistant<|channel|>other<|message|>x<|end|>y") == [text("xy")]


def test_several_blocks_of_reasoning() -> None:
    block = "<|start|>assistant<|channel|>analysis<|message|>{}<|end|>"
    assert rows("harmony", block.format("a") + block.format("b")) == [reasoning("a"), reasoning("b")]
    assert rows("harmony", "<|channel|>analysis<|message|>a<|call|>b") == [reasoning("a"), text("b")]
    assert rows("harmony", "<|channel|>analysis<|message|>a") == [reasoning("a", status="truncated")]


@pytest.mark.parametrize(
    "header",
    [
        "<|channel|>commentary to=functions.get_weather <|constrain|>json",
        "<|channel|>commentary to=functions.get_weather<|constrain|>json",
        "<|channel|>commentary to=functions.get_weather <|constrain|> json",
        "<|channel|>commentary to=functions.get_weather json",
        "<|channel|>commentary to=functions.get_weather",
        "<|channel|>commentary to=get_weather",
        "<|channel|>analysis to=functions.get_weather",
        "<|channel|>final to=functions.get_weather\n",
        " to=functions.get_weather<|channel|>commentary",
        "to=functions.get_weather<|channel|>analysis json",
        " to=functions.get_weather",
        # what models get wrong
        " to=functions.get_weather<|channel|>commentary to=functions.get_weather <|constrain|>json",
        "<|channel|>commentary to=functions.get_weather to=functions.get_weather json",
        "<|channel|>commentary to=to=functions.get_weather json",
        "<|channel|>commentary to=functions.get_weather<|channel|>commentary json",
        "<|channel|>commentary json to=functions.get_weather",
        "<|channel|>commentary to=assistant to=functions.get_weather",
    ],
)
def test_a_recipient_makes_a_call_wherever_it_stands(header: str) -> None:
    assert rows("harmony", header + BODY) == [CALL]
    behind_role = f"<|start|>assistant{header if header.startswith(('<', ' ')) else ' ' + header}"
    assert rows("harmony", f"Hi {behind_role}{BODY} bye") == [text("Hi "), CALL, text(" bye")]


@pytest.mark.parametrize("name", ["browser.search", "python.run", "container.exec", "functions"])
def test_other_recipients_than_functions_keep_their_names(name: str) -> None:
    assert rows("harmony", f"<|channel|>analysis to={name} code<|message|>{{}}<|call|>") == [call(name, "{}")]


def test_what_is_sent_to_python_is_code() -> None:
    reply = '<|channel|>analysis to=python code<|message|>{"a": 1}.items()<|call|>'
    assert rows("harmony", reply) == [call("python", '{"a": 1}.items()')]
    assert calls("harmony", reply) == [("python", {"code": '{"a": 1}.items()'}, "complete")]
    assert calls("harmony", '<|channel|>final to=functions.python<|message|>{"code": "x"}') == [
        ("python", {"code": "x"}, "complete"),
    ]


@pytest.mark.parametrize(
    "header",
    [
        "<|start|>assistant",
        "<|start|>user",
        "<|start|>functions.f to=assistant<|channel|>commentary",
        "<|start|>tool to=functions.f<|channel|>commentary",
        "<|channel|>commentary to=user",
        "<|channel|>commentary to=all json",
        "<|channel|>analysis<|channel|>final",
        "<|channel|>x<|constrain|>y",
    ],
)
def test_other_messages_are_prose(header: str) -> None:
    assert rows("harmony", f"a{header}<|message|>b") == [text("ab")]


def test_the_last_channel_counts() -> None:
    assert rows("harmony", "<|channel|>final<|channel|>analysis<|message|>b<|end|>") == [reasoning("b")]


@pytest.mark.parametrize(
    "header",
    [
        "<|channel|>",
        "<|channel|> final<|message|>",
        "<|channel|><|message|>",
        "<|channel|>a b c d e f g<|message|>",
        "<|channel|>" + "a" * 65 + "<|message|>",
        "<|channel|>a to=" + "b" * 273 + "<|message|>",
        "<|channel|>a <|constrain|><|message|>",
        "<|channel|>a <|end",
        "<|channel|>a <|x|><|message|>",
        "<|start|><|channel|>",
        "<|start|>assistant to=f<|message|>",
        "<|start|>assistant to f<|message|>",
        "<|message|>",
        "<|constrain|>json",
        "<|START|>assistant<|message|>",
    ],
)
def test_a_header_that_does_not_fit_is_text(header: str) -> None:
    assert rows("harmony", f"a {header} b") == [text(f"a {header} b")]


def test_a_header_may_follow_one_that_does_not_fit() -> None:
    assert rows("harmony", f"<|start|>assistant x<|channel|>commentary to=functions.get_weather{BODY}") == [
        *(text("<|start|>assistant x"), CALL),
    ]


def test_headers_count_in_the_final_channel_too() -> None:
    assert rows("harmony", f"<|channel|>final<|message|>a <|start|> b<|channel|>final to=get_weather{BODY}") == [
        *(text("a <|start|> b"), CALL),
    ]
    assert rows("harmony", "`<|channel|>final<|message|>`") == [text("`<|channel|>final<|message|>`")]


def test_the_first_message_may_have_no_header_left() -> None:
    assert rows("harmony", "<|message|>Four.<|return|>") == [text("Four.")]


def test_end_tokens_are_never_shown() -> None:
    assert rows("harmony", "a<|end|>b<|return|><|call|>c<|endoftext|>") == [text("abc")]


def test_reasoning_that_the_prompt_has_opened() -> None:
    config = ParserConfig(reasoning="open")
    for start in ("", "<|channel|>analysis<|message|>"):
        for end in ("<|end|>", "<|return|>", "<|channel|>final<|message|>"):
            assert rows("harmony", f"{start}hm{end}ok", config=config) == [reasoning("hm"), text("ok")]
