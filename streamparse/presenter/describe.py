"""describe: a call in one line, for a person.

[write_file for 'src/a.py']
[run_bash for 'make test']
"""

from __future__ import annotations

from streamparse.config import ToolSpec
from streamparse.invocations import ToolInvocation


def describe(call: ToolInvocation, spec: ToolSpec | None = None) -> str:
    """The call in one line."""
    return f"[{call.name}]"
