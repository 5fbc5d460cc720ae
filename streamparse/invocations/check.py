"""check: may this call be run? If not, what to tell the model.

problem = check(invocation, tools)
result = f"error: {problem}" if problem else run(invocation)

there is no tool 'serch': did you mean 'search'?
the arguments of search do not fit: limit must be an integer, not a string
the call of search is truncated: the call was cut off before its end
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from streamparse.arguments.validation import find_problem
from streamparse.config import Tools, ToolSpec
from streamparse.errors import shorten, suggest
from streamparse.invocations.invocation import ToolInvocation


def check(invocation: ToolInvocation, tools: Tools | Iterable[ToolSpec | Mapping[str, Any]]) -> str | None:
    """None if the call may be run; else a sentence for the model, with which it can mend the call.

    `tools` are those declared to the model, in any of the usual shapes. It may not be run if it is not complete, if no
    tool of that name is declared, or if its arguments do not fit the tool's JSON schema.
    """
    declared = Tools.of(tools)
    name = shorten(invocation.name)
    if not invocation.is_complete:
        return f"the call of {name} is {invocation.status}: {invocation.error}"
    spec = declared.get(invocation.name.lower())
    if spec is None:
        return f"there is no tool {name!r}{suggest(invocation.name, [tool.name for tool in declared.values()])}"
    problem = find_problem(invocation.arguments, spec.parameters)
    return None if problem is None else f"the arguments of {spec.name} do not fit: {problem}"
