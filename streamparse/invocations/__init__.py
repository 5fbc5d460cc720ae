"""From segments to tool invocations: what a program acts on.

`invocation.py` is the result, `adapter.py` builds it from events alone, `open_call.py` is what it keeps until then,
`syntax.py` says which segment types are calls, `code_watch.py` which of them stand in Markdown code, `check.py` whether
a call may be run, `lifecycle.py` what has become of it. `item.py` is the union of all that, with the events, and
`event_reader.py` reads it from its wire form. How arguments are decoded is in `streamparse/arguments`.
"""

from streamparse.invocations.adapter import ToolInvocationAdapter
from streamparse.invocations.check import check
from streamparse.invocations.event_reader import EventReader
from streamparse.invocations.invocation import ToolInvocation
from streamparse.invocations.item import AnyItem, Item
from streamparse.invocations.lifecycle import ToolLifecycle
from streamparse.invocations.syntax import ToolSyntaxRegistry, register_tool_syntax

__all__ = [
    "AnyItem",
    "EventReader",
    "Item",
    "ToolInvocation",
    "ToolInvocationAdapter",
    "ToolLifecycle",
    "ToolSyntaxRegistry",
    "check",
    "register_tool_syntax",
]
