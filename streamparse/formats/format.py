"""Format: a model's way of writing calls and reasoning, as data."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cached_property, partial
from typing import Any

from attrs import evolve, field, frozen

from streamparse import deferred
from streamparse.arguments import ArgumentDecoder
from streamparse.arguments.example import tools_for
from streamparse.config import ParserConfig, Tools, ToolSpec
from streamparse.core.grammar import ToolStates
from streamparse.core.markers import Atom, Marker, Markers, compile_markers, exact
from streamparse.core.opening import InReasoning, Opener
from streamparse.core.registry import ToolStateRegistry
from streamparse.errors import RenderError
from streamparse.families.calls.grammar import Calls
from streamparse.families.messages.grammar import Messages
from streamparse.formats.openers import FormatOpeners
from streamparse.formats.prompt import Prompt, Turn
from streamparse.formats.read_back import check_read_back
from streamparse.formats.tokens import SHAPE

#: Tokens that templates put around turns: `<|im_end|>`, `<｜User｜>`, `[|assistant|]`, `[/INST]`.
_TURN = Atom(rf"(?:{SHAPE}|\[\|\w{{1,64}}+\|\]|\[/[A-Z_]{{1,64}}+\])")


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
    #: Where the prompt has begun it already: the marker it has written, and those that end it.
    implied_opener: Marker = ()
    implied_closers: tuple[Marker, ...] = ()
    #: Whether that is so unless the model is known, or the configuration says otherwise.
    starts_open: bool = False
    #: What calls are inside of it, if their markers are unmistakable: they end it where models of this format forget
    #: the closer; else only if the prompt has opened it, since then it may be that nobody has thought at all.
    calls: InReasoning = "ends_implied"
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
    #: Whether it may if tools are declared: then their names are as good as markers.
    in_auto_with_tools: bool = False

    @classmethod
    def from_response_template(cls, template: Mapping[str, Any], name: str = "response_template") -> Format:
        """The format that a response template describes, as tokenizers on Hugging Face have it: a dict.

        `Format.from_response_template(tokenizer.response_template, "my_model")` can be given to a handler, or be
        registered. Raises ValueError for a template that cannot be read in a stream, and says what is in its way. What
        becomes of its fields is told in `response_template/`.
        """
        made: Format = deferred.load("streamparse.formats.response_template", "format_from")(template, name)
        return made

    @cached_property
    def tools_by_name(self) -> Tools:
        """Its own tools, by name in lower case."""
        return Tools.of(self.tools)

    @cached_property
    def all_openers(self) -> FormatOpeners:
        """What begins a construct of this format, or is swallowed, by where it counts."""
        return FormatOpeners(self)

    @cached_property
    def token_markers(self) -> tuple[Marker, ...]:
        """The special tokens that are swallowed, as markers."""
        return tuple(map(exact, self.dropped))

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
        ends = [*closers, *reasoning.implied_closers, *self.token_markers, (_TURN,)]
        return compile_markers({"begins": filter(None, (*begins, reasoning.implied_opener)), "ends": ends})

    # -- the prompt side ----------------------------------------------------------------------------------------------

    def instructions(self, tools: Iterable[ToolSpec | Mapping[str, Any]]) -> str:
        """A text for the system prompt that teaches a model this format and these tools.

        What a tool says of itself cannot begin a turn, either: a server of tools may be anybody's. See `defused`.
        """
        declared = [self._defused_tool(ToolSpec.from_any(tool)) for tool in tools]
        return self._prompt.render_instructions(declared, partial(self.render_call, tools=declared))

    def render_call(
        self,
        name: str,
        arguments: Mapping[str, Any],
        call_id: str | None = None,
        *,
        tools: Tools | Iterable[ToolSpec | Mapping[str, Any]] = (),
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

    def defused(self, value: Any) -> Any:
        """The same text, or JSON, in which no special token and no closer of a result is whole (see `result_text.py`).

        It is for what others wrote and what is to stand in a prompt, but not as a result.
        """
        if isinstance(value, str):
            return self._prompt.render_bare(value, self.dropped)
        if isinstance(value, Mapping):
            return {self.defused(name): self.defused(inner) for name, inner in value.items()}
        return [self.defused(inner) for inner in value] if isinstance(value, list | tuple) else value

    def _defused_tool(self, tool: ToolSpec) -> ToolSpec:
        if self.defused(tool.name) != tool.name:
            raise RenderError(f"the name {tool.name!r} cannot be written: it holds a special token")
        said = self.defused([tool.description, tool.parameters])
        return (
            tool
            if said == [tool.description, tool.parameters]
            else evolve(tool, description=said[0], parameters=said[1])
        )

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
