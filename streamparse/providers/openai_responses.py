"""OpenAI Responses: events told apart by `type`, items by their place in the output or their id.

    {"type": "response.output_item.added", "output_index": 0, "item": {"type": "message", "id": "msg_1", "phase": "…"}}
    {"type": "response.output_text.delta", "output_index": 0, "content_index": 0, "item_id": "msg_1", "delta": "Hi"}
    {"type": "response.output_item.done", "output_index": 0, "item": {"type": "message", …}}
    {"type": "response.output_item.added", "item": {"type": "function_call", "id": "fc_1", "call_id": "c", "name": "f"}}
    {"type": "response.function_call_arguments.delta", "item_id": "fc_1", "delta": "{}"}
    {"type": "response.output_item.done", "item": {"type": "function_call", "id": "fc_1", …, "arguments": "{}"}}
    {"type": "response.completed", "response": {…}}

The `done` events and the last one repeat what the deltas said; what did not come before is taken from them. Servers
change an item's id from one event to the next, but not its place. Each part of a message or of a reasoning item is a
block. Here items begin and end, and so does the response; `responses_prose.py` reads messages and reasoning,
`responses_calls.py` calls, and `responses_items.py` says what each item is that is no prose. What has come so far is
kept in `responses_output.py`.

States: of a message its `id` and `phase`; of reasoning its `id`, and with the last of its blocks `encrypted_content`.
If there is none, and the server does not store the response, `store` is False: the id is worth nothing. A block of
reasoning has `part` "reasoning_text" if it is no part of a summary. Blocks in a row with the same id are parts of the
same item. Reasoning without any text is an empty block, since the item behind it goes back only with it. An item of
type "compaction" is an empty block of reasoning, with its `type` in the state.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from streamparse.providers import responses_calls, responses_prose
from streamparse.providers.deltas import BlockEnd, Delta, Finish, ProviderError
from streamparse.providers.fields import Fields, child, fields, items, slot, text
from streamparse.providers.finish import read_error, read_finish
from streamparse.providers.memory import Memory
from streamparse.providers.responses_calls import announce, call_done, release
from streamparse.providers.responses_items import is_result, is_server, read_result, state_of
from streamparse.providers.responses_output import Item, Output
from streamparse.providers.responses_prose import prose_done


def read(chunk: Fields, memory: Memory) -> list[Delta] | None:
    """The deltas of an event whose type begins with `response.`; None for anything else."""
    kind = text(chunk, "type")
    handler = _EVENTS.get(kind)
    if handler is not None:
        return handler(chunk, memory)
    return [] if kind.startswith("response.") else None


# -- items -------------------------------------------------------------------------------------------------------------


def _item_added(chunk: Fields, memory: Memory) -> list[Delta]:
    source = child(chunk, "item")
    return _begin(source, slot(chunk, "output_index"), memory)[1] if text(source, "type") else []


def _begin(source: Fields, place: int | str | None, memory: Memory) -> tuple[Item, list[Delta]]:
    """An item begins, and with it the block before it ends."""
    output, kind = memory.output, text(source, "type")
    is_prose = kind in ("message", "reasoning")
    deltas = output.close(is_followed=is_prose)
    item = output.add(kind, slot(source, "id"), place)
    if is_prose:
        item.state = state_of(source, kind)
        item.state.pop("encrypted_content", None)  # that of the whole item is another
    elif kind == "shell_call_output":
        output.has_shell = True
        deltas += release(output, memory)
    elif kind != "compaction" and not is_result(kind):
        is_theirs = is_server(source, kind)
        has_path = kind != "apply_patch_call" or text(child(source, "operation"), "path")
        if is_theirs is not None and has_path:
            deltas += announce(item, source, place, memory, not is_theirs)
    return item, deltas


def _item_done(chunk: Fields, memory: Memory) -> list[Delta]:
    return _whole(child(chunk, "item"), slot(chunk, "output_index"), memory)


def _whole(source: Fields, place: int | str | None, memory: Memory) -> list[Delta]:
    """An item is complete; perhaps it is new."""
    kind = text(source, "type")
    if not kind:
        return []
    output = memory.output
    item = output.find(kind, slot(source, "id"), place)
    deltas: list[Delta] = []
    if item is None:
        item, deltas = _begin(source, place, memory)
    if kind in ("message", "reasoning"):
        return deltas + prose_done(item, source, output)
    if item.is_done:
        return []
    if is_result(kind):
        item.is_done = True
        return deltas + read_result(source, kind)
    if kind == "compaction":
        item.is_done = True
        return [*deltas, BlockEnd(state_of(source, kind), "reasoning")]
    return deltas + call_done(item, source, place, memory)


# -- the response ------------------------------------------------------------------------------------------------------


def _note(chunk: Fields, memory: Memory) -> list[Delta]:
    about, response = memory.about, child(chunk, "response")
    about.note(response)
    about.count(response.get("usage"))
    return []


def _created(chunk: Fields, memory: Memory) -> list[Delta]:
    """A response begins; an agent's stream has several."""
    memory.output = Output(is_stored=child(chunk, "response").get("store") is not False)
    return _note(chunk, memory)


def _end(chunk: Fields, memory: Memory, end: list[Delta], *, is_whole: bool) -> list[Delta]:
    """The response has ended: what only its last event holds, what waited for it, and `end`.

    A block that is open when the reply is cut stays so: it is cut, too.
    """
    _note(chunk, memory)
    output = memory.output
    deltas = _unseen(items(child(chunk, "response"), "output"), output, memory)
    if is_whole:
        deltas += output.close(is_followed=False)
    files = output.item.files if output.item else []
    memory.calls.finish()
    return [*deltas, *release(output, memory), *end, *files]


def _unseen(sources: Sequence[Any], output: Output, memory: Memory) -> list[Delta]:
    """What the whole output has besides what came: items that are not done, and those of types that never came."""
    kinds = set(output.kinds)
    deltas: list[Delta] = []
    for place, source in enumerate(map(fields, sources)):
        kind = text(source, "type")
        item = output.find(kind, slot(source, "id"), place)
        if kind not in kinds if item is None else not item.is_done:
            deltas += _whole(source, place, memory)
    return deltas


def _completed(chunk: Fields, memory: Memory) -> list[Delta]:
    return _end(chunk, memory, [Finish("stop", "completed")], is_whole=True)


def _incomplete(chunk: Fields, memory: Memory) -> list[Delta]:
    reason = read_finish(child(child(chunk, "response"), "incomplete_details"), "reason")
    return _end(chunk, memory, reason or [Finish("length", "incomplete")], is_whole=False)


def _failed(chunk: Fields, memory: Memory) -> list[Delta]:
    error = read_error(child(chunk, "response")) or [ProviderError("the response failed")]
    return _end(chunk, memory, error, is_whole=False)


def _cancelled(chunk: Fields, memory: Memory) -> list[Delta]:
    return _end(chunk, memory, [Finish("cancelled", "cancelled")], is_whole=False)


_EVENTS: dict[str, Callable[[Fields, Memory], list[Delta]]] = {
    **responses_prose.EVENTS,
    **responses_calls.EVENTS,
    "response.output_item.added": _item_added,
    "response.output_item.done": _item_done,
    "response.created": _created,
    "response.in_progress": _note,
    "response.completed": _completed,
    "response.incomplete": _incomplete,
    "response.failed": _failed,
    "response.cancelled": _cancelled,
}
