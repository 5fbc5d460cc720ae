"""families/json/decoder.py: calls that are being written, and what no state gives it, but events from elsewhere may."""

from __future__ import annotations

from typing import Any

import pytest

from streamparse.arguments import ArgumentDecoder, ArgumentsError, Signature
from streamparse.config import Limits, ParserConfig
from streamparse.families.json.decoder import JSON_ARGUMENTS, JSON_CALL_ARGUMENTS, SENTINEL_ARGUMENTS
from streamparse.families.json.keys import KeySet

SIGNATURE = Signature(ParserConfig())


def test_a_call_that_is_no_object_is_malformed() -> None:
    with pytest.raises(ArgumentsError, match=r"^the call must be a JSON object, not a list$"):
        JSON_CALL_ARGUMENTS.decode_call("[1]", SIGNATURE, is_truncated=False)


def test_a_call_without_an_arguments_key_has_none() -> None:
    assert JSON_CALL_ARGUMENTS.decode_call('{"name": "f"}', SIGNATURE, is_truncated=False).arguments == {}


CALL = '{"name": "f", "input": {"a": 2}, "args": {"a": 3}, "parameters": {"a": 4}, "arguments": {"a": 1}}'


@pytest.mark.parametrize(("profile", "value"), [("default", 2), ("openai", 4), ("gemini", 3), ("anthropic", 2)])
def test_the_profile_says_where_the_arguments_are(profile: Any, value: int) -> None:
    signature = Signature(ParserConfig(json_profile=profile))
    assert JSON_CALL_ARGUMENTS.decode_call(CALL, signature, is_truncated=False).arguments == {"a": value}
    assert JSON_CALL_ARGUMENTS.decode_partial(CALL, signature) == {"a": value}


def test_a_key_that_another_profile_has_is_none_of_the_arguments() -> None:
    signature = Signature(ParserConfig(json_profile="openai"))
    content = '{"name": "f", "input": {"a": 2}, "parameters": {"a": 4}}'
    assert JSON_CALL_ARGUMENTS.decode_call(content, signature, is_truncated=False).arguments == {"a": 4}


def test_a_set_of_keys_knows_how_they_begin() -> None:
    keys = KeySet(["name", "names", "id"])
    assert keys == {"name", "names", "id"}

    def known(texts: list[str], *seen: str) -> list[str]:
        return [text for text in texts if keys.has_beginning(text, set(seen))]

    assert known(["", "n", "name", "names", "na ", "x"]) == ["", "n", "name", "names"]
    assert known(["", "nam", "name", "i"], "name", "id") == ["", "nam", "name"]


@pytest.mark.parametrize(
    ("content", "partial", "complete"),
    [
        ("", {}, {}),
        ("[1", {}, {}),
        ('{"name": "f"', {}, {}),
        ('{"name": "f", "arguments": ', {}, {}),
        ('{"name": "f", "arguments": {', {}, {}),
        ('{"name": "f", "arguments": {"a": 1, "b": "x\n', {"a": 1, "b": "x\n"}, {"a": 1}),
        ('{"name": "f", "arguments": {"a": 1, "b": [{"c": "x', {"a": 1, "b": [{"c": "x"}]}, {"a": 1}),
        ('{"name": "f", "args": {"a": 1}, "id": "x', {"a": 1}, {"a": 1}),
        ('{"name": "f", "input": {"a": 1}}', {"a": 1}, {"a": 1}),
        ('{"function": {"name": "f", "parameters": {"a": [1], "b": [2, ', {"a": [1], "b": [2]}, {"a": [1]}),
        ('{"tool": {"name": "f", "arguments": {"a": [1]}}, "index": 1', {"a": [1]}, {"a": [1]}),
        ('{"tool": "f", "arguments": {"a": {}, "b": {', {"a": {}, "b": {}}, {"a": {}}),
        ('{"name": "f", "arguments": "{\\"a\\": 1, \\"b\\": \\"x', {"a": 1, "b": "x"}, {"a": 1}),
        ('{"name": "f", "arguments": "{\\"a\\": \\"x\\\\', {"a": "x"}, {}),
        ('{"name": "f", "arguments": "{\\"a\\": 1}"', {"a": 1}, {"a": 1}),
        ('{"name": "f", "arguments": "x', {}, {}),
        ('{"name": "f", "arguments": [{"a": 1', {}, {}),
        ('{"name": "f", "arguments": {"a": 1, "b": [1, x', {"a": 1, "b": [1]}, {"a": 1}),
    ],
)
def test_a_call_that_is_being_written_has_what_there_is_and_a_cut_one_what_is_complete(
    content: str, partial: dict[str, Any], complete: dict[str, Any]
) -> None:
    assert JSON_CALL_ARGUMENTS.decode_partial(content, SIGNATURE) == partial
    assert JSON_CALL_ARGUMENTS.decode_call(content, SIGNATURE, is_truncated=True).arguments == complete


@pytest.mark.parametrize("decoder", [JSON_ARGUMENTS, SENTINEL_ARGUMENTS])
@pytest.mark.parametrize(
    ("content", "partial", "complete"),
    [
        ("", {}, {}),
        ("\n{", {}, {}),
        ('{"a": 1, "b": "x', {"a": 1, "b": "x"}, {"a": 1}),
        ('{"a": 1, "b": {"c": 2, "d": ', {"a": 1, "b": {"c": 2}}, {"a": 1}),
        ('{"a": 1}', {"a": 1}, {"a": 1}),
        ('"{\\"a\\": 1, \\"b\\": [2, ', {"a": 1, "b": [2]}, {"a": 1}),
        ("[1, ", {}, {}),
        ("no JSON", {}, {}),
    ],
)
def test_arguments_that_are_being_written(
    decoder: ArgumentDecoder, content: str, partial: dict[str, Any], complete: dict[str, Any]
) -> None:
    assert decoder.decode_partial(content, SIGNATURE) == partial
    assert decoder.decode_call(content, SIGNATURE, is_truncated=True).arguments == complete


def test_what_is_nested_too_deeply_is_left_out_while_it_is_written() -> None:
    signature = Signature(ParserConfig(limits=Limits(max_depth=2)))
    assert JSON_ARGUMENTS.decode_partial('{"a": [1], "b": [2, [3]], "c": 4}', signature) == {"a": [1], "b": [2]}


def test_null_is_no_arguments_in_the_header_of_a_sentinel() -> None:
    assert SENTINEL_ARGUMENTS.spread({"arguments": None, "a": 1}) == {"a": 1}
