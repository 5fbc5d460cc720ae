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
block. `responses_items.py` says what all other items are.

States: of a message its `id` and `phase`; of reasoning its `id`, and with the last of its blocks `encrypted_content`.
If there is none, and the server does not store the response, `store` is False: the id is worth nothing. A block of
reasoning has `part` "reasoning_text" if it is no part of a summary. Blocks in a row with the same id are parts of the
same item. Reasoning without any text is an empty block, since the item behind it goes back only with it. An item of
type "compaction" is an empty block of reasoning, with its `type` in the state.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from attrs import define, field

from streamparse.events import INTERFACE
from streamparse.providers.call import Call
from streamparse.providers.deltas import (
    BlockEnd,
    Delta,
    File,
    Finish,
    ProviderError,
    ReasoningDelta,
    RefusalDelta,
    TextDelta,
)
from streamparse.providers.fields import Fields, child, fields, items, plain, slot, text
from streamparse.providers.finish import read_error, read_finish
from streamparse.providers.keys import CallKeys, forget_oldest
from streamparse.providers.openai_chat import read_annotation
from streamparse.providers.responses_items import (
    JSON_FIELDS,
    RAW_FIELDS,
    arguments_of,
    body,
    call_id_of,
    escaped,
    head,
    is_result,
    is_server,
    is_written,
    name_of,
    read_outcome,
    read_result,
    state_of,
    tail,
)

#: The types of parts, which say in which item they are, and what their text is.
_PARTS: dict[str, tuple[str, Callable[[str], Delta]]] = {
    "output_text": ("message", TextDelta),
    "refusal": ("message", RefusalDelta),
    "summary_text": ("reasoning", ReasoningDelta),
    "reasoning_text": ("reasoning", ReasoningDelta),
}
#: Annotations that are files which a tool of the provider made.
_FILES = ("container_file_citation", "file_path")


@define(eq=False)
class _Part:
    """A part of a message or of reasoning: how many characters of it came, and how many sources."""

    kind: str
    size: int = 0
    sources: int = 0


@define(eq=False)
class _Item:
    """An item of the output."""

    kind: str
    #: What must go back with it.
    state: dict[str, Any] = field(factory=dict)
    is_done: bool = False
    #: Of a message or of reasoning: its parts by type and index, and files that are told when the block ends.
    parts: dict[tuple[str, int | str], _Part] = field(factory=dict)
    files: list[Delta] = field(factory=list)
    #: Of a call: what was told of its body, where JSON is written around that, and which command it was in.
    call: Call | None = None
    size: int = 0
    command: int | str = 0


@define(eq=False)
class Output:
    """The items of one response."""

    #: By place and by id.
    items: dict[int | str, _Item] = field(factory=dict)
    #: The types of all that came: what has one of these is not taken from the last event again.
    kinds: set[str] = field(factory=set)
    #: The block that is open, and how the wire calls it.
    item: _Item | None = None
    part: _Part | None = None
    place: object = None
    #: Calls of a shell that the provider may have run. That it has is certain with the first output of a shell, that it
    #: has not when the reply ends.
    held: dict[int, tuple[_Item, Fields]] = field(factory=dict)
    has_shell: bool = False
    #: Whether the server keeps the response, so that the id of an item is worth something.
    is_stored: bool = True

    def find(self, kind: str, item_id: int | str | None, place: int | str | None) -> _Item | None:
        """The item of this type that an event speaks of: by its id, else by its place, else the open one."""
        for name in (item_id, place):
            known = None if name is None else self.items.get(name)
            if known is not None and known.kind == kind:
                return known
        is_open = place is None and item_id is None and self.item is not None and self.item.kind == kind
        return self.item if is_open else None

    def add(self, kind: str, item_id: int | str | None, place: int | str | None) -> _Item:
        """A new item."""
        item = _Item(kind)
        self.kinds.add(kind)
        for name in (item_id, place):
            if name is not None:
                self.items[name] = item
        forget_oldest(self.items)
        return item

    def close(self, *, is_followed: bool = True) -> list[Delta]:
        """The open block ends, with what must go back. Reasoning may have that and no text: it is told all the same.

        `is_followed`: by a block of text or reasoning, perhaps. If not, only the state matters.
        """
        item, part = self.item, self.part
        self.item = self.part = self.place = None
        if item is None:
            return []
        state, kind = dict(item.state), ""
        files, item.files = item.files, []
        if part is None:
            kind = "reasoning" if item.kind == "reasoning" and state else ""
        elif part.kind == "reasoning_text":
            state["part"] = part.kind
        if item.kind == "reasoning" and not self.is_stored and "encrypted_content" not in state:
            state["store"] = False
        is_told = kind or (part and (state or is_followed))
        return [BlockEnd(state or None, kind), *files] if is_told else files


def read(chunk: Fields, keys: CallKeys) -> list[Delta] | None:
    """The deltas of an event whose type begins with `response.`; None for anything else."""
    kind = text(chunk, "type")
    handler = _EVENTS.get(kind)
    if handler is not None:
        return handler(chunk, keys)
    return [] if kind.startswith("response.") else None


def _output(keys: CallKeys) -> Output:
    if keys.output is None:
        keys.output = Output()
    output: Output = keys.output
    return output


# -- text and reasoning ------------------------------------------------------------------------------------------------


def _text(chunk: Fields, keys: CallKeys) -> list[Delta]:
    output, piece = keys.output, chunk.get("delta")
    place = "output_text", chunk.get("output_index"), chunk.get("content_index")
    if output is not None and output.place == place and piece.__class__ is str and piece:  # as nearly always
        output.part.size += len(piece)
        return [TextDelta(piece)]
    return _more(chunk, keys, "output_text", "content_index")


def _refusal(chunk: Fields, keys: CallKeys) -> list[Delta]:
    return _more(chunk, keys, "refusal", "content_index")


def _reasoning(chunk: Fields, keys: CallKeys) -> list[Delta]:
    return _more(chunk, keys, "reasoning_text", "content_index")


def _summary(chunk: Fields, keys: CallKeys) -> list[Delta]:
    return _more(chunk, keys, "summary_text", "summary_index")


def _more(chunk: Fields, keys: CallKeys, kind: str, index: str) -> list[Delta]:
    """More of a part, of the open one as a rule."""
    piece = text(chunk, "delta")
    if not piece:
        return []
    output, number = _output(keys), chunk.get("output_index")
    place = kind, chunk.get("item_id") if number is None else number, chunk.get(index)
    if output.place == place and output.part is not None:
        output.part.size += len(piece)
        return [_PARTS[kind][1](piece)]
    item, part = _find_part(chunk, keys, kind, index)
    deltas = _grow(output, item, part, piece)
    output.place = place
    return deltas


def _find_part(chunk: Fields, keys: CallKeys, kind: str, index: str) -> tuple[_Item, _Part]:
    """The part that an event speaks of."""
    output, owner = _output(keys), _PARTS[kind][0]
    names = slot(chunk, "item_id"), slot(chunk, "output_index")
    item = output.find(owner, *names) or output.add(owner, *names)
    return item, item.parts.setdefault((kind, slot(chunk, index) or 0), _Part(kind))


def _grow(output: Output, item: _Item, part: _Part, piece: str) -> list[Delta]:
    """More of a part, which is a block of its own."""
    if not piece:
        return []
    is_open = output.part is part or (output.part is None and output.item is item)
    deltas: list[Delta] = [] if is_open else output.close()
    output.item, output.part = item, part
    part.size += len(piece)
    return [*deltas, _PARTS[part.kind][1](piece)]


def _text_done(chunk: Fields, keys: CallKeys) -> list[Delta]:
    return _part_done(chunk, keys, "output_text", "content_index", "text")


def _refusal_done(chunk: Fields, keys: CallKeys) -> list[Delta]:
    return _part_done(chunk, keys, "refusal", "content_index", "refusal")


def _reasoning_done(chunk: Fields, keys: CallKeys) -> list[Delta]:
    return _part_done(chunk, keys, "reasoning_text", "content_index", "text")


def _summary_done(chunk: Fields, keys: CallKeys) -> list[Delta]:
    return _part_done(chunk, keys, "summary_text", "summary_index", "text")


def _part_done(chunk: Fields, keys: CallKeys, kind: str, index: str, name: str) -> list[Delta]:
    """What the pieces of a part left out."""
    whole = text(chunk, name)
    if not whole:
        return []
    item, part = _find_part(chunk, keys, kind, index)
    return _grow(_output(keys), item, part, whole[part.size :])


def _annotation(chunk: Fields, keys: CallKeys) -> list[Delta]:
    item, part = _find_part(chunk, keys, "output_text", "content_index")
    part.sources += 1
    return _read_annotation(child(chunk, "annotation"), item)


def _read_annotation(annotation: Fields, item: _Item) -> list[Delta]:
    """A source of the text. A file waits for the end of the text, which it would cut."""
    kind = text(annotation, "type")
    if kind not in _FILES:
        return read_annotation(annotation)
    names = {"filename": "name"}
    told = {names.get(name, name): value for name, value in plain(annotation).items() if name != "type"}
    item.files.append(File(told))
    return []


def _prose_done(item: _Item, source: Fields, output: Output) -> list[Delta]:
    """A message or reasoning is complete, unless it was cut: then its block ends with the reply."""
    deltas: list[Delta] = []
    for index, kind, part_source in _parts_of(source):
        part = item.parts.setdefault((kind, index), _Part(kind))
        deltas += _grow(output, item, part, text(part_source, "refusal" if kind == "refusal" else "text")[part.size :])
        for annotation in items(part_source, "annotations")[part.sources :]:
            part.sources += 1
            deltas += _read_annotation(fields(annotation), item)
    is_first, item.is_done = not item.is_done, True
    if text(source, "status") == "incomplete" or not is_first:
        return deltas
    item.state = state_of(source, item.kind)
    if output.item is not item:
        deltas += output.close()
        output.item = item
    return deltas + output.close()


def read_reasoning(source: Fields, keys: CallKeys) -> list[Delta]:
    """More of a reasoning item, as LangChain tells it: each part of its summary is the next piece of one."""
    output, item_id = _output(keys), slot(source, "id")
    item = output.find("reasoning", item_id, None)
    deltas: list[Delta] = []
    if item is None:
        deltas = output.close()
        item = output.item = output.add("reasoning", item_id, None)
    known = state_of(source, "reasoning")
    known.pop("index", None)  # of LangChain's own
    if known:
        item.state |= {INTERFACE: "openai-responses", **known}
    for place, piece in enumerate(map(fields, items(source, "summary"))):
        index = slot(piece, "index")
        part = item.parts.setdefault(("summary_text", place if index is None else index), _Part("summary_text"))
        deltas += _grow(output, item, part, text(piece, "text"))
    return deltas


def _parts_of(source: Fields) -> Iterator[tuple[int, str, Fields]]:
    """The parts of a whole item: index, type, fields."""
    for name in ("summary", "content"):
        for index, part in enumerate(map(fields, items(source, name))):
            kind = text(part, "type")
            if kind in _PARTS:
                yield index, kind, part


# -- calls -------------------------------------------------------------------------------------------------------------


def _find_call(chunk: Fields, keys: CallKeys) -> _Item | None:
    """The item of a call that an event speaks of, while it is under way: by its id, else by its place."""
    known = _output(keys).items
    for name in ("item_id", "output_index"):
        number = slot(chunk, name)
        item = None if number is None else known.get(number)
        if item is not None and item.call is not None and not item.is_done:
            return item
    return None


def _arguments(chunk: Fields, keys: CallKeys) -> list[Delta]:
    item, piece = _find_call(chunk, keys), text(chunk, "delta")
    return [item.call.more(piece)] if item and item.call and piece else []


def _input(chunk: Fields, keys: CallKeys) -> list[Delta]:
    item, piece = _find_call(chunk, keys), text(chunk, "delta")
    return [item.call.more(piece, raw=True)] if item and item.call and piece else []


def _rest(call: Call, arguments: str, raw: bool) -> list[Delta]:
    """What is left of the whole arguments when the pieces so far are taken off."""
    rest = arguments[call.size :]
    return [call.more(rest, raw)] if rest else []


def _arguments_done(chunk: Fields, keys: CallKeys) -> list[Delta]:
    """The end of a call, unless it has no arguments at all: then it may have been cut, and the item's end says more."""
    item = _find_call(chunk, keys)
    if item is None or item.call is None:
        return []
    rest = _rest(item.call, text(chunk, "arguments"), raw=False)
    return rest + item.call.end() if item.call.has_arguments else rest


def _input_done(chunk: Fields, keys: CallKeys) -> list[Delta]:
    """No end: text that was cut has this event, too, and does not show that it was. The item's end does."""
    item = _find_call(chunk, keys)
    return _rest(item.call, text(chunk, "input") or text(chunk, "code"), raw=True) if item and item.call else []


def _diff(chunk: Fields, keys: CallKeys) -> list[Delta]:
    return _body(_find_call(chunk, keys), text(chunk, "delta"))


def _command(chunk: Fields, keys: CallKeys) -> list[Delta]:
    """More of a command; several of them are lines."""
    item, piece = _find_call(chunk, keys), text(chunk, "delta") or text(chunk, "command")
    number = slot(chunk, "command_index") or 0
    if item is not None and number != item.command:
        item.command = number
        piece = "\n" + piece
    return _body(item, piece)


def _body(item: _Item | None, piece: str) -> list[Delta]:
    """More of a body that JSON is written around."""
    if item is None or not item.call or item.call.is_server or not piece:
        return []
    item.size += len(piece)
    return [item.call.more(escaped(piece))]


def _announce(item: _Item, source: Fields, place: int | str | None, keys: CallKeys, is_ours: bool) -> list[Delta]:
    """The beginning of a call."""
    item_id, kind = slot(source, "id"), item.kind
    call = item.call = keys.open(item_id if item_id is not None else place)
    call.is_server = not is_ours
    opening = head(source, kind) if is_written(kind, not is_ours) else ""
    return call.read(
        *(call_id_of(source), name_of(source, kind, not is_ours), opening, kind in RAW_FIELDS, state_of(source, kind))
    )


def _call_done(item: _Item, source: Fields, place: int | str | None, keys: CallKeys) -> list[Delta]:
    """A call is complete, unless it was cut: then it ends with the reply."""
    if item.call is None:
        output, is_theirs = _output(keys), is_server(source, item.kind)
        if is_theirs is None and not output.has_shell:
            output.held[id(item)] = item, source
            forget_oldest(output.held)
            return []
        return _announce(item, source, place, keys, is_theirs is False) + _end_call(item, source)
    return _end_call(item, source)


def _end_call(item: _Item, source: Fields) -> list[Delta]:
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


def _release(output: Output, keys: CallKeys) -> list[Delta]:
    """It is certain by now who runs the calls of a shell that were held."""
    held, output.held = output.held, {}
    deltas: list[Delta] = []
    for item, source in held.values():
        deltas += _announce(item, source, None, keys, not output.has_shell) + _end_call(item, source)
    return deltas


# -- items -------------------------------------------------------------------------------------------------------------


def _item_added(chunk: Fields, keys: CallKeys) -> list[Delta]:
    source = child(chunk, "item")
    return _begin(source, slot(chunk, "output_index"), keys)[1] if text(source, "type") else []


def _begin(source: Fields, place: int | str | None, keys: CallKeys) -> tuple[_Item, list[Delta]]:
    """An item begins, and with it the block before it ends."""
    output, kind = _output(keys), text(source, "type")
    is_prose = kind in ("message", "reasoning")
    deltas = output.close(is_followed=is_prose)
    item = output.add(kind, slot(source, "id"), place)
    if is_prose:
        item.state = state_of(source, kind)
        item.state.pop("encrypted_content", None)  # that of the whole item is another
    elif kind == "shell_call_output":
        output.has_shell = True
        deltas += _release(output, keys)
    elif kind != "compaction" and not is_result(kind):
        is_theirs = is_server(source, kind)
        has_path = kind != "apply_patch_call" or text(child(source, "operation"), "path")
        if is_theirs is not None and has_path:
            deltas += _announce(item, source, place, keys, not is_theirs)
    return item, deltas


def _item_done(chunk: Fields, keys: CallKeys) -> list[Delta]:
    return _whole(child(chunk, "item"), slot(chunk, "output_index"), keys)


def _whole(source: Fields, place: int | str | None, keys: CallKeys) -> list[Delta]:
    """An item is complete; perhaps it is new."""
    kind = text(source, "type")
    if not kind:
        return []
    output = _output(keys)
    item = output.find(kind, slot(source, "id"), place)
    deltas: list[Delta] = []
    if item is None:
        item, deltas = _begin(source, place, keys)
    if kind in ("message", "reasoning"):
        return deltas + _prose_done(item, source, output)
    if item.is_done:
        return []
    if is_result(kind):
        item.is_done = True
        return deltas + read_result(source, kind)
    if kind == "compaction":
        item.is_done = True
        return [*deltas, BlockEnd(state_of(source, kind), "reasoning")]
    return deltas + _call_done(item, source, place, keys)


# -- the response ------------------------------------------------------------------------------------------------------


def _note(chunk: Fields, keys: CallKeys) -> list[Delta]:
    about, response = keys.about, child(chunk, "response")
    about.note(response)
    about.count(response.get("usage"))
    return []


def _created(chunk: Fields, keys: CallKeys) -> list[Delta]:
    """A response begins; an agent's stream has several."""
    keys.output = None
    if child(chunk, "response").get("store") is False:
        _output(keys).is_stored = False
    return _note(chunk, keys)


def _end(chunk: Fields, keys: CallKeys, end: list[Delta], *, is_whole: bool) -> list[Delta]:
    """The response has ended: what only its last event holds, what waited for it, and `end`.

    A block that is open when the reply is cut stays so: it is cut, too.
    """
    _note(chunk, keys)
    output = _output(keys)
    deltas = _unseen(items(child(chunk, "response"), "output"), output, keys)
    if is_whole:
        deltas += output.close(is_followed=False)
    files = output.item.files if output.item else []
    keys.finish()
    return [*deltas, *_release(output, keys), *end, *files]


def _unseen(sources: Sequence[Any], output: Output, keys: CallKeys) -> list[Delta]:
    """What the whole output has besides what came: items that are not done, and those of types that never came."""
    kinds = set(output.kinds)
    deltas: list[Delta] = []
    for place, source in enumerate(map(fields, sources)):
        kind = text(source, "type")
        item = output.find(kind, slot(source, "id"), place)
        if kind not in kinds if item is None else not item.is_done:
            deltas += _whole(source, place, keys)
    return deltas


def _completed(chunk: Fields, keys: CallKeys) -> list[Delta]:
    return _end(chunk, keys, [Finish("stop", "completed")], is_whole=True)


def _incomplete(chunk: Fields, keys: CallKeys) -> list[Delta]:
    reason = read_finish(child(child(chunk, "response"), "incomplete_details"), "reason")
    return _end(chunk, keys, reason or [Finish("length", "incomplete")], is_whole=False)


def _failed(chunk: Fields, keys: CallKeys) -> list[Delta]:
    error = read_error(child(chunk, "response")) or [ProviderError("the response failed")]
    return _end(chunk, keys, error, is_whole=False)


def _cancelled(chunk: Fields, keys: CallKeys) -> list[Delta]:
    return _end(chunk, keys, [Finish("cancelled", "cancelled")], is_whole=False)


_EVENTS: dict[str, Callable[[Fields, CallKeys], list[Delta]]] = {
    "response.output_text.delta": _text,
    "response.output_text.done": _text_done,
    "response.output_text.annotation.added": _annotation,
    "response.refusal.delta": _refusal,
    "response.refusal.done": _refusal_done,
    "response.reasoning_text.delta": _reasoning,
    "response.reasoning_text.done": _reasoning_done,
    "response.reasoning_summary_text.delta": _summary,
    "response.reasoning_summary_text.done": _summary_done,
    "response.output_item.added": _item_added,
    "response.output_item.done": _item_done,
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
    "response.created": _created,
    "response.in_progress": _note,
    "response.completed": _completed,
    "response.incomplete": _incomplete,
    "response.failed": _failed,
    "response.cancelled": _cancelled,
}
