"""arguments/json_call.py: what no state gives it, but events from elsewhere may."""

from __future__ import annotations

import pytest

from streamparse.arguments import JSON_CALL_ARGUMENTS, ArgumentsError, Signature
from streamparse.config import ParserConfig


def test_a_call_that_is_no_object_is_malformed() -> None:
    with pytest.raises(ArgumentsError, match=r"^the call must be a JSON object, not a list$"):
        JSON_CALL_ARGUMENTS.decode_call("[1]", Signature(ParserConfig()), is_truncated=False)


def test_a_call_without_an_arguments_key_has_none() -> None:
    signature = Signature(ParserConfig())
    assert JSON_CALL_ARGUMENTS.decode_call('{"name": "f"}', signature, is_truncated=False).arguments == {}
