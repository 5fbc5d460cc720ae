"""The items of a response of OpenAI's Responses: those of calls (ToolItem), and those of texts (TextItem).

    ToolItem("custom_tool_call", "apply_patch").item("call_1")
        {"type": "custom_tool_call", "call_id": "call_1", "name": "apply_patch", "input": ""}
    MESSAGE.item()                          {"type": "message", "role": "assistant", "content": []}
    MESSAGE.part("Hi.")                     {"type": "output_text", "text": "Hi.", "annotations": []}

Each says what its events are called, too.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Literal, TypeAlias

from attrs import field, frozen

from streamparse.encoders.item_arguments import INPUT, ArgumentStream, Command, InputText

Json: TypeAlias = dict[str, Any]

#: What a command may say besides that it is one.
_ACTION = ("command", "working_directory", "timeout_ms")
_EVENTS = {
    "function_call": "response.function_call_arguments",
    "custom_tool_call": "response.custom_tool_call_input",
}
_FORMS: dict[str, Callable[[], ArgumentStream]] = {"custom_tool_call": InputText, "local_shell_call": Command}
_PREFIXES = {
    "message": "msg",
    "reasoning": "rs",
    "function_call": "fc",
    "custom_tool_call": "ctc",
    "local_shell_call": "lsh",
}


def item_id(kind: str, own: str) -> str:
    """The id of an item of this type."""
    return f"{_PREFIXES[kind]}_{own}"


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
        item: Json = {"type": self.type, "call_id": call_id, **self.filled({}, "")}
        if self.type != "local_shell_call":
            item["name"] = self.name
        if self.namespace is not None:
            item["namespace"] = self.namespace
        return item

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
    def event(self) -> str | None:
        """What the events of its arguments are called; None if it has none."""
        return _EVENTS.get(self.type)

    @property
    def form(self) -> Callable[[], ArgumentStream] | None:
        """What makes the text of its arguments, if that is no JSON."""
        return _FORMS.get(self.type)

    @property
    def is_told_cut(self) -> bool:
        """Whether an item says that it is done when its call was cut off: only where that is seen by all."""
        return self.type == "function_call"


@frozen
class TextItem:
    """An item whose one part is a text.

    `type` is that of the item, `place` its field with the part, `kind` the type of the part and `text_field` its field
    with the text. `event` and `part_event` are what the events of the text and of the part are called, `index` how
    these name the place of the part. `more` is what the events of the text say besides, `rest` what the part does.
    """

    type: Literal["message", "reasoning"]
    place: str
    kind: str
    event: str
    part_event: str = "response.content_part"
    index: str = "content_index"
    text_field: str = "text"
    more: Json = field(factory=dict)
    rest: Json = field(factory=dict)

    def item(self) -> Json:
        """The item when it begins."""
        if self.type == "reasoning":
            return {"type": self.type, "summary": []}
        return {"type": self.type, "role": "assistant", "content": []}

    def part(self, text: str) -> Json:
        """The part with this text."""
        return {"type": self.kind, self.text_field: text, **self.rest}


MESSAGE = TextItem(
    *("message", "content", "output_text", "response.output_text"), more={"logprobs": []}, rest={"annotations": []}
)
REFUSAL = TextItem("message", "content", "refusal", "response.refusal", text_field="refusal")
#: Reasoning, by what it is sent as: most clients show its summary.
REASONING = {
    "summary": TextItem(
        *("reasoning", "summary", "summary_text", "response.reasoning_summary_text"),
        *("response.reasoning_summary_part", "summary_index"),
    ),
    "text": TextItem("reasoning", "content", "reasoning_text", "response.reasoning_text"),
}
