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
from streamparse.events import SegmentType
from streamparse.families.calls.body_call import TextBodyCall
from streamparse.families.calls.read_state import BodyCallState
from streamparse.families.calls.values import GrowingValue, strip_value
from streamparse.families.cline.grammar import ClineTool
from streamparse.families.cline.reader import ClineReader


class ClineBodyCall(TextBodyCall):
    """Is told what the reader finds. What stands around a value is no part of it."""

    def __init__(self, context: ParserContext, parameters: ClineTool) -> None:
        assert parameters.live is not None  # else it has no body
        metadata = {"tool_name": parameters.tool}
        super().__init__(context, context.opener.format, parameters.live, metadata, last_counts=True)
        self._raw = parameters.raw
        self.growing = GrowingValue(is_raw=self.body in parameters.raw)

    def _give_text(self, name: str, raw: str, *, is_unclosed: bool) -> None:
        self.give(name, strip_value(raw, is_raw=name in self._raw))

    def _take_body(self, text: str, *, is_followed: bool) -> None:
        text = self.growing.add(text, is_followed=is_followed)
        self.add_body(text, is_followed=is_followed or not self.growing.is_complete)

    def _end_body(self, *, is_cut: bool) -> None:
        self.add_body(self.growing.cut() if is_cut else "", is_followed=True)


class ClineBodyState(BodyCallState):
    """The base of the three; the kind of the tool says which parameter is the body."""

    _call: ClineBodyCall

    def _open(self) -> tuple[ClineReader, ClineBodyCall]:
        context, scanner = self.context, self.context.scanner
        tool = ClineTool.of_call(context)
        scanner.pos += len(f"<{tool.tool}>")
        context.settle(context.opener.format)
        call = ClineBodyCall(context, tool)
        return ClineReader(tool, scanner, context.config.limits.max_held, context.searched), call

    def _choose_triggers(self) -> None:
        if self._call.growing.is_complete and self._reader.triggers is not None:
            self.triggers, self.look_closer = _triggers(self._call.growing.is_raw, self._call.triggers)


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
