"""muse: messages of Muse Glimmer. A header names the recipient; a message to a tool holds the call as ATEM tags.

    to=self<|message|>Need weather.<|eom|>
    <|start|>assistant to=get_weather<|message|><atem:function_calls>
    <atem:invoke name="get_weather">
    <atem:parameter name="city">Oslo</atem:parameter>
    </atem:invoke>
    </atem:function_calls><|eom|>
    <|start|>assistant to=user<|message|>It is cold.<|eot|>

`self` is reasoning, `user` the answer; tags that are quoted in those are no calls, nor are headers that are quoted in
an answer. But an answer that begins with `<atem:function_calls>` is a call, and so is a message without a recipient.
The prompt ends with `<|start|>assistant`, so the first header begins in the middle. A name may be doubled,
`get_weather.get_weather`, or have a token behind it: `<atem:invoke name="read<|message|>">`. Values are JSON if they
can be read as that, unless the schema says that they are strings.
"""

from __future__ import annotations

import re

from streamparse.core.markers import Atom, exact
from streamparse.families.calls.grammar import NAME, Calls, Maybe, Section, spaced
from streamparse.families.messages.grammar import JSON_CALL, PROSE, REASONING, Message, Messages
from streamparse.families.messages.state import MessageState
from streamparse.families.tagged.decoder import TaggedArguments
from streamparse.families.tagged.grammar import marker
from streamparse.families.tagged.state import TaggedCallState
from streamparse.families.tagged.values import Values
from streamparse.families.tagged.writer import WriteParameters
from streamparse.formats.format import Format, Reasoning
from streamparse.formats.prompt import PLAIN_NAME, Prompt, Turn
from streamparse.formats.tagged_calls import tags_of
from streamparse.states.answer import AnswerState
from streamparse.states.reasoning import ReasoningState

_START, _TO, _MESSAGE = ("<|start|>", "assistant"), "to=", "<|message|>"
_ENDS = ("<|eom|>", "<|eot|>")
_RECIPIENT = Atom(r"[^\s<]{1,256}+")
#: Models write calls to the user, too, but only think to themselves.
_TOOL = Atom(rf"(?!self(?:[\s<]|\Z)){_RECIPIENT}")
_OPEN, _CLOSE = "<atem:function_calls>", "</atem:function_calls>"
_INVOKE = ('<atem:invoke name="', NAME, Maybe(_MESSAGE), '">')
_CALL = '<atem:invoke name="$name">\n$arguments</atem:invoke>'
_PARAMETER = '<atem:parameter name="$key">$value</atem:parameter>\n'
_TAGS = tags_of(_CALL, _PARAMETER, head=_INVOKE, outer=(marker(_CLOSE), *map(marker, _ENDS)))
_DECODER = TaggedArguments(_TAGS, Values(has_json=True))
_DOUBLED = re.compile(r"(.+)\.\1", re.DOTALL)
_HEADER = re.compile(r"to=\s*([^\s<]+)")


def _single(name: str) -> str:
    match = _DOUBLED.fullmatch(name)
    return match[1] if match else name


def _read(header: str) -> Message:
    match = _HEADER.search(header)
    if match is None:
        return Message(PROSE)
    bodies = {"self": REASONING, "user": PROSE}
    return Message(bodies.get(match[1], JSON_CALL), _single(match[1]))


def _calls(before: tuple[str, ...], *, is_first: bool) -> Calls:
    """Calls in a message whose header begins like this."""
    return Calls(
        TaggedCallState,
        head=_INVOKE,
        tail=(_TAGS.end,),
        sections=tuple(Section((*before, *to, _MESSAGE, _OPEN), (_CLOSE, *_ENDS)) for to in ((_TO, _TOOL), ())),
        is_bare=False,
        begins=("",),
        options=_TAGS,
        place="stream" if is_first else "anywhere",
        read_head=lambda name, call_id: (_single(name), call_id),
    )


MUSE = Format(
    name="muse",
    aliases=("muse_glimmer",),
    calls=(_calls(_START, is_first=False), _calls(("",), is_first=True)),
    messages=Messages(
        MessageState,
        ReasoningState,
        headers=(spaced((*_START, _TO, _RECIPIENT, _MESSAGE))[:-1], spaced((*_START, _MESSAGE))[:-1]),
        read=_read,
        ends=_ENDS,
        first_headers=(spaced(("", _TO, _RECIPIENT, _MESSAGE))[:-1], spaced(("", _MESSAGE))[:-1]),
        answer=AnswerState,
    ),
    reasoning=Reasoning(
        implied_opener=exact(" to=self<|message|>"),
        implied_closers=tuple(map(exact, _ENDS)),
        calls="ends",
    ),
    arguments=_DECODER,
    dropped=_ENDS,
    prompt=Prompt(
        call=f"<|start|>assistant to=$name<|message|>{_OPEN}\n{_CALL}\n{_CLOSE}<|eom|>",
        result=Turn("<|start|>$name to=assistant<|message|>$result<|eom|>"),
        write=WriteParameters(_DECODER, _PARAMETER),
        name=re.compile(rf"(?!(?:self|user)\Z)(?!(.+)\.\1\Z){PLAIN_NAME.pattern}"),
    ),
)
