"""Whole: all parts of a reply, folded for a response that is not streamed.

    TextDelta "Let me ", TextDelta "see.", TextEnd            WholeText("Let me see.")
    CallStart search, CallDelta …, CallEnd                    WholeCall(index, ToolInvocation(…))
    CallEnd of a call that was cut off                        WholeText('search {"query": "ca')

Text that turned out to be reasoning is reasoning here: nothing of it was shown yet.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TypeAlias

from attrs import define, field

from streamparse.encoders.part import CallEnd, CallStart, Other, Part, TextDelta, TextEnd
from streamparse.events import SegmentType
from streamparse.invocations import ToolInvocation
from streamparse.outcome import Outcome, StreamEnd


@define
class WholeText:
    """A text, or reasoning, with what its provider wants back."""

    text: str
    is_reasoning: bool = False
    end: TextEnd | None = None


@define
class WholeCall:
    """A complete call, the one with the number `index`, and the text of its arguments."""

    index: int
    invocation: ToolInvocation
    arguments: str


Block: TypeAlias = WholeText | WholeCall


@define
class Whole:
    """A reply, block by block, in the order in which they began."""

    outcome: Outcome = field(factory=Outcome)
    refusal: str = ""
    _blocks: dict[str, Block] = field(factory=dict)
    _texts: dict[str, list[str]] = field(factory=dict)

    def add(self, parts: Iterable[Part]) -> None:
        """More parts."""
        for part in parts:
            match part:
                case TextDelta():
                    self._blocks.setdefault(part.id, WholeText("", part.is_reasoning))
                    self._texts.setdefault(part.id, []).append(part.delta)
                case TextEnd():
                    is_reasoning = part.is_reasoning or part.was_reasoning
                    self._blocks[part.id] = WholeText("".join(self._texts.pop(part.id)), is_reasoning, part)
                case CallStart():
                    self._blocks[part.id] = WholeText("")  # its place
                case CallEnd():
                    self._add_call(part)
                case Other() if part.segment.type == SegmentType.REFUSAL:
                    self.refusal += part.segment.content
                case StreamEnd():
                    self.outcome = part.outcome

    def _add_call(self, end: CallEnd) -> None:
        call = end.invocation
        if call.is_complete:
            self._blocks[end.id] = WholeCall(end.index, call, end.text)
        else:
            self._blocks[end.id] = WholeText(f"{call.name} {call.raw}".strip())

    @property
    def blocks(self) -> list[Block]:
        """All of them."""
        return list(self._blocks.values())

    @property
    def calls(self) -> list[WholeCall]:
        """The complete calls."""
        return [block for block in self._blocks.values() if isinstance(block, WholeCall)]

    def text(self) -> str:
        """All text. What was written of a call that is not complete is a paragraph of its own."""
        return self._joined(is_reasoning=False)

    def reasoning(self) -> str:
        """All reasoning; its parts are separated by an empty line."""
        return self._joined(is_reasoning=True)

    def _joined(self, *, is_reasoning: bool) -> str:
        text = ""
        for block in self._blocks.values():
            if isinstance(block, WholeText) and block.is_reasoning == is_reasoning:
                is_apart = is_reasoning or block.end is None
                text += f"\n\n{block.text}" if text and is_apart else block.text
        return text
