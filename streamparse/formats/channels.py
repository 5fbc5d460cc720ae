"""Messages with channels: what harmony and beam share. A header names a channel, and a recipient if it is a call.

    <|channel|>analysis<|message|>Need weather.<|end|>
    <|start|>assistant<|channel|>final<|message|>It is cold.<|return|>

The channel `analysis` is reasoning, every other one prose; a recipient makes a call of any of them. It stands behind
the role or behind the channel, and the prompt ends with `<|start|>assistant`, so the first header begins in the middle.

Models write recipients twice, a channel behind the name, no `<|constrain|>`: up to five words and tokens may stand in
any order between the channel and `<|message|>`. They leave out the role, or `<|message|>` behind a channel that is
known: then the rest is the body. They write `commentary` behind a call, as if another header had begun. A message by
someone else than the assistant is prose, whoever it is for. A header in an answer is a quotation, unless the answer was
ended before it. Replies whose special tokens a server has stripped (`assistantfinal`) are text: nothing in them is
certain.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from streamparse.core.markers import BLANKS, SOME_BLANKS, Atom, Marker, exact, repeated
from streamparse.families.messages.grammar import PROSE, REASONING, Message, Messages
from streamparse.families.messages.state import MessageState
from streamparse.formats.format import Format, Reasoning
from streamparse.states.answer import AnswerState
from streamparse.states.reasoning import ReasoningState

_START, _CHANNEL, _MESSAGE = exact("<|start|>"), exact("<|channel|>"), exact("<|message|>")
ENDS = ("<|end|>", "<|call|>", "<|return|>")
_KNOWN = ("analysis", "commentary", "final")
#: The body of a message: no blank, and not the next marker of the header, which may be cut.
_WORD_AHEAD = Atom(r"(?=[^\s<])")

#: A recipient; a role, a channel or a type. What is cut is looked at again with the next chunk, so all have an end.
_RECIPIENT = Atom(r"[^\s<]{1,272}+")
WORD = Atom(r"[^\s<]{1,64}+")
_TO: Marker = (SOME_BLANKS, *exact("to="), _RECIPIENT)
_REST: Marker = (
    repeated(
        _TO,
        (SOME_BLANKS, WORD),
        (BLANKS, *_CHANNEL, WORD),
        (BLANKS, *exact("<|constrain|>"), BLANKS, WORD),
        most=5,
    ),
    BLANKS,
    *_MESSAGE,
)
_ROLES: tuple[Marker, ...] = ((), _START, (*_START, *exact("assistant"), BLANKS))
_BEHIND_ROLE: Marker = (repeated(_TO, most=2), BLANKS, *_CHANNEL, WORD, *_REST)
_HEADERS: tuple[Marker, ...] = (
    (*_START, _RECIPIENT, *_BEHIND_ROLE),
    (*_START, _RECIPIENT, BLANKS, *_MESSAGE),
    # Without a channel the recipient must be a function: messages of other models look like that, too.
    (*_START, *exact("assistant"), BLANKS, *exact("to=functions."), _RECIPIENT, *_REST),
    (*_CHANNEL, WORD, *_REST),
    (*_START, *_BEHIND_ROLE),
    # Without `<|message|>`, if nothing else fits: what stands behind the channel is the body.
    *((*before, *_CHANNEL, *exact(name), SOME_BLANKS, _WORD_AHEAD) for before in _ROLES for name in _KNOWN),
)
_FIRST_HEADERS: tuple[Marker, ...] = (
    (BLANKS, *exact("to="), _RECIPIENT, *_BEHIND_ROLE),
    (BLANKS, *exact("to=functions."), _RECIPIENT, *_REST),
    _MESSAGE,
)

_ROLE = re.compile(r"<\|start\|>([^\s<]+)")
_CHANNELS = re.compile(r"<\|channel\|>([^\s<]+)")
_RECIPIENTS = re.compile(r"(?:^|(?<=\s))(?:to=)++([^\s<]+)")
#: Those who are not tools.
PEOPLE = frozenset({"assistant", "user", "system", "developer", "all"})


def _reader(read_call: Callable[[str], Message]) -> Callable[[str], Message]:
    """What reads a header, given what a recipient means that is a tool."""

    def read(header: str) -> Message:
        role = _ROLE.match(header)
        if role is not None and role[1] != "assistant":
            return Message(PROSE)
        recipient = next((name for name in _RECIPIENTS.findall(header) if name not in PEOPLE), None)
        if recipient is not None:
            return read_call(recipient)
        channels = _CHANNELS.findall(header)
        return Message(REASONING if channels and channels[-1] == "analysis" else PROSE)

    return read


def message_format(name: str, read_call: Callable[[str], Message], *, has_tags: bool = False, **more: Any) -> Format:
    """The format of this name; `read_call` says what a recipient means that is a tool, unless the call `has_tags`."""
    return Format(
        name=name,
        messages=Messages(
            MessageState,
            ReasoningState,
            headers=_HEADERS,
            read=_reader(read_call),
            ends=ENDS,
            first_headers=_FIRST_HEADERS,
            answer=AnswerState,
            filler=exact("commentary"),
            in_auto=not has_tags,
        ),
        reasoning=Reasoning(
            implied_opener=exact("<|channel|>analysis<|message|>"),
            implied_closers=tuple(map(exact, ENDS)),
            calls="ends" if has_tags else "ends_implied",
        ),
        dropped=(*ENDS, "<|endoftext|>"),
        **more,
    )
