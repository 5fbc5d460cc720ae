"""ChatMessages: a conversation of another interface, written down as messages of Chat Completions.

    messages = ChatMessages()
    messages.system("Be brief.")                                [{"role": "system", "content": "Be brief."},
    messages.user(["Oslo?"])                                     {"role": "user", "content": "Oslo?"},
    messages.assistant()                                         {"role": "assistant",
    messages.say("Let me see.")                                   "content": "Let me see.",
    messages.call("c1", "weather", '{"city": "Oslo"}')            "tool_calls": [{"id": "c1", …}]},
    messages.result("c1", ["12 degrees"])                        {"role": "tool", "tool_call_id": "c1", …}]
    messages.finish()

What a model said, thought and called in a row is one message. A message of the role `tool` holds text alone, so the
images and files of results follow behind them, in a message of the user. Chat templates know one system prompt, which
stands first: those that come before anything else are one, and what comes later goes to the user, in its place.
Reasoning goes back only with calls, as `messages/openai_chat.py` has it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, TypeAlias

Json: TypeAlias = dict[str, Any]
#: A text, or a part of a content that is none.
Piece: TypeAlias = str | Json


class ChatMessages:
    """Tell it what was said, in order; `finish` gives the messages."""

    def __init__(self) -> None:
        self._done: list[Json] = []
        self._system: list[str] = []
        self._said: list[list[str]] = []  # paragraphs, in pieces
        self._thoughts: list[str] = []
        self._calls: list[Json] = []
        self._is_assistant = False  # whether the assistant has the word
        self._goes_on = False  # whether the last that it did was to say something
        self._pieces: list[Piece] = []  # of the user

    def system(self, text: str) -> None:
        """The system prompt; what is told later goes to the user."""
        if not text:
            return
        if self._done or self._is_assistant or self._pieces:
            self.user([text])
        else:
            self._system.append(text)

    def user(self, pieces: Sequence[Piece]) -> None:
        """What the user says."""
        self._end_assistant()
        self._pieces += pieces or [""]

    def assistant(self) -> None:
        """The assistant has the word, whether it uses it or not; what it says is a new paragraph."""
        self._end_user()
        self._is_assistant = True
        self._goes_on = False

    def say(self, text: str) -> None:
        """More of what the assistant says: a text right behind another goes on with it."""
        if self._goes_on:
            self._said[-1].append(text)
        else:
            self._said.append([text])
        self._goes_on = True

    def think(self, text: str) -> None:
        """What the assistant thought."""
        self._goes_on = False
        self._thoughts.append(text)

    def call(self, call_id: str, name: str, arguments: str) -> None:
        """A call by the assistant; `arguments` are JSON text."""
        self._goes_on = False
        self._calls.append({"id": call_id, "type": "function", "function": {"name": name, "arguments": arguments}})

    def result(self, call_id: str, pieces: Sequence[Piece]) -> None:
        """What came of a call. Its images and files wait until the results are over."""
        self._end_assistant()
        # What the user has said already is kept back as well: it cannot stand between two results.
        self._done.append({"role": "tool", "tool_call_id": call_id, "content": _joined(pieces)})
        others = [piece for piece in pieces if not isinstance(piece, str)]
        if others:
            self._pieces += [f"What the call {call_id} resulted in:", *others]

    def finish(self) -> list[Json]:
        """All messages."""
        self._end_assistant()
        self._end_user()
        system = [{"role": "system", "content": _joined(self._system)}] if self._system else []
        return [*system, *self._done]

    def _end_assistant(self) -> None:
        if not self._is_assistant:
            return
        said = _joined(["".join(pieces) for pieces in self._said])
        message: Json = {"role": "assistant", "content": said or (None if self._calls else "")}
        if self._calls:
            thoughts = _joined(self._thoughts)
            message |= {"reasoning_content": thoughts} if thoughts else {}
            message["tool_calls"] = self._calls
        self._done.append(message)
        self._said, self._thoughts, self._calls = [], [], []
        self._is_assistant = self._goes_on = False

    def _end_user(self) -> None:
        if self._pieces:
            self._done.append({"role": "user", "content": content_of(self._pieces)})
            self._pieces = []


def content_of(pieces: Sequence[Piece]) -> str | list[Json]:
    """A content: one text if there is nothing else, since that is what all servers take; else a list of parts."""
    if all(isinstance(piece, str) for piece in pieces):
        return _joined(pieces)
    return [{"type": "text", "text": piece} if isinstance(piece, str) else piece for piece in pieces if piece]


def _joined(pieces: Sequence[Piece]) -> str:
    """The texts among them, as paragraphs."""
    return "\n\n".join(piece for piece in pieces if piece and isinstance(piece, str))


def image_part(url: str, detail: Any = None) -> Json:
    """An image, by its address or as a `data:` url."""
    return {"type": "image_url", "image_url": {"url": url, **({"detail": detail} if detail else {})}}


def file_part(data: str, name: Any = None) -> Json:
    """A file as a `data:` url."""
    return {"type": "file", "file": {"filename": name if isinstance(name, str) else "document", "file_data": data}}


def function_tool(name: str, parameters: Any, description: Any = None, strict: Any = None) -> Json:
    """A declared tool."""
    function: Json = {"name": name}
    if isinstance(description, str):
        function["description"] = description
    function["parameters"] = parameters
    if isinstance(strict, bool):
        function["strict"] = strict
    return {"type": "function", "function": function}


def streamed(body: Json) -> Json:
    """What a request that is streamed says besides: these interfaces always tell how many tokens there were."""
    return {"stream": True, "stream_options": {"include_usage": True}} if body.get("stream") is True else {}
