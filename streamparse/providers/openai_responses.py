"""OpenAI Responses: events told apart by `type`, calls by `item_id`.

    {"type": "response.output_text.delta", "item_id": "msg_1", "delta": "Hi"}
    {"type": "response.output_item.added", "item": {"type": "function_call", "id": "fc_1", "call_id": "c", "name": "f"}}
    {"type": "response.function_call_arguments.delta", "item_id": "fc_1", "delta": "{}"}
    {"type": "response.output_item.done", "item": {"type": "function_call", "id": "fc_1", …, "arguments": "{}"}}
    {"type": "response.completed", "response": {…}}

The `done` events repeat what the deltas said; what did not come before is taken from them.
Calls that the provider runs itself (web search, MCP, code interpreter …) are nobody's to answer and are left out.
"""

from __future__ import annotations

from collections.abc import Callable

from streamparse.providers.call import Call
from streamparse.providers.deltas import Delta, Finish, ProviderError, ReasoningDelta, TextDelta
from streamparse.providers.fields import Fields, child, slot, text
from streamparse.providers.finish import read_error, read_finish
from streamparse.providers.keys import CallKeys

#: The types of items that are calls for us, and the field of their arguments.
_CALL_ITEMS = {"function_call": "arguments", "custom_tool_call": "input"}


def read(chunk: Fields, keys: CallKeys) -> list[Delta] | None:
    """The deltas of an event whose type begins with `response.`; None for anything else."""
    kind = text(chunk, "type")
    if not kind.startswith("response."):
        return None
    handler = _EVENTS.get(kind)
    return handler(chunk, keys) if handler else []


def _text(chunk: Fields, _keys: CallKeys) -> list[Delta]:
    delta = text(chunk, "delta")
    return [TextDelta(delta)] if delta else []


def _reasoning(chunk: Fields, _keys: CallKeys) -> list[Delta]:
    delta = text(chunk, "delta")
    return [ReasoningDelta(delta)] if delta else []


def _item_added(chunk: Fields, keys: CallKeys) -> list[Delta]:
    item = child(chunk, "item")
    kind = text(item, "type")
    if kind not in _CALL_ITEMS:
        return []
    item_id, place = slot(item, "id"), slot(chunk, "output_index")
    call = keys.open(item_id if item_id is not None else place)
    keys.alias(place, call)
    return call.read(text(item, "call_id"), text(item, "name"), raw=kind == "custom_tool_call")


def _find(chunk: Fields, keys: CallKeys) -> Call | None:
    """The call of an event: by the item's id, else by its place in the output."""
    return keys.at(slot(chunk, "item_id")) or keys.at(slot(chunk, "output_index"))


def _arguments(chunk: Fields, keys: CallKeys) -> list[Delta]:
    return _more(_find(chunk, keys), text(chunk, "delta"), raw=False)


def _input(chunk: Fields, keys: CallKeys) -> list[Delta]:
    return _more(_find(chunk, keys), text(chunk, "delta"), raw=True)


def _more(call: Call | None, piece: str, raw: bool) -> list[Delta]:
    return [call.more(piece, raw)] if call and piece else []


def _rest(call: Call | None, arguments: str, raw: bool) -> list[Delta]:
    """What is left of the whole arguments when the pieces so far are taken off."""
    return _more(call, arguments[call.size :], raw) if call else []


def _arguments_done(chunk: Fields, keys: CallKeys) -> list[Delta]:
    """The end of a call, unless it has no arguments at all: then it may have been cut, and the item's end says more."""
    call = _find(chunk, keys)
    rest = _rest(call, text(chunk, "arguments"), raw=False)
    return rest + call.end() if call and call.has_arguments else rest


def _input_done(chunk: Fields, keys: CallKeys) -> list[Delta]:
    """No end: text that was cut has this event, too, and does not show that it was. The item's end does."""
    return _rest(_find(chunk, keys), text(chunk, "input"), raw=True)


def _item_done(chunk: Fields, keys: CallKeys) -> list[Delta]:
    item = child(chunk, "item")
    kind = text(item, "type")
    if kind not in _CALL_ITEMS:
        return []
    raw = kind == "custom_tool_call"
    by_place, by_id = keys.close(slot(chunk, "output_index")), keys.close(slot(item, "id"))
    call = by_id or by_place
    added: list[Delta] = []
    if call is None:
        call = keys.open(slot(item, "id"))
        added = call.read(text(item, "call_id"), text(item, "name"), raw=raw)
        keys.close(slot(item, "id"))
    deltas = added + _rest(call, text(item, _CALL_ITEMS[kind]), raw)
    return deltas if text(item, "status") == "incomplete" else deltas + call.end()


def _completed(_chunk: Fields, keys: CallKeys) -> list[Delta]:
    keys.finish()
    return [Finish("stop", "completed")]


def _incomplete(chunk: Fields, keys: CallKeys) -> list[Delta]:
    keys.finish()
    return read_finish(child(child(chunk, "response"), "incomplete_details"), "reason") or [
        Finish("length", "incomplete")
    ]


def _failed(chunk: Fields, keys: CallKeys) -> list[Delta]:
    keys.finish()
    return read_error(child(chunk, "response")) or [ProviderError("the response failed")]


def _cancelled(_chunk: Fields, keys: CallKeys) -> list[Delta]:
    keys.finish()
    return [Finish("cancelled", "cancelled")]


_EVENTS: dict[str, Callable[[Fields, CallKeys], list[Delta]]] = {
    "response.output_text.delta": _text,
    "response.refusal.delta": _text,
    "response.reasoning_text.delta": _reasoning,
    "response.reasoning_summary_text.delta": _reasoning,
    "response.output_item.added": _item_added,
    "response.function_call_arguments.delta": _arguments,
    "response.function_call_arguments.done": _arguments_done,
    "response.custom_tool_call_input.delta": _input,
    "response.custom_tool_call_input.done": _input_done,
    "response.output_item.done": _item_done,
    "response.completed": _completed,
    "response.incomplete": _incomplete,
    "response.failed": _failed,
    "response.cancelled": _cancelled,
}
