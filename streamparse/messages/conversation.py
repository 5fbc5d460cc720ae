"""Conversation: all that was said so far, by people and by the model, as the messages of a request in any dialect.

    turns = [Said("user", ["How warm is it?"]), Replied([Segment(…)], {"seg_1": ToolResult("12 degrees")})]
    write("anthropic", turns)

What a client sends back becomes turns (`encoders/request.py`). Nobody vouches for the states in it: if one is not what
it says, all of that reply are left out.
"""

from __future__ import annotations

from collections.abc import Iterable
from copy import copy
from typing import Any, TypeAlias

from attrs import define, evolve, field

from streamparse.events import SegmentType
from streamparse.formats import Format
from streamparse.invocations import ToolInvocation
from streamparse.messages import build, find_dialect
from streamparse.messages.alternating import alternating
from streamparse.messages.results import ToolResult
from streamparse.messages.said import Said
from streamparse.segment import Segment

_UNANSWERED = ToolResult("The call was not run.", is_error=True)


@define
class Replied:
    """What the model said, and the results of its calls, by the ids of their segments."""

    segments: list[Segment] = field(factory=list)
    results: dict[str, ToolResult] = field(factory=dict)

    @property
    def calls(self) -> list[ToolInvocation]:
        """The calls."""
        return [segment.call for segment in self.segments if segment.call is not None]

    @property
    def text(self) -> str:
        """The text."""
        return "".join(segment.content for segment in self.segments if segment.type == SegmentType.TEXT)

    @property
    def raw(self) -> str:
        """The text: nobody has the markers any more."""
        return self.text


Turn: TypeAlias = Said | Replied


def write(dialect: str | Format, turns: Iterable[Turn]) -> list[dict[str, Any]]:
    """The messages of all turns. What has no place among messages, such as a system prompt for Anthropic, is left out.

    A call that nobody has answered is answered with a sentence that says so: no interface takes it without an answer.
    In a text format roles alternate.
    """
    found = find_dialect(dialect)
    messages: list[tuple[dict[str, Any], bool]] = []  # and whether it is a result
    for turn in turns:
        if isinstance(turn, Replied):
            messages += [(message, place > 0) for place, message in enumerate(_written(dialect, turn))]
        elif (said := found.say(turn)) is not None:
            messages.append((said, False))
    return alternating(messages) if found.alternates else [message for message, _ in messages]


def _written(dialect: str | Format, turn: Replied) -> list[dict[str, Any]]:
    results = {call.id: _UNANSWERED for call in turn.calls if call.is_complete} | turn.results
    try:
        return build(dialect, turn, results)
    except (LookupError, TypeError, AttributeError):
        return build(dialect, Replied([_without_state(segment) for segment in turn.segments]), results)


def _without_state(segment: Segment) -> Segment:
    plain = copy(segment)
    plain.state = {}
    plain.call = segment.call and evolve(segment.call, state=None)
    return plain
