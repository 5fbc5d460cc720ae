"""harmony and beam: messages of gpt-oss and Beam. A header names a channel, and a recipient if the message is a call.

    <|channel|>analysis<|message|>Need weather.<|end|>
    <|start|>assistant<|channel|>commentary to=functions.f <|constrain|>json<|message|>{"city": "Oslo"}<|call|>
    <|start|>assistant<|channel|>final<|message|>It is cold.<|return|>

The channel `analysis` is reasoning, every other one prose; a recipient makes a call of any of them. It stands behind
the role or behind the channel, and the prompt ends with `<|start|>assistant`, so the first header begins in the middle.
`functions.` is left out of names; tools of the model's own, `browser.search` or `python`, keep theirs. What is sent to
`python` is code, not JSON: its one argument.

Models write recipients twice, a channel behind the name, no `<|constrain|>`: up to five words and tokens may stand in
any order between the channel and `<|message|>`. A message by someone else than the assistant is prose, whoever it is
for. Replies whose special tokens a server has stripped (`assistantfinal`) are text: nothing in them is certain.

Beam writes calls in the channel `analysis`, with parameters in tags, up to `<|call|>`, or `<|end|>` if others follow:

    <|start|>assistant to=f<|channel|>analysis <|constrain|>xml<|message|><rfl:parameter name="city">
    Oslo
    </rfl:parameter><|call|>
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from streamparse.core.markers import BLANKS, SOME_BLANKS, Atom, Marker, exact, repeated
from streamparse.families.calls.grammar import NAME, Calls, Maybe, Place
from streamparse.families.json.plain_text import CODE_ARGUMENTS
from streamparse.families.messages.grammar import JSON_CALL, PROSE, REASONING, TEXT_CALL, Message, Messages
from streamparse.families.messages.state import MessageState
from streamparse.families.tagged.decoder import TaggedArguments
from streamparse.families.tagged.grammar import marker
from streamparse.families.tagged.state import TaggedCallState
from streamparse.families.tagged.values import Values
from streamparse.families.tagged.writer import WriteParameters
from streamparse.formats import teaching
from streamparse.formats.format import Format, Reasoning
from streamparse.formats.prompt import PLAIN_NAME, Prompt, Turn
from streamparse.formats.tagged_calls import tags_of
from streamparse.states.reasoning import ReasoningState

_START, _CHANNEL, _MESSAGE = exact("<|start|>"), exact("<|channel|>"), exact("<|message|>")
_ENDS = ("<|end|>", "<|call|>", "<|return|>")

#: A recipient; a role, a channel or a type. What is cut is looked at again with the next chunk, so all have an end.
_RECIPIENT = Atom(r"[^\s<]{1,272}+")
_WORD = Atom(r"[^\s<]{1,64}+")
_TO: Marker = (SOME_BLANKS, *exact("to="), _RECIPIENT)
_REST: Marker = (
    repeated(
        _TO,
        (SOME_BLANKS, _WORD),
        (BLANKS, *_CHANNEL, _WORD),
        (BLANKS, *exact("<|constrain|>"), BLANKS, _WORD),
        most=5,
    ),
    BLANKS,
    *_MESSAGE,
)
_BEHIND_ROLE: Marker = (repeated(_TO, most=2), BLANKS, *_CHANNEL, _WORD, *_REST)
_HEADERS: tuple[Marker, ...] = (
    (*_START, _RECIPIENT, *_BEHIND_ROLE),
    (*_START, _RECIPIENT, BLANKS, *_MESSAGE),
    # Without a channel the recipient must be a function: messages of other models look like that, too.
    (*_START, *exact("assistant"), BLANKS, *exact("to=functions."), _RECIPIENT, *_REST),
    (*_CHANNEL, _WORD, *_REST),
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
_PEOPLE = frozenset({"assistant", "user", "system", "developer", "all"})


def _reader(read_call: Callable[[str], Message]) -> Callable[[str], Message]:
    """What reads a header, given what a recipient means that is a tool."""

    def read(header: str) -> Message:
        role = _ROLE.match(header)
        if role is not None and role[1] != "assistant":
            return Message(PROSE)
        recipient = next((name for name in _RECIPIENTS.findall(header) if name not in _PEOPLE), None)
        if recipient is not None:
            return read_call(recipient)
        channels = _CHANNELS.findall(header)
        return Message(REASONING if channels and channels[-1] == "analysis" else PROSE)

    return read


def _call(recipient: str) -> Message:
    body = TEXT_CALL if recipient == "python" else JSON_CALL
    return Message(body, recipient.removeprefix("functions.") or recipient)


def _format(name: str, read_call: Callable[[str], Message], *, has_tags: bool = False, **more: Any) -> Format:
    """The format of this name; `read_call` says what a recipient means that is a tool, unless the call `has_tags`."""
    return Format(
        name=name,
        messages=Messages(
            MessageState,
            ReasoningState,
            headers=_HEADERS,
            read=_reader(read_call),
            ends=_ENDS,
            first_headers=_FIRST_HEADERS,
            in_auto=not has_tags,
        ),
        reasoning=Reasoning(
            implied_opener=exact("<|channel|>analysis<|message|>"),
            implied_closer=exact(_ENDS[0]),
            other_closers=tuple(map(exact, _ENDS[1:])),
            is_ended_by_calls=has_tags,
        ),
        dropped=(*_ENDS, "<|endoftext|>"),
        **more,
    )


HARMONY = _format(
    "harmony",
    _call,
    aliases=("gpt_oss",),
    arguments=CODE_ARGUMENTS,
    prompt=Prompt(
        call="<|start|>assistant<|channel|>commentary to=functions.$name <|constrain|>json<|message|>"
        "$arguments<|call|>",
        result=Turn("<|start|>functions.$name to=assistant<|channel|>commentary<|message|>$result<|end|>"),
        teach=teaching.HARMONY,
    ),
    models=("*gpt-oss*",),
)

_PARAMETER = '<rfl:parameter name="$key">\n$value\n</rfl:parameter>'
_TO_TOOL = ("to=", NAME, "<|channel|>", _WORD, Maybe("<|constrain|>", "xml"), "<|message|>")
_TAGS = tags_of(
    "$name<|message|>$arguments<|call|>",
    _PARAMETER,
    head=("<|start|>", "assistant", *_TO_TOOL),
    other_ends=tuple(marker(end) for end in _ENDS if end != "<|call|>"),
)
_BEAM_ARGUMENTS = TaggedArguments(_TAGS, Values(has_breaks=True))


def _calls(*before: str, place: Place) -> Calls:
    """Calls whose headers begin like this."""
    return Calls(
        TaggedCallState,
        head=(*before, *_TO_TOOL),
        tail=(_TAGS.end,),
        begins=("<rfl:parameter", *_ENDS),
        options=_TAGS,
        place=place,
    )


BEAM = _format(
    "beam",
    lambda recipient: Message(JSON_CALL, recipient),
    has_tags=True,
    calls=(_calls("<|start|>", "assistant", place="anywhere"), _calls("", place="stream")),
    arguments=_BEAM_ARGUMENTS,
    prompt=Prompt(
        call="<|start|>assistant to=$name<|channel|>analysis <|constrain|>xml<|message|>$arguments<|call|>",
        result=Turn("<|start|>$name to=assistant<|channel|>analysis<|message|>$result<|end|>"),
        write=WriteParameters(_BEAM_ARGUMENTS, _PARAMETER),
        name=re.compile(rf"(?!(?:{'|'.join(sorted(_PEOPLE))})\Z){PLAIN_NAME.pattern}"),
    ),
)
