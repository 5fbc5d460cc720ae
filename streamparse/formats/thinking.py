"""Markers of reasoning: `<think>…</think>`, which most formats share, and others."""

from __future__ import annotations

from collections.abc import Iterable

from streamparse.core.markers import BLANKS, Marker, close_tag, exact, open_tag
from streamparse.core.opening import Opener
from streamparse.formats.format import Reasoning
from streamparse.states.reasoning import ReasoningClosers, ReasoningInitState, ReasoningState
from streamparse.states.xml_tag_init import TagState, XmlTagInitState

_TAGS = ("think", "thinking")


def thinking(format: str, *more_tags: str, starts_open: bool = False, is_ended_by_calls: bool = False) -> Reasoning:
    """`<think>` and `<thinking>`, and other tags, for the format of this name."""
    tags = (*_TAGS, *more_tags)
    return Reasoning(
        openers=(
            *(Opener(open_tag(tag), XmlTagInitState, format, TagState(ReasoningState), False) for tag in tags),
            *(Opener(close_tag(tag), None, format, None, False) for tag in tags),
        ),
        implied_opener=("<think", BLANKS, ">"),
        implied_closer=close_tag("think"),
        starts_open=starts_open,
        is_ended_by_calls=is_ended_by_calls,
    )


def between(
    format: str,
    starts: Iterable[str],
    ends: Iterable[str | Marker],
    *,
    starts_open: bool = False,
    is_ended_by_calls: bool = False,
    is_ended_by_sections: bool = False,
    has_calls: bool = False,
    in_auto: bool = True,
) -> Reasoning:
    """Reasoning between literal markers, any of `starts` and any of `ends`, for the format of this name."""
    openers = tuple(map(exact, starts))
    closers = tuple(exact(end) if isinstance(end, str) else end for end in ends)
    return Reasoning(
        openers=(
            *(Opener(marker, ReasoningInitState, format, ReasoningClosers(closers), False) for marker in openers),
            *(Opener(marker, None, format, None, False) for marker in closers),
        ),
        implied_opener=openers[0] if openers else (),
        implied_closer=closers[0],
        other_closers=closers[1:],
        starts_open=starts_open,
        is_ended_by_calls=is_ended_by_calls,
        is_ended_by_sections=is_ended_by_sections,
        has_calls=has_calls,
        in_auto=in_auto,
    )


def wrapped(tag: str) -> tuple[Marker, ...]:
    """The markers of an answer in tags: `<tag>␤` and `␤</tag>`, with and without the line break that is meant."""
    opening, closing = exact(f"<{tag}>"), exact(f"</{tag}>")
    return ((*opening, "\n"), opening, ("\n", *opening, "\n"), ("\n", *opening), ("\n", *closing), closing)
