"""OpenAIDeltas: what the deltas of Chat Completions say, one for each part of a reply.

    deltas.write(TextDelta("seg_1", False, "Hi"))          {"content": "Hi"}
    deltas.write(CallStart("seg_2", 0, "f", None))         {"tool_calls": [{"index": 0, "id": "call_…", …}]}
    deltas.write(CallDelta("seg_2", 0, '{"a": 1'))         {"tool_calls": [{"index": 0, "function": {…}}]}

It is kept for one choice of a response: calls are numbered in the order in which they begin, and have one id each.
"""

from __future__ import annotations

import uuid
from typing import Any, Literal, TypeAlias

from streamparse.encoders.call_ids import CallIds
from streamparse.encoders.part import CallDelta, CallEnd, CallStart, Other, Part, TextDelta, TextStart
from streamparse.events import SegmentType

#: The fields that reasoning is sent in: clients read one or the other.
ReasoningField: TypeAlias = Literal["reasoning_content", "reasoning", "both"]

_FIELDS: dict[str, tuple[str, ...]] = {
    "reasoning_content": ("reasoning_content",),
    "reasoning": ("reasoning",),
    "both": ("reasoning_content", "reasoning"),
}


class OpenAIDeltas:
    """Writes the deltas of one choice. `reasoning` is the field that reasoning is sent in."""

    def __init__(self, reasoning: ReasoningField, ids: CallIds | None = None) -> None:
        if reasoning not in _FIELDS:
            raise ValueError(f"reasoning is one of {', '.join(_FIELDS)}, not {reasoning!r}")
        self.fields = _FIELDS[reasoning]
        self.ids = ids or CallIds("call_", uuid.uuid4().hex[:20])
        #: How many calls have begun.
        self.count = 0
        self._numbers: dict[str, int] = {}
        self._is_thinking = False  # whether the last thing that was told is reasoning

    def write(self, part: Part) -> dict[str, Any] | None:
        """The delta of a part; None if it has none."""
        match part:
            case TextDelta(is_reasoning=False):
                return {"content": part.delta}
            case TextDelta():
                return dict.fromkeys(self.fields, part.delta)
            case CallDelta():
                return {"tool_calls": [{"index": self._numbers[part.id], "function": {"arguments": part.delta}}]}
            case TextStart():
                is_apart = part.is_reasoning and self._is_thinking  # two thoughts in a row
                self._is_thinking = part.is_reasoning
                return dict.fromkeys(self.fields, "\n\n") if is_apart else None
            case CallStart():
                return {"tool_calls": [self._begin(part)]}
            case CallEnd():
                self._numbers.pop(part.id, None)
            case Other() if part.segment.type == SegmentType.REFUSAL:
                return {"refusal": part.segment.content}
        return None

    def number(self) -> int:
        """The number of a call that begins now."""
        self._is_thinking = False
        self.count += 1
        return self.count - 1

    def _begin(self, start: CallStart) -> dict[str, Any]:
        number = self._numbers[start.id] = self.number()
        function = {"name": start.name, "arguments": ""}
        return {"index": number, "id": self.ids.give(start.call_id, number), "type": "function", "function": function}
