"""Tool: something that a model may call, and Toolbox: all of them.

    async def fetch(url: str, context: ToolContext) -> str:
        '''Get a page.'''
        context.progress("connecting")
        ...

    tools = Toolbox.of({"fetch": fetch, "search": Tool.of(search, is_read_only=True)})
    reply = Reply(stream, tools=tools.specs)

A tool is a function: one with `async` is awaited, any other runs in a thread. What it returns is given to the model, a
text or plain data; what it raises is told to the model as an error.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import partial
from typing import Any, TypeAlias

from attrs import field, frozen, validators

from streamparse.config import ToolSpec
from streamparse.errors import StreamparseError
from streamparse.formats import Format
from streamparse.invocations import ToolInvocation
from streamparse.messages import find_dialect
from streamparse.presenter.hints import hints_of, schema_of

#: How long a tool may run, in seconds, and how many characters of its result the model is given.
TIMEOUT = 120.0
OUTPUT_LIMIT = 50_000


class ToolError(StreamparseError):
    """A tool raises this to tell the model a sentence: no name of a class stands before it."""


class ToolContext:
    """What a tool may ask for by a parameter with this hint: the call, a way to report, and whether to stop."""

    def __init__(self, invocation: ToolInvocation, report: Callable[[str], None]) -> None:
        self.invocation = invocation
        #: Whether nobody waits for the result any more. A function in a thread cannot be stopped: it may look here.
        self.is_cancelled = False
        self._report = report

    def progress(self, message: str) -> None:
        """Tell whoever watches; from any thread."""
        if not self.is_cancelled:
            self._report(message)


@frozen
class Tool:
    """What is run, and how it is declared to the model. Most are made of a function, by `Tool.of`.

    `run` takes the arguments and a context; if it `is_async`, it is awaited, else it runs in a thread. `is_read_only`:
    it changes nothing, so that a rule may let all such tools run. `timeout` is in seconds, None for none.
    `output_limit` is how many characters of its result the model is given; of a longer one, the beginning and the end.
    """

    spec: ToolSpec
    run: Callable[[dict[str, Any], ToolContext], Any] = field(repr=False, validator=validators.is_callable())
    is_async: bool
    is_read_only: bool = False
    timeout: float | None = TIMEOUT
    output_limit: int = OUTPUT_LIMIT

    @classmethod
    def of(
        cls,
        function: Callable[..., Any],
        *,
        name: str | None = None,
        spec: ToolSpec | Mapping[str, Any] | None = None,
        is_read_only: bool = False,
        timeout: float | None = TIMEOUT,
        output_limit: int = OUTPUT_LIMIT,
    ) -> Tool:
        """Make a tool of a function. Unless `spec` says otherwise, its hints and its docstring declare it."""
        if spec is None:
            spec = ToolSpec(
                name or _name_of(function),
                schema_of(function, ToolContext),
                description=inspect.getdoc(function) or "",
            )
        context = next((name for name, hint in hints_of(function).items() if hint is ToolContext), None)
        run = partial(_run_by_name, function, context)
        return cls(ToolSpec.from_any(spec), run, _is_async(function), is_read_only, timeout, output_limit)


def _run_by_name(
    function: Callable[..., Any], context_name: str | None, arguments: dict[str, Any], context: ToolContext
) -> Any:
    """Call a function with its arguments by their names, and with the context if it has a parameter for that."""
    return function(**arguments, **({} if context_name is None else {context_name: context}))


def _is_async(function: Callable[..., Any]) -> bool:
    return any(map(inspect.iscoroutinefunction, (function, getattr(function, "__call__", None))))  # noqa: B004


AnyTool: TypeAlias = Tool | Callable[..., Any]
AnyTools: TypeAlias = "Toolbox | Mapping[str, AnyTool] | Iterable[AnyTool]"


class Toolbox:
    """Tools by their names; case does not matter, as models are not always exact about it."""

    def __init__(self, tools: Iterable[Tool] = ()) -> None:
        self._tools: dict[str, Tool] = {}
        for tool in tools:
            key = tool.spec.name.lower()
            if key in self._tools:
                raise ValueError(f"there are two tools called {tool.spec.name!r}")
            self._tools[key] = tool

    @classmethod
    def of(cls, tools: AnyTools) -> Toolbox:
        """A toolbox of functions and tools: a dict by their names, or a list."""
        if isinstance(tools, Toolbox):
            return tools
        if isinstance(tools, Mapping):
            return cls(_named(name, tool) for name, tool in tools.items())
        return cls(tool if isinstance(tool, Tool) else Tool.of(tool) for tool in tools)

    @property
    def specs(self) -> list[ToolSpec]:
        """Their names and schemas: for `Reply(tools=…)`."""
        return [tool.spec for tool in self]

    def declared(self, dialect: str | Format) -> list[dict[str, Any]]:
        """The tools of a request, as the interface wants them; the dialects are those of `reply.messages`.

        In a text format there are none: the prompt tells the model of its tools.
        """
        return find_dialect(dialect).declare(self.specs)

    def get(self, name: str) -> Tool | None:
        """The tool of that name."""
        return self._tools.get(name.lower())

    def __iter__(self) -> Iterator[Tool]:
        return iter(self._tools.values())

    def __len__(self) -> int:
        return len(self._tools)

    def __or__(self, other: Toolbox) -> Toolbox:
        return Toolbox([*self, *other])


def _named(name: str, tool: AnyTool) -> Tool:
    if not isinstance(tool, Tool):
        return Tool.of(tool, name=name)
    if tool.spec.name != name:
        raise ValueError(f"the tool {tool.spec.name!r} is given the name {name!r}: its spec says what it is called")
    return tool


def _name_of(function: Callable[..., Any]) -> str:
    name = getattr(function, "__name__", "")
    if not name.isidentifier():
        raise ValueError(f"{function!r} has no name: give it one, as in {{'search': function}}")
    return str(name)
