"""Calls of a Responses stream, of the program and of the provider, from their beginning to their end.

    {"type": "response.function_call_arguments.delta", "item_id": "fc_1", "delta": "{}"}
    {"type": "response.custom_tool_call_input.delta", "item_id": "ctc_1", "delta": "SELECT 1"}          raw text
    {"type": "response.shell_call_command.delta", "item_id": "sh_1", "command_index": 0, "delta": "ls"}  JSON around it

`responses_items.py` says what each item is and what stands in it; here that becomes deltas. `EVENTS` are the events
that are read here.
"""

from __future__ import annotations

from collections.abc import Callable

from streamparse.providers.call import ProviderCall
from streamparse.providers.deltas import Delta
from streamparse.providers.fields import Fields, slot, text
from streamparse.providers.json_text import escaped
from streamparse.providers.keys import forget_oldest
from streamparse.providers.memory import Memory
from streamparse.providers.responses_items import (
    JSON_FIELDS,
    RAW_FIELDS,
    arguments_of,
    body,
    call_id_of,
    head,
    is_server,
    is_written,
    name_of,
    read_outcome,
    state_of,
    tail,
)
from streamparse.providers.responses_output import Item, Output


def _find_call(chunk: Fields, memory: Memory) -> Item | None:
    """The item of a call that an event speaks of, while it is under way: by its id, else by its place."""
    known = memory.output.items
    for name in ("item_id", "output_index"):
        number = slot(chunk, name)
        item = None if number is None else known.get(number)
        if item is not None and item.call is not None and not item.is_done:
            return item
    return None


def _arguments(chunk: Fields, memory: Memory) -> list[Delta]:
    item, piece = _find_call(chunk, memory), text(chunk, "delta")
    return [item.call.more(piece)] if item and item.call and piece else []


def _input(chunk: Fields, memory: Memory) -> list[Delta]:
    item, piece = _find_call(chunk, memory), text(chunk, "delta")
    return [item.call.more(piece, raw=True)] if item and item.call and piece else []


def _rest(call: ProviderCall, arguments: str, raw: bool) -> list[Delta]:
    """What is left of the whole arguments when the pieces so far are taken off."""
    rest = arguments[call.size :]
    return [call.more(rest, raw)] if rest else []


def _arguments_done(chunk: Fields, memory: Memory) -> list[Delta]:
    """The end of a call, unless it has no arguments at all: then it may have been cut, and the item's end says more."""
    item = _find_call(chunk, memory)
    if item is None or item.call is None:
        return []
    rest = _rest(item.call, text(chunk, "arguments"), raw=False)
    return rest + item.call.end() if item.call.has_arguments else rest


def _input_done(chunk: Fields, memory: Memory) -> list[Delta]:
    """No end: text that was cut has this event, too, and does not show that it was. The item's end does."""
    item = _find_call(chunk, memory)
    return _rest(item.call, text(chunk, "input") or text(chunk, "code"), raw=True) if item and item.call else []


def _diff(chunk: Fields, memory: Memory) -> list[Delta]:
    return _body(_find_call(chunk, memory), text(chunk, "delta"))


def _command(chunk: Fields, memory: Memory) -> list[Delta]:
    """More of a command; several of them are lines."""
    item, piece = _find_call(chunk, memory), text(chunk, "delta") or text(chunk, "command")
    number = slot(chunk, "command_index") or 0
    if item is not None and number != item.command:
        item.command = number
        piece = "\n" + piece
    return _body(item, piece)


def _body(item: Item | None, piece: str) -> list[Delta]:
    """More of a body that JSON is written around."""
    if item is None or not item.call or item.call.is_server or not piece:
        return []
    item.size += len(piece)
    return [item.call.more(escaped(piece))]


def announce(item: Item, source: Fields, place: int | str | None, memory: Memory, is_ours: bool) -> list[Delta]:
    """The beginning of a call."""
    item_id, kind = slot(source, "id"), item.kind
    call = item.call = memory.calls.open(item_id if item_id is not None else place)
    call.is_server = not is_ours
    opening = head(source, kind) if is_written(kind, not is_ours) else ""
    return call.read(
        *(call_id_of(source), name_of(source, kind, not is_ours), opening, kind in RAW_FIELDS, state_of(source, kind))
    )


def call_done(item: Item, source: Fields, place: int | str | None, memory: Memory) -> list[Delta]:
    """A call is complete, unless it was cut: then it ends with the reply."""
    if item.call is None:
        output, is_theirs = memory.output, is_server(source, item.kind)
        if is_theirs is None and not output.has_shell:
            output.held[id(item)] = item, source
            forget_oldest(output.held)
            return []
        return announce(item, source, place, memory, is_theirs is False) + _end_call(item, source)
    return _end_call(item, source)


def _end_call(item: Item, source: Fields) -> list[Delta]:
    """All that the whole item says of a call that is known."""
    call = item.call
    assert call is not None
    item.is_done = True
    kind, is_cut = item.kind, text(source, "status") == "incomplete"
    name = name_of(source, kind, call.is_server)
    deltas = [] if call.is_ended else call.read(call_id_of(source), name, state=state_of(source, kind))
    if kind in JSON_FIELDS or kind in RAW_FIELDS:
        raw = kind in RAW_FIELDS
        deltas += _rest(call, text(source, RAW_FIELDS[kind] if raw else JSON_FIELDS[kind]), raw)
    elif is_written(kind, call.is_server):
        deltas += _body(item, body(source, kind)[item.size :])
        deltas += [] if is_cut else [call.more(tail(source, kind))]
    elif not is_cut:
        deltas += call.read(arguments=arguments_of(source, kind))
    if is_cut:
        return deltas
    deltas += call.end()
    return deltas + read_outcome(source, kind, name) if call.is_server else deltas


def release(output: Output, memory: Memory) -> list[Delta]:
    """It is certain by now who runs the calls of a shell that were held."""
    held, output.held = output.held, {}
    deltas: list[Delta] = []
    for item, source in held.values():
        deltas += announce(item, source, None, memory, not output.has_shell) + _end_call(item, source)
    return deltas


EVENTS: dict[str, Callable[[Fields, Memory], list[Delta]]] = {
    "response.function_call_arguments.delta": _arguments,
    "response.function_call_arguments.done": _arguments_done,
    "response.mcp_call_arguments.delta": _arguments,
    "response.mcp_call_arguments.done": _arguments_done,
    "response.custom_tool_call_input.delta": _input,
    "response.custom_tool_call_input.done": _input_done,
    "response.code_interpreter_call_code.delta": _input,
    "response.code_interpreter_call_code.done": _input_done,
    "response.apply_patch_call_operation_diff.delta": _diff,
    "response.shell_call_command.added": _command,
    "response.shell_call_command.delta": _command,
}
