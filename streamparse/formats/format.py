"""Format: a model's way of writing calls and reasoning, as data."""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cached_property, partial
from typing import Any

from attrs import evolve, field, frozen

from streamparse.arguments import ArgumentDecoder
from streamparse.arguments.example import tools_for
from streamparse.config import ParserConfig, Tools, ToolSpec
from streamparse.core.grammar import ToolStates
from streamparse.core.markers import BLANKS, Atom, Marker, Markers, compile_markers, exact, leading_text
from streamparse.core.opening import Opener
from streamparse.core.registry import ToolStateRegistry
from streamparse.errors import RenderError
from streamparse.families.calls.grammar import Calls, Place, spaced
from streamparse.families.calls.of_format import CallsOfFormat
from streamparse.families.messages.grammar import Messages
from streamparse.formats.prompt import Prompt, Turn
from streamparse.formats.read_back import check_read_back
from streamparse.formats.result_text import has_token
from streamparse.states.beginning import Swallow
from streamparse.states.echo import Echo, EchoState
from streamparse.states.shown_marker import ShownMarkerState

#: Tokens that templates put around turns: `<|im_end|>`, `<｜User｜>`, `[|assistant|]`, `[/INST]`.
_TURN = Atom(r"(?:<[|｜][^<>|｜\s]{1,64}+[|｜]>|\[\|\w{1,64}+\|\]|\[/[A-Z_]{1,64}+\])")
#: A special token at the beginning of a marker.
_TOKEN = re.compile(r"<[|｜][^<>|｜]*[|｜]>")


@frozen
class Setup:
    """What a format may look at when it says what to look for."""

    config: ParserConfig
    registry: ToolStateRegistry
    tools: Tools
    #: Whether the format is to be found out: then only what is certain counts.
    is_auto: bool = False


@frozen
class Reasoning:
    """How a format marks reasoning."""

    #: What begins it in text, and closers that stand alone, which are swallowed.
    openers: Sequence[Opener] = ()
    #: Where the prompt has begun it already: the marker it has written, and the one that ends it.
    implied_opener: Marker = ()
    implied_closer: Marker = ()
    #: Others that end it as well.
    other_closers: tuple[Marker, ...] = ()
    #: Whether that is so unless the model is known, or the configuration says otherwise.
    starts_open: bool = False
    #: Whether a call inside of it ends it, if its markers are unmistakable. True: models of this format forget the
    #: closer. None: only if the prompt has opened it, since then it may be that nobody has thought at all.
    is_ended_by_calls: bool | None = None
    #: Whether calls stand inside of it, and it goes on behind them.
    has_calls: bool = False
    #: Whether its markers are certain to be such, whatever model wrote them. Sentences are not.
    in_auto: bool = True


@frozen(eq=False, slots=False)
class Format:
    """Calls, reasoning, tokens that are never shown, and the prompt side.

    A format of a known family says how calls are written (`calls`); one with states of its own names their `openers`.

    The prompt side: `instructions(tools)` is for the system prompt, `render_call` writes what the model has written,
    `render_result` what the tool has answered. A result is either the content of a message (`result_is_template` is
    False), which goes to a chat server with the role `result_role`; or it is text of the models' chat template with the
    special tokens of its turn, for who builds the whole prompt and asks for a raw completion. It is the same for all
    results of a format.
    """

    name: str
    #: The openers of calls, where `calls` does not say all. They are asked for once per stream; what is made of equal
    #: ones is kept, so it pays to give the same objects again.
    openers: Callable[[Setup], Sequence[Opener]] | None = None
    #: How calls are written; the first of several that fits.
    calls: tuple[Calls, ...] = ()
    #: How messages with headers are written, which say what their bodies are.
    messages: Messages | None = None
    #: States for tools by name; `""` is for all others.
    tool_states: ToolStates = field(factory=dict)
    reasoning: Reasoning = field(factory=Reasoning)
    #: How the arguments of a call are written.
    arguments: ArgumentDecoder | None = None
    #: Tools of the format's own, which its prompt has declared: they count where the user declares none.
    tools: tuple[ToolSpec, ...] = ()
    #: Special tokens that are swallowed wherever they stand in prose.
    dropped: tuple[str, ...] = ()
    #: Of these, what stands in calls, but not only there. Where calls are text, all else that does is text, too.
    turn_tokens: tuple[str, ...] = ()
    #: What stands around an answer and is swallowed in text: `<response>`.
    wrappers: tuple[Marker, ...] = ()
    #: Tags around what an answer, or reasoning, cites: swallowed wherever they stand, code included.
    citations: tuple[Marker, ...] = ()
    #: What is swallowed if the reply begins with it.
    leading: tuple[Marker, ...] = ()
    #: Whether the model writes a blank before a call that is the first thing in its reply.
    has_leading_blank: bool = False
    #: How calls are taught and written in a conversation.
    prompt: Prompt | None = None
    #: Why there is no prompt side, if there is none.
    unwritten: str = "does not say how calls are written in a prompt"
    aliases: tuple[str, ...] = ()
    #: Names of models that write it, as patterns: `*` stands for anything. `models.py` has those of the formats that
    #: come with the library.
    models: tuple[str, ...] = ()
    #: The same, of models whose prompt has opened the reasoning.
    open_models: tuple[str, ...] = ()
    #: Whether `auto` may take text for this format: not without markers of its own.
    in_auto: bool = True

    @cached_property
    def tools_by_name(self) -> Tools:
        """Its own tools, by name in lower case."""
        return Tools.of(self.tools)

    def call_openers(self, *, is_auto: bool) -> list[Opener]:
        """What begins a call in text, besides `openers`; and a result, in which there are none."""
        calls = [opener for calls, opener in self._marked["anywhere"] if calls.in_auto or not is_auto]
        return [*calls, *(() if is_auto else self._empty), *self._echoes]

    @cached_property
    def line_openers(self) -> tuple[Opener, ...]:
        """What begins a call only where a line begins: calls without markers. Not in `auto`."""
        return tuple(opener for _, opener in self._marked["line"])

    @cached_property
    def reply_openers(self) -> tuple[Opener, ...]:
        """And only where the reply does."""
        return tuple(opener for _, opener in self._marked["reply"])

    @cached_property
    def _marked(self) -> Mapping[Place, list[tuple[Calls, Opener]]]:
        """By where they count, the ways to write calls, each with what begins it."""
        heads = tuple(marker for calls in self.calls if calls.place == "anywhere" for marker in calls.markers)
        marked: dict[Place, list[tuple[Calls, Opener]]] = {"anywhere": [], "line": [], "reply": [], "stream": []}
        for calls in self.calls:
            options = CallsOfFormat(calls, heads, self._token_markers)
            marked[calls.place] += [(calls, self._opener(calls, marker, options)) for marker in calls.markers]
        return marked

    def _opener(self, calls: Calls, marker: Marker, options: CallsOfFormat) -> Opener:
        reasoning, is_sure = self.reasoning, self._is_unmistakable(calls, marker)
        return Opener(
            marker,
            calls.state,
            self.name,
            options,
            ends_reasoning=is_sure and reasoning.is_ended_by_calls is True,
            ends_implied=is_sure and reasoning.is_ended_by_calls is not False and not reasoning.has_calls,
            interrupts_reasoning=reasoning.has_calls,
            is_token=self._has_token(marker),
        )

    def _is_unmistakable(self, calls: Calls, marker: Marker) -> bool:
        """Whether what begins with `marker` is a call even in the middle of a thought.

        It is one if a section of the format begins with it, or a special token. Where calls have no section, what they
        all begin with will do; but not a call whose section is missing, or that has no markers.
        """
        if calls.place != "anywhere" or not calls.in_auto:
            return False
        opens = [spaced(section.open) for calls in self.calls for section in calls.sections if section.open]
        is_section = any(marker[: len(open)] == open for open in opens)
        return not opens or is_section or _TOKEN.match(leading_text(marker)) is not None

    @cached_property
    def _headers(self) -> tuple[tuple[Opener, ...], tuple[Opener, ...]]:
        if self.messages is None:
            return (), ()
        anywhere, first = self.messages.openers(self.name, self._token_markers)
        return tuple(evolve(opener, is_token=self._has_token(opener.marker)) for opener in anywhere), first

    @cached_property
    def _empty(self) -> tuple[Opener, ...]:
        return self._empty_at("anywhere", "line", "reply")

    @cached_property
    def _empty_at_first(self) -> tuple[Opener, ...]:
        return self._empty_at("stream")

    def _empty_at(self, *places: Place) -> tuple[Opener, ...]:
        known = (calls for calls in self.calls if calls.place in places)
        return tuple(Opener(marker, None, self.name) for calls in known for marker in calls.empty_sections)

    @cached_property
    def _echoes(self) -> tuple[Opener, ...]:
        pairs = self.prompt.result_pairs if self.prompt else ()
        return tuple(Opener(opener, EchoState, self.name, Echo(closer), is_common=True) for opener, closer in pairs)

    def other_openers(self, *, is_auto: bool, has_calls: bool) -> list[Opener]:
        """What begins reasoning, and what is swallowed; headers, which may be of calls, too.

        Without calls, nothing is swallowed that belongs to a call.
        """
        heads, tokens = ((), self._tokens) if has_calls else (self._shown_heads, self._tokens_of_turns)
        reasoning = self.reasoning.openers if self.reasoning.in_auto or not is_auto else ()
        headers = () if is_auto and self._has_common_headers else self._headers[0]
        return [*heads, *reasoning, *headers, *tokens, *(() if is_auto else self.wrapper_openers)]

    def first_openers(self, *, has_calls: bool, is_auto: bool) -> list[Opener]:
        """What counts only where a stream begins: the prompt has written what comes before it, or it is swallowed."""
        calls = [*(opener for _, opener in self._marked["stream"]), *self._empty_at_first] if has_calls else []
        headers = () if is_auto and self._has_common_headers else self._headers[1]
        return [*calls, *headers, *(self._swallowed if has_calls and not is_auto else ())]

    @cached_property
    def _tokens(self) -> tuple[Opener, ...]:
        ends = self.messages.ends if self.messages else ()
        return tuple(
            Opener(exact(token), None, self.name, is_common=True, is_token=True, ends_span=token in ends)
            for token in self.dropped
        )

    @cached_property
    def _tokens_of_turns(self) -> tuple[Opener, ...]:
        """Of the tokens, those that do not stand in calls alone."""
        written = [marker for calls in self.calls for marker in (*calls.markers, *calls.closers)]
        turns = {*map(exact, self.turn_tokens), *(self.messages.closers if self.messages else ())}
        return tuple(
            opener
            for opener in self._tokens
            if opener.marker in turns or not any(_is_part(opener.marker, marker) for marker in written)
        )

    @cached_property
    def _shown_heads(self) -> tuple[Opener, ...]:
        """What begins calls and holds tokens of turns, which are text there."""
        return tuple(
            Opener(opener.marker, ShownMarkerState, self.name, interrupts_reasoning=True)
            for opener in (*(opener for _, opener in self._marked["anywhere"]), *self._empty)
            if any(_is_part(token.marker, opener.marker) for token in self._tokens_of_turns)
        )

    @cached_property
    def wrapper_openers(self) -> tuple[Opener, ...]:
        """What is swallowed around answers, and around what they cite."""
        wrappers = (Opener(marker, None, self.name, in_reasoning=False) for marker in self.wrappers)
        return (*wrappers, *(Opener(marker, None, self.name, is_common=True) for marker in self.citations))

    @property
    def settled_openers(self) -> tuple[Opener, ...]:
        """What is too common for `auto`, until the format is settled."""
        return (*self.wrapper_openers, *(self._headers[0] if self._has_common_headers else ()))

    @property
    def _has_common_headers(self) -> bool:
        return self.messages is not None and not self.messages.in_auto

    @cached_property
    def _swallowed(self) -> tuple[Opener, ...]:
        """What is swallowed at the beginning of a reply: all of a marker, or the blank before one."""
        blank = [(" ", *opener.marker) for _, opener in self._marked["anywhere"]] if self.has_leading_blank else []
        return (
            *(Opener(marker, None, self.name) for marker in self.leading),
            *(Opener(marker, None, self.name, Swallow(1)) for marker in blank),
        )

    @property
    def _token_markers(self) -> tuple[Marker, ...]:
        return tuple(opener.marker for opener in self._tokens)

    def _has_token(self, marker: Marker) -> bool:
        """Whether a special token stands in the text that `marker` begins with: a model's tokenizer has it as such."""
        tokens = self.prompt.tokens if self.prompt else ()
        return has_token(leading_text(marker), (*self.dropped, *tokens))

    def reasoning_is_open(self, prompt: str) -> bool:
        """Whether `prompt`, the text of a chat template, ends within reasoning: the reply then begins there.

        A prompt that ends with `<think>` is open. One that ends with `<think>` and `</think>` is not, nor is one with a
        `<think>` in an earlier turn. `ParserConfig(reasoning=…)` takes the answer, as "open" or "closed".
        """
        last = deque(self._edges.final.finditer(prompt), maxlen=1)
        return any(self._edges.kinds[match.lastindex or 0] == "begins" for match in last)

    @cached_property
    def _edges(self) -> Markers:
        """What begins reasoning in a prompt, and what ends it: closers, and the tokens of turns."""
        reasoning = self.reasoning
        begins = [opener.marker for opener in reasoning.openers if opener.state and not opener.is_closer]
        closers = [opener.marker for opener in reasoning.openers if opener.is_closer]
        ends = [*closers, reasoning.implied_closer, *reasoning.other_closers, *self._token_markers, (_TURN,)]
        return compile_markers(
            {"begins": filter(None, (*begins, reasoning.implied_opener)), "ends": filter(None, ends)}
        )

    # -- the prompt side ----------------------------------------------------------------------------------------------

    def instructions(self, tools: Iterable[ToolSpec | Mapping[str, Any]]) -> str:
        """A text for the system prompt that teaches a model this format and these tools."""
        declared = [ToolSpec.from_any(tool) for tool in tools]
        return self._prompt.render_instructions(declared, partial(self.render_call, tools=declared))

    def render_call(
        self,
        name: str,
        arguments: Mapping[str, Any],
        call_id: str | None = None,
        *,
        tools: Iterable[ToolSpec | Mapping[str, Any]] = (),
    ) -> str:
        """A call as a model writes it. Raises RenderError for one that the format cannot express.

        That is one which would not be read as this very call by a handler with these `tools`: see `read_back.py`. They
        also say which calls write a file, patch one or run a command, which some formats write in forms of their own. A
        tool that is not among them is taken for one whose schema allows these arguments.
        """
        prompt = self._prompt
        prompt.check_call(name, arguments)
        declared = tools_for(name, arguments, Tools.of(tools), self.tools_by_name)
        text = prompt.render_call(name, arguments, call_id, declared[name.lower()])
        check_read_back(self, text, name, arguments, declared)
        return text

    def render_result(self, name: str, result: Any, call_id: str | None = None) -> str:
        """A tool's result as a model of this format expects to read it.

        What a tool has put out cannot end the result, nor begin a turn: special tokens and closers in it are broken by
        a zero-width space (see `result_text.py`). `result_role` and `result_is_template` say what the text is.
        """
        return self._prompt.render_result(name, result, call_id, self.dropped)

    def render_message(self, name: str, result: Any, call_id: str | None = None) -> str:
        """A tool's result as the content of a message with `result_role`, for a chat server.

        It is what `render_result` gives, unless that is a turn of the template, special tokens and all: then it is the
        result alone, since the server puts these around it.
        """
        if not self.result_is_template:
            return self.render_result(name, result, call_id)
        return self._prompt.render_bare(result, self.dropped)

    @property
    def result_role(self) -> str:
        """The role of the message that a result is, as the models' chat template calls it: user, tool, ipython …"""
        result = self._prompt.result
        return result.role if isinstance(result, Turn) else "user"

    @property
    def result_is_template(self) -> bool:
        """Whether a result is text of the chat template, special tokens and all: for a raw completion.

        Else it is the content of a message with `result_role`, which a server's chat template puts its tokens around.
        """
        return isinstance(self._prompt.result, Turn)

    @property
    def _prompt(self) -> Prompt:
        if self.prompt is None:
            raise RenderError(f"the format {self.name!r} {self.unwritten}")
        return self.prompt


def _is_part(part: Marker, marker: Marker) -> bool:
    """Whether `marker` holds all of `part`, in a row but for blanks."""
    marker, size = tuple(piece for piece in marker if piece is not BLANKS), len(part)
    return any(marker[start : start + size] == part for start in range(len(marker) - size + 1))
