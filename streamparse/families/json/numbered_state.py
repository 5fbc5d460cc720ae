"""A call whose name may be no more than a number: its arguments then tell which tool is meant.

    <|tool_call_begin|>functions.f:0<|tool_call_argument_begin|>{"a": 1}        tool_call {"tool_name": "f"}
    <|tool_call_begin|>0<|tool_call_argument_begin|>{"city": "Oslo"}            the one tool declared with a `city`

If there is not exactly one declared tool that has all these parameters and requires no others, the number is the name.
That is known when the arguments are complete: so long they are held. If no tool is declared, nothing is.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping

from streamparse.arguments.json_text import JsonTextError, read_written
from streamparse.config import ToolSpec
from streamparse.core.state import GO_ON, NEED_MORE, Progress
from streamparse.families.calls.grammar import Head
from streamparse.families.json.arguments_state import JsonArgumentsState
from streamparse.families.json.reader import JsonReader
from streamparse.families.json.shown import ShownValue


class NumberedCallState(JsonArgumentsState):
    """Waits with START if the name is a number."""

    _head: Head

    def _open_call(self, head: Head) -> None:
        if not (head.name or "").isdecimal() or not self.context.tools:
            super()._open_call(head)
            return
        self._head = head
        self._value = ShownValue(self.context, JsonReader(self._ends.ends, self._ends.doubts))
        self.context.hold()
        self._phase = "_in_held"

    def _in_held(self) -> Progress:
        """Read the value as it would be shown; what is no JSON tells nothing, and is shown at once."""
        scanner, reader = self.context.scanner, self._value.reader
        scanner.pos = reader.read(scanner.buf, scanner.pos, scanner.end)
        if reader.is_done or reader.is_ended or reader.is_doubtful:
            return self._name_call(self._infer(scanner.held()) if reader.is_done else self._head.name)
        scanner.wait_for(reader)
        return NEED_MORE

    def _infer(self, text: str) -> str | None:
        try:
            arguments, _ = read_written(text or "{}", self.context.config.limits.max_depth)
        except JsonTextError:
            return self._head.name
        fitting = [tool.name for tool in self.context.tools.values() if _fits(tool, arguments or {})]
        return fitting[0] if len(fitting) == 1 else self._head.name

    def _name_call(self, name: str | None) -> Progress:
        """The name is known: now the arguments are read to be shown."""
        self.context.scanner.rollback()
        super()._open_call(self._head._replace(name=name))
        self._phase = "_in_value"
        return GO_ON

    def on_limit(self) -> None:
        """The arguments are too long to wait for their end."""
        if self._phase == "_in_value":
            super().on_limit()
        else:
            self._name_call(self._head.name)

    def finalize(self) -> None:
        """Cut off: no one can tell which tool was meant."""
        if self._phase == "_in_held":
            self._name_call(self._head.name)
            self.run()
        super().finalize()


def _fits(tool: ToolSpec, arguments: Collection[str]) -> bool:
    """Whether a call of `tool` may have these arguments: it has all these parameters, and requires no others."""
    required = tool.parameters.get("required", ())
    return (
        isinstance(arguments, Mapping)
        and arguments.keys() <= set(tool.parameter_names)
        and (not isinstance(required, list | tuple) or set(required) <= arguments.keys())
    )
