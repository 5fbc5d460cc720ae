"""The two turns of the interfaces whose messages are lists of blocks: what the model said, and what came of its calls.

    {"role": "assistant", "content": [{"type": "text", …}, {"type": "tool_use", …}]}
    {"role": "user", "content": [{"type": "tool_result", …}]}

Each segment becomes a block, several or none, in order; all results are one message. No interface takes a message
without blocks, so a reply that has none is no message.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeAlias

from streamparse.messages.results import Answer, Messages, ReplyParts
from streamparse.messages.written import loaded
from streamparse.segment import Segment

Block: TypeAlias = dict[str, Any]


def build_turns(
    reply: ReplyParts,
    answers: list[Answer],
    *,
    block: Callable[[Segment], Block | list[Block] | None],
    call: Callable[[Answer], Block],
    result: Callable[[Answer], Block],
    role: str = "assistant",
    field: str = "content",
) -> Messages:
    """The messages. `call` and `result` write a call and its result, `block` any other segment."""
    by_id = {answer.call.id: answer for answer in answers}
    blocks: list[Block] = []
    for segment in reply.segments:
        written = call(by_id[segment.id]) if segment.id in by_id else block(segment)
        blocks += written if isinstance(written, list) else [written] if written else []
    results = [result(answer) for answer in answers]
    return (
        [{"role": role, field: blocks}] if blocks else [],
        [{"role": "user", field: results}] if results else [],
    )


def loaded_input(segment: Segment) -> dict[str, Any] | None:
    """The input of a tool that the provider ran; None if it is not whole: then the tool never ran."""
    found = loaded(segment.content) if segment.content else {}
    return found if isinstance(found, dict) and segment.status != "truncated" else None
