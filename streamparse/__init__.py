"""streamparse: what a language model streams, as typed segment events that are safe to show at once.

To read the code, follow a chunk (docs/architecture.md draws the way):

1. `handler.py`    StreamingResponseHandler takes it, and tells subscribers what came of it. What is no text is read by
                   `providers/`, and its calls and reasoning become segments in `native/`.
2. `parser.py`     StreamingParser appends it to the scanner and runs states while they make progress.
3. `core/`         the scanner that holds it, the markers looked for in it, the contract of a state, the emitter.
4. `states/`       one construct, one file: text, the opening tag, each kind of body.
5. `families/`     how calls are written, one folder for each way: its grammar, reader, states, decoder and writer.
6. `formats/`      which openers lead to which states: a declaration for each format.
7. `events.py`     what comes out.
8. `invocations/`  the events of a call become one ToolInvocation, decoded by its family.
9. `reply.py`      all of that for one reply, which is kept; `messages/` writes the next request from it.

`iterate.py` is all of that in one call; `blocks/` shows a reply as a list of blocks that grow, `plans/` finds out in
which order several tools are to run; `cli/` is the command line; `testing/` proves states of your own. `diff/` stands
by itself: it applies the edits that a model writes, while they come.
"""

from streamparse._version import __version__
from streamparse.chunk import Chunk
from streamparse.config import Limits, ParserConfig, ToolSpec
from streamparse.core.context import ParserContext
from streamparse.core.emitter import EventEmitter
from streamparse.core.markers import compile_markers
from streamparse.core.opening import Opener, Opening
from streamparse.core.registry import ToolStateRegistry, register_block, register_tool_state
from streamparse.core.scanner import StreamScanner
from streamparse.core.state import GO_ON, NEED_MORE, BaseState
from streamparse.errors import (
    DiffError,
    LimitError,
    MissingExtraError,
    ParserStateError,
    PlanError,
    ProviderStreamError,
    RegistryError,
    RenderError,
    StateContractError,
    StreamparseError,
)
from streamparse.events import (
    AnyEvent,
    SegmentContent,
    SegmentEnd,
    SegmentEvent,
    SegmentEventType,
    SegmentStart,
    SegmentType,
)
from streamparse.formats import ModelFormat, for_model, format_for_model
from streamparse.formats.choice import format_for_provider
from streamparse.handler import StreamingResponseHandler
from streamparse.invocations import (
    EventReader,
    ToolInvocation,
    ToolInvocationAdapter,
    ToolSyntaxRegistry,
    check,
    register_tool_syntax,
)
from streamparse.iterate import aparse, parse
from streamparse.messages import ToolResult
from streamparse.outcome import Outcome, StreamEnd, Usage
from streamparse.parser import StreamingParser
from streamparse.reply import Reply
from streamparse.segment import Segment
from streamparse.states.delimited import DelimitedState
from streamparse.states.patch_file import PatchFileState
from streamparse.states.reasoning import ReasoningState
from streamparse.states.run_bash import RunBashState
from streamparse.states.text import TextState
from streamparse.states.tool import ToolState
from streamparse.states.write_file import WriteFileState
from streamparse.states.xml_tag_init import XmlTagInitState

__all__ = [
    "GO_ON",
    "NEED_MORE",
    "AnyEvent",
    "BaseState",
    "Chunk",
    "DelimitedState",
    "DiffError",
    "EventEmitter",
    "EventReader",
    "LimitError",
    "Limits",
    "MissingExtraError",
    "ModelFormat",
    "Opener",
    "Opening",
    "Outcome",
    "ParserConfig",
    "ParserContext",
    "ParserStateError",
    "PatchFileState",
    "PlanError",
    "ProviderStreamError",
    "ReasoningState",
    "RegistryError",
    "RenderError",
    "Reply",
    "RunBashState",
    "Segment",
    "SegmentContent",
    "SegmentEnd",
    "SegmentEvent",
    "SegmentEventType",
    "SegmentStart",
    "SegmentType",
    "StateContractError",
    "StreamEnd",
    "StreamScanner",
    "StreamingParser",
    "StreamingResponseHandler",
    "StreamparseError",
    "TextState",
    "ToolInvocation",
    "ToolInvocationAdapter",
    "ToolResult",
    "ToolSpec",
    "ToolState",
    "ToolStateRegistry",
    "ToolSyntaxRegistry",
    "Usage",
    "WriteFileState",
    "XmlTagInitState",
    "__version__",
    "aparse",
    "check",
    "compile_markers",
    "for_model",
    "format_for_model",
    "format_for_provider",
    "parse",
    "register_block",
    "register_tool_state",
    "register_tool_syntax",
]
