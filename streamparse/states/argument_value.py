"""The patterns of one argument's value: where it ends, where it may seem to, what is nested in it.

<arg name="a">…</arg>               closed by `</arg>`, if the next `<arg name=` or an outer closer follows
<path>…</path>                      closed by `</path>`, if another direct argument or an outer closer follows
__START_CONTENT__ … __END_CONTENT__</arg>           the same behind an end marker
"""

from __future__ import annotations

from functools import lru_cache
from re import Pattern

from attrs import frozen

from streamparse.core.markers import BLANKS, Marker, Markers, closer, compile_markers, exact, opener
from streamparse.states.arguments import NEXT_ARG, fitting_closers

#: The kinds of markers in a value.
END, FIT, RAW_FIT, OPEN, CLOSE = "end", "fit", "raw_fit", "open", "close"

#: Inside a nested `<arg>`: openers and closers balance, whatever follows them.
NESTED = compile_markers({OPEN: [NEXT_ARG], CLOSE: [closer("arg")], END: [closer("tool")]})


@frozen
class ValuePatterns:
    """What to look for in a value, and in what is held because it may be the end."""

    markers: Markers
    #: Resolves a held `</tool>`.
    fits: Markers
    #: Resolves a held closer that has no end marker before it.
    raw_fits: Markers
    #: The closer by itself, with its end marker if there is one: it ends before what must follow.
    closer: Pattern[str]
    is_raw: bool


@lru_cache(maxsize=256)
def value_patterns(closer_name: str, following: tuple[Marker, ...], end_marker: str, nests: bool) -> ValuePatterns:
    """The patterns for a value closed by `</closer_name>`, with `following` as next arguments.

    `end_marker` is empty for a value that does not stand between raw markers.
    """
    end: Marker = closer("tool")
    fits = fitting_closers(closer_name, "tool", following)
    closers = [closer(closer_name)]
    kinds = {FIT: fits, END: [end]}
    if nests:
        kinds[OPEN] = [NEXT_ARG]
    raw_fits: list[Marker] = []
    if end_marker:
        before: Marker = (*exact(end_marker), BLANKS)
        raw_fits = fitting_closers(closer_name, "tool", following, before)
        closers.append((*before, *closers[0]))
    return ValuePatterns(
        compile_markers({RAW_FIT: raw_fits, **kinds}),
        compile_markers({RAW_FIT: raw_fits, FIT: fits}),
        compile_markers({RAW_FIT: raw_fits or fits}),
        compile_markers({CLOSE: closers}).pattern,
        bool(end_marker),
    )


@lru_cache(maxsize=256)
def direct_openers(names: tuple[str, ...]) -> tuple[Marker, ...]:
    """The next argument behind `<path>…</path>`: a tag of one of `names`."""
    return tuple(opener(name) for name in names)
