"""ResponsesEncoder: a reply as the events of OpenAI's Responses interface, which Codex reads.

    {"type": "response.created", "sequence_number": 0, "response": {"id": "resp_…", "status": "in_progress", …}}
    {"type": "response.output_item.added", "sequence_number": 2, "output_index": 0, "item": {"type": "message", …}}
    {"type": "response.output_text.delta", "sequence_number": 4, "output_index": 0, "item_id": "msg_…", "delta": "Hi"}
    {"type": "response.output_item.done", "sequence_number": 7, "output_index": 0, "item": {"type": "message", …}}
    {"type": "response.completed", "sequence_number": 8, "response": {…}}

Text is an item of type `message`, reasoning one of type `reasoning`, a call a `function_call`. Most clients show the
summary of reasoning, so it is sent as that; `reasoning="text"` sends it as the reasoning itself. A call that was cut
off never looks complete: its item is `incomplete`, its arguments are no JSON, and so is the response.

A client may have declared tools that are no functions, which the model was given as such. `items` says of which kind
they were (`ToolItem`): a call of a custom tool is a `custom_tool_call` with a plain text, one of a local shell a
`local_shell_call`. A plain text that was cut off looks like any other, so of such calls no event says that they are
done.

| the reply ended with | the last event |
|---|---|
| stop, tool_calls, unknown, pause, refusal in words | `response.completed` |
| length, cancelled; or a call is not complete | `response.incomplete`, because of `max_output_tokens` |
| content_filter, refusal without words | `response.incomplete`, because of `content_filter` |
| error | `response.failed` |
"""

from __future__ import annotations

import time
from collections.abc import Mapping
from typing import ClassVar, Generic, Literal, TypeVar

from attrs import define, field

from streamparse.encoders.encoder import DeclaredTools, Encoder
from streamparse.encoders.part import CallDelta, CallEnd, CallStart, Other, Part, TextDelta, TextEnd, TextStart
from streamparse.encoders.responses_items import MESSAGE, REASONING, REFUSAL, Json, TextItem, ToolItem, item_id
from streamparse.encoders.whole import Block, Whole, WholeCall
from streamparse.events import INTERFACE, SegmentType
from streamparse.outcome import Outcome, StreamEnd, Usage

Kind = TypeVar("Kind", TextItem, ToolItem)


@define
class _Open(Generic[Kind]):
    """An item that is being written: its place, itself, of what kind it is, and what there is of a text."""

    place: int
    item: Json
    kind: Kind
    delta: str  # the type of the event that adds to it …
    about: Json  # … and what its events say of it
    pieces: list[str] = field(factory=list)


class ResponsesEncoder(Encoder):
    """Encodes one reply as the response `id`. `tools` are those that the reply was given.

    `items` says of those that the client did not declare as functions what their calls are, by the tools' names.
    """

    _names_events: ClassVar = True

    def __init__(
        self,
        *,
        model: str = "",
        tools: DeclaredTools = (),
        reasoning: Literal["summary", "text"] = "summary",
        id: str | None = None,
        created: int | None = None,
        items: Mapping[str, ToolItem] | None = None,
        show_errors: bool = False,
    ) -> None:
        self._items = dict(items or {})
        forms = {name: item.form for name, item in self._items.items() if item.form is not None}
        super().__init__(tools, forms, show_errors=show_errors)
        if reasoning not in REASONING:
            raise ValueError(f"reasoning is one of {', '.join(REASONING)}, not {reasoning!r}")
        self._reasoning = REASONING[reasoning]
        self._frame: Json = {
            "id": id or f"resp_{self._id}",
            "object": "response",
            "created_at": int(time.time()) if created is None else created,
            "model": model,
            "parallel_tool_calls": True,
            "tool_choice": "auto",
            "tools": [],
        }
        self._number = 0
        self._texts: dict[str, _Open[TextItem]] = {}
        self._calls: dict[str, _Open[ToolItem]] = {}
        self._output: list[Json] = []

    def _write(self, part: Part, chunks: list[Json]) -> None:
        match part:
            case CallDelta():
                opened = self._calls[part.id]
                self._add(opened.delta, opened.about, {"delta": part.delta}, chunks)
            case TextDelta():
                self._grow_text(part.id, part.delta, chunks)
            case TextStart():
                self._begin_text(part.id, self._kind(part.is_reasoning), chunks)
            case CallStart():
                self._begin_call(part, chunks)
            case TextEnd():
                self._end_text(part, chunks)
            case CallEnd():
                self._end_call(part, chunks)
            case Other() if part.segment.type == SegmentType.REFUSAL:
                name = part.segment.id
                self._begin_text(name, REFUSAL, chunks)
                self._grow_text(name, part.segment.content, chunks)
                self._end_text(TextEnd(name, is_reasoning=False), chunks)
            case StreamEnd():
                self._end(part.outcome, chunks)

    # -- items --------------------------------------------------------------------------------------------------------

    def _add(self, kind: str, about: Json, data: Json, chunks: list[Json]) -> None:
        """Add an event about an item, or about the response; the first two say that there is one."""
        if not self._number:
            response = {**self._frame, "status": "in_progress", "output": []}
            for number, first in enumerate(("response.created", "response.in_progress")):
                chunks.append({"type": first, "sequence_number": number, "response": response})
            self._number = 2
        chunks.append({"type": kind, "sequence_number": self._number, **about, **data})
        self._number += 1

    def _begin(self, item: Json, kind: Kind, chunks: list[Json]) -> _Open[Kind]:
        place = len(self._output)
        item = {"id": self._item_id(kind, place), **item, "status": "in_progress"}
        self._output.append(item)
        self._add("response.output_item.added", {"output_index": place}, {"item": item}, chunks)
        return _Open(place, item, kind, f"{kind.event}.delta", {"item_id": item["id"], "output_index": place})

    def _done(self, opened: _Open[Kind], item: Json, chunks: list[Json]) -> None:
        self._output[opened.place] = item
        self._add("response.output_item.done", {"output_index": opened.place}, {"item": item}, chunks)

    def _item_id(self, kind: TextItem | ToolItem, place: int) -> str:
        return item_id(kind.type, f"{self._id}{place:04x}")

    def _kind(self, is_reasoning: bool) -> TextItem:
        return self._reasoning if is_reasoning else MESSAGE

    def _begin_text(self, name: str, kind: TextItem, chunks: list[Json]) -> None:
        opened = self._texts[name] = self._begin(kind.item(), kind, chunks)
        opened.about[kind.index] = 0
        self._add(f"{kind.part_event}.added", opened.about, {"part": kind.part("")}, chunks)

    def _grow_text(self, name: str, delta: str, chunks: list[Json]) -> None:
        opened = self._texts[name]
        opened.pieces.append(delta)
        self._add(opened.delta, opened.about, {"delta": delta, **opened.kind.more}, chunks)

    def _end_text(self, end: TextEnd, chunks: list[Json]) -> None:
        opened = self._texts.pop(end.id)
        kind, about, text = opened.kind, opened.about, "".join(opened.pieces)
        self._add(f"{kind.event}.done", about, {kind.text_field: text, **kind.more}, chunks)
        self._add(f"{kind.part_event}.done", about, {"part": kind.part(text)}, chunks)
        self._done(opened, _with_text(opened.item, kind, text, end), chunks)

    def _begin_call(self, start: CallStart, chunks: list[Json]) -> None:
        tool = self._tool(start.name)
        item = tool.item(self._ids.give(start.call_id, start.index))
        self._calls[start.id] = self._begin(item, tool, chunks)

    def _end_call(self, end: CallEnd, chunks: list[Json]) -> None:
        opened = self._calls.pop(end.id)
        tool, is_complete = opened.kind, end.invocation.is_complete
        filled = tool.filled(end.invocation.arguments if is_complete else {}, end.text)
        item = {**opened.item, **filled, "status": "completed" if is_complete else "incomplete"}
        if is_complete and tool.event:
            self._add(f"{tool.event}.done", opened.about, filled, chunks)
        self._output[opened.place] = item
        if is_complete or tool.is_told_cut:
            self._done(opened, item, chunks)

    def _tool(self, name: str) -> ToolItem:
        tool = self._items.get(name)
        if tool is None:
            tool = self._items[name] = ToolItem("function_call", name)
        return tool

    # -- the response -------------------------------------------------------------------------------------------------

    def _end(self, outcome: Outcome, chunks: list[Json]) -> None:
        response = self._finished(outcome)
        self._add(f"response.{response['status']}", {}, {"response": response}, chunks)

    def _finished(self, outcome: Outcome) -> Json:
        """The response, with all of its output and how it ended."""
        reason, response = outcome.finish_reason, {**self._frame, "output": self._output}
        usage = _usage(outcome.usage)
        if usage:
            response["usage"] = usage
        if reason == "error":
            return {**response, "status": "failed", "error": {"code": "server_error", "message": self._error(outcome)}}
        ending, details = self._parts.ending, None
        if ending.is_filtered(outcome):
            details = "content_filter"
        elif ending.is_cut(outcome):
            details = "max_output_tokens"
        if details:
            return {**response, "status": "incomplete", "incomplete_details": {"reason": details}}
        return {**response, "status": "completed"}

    def _response(self, whole: Whole) -> Json:
        for block in whole.blocks:
            self._output.append(self._whole_item(block))
        if whole.refusal:
            self._output.append(self._whole_text(REFUSAL, whole.refusal, None))
        return self._finished(whole.outcome)

    def _whole_item(self, block: Block) -> Json:
        if not isinstance(block, WholeCall):
            return self._whole_text(self._kind(block.is_reasoning), block.text, block.end)
        call = block.invocation
        tool = self._tool(call.name)
        item = tool.item(self._ids.give(call.call_id, block.index)) | tool.filled(call.arguments, block.arguments)
        return {"id": self._item_id(tool, len(self._output)), **item, "status": "completed"}

    def _whole_text(self, kind: TextItem, text: str, end: TextEnd | None) -> Json:
        return _with_text({"id": self._item_id(kind, len(self._output)), **kind.item()}, kind, text, end)


def _with_text(item: Json, kind: TextItem, text: str, end: TextEnd | None) -> Json:
    """An item that has ended, with its text. What OpenAI has encrypted of reasoning goes with it."""
    done = {**item, kind.place: [kind.part(text)], "status": "incomplete" if end and end.is_cut else "completed"}
    state = end.state if end and end.state else {}
    if kind.type == "reasoning" and state.get(INTERFACE) == "openai-responses" and "encrypted_content" in state:
        done["encrypted_content"] = state["encrypted_content"]
    return done


def _usage(usage: Usage | None) -> Json | None:
    """The tokens, as far as they were counted; as the provider told them, if it is one of this interface."""
    if usage is None:
        return None
    if "input_tokens_details" in usage.provider:
        return dict(usage.provider)
    read, written = usage.input or 0, usage.output or 0
    return {
        "input_tokens": read,
        "input_tokens_details": {"cached_tokens": usage.cached or 0, "cache_write_tokens": 0},
        "output_tokens": written,
        "output_tokens_details": {"reasoning_tokens": usage.reasoning or 0},
        "total_tokens": usage.total if usage.total is not None else read + written,
    }
