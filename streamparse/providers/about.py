"""About: what chunks say of the reply as a whole, besides its content.

    {"id": "r-1", "model": "m-1", "choices": [], "usage": {"prompt_tokens": 12, "completion_tokens": 40}}

    About(model="m-1", response_id="r-1")       usage: Usage(input=12, output=40, provider={"prompt_tokens": 12, …})

Providers count what has come so far again and again, or some things at the beginning and others at the end: what comes
later replaces what came before, and nothing is added up.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from attrs import define, field

from streamparse.outcome import Usage
from streamparse.providers.fields import Fields, fields, plain, text
from streamparse.wire import without_none

#: Where each number stands, in the words of one provider after the other; the first that is there counts.
_INPUT = (
    *("prompt_tokens", "input_tokens", "promptTokenCount", "prompt_token_count", "inputTokens", "prompt_eval_count"),
    "total_input_tokens",
)
_OUTPUT = (
    *("completion_tokens", "output_tokens", "candidatesTokenCount", "candidates_token_count", "outputTokens"),
    *("eval_count", "total_output_tokens"),
)
_REASONING = ("reasoning_tokens", "thoughtsTokenCount", "thoughts_token_count", "total_thought_tokens", "reasoning")
_CACHED = (
    *("cached_tokens", "cache_read_input_tokens", "cachedContentTokenCount", "cached_content_token_count"),
    *("cacheReadInputTokens", "prompt_cache_hit_tokens", "total_cached_tokens", "cache_read"),
)
_TOTAL = ("total_tokens", "totalTokenCount", "total_token_count", "totalTokens")
#: Objects within the usage that hold some of these numbers.
_DETAILS = (
    *("prompt_tokens_details", "input_tokens_details", "completion_tokens_details", "output_tokens_details"),
    *("input_token_details", "output_token_details", "tokens"),
)


@define(eq=False)
class About:
    """What is known so far."""

    model: str | None = None
    response_id: str | None = None
    counts: dict[str, Any] = field(factory=dict)
    #: What was said of tokens last, by a provider that says all of it with every chunk: counted when it is asked for.
    later: object = None

    def note(self, source: Fields, response_id: str = "id", model: str = "model") -> None:
        """Take the id and the model from the fields of these names, if they are not known yet."""
        if self.response_id is None:
            self.response_id = text(source, response_id) or None
        if self.model is None:
            self.model = text(source, model) or None

    def count(self, usage: object) -> None:
        """Take what a provider says of its tokens: an object with numbers."""
        if usage is not None:
            known = plain(usage)
            if isinstance(known, Mapping):
                self.counts.update(without_none(known))

    @property
    def usage(self) -> Usage | None:
        """The numbers of tokens, if there are any."""
        self.count(self.later)
        counts = self.counts
        if not counts:
            return None
        places = [fields(counts), *(fields(counts.get(name)) for name in _DETAILS)]
        numbers = (_find(names, places) for names in (_INPUT, _OUTPUT, _REASONING, _CACHED, _TOTAL))
        return Usage(*numbers, provider=dict(counts))  # type: ignore[misc, arg-type]


def _find(names: tuple[str, ...], places: list[Fields]) -> int | None:
    """The number that stands in the first of these places under one of these names."""
    for place in places:
        for name in names:
            number = place.get(name)
            if isinstance(number, int | float) and not isinstance(number, bool) and number == number // 1:
                return int(number)
    return None
