'''BaseState: the contract of a state, for its author.

A state reads one construct: prose, an opening tag, the body of a tool. The parser calls `run()` again and again; in it a
state does one of three things:

(a) consume: move `scanner.pos` forward and emit what became certain;
(b) transition: `self.context.transition_to("text")` when its construct has ended;
(c) neither: "I need more input". The parser comes back when there is some.

After a transition the new state runs at once, even when nothing is left to read: that is the moment for its START. A state
that has consumed something and knows that it needs more may return NEED_MORE, which spares it another run to say so.

`finalize()` is called once, when no more input comes. It must close what the state opened (`emit_end("truncated")`), and
give back what it held. It may transition too; what is then left in the buffer is parsed on.

Rules that make a state chunk-proof, and keep the parser linear:

- Emit only what no further input can change; leave the rest unread. `compile_markers` tells the two apart.
- Never look at characters one by one: jump with `str.find` or a compiled pattern.
- Never raise for input. The model may write anything.
- Say which characters matter in `triggers`: a chunk with none of them, while nothing is held back, becomes content of
  the open segment without a call of `run()`. `None` means that every chunk matters.
- Keep no text: emit it. What must wait stays in the scanner.

The parser checks progress: a state that is run again and again without consuming anything raises `StateContractError`.

Most custom states do not start here but at `DelimitedState` (content up to a closing tag) or `ToolState` (arguments):

    class SqlState(DelimitedState):
        """`<sql db="main">select 1</sql>`: a segment of type sql, metadata {"db": "main"}, content `select 1`."""

        segment_type = "sql"

    register_tool_state("sql", SqlState, bare=True)

`streamparse.testing.check_state(SqlState, samples)` proves a state: every split, every prefix, no leak.
'''

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from attrs import define, field

from streamparse.core.markers import Marker

if TYPE_CHECKING:
    from streamparse.core.context import ParserContext


#: What `run` may return: there is nothing to do before the next chunk.
NEED_MORE = True


@define
class Opening:
    """What opened a block: a tag that was read, and what its author wrote in it."""

    tag: str  # the tag's name in lower case; its closer ends the block
    tool_name: str | None = None  # as written; None for a tag of the tool's own name
    attributes: dict[str, str] = field(factory=dict)  # decoded, without the tool's name
    is_empty: bool = False  # `<tag/>`: there is no body and no closer
    format: str = ""

    @property
    def metadata(self) -> dict[str, str]:
        """What START shows."""
        if self.tool_name is None:
            return dict(self.attributes)
        return {**self.attributes, "tool_name": self.tool_name}


class BaseState:
    """One construct of a format. Subclasses override `run` and `finalize`."""

    #: The type of the segment this state opens, if it opens one.
    segment_type: ClassVar[str] = ""

    #: Attributes without which the tag of this name is text (`<write_file path="…">`).
    required: ClassVar[tuple[str, ...]] = ()

    #: The characters that matter, or None for all; an instance may change it as it goes.
    triggers: str | None = None

    def __init__(self, context: ParserContext) -> None:
        self.context = context
        self.opening: Opening = context.opening

    def run(self) -> bool | None:
        """Consume, transition, or do neither: see the module's text."""
        raise NotImplementedError(f"{type(self).__name__} must define run()")

    def finalize(self) -> None:
        """No more input: emit what is held, close what is open."""
        raise NotImplementedError(f"{type(self).__name__} must define finalize()")

    def on_limit(self) -> None:
        """The limit this state set on the scanner is passed: decide now. Only called for states that set one."""
        raise NotImplementedError(f"{type(self).__name__} sets a limit and must define on_limit()")


class ProseState(BaseState):
    """What blocks stand in, and where the stream goes on behind them: text, or reasoning."""

    #: What ends this prose from within. It counts even in the middle of Markdown code.
    closers: tuple[Marker, ...] = ()
