"""FormatOpeners: what a format looks for, made of its declaration.

    hermes declares                                         and looks for
    calls=(between_tags("tool_call"),)                      `<tool_call>`, behind which a call begins
    reasoning=thinking("hermes", "scratch_pad")             `<think`, and `</think>`, which ends it; others alike
    dropped=("<|im_end|>",)                                 `<|im_end|>`, which is swallowed
    prompt=prompt(…, result="<tool_response>…", …)          `<tool_response>`, in which no call begins

`grammar.py` puts those of several formats together.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from typing import TYPE_CHECKING

from attrs import evolve, frozen

from streamparse.core.markers import BLANKS, Marker, exact, leading_text
from streamparse.core.opening import Opener
from streamparse.families.calls.grammar import Calls, Gap, Place, spaced
from streamparse.families.calls.of_format import CallsOfFormat
from streamparse.formats.result_text import has_token
from streamparse.formats.tokens import begins_with_token
from streamparse.states.beginning import Swallow
from streamparse.states.echo import Echo, EchoState
from streamparse.states.shown_marker import ShownMarkerState

if TYPE_CHECKING:
    from streamparse.formats.format import Format


@frozen(eq=False, slots=False)
class FormatOpeners:
    """The openers of one format, by where they count; but for those that the format names itself (`Format.openers`)."""

    format: Format

    # -- where they count ---------------------------------------------------------------------------------------------

    def calls(self, *, is_auto: bool) -> list[Opener]:
        """What begins a call in text; and a result, in which there are none."""
        calls = [opener for calls, opener in self._of_calls["anywhere"] if calls.in_auto or not is_auto]
        return [*calls, *(() if is_auto else self._empty["anywhere"]), *self._echoes]

    @cached_property
    def at_line(self) -> tuple[Opener, ...]:
        """What begins a call only where a line begins: calls without markers. Not in `auto`."""
        return tuple(opener for _, opener in self._of_calls["line"])

    @cached_property
    def at_reply(self) -> tuple[Opener, ...]:
        """And only where the reply does."""
        return tuple(opener for _, opener in self._of_calls["reply"])

    def at_stream(self, *, has_calls: bool, is_auto: bool) -> list[Opener]:
        """What counts only where a stream begins: the prompt has written what comes before it, or it is swallowed."""
        calls = [opener for _, opener in self._of_calls["stream"]] if has_calls else []
        headers = () if is_auto and self._has_common_headers else self._headers[1]
        swallowed = (*self._empty["stream"], *self._swallowed) if has_calls and not is_auto else ()
        return [*calls, *headers, *swallowed]

    def others(self, *, has_calls: bool, is_auto: bool) -> list[Opener]:
        """What begins reasoning, and what is swallowed; headers, which may be of calls, too.

        Without calls, nothing is swallowed that belongs to a call.
        """
        heads, tokens = ((), self._tokens) if has_calls else (self._shown_heads, self._tokens_of_turns)
        reasoning = self.format.reasoning
        thoughts = reasoning.openers if reasoning.in_auto or not is_auto else ()
        headers = () if is_auto and self._has_common_headers else self._headers[0]
        return [*heads, *thoughts, *headers, *tokens, *(() if is_auto else self._wrappers)]

    @property
    def when_settled(self) -> tuple[Opener, ...]:
        """What is too common for `auto`, until the format is settled."""
        return (*self._wrappers, *(self._headers[0] if self._has_common_headers else ()))

    # -- what begins calls and messages -------------------------------------------------------------------------------

    @cached_property
    def _of_calls(self) -> Mapping[Place, list[tuple[Calls, Opener]]]:
        """By where they count, the ways to write calls, each with what begins it."""
        ways = self.format.calls
        heads = tuple(marker for calls in ways if calls.place == "anywhere" for marker in calls.markers)
        found: dict[Place, list[tuple[Calls, Opener]]] = {"anywhere": [], "line": [], "reply": [], "stream": []}
        for calls in ways:
            options = CallsOfFormat(calls, heads, self.format.token_markers)
            found[calls.place] += [(calls, self._opener(calls, marker, options)) for marker in calls.markers]
        return found

    def _opener(self, calls: Calls, marker: Marker, options: CallsOfFormat) -> Opener:
        in_reasoning = self.format.reasoning.calls
        if in_reasoning != "goes_on" and not self._is_unmistakable(calls, marker):
            in_reasoning = "if_asked"
        return Opener(
            marker, calls.state, self.format.name, options, in_reasoning=in_reasoning, is_token=self._has_token(marker)
        )

    def _is_unmistakable(self, calls: Calls, marker: Marker) -> bool:
        """Whether what begins with `marker` is a call even in the middle of a thought.

        It is one if a section of the format begins with it, or a special token. Where calls have no section, what they
        all begin with will do; but not a call whose section is missing, or that has no markers.
        """
        if calls.place != "anywhere" or not calls.in_auto:
            return False
        opens = [spaced(section.open) for calls in self.format.calls for section in calls.sections if section.open]
        is_section = any(marker[: len(open)] == open for open in opens)
        return not opens or is_section or begins_with_token(marker)

    @cached_property
    def _headers(self) -> tuple[tuple[Opener, ...], tuple[Opener, ...]]:
        """What begins a message anywhere, and where a stream begins."""
        if self.format.messages is None:
            return (), ()
        anywhere, first = self.format.messages.openers(self.format.name, self.format.token_markers)
        return tuple(evolve(opener, is_token=self._has_token(opener.marker)) for opener in anywhere), first

    @property
    def _has_common_headers(self) -> bool:
        return self.format.messages is not None and not self.format.messages.in_auto

    @cached_property
    def _echoes(self) -> tuple[Opener, ...]:
        name, prompt = self.format.name, self.format.prompt
        pairs = prompt.result_pairs if prompt else ()
        return tuple(Opener(opener, EchoState, name, Echo(closer), is_common=True) for opener, closer in pairs)

    def _has_token(self, marker: Marker) -> bool:
        """Whether a special token stands in the text that `marker` begins with: a model's tokenizer has it as such."""
        tokens = self.format.prompt.tokens if self.format.prompt else ()
        return has_token(leading_text(marker), (*self.format.dropped, *tokens))

    # -- what is swallowed, or shown as it is -------------------------------------------------------------------------

    @cached_property
    def _empty(self) -> Mapping[Place, list[Opener]]:
        """By where they count, sections without a call."""
        found: dict[Place, list[Opener]] = {"anywhere": [], "line": [], "reply": [], "stream": []}
        for calls in self.format.calls:
            found[calls.place] += [Opener(marker, None, self.format.name) for marker in calls.empty_sections]
        return found

    @cached_property
    def _tokens(self) -> tuple[Opener, ...]:
        ends = self.format.messages.ends if self.format.messages else ()
        return tuple(
            Opener(exact(token), None, self.format.name, is_common=True, is_token=True, ends_span=token in ends)
            for token in self.format.dropped
        )

    @cached_property
    def _tokens_of_turns(self) -> tuple[Opener, ...]:
        """Of the tokens, those that do not stand in calls alone."""
        format = self.format
        written = [marker for calls in format.calls for marker in (*calls.markers, *calls.closers)]
        turns = {*map(exact, format.turn_tokens), *(format.messages.closers if format.messages else ())}
        return tuple(
            opener
            for opener in self._tokens
            if opener.marker in turns or not any(_is_part(opener.marker, marker) for marker in written)
        )

    @cached_property
    def _shown_heads(self) -> tuple[Opener, ...]:
        """What begins calls and holds tokens of turns, which are text there."""
        return tuple(
            Opener(opener.marker, ShownMarkerState, self.format.name, in_reasoning="goes_on")
            for opener in (*(opener for _, opener in self._of_calls["anywhere"]), *self._empty["anywhere"])
            if any(_is_part(token.marker, opener.marker) for token in self._tokens_of_turns)
        )

    @cached_property
    def _wrappers(self) -> tuple[Opener, ...]:
        """What is swallowed around answers, and around what they cite."""
        name = self.format.name
        wrappers = (Opener(marker, None, name, in_reasoning="text") for marker in self.format.wrappers)
        return (*wrappers, *(Opener(marker, None, name, is_common=True) for marker in self.format.citations))

    @cached_property
    def _swallowed(self) -> tuple[Opener, ...]:
        """What is swallowed at the beginning of a reply: all of a marker, or the blank before one."""
        has_blank = self.format.has_leading_blank
        blank = [(" ", *opener.marker) for _, opener in self._of_calls["anywhere"]] if has_blank else []
        return (
            *(Opener(marker, None, self.format.name) for marker in self.format.leading),
            *(Opener(marker, None, self.format.name, Swallow(1)) for marker in blank),
        )


def _is_part(part: Marker, marker: Marker) -> bool:
    """Whether `marker` holds all of `part`, in a row but for what may stand between its parts."""
    marker, size = tuple(piece for piece in marker if piece is not BLANKS and not isinstance(piece, Gap)), len(part)
    return any(marker[start : start + size] == part for start in range(len(marker) - size + 1))
