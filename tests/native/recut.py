"""The same chunks with the arguments of their calls cut in other places."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from streamparse import Chunk
from tests.cuts import some

Cut = Callable[[str], list[str]]


def recut(chunk: Any, cut: Cut) -> list[Any]:
    """`chunk` as several, if it has pieces of calls: all that it says, in the same order, each piece cut by `cut`."""
    if isinstance(chunk, Chunk):
        return _entries(
            chunk.tool_calls or (), cut, lambda entry, is_first, is_last: _chunk(chunk, entry, is_first)
        ) or [chunk]
    if not isinstance(chunk, dict):
        return [chunk]
    if isinstance(chunk.get("data"), dict):
        return [{**chunk, "data": inner} for inner in recut(chunk["data"], cut)]
    if len(chunk.get("choices") or ()) == 1:
        return _choice(chunk, cut)
    if "tool_call_chunks" in chunk:
        return _entries(
            chunk["tool_call_chunks"],
            cut,
            lambda entry, is_first, is_last: {
                **chunk,
                "content": chunk["content"] if is_first else "",
                "tool_call_chunks": [entry],
            },
        ) or [chunk]
    path = _path(chunk)
    if path is None:
        return [chunk]
    return [_put(chunk, path, piece) for piece in cut(_get(chunk, path))]


def _choice(chunk: dict[str, Any], cut: Cut) -> list[Any]:
    [choice] = chunk["choices"]
    delta = choice.get("delta") or {}

    def build(entry: dict[str, Any], is_first: bool, is_last: bool) -> dict[str, Any]:
        fields = {**delta, "tool_calls": [entry]} if is_first else {"tool_calls": [entry]}
        finish = choice.get("finish_reason") if is_last else None
        return {**chunk, "choices": [{**choice, "delta": fields, "finish_reason": finish}]}

    return _entries(delta.get("tool_calls") or (), cut, build) or [chunk]


def _chunk(chunk: Chunk, entry: dict[str, Any], is_first: bool) -> Chunk:
    return Chunk(chunk.content, chunk.reasoning, [entry]) if is_first else Chunk(tool_calls=[entry])


def _entries(entries: Any, cut: Cut, build: Callable[[Any, bool, bool], Any]) -> list[Any]:
    pieces = [piece for entry in entries for piece in _entry(entry, cut)]
    return [build(entry, place == 0, place == len(pieces) - 1) for place, entry in enumerate(pieces)]


def _entry(entry: dict[str, Any], cut: Cut) -> Iterator[dict[str, Any]]:
    """One entry of `tool_calls` as several: the first has the id and the name, the others the place."""
    inner = next((name for name in ("function", "custom") if isinstance(entry.get(name), dict)), None)
    holder = entry[inner] if inner else entry
    field = next((name for name in ("arguments", "input", "args") if isinstance(holder.get(name), str)), None)
    if field is None or len(cut(holder[field])) < 2:
        yield entry
        return
    first, *rest = cut(holder[field])
    yield {**entry, inner: {**holder, field: first}} if inner else {**entry, field: first}
    place = {name: entry[name] for name in ("index", "type") if name in entry}
    for piece in rest:
        yield {**place, inner: {field: piece}} if inner else {**place, field: piece}


#: Where arguments are, in chunks that hold those of one call.
_PATHS = {
    "response.function_call_arguments.delta": ("delta",),
    "response.custom_tool_call_input.delta": ("delta",),
    "response.code_interpreter_call_code.delta": ("delta",),
    "response.mcp_call_arguments.delta": ("delta",),
    "response.apply_patch_call_operation_diff.delta": ("delta",),
    "response.shell_call_command.delta": ("delta",),
    "content_block_delta": ("delta", "partial_json"),
}


def _path(chunk: dict[str, Any]) -> tuple[str, ...] | None:
    paths = [
        _PATHS.get(chunk.get("type", "")),
        ("contentBlockDelta", "delta", "toolUse", "input"),
        ("delta", "args_delta") if chunk.get("event_kind") == "part_delta" else None,
        ("delta", "arguments") if chunk.get("event_type") == "step.delta" else None,
    ]
    return next((path for path in paths if path and isinstance(_get(chunk, path), str)), None)


def _get(value: Any, path: tuple[str, ...]) -> Any:
    for name in path:
        value = value.get(name) if isinstance(value, dict) else None
    return value


def _put(value: dict[str, Any], path: tuple[str, ...], piece: str) -> dict[str, Any]:
    name, *rest = path
    return {**value, name: _put(value[name], tuple(rest), piece) if rest else piece}


def by_characters(source: str) -> list[str]:
    return list(source) or [source]


def cuts_in_two(chunks: list[Any]) -> Iterator[list[Any]]:
    """Every way to cut one piece of one call's arguments in two."""
    whole = [piece for chunk in chunks for piece in recut(chunk, lambda source: [source])]
    for number, chunk in enumerate(whole):
        size = _size(chunk)
        for place in some(range(1, size)):
            two = recut(chunk, lambda source, place=place: [source[:place], source[place:]])
            yield [*whole[:number], *two, *whole[number + 1 :]]


def _size(chunk: Any) -> int:
    """How many characters of arguments a chunk has that holds those of one call."""
    sizes = [0]

    def measure(source: str) -> list[str]:
        sizes.append(len(source))
        return [source]

    recut(chunk, measure)
    return max(sizes)
