"""The tags of plans, which several formats have in common.

    <multi_tool_use mode="parallel">  <multi_tool_use mode='sequential'>  <multi_tool_use mode=parallel>
    <multi_tool_use>  <sequential>      one after the other
    <parallel>                          all at once

Case does not matter. A tag counts only if another one follows it: in prose, they are words like any other.
"""

from __future__ import annotations

from functools import lru_cache

from streamparse.core.markers import BLANKS, SOME_BLANKS, Atom, Marker
from streamparse.core.open_plans import MODES
from streamparse.core.opening import Opener
from streamparse.states.plan import PlanState, PlanTag

_TAG = "multi_tool_use"
#: The beginning of another tag, which is left.
_FOLLOWED: Marker = (BLANKS, "<", Atom(r"(?=[A-Za-z_])"))


def _markers() -> list[tuple[Marker, str, str]]:
    """Each marker with the name of its tag, and the mode."""
    found: list[tuple[Marker, str, str]] = [(("<" + _TAG, BLANKS, ">"), _TAG, "sequential")]
    for mode in MODES:
        found.append((("<" + mode, BLANKS, ">"), mode, mode))
        for quote in ('"', "'", ""):
            head = ("<" + _TAG, SOME_BLANKS, "mode", BLANKS, "=", BLANKS, quote + mode + quote, BLANKS, ">")
            found.append((head, _TAG, mode))
    return [((*marker, *_FOLLOWED), tag, mode) for marker, tag, mode in found]


@lru_cache(maxsize=8)
def plan_openers(format: str) -> tuple[Opener, ...]:
    """What begins a plan in `format`."""
    return tuple(
        Opener(marker, PlanState, format, PlanTag(tag, mode), in_reasoning="text") for marker, tag, mode in _markers()
    )
