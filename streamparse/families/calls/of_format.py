"""CallsOfFormat: the calls of one format, and what shows that one of them has ended although its JSON has not.

    [TOOL_CALLS]f{"a": 1 [TOOL_CALLS]g{}        outside of strings: a closer, a special token, the next call
    [TOOL_CALLS]f{"a": "b} [TOOL_CALLS]g{}      in a string: perhaps, if it is the beginning of a call, down to the `{`
    [TOOL_CALLS]f{"a": "say [TOOL_CALLS]g{}…    in a string: never, because a call stands behind the end of another

What begins a call counts only if it is more than a bracket, and in a string only behind a bracket that may be the last
one of the call, or behind its closers: a text about calls must not become one. Of closers alone in a string nothing is
thought, because there are texts about them; but where they stand before the next call, the call has ended before them.
"""

from __future__ import annotations

from functools import cached_property

from attrs import frozen

from streamparse.core.markers import BLANKS, AnyOf, Marker, Markers, compile_markers, leading_text
from streamparse.core.opening import Options
from streamparse.families.calls.grammar import END, NEXT, Calls

#: What a call may end with.
BRACKETS = "}]"


@frozen(eq=False, slots=False)
class CallsOfFormat(Options):
    """For `calls` of a format whose calls begin with `openers`, and whose special tokens are `tokens`."""

    calls: Calls
    openers: tuple[Marker, ...]
    tokens: tuple[Marker, ...]

    @cached_property
    def _heads(self) -> tuple[Marker, ...]:
        return tuple(marker for marker in dict.fromkeys(self.openers) if _is_certain(marker))

    @cached_property
    def next(self) -> tuple[Marker, ...]:
        """What is no part of a call, but comes behind it."""
        return (*self.tokens, *self._heads)

    @cached_property
    def ends(self) -> Markers:
        """What ends a call outside of strings."""
        return compile_markers({END: (*self.calls.closers, *self.next)})

    @cached_property
    def doubts(self) -> Markers:
        """What is a reason to doubt that a string was closed."""
        before = AnyOf(*((bracket, BLANKS) for bracket in BRACKETS), *filter(None, self.calls.endings))
        return compile_markers({NEXT: [(before, *head) for head in self._heads]})


def _is_certain(marker: Marker) -> bool:
    """Whether its first two characters are literal: a bracket alone may be JSON."""
    return len(leading_text(marker)) > 1
