"""A call whose arguments are one text, up to the marker behind it.

    <|python_tag|>print(1)<|eom_id|>                    tool_call {"tool_name": "python"} `print(1)`

The content is that text, verbatim. Any part of the calls' tail ends it. Without one it is truncated, even where the
reply ends: so does one that was cut off by its length, and no text shows that it was.
"""

from __future__ import annotations

from streamparse.core.state import Progress
from streamparse.families.calls.state import MarkedCallState


class RawCallState(MarkedCallState):
    """Shows everything up to the end."""

    def _in_arguments(self) -> Progress:
        return self._show_up_to(self._calls.ends)
