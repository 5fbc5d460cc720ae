"""A tool as a bare tag that writes a file, patches one or runs a command.

    <write_to_file>
    <path>a.py</path>                   write_file {"tool_name": "write_to_file", "path": "a.py"}
    <content>
    print(1)                            `print(1)`
    </content>
    <line_count>1</line_count>          END {"late": {"line_count": "1"}}
    </write_to_file>

START comes as soon as the path is known (at once for a command); parameters complete by then are metadata, later ones
are `late` at END; a body that came before is held until then. Only the body is shown, and of the body nothing that may
be its closer, or a line break or blanks before that.

Where a value ends is the matter of `reader.py`.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import lru_cache

from streamparse.core.context import ParserContext
from streamparse.core.markers import BLANK_CHARACTERS
from streamparse.core.state import NEED_MORE, BaseState, Progress
from streamparse.events import SegmentType
from streamparse.families.calls.body_call import TextBodyCall
from streamparse.families.cline.grammar import ClineTool
from streamparse.families.cline.reader import ClineReader
from streamparse.families.cline.values import GrowingValue, strip_value


class ClineBodyCall(TextBodyCall):
    """Is told what the reader finds. What stands around a value is no part of it."""

    def __init__(self, context: ParserContext, kind: str, parameters: ClineTool) -> None:
        metadata = {"tool_name": parameters.tool}
        super().__init__(context, context.opener.format, kind, parameters.body, metadata, last_counts=True)
        self._raw = parameters.raw
        self.growing = GrowingValue(is_raw=parameters.body in parameters.raw)

    @property
    def is_in_body(self) -> bool:
        """Whether the body is being read, and all that came of it is shown."""
        return self._is_body and self.growing.is_complete

    def _give_text(self, name: str, raw: str, *, is_unclosed: bool) -> None:
        self.give(name, strip_value(raw, is_raw=name in self._raw))

    def _take_body(self, text: str, *, is_followed: bool) -> None:
        text = self.growing.add(text, is_followed=is_followed)
        self.add_body(text, is_followed=is_followed or not self.growing.is_complete)

    def _end_body(self, *, is_cut: bool) -> None:
        self.add_body(self.growing.cut() if is_cut else "", is_followed=True)


class ClineBodyState(BaseState):
    """The base of the three; the kind of the tool says which parameter is the body."""

    _call: ClineBodyCall
    _reader: ClineReader
    _parameters: ClineTool

    def _begin(self) -> Progress:
        context, scanner = self.context, self.context.scanner
        parameters = self._parameters = ClineTool.of_call(context)
        scanner.pos += len(f"<{parameters.tool}>")
        context.settle(context.opener.format)
        if context.emitter.segment_id:
            context.emitter.emit_end()  # a block has begun, even if its START must wait: the prose is complete
        self._call = ClineBodyCall(context, self.segment_type, parameters)
        self._call.start_if_ready()
        self._reader = ClineReader(parameters, scanner, context.config.limits.max_held)
        self._phase = "_in_parameters"
        return self._in_parameters()

    def _in_parameters(self) -> Progress:
        """Read on; show what is certain of the body."""
        reader, call = self._reader, self._call
        reader.read(call)
        if reader.is_ended:
            return self._end()
        if call.is_in_body and call.is_plain and reader.is_searching:
            is_raw = call.body in self._parameters.raw
            self.triggers, self.look_closer = _triggers(is_raw, call.triggers)
        return NEED_MORE

    def _skip(self) -> Progress:
        """The path did not come in time: swallow the rest of the call."""
        scanner = self.context.scanner
        match = self._parameters.end.pattern.search(scanner.buf, scanner.pos)
        scanner.pos = match.start() if match else len(scanner.buf)
        if match is None or match.lastindex is None:
            scanner.wait_past_blanks()
            return NEED_MORE
        scanner.pos = match.end()
        return self._end()

    def _end(self, *, is_cut: bool = False) -> Progress:
        self._call.end(is_cut=is_cut, repaired=self._reader.is_repaired and not is_cut)
        self.context.transition_to("text")
        return NEED_MORE

    def on_limit(self) -> None:
        """The path did not come in time."""
        self._reader.cut(self._call)
        self._call.start()
        self._phase = "_skip"

    def finalize(self) -> None:
        """The tool's closer never came. A complete parameter counts; of an incomplete one, only the body."""
        scanner = self.context.scanner
        if self._phase == "_skip":
            scanner.pos = len(scanner.buf)
            self._end(is_cut=True)
        else:
            self._reader.finish(self._call)
            self._end(is_cut=not self._reader.is_ended)


@lru_cache(maxsize=8)
def _triggers(is_raw: bool, decoded: str) -> tuple[str, Callable[[str], object]]:
    """What matters in a body: tags, what is decoded, and what may be the last line break, or the last blank."""
    last = "\r\n" if is_raw else BLANK_CHARACTERS
    # Line breaks and blanks matter at the end of a chunk only.
    return f"<{decoded}{last}", re.compile(rf"[<{decoded}]|[{last}]\Z").search


class ClineWriteState(ClineBodyState):
    """A tool of the kind write_file."""

    segment_type = SegmentType.WRITE_FILE.value


class ClinePatchState(ClineBodyState):
    """A tool of the kind patch_file."""

    segment_type = SegmentType.PATCH_FILE.value


class ClineCommandState(ClineBodyState):
    """A tool of the kind run_bash: START does not wait for anything."""

    segment_type = SegmentType.RUN_BASH.value
