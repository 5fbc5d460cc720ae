"""Messages and reasoning of a Responses stream: text, refusals and summaries, which come in parts.

    {"type": "response.output_text.delta", "output_index": 0, "content_index": 0, "item_id": "msg_1", "delta": "Hi"}
    {"type": "response.output_text.done", …, "text": "Hi"}                              what the pieces left out
    {"type": "response.output_text.annotation.added", …, "annotation": {…}}             a source, or a file

Each part is a block of its own. `EVENTS` are the events that are read here.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from streamparse.events import INTERFACE
from streamparse.providers.deltas import Delta, File, ReasoningDelta, RefusalDelta, TextDelta
from streamparse.providers.fields import Fields, child, fields, items, plain, slot, text
from streamparse.providers.memory import Memory
from streamparse.providers.openai_chat import read_annotation
from streamparse.providers.responses_items import state_of
from streamparse.providers.responses_output import Item, Output, Part

#: The types of parts, which say in which item they are, and what their text is.
_PARTS: dict[str, tuple[str, Callable[[str], Delta]]] = {
    "output_text": ("message", TextDelta),
    "refusal": ("message", RefusalDelta),
    "summary_text": ("reasoning", ReasoningDelta),
    "reasoning_text": ("reasoning", ReasoningDelta),
}
#: Annotations that are files which a tool of the provider made.
_FILES = ("container_file_citation", "file_path")


def _text(chunk: Fields, memory: Memory) -> list[Delta]:
    output, piece = memory.output, chunk.get("delta")
    place = "output_text", chunk.get("output_index"), chunk.get("content_index")
    if output.place == place and output.part is not None and piece.__class__ is str and piece:  # as nearly always
        output.part.size += len(piece)
        return [TextDelta(piece)]
    return _more(chunk, memory, "output_text", "content_index")


def _refusal(chunk: Fields, memory: Memory) -> list[Delta]:
    return _more(chunk, memory, "refusal", "content_index")


def _reasoning(chunk: Fields, memory: Memory) -> list[Delta]:
    return _more(chunk, memory, "reasoning_text", "content_index")


def _summary(chunk: Fields, memory: Memory) -> list[Delta]:
    return _more(chunk, memory, "summary_text", "summary_index")


def _more(chunk: Fields, memory: Memory, kind: str, index: str) -> list[Delta]:
    """More of a part, of the open one as a rule."""
    piece = text(chunk, "delta")
    if not piece:
        return []
    output, number = memory.output, chunk.get("output_index")
    place = kind, chunk.get("item_id") if number is None else number, chunk.get(index)
    if output.place == place and output.part is not None:
        output.part.size += len(piece)
        return [_PARTS[kind][1](piece)]
    item, part = _find_part(chunk, memory, kind, index)
    deltas = _grow(output, item, part, piece)
    output.place = place
    return deltas


def _find_part(chunk: Fields, memory: Memory, kind: str, index: str) -> tuple[Item, Part]:
    """The part that an event speaks of."""
    output, owner = memory.output, _PARTS[kind][0]
    names = slot(chunk, "item_id"), slot(chunk, "output_index")
    item = output.find(owner, *names) or output.add(owner, *names)
    return item, item.parts.setdefault((kind, slot(chunk, index) or 0), Part(kind))


def _grow(output: Output, item: Item, part: Part, piece: str) -> list[Delta]:
    """More of a part, which is a block of its own."""
    if not piece:
        return []
    is_open = output.part is part or (output.part is None and output.item is item)
    deltas: list[Delta] = [] if is_open else output.close()
    output.item, output.part = item, part
    part.size += len(piece)
    return [*deltas, _PARTS[part.kind][1](piece)]


def _text_done(chunk: Fields, memory: Memory) -> list[Delta]:
    return _part_done(chunk, memory, "output_text", "content_index", "text")


def _refusal_done(chunk: Fields, memory: Memory) -> list[Delta]:
    return _part_done(chunk, memory, "refusal", "content_index", "refusal")


def _reasoning_done(chunk: Fields, memory: Memory) -> list[Delta]:
    return _part_done(chunk, memory, "reasoning_text", "content_index", "text")


def _summary_done(chunk: Fields, memory: Memory) -> list[Delta]:
    return _part_done(chunk, memory, "summary_text", "summary_index", "text")


def _part_done(chunk: Fields, memory: Memory, kind: str, index: str, name: str) -> list[Delta]:
    """What the pieces of a part left out."""
    whole = text(chunk, name)
    if not whole:
        return []
    item, part = _find_part(chunk, memory, kind, index)
    return _grow(memory.output, item, part, whole[part.size :])


def _annotation(chunk: Fields, memory: Memory) -> list[Delta]:
    item, part = _find_part(chunk, memory, "output_text", "content_index")
    part.sources += 1
    return _read_annotation(child(chunk, "annotation"), item)


def _read_annotation(annotation: Fields, item: Item) -> list[Delta]:
    """A source of the text. A file waits for the end of the text, which it would cut."""
    kind = text(annotation, "type")
    if kind not in _FILES:
        return read_annotation(annotation)
    names = {"filename": "name"}
    told = {names.get(name, name): value for name, value in plain(annotation).items() if name != "type"}
    item.files.append(File(told))
    return []


def prose_done(item: Item, source: Fields, output: Output) -> list[Delta]:
    """A message or reasoning is complete, unless it was cut: then its block ends with the reply."""
    deltas: list[Delta] = []
    for index, kind, part_source in _parts_of(source):
        part = item.parts.setdefault((kind, index), Part(kind))
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


def read_reasoning(source: Fields, memory: Memory) -> list[Delta]:
    """More of a reasoning item, as LangChain tells it: each part of its summary is the next piece of one."""
    output, item_id = memory.output, slot(source, "id")
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
        part = item.parts.setdefault(("summary_text", place if index is None else index), Part("summary_text"))
        deltas += _grow(output, item, part, text(piece, "text"))
    return deltas


def _parts_of(source: Fields) -> Iterator[tuple[int, str, Fields]]:
    """The parts of a whole item: index, type, fields."""
    for name in ("summary", "content"):
        for index, part in enumerate(map(fields, items(source, name))):
            kind = text(part, "type")
            if kind in _PARTS:
                yield index, kind, part


EVENTS: dict[str, Callable[[Fields, Memory], list[Delta]]] = {
    "response.output_text.delta": _text,
    "response.output_text.done": _text_done,
    "response.output_text.annotation.added": _annotation,
    "response.refusal.delta": _refusal,
    "response.refusal.done": _refusal_done,
    "response.reasoning_text.delta": _reasoning,
    "response.reasoning_text.done": _reasoning_done,
    "response.reasoning_summary_text.delta": _summary,
    "response.reasoning_summary_text.done": _summary_done,
}
