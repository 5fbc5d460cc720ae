"""CallEnds: what shows that a call has ended, though its JSON has not.

    [TOOL_CALLS]f{"a": 1 [TOOL_CALLS]g{}        outside of strings: a closer, a special token, the next call
    [TOOL_CALLS]f{"a": "b} [TOOL_CALLS]g{}      in a string: perhaps, if it is the beginning of a call, down to the `{`

What begins a call counts only if it is more than a bracket. Of closers in a string nothing is thought, because there
are texts about them; but where they stand before the next call, the call has ended before them.
"""

from __future__ import annotations

from collections.abc import Iterable

from attrs import frozen

from streamparse.core.call_grammar import END, NEXT, Calls
from streamparse.core.markers import Atom, Exact, Marker, Markers, compile_markers


@frozen(eq=False)
class CallEnds:
    """What ends a call outside of strings, kinds END and NEXT; what is a reason for doubt in one; and what is next."""

    ends: Markers
    doubts: Markers
    next: tuple[Marker, ...]

    @classmethod
    def of(cls, calls: Calls, openers: Iterable[Marker], tokens: tuple[Marker, ...]) -> CallEnds:
        """For `calls` of a format whose calls begin with `openers` and whose special tokens are `tokens`."""
        heads = tuple(marker for marker in dict.fromkeys(openers) if _is_certain(marker))
        doubts = [(*ending, *head) for head in heads for ending in dict.fromkeys(((), *calls.endings))]
        return cls(
            compile_markers({END: calls.closers, NEXT: (*tokens, *heads)}),
            compile_markers({NEXT: doubts}),
            (*tokens, *heads),
        )


def _is_certain(marker: Marker) -> bool:
    """Whether its first two characters are literal: a bracket alone may be JSON."""
    literal = ""
    for part in marker:
        if isinstance(part, Atom) and not isinstance(part, Exact):
            break
        literal += part.character if isinstance(part, Exact) else part
    return len(literal) > 1
