"""What a provider's chunk says, in neutral words.

    {"choices": [{"delta": {"content": "Hi"}}]}                    TextDelta("Hi")
    {"type": "content_block_delta", "index": 1, "delta":
        {"type": "input_json_delta", "partial_json": "{\\"a\\""}}    CallDelta("1", arguments='{"a"')

A chunk becomes a list of these, in the order reasoning, text, calls, end. Parallel calls interleave by `key`, which is
unique within one stream: a key is never used for a second call. What a chunk says of the reply as a whole (the model,
how many tokens) is no delta: `about.py` keeps it.

A state is of the interface whose chunk it came in; one that was made for another says so, as `interface`.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, TypeAlias

from attrs import field

from streamparse.outcome import FinishReason

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
class RefusalDelta:
    """More of the sentence with which the model refuses; never empty."""

    text: str


@delta_class
class BlockEnd:
    """A block of text or reasoning ends here: what comes next, even of the same kind, is a segment of its own.

    `state` is what the provider wants back with the block in the next request. If the block had no text, and `kind` is
    "text" or "reasoning", an empty segment of that type carries it; without a `kind`, it is of no use then.
    """

    state: Mapping[str, Any] | None = None
    kind: str = ""


@delta_class
class CallDelta:
    """More of a tool call: a call begins with the first delta of its key.

    `call_id` comes once, as soon as it is known. So does `name`, but a provider may cut it: a second one continues the
    first, and none comes behind arguments unless there was none before. `is_named` stands beside a name that is whole:
    it will not be continued. `arguments` is the next piece of JSON text (of plain text if `raw`); `whole` is all
    arguments at once, and then there are no pieces. `state` is what the provider wants back with the call in the next
    request (Gemini's thought signature, in base64); more of it may come. `is_server` says, with the first delta, that
    the provider runs the call itself.
    """

    key: str
    call_id: str | None = None
    name: str | None = None
    arguments: str = ""
    whole: Mapping[str, Any] | None = None
    raw: bool = False
    is_named: bool = False
    state: Mapping[str, Any] | None = None
    is_server: bool = False


@delta_class
class CallEnd:
    """The provider says that the call is complete. Many never do: then the next call or the end of the reply does."""

    key: str


@delta_class
class ServerResult:
    """What came of a tool that the provider ran, whole. `state` is what it wants back besides the content."""

    content: str
    tool_name: str = ""
    call_id: str = ""
    state: Mapping[str, Any] | None = None


@delta_class
class Source:
    """Where something in the text comes from: `url`, `title` and whatever else the provider tells, as plain data."""

    metadata: Mapping[str, Any]


@delta_class
class File:
    """A file that the model or a tool of the provider made. `data` is base64; empty if only an id or a url came.

    `state` is what the provider wants back besides these.
    """

    metadata: Mapping[str, Any]
    data: str = ""
    state: Mapping[str, Any] | None = None


@delta_class
class OtherChoice:
    """Something came for an alternative reply, which is not read."""

    index: int


@delta_class
class Finish:
    """The provider says why the reply ended: one of the nine reasons of an `Outcome`.

    `word` is its own word for it, which is for people to read: two ends for the same reason are equal.
    """

    reason: FinishReason
    word: str = field(default="", eq=False)


@delta_class
class ProviderError:
    """The provider gave up in mid-stream, in its own words."""

    message: str


Delta: TypeAlias = (
    TextDelta
    | ReasoningDelta
    | RefusalDelta
    | BlockEnd
    | CallDelta
    | CallEnd
    | ServerResult
    | Source
    | File
    | OtherChoice
    | Finish
    | ProviderError
)
