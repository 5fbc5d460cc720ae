"""The arguments of a call that is a JSON object.

    {"name": "f", "arguments": {"a": 1}}                 {"a": 1}
    {"function": {"name": "f", "arguments": "{}"}}       {}
    {"name": "f", "arguments": null}                     {}
    {"name": "f", "arguments": [1]}                      malformed: arguments must be an object
    {"name": "f", "arguments": {"a": 1, "b": "tex        truncated: {"a": 1}; while it streams, {"a": 1, "b": "tex"}

What is in an object has its types already: nothing is converted.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from streamparse import deferred
from streamparse.arguments.decoder import ArgumentsError, DecodedCall, GrowingDecoder, Signature
from streamparse.arguments.follower import Follower, Record
from streamparse.arguments.growing import Growing
from streamparse.arguments.json_text import JsonTextError, TooDeepError, read_json, read_written
from streamparse.arguments.step import Step, take_step
from streamparse.families.json.keys import JSON_PROFILES
from streamparse.families.json.partial import PartialJson, read_complete, read_partial


class Found(NamedTuple):
    """The arguments in the value of a content, as they stand there."""

    value: Any = None
    key: str = ""  # none if there are no arguments
    level: int = 1  # how many objects are open where one reads the members of this value


class JsonArguments(GrowingDecoder):
    """The content is the arguments: an object, or a string of one."""

    def decode_call(self, content: str, signature: Signature, *, is_truncated: bool) -> DecodedCall:
        """Without any text, there are none."""
        if is_truncated:
            return self._decode_complete(content, signature)
        if not content.strip():
            return DecodedCall()
        reader = _Reader(signature)
        arguments = reader.read_object(reader.read(content, "the arguments are"), "arguments")
        return DecodedCall(arguments, reader.is_repaired)

    def grow(self, signature: Signature) -> Growing:
        """Strings, lists and objects grow; all else is there when it is complete."""
        return JsonGrowing(self, signature)

    def _decode_complete(self, content: str, signature: Signature) -> DecodedCall:
        max_depth = signature.limits.max_depth
        reader = PartialJson(max_depth)
        reader.feed(content)
        found = self.find(reader.value(), signature)
        if isinstance(found.value, str):
            value = read_complete(found.value, max_depth, 1)
        else:
            value = self.find(reader.value(found.level), signature).value
        return DecodedCall(value if isinstance(value, dict) else {})

    def follow(self, record: Record, signature: Signature) -> Follower:
        """The object, member by member."""
        follower: Follower = deferred.load("streamparse.families.json.follower", "JsonFollower")(record, signature)
        return follower

    def find(self, value: Any, signature: Signature) -> Found:
        """The arguments in the value of a content."""
        return Found(value, "arguments")

    def find_value(self, value: Any, signature: Signature) -> Any:
        """The same, and nothing about them: that is asked for every token."""
        return value


class JsonGrowing:
    """The arguments that `decoder` finds in JSON, while it comes."""

    def __init__(self, decoder: JsonArguments, signature: Signature) -> None:
        self._decoder = decoder
        self._signature = signature
        self._reader = PartialJson(signature.limits.max_depth)
        self.feed = self._reader.feed  # itself: there is something to read for every token
        self._inner: PartialJson | None = None  # of arguments that are a string of an object …
        self._inner_text = ""  # … and what it has read

    def show(self) -> dict[str, Any]:
        """The object, or what there is of a string of one."""
        value = self._decoder.find_value(self._reader.value(), self._signature)
        if isinstance(value, str):
            value = self._read_string(value)
        return value if isinstance(value, dict) else {}

    cut = show

    def _read_string(self, text: str) -> Any:
        """The value of a string that has grown."""
        if self._inner is None:
            self._inner = PartialJson(self._signature.limits.max_depth)
        self._inner.feed(text[len(self._inner_text) :])
        self._inner_text = text
        return self._inner.value()


class JsonCallArguments(JsonArguments):
    """The content is the call: the arguments are under one of the keys that the profile says."""

    def decode_call(self, content: str, signature: Signature, *, is_truncated: bool) -> DecodedCall:
        """Without such a key, there are none."""
        if is_truncated:
            return self._decode_complete(content, signature)
        reader = _Reader(signature)
        call = reader.read(content, "the call is")
        if not isinstance(call, dict):
            raise ArgumentsError(f"the call must be a JSON object, not {_kind(call)}")
        found = self.find(call, signature)
        arguments = reader.read_object(found.value, found.key) if found.key else {}
        return DecodedCall(arguments, reader.is_repaired)

    def follow(self, record: Record, signature: Signature) -> Follower:
        """The call, up to its arguments, and these."""
        keys = JSON_PROFILES[signature.config.json_profile]
        follower: Follower = deferred.load("streamparse.families.json.follower", "CallFollower")(
            record, signature, keys
        )
        return follower

    def take_step(self, content: str, arguments: dict[str, Any], signature: Signature) -> tuple[Step, dict[str, Any]]:
        """It stands beside the arguments, in the call's own object."""
        call = read_partial(content, signature.limits.max_depth)
        return take_step(call if isinstance(call, dict) else {})[0], arguments

    def find(self, value: Any, signature: Signature) -> Found:
        """They stand under the first of the keys that comes, which may be in the object of a function."""
        keys = JSON_PROFILES[signature.config.json_profile]
        if isinstance(value, dict):
            for key, inner in value.items():
                if key in keys.arguments:
                    return Found(inner, key, 2)
                if key in keys.functions and isinstance(inner, dict):
                    for name, given in inner.items():
                        if name in keys.arguments:
                            return Found(given, name, 3)
        return Found()

    def find_value(self, value: Any, signature: Signature) -> Any:
        """The same, and nothing about them."""
        return self.find(value, signature).value


class SentinelArguments(JsonArguments):
    """The arguments are in the header, as one of its fields, or they are the content."""

    def spread(self, known: dict[str, Any]) -> dict[str, Any]:
        """`arguments` is not one of them, but all."""
        given = {name: value for name, value in known.items() if name != "arguments"}
        arguments = known.get("arguments")
        if arguments is None:
            return given
        if not isinstance(arguments, Mapping):
            raise ArgumentsError(f"arguments must be a JSON object, not {_kind(arguments)}")
        return {**given, **arguments}


def _kind(value: Any) -> str:
    return _KINDS.get(type(value), "a number")


_KINDS = {list: "a list", str: "a string", bool: "a boolean", type(None): "null"}


class _Reader:
    """Reads the JSON of one call."""

    def __init__(self, signature: Signature) -> None:
        self._max_depth = signature.limits.max_depth
        self._may_mend = signature.config.repair_json
        self.is_repaired = False

    def read_object(self, value: Any, key: str) -> dict[str, Any]:
        """An object, or a string of one; null is what some models write for no arguments."""
        if value is None:
            return {}
        if isinstance(value, str) and value.lstrip().startswith(("{", "[")):
            value = self.read(value, f"{key} is a string that is")
        if not isinstance(value, dict):
            raise ArgumentsError(f"{key} must be a JSON object, not {_kind(value)}")
        return value

    def read(self, text: str, what: str) -> Any:
        """The value of a text; of one that is no JSON what it was meant to be, if that is wanted and certain."""
        try:
            value, is_mended = read_written(text, self._max_depth)
        except TooDeepError:
            raise ArgumentsError("the arguments are nested too deeply") from None
        except JsonTextError as error:
            mended = self._mend(text) if self._may_mend else None
            if mended is None:
                raise ArgumentsError(f"{what} not JSON: {error}") from None
            return mended
        self.is_repaired = self.is_repaired or is_mended
        return value

    def _mend(self, text: str) -> dict[str, Any] | None:
        mend: Callable[[str], str | None] = deferred.load("streamparse.families.json.repair", "mend")
        try:
            value = read_json(mend(text) or "", self._max_depth)
        except JsonTextError:  # not even then; or it says NaN
            return None
        self.is_repaired = True
        return value if isinstance(value, dict) else None


JSON_CALL_ARGUMENTS = JsonCallArguments()
JSON_ARGUMENTS = JsonArguments()
SENTINEL_ARGUMENTS = SentinelArguments()
