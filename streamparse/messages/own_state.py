"""A reply without what other interfaces want back.

    Segment("seg_1", "reasoning", state={"interface": "anthropic", "signature": "EqQB"})

    for "anthropic"     the same, with the state {"signature": "EqQB"}
    for "google"        the same, without a state

A signature, an encrypted thought or the id of an item is worth something to the interface that gave it, and an error to
all others. Every state says of which interface it is, so this is the one place where that is asked: a dialect is given
states that it may send, and no others.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from copy import copy
from typing import Any

from attrs import evolve, frozen

from streamparse.events import INTERFACE
from streamparse.invocations import ToolInvocation
from streamparse.messages.results import ReplyParts
from streamparse.segment import Segment


@frozen
class OwnReply:
    """A reply whose states are all of the interfaces that a dialect speaks to, and do not say so any more."""

    segments: list[Segment]
    calls: list[ToolInvocation]
    raw: str
    text: str

    @classmethod
    def of(cls, reply: ReplyParts, interfaces: Collection[str]) -> OwnReply:
        """The reply, for a dialect that takes the states of these `interfaces`."""
        calls = {call.id: _own_call(call, interfaces) for call in reply.calls}
        segments = [_own_segment(segment, calls, interfaces) for segment in reply.segments]
        return cls(segments, list(calls.values()), reply.raw, reply.text)


def _own_segment(segment: Segment, calls: Mapping[str, ToolInvocation], interfaces: Collection[str]) -> Segment:
    if not segment.state and segment.call is None:
        return segment
    own = copy(segment)
    own.state = _own(segment.state, interfaces)
    own.call = calls.get(segment.id)
    return own


def _own_call(call: ToolInvocation, interfaces: Collection[str]) -> ToolInvocation:
    return call if call.state is None else evolve(call, state=_own(call.state, interfaces) or None)


def _own(state: Mapping[str, Any], interfaces: Collection[str]) -> dict[str, Any]:
    if state.get(INTERFACE) not in interfaces:
        return {}
    return {name: value for name, value in state.items() if name != INTERFACE}
