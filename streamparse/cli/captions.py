"""What is written around a segment: its title, how it ended, and the invocation it became. Plain strings, escaped."""

from __future__ import annotations

import json
from typing import Any

from streamparse.cli.escape import visible_line
from streamparse.config import BODIES
from streamparse.events import PLAN, SegmentEnd, SegmentEvent
from streamparse.invocations import ToolInvocation

_LONGEST_VALUE = 48


def title(start: SegmentEvent) -> str:
    """`write_file src/a.py`, `tool_call search`, `run_bash` (not twice, if it is called so), `plan parallel start`."""
    if start.segment_type == PLAN:
        return visible_line(f"plan {start.metadata.get('plan_mode')} {start.metadata.get('edge')}")
    kind, name = start.segment_type, start.metadata.get("path") or start.metadata.get("tool_name")
    return visible_line(f"{kind} {name}" if name and name != kind else kind)


def status(end: SegmentEnd, invocation: ToolInvocation | None) -> str:
    """`complete`, `complete, repaired`, `truncated`, `malformed: why`; of text that it was reasoning.

    The invocation has the last word.
    """
    state = (invocation.status if invocation else end.status) or "complete"
    error = (invocation.error if invocation else end.error) or ""
    is_repaired = end.repaired or (invocation is not None and invocation.repaired)
    if end.reasoning:
        return "that was reasoning"
    if state == "malformed" and error:
        state = f"malformed: {error}"
    return visible_line(f"{state}, repaired" if is_repaired else state)


def call(segment_type: str, invocation: ToolInvocation) -> str:
    """`search(query="pages", limit=5)`; the body of a file, patch or command is only counted."""
    body = BODIES.get(segment_type)
    # A tool may call its body something else: then it is what was streamed.
    arguments = (
        f"{name}={_extent(value) if name == body or (body and value == invocation.content) else _short(value)}"
        for name, value in invocation.arguments.items()
    )
    return visible_line(f"{invocation.name}({', '.join(arguments)})")


def _extent(value: Any) -> str:
    lines = str(value).strip("\n").count("\n") + 1
    return f"[{lines} line{'s' if lines > 1 else ''}]"


def _short(value: Any) -> str:
    text = json.dumps(value, ensure_ascii=False)
    return text if len(text) <= _LONGEST_VALUE else f"{text[: _LONGEST_VALUE - 3]}..."
