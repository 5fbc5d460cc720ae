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

from streamparse.core.markers import BLANKS, Marker, Markers, compile_markers, exact
from streamparse.core.opening import Opener, Options
from streamparse.families.calls.grammar import Calls
from streamparse.families.calls.of_format import CallsOfFormat

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


@frozen(eq=False, slots=False)
class Messages(Options):
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
    #: The state that reads answers, if these are ended before the next header; else they are text like any other.
    answer: type[BaseState] | None = None
    #: What the models write behind the token that ends a call, and do not mean: it is swallowed.
    filler: Marker = ()
    #: Whether `auto` looks for headers before a call has told the format: not if they are those of another one.
    in_auto: bool = True

    def openers(self, format: str, tokens: tuple[Marker, ...]) -> tuple[tuple[Opener, ...], tuple[Opener, ...]]:
        """What begins a message in text, and in reasoning that was not ended; and what begins that of a stream.

        `tokens` are the special tokens of the format, none of which stands in a call.
        """
        ends = CallsOfFormat(Calls(self.state, tail=self.ends, options=self), self.headers, tokens)
        anywhere, first = (
            tuple(Opener(m, self.state, format, ends, in_reasoning="always_ends") for m in markers)
            for markers in (self.headers, self.first_headers)
        )
        return anywhere, first

    @cached_property
    def closers(self) -> tuple[Marker, ...]:
        """The tokens that end a body, as markers."""
        return tuple(map(exact, self.ends))

    @cached_property
    def no_arguments(self) -> Markers:
        """What stands in a call that has none: its end, or `null` before that."""
        return compile_markers({"": (*self.closers, *((*exact("null"), BLANKS, *closer) for closer in self.closers))})
