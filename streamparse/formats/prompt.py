"""Prompt: how a format's calls, results and tools are written into a conversation.

    Prompt(
        call='<tool_call>\\n{"name": $quoted_name, "arguments": $arguments}\\n</tool_call>',
        result="<tool_response>\\n$result\\n</tool_response>",
        write=write_json,
    )

In the templates `$name` is the tool's name, `$quoted_name` the same as a JSON string, `$arguments` what `write` makes
of the arguments, `$call_id` and `$quoted_id` the call's id, `$result` the result as text (JSON, unless it is a string),
`$quoted_result` the same as a JSON string. `write` raises RenderError for what the format cannot express: a text that
would be read differently is never written.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping, Sequence
from string import Template
from typing import Any, TypeAlias

from attrs import frozen

from streamparse.config import ToolSpec
from streamparse.errors import RenderError

#: Arguments as the format writes them.
Write: TypeAlias = Callable[[Mapping[str, Any]], str]

#: What every format can write as a name; those with names in JSON strings write any.
PLAIN_NAME = re.compile(r"[A-Za-z0-9_.-]{1,256}")
ANY_NAME = re.compile(r"(?s:.){1,256}")

#: What a prompt says that needs no more.
TEACH = """\
You can call these tools. Each is described by its name and the JSON schema of its arguments:

$tools

To call a tool, write the call exactly like this, with nothing in between:

$example

You may write prose before and after a call, and several calls one after the other. The result of each call is given \
back to you."""


def write_json(arguments: Mapping[str, Any]) -> str:
    """A JSON object on one line."""
    return to_json(arguments)


def to_json(value: Any) -> str:
    """JSON text; raises RenderError for what is none."""
    try:
        return json.dumps(value, ensure_ascii=False, allow_nan=False)
    except (TypeError, ValueError, RecursionError) as error:
        raise RenderError(f"not JSON: {error}") from error


@frozen
class Prompt:
    """Templates, and how arguments are written."""

    call: str
    result: str
    write: Write = write_json
    #: What a name must be; a format that writes it as a JSON string takes any.
    name: re.Pattern[str] = PLAIN_NAME
    #: The id of a call that is given none, if there must be one.
    default_id: str = ""
    #: A call that shows how it is done.
    example: tuple[str, Mapping[str, Any]] = ("tool_name", {"first": "a text", "second": 2})
    #: What is said about the tools and about the example of a call.
    teach: str = TEACH

    def render_call(self, name: str, arguments: Mapping[str, Any], call_id: str | None = None) -> str:
        """A call as a model writes it."""
        if not isinstance(arguments, Mapping) or not all(isinstance(key, str) for key in arguments):
            raise RenderError("the arguments of a call are a mapping with names for keys")
        if not isinstance(name, str) or not self.name.fullmatch(name):
            raise RenderError(f"the name {name!r} cannot be written in this format")
        given = self.default_id if call_id is None else call_id
        return Template(self.call).substitute(
            name=name,
            quoted_name=to_json(name),
            arguments=self.write(arguments),
            call_id=given,
            quoted_id=to_json(given),
        )

    def render_result(self, name: str, result: Any, call_id: str | None = None) -> str:
        """A result as a model reads it."""
        text = result if isinstance(result, str) else to_json(result)
        given = self.default_id if call_id is None else call_id
        return Template(self.result).substitute(
            name=name,
            quoted_name=to_json(name),
            result=text,
            quoted_result=to_json(text),
            call_id=given,
            quoted_id=to_json(given),
        )

    def render_instructions(self, tools: Sequence[ToolSpec]) -> str:
        """What teaches a model the format and the tools."""
        described = [to_json({"name": tool.name, "parameters": dict(tool.parameters)}) for tool in tools]
        example = self.render_call(*self.example)
        return Template(self.teach).substitute(tools="\n".join(described), example=example)
