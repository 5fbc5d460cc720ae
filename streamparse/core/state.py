'''BaseState: the contract of a state, for its author.

A state reads one construct: prose, an opening tag, the body of a tool. The parser calls `run()` again and again; in
it a state does one of three things:

(a) consume: move `scanner.pos` forward and emit what became certain;
(b) transition: `self.context.transition_to("text")` when its construct has ended;
(c) neither: "I need more input". The parser comes back when there is some.

After a transition the new state runs at once, even when nothing is left to read: that is the moment for its START. A
state that has consumed something and knows that it needs more may return NEED_MORE: that spares it a run to say so.
GO_ON, or nothing, means that the parser is to find out.

A state with several steps reads in phases: methods without arguments that return GO_ON when there is more to do, and
NEED_MORE when there is not, or when another state has taken over. It defines no `run()`: that of BaseState calls the
method that `_phase` names, beginning with `_begin`.

`finalize()` is called once, after a last `run()`, when no more input comes. It must give back what the state held and
close what it opened (`emitter.emit_end("truncated")`). It may transition; what is then left unread is parsed on.

Rules that make a state chunk-proof, and keep the parser linear:

- Emit only what no further input can change; leave the rest unread. `compile_markers` tells the two apart.
- Never look at characters one by one: jump with `str.find` or a compiled pattern.
- Never raise for input: the model may write anything.
- Say which characters matter in `triggers`: a chunk with none of them, while nothing is unread, becomes content of the
  open segment without a call of `run()`. `None` means that every chunk matters. `look_closer` (the `search` of a
  pattern) may tell that a chunk with triggers does not matter either.
- Keep no text: emit it, or leave it in the scanner, or `scanner.hold()` it there while reading on.
- Before a transition, end your segment, release what you hold and lift a limit you have set on the scanner (a state
  that sets one defines `on_limit()`, which is called when the stream goes past it).

The parser and the context check all that can be checked cheaply, and raise `StateContractError` naming the state.

Most custom states do not start here but at `DelimitedState` (a body up to its closing tag) or `ToolState` (arguments):

    class SqlState(DelimitedState):
        """`<sql db="main">select 1</sql>`: a segment of type sql, metadata {"db": "main"}, content `select 1`."""

        segment_type = "sql"

    register_tool_state("sql", SqlState, bare=True)

`streamparse.testing.check_state(SqlState, samples)` proves a state: every split, every prefix, no leak.
'''

from __future__ import annotations

from collections.abc import Callable
from enum import Enum
from re import Match
from typing import TYPE_CHECKING, Any, ClassVar, Final, TypeAlias

from streamparse.core.markers import Marker
from streamparse.core.opening import Opening, Sought

if TYPE_CHECKING:
    from streamparse.core.context import ParserContext


#: So much may be shown and left unread: most arguments are shorter, and longer ones are mostly strings.
MOST_AHEAD = 64
#: The `match` of a pattern, and the index from which on it matches.
Held: TypeAlias = tuple[Callable[[str, int], Match[str] | None], int]


class Progress(Enum):
    """What a run, or a phase of one, has come to. Two values that cannot be mistaken for True and False."""

    #: There is nothing to do before the next chunk; or another state has taken over.
    NEED_MORE = "need more"
    #: There is more to do with what is there.
    GO_ON = "go on"

    def __bool__(self) -> bool:
        """Nobody remembers which of the two would be true."""
        raise TypeError("compare with `is NEED_MORE` or `is GO_ON`")


NEED_MORE: Final = Progress.NEED_MORE
GO_ON: Final = Progress.GO_ON


class BaseState:
    """One construct of a format. Subclasses override `run` and `finalize`."""

    #: The type of the segment this state opens, if it opens one.
    segment_type: ClassVar[str] = ""
    #: Whether it cannot be registered without one.
    needs_segment_type: ClassVar[bool] = True
    #: Attributes, in lower case, without which a tag of the tool's own name is text (`<write_file path="…">`).
    required: ClassVar[tuple[str, ...]] = ()
    #: The state that reads `<tool name="…">`, if it is not this one.
    as_tool: ClassVar[type[BaseState] | None] = None

    #: The characters that matter, or None for all; an instance may change it as it goes.
    triggers: str | None = None
    #: Whether a chunk that has a trigger matters after all, where that is known: the `search` of a pattern.
    look_closer: Callable[[str], object] | None = None
    #: The `search` of compiled markers, if all that is none of them is content: then what was held back and turns out
    #: to be content needs no `run()` either. It looks closer, too.
    search: Callable[[str], Match[str] | None] | None = None

    #: While all that is unread may become a marker: what tells whether it still may, by a match without `lastindex`.
    #: So long no chunk needs a `run()`. It is asked for after each run, and counts from the cursor.
    held: Held | None = None
    #: While all that is unread is shown: what finds in a chunk that it must be read. Any other chunk is shown, too, and
    #: left unread, up to MOST_AHEAD characters: so what is short is read at once. It is asked for after each run.
    ahead: Callable[[str], object] | None = None

    #: The name of the method that reads what comes next. A name, not the method: a subclass that overrides it is heard,
    #: and a bound method kept in its own object would be a cycle, a visit of the garbage collector per block.
    _phase: str = "_begin"

    def __init_subclass__(cls) -> None:
        """Catch the two mistakes that would fail silently."""
        super().__init_subclass__()
        required = cls.required
        if isinstance(required, str) or any(name != name.lower() for name in required):
            raise TypeError(f"{cls.__name__}.required must be a tuple of names in lower case, not {required!r}")

    def __init__(self, context: ParserContext) -> None:
        self.context = context
        self.opening: Opening = context.opening

    def metadata(self) -> dict[str, Any]:
        """What START shows: the tag's attributes, and the tool's name if the tag is `<tool name=…>`."""
        return self.opening.metadata

    def run(self) -> Progress | None:
        """Consume, transition, or do neither: see the module's text. As it stands, it reads phase after phase."""
        self.triggers = None
        while getattr(self, self._phase)() is GO_ON:
            pass
        return NEED_MORE

    def _begin(self) -> Progress:
        """The first phase."""
        raise NotImplementedError(f"{type(self).__name__} must define run(), or _begin() if it reads in phases")

    def finalize(self) -> None:
        """No more input: emit what is held, close what is open."""
        raise NotImplementedError(f"{type(self).__name__} must define finalize()")

    def on_limit(self) -> None:
        """The stream went past the limit this state has set on the scanner: decide now."""
        raise NotImplementedError(f"{type(self).__name__} sets a limit and must define on_limit()")


class ProseState(BaseState):
    """What blocks stand in, and where the stream goes on behind them: text, a plan in it, or reasoning."""

    #: Whether it stands beside the reply, as reasoning does: lines begin anew behind it.
    is_aside: ClassVar[bool] = False
    #: What ends this prose from within. It counts even in the middle of Markdown code.
    closers: tuple[Marker, ...] = ()
    #: What is looked for in it: `look_again` says.
    sought: Sought
    #: How long the run of backticks is that has begun a fenced block, as far as can be told; 0 outside of one.
    fence: int = 0

    def look_again(self) -> None:
        """The openers have changed."""
        raise NotImplementedError(f"{type(self).__name__} must define look_again()")

    @classmethod
    def begin_answer(cls, context: ParserContext) -> ProseState:
        """The prose that text goes on as when the reasoning is over."""
        raise NotImplementedError(f"{cls.__name__} must define begin_answer()")

    def note_fence(self, size: int) -> None:
        """A run of `size` backticks, three or more, stands in it: a fence, the first of two or the second."""
        if not self.fence:
            self.fence = size
        elif size >= self.fence:
            self.fence = 0

    def note_text(self) -> None:
        """Another state shows text in it that is more than blanks."""

    def pause(self, status: str | None = None) -> None:
        """Something that is no text comes next: give back what is held, and end the segment. The prose may go on."""
        raise NotImplementedError(f"{type(self).__name__} must define pause()")
