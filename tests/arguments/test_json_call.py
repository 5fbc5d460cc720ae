"""arguments/json_call.py: what no state gives it, but events from elsewhere may."""

from __future__ import annotations

from typing import Any

import pytest

from streamparse.arguments import JSON_CALL_ARGUMENTS, ArgumentsError, Signature
from streamparse.arguments.json_keys import KeySet
from streamparse.config import ParserConfig


def test_a_call_that_is_no_object_is_malformed() -> None:
    with pytest.raises(ArgumentsError, match=r"^the call must be a JSON object, not a list$"):
        JSON_CALL_ARGUMENTS.decode_call("[1]", Signature(ParserConfig()), is_truncated=False)


def test_a_call_without_an_arguments_key_has_none() -> None:
    signature = Signature(ParserConfig())
    assert JSON_CALL_ARGUMENTS.decode_call('{"name": "f"}', signature, is_truncated=False).arguments == {}


CALL = '{"name": "f", "arguments": {"a": 1}, "input": {"a": 2}, "args": {"a": 3}, "parameters": {"a": 4}}'


@pytest.mark.parametrize(("profile", "value"), [("default", 1), ("openai", 1), ("gemini", 3), ("anthropic", 2)])
def test_the_profile_says_where_the_arguments_are(profile: Any, value: int) -> None:
    signature = Signature(ParserConfig(json_profile=profile))
    assert JSON_CALL_ARGUMENTS.decode_call(CALL, signature, is_truncated=False).arguments == {"a": value}


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
