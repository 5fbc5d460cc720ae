"""What a provider's chunk says, in neutral words.

    {"choices": [{"delta": {"content": "Hi"}}]}                    TextDelta("Hi")
    {"type": "content_block_delta", "index": 1, "delta":
        {"type": "input_json_delta", "partial_json": "{\\"a\\""}}    CallDelta("1", arguments='{"a"')

A chunk becomes a list of these, in the order reasoning, text, calls, end. Parallel calls interleave by `key`, which is
unique within one stream: a key is never used for a second call.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, TypeAlias

# Immutable by agreement, as events are, and for the same reason: a frozen class costs twice as much per token.
if TYPE_CHECKING:
    from attrs import frozen as delta_class
else:
    from attrs import define as delta_class


@delta_class
class TextDelta:
    """More of the reply; never empty."""

    text: str


@delta_class
class ReasoningDelta:
    """More of the model's reasoning; never empty."""

    text: str


@delta_class
class CallDelta:
    """More of a tool call: a call begins with the first delta of its key.

    `call_id` comes once, as soon as it is known. So does `name`, but a provider may cut it: a second one continues the
    first, and none comes behind arguments unless there was none before. `is_named` stands beside a name that is whole:
    it will not be continued. `arguments` is the next piece of JSON text (of plain text if `raw`); `whole` is all
    arguments at once, and then there are no pieces. `signature` comes once, if at all: the provider wants it back with
    the call in the next turn (Gemini's thought signature, in base64).
    """

    key: str
    call_id: str | None = None
    name: str | None = None
    arguments: str = ""
    whole: Mapping[str, Any] | None = None
    raw: bool = False
    is_named: bool = False
    signature: str | None = None


@delta_class
class CallEnd:
    """The provider says that the call is complete. Many never do: then the next call or the end of the reply does."""

    key: str


@delta_class
class Finish:
    """The provider says why the reply ended: "stop", "length", "error", "tool_calls", or its own word in lower case."""

    reason: str


@delta_class
class ProviderError:
    """The provider gave up in mid-stream, in its own words."""

    message: str


Delta: TypeAlias = TextDelta | ReasoningDelta | CallDelta | CallEnd | Finish | ProviderError
