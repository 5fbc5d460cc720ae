"""Format: a model's way of writing calls and reasoning, as data."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from attrs import field, frozen

from streamparse.arguments import ArgumentDecoder
from streamparse.config import ParserConfig, ToolSpec
from streamparse.core.call_grammar import Calls
from streamparse.core.context import ToolStates
from streamparse.core.markers import Marker, exact
from streamparse.core.opening import Opener
from streamparse.core.registry import ToolStateRegistry
from streamparse.errors import RenderError
from streamparse.formats.prompt import Prompt


@frozen
class Setup:
    """What a format may look at when it says what to look for."""

    config: ParserConfig
    registry: ToolStateRegistry
    tools: Mapping[str, ToolSpec]


@frozen
class Reasoning:
    """How a format marks reasoning."""

    #: What begins it in text, and closers that stand alone, which are swallowed.
    openers: Sequence[Opener] = ()
    #: Where the prompt has begun it already: the marker it has written, and the one that ends it.
    implied_opener: Marker = ()
    implied_closer: Marker = ()
    #: Whether that is so for the models of this format.
    starts_open: bool = False
    #: Whether a call inside of it ends it: models of this format forget the closer.
    is_ended_by_calls: bool = False


def _no_openers(_: Setup) -> Sequence[Opener]:
    return ()


@frozen(eq=False)
class Format:
    """Calls, reasoning, tokens that are never shown, and the prompt side.

    A format of a known family says how calls are written (`calls`); one with states of its own names their `openers`.
    """

    name: str
    #: The openers of calls, where `calls` does not say all.
    openers: Callable[[Setup], Sequence[Opener]] = _no_openers
    #: How calls are written; the first of several that fits.
    calls: tuple[Calls, ...] = ()
    #: What begins a call only where a line begins, and only where the reply does: calls without markers. Not in `auto`.
    line_openers: tuple[Opener, ...] = ()
    reply_openers: tuple[Opener, ...] = ()
    #: States for tools by name; `""` is for all others.
    tool_states: ToolStates = field(factory=dict)
    reasoning: Reasoning = field(factory=Reasoning)
    #: How the arguments of a call are written.
    arguments: ArgumentDecoder | None = None
    #: Special tokens and wrappers that are swallowed wherever they stand in prose.
    dropped: tuple[str, ...] = ()
    #: How calls are taught and written in a conversation.
    prompt: Prompt | None = None
    aliases: tuple[str, ...] = ()
    #: Names of models that write it, as patterns: `*` stands for anything.
    models: tuple[str, ...] = ()
    #: Whether `auto` may take text for this format: not without markers of its own.
    in_auto: bool = True

    def call_openers(self, setup: Setup) -> list[Opener]:
        """What begins a call in text."""
        ends = self.reasoning.is_ended_by_calls
        return [
            *self.openers(setup),
            *(
                Opener(marker, calls.state, self.name, calls, ends_reasoning=ends)
                for calls in self.calls
                for marker in calls.markers
            ),
        ]

    def other_openers(self) -> list[Opener]:
        """What begins reasoning, and what is swallowed."""
        tokens = [Opener(exact(token), None, self.name, is_common=True) for token in self.dropped]
        return [*self.reasoning.openers, *tokens]

    # -- the prompt side ----------------------------------------------------------------------------------------------

    def instructions(self, tools: Iterable[ToolSpec | Mapping[str, Any]]) -> str:
        """A text for the system prompt that teaches a model this format and these tools."""
        return self._prompt.render_instructions([ToolSpec.from_any(tool) for tool in tools])

    def render_call(self, name: str, arguments: Mapping[str, Any], call_id: str | None = None) -> str:
        """A call as a model writes it. Raises RenderError for one that the format cannot express."""
        return self._prompt.render_call(name, arguments, call_id)

    def render_result(self, name: str, result: Any, call_id: str | None = None) -> str:
        """A tool's result as a model of this format expects to read it."""
        return self._prompt.render_result(name, result, call_id)

    @property
    def _prompt(self) -> Prompt:
        if self.prompt is None:
            raise RenderError(f"the format {self.name!r} does not say how calls are written in a prompt")
        return self.prompt
