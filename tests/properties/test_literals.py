"""Where a call of literals ends for the state is where its arguments end for the decoder."""

from __future__ import annotations

import random

import pytest

from streamparse import ParserConfig, StreamingResponseHandler, formats
from streamparse.arguments import ArgumentsError, Signature
from tests import seeds

COUNT = seeds.times(200)
COMMON = [",", ", ", "[", "]", "{", "}", "(", ")", "1", "x", " ", "\n", "<", '"', "<|", "\\", "{}", "[]"]
PYTHON = ["a=", "b=", "a='x'", "'", "'''", '"""', '"', "\\'", "r'", "u", "'k': ", "(1)", "'a' 'b'", "True"]
GEMMA = ["a:", "b:", ":", "true", "k:1"]
#: What stands around the arguments, and what they are made of.
FORMATS = {
    "olmo3": ("<function_calls>f(", ")</function_calls>", [*PYTHON, "</function_calls>", "</func"]),
    "llama4_pythonic": ("<|python_start|>[f(", ")]<|python_end|>", [*PYTHON, "<|python_end|>", "<|python_start|>[f("]),
    "gemma4": ("<|tool_call>call:f{", "}<tool_call|>", [*GEMMA, '<|"|>', '<|"|>', '<|"', 'a:<|"|>x<|"|>', "<tool_"]),
    "functiongemma": (
        "<start_function_call>call:f{",
        "}<end_function_call>",
        [*GEMMA, "<escape>", "<escape>", "<esc", "a:<escape>x<escape>", "<end_function_call>"],
    ),
}
CONFIG = ParserConfig(reasoning="closed")
SIGNATURE = Signature(CONFIG)


def write(rng: random.Random, pieces: list[str], quotes: list[str]) -> str:
    """What may be arguments: pieces of them, or pieces between quotes."""
    texts = [rng.choice(pieces) for _ in range(rng.randrange(1, 9))]
    if rng.random() < 0.5:
        return "".join(texts)
    sign, quote = pieces[0][-1], rng.choice(quotes)
    return f"a{sign}{quote}{''.join(texts)}{quote},b{sign}[1,{quote}{rng.choice(pieces)}{quote}]"


def error_of(format: str, content: str) -> str | None:
    """What the decoder says of arguments that are complete."""
    decoder = formats.get(format).arguments
    assert decoder is not None
    try:
        decoder.decode_call(content, SIGNATURE, is_truncated=False)
    except ArgumentsError as error:
        return str(error)
    return None


@pytest.mark.parametrize("format", FORMATS)
def test_the_state_and_the_decoder_agree_on_strings_and_brackets(format: str) -> None:
    before, behind, pieces = FORMATS[format]
    quotes = [piece for piece in ("'", "'''", '"', '<|"|>', "<escape>") if piece in pieces]
    rng = seeds.rng(f"literals {format}")
    read = 0
    for _ in range(COUNT):
        arguments = write(rng, [*pieces, *pieces, *COMMON], quotes)
        handler = StreamingResponseHandler(format, config=CONFIG)
        handler.feed(f"{before}{arguments}{behind}.")
        handler.finalize()
        call = handler.invocations[0]
        error = error_of(format, arguments)
        if error is None:  # what the decoder can read, the state shows to the last character
            read += 1
            assert (call.raw, call.status) == (arguments, "complete"), arguments
        if call.status == "complete":
            assert error_of(format, call.raw) is None, arguments
        elif call.status == "malformed" and "behind the arguments is missing" not in (call.error or ""):
            # The state has seen the end, so no string is open there for the decoder, either.
            assert "a string has no end" not in (call.error or ""), arguments
        elif call.status == "truncated":  # the state has seen none: the decoder sees none, either, further on
            assert error_of(format, call.raw) is not None, arguments
    assert read > COUNT // 10, read
