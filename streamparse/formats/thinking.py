"""Markers of reasoning: `<think>…</think>`, which most formats share, and others."""

from __future__ import annotations

from collections.abc import Iterable

from streamparse.core.markers import BLANKS, closer, exact, opener
from streamparse.core.opening import Opener
from streamparse.formats.format import Reasoning
from streamparse.states.reasoning import ReasoningInitState, ReasoningState
from streamparse.states.xml_tag_init import XmlTagInitState

_TAGS = ("think", "thinking")


def thinking(format: str, *, starts_open: bool = False, is_ended_by_calls: bool = False) -> Reasoning:
    """`<think>` and `<thinking>`, for the format of this name."""
    return Reasoning(
        openers=(
            *(Opener(opener(tag), XmlTagInitState, format, ReasoningState, False) for tag in _TAGS),
            *(Opener(closer(tag), None, format, None, False) for tag in _TAGS),
        ),
        implied_opener=("<think", BLANKS, ">"),
        implied_closer=closer("think"),
        starts_open=starts_open,
        is_ended_by_calls=is_ended_by_calls,
    )


def between(
    format: str,
    starts: Iterable[str],
    ends: Iterable[str],
    *,
    starts_open: bool = False,
    is_ended_by_calls: bool = False,
) -> Reasoning:
    """Reasoning between literal markers, any of `starts` and any of `ends`, for the format of this name."""
    openers, closers = tuple(map(exact, starts)), tuple(map(exact, ends))
    return Reasoning(
        openers=(
            *(Opener(marker, ReasoningInitState, format, closers, False) for marker in openers),
            *(Opener(marker, None, format, None, False) for marker in closers),
        ),
        implied_opener=openers[0] if openers else (),
        implied_closer=closers[0],
        other_closers=closers[1:],
        starts_open=starts_open,
        is_ended_by_calls=is_ended_by_calls,
    )
