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
from collections.abc import Callable, Mapping
from typing import Any, ClassVar, Literal

from attrs import define, field, frozen

from streamparse.encoders.encoder import DeclaredTools, Encoder
from streamparse.encoders.item_arguments import INPUT, ArgumentStream, Command, InputText
from streamparse.encoders.part import CallDelta, CallEnd, CallStart, Other, Part, TextDelta, TextEnd, TextStart
from streamparse.encoders.whole import Block, Whole, WholeCall
from streamparse.events import INTERFACE, SegmentType
from streamparse.outcome import Outcome, StreamEnd, Usage

Json = dict[str, Any]


@frozen
class ToolItem:
    """What the calls of a declared tool are: of which type, and what the client calls the tool.

    The model may know a tool by another name: that of a namespace is `namespace__name`, since functions have no
    namespaces.
    """

    type: Literal["function_call", "custom_tool_call", "local_shell_call"]
    name: str
    namespace: str | None = None

    def item(self, call_id: str) -> Json:
        """A call that begins."""
        item: Json = {"type": self.type, "call_id": call_id}
        if self.type != "local_shell_call":
            item["name"] = self.name
        if self.namespace is not None:
            item["namespace"] = self.namespace
        return {**item, **self.filled({}, "")}

    def filled(self, arguments: Mapping[str, Any], text: str) -> Json:
        """What an item says of the arguments, whose text is `text`."""
        match self.type:
            case "custom_tool_call":
                return {INPUT: text}
            case "local_shell_call":
                given = {name: arguments[name] for name in _ACTION if name in arguments}
                return {"action": {"type": "exec", "command": [], "env": {}, **given}}
            case _:
                return {"arguments": text}

    @property
    def is_told_cut(self) -> bool:
        """Whether an item says that it is done when its call was cut off: only where that is seen by all."""
        return self.type == "function_call"


#: What a command may say besides that it is one.
_ACTION = ("command", "working_directory", "timeout_ms")
_EVENTS = {
    "function_call": "response.function_call_arguments",
    "custom_tool_call": "response.custom_tool_call_input",
}
_FORMS: dict[str, Callable[[], ArgumentStream]] = {"custom_tool_call": InputText, "local_shell_call": Command}
_PREFIXES = {"message": "msg", "reasoning": "rs", "custom_tool_call": "ctc", "local_shell_call": "lsh"}


@define
class _Open:
    """An item that is being written: its place, itself, and its text so far."""

    place: int
    item: Json
    pieces: list[str] = field(factory=list)
    tool: ToolItem | None = None
    about: Json = field(init=False)  # what each event says of the item that it is about

    def __attrs_post_init__(self) -> None:
        self.about = {"item_id": self.item["id"], "output_index": self.place}


@define
class _Kind:
    """The events of a part of an item: the names of its events, of its index and of itself, and what else it says."""

    part: str
    event: str
    added: str
    index: str
    extra: Json = field(factory=dict)
    rest: Json = field(factory=dict)

    def whole(self, text: str) -> Json:
        """The part with all of its text."""
        return {"type": self.part, self.field: text, **self.rest}

    @property
    def field(self) -> str:
        """Where its text stands."""
        return "refusal" if self.part == "refusal" else "text"


_CONTENT = ("response.content_part", "content_index")
_TEXT = _Kind("output_text", "response.output_text", *_CONTENT, {"logprobs": []}, {"annotations": []})
_REFUSAL = _Kind("refusal", "response.refusal", *_CONTENT)
_REASONING = {
    "summary": _Kind(
        *("summary_text", "response.reasoning_summary_text", "response.reasoning_summary_part", "summary_index")
    ),
    "text": _Kind("reasoning_text", "response.reasoning_text", *_CONTENT),
}


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
        forms = {name: _FORMS[item.type] for name, item in self._items.items() if item.type in _FORMS}
        super().__init__(tools, forms, show_errors=show_errors)
        if reasoning not in _REASONING:
            raise ValueError(f"reasoning is one of {', '.join(_REASONING)}, not {reasoning!r}")
        self._thought = _REASONING[reasoning]
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
        self._open: dict[str, _Open] = {}
        self._output: list[Json] = []

    def _write(self, part: Part, chunks: list[Json]) -> None:
        match part:
            case TextDelta():
                self._grow(part.id, self._thought if part.is_reasoning else _TEXT, part.delta, chunks)
            case CallDelta():
                opened = self._open[part.id]
                self._add(f"{_EVENTS[opened.item['type']]}.delta", {**opened.about, "delta": part.delta}, chunks)
            case TextStart():
                self._begin(
                    part.id, *((_reasoning(), self._thought) if part.is_reasoning else (_message(), _TEXT)), chunks
                )
            case CallStart():
                tool = self._tool(part.name)
                self._begin(part.id, tool.item(self._ids.give(part.call_id, part.index)), None, chunks)
                self._open[part.id].tool = tool
            case TextEnd():
                self._end_text(part, self._thought if part.is_reasoning else _TEXT, chunks)
            case CallEnd():
                self._end_call(part, chunks)
            case Other() if part.segment.type == SegmentType.REFUSAL:
                self._begin(part.segment.id, _message(), _REFUSAL, chunks)
                self._grow(part.segment.id, _REFUSAL, part.segment.content, chunks)
                self._end_text(TextEnd(part.segment.id, is_reasoning=False), _REFUSAL, chunks)
            case StreamEnd():
                self._end(part.outcome, chunks)

    # -- items --------------------------------------------------------------------------------------------------------

    def _add(self, kind: str, data: Json, chunks: list[Json]) -> None:
        """Add an event; the first two say that there is a response."""
        if not self._number:
            response = {**self._frame, "status": "in_progress", "output": []}
            for number, first in enumerate(("response.created", "response.in_progress")):
                chunks.append({"type": first, "sequence_number": number, "response": response})
            self._number = 2
        chunks.append({"type": kind, "sequence_number": self._number, **data})
        self._number += 1

    def _begin(self, name: str, item: Json, kind: _Kind | None, chunks: list[Json]) -> None:
        place = len(self._output)
        item = {"id": self._item_id(item["type"], place), **item, "status": "in_progress"}
        self._output.append(item)
        opened = self._open[name] = _Open(place, item)
        self._add("response.output_item.added", {"output_index": place, "item": item}, chunks)
        if kind is not None:
            data = {**opened.about, kind.index: 0, "part": kind.whole("")}
            self._add(f"{kind.added}.added", data, chunks)

    def _grow(self, name: str, kind: _Kind, delta: str, chunks: list[Json]) -> None:
        opened = self._open[name]
        opened.pieces.append(delta)
        self._add(f"{kind.event}.delta", {**opened.about, kind.index: 0, "delta": delta, **kind.extra}, chunks)

    def _end_text(self, end: TextEnd, kind: _Kind, chunks: list[Json]) -> None:
        opened = self._open.pop(end.id)
        text = "".join(opened.pieces)
        about = {**opened.about, kind.index: 0}
        self._add(f"{kind.event}.done", {**about, kind.field: text, **kind.extra}, chunks)
        self._add(f"{kind.added}.done", {**about, "part": kind.whole(text)}, chunks)
        self._done(opened, _with_part(opened.item, kind, text, end), chunks)

    def _end_call(self, end: CallEnd, chunks: list[Json]) -> None:
        opened = self._open.pop(end.id)
        tool, call = opened.tool, end.invocation
        assert tool is not None
        filled = tool.filled(call.arguments if call.is_complete else {}, end.text)
        item = {**opened.item, **filled, "status": "completed" if call.is_complete else "incomplete"}
        if call.is_complete and tool.type in _EVENTS:
            self._add(f"{_EVENTS[tool.type]}.done", {**opened.about, **filled}, chunks)
        self._output[opened.place] = item
        if call.is_complete or tool.is_told_cut:
            self._done(opened, item, chunks)

    def _tool(self, name: str) -> ToolItem:
        return self._items.get(name) or ToolItem("function_call", name)

    def _done(self, opened: _Open, item: Json, chunks: list[Json]) -> None:
        self._output[opened.place] = item
        self._add("response.output_item.done", {"output_index": opened.place, "item": item}, chunks)

    def _item_id(self, kind: str, place: int) -> str:
        return f"{_PREFIXES.get(kind, 'fc')}_{self._id}{place:04x}"

    # -- the response -------------------------------------------------------------------------------------------------

    def _end(self, outcome: Outcome, chunks: list[Json]) -> None:
        response = self._finished(outcome)
        self._add(f"response.{response['status']}", {"response": response}, chunks)

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
            self._output.append(self._whole_item(block, len(self._output)))
        if whole.refusal:
            item = {"id": self._item_id("message", len(self._output)), **_message()}
            self._output.append(_with_part(item, _REFUSAL, whole.refusal, None))
        return self._finished(whole.outcome)

    def _whole_item(self, block: Block, place: int) -> Json:
        if isinstance(block, WholeCall):
            call = block.invocation
            tool = self._tool(call.name)
            item = tool.item(self._ids.give(call.call_id, block.index)) | tool.filled(call.arguments, block.arguments)
            return {"id": self._item_id(tool.type, place), **item, "status": "completed"}
        item, kind = (_reasoning(), self._thought) if block.is_reasoning else (_message(), _TEXT)
        return _with_part({"id": self._item_id(item["type"], place), **item}, kind, block.text, block.end)


def _message() -> Json:
    return {"type": "message", "role": "assistant", "content": []}


def _reasoning() -> Json:
    return {"type": "reasoning", "summary": []}


def _with_part(item: Json, kind: _Kind, text: str, end: TextEnd | None) -> Json:
    """An item that has ended, with its one part. What OpenAI has encrypted of reasoning goes with it."""
    place = "summary" if kind is _REASONING["summary"] else "content"
    done = {**item, place: [kind.whole(text)], "status": "incomplete" if end and end.is_cut else "completed"}
    state = end.state if end and end.state else {}
    if item["type"] == "reasoning" and state.get(INTERFACE) == "openai-responses" and "encrypted_content" in state:
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
