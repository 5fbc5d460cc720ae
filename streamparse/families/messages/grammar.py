"""Messages: how a model writes messages with headers, as data.

    <|start|>assistant<|channel|>commentary to=functions.f<|message|>{"a": 1}<|call|>
    └ header, up to the token that ends it ──────────────────────────┘└ body ┘└ end

The whole header is one marker: it is held until its last token, and if it stops fitting it is text. Then the format
says what it means (`read`): a body of reasoning, of prose, or of a call, whose arguments are JSON or a plain text.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from typing import TYPE_CHECKING

from attrs import frozen

from streamparse.core.markers import Marker, Markers, compile_markers, exact
from streamparse.core.opening import Opener
from streamparse.families.calls.grammar import Calls

if TYPE_CHECKING:
    from streamparse.core.state import BaseState

#: What a body is.
PROSE, REASONING, JSON_CALL, TEXT_CALL = "prose", "reasoning", "json call", "text call"


@frozen
class Message:
    """What a header says."""

    body: str
    #: Of the tool, if it is a call.
    name: str = ""
    #: Whether the header says that there is no body.
    is_empty: bool = False


@frozen(eq=False)
class Messages:
    """How a model writes messages. See the module's text for the parts."""

    #: The state that reads headers and calls, and the one that reads reasoning.
    state: type[BaseState]
    reasoning: type[BaseState]
    headers: tuple[Marker, ...]
    #: What a header says.
    read: Callable[[str], Message]
    #: The tokens that end a body.
    ends: tuple[str, ...]
    #: The first header of a stream, where the prompt has written the beginning of it.
    first_headers: tuple[Marker, ...] = ()

    def openers(self, format: str) -> list[Opener]:
        """What begins a message in text, and in reasoning that was not ended."""
        return [self._opener(marker, format) for marker in self.headers]

    def first_openers(self, format: str) -> list[Opener]:
        """What begins the first message of a stream."""
        return [self._opener(marker, format) for marker in self.first_headers]

    def _opener(self, marker: Marker, format: str) -> Opener:
        return Opener(marker, self.state, format, self._calls, in_reasoning=False, ends_reasoning=True)

    @cached_property
    def _calls(self) -> Calls:
        return Calls(self.state, tail=self.ends, options=self)

    @cached_property
    def closers(self) -> tuple[Marker, ...]:
        """The tokens that end a body, as markers."""
        return tuple(map(exact, self.ends))

    @cached_property
    def _compiled(self) -> Markers:
        return compile_markers({"": (*self.headers, *self.first_headers)})

    def find_end(self, buf: str, pos: int) -> int:
        """Where the body begins whose header was found at `pos`."""
        match = self._compiled.pattern.match(buf, pos)
        assert match is not None  # it was found there
        return match.end()
