"""BodyCall: the record of a call with a body, from START to END. Every family that has such calls keeps this one.

    path "a.py"                 write_file {"path": "a.py"}: START comes when all is known that it waits for
    content "print(1)"          `print(1)`: shown as it comes; if it came before START, it was held until then
    mode "x"                    END {"late": {"mode": "x"}}: what comes behind START

What START has shown never changes. A second value for an argument is fine if it is the same; else the call is
malformed, unless the last value counts in the format, and START has not shown the first. A second body is always
malformed: a body is streamed and not kept, so no one can say whether it is the same. Of several problems the first
counts; if there is none, a missing path or body is one, unless the tool declares that it needs no path: an empty body
is written as one, `"content": ""`.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from io import StringIO
from typing import Any

from streamparse.arguments.decoder import is_same
from streamparse.arguments.sink import ARG_TAG, ValueTag
from streamparse.arguments.step import is_repeatable
from streamparse.config import BodyTool
from streamparse.core.context import ParserContext
from streamparse.core.raw_text import RawText
from streamparse.core.scanner import NO_LIMIT
from streamparse.events import RESERVED_METADATA, SegmentType, TagKind
from streamparse.families.calls.body_text import VERBATIM, BodyText, body_text

#: The arguments that START waits for, by the kind of the tool.
WAITED_FOR: Mapping[str, tuple[str, ...]] = {
    SegmentType.WRITE_FILE: ("path",),
    SegmentType.PATCH_FILE: ("path",),
    SegmentType.RUN_BASH: (),
}


#: The value is what is meant.
_ITSELF = object()


class BodyCall(ABC):
    """What is known of one call. `kind` is the type of its segment, `body` the argument that is streamed.

    It is the sink of a reader (see `sink.py`). A subclass says where the segment goes (`_emit_…`) and what the text of
    an argument means (`_give_text`), and may say what of a body is shown (`_take_body`, `_end_body`).
    """

    def __init__(
        self,
        tool: BodyTool,
        metadata: Mapping[str, Any],
        max_arguments: int,
        text: BodyText = VERBATIM,
        *,
        last_counts: bool = False,
        is_in_plan: bool = False,
    ) -> None:
        self.kind = tool.kind
        self.body = tool.body
        self.path = tool.path or "path"  # as the tool calls it: START calls it path
        self.metadata: dict[str, Any] = dict(metadata)
        self.late: dict[str, Any] = {}
        self.is_started = False
        self.has_body = tool.body in metadata
        self._waited_for = WAITED_FOR[tool.kind]
        self._required = () if tool.is_path_optional else self._waited_for
        self._text = text
        self._last_counts = last_counts
        self._is_in_plan = is_in_plan
        self.problem: str | None = None  # what is wrong, besides what may be missing
        self._early: list[str] = []  # of the body, before START
        self._undecoded = ""  # the end of the body so far
        #: What was given, to be compared with what is given again.
        self._given = {
            self.path if name == "path" else name: value
            for name, value in metadata.items()
            if name not in RESERVED_METADATA
        }
        self._room = max_arguments  # how many characters all arguments but the body may still have
        # Of the argument that is being read:
        self._name = ""
        self._tag = ARG_TAG
        self._is_body = False  # it is the body, and the first one
        self._value: StringIO | None = None  # a list of tokens would take ten times

    # -- what a family overrides: where the segment goes --------------------------------------------------------------

    @abstractmethod
    def _emit_start(self) -> None:
        """Begin the segment, with `metadata`."""

    @abstractmethod
    def _emit_content(self, text: str) -> None:
        """More of its content, perhaps nothing."""

    @abstractmethod
    def _emit_end(self, status: str | None, error: str | None, *, repaired: bool) -> None:
        """End it, with what is `late`."""

    # -- from START to END --------------------------------------------------------------------------------------------

    @property
    def is_ready(self) -> bool:
        """Whether all is known that START waits for."""
        return all(name in self.metadata for name in self._waited_for)

    def start(self) -> None:
        """START, with what is known by now, and what there is of the body; once."""
        if not self.is_started:
            self.is_started = True
            self._emit_start()
            self._emit_content("".join(self._early))
            self._early.clear()

    def start_if_ready(self) -> None:
        """START, if nothing is missing for it."""
        if self.is_ready:
            self.start()

    @property
    def error(self) -> str | None:
        """What is wrong with the call, if it ends now."""
        missing = [self.path for name in self._required if name not in self.metadata]
        if not self.has_body:
            missing.append(self.body)
        return self.problem or (f"{missing[0]} is missing" if missing else None)

    @property
    def given(self) -> set[str]:
        """The names of all arguments so far."""
        return {*self._given, self.body} if self.has_body else set(self._given)

    def report(self, problem: str) -> None:
        """Something is wrong; the first problem is the one that counts."""
        self.problem = self.problem or problem

    def end(self, *, is_cut: bool = False, repaired: bool = False) -> None:
        """The call is over. `is_cut`: its end was not seen."""
        self.start()
        error = None if is_cut else self.error
        self._emit_end("truncated" if is_cut else "malformed" if error else None, error, repaired=repaired)

    # -- the body -----------------------------------------------------------------------------------------------------

    def begin_body(self) -> bool:
        """The body begins; False if there was one before."""
        if self.has_body:
            self.report(f"{self.body} is given twice")
            return False
        self.has_body = True
        return True

    def add_body(self, text: str, *, is_followed: bool = False) -> None:
        """More of the body. `is_followed`: something may come next that is no part of it, so it ends with `text`."""
        if self._text is not VERBATIM:
            text = self._decode(self._undecoded + text, is_followed=is_followed)
        if self.is_started:
            self._emit_content(text)
        elif text:
            self._early.append(text)

    def _decode(self, text: str, *, is_followed: bool) -> str:
        kept = 0 if is_followed else self._text.undecided(text)
        self._undecoded = text[len(text) - kept :]
        return self._text.decode(text[: len(text) - kept])

    @property
    def is_plain(self) -> bool:
        """Whether what is read is the body, of which text without any of `triggers` is shown as it is."""
        return self._is_body and self.is_started and not self._undecoded

    @property
    def triggers(self) -> str:
        """The characters in a body that are not shown as they are."""
        return self._text.triggers

    # -- other arguments ----------------------------------------------------------------------------------------------

    def begin_value(self, name: str) -> None:
        """Another argument begins."""
        self._value = StringIO()
        self._room -= len(name)

    def add_value(self, name: str, text: str) -> bool:
        """More of it; past the limit, it is not kept."""
        if self._value is not None and text:
            self._room -= len(text)
            if self._room >= 0:
                self._value.write(text)
            else:
                self.report(f"{name} is too long")
                self._value = None
        return self._value is not None

    def take_value(self) -> str | None:
        """All of it, if it was kept."""
        value, self._value = self._value, None
        return None if value is None else value.getvalue()

    def give(self, name: str, value: Any, written: Any = None, meant: Any = _ITSELF) -> None:
        """An argument other than the body is complete.

        `written` is what `late` shows, if not the value itself; `meant` is what is compared if it is given again.
        """
        late = value if written is None else written
        meant = value if meant is _ITSELF else meant
        is_more = self._is_in_plan and is_repeatable(name)
        # It would mean something else in START, or it may grow.
        is_reserved = name in RESERVED_METADATA or is_more or (name == "path" != self.path)
        shown = "path" if name == self.path else name
        if is_more and name in self.late:
            self.late[name] += f",{late}"
        elif name in self._given and not self._may_replace(shown, is_reserved):
            if not is_same(self._given[name], meant):
                self.report(f"{name} is given twice")
        else:
            self._given[name] = meant
            if self.is_started or is_reserved:
                self.late[name] = late
            else:
                self.metadata[shown] = value

    def _may_replace(self, name: str, is_reserved: bool) -> bool:
        """Whether a second value counts: START must not have shown the first one."""
        is_shown = self.is_started and name in self.metadata and not is_reserved
        return self._last_counts and not is_shown

    # -- the sink of a reader -----------------------------------------------------------------------------------------

    def open_value(self, name: str, tag: ValueTag) -> None:
        """The body, or another argument."""
        self._name, self._tag = name, tag
        if name == self.body:
            self._is_body = self.begin_body()
        else:
            self.begin_value(name)

    def take(self, text: str, *, is_followed: bool) -> None:
        """The body is shown, other arguments are kept."""
        if self._is_body:
            self._take_body(text, is_followed=is_followed)
        else:
            self.add_value(self._name, text)

    def take_held(self, text: str, *, is_followed: bool) -> None:
        """All that was held is there."""
        self.take(text, is_followed=is_followed)

    def close_value(self, *, is_unclosed: bool = False) -> None:
        """An argument is known."""
        raw = self.take_value()
        if self._is_body:
            self._is_body = False
            self._end_body(is_cut=False)
        elif raw is not None:
            self._give_text(self._name, raw, is_unclosed=is_unclosed)
            self.start_if_ready()

    def drop_value(self) -> None:
        """What is not complete does not count, save what there is of the body."""
        self.take_value()
        if self._is_body:
            self._is_body = False
            self._end_body(is_cut=True)

    @abstractmethod
    def _give_text(self, name: str, raw: str, *, is_unclosed: bool) -> None:
        """An argument that stands as `raw` between its tags, or without a closer."""

    def _take_body(self, text: str, *, is_followed: bool) -> None:
        self.add_body(text, is_followed=is_followed)

    def _end_body(self, *, is_cut: bool) -> None:
        self.add_body("", is_followed=True)


class TextBodyCall(BodyCall):
    """One in the text of a reply: its segment is the open one, and what START waits for must come before a limit."""

    def __init__(
        self,
        context: ParserContext,
        format: str,
        tool: BodyTool,
        metadata: Mapping[str, Any],
        *,
        last_counts: bool = False,
    ) -> None:
        limits = context.config.limits
        super().__init__(
            tool,
            metadata,
            limits.max_arguments,
            body_text(tool.kind, context.config),
            last_counts=last_counts,
            is_in_plan=context.plans.is_open,
        )
        self._format = format
        #: Arguments that are shown with tags in them: what each stood in, as END tells it.
        self._tags: dict[str, TagKind] = {}
        self._emitter = context.emitter
        self._scanner = context.scanner
        self._scanner.limit = self._scanner.offset + limits.max_held
        #: The call as it is written, from here on, if someone wants to know.
        self.raw_text = RawText(limits.max_arguments, self._scanner.offset) if context.config.invocations else None

    def _emit_start(self) -> None:
        self._scanner.limit = NO_LIMIT
        self._emitter.emit_start(self.kind, dict(self.metadata), self._format)

    def _emit_content(self, text: str) -> None:
        if self.raw_text is not None:
            self.raw_text.shown += len(text)
        self._emitter.emit_content(text)

    def _emit_end(self, status: str | None, error: str | None, *, repaired: bool) -> None:
        raw = None if self.raw_text is None else self.raw_text.text
        self._emitter.emit_end(status, error, repaired, self.late, self._tags or None, raw=raw)
