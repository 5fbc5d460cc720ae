"""Prompt: how a format's calls, results and tools are written into a conversation.

    Prompt(
        call='<tool_call>\\n{"name": $quoted_name, "arguments": $arguments}\\n</tool_call>',
        result="<tool_response>\\n$result\\n</tool_response>",
        write=write_json,
        teach=teaching.HERMES,
    )

In the templates `$name` is the tool's name, `$quoted_name` the same as a JSON string, `$arguments` what `write` makes
of the arguments, `$call_id` and `$quoted_id` what `identify` makes of the call's id, `$result` the result as text (as
JSON, unless it is a string), `$quoted_result` the same as a JSON string, `$json_result` the result as JSON, whatever it
is; for those of `teach` see `teaching.py`. What stands between `$<` and `$>` is written only where an id is given.
`write` and `identify` raise RenderError for what the format cannot express; what would be read differently is refused
behind them, by `read_back.py`. In what is filled into a result, no marker of it stays whole: see `result_text.py`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Hashable, Mapping, Sequence
from string import Template
from typing import Any, TypeAlias

from attrs import frozen

from streamparse.arguments.example import example_call
from streamparse.arguments.json_text import to_json, write_json
from streamparse.config import ToolSpec
from streamparse.core.markers import Marker
from streamparse.errors import RenderError
from streamparse.formats import teaching
from streamparse.formats.result_text import fill, pairs_of

#: Arguments as the format writes them.
Write: TypeAlias = Callable[[Mapping[str, Any]], str]

#: A whole call, where no template says how it is written: its tool, its arguments, and its id.
WriteCall: TypeAlias = Callable[[ToolSpec, Mapping[str, Any], str | None], str]

#: What is said about these tools, and about the examples.
Teach: TypeAlias = Callable[[Sequence[ToolSpec]], str]

#: A call as text: its name and its arguments.
RenderCall: TypeAlias = Callable[[str, Mapping[str, Any]], str]

#: The id that is written for a call of this name which is given this one, or none.
Identify: TypeAlias = Callable[[str, str | None], str]

#: What every format can write as a name; those with names in JSON strings write any.
PLAIN_NAME = re.compile(r"[A-Za-z0-9_.-]{1,256}")
ANY_NAME = re.compile(r"(?s:.){1,160}")

_NOTHING_TO_TEACH = "You have no tools: answer without calling any."
#: A part of a template for where an id is given.
_IF_GIVEN = re.compile(r"\$<(.*?)\$>", re.DOTALL)


def any_id(default: str = "") -> Identify:
    """Any id; for a call without one, `default`."""
    return lambda _, call_id: default if call_id is None else call_id


_ANY_ID = any_id()


def plain_id(default: str = "0") -> Identify:
    """The same for formats that write ids between their markers: letters, digits and `_ . -`."""

    def identify(_: str, call_id: str | None) -> str:
        if call_id is not None and not PLAIN_NAME.fullmatch(call_id):
            raise RenderError(f"the id {call_id!r} cannot be written in this format")
        return default if call_id is None else call_id

    return identify


def _if_given(template: str, call_id: str | None) -> str:
    return _IF_GIVEN.sub("" if call_id is None else r"\1", template)


def describe_as_json(tool: ToolSpec) -> str:
    """The declaration that most models are trained on."""
    described = {"description": tool.description} if tool.description else {}
    function = {"name": tool.name, **described, "parameters": dict(tool.parameters)}
    return to_json({"type": "function", "function": function})


@frozen
class Turn:
    """A result as text of the models' chat template, with the special tokens of its turn.

    `role` is the one that the chat template has for messages with results. `reply.messages` gives a message with this
    role and the bare result, since the server's chat template puts the tokens around it.
    """

    text: str
    role: str = "tool"


@frozen
class Prompt:
    """How calls and results are written: `Prompt(call="<call>$name $arguments</call>", result="<out>$result</out>")`.

    `call` and `result` are templates. In `call`, `$name`, `$arguments` and `$call_id` are filled in; in `result`,
    `$name`, `$result` and `$call_id`. A result that is a text goes to the user's role; a `Turn` has a role of its own.
    A tool's output cannot hold the closing tags of `result`, nor special tokens; markers that look like neither, such
    as `@@end`, are named in `tokens`.
    """

    #: A call: a template, or what writes it.
    call: str | WriteCall
    #: A result: the content of a message of the user, or a turn.
    result: str | Turn
    write: Write = write_json
    #: What a name must be; a format that writes it as a JSON string takes any.
    name: re.Pattern[str] = PLAIN_NAME
    #: What is written as the id of a call.
    identify: Identify = _ANY_ID
    #: The id that a result refers to, where a call may be given less than all of it.
    refer: Identify = _ANY_ID
    #: A call that shows how it is done, where none of the user's own can be written.
    example: tuple[str, Mapping[str, Any]] | None = None
    #: How a tool is described.
    describe: Callable[[ToolSpec], str] = describe_as_json
    #: In which form calls of a tool are written, where not all are written alike: an example is given of each.
    form: Callable[[ToolSpec], Hashable] = lambda tool: None
    #: What is said about the tools and about the example of a call: see `teaching.py`.
    teach: str | Teach = teaching.DEFAULT
    #: Special tokens that a result must not hold, besides those that are dropped in replies: see `result_text.py`.
    tokens: tuple[str, ...] = ()

    def check_call(self, name: str, arguments: Mapping[str, Any]) -> None:
        """Raise RenderError for what is no call, or has a name that the format cannot express."""
        if not isinstance(arguments, Mapping) or not all(isinstance(key, str) for key in arguments):
            raise RenderError("the arguments of a call are a mapping with names for keys")
        if not isinstance(name, str) or not self.name.fullmatch(name):
            raise RenderError(f"the name {name!r} cannot be written in this format")

    def render_call(
        self, name: str, arguments: Mapping[str, Any], call_id: str | None = None, tool: ToolSpec | None = None
    ) -> str:
        """A call as a model writes it; `tool` is what is known of the tool."""
        if not isinstance(self.call, str):
            return self.call(tool or ToolSpec(name), arguments, call_id)
        given = self.identify(name, call_id)
        return Template(_if_given(self.call, call_id)).substitute(
            name=name,
            quoted_name=to_json(name),
            arguments=self.write(arguments),
            call_id=given,
            quoted_id=to_json(given),
        )

    def render_result(self, name: str, result: Any, call_id: str | None = None, tokens: tuple[str, ...] = ()) -> str:
        """A result as a model reads it; `tokens` are special ones, which it cannot hold: see `result_text.py`."""
        text = result if isinstance(result, str) else to_json(result)
        given = self.identify(name, None) if call_id is None else self.refer(name, call_id)
        values = {
            "name": name,
            "quoted_name": to_json(name),
            "result": text,
            "quoted_result": to_json(text),
            "json_result": to_json(result),
            "call_id": given,
            "quoted_id": to_json(given),
        }
        return fill(_if_given(self._template, call_id), values, (*self.tokens, *tokens))

    def render_bare(self, result: Any, tokens: tuple[str, ...] = ()) -> str:
        """A result without what stands around it, for a server that puts that around it; it cannot hold that either."""
        text = result if isinstance(result, str) else to_json(result)
        return fill("$result", {"result": text}, (*self.tokens, *tokens), self._template)

    @property
    def result_pairs(self) -> tuple[tuple[Marker, Marker], ...]:
        """What begins a result and what ends it, where there are markers for that: see `result_text.py`."""
        return pairs_of(self._template)

    @property
    def _template(self) -> str:
        return self.result.text if isinstance(self.result, Turn) else self.result

    def render_instructions(self, tools: Sequence[ToolSpec], render_call: RenderCall) -> str:
        """What teaches a model the format and the tools; `render_call` writes the examples."""
        if not tools:
            return _NOTHING_TO_TEACH
        firsts: dict[Hashable, ToolSpec] = {}
        for tool in tools:
            firsts.setdefault(self.form(tool), tool)
        return Template(self.teach if isinstance(self.teach, str) else self.teach(tools)).substitute(
            tools="\n".join(map(self.describe, tools)),
            name=tools[0].name,
            example="\n\n".join(self._example(tool, render_call) for tool in firsts.values()),
        )

    def _example(self, tool: ToolSpec, render_call: RenderCall) -> str:
        """A whole call of `tool`; with values of its schema, if the format can write them."""
        if self.example is not None:
            return self.render_call(*self.example)  # of a tool of the format, whatever is declared
        try:
            return render_call(tool.name, example_call(tool))
        except RenderError:
            return render_call(tool.name, example_call(tool, is_plain=True))
