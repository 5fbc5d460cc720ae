"""beam: the messages of harmony; a call has its parameters in tags.

    <|channel|>analysis<|message|>Need weather.<|end|>
    <|start|>assistant to=get_weather<|channel|>analysis <|constrain|>xml<|message|><rfl:parameter name="city">
    Oslo
    </rfl:parameter><|call|>
    <|start|>assistant<|channel|>final<|message|>It is cold.<|return|>

A call ends with `<|call|>`, or with `<|end|>` if another one follows. `<|constrain|>xml` may be missing. A JSON object
in place of the tags is read, too.
"""

from __future__ import annotations

import re

from streamparse.families.calls.grammar import NAME, Calls, Maybe, Place, name_like
from streamparse.families.messages.grammar import JSON_CALL, Message
from streamparse.families.tagged.decoder import TaggedArguments
from streamparse.families.tagged.grammar import marker
from streamparse.families.tagged.state import TaggedCallState
from streamparse.families.tagged.values import Values
from streamparse.families.tagged.writer import WriteParameters
from streamparse.formats.channels import ENDS, PEOPLE, WORD, message_format
from streamparse.formats.prompt import PLAIN_NAME, Prompt, Turn
from streamparse.formats.tagged_calls import tags_of

_NOBODY = "|".join(sorted(PEOPLE))
_TOOL = name_like(rf"(?!(?:{_NOBODY})(?:[\s<]|\Z)){NAME}")
_HEADER = ("to=", _TOOL, "<|channel|>", WORD, Maybe("<|constrain|>", "xml"), "<|message|>")
_PARAMETER = '<rfl:parameter name="$key">\n$value\n</rfl:parameter>'
_TAGS = tags_of(
    "$name<|message|>$arguments<|call|>",
    _PARAMETER,
    head=("<|start|>", "assistant", *_HEADER),
    other_ends=tuple(marker(end) for end in ENDS if end != "<|call|>"),
)
_ARGUMENTS = TaggedArguments(_TAGS, Values(breaks="always"))


def _calls(*before: str, place: Place) -> Calls:
    """Calls whose headers begin like this."""
    return Calls(
        TaggedCallState,
        head=(*before, *_HEADER),
        tail=(_TAGS.end,),
        begins=("<rfl:parameter", *ENDS),
        options=_TAGS,
        place=place,
    )


BEAM = message_format(
    "beam",
    lambda recipient: Message(JSON_CALL, recipient),
    has_tags=True,
    calls=(_calls("<|start|>", "assistant", place="anywhere"), _calls("", place="stream")),
    arguments=_ARGUMENTS,
    prompt=Prompt(
        call="<|start|>assistant to=$name<|channel|>analysis <|constrain|>xml<|message|>$arguments<|call|>",
        result=Turn("<|start|>$name to=assistant<|channel|>analysis<|message|>$result<|end|>"),
        write=WriteParameters(_ARGUMENTS, _PARAMETER),
        name=re.compile(rf"(?!(?:{_NOBODY})\Z){PLAIN_NAME.pattern}"),
    ),
)
