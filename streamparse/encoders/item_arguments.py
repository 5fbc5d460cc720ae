"""The arguments of calls that are no functions in OpenAI's Responses: a plain text, or a command.

    stream = InputText()
    stream.feed({"input": "*** Begin"})                     '*** Begin'
    stream.finish({"input": "*** Begin Patch"})             ' Patch'

They are fed as `JsonArgumentStream` is, and give what their events show: the text as it is, and nothing of a command,
which is an item when it is complete. `finish` raises ValueError for arguments that such a call cannot have.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Protocol

#: The one argument of a tool that takes a plain text.
INPUT = "input"


class ArgumentStream(Protocol):
    """Arguments as a text that only grows; it is fed with snapshots."""

    @property
    def text(self) -> str:
        """All of it so far; that of a complete call, whatever was written before."""

    def feed(self, arguments: Mapping[str, Any], /) -> str:
        """The arguments so far; returns what is new of their text."""

    def finish(self, arguments: Mapping[str, Any], /) -> str:
        """All arguments of a complete call; returns the rest of their text. Raises ValueError if they do not fit."""


class InputText:
    """The text of a custom tool, which is its one argument.

    If a model writes it twice, the second counts, as for all arguments. A plain text cannot say that: nothing more is
    written, and `text` is the second.
    """

    def __init__(self) -> None:
        self.text = ""

    def feed(self, arguments: Mapping[str, Any]) -> str:
        """What is new of the text."""
        text = arguments.get(INPUT)
        if not isinstance(text, str) or not text.startswith(self.text):
            return ""
        new, self.text = text[len(self.text) :], text
        return new

    def finish(self, arguments: Mapping[str, Any]) -> str:
        """The rest of the text. Raises ValueError if the call has other arguments."""
        if list(arguments) != [INPUT] or not isinstance(arguments[INPUT], str):
            raise ValueError(f"a call of this tool has one argument, {INPUT}, which is a text")
        rest = self.feed(arguments)
        self.text = arguments[INPUT]
        return rest


class Command:
    """The arguments of a shell: nothing of them is shown before they are complete."""

    text = ""

    def feed(self, arguments: Mapping[str, Any]) -> str:
        """Nothing."""
        return ""

    def finish(self, arguments: Mapping[str, Any]) -> str:
        """Nothing. Raises ValueError if there is no command."""
        words = arguments.get("command")
        if not isinstance(words, list) or not words or not all(isinstance(word, str) for word in words):
            raise ValueError("a command is a list of words")
        return ""
