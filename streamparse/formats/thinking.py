"""Markers of reasoning: `<think>…</think>`, which most formats share, and others."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from streamparse.core.markers import BLANKS, Marker, close_tag, exact, open_tag
from streamparse.core.opening import InReasoning, Opener
from streamparse.formats.format import Reasoning
from streamparse.formats.tokens import begins_with_token
from streamparse.states.reasoning import ReasoningClosers, ReasoningInitState, ReasoningState, UnopenedState
from streamparse.states.xml_tag_init import TagState, XmlTagInitState

_TAGS = ("think", "thinking")


def thinking(format: str, *more_tags: str, starts_open: bool = False, calls: InReasoning = "ends_implied") -> Reasoning:
    """`<think>` and `<thinking>`, and other tags, for the format of this name."""
    tags = (*_TAGS, *more_tags)
    return Reasoning(
        openers=(
            *(Opener(open_tag(tag), XmlTagInitState, format, TagState(ReasoningState), "text") for tag in tags),
            *_unopened(format, map(close_tag, tags)),
        ),
        implied_opener=("<think", BLANKS, ">"),
        implied_closers=tuple(map(close_tag, ("think", *more_tags))),
        starts_open=starts_open,
        calls=calls,
    )


def between(
    format: str,
    starts: Iterable[str | Marker],
    ends: Iterable[str | Marker] = (),
    *,
    answers: Iterable[str | Marker] = (),
    implied_opener: Marker = (),
    starts_open: bool = False,
    calls: InReasoning = "ends_implied",
    in_auto: bool = True,
    are_wrappers: bool = False,
) -> Reasoning:
    """Reasoning between markers, any of `starts` and any of `ends`, for the format of this name.

    `answers` end it, too, but they are no closers of it: they begin or end what is not reasoning as well, and the
    format says otherwise what they are in text. What the prompt has written where it has begun the reasoning is the
    first of `starts`, unless `implied_opener` says otherwise. `are_wrappers`: `ends` are swallowed in answers, too.
    """
    openers, own, others = (
        tuple(exact(marker) if isinstance(marker, str) else marker for marker in markers)
        for markers in (starts, ends, answers)
    )
    closers = (*own, *others)
    return Reasoning(
        openers=(
            *(Opener(marker, ReasoningInitState, format, ReasoningClosers(closers), "text") for marker in openers),
            *_unopened(format, own, are_wrappers=are_wrappers),
        ),
        implied_opener=implied_opener or next(iter(openers), ()),
        implied_closers=closers,
        starts_open=starts_open,
        calls=calls,
        in_auto=in_auto,
    )


def _unopened(format: str, closers: Iterable[Marker], *, are_wrappers: bool = False) -> Iterator[Opener]:
    """What `closers` are where no reasoning is open; a token is swallowed even in an answer."""
    for marker in closers:
        is_token = begins_with_token(marker)
        is_swallowed = is_token or are_wrappers
        yield Opener(marker, UnopenedState, format, None, "text", is_closer=True, is_in_fences=is_swallowed)
        if is_token:
            yield Opener(marker, None, format, None, "text")


def wrapped(tag: str) -> tuple[Marker, ...]:
    """The markers of an answer in tags: `<tag>␤` and `␤</tag>`, with and without the line break that is meant."""
    opening, closing = exact(f"<{tag}>"), exact(f"</{tag}>")
    return ((*opening, "\n"), opening, ("\n", *opening, "\n"), ("\n", *opening), ("\n", *closing), closing)
