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
from io import StringIO

from streamparse.core.context import ParserContext
from streamparse.core.markers import BLANK_CHARACTERS
from streamparse.core.scanner import NO_LIMIT
from streamparse.core.state import NEED_MORE, Progress
from streamparse.events import SegmentType
from streamparse.families.calls.body import Body
from streamparse.families.calls.command import Command
from streamparse.families.cline.base_state import ParameterState
from streamparse.families.cline.given_parameters import GivenParameters
from streamparse.families.cline.grammar import PATHS
from streamparse.families.cline.values import GrowingValue, strip_value


class ParameterBodyState(Body, ParameterState):
    """The base of the three; the kind of the tool says which parameter is the body."""

    _is_begun = False
    _is_lost = False  # the path did not come in time: the rest of the call is swallowed
    #: The open value: the body as far as it is shown, or another one, which is kept; neither if it is not wanted.
    _growing: GrowingValue | None = None
    _kept: StringIO | None = None
    _undecoded = ""  # of the body

    def __init__(self, context: ParserContext) -> None:
        super().__init__(context)
        parameters = self._parameters
        assert parameters.kind is not None  # else it has no body
        self._arguments = GivenParameters(
            parameters.tool, PATHS[parameters.kind], parameters.body, is_in_plan=parameters.is_in_plan
        )
        self._is_started = False
        self._early_body: list[str] = []  # came before START
        self._size = 0  # of all values but the body

    def run(self) -> Progress:
        """Read on; show what is certain of the body."""
        if not self._is_begun:
            self._begin_call()
        if self._is_lost:
            self._skip()
        else:
            self.read()
        if self.is_ended:
            self._end_call()
        else:
            self._choose_triggers()
        return NEED_MORE

    # -- from START to END --------------------------------------------------------------------------------------------

    def _begin_call(self) -> None:
        context, scanner = self.context, self._scanner
        self._is_begun = True
        scanner.pos += len(f"<{self._parameters.tool}>")
        scanner.limit = scanner.offset + context.config.limits.max_held
        context.settle(self._format)
        if context.emitter.segment_id:
            context.emitter.emit_end()  # a block has begun, even if its START must wait: the prose is complete
        if self._arguments.is_ready:
            self._start()

    def _start(self) -> None:
        if not self._is_started:
            self._is_started = True
            self._scanner.limit = NO_LIMIT
            emitter = self.context.emitter
            emitter.emit_start(self.segment_type, dict(self._arguments.metadata), self._format)
            emitter.emit_content("".join(self._early_body))
            self._early_body.clear()

    def _end_call(self) -> None:
        self._start()
        error = self._arguments.error
        self._emit_end("malformed" if error else None, error)

    def _emit_end(self, status: str | None, error: str | None = None) -> None:
        self.context.emitter.emit_end(status, error, self.is_mended and status != "truncated", self._arguments.late)
        self.context.transition_to("text")

    def on_limit(self) -> None:
        """The path did not come in time."""
        scanner = self._scanner
        self._settle()
        if not self._parameters.end.pattern.match(scanner.buf, scanner.pos, scanner.end):
            self._take(scanner.end, is_followed=False)
        self._give_back_body()
        self._start()
        self._is_lost = True

    def _skip(self) -> None:
        """Swallow the rest of the call."""
        scanner = self._scanner
        match = self._parameters.end.pattern.search(scanner.buf, scanner.pos)
        scanner.pos = match.start() if match else len(scanner.buf)
        if match and match.lastindex:
            scanner.pos = match.end()
            self.is_ended = True
        else:
            scanner.wait_past_blanks()

    def finalize(self) -> None:
        """The tool's closer never came. A complete parameter counts; of an incomplete one, only the body."""
        if self._is_lost:
            self._scanner.pos = len(self._scanner.buf)
        else:
            self.finish()
        if self.is_ended:
            self._end_call()
        else:
            self._give_back_body()
            self._start()
            self._emit_end("truncated")

    # -- values -------------------------------------------------------------------------------------------------------

    def _open_value(self) -> None:
        parameters, name = self._parameters, self._name
        if name == parameters.body and self._arguments.begin_body():
            self._growing = GrowingValue(is_raw=name in parameters.raw)
        else:
            self._kept = StringIO()

    def _close_value(self) -> None:
        kept = self._kept
        if self._growing is not None:
            self._show("", is_certain=True)
        elif kept is not None:
            self._give(strip_value(kept.getvalue(), is_raw=self._name in self._parameters.raw))
        self._growing = self._kept = None

    def _give(self, value: str) -> None:
        arguments = self._arguments
        if self._name == self._parameters.body:
            arguments.repeat_body(self.decode(value))
            return
        arguments.give_text(self._name, value, is_late=self._is_started)
        if arguments.is_ready:
            self._start()

    def _take(self, end: int, *, is_followed: bool) -> None:
        self._add(self._scanner.take(end) if self._name else "", is_followed)
        self._scanner.pos = end

    def _take_held(self, *, is_followed: bool, but: int = 0) -> None:
        text = self._scanner.held() if self._name else ""
        text = text[: len(text) - but]
        self._scanner.release()
        self._add(text, is_followed)

    def _add(self, text: str, is_followed: bool) -> None:
        growing = self._growing
        if growing is not None:
            text = growing.add(text, is_followed=is_followed)
            self._show(text, is_certain=is_followed or not growing.is_complete)
        elif self._kept is not None and text:
            self._size += len(text)
            if self._size <= self.context.config.limits.max_arguments:
                self._kept.write(text)
            else:
                self._arguments.report(f"{self._name} is too long")
                self._kept = None

    def _show(self, text: str, *, is_certain: bool) -> None:
        """More of the body. `is_certain`: what it ends with is all there is of it."""
        text = self._undecoded + text
        kept = 0 if is_certain else self.undecided(text)
        self._undecoded = text[len(text) - kept :]
        text = self.decode(text[: len(text) - kept])
        self._arguments.add_body(text)
        if self._is_started:
            self.context.emitter.emit_content(text)
        elif text:
            self._early_body.append(text)

    def _give_back_body(self) -> None:
        """The body is cut off: what was kept back belongs to it."""
        if self._growing is not None:
            self._show(self._growing.cut(), is_certain=True)
            self._growing = None

    def _choose_triggers(self) -> None:
        growing = self._growing
        self.triggers = None
        if growing is None or not self._arguments.has_long_body:
            return  # a short body comes through here, to be compared with a second one
        if growing.is_complete and not self._undecoded and self._is_searching:
            self.triggers, self.look_closer = _triggers(self._name in self._parameters.raw, self.decode_triggers)


@lru_cache(maxsize=8)
def _triggers(is_raw: bool, decoded: str) -> tuple[str, Callable[[str], object]]:
    """What matters in a body: tags, what is decoded, and what may be the last line break, or the last blank."""
    last = "\r\n" if is_raw else BLANK_CHARACTERS
    # Line breaks and blanks matter at the end of a chunk only.
    return f"<{decoded}{last}", re.compile(rf"[<{decoded}]|[{last}]\Z").search


class ParameterWriteState(ParameterBodyState):
    """A tool of the kind write_file."""

    segment_type = SegmentType.WRITE_FILE.value


class ParameterPatchState(ParameterBodyState):
    """A tool of the kind patch_file."""

    segment_type = SegmentType.PATCH_FILE.value


class ParameterCommandState(Command, ParameterBodyState):
    """A tool of the kind run_bash: START does not wait for anything."""

    segment_type = SegmentType.RUN_BASH.value
