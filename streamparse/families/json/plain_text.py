"""Arguments that are a plain text, which is the one argument; or, where it is none, a JSON object.

    print(1)                        {"code": "print(1)"}, for the tool `python`
    {"a": 1}                        {"a": 1}

The text is the tool's only parameter, or the only one that is required, if that may be a string; else it has a name
that the format gives.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from streamparse.arguments.decoder import DecodedCall, Signature
from streamparse.arguments.follower import Follower, Record
from streamparse.arguments.growing import Growing
from streamparse.arguments.json_text import JsonTextError, TooDeepError, may_be_json, read_written
from streamparse.core.markers import BLANK_CHARACTERS
from streamparse.families.calls.chosen import Chosen
from streamparse.families.calls.read_again import ReadAgain
from streamparse.families.json.decoder import JsonArguments

#: What begins so, and is no text yet, will never be one.
_NO_TEXT = ("{", "[", '"')


class TextArguments(JsonArguments):
    """What `is_text` says is a text: the argument `name`, unless the tool has one for it. All else is JSON."""

    def __init__(
        self, name: str, is_text: Callable[[str, Signature], bool], stays_text: Callable[[str, Signature], bool]
    ) -> None:
        self._name = name
        self._is_text = is_text
        self._stays_text = stays_text

    def decode_call(self, content: str, signature: Signature, *, is_truncated: bool) -> DecodedCall:
        """A text that is cut off is none yet."""
        if not is_truncated and self._is_text(content, signature):
            return DecodedCall({signature.schema.text_property or self._name: content})
        return super().decode_call(content, signature, is_truncated=is_truncated)

    def follow(self, record: Record, signature: Signature) -> Follower:
        """An object member by member; a text is read again, for it may still turn out to be JSON."""
        follow = super().follow

        def choose(beginning: str) -> Follower:
            is_object = beginning.lstrip(BLANK_CHARACTERS).startswith("{")
            return follow(record, signature) if is_object else ReadAgain(self, record, signature)

        return Chosen(choose)

    def grow(self, signature: Signature) -> Growing:
        """A text grows, when it cannot be JSON any more."""
        name = signature.schema.text_property or self._name
        return _GrowingText(name, lambda content: self._stays_text(content, signature), super().grow(signature))


class _GrowingText:
    """The text `name` when `stays_text` says that it is one, or else `json`."""

    def __init__(self, name: str, stays_text: Callable[[str], bool], json: Growing) -> None:
        self._name = name
        self._stays_text = stays_text
        self._json = json
        self._content = ""
        self._is_text = self._is_json = False  # for certain

    def feed(self, text: str) -> None:
        if not self._is_json:
            self._content += text
            self._is_text = self._is_text or self._stays_text(self._content)
        if not self._is_text:
            self._json.feed(text)
            self._is_json = self._is_json or self._content.lstrip(BLANK_CHARACTERS)[:1] in _NO_TEXT

    def show(self) -> dict[str, Any]:
        return {self._name: self._content} if self._is_text else self._json.show()

    cut = show


def _is_code(content: str, signature: Signature) -> bool:
    is_object = content.lstrip().startswith("{") and _is_json(content, signature)
    return signature.name.lower() == "python" and not is_object


def _stays_code(content: str, signature: Signature) -> bool:
    return signature.name.lower() == "python" and content.lstrip()[:1] not in ("", "{")


def _stays_input(content: str, _: Signature) -> bool:
    return bool(content.strip()) and not may_be_json(content)


def _is_input(content: str, signature: Signature) -> bool:
    return bool(content.strip()) and not content.lstrip().startswith("{") and not _is_json(content, signature)


def _is_json(content: str, signature: Signature) -> bool:
    try:
        read_written(content, signature.limits.max_depth)
    except TooDeepError:
        return True  # and no one can read it
    except JsonTextError:
        return False
    return True


#: For the tool `python` whatever is no JSON object is code.
CODE_ARGUMENTS = TextArguments("code", _is_code, _stays_code)
#: For any tool, what is no JSON and does not begin like an object is a text. (Broken JSON must not become one.)
INPUT_ARGUMENTS = TextArguments("input", _is_input, _stays_input)
