"""Arguments that are a JSON object, or a plain text which is the one argument.

    {"a": 1}                        {"a": 1}
    print(1)                        {"code": "print(1)"}, for the tool `python`

The text is the parameter that the tool declares, if it declares a single one; else it has a name that the format gives.
"""

from __future__ import annotations

from typing import Any

from attrs import frozen

from streamparse.arguments.decoder import DecodedCall, Signature
from streamparse.arguments.json_call import JsonArguments
from streamparse.arguments.json_text import JsonTextError, TooDeepError, may_be_json, read_json


@frozen
class CodeArguments(JsonArguments):
    """For the tool `python` whatever is no JSON object is code."""

    def decode_call(self, content: str, signature: Signature, *, is_truncated: bool) -> DecodedCall:
        """Code that is cut off is none yet."""
        if signature.name.lower() == "python" and not is_truncated and not _is_object(content, signature):
            return DecodedCall({_only_parameter(signature) or "code": content})
        return super().decode_call(content, signature, is_truncated=is_truncated)

    def decode_partial(self, content: str, signature: Signature) -> dict[str, Any]:
        """Code grows, unless it may be an object."""
        text = content.lstrip()
        if signature.name.lower() == "python" and text and not text.startswith("{"):
            return {_only_parameter(signature) or "code": content}
        return super().decode_partial(content, signature)


@frozen
class InputArguments(JsonArguments):
    """For any tool, what is no JSON and does not begin like an object is a text. (Broken JSON must not become one.)"""

    def decode_call(self, content: str, signature: Signature, *, is_truncated: bool) -> DecodedCall:
        """A text that is cut off is none yet."""
        is_text = content.strip() and not content.lstrip().startswith("{") and not _is_json(content, signature)
        if is_text and not is_truncated:
            return DecodedCall({_only_parameter(signature) or "input": content})
        return super().decode_call(content, signature, is_truncated=is_truncated)

    def decode_partial(self, content: str, signature: Signature) -> dict[str, Any]:
        """A text grows, when it cannot be JSON any more."""
        if content.strip() and not may_be_json(content):
            return {_only_parameter(signature) or "input": content}
        return super().decode_partial(content, signature)


def _only_parameter(signature: Signature) -> str:
    names = signature.spec.parameter_names if signature.spec else ()
    return names[0] if len(names) == 1 else ""


def _is_object(content: str, signature: Signature) -> bool:
    return content.lstrip().startswith("{") and _is_json(content, signature)


def _is_json(content: str, signature: Signature) -> bool:
    try:
        read_json(content, signature.limits.max_depth)
    except TooDeepError:
        return True  # and no one can read it
    except JsonTextError:
        return False
    return True


CODE_ARGUMENTS = CodeArguments()
INPUT_ARGUMENTS = InputArguments()
