"""Part: one thing that a client is told of a reply, before it is said in the words of its interface.

    TextStart TextDelta* TextEnd        a text, or reasoning
    CallStart CallDelta* CallEnd        a call
    OtherGrown* Other                   any other segment
    ToolLifecycle, StreamEnd            what becomes of calls, and the end of the reply, as they are

`parts.py` makes them of the items of a reply.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, TypeAlias

from streamparse.invocations import ToolInvocation, ToolLifecycle
from streamparse.outcome import StreamEnd
from streamparse.segment import Segment

# Immutable by agreement, as events are: there is one for nearly every token.
if TYPE_CHECKING:
    from attrs import frozen as part_class
else:
    from attrs import define as part_class


@part_class
class TextStart:
    """Text, or reasoning, begins."""

    id: str
    is_reasoning: bool


@part_class
class TextDelta:
    """More of it."""

    id: str
    is_reasoning: bool
    delta: str


@part_class
class TextEnd:
    """It has ended. `was_reasoning`: what was shown as text turned out to be reasoning. `is_cut`: it is not complete.

    `state` is what its provider wants back with it, as in `SegmentEnd`.
    """

    id: str
    is_reasoning: bool
    was_reasoning: bool = False
    is_cut: bool = False
    state: Mapping[str, Any] | None = None


@part_class
class CallStart:
    """A call begins; `index` counts the calls of the reply. `call_id` is the provider's or the model's own id."""

    id: str
    index: int
    name: str
    call_id: str | None


@part_class
class CallDelta:
    """More of the text of its arguments: JSON, unless its interface has another form for calls of this tool."""

    id: str
    index: int
    delta: str


@part_class
class CallEnd:
    """The call has ended: it is complete, and its text is valid JSON, or it is not.

    `text` is the text of its arguments, all of it. That of a complete call has each of them once, even if the model has
    written one twice, and the deltas have told both.
    """

    id: str
    index: int
    invocation: ToolInvocation
    text: str


@part_class
class Other:
    """A segment that is neither text nor a call, when it has ended: a source, a file, a server's tool, your own."""

    segment: Segment


@part_class
class OtherGrown:
    """Such a segment has grown, and goes on: for encoders with a grain, which tell it while it comes."""

    segment: Segment


Part: TypeAlias = (
    TextStart | TextDelta | TextEnd | CallStart | CallDelta | CallEnd | OtherGrown | Other | ToolLifecycle | StreamEnd
)
