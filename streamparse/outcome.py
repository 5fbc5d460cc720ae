"""Outcome: how a reply ended, and what it cost.

    handler.outcome     Outcome("tool_calls", provider_reason="tool_use", usage=Usage(input=12, output=40))

    {"type": "STREAM_END", "payload": {"finish_reason": "tool_calls", "provider_reason": "tool_use",
                                       "usage": {"input": 12, "output": 40}}}

That is the wire form of `StreamEnd`, the last item of a reply: its payload is the outcome, without what is not known.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar, Final, Literal, TypeAlias, get_args

from attrs import asdict, field, frozen

from streamparse.errors import ProviderStreamError, in_words
from streamparse.wire import read_record, without_none

FinishReason: TypeAlias = Literal[
    "stop", "length", "tool_calls", "content_filter", "refusal", "pause", "error", "cancelled", "unknown"
]
FINISH_REASONS: Final[tuple[str, ...]] = get_args(FinishReason)

_BROKEN_OFF = "the reply broke off"


@frozen
class Usage:
    """How many tokens a reply took, as its provider counted them; None for what it did not count.

    `input` is what was read, with `cached` of it taken from a cache; `output` is what was written, with `reasoning` of
    it being reasoning. `provider` is the provider's own dict, from which these were taken.
    """

    input: int | None = None
    output: int | None = None
    reasoning: int | None = None
    cached: int | None = None
    total: int | None = None
    provider: Mapping[str, Any] = field(factory=dict, hash=False)

    def to_dict(self) -> dict[str, Any]:
        """Plain data, without what is not known."""
        return {name: value for name, value in asdict(self, recurse=False).items() if value not in (None, {})}

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Usage:
        """The inverse of `to_dict`. Raises ValueError for anything else."""
        return read_record(cls, data)


@frozen
class Outcome:
    """How a reply ended.

    `finish_reason` is one of nine words, whatever the provider: "stop", "length" (it was cut at a number of tokens),
    "tool_calls", "content_filter", "refusal", "pause" (the provider wants the reply sent back, to go on), "error",
    "cancelled" (the program stopped it) and "unknown" (nobody said). `provider_reason` is the provider's own word.
    `error` is the sentence that belongs to "error". `response_id` is the provider's id of the reply. `is_exception`: an
    exception of the program has said what `error` says, and not the provider; a path or an address may stand in it.
    """

    finish_reason: FinishReason = "unknown"
    provider_reason: str | None = None
    usage: Usage | None = None
    model: str | None = None
    response_id: str | None = None
    error: str | None = None
    is_exception: bool = False

    @classmethod
    def broken(cls, error: str | Exception) -> Outcome:
        """The outcome of a reply that broke off: why, in a sentence for everyone, or the exception.

        What a provider has reported is for everyone, too, although it is raised.
        """
        if isinstance(error, str | ProviderStreamError):
            return cls("error", error=str(error))
        return cls("error", error=in_words(error), is_exception=True)

    @property
    def public_error(self) -> str | None:
        """`error`, as whoever reads the reply may see it: what an exception said is not for them."""
        return _BROKEN_OFF if self.is_exception else self.error

    def to_dict(self) -> dict[str, Any]:
        """Plain data, without what is not known."""
        data = without_none(asdict(self, recurse=False))
        if not self.is_exception:
            del data["is_exception"]
        if self.usage is not None:
            data["usage"] = self.usage.to_dict()
        return data

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Outcome:
        """The inverse of `to_dict`. Raises ValueError for anything else."""
        return read_record(cls, data)


@frozen
class StreamEnd:
    """The last item of a reply: how it ended."""

    type: ClassVar[Literal["STREAM_END"]] = "STREAM_END"

    outcome: Outcome

    def to_dict(self) -> dict[str, Any]:
        """The wire form."""
        return {"type": self.type, "payload": self.outcome.to_dict()}

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> StreamEnd:
        """The inverse of `to_dict`. Raises ValueError for anything else."""
        if not isinstance(data, Mapping) or data.get("type") != cls.type or data.keys() != {"type", "payload"}:
            raise ValueError(f"not the wire form of the end of a stream: {data!r}")
        return cls(Outcome.from_dict(data["payload"]))
