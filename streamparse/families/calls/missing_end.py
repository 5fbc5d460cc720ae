"""A call whose end is missing where the reply ends: was it forgotten, or was the reply cut off?

    <tool name="q"><arg name="a">1</arg>        complete and repaired, if the tool `q` is declared and needs only `a`
    <function=q><parameter=a>1</parameter>      so is this
    <tool name="q"><arg name="b">1</arg>        truncated: there may have been more to come

Section 2.2 of the rules has all of it. It is decided here for every family whose arguments stand in tags; that a reply
was aborted, or cut off by its provider, is known to the emitter, which lets no such call be complete.
"""

from __future__ import annotations

from collections.abc import Set
from typing import Protocol

from streamparse.arguments.decoder import Signature
from streamparse.core.context import ParserContext


class EndlessReader(Protocol):
    """A reader of arguments that has read all there is."""

    #: Whether the call has ended.
    is_ended: bool

    @property
    def is_whole(self) -> bool:
        """Whether the text ends behind an argument, blanks aside, so nothing but the end of the call is missing."""


def lacks_only_end(reader: EndlessReader, tool: str, given: Set[str], context: ParserContext) -> bool:
    """Whether a call of `tool` with the arguments that are `given` is complete, although its end is missing."""
    if reader.is_ended or not reader.is_whole:
        return False
    return Signature.of(context.tools.get(tool.lower()), context.config).has_all(given)
