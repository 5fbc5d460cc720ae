"""How tests of formats run a text, and how they say what they expect of it.

`rows` gives the segments of a text and proves that they are the same whole, by single characters, cut in two anywhere,
and that every prefix can be the end; `calls`, `called` and `errors` say what the invocations are, `read` both at once.
`check` is what proves it, `run` feeds chunks and nothing else. `text`, `reasoning` and `call` write segments down.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any, NamedTuple, TypeAlias
from zlib import crc32

from attrs import evolve, field, frozen

from streamparse import (
    ParserConfig,
    SegmentEnd,
    SegmentEvent,
    StreamingParser,
    StreamingResponseHandler,
    ToolInvocation,
    parser,
)
from streamparse.config import Tools
from streamparse.delivery import is_end_of
from streamparse.families.calls import read_state
from streamparse.testing import Segment, check_order, normalize, segments
from streamparse.testing.checks import is_prefix
from tests import cuts as cutting
from tests import seeds

#: Name, arguments, status and id of an invocation.
Call: TypeAlias = tuple[str, dict[str, Any], str, str | None]

#: The options of a handler that a parser has, too.
PARSED = ("config", "tools", "registry")
#: At how many places a long text is cut; in `make fuzz`, at all of them.
CUTS = 100_000 if seeds.IS_FUZZ else 64


# -- running a text ----------------------------------------------------------------------------------------------------


@frozen
class Run:
    """What came of a text."""

    #: What there was before finalize.
    shown: list[SegmentEvent]
    known: list[ToolInvocation]
    events: list[SegmentEvent]
    invocations: list[ToolInvocation]
    #: The segments as a bare parser gives them, without the verdicts of the calls; filled in by `check`.
    bounds: list[Segment] = field(factory=list)

    @property
    def calls(self) -> list[Call]:
        return [(made.name, made.arguments, made.status, made.call_id) for made in self.invocations]

    @property
    def told(self) -> list[dict[str, Any]]:
        """All that the invocations say."""
        return [made.to_dict() for made in self.invocations]

    @property
    def segments(self) -> list[Segment]:
        return segments(self.events)


def run(
    chunks: Iterable[str], format: str | Sequence[str], growing: list[list[SegmentEvent]] | None = None, **options: Any
) -> Run:
    """Feed and finalize; `shown` are the events before finalize, both normalized; `known` the calls before it.

    `growing` gets the events of each chunk.
    """
    handler = StreamingResponseHandler(format, **options)
    fed = [handler.feed(chunk) for chunk in chunks]
    if growing is not None:
        growing += fed
    events = [event for made in fed for event in made]
    shown, known = normalize(events), list(handler.invocations)
    events += handler.finalize()
    check_order(events)
    return Run(shown, known, normalize(events), list(handler.invocations))


def run_out(
    chunks: Iterable[str], format: str | Sequence[str], **options: Any
) -> tuple[list[SegmentEvent], list[ToolInvocation]]:
    """Feed and finalize; the events, normalized, and the calls."""
    handler = StreamingResponseHandler(format, **options)
    events = [event for chunk in chunks for event in handler.feed(chunk)]
    events += handler.finalize()
    check_order(events)
    return normalize(events), handler.invocations


@contextmanager
def reading_everything() -> Iterator[None]:
    """Short arguments are read as they come, as long ones are, and not when their end is there."""
    modules: list[Any] = [parser, read_state]
    sizes = [module.MOST_AHEAD for module in modules]
    for module in modules:
        module.MOST_AHEAD = 0
    try:
        yield
    finally:
        for module, size in zip(modules, sizes, strict=True):
            module.MOST_AHEAD = size


def places(text: str, count: int = CUTS) -> Sequence[int]:
    """Where to cut: everywhere in a short text, at `count` places of a long one, always the same."""
    inner: Sequence[int] = range(1, len(text))
    if len(inner) > count:
        inner = sorted(seeds.rng(crc32(text.encode("utf-8", "surrogatepass"))).sample(inner, count))
    return cutting.some(inner)


def check(
    text: str,
    format: str | Sequence[str],
    *,
    cuts: int = CUTS,
    is_mended: bool = False,
    is_wild: bool = False,
    **options: Any,
) -> Run:
    """Run `text` in every way; assert the guarantees that hold for all of them; return what the whole gives.

    A text `is_mended` if a prefix may give a call that is repaired where it ends, and the whole another one instead. Of
    a wild text the prefixes may give any calls.
    """
    whole = with_bounds(run([text], format, **options), text, format, **options)
    if "tools" in options:
        options["tools"] = Tools.of(options["tools"])  # once for all the ways
    growing: list[list[SegmentEvent]] = []
    by_character = run(text, format, growing, **options)
    assert by_character.events == whole.events, f"by single characters: {by_character.segments}\n{whole.segments}"
    told = whole.invocations
    assert are_same(by_character.invocations, told)
    assert by_character.shown == whole.shown
    with reading_everything():
        read_each = run(text, format, **options)
    assert read_each.events == whole.events, f"read as it comes: {read_each.segments}\n{whole.segments}"
    assert are_same(read_each.invocations, told)
    assert is_prefix(whole.shown, whole.events)
    shown: list[SegmentEvent] = []
    read = 0
    for place in places(text, cuts):
        parts = [text[:place], text[place:]]
        events, made = run_out(parts, format, **options)
        assert events == whole.events, f"cut as {parts}: {segments(events)}\nwhole: {whole.segments}"
        assert are_same(made, told), f"cut as {parts}"
        prefix = run(parts[:1], format, **options)
        assert is_prefix(prefix.shown, whole.events), f"{parts[0]!r} shows {prefix.shown}; taken back: {whole.events}"
        shown = normalize([*shown, *(event for events in growing[read:place] for event in events)])
        read = place
        assert prefix.shown == shown, f"{parts[0]!r} shows {prefix.shown}; by single characters {shown}"
        assert are_same(prefix.known, told[: len(prefix.known)]), f"{parts[0]!r} is taken back"
        if not is_wild:
            check_end(prefix, whole, parts[0], is_mended=is_mended)
    return whole


def with_bounds(whole: Run, text: str, format: str | Sequence[str], **options: Any) -> Run:
    """What a bare parser says, too: of each END the handler has changed nothing but the verdict of its call."""
    parser = StreamingParser(format, **{name: value for name, value in options.items() if name in PARSED})
    parsed = normalize([*parser.feed(text), *parser.finalize()])
    made = {invocation.id: invocation for invocation in whole.invocations}
    judged = [made[event.segment_id].judge(event) if is_end_of(made, event) else event for event in parsed]
    assert whole.events == judged
    for event in whole.events:
        if isinstance(event, SegmentEnd) and event.segment_id in made:
            told = made[event.segment_id]
            assert (event.status or "complete", event.error, event.repaired) == (told.status, told.error, told.repaired)
    return evolve(whole, bounds=segments(parsed))


def are_same(some: list[ToolInvocation], others: list[ToolInvocation]) -> bool:
    """Whether they say the same, also of the types of their arguments: 1, 1.0, true and "1" differ."""
    if some != others:
        return False
    arguments = [made.arguments for made in some], [made.arguments for made in others]
    return repr(arguments[0]) == repr(arguments[1]) or exact(arguments[0]) == exact(arguments[1])


def exact(value: Any) -> str:
    """As text, in which 1, 1.0, true and "1" differ."""
    return json.dumps(value, sort_keys=True)


def check_end(prefix: Run, whole: Run, text: str, *, is_mended: bool = False) -> None:
    """Ended there, the complete calls of a prefix are the whole's first ones; what was not repaired is among them."""
    if is_mended:
        final = [exact(row) for row in whole.told]
        for made in prefix.invocations:
            if made.is_complete and not made.repaired:
                assert exact(made.to_dict()) in final, f"{text!r} ended there gives {made}; the whole {whole.calls}"
        return
    complete = [call for call in prefix.calls if call[2] == "complete"]
    if not complete:
        return
    expected = [call for call in whole.calls if call[2] == "complete"][: len(complete)]
    assert exact(complete) == exact(expected), f"{text!r} ended there gives {complete}; the whole {whole.calls}"


# -- asking for what came of it ----------------------------------------------------------------------------------------


def rows(format: str | list[str], text: str, *, is_wild: bool = False, **options: Any) -> list[Segment]:
    """The segments of `text`, however it is cut; for `is_wild` see `check`."""
    return check(text, format, cuts=len(text), is_wild=is_wild, **options).bounds


def called(format: str | list[str], text: str, **options: Any) -> list[ToolInvocation]:
    """The invocations of `text`, fed whole."""
    return run([text], format, **options).invocations


def calls(format: str | list[str], text: str, **options: Any) -> list[tuple[str, dict[str, Any], str]]:
    """Name, arguments and status of each invocation."""
    return [(made.name, made.arguments, made.status) for made in called(format, text, **options)]


def errors(format: str | list[str], text: str, **options: Any) -> list[str | None]:
    """The error of each invocation."""
    return [made.error for made in called(format, text, **options)]


class Reading(NamedTuple):
    """What a text gives."""

    rows: list[Segment]
    calls: list[tuple[str, dict[str, Any]]]
    #: Status, whether it was repaired, and the error, of each call.
    states: list[tuple[str, bool, str | None]]


def read(
    format: str | list[str], text: str, tools: Iterable[Any] = (), *, is_wild: bool = False, **config: Any
) -> Reading:
    """The segments of `text`, however it is cut, and its invocations."""
    options = {"tools": list(tools), "config": ParserConfig(**config)}
    made = called(format, text, **options)
    return Reading(
        rows(format, text, is_wild=is_wild, **options),
        [(call.name, call.arguments) for call in made],
        [(call.status, call.repaired, call.error) for call in made],
    )


# -- writing down what is expected, and tools --------------------------------------------------------------------------


def text(content: str) -> Segment:
    """A segment of text."""
    return ("text", {}, content, {})


def reasoning(content: str, **end: Any) -> Segment:
    """A segment of reasoning."""
    return ("reasoning", {}, content, end)


def call(name: str, content: str, call_id: str | None = None, **end: Any) -> Segment:
    """The segment of a call; what END says if it is not plain."""
    metadata = {"tool_name": name} if call_id is None else {"tool_name": name, "call_id": call_id}
    return ("tool_call", metadata, content, end)


def late_id(name: str, content: str, call_id: str, **end: Any) -> Segment:
    """A call whose id came behind its START."""
    return ("tool_call", {"tool_name": name}, content, {**end, "call_id": call_id})


def nameless(content: str, **end: Any) -> Segment:
    """A call that is broken before its name was read."""
    return ("tool_call", {}, content, end)


def tool(name: str, **types: Any) -> dict[str, Any]:
    """A tool whose parameters have these JSON types, or these schemas."""
    properties = {key: kind if isinstance(kind, dict) else {"type": kind} for key, kind in types.items()}
    return {"name": name, "parameters": {"type": "object", "properties": properties}}
