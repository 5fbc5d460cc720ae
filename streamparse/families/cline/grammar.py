"""How the calls of one tool are written, where the tool and its parameters are bare tags.

    <read_file>                         the tool: its name alone, no attributes
    <path>a.py</path>                   a parameter that is declared for it
    </read_file>

Names are exact, and case matters. Patterns are the same for one parameter and for a thousand: they find any tag, and
whether it is declared is looked up by its name. `reader.py` says what the tags mean.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Collection
from functools import cached_property, lru_cache

from attrs import evolve, frozen

from streamparse.config import BodyTool, ToolSpec
from streamparse.core.context import ParserContext
from streamparse.core.markers import BLANKS, Atom, Marker, Markers, close_tag, compile_markers, exact
from streamparse.core.opening import Options

#: The kinds of markers.
OPEN, CLOSE, END, NESTED = "open", "close", "end", "nested"

_NAME = Atom(r"[^ \t\r\n<>/]{1,256}+")  # bounded: a cut one is looked at again with the next chunk
_TAG: Marker = ("<", _NAME, ">")
_FULL_NAME = re.compile(_NAME)
_CHILD = re.compile(r"[A-Za-z_]")
#: Any closing tag.
CLOSERS = compile_markers({CLOSE: [("</", _NAME, BLANKS, ">")]}, ignore_case=False)

#: What a call in a plan has besides its parameters.
_OF_STEPS = ("toolId", "dependsOn")
#: Parameters that are raw in every tool.
_ALWAYS_RAW = ("content", "diff")


def is_tag_name(name: str) -> bool:
    """Whether `name` can stand in a tag."""
    return _FULL_NAME.fullmatch(name) is not None


@frozen(cache_hash=True)
class ClineTool(Options):
    """The parameters of one tool, and what to look for in its calls."""

    tool: str
    names: tuple[str, ...]
    raw: frozenset[str] = frozenset()
    #: What of its calls is streamed, if they write a file, patch one or run a command.
    live: BodyTool | None = None
    is_in_plan: bool = False

    @property
    def kind(self) -> str | None:
        """The kind of its segments, if it is not that of any tool."""
        return self.live.kind if self.live else None

    @property
    def body(self) -> str:
        """The parameter that is streamed, if there is one."""
        return self.live.body if self.live else ""

    @classmethod
    def of(cls, spec: ToolSpec) -> ClineTool:
        """Those of a tool as it is declared."""
        return _parameters(spec.name, spec.parameter_names, spec.raw, spec.as_body)

    @classmethod
    def of_call(cls, context: ParserContext) -> ClineTool:
        """Those of the call that is being read; in a plan, it may say more."""
        parameters = context.opener.get_options(cls)
        return parameters.in_plan if context.plans.is_open else parameters

    @cached_property
    def in_plan(self) -> ClineTool:
        """The same with what a call in a plan says of its place there."""
        return evolve(self, names=tuple(dict.fromkeys((*self.names, *_OF_STEPS))), is_in_plan=True)

    @property
    def openers(self) -> tuple[Marker, Marker]:
        """`<tool>` counts when a tag follows, or its own closer."""
        opener: Marker = ("<", *exact(self.tool), ">", BLANKS)
        return (*opener, "<", Atom("[A-Za-z_]")), (*opener, "</", *exact(self.tool), BLANKS, ">")

    def is_declared(self, name: str) -> bool:
        """Whether there is a parameter of this name."""
        return name in self._declared

    def is_child(self, name: str) -> bool:
        """Whether `<name>` opens something else, which is not for this tool. A tool in itself is none."""
        return name != self.tool and _CHILD.match(name) is not None

    def has_beginning(self, text: str, but: Collection[str] = ()) -> bool:
        """Whether the name of a parameter begins with `text`, other than those of `but`."""
        names = self._sorted
        index = bisect_left(names, text)
        while index < len(names) and names[index].startswith(text):
            if names[index] not in but:
                return True
            index += 1
        return False

    @cached_property
    def _declared(self) -> frozenset[str]:
        return frozenset(self.names)

    @cached_property
    def _sorted(self) -> list[str]:
        return sorted(self.names)

    # -- what to look for ---------------------------------------------------------------------------------------------

    @cached_property
    def end(self) -> Markers:
        """The tool's closer alone."""
        return compile_markers({END: [close_tag(self.tool)]}, ignore_case=False)

    @cached_property
    def between(self) -> Markers:
        """Any tag, and the tool's closer: between parameters, and behind the closer of a raw one."""
        return compile_markers({END: [close_tag(self.tool)], OPEN: [_TAG]}, ignore_case=False)

    def closer(self, name: str) -> Markers:
        """The closer of the parameter `name` alone."""
        return _closer(name)

    def inside(self, name: str) -> Markers:
        """What may matter in the value of the parameter `name`."""
        return _inside(self.tool, name, name in self.raw)


@lru_cache(maxsize=4096)
def _parameters(tool: str, names: tuple[str, ...], raw: tuple[str, ...], live: BodyTool | None) -> ClineTool:
    own = live.names if live else ()
    return ClineTool(tool, tuple(dict.fromkeys((*names, *raw, *own))), frozenset((*raw, *_ALWAYS_RAW)), live)


@lru_cache(maxsize=1024)
def _closer(name: str) -> Markers:
    return compile_markers({CLOSE: [close_tag(name)]}, ignore_case=False)


@lru_cache(maxsize=1024)
def _inside(tool: str, name: str, is_raw: bool) -> Markers:
    others = {NESTED: [(f"<{tool}>",)]} if is_raw else {OPEN: [_TAG]}
    return compile_markers({CLOSE: [close_tag(name)], END: [close_tag(tool)], **others}, ignore_case=False)
