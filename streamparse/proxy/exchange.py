"""Exchange: one request for Chat Completions, and its reply; chunks in, repaired chunks out.

    exchange = Exchange(body, Settings())
    exchange.request                    what is asked of the server
    exchange.feed(chunk)                the chunks that the client gets for one of the server's
    exchange.finish()                   those that were held back, when the server has no more
    exchange.fold(response)             the response, for a request without `stream`

Calls are read only if the request declares tools and lets the model use them; and only those that it declares. A chunk
in which nothing is changed comes out as the same object. All else in a chunk is kept: what several chunks are made of
one is in the last of them, and its id, model and the like in all. `is_over` says that the client has all that it asked
for (`parallel_tool_calls=false`, and a call has come), so that nothing more need be read.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeAlias

from attrs import define, field

from streamparse.config import ParserConfig, Tools, ToolSpec
from streamparse.proxy.choice import ChoiceStream, Reading
from streamparse.proxy.logprobs import Logprobs
from streamparse.proxy.prompted import rewrite
from streamparse.proxy.settings import Settings, is_native, is_thinking_off

Json: TypeAlias = dict[str, Any]

#: What a chunk says of itself, and not of the reply as a whole.
_OF_ONE_CHUNK = ("choices", "usage")


@define
class _Choice:
    stream: ChoiceStream
    logprobs: Logprobs = field(factory=Logprobs)


class Exchange:
    """One request and its reply."""

    def __init__(self, body: Mapping[str, Any], settings: Settings | None = None) -> None:
        settings = settings or Settings()
        model = body.get("model")
        self.model = model if isinstance(model, str) else ""
        self.tools = declared_tools(body)
        self.reads_calls = (bool(self.tools) or settings.always) and body.get("tool_choice") != "none"
        self.formats = settings.formats_for(self.model)
        self.is_streamed = bool(body.get("stream"))
        #: Whether tokens have probabilities: those of calls are dropped.
        self.has_logprobs = bool(body.get("logprobs"))
        #: Whether nothing is read at all.
        self.is_passive = is_native(self.formats)
        is_prompted = settings.is_prompted and not self.is_passive
        #: What is asked of the server: the same object if that is what the client asks.
        self.request = rewrite(body, self.formats[0]) if is_prompted else body
        self._reading = Reading(
            formats=self.formats,
            model=self.model or None,
            config=ParserConfig(
                parse_tool_calls=self.reads_calls, reasoning="closed" if is_thinking_off(body) else None
            ),
            tools=self.tools,
            takes_all=settings.always and not self.tools,
            reasoning_field=settings.reasoning_field,
            is_single=body.get("parallel_tool_calls") is False,
        )
        count = body.get("n")
        self._count = count if isinstance(count, int) and count > 0 else 1
        self._choices: dict[int, _Choice] = {}
        self._is_cut = False
        self._frame: Json = {}
        self._usages: list[Json] = []  # chunks that tell the usage, as long as more may come of the choices
        #: Whether the server has reported an error: then nothing follows it.
        self.is_failed = False

    @property
    def is_over(self) -> bool:
        """Whether all choices have ended before the server knows."""
        return self._is_cut and len(self._choices) >= self._count and self.has_ended

    @property
    def has_ended(self) -> bool:
        """Whether the server has said of all choices that came why they ended."""
        is_over = bool(self._choices) and all(choice.stream.is_over for choice in self._choices.values())
        return is_over or self.is_passive

    @property
    def found(self) -> int:
        """How many calls were found in the text."""
        return sum(choice.stream.found for choice in self._choices.values())

    def feed(self, chunk: Json) -> list[Json]:
        """The next chunk of the reply; what the client gets for it."""
        choices = chunk.get("choices")
        if self.is_passive:
            return [chunk]
        if chunk.get("error"):
            self.is_failed = True
            return [*self.abandon(), chunk]
        if not isinstance(choices, list) or not choices:
            if not chunk.get("usage") or not self._choices or self.has_ended:
                return [chunk]
            # As a rule that is the last chunk, and what is held back stands before it; but some servers go on.
            self._usages.append(chunk)
            return []
        if self._usages:
            return [*self._take_usages(), *self.feed(chunk)]
        self._frame = chunk
        if len(choices) == 1:
            made = self._feed_choice(choices[0])
            return [chunk] if made is None else self._chunks(made, chunk)
        each = [self._feed_choice(choice) for choice in choices]
        if all(made is None for made in each):
            return [chunk]
        found = [[choice] if made is None else made for choice, made in zip(choices, each, strict=True)]
        return self._chunks([one for made in found for one in made], chunk)

    def finish(self) -> list[Json]:
        """The server has no more chunks: what was held back."""
        return [*self._flush(), *self._take_usages()]

    def abandon(self) -> list[Json]:
        """The reply broke off: what was held back."""
        return [*self._flush(is_broken=True), *self._take_usages()]

    def _take_usages(self) -> list[Json]:
        usages, self._usages = self._usages, []
        return usages

    def fold(self, response: Json) -> Json:
        """A response that is not streamed; the same object if there is nothing to repair."""
        choices = response.get("choices")
        if self.is_passive or not isinstance(choices, list):
            return response
        folded = [self._fold_choice(choice) for choice in choices]
        return response if folded == choices else {**response, "choices": folded}

    # -- choices ------------------------------------------------------------------------------------------------------

    def _feed_choice(self, choice: Any) -> list[Json] | None:
        """What a choice of a chunk becomes: choices for a chunk each; None if it stays as it is."""
        if not isinstance(choice, dict) or not isinstance(choice.get("delta"), dict):
            return None
        delta, reason, logprobs = choice["delta"], choice.get("finish_reason"), choice.get("logprobs")
        known = self._choice(choice)
        stream = known.stream
        if stream.is_over:
            return []
        if logprobs:
            known.logprobs.add(logprobs)
        deltas = stream.feed(delta)
        is_same = len(deltas) == 1 and deltas[0] is delta
        if stream.is_over:  # with its first call
            self._is_cut = True
            return self._made(choice, known, deltas, stream.reason(reason))
        if not reason and is_same and not logprobs:  # as mostly
            return None
        rest = stream.finish(reason) if reason else []
        given = stream.reason(reason) if reason else None
        if is_same and not rest and given == reason:
            known.logprobs.take(delta)
            return None
        if is_same and not rest and not logprobs:
            return [{**choice, "finish_reason": given}]
        return self._made(choice, known, deltas + rest, given)

    def _made(self, choice: Json, known: _Choice, deltas: list[Json], reason: str | None) -> list[Json]:
        """The choices that deltas make; what else the choice says is in the last."""
        if len(deltas) == 1 and not reason and not choice.get("logprobs"):  # as mostly
            return [{**choice, "delta": deltas[0]}]
        index = choice.get("index", 0)
        made = [{"index": index, "delta": delta, "finish_reason": None} for delta in deltas if delta]
        if reason:
            made.append({"index": index, "delta": {}, "finish_reason": reason})
        if "logprobs" in choice:
            for one in made:
                one["logprobs"] = known.logprobs.take(one["delta"])
        if made:
            made[-1] = {**choice, **made[-1]}
        return made

    def _choice(self, choice: Json) -> _Choice:
        index = choice.get("index")
        index = index if isinstance(index, int) else 0
        known = self._choices.get(index)
        if known is None:
            known = self._choices[index] = _Choice(ChoiceStream(self._reading))
        return known

    def _chunks(self, choices: list[Json], chunk: Json) -> list[Json]:
        """A chunk for each choice; how many tokens it took stands in the last."""
        if len(choices) == 1:
            return [{**chunk, "choices": choices}]
        if not choices and not chunk.get("usage"):
            return []
        frame = {name: value for name, value in chunk.items() if name not in _OF_ONE_CHUNK}
        chunks = [{**frame, "choices": [choice]} for choice in choices]
        if chunk.get("usage"):
            if not chunks:
                chunks = [{**frame, "choices": [{**one, "delta": {}} for one in chunk["choices"]]}]
            chunks[-1] = {**chunks[-1], "usage": chunk["usage"]}
        return chunks

    def _flush(self, *, is_broken: bool = False) -> list[Json]:
        """What is held back of all choices that are open."""
        made: list[Json] = []
        for index, known in self._choices.items():
            stream = known.stream
            if not stream.is_over:
                deltas = stream.abandon() if is_broken else stream.finish(None)
                choice = {"index": index, "delta": {}, "finish_reason": None}
                made += self._made(choice, known, deltas, None if is_broken else stream.reason(None))
        return self._chunks(made, {name: value for name, value in self._frame.items() if name != "usage"})

    def _fold_choice(self, choice: Any) -> Any:
        message = choice.get("message") if isinstance(choice, dict) else None
        if not isinstance(message, dict):
            return choice
        known = self._choices[len(self._choices)] = _Choice(ChoiceStream(self._reading))
        reason = choice.get("finish_reason")
        folded = known.stream.fold(message, reason)
        if folded is message and known.stream.reason(reason) == reason:
            return choice
        made = {**choice, "message": folded, "finish_reason": known.stream.reason(reason)}
        if choice.get("logprobs"):
            content = folded.get("content")
            known.logprobs.add(choice["logprobs"])
            made["logprobs"] = known.logprobs.of(content if isinstance(content, str) else "")
        return made


def declared_tools(body: Mapping[str, Any]) -> Tools:
    """The functions that a request declares; what is wrong with them is the server's to say."""
    specs: dict[str, ToolSpec] = {}
    declared = [body.get("tools"), body.get("functions")]
    for tool in [tool for tools in declared if isinstance(tools, list) for tool in tools]:
        try:
            spec = ToolSpec.from_any(tool)
        except TypeError:
            continue
        specs.setdefault(spec.name.lower(), spec)
    return Tools.of(specs.values())
