"""The arguments of a call that is a JSON object.

    {"name": "f", "arguments": {"a": 1}}                 {"a": 1}
    {"function": {"name": "f", "arguments": "{}"}}       {}
    {"name": "f", "arguments": [1]}                      malformed: arguments must be an object

What is in an object has its types already: nothing is converted.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from streamparse.arguments.decoder import ArgumentDecoder, ArgumentsError, DecodedCall, Signature
from streamparse.arguments.json_keys import JSON_PROFILES
from streamparse.arguments.json_text import JsonTextError, TooDeepError, read_json


class JsonCallArguments(ArgumentDecoder):
    """The content is the call: the arguments are under one of the keys that the profile says."""

    def decode_call(self, content: str, signature: Signature, *, is_truncated: bool) -> DecodedCall:
        """An object, or a string of one; none at all is a call without arguments."""
        if is_truncated:
            return DecodedCall()
        call = _read(content, signature)
        if not isinstance(call, Mapping):
            raise ArgumentsError(f"the call must be a JSON object, not {_kind(call)}")
        keys = JSON_PROFILES[signature.config.json_profile]
        inner: Mapping[str, Any] = next((call[key] for key in keys.functions if isinstance(call.get(key), Mapping)), {})
        for part in (inner, call):
            for key in keys.arguments:
                if key in part:
                    return DecodedCall(_as_object(part[key], key, signature))
        return DecodedCall()


class JsonArguments(ArgumentDecoder):
    """The content is the arguments."""

    def decode_call(self, content: str, signature: Signature, *, is_truncated: bool) -> DecodedCall:
        """Without any text, there are none."""
        if is_truncated or not content.strip():
            return DecodedCall()
        return DecodedCall(_as_object(_read(content, signature), "arguments", signature))


class SentinelArguments(JsonArguments):
    """The arguments are in the header, as one of its fields, or they are the content."""

    def spread(self, known: dict[str, Any]) -> dict[str, Any]:
        """`arguments` is not one of them, but all."""
        given = {name: value for name, value in known.items() if name != "arguments"}
        arguments = known.get("arguments", {})
        if not isinstance(arguments, Mapping):
            raise ArgumentsError(f"arguments must be a JSON object, not {_kind(arguments)}")
        return {**given, **arguments}


def _as_object(value: Any, key: str, signature: Signature) -> dict[str, Any]:
    if isinstance(value, str):
        value = _read(value, signature)
    if not isinstance(value, dict):
        raise ArgumentsError(f"{key} must be a JSON object, not {_kind(value)}")
    return value


def _kind(value: Any) -> str:
    return _KINDS.get(type(value), "a number")


_KINDS = {list: "a list", str: "a string", bool: "a boolean", type(None): "null"}


def _read(text: str, signature: Signature) -> Any:
    try:
        return read_json(text, signature.limits.max_depth)
    except TooDeepError:
        raise ArgumentsError("the arguments are nested too deeply") from None
    except JsonTextError as error:
        raise ArgumentsError(f"the call is not JSON: {error}") from None


JSON_CALL_ARGUMENTS = JsonCallArguments()
JSON_ARGUMENTS = JsonArguments()
SENTINEL_ARGUMENTS = SentinelArguments()
