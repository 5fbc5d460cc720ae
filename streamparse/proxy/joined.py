"""Deltas that follow each other and add to the same text, or to the arguments of the same call, as one.

    [{"content": "a <b>"}, {"content": " c"}, {"reasoning_content": "Hm"}]
    [{"content": "a <b> c"}, {"reasoning_content": "Hm"}]

One delta of a server may become several of ours, such as a call that is given back and the text behind it. With a chunk
for each, much more would be sent than came.
"""

from __future__ import annotations

from collections.abc import Hashable
from itertools import groupby
from typing import Any, TypeAlias

Json: TypeAlias = dict[str, Any]

_CALLS = "tool_calls"


def joined(deltas: list[Json]) -> list[Json]:
    """The deltas, as few as can be."""
    if len(deltas) < 2:
        return deltas
    groups = [list(group) for _, group in groupby(deltas, _kind)]
    return [group[0] if len(group) == 1 else _join(group) for group in groups]


def _kind(delta: Json) -> Hashable:
    """What a delta adds to: the same for those that can be one."""
    if _CALLS not in delta:
        return tuple(delta)
    first, *others = delta[_CALLS]  # several are of a server, which held them in its field
    return id(delta) if others or "id" in first else first["index"]


def _join(group: list[Json]) -> Json:
    if _CALLS not in group[0]:
        return {name: "".join([delta[name] for delta in group]) for name in group[0]}
    calls = [delta[_CALLS][0] for delta in group]
    arguments = "".join([call["function"]["arguments"] for call in calls])
    return {_CALLS: [{**calls[0], "function": {"arguments": arguments}}]}
