"""kimi_k3: XTML, tags of special tokens, with a type for each argument.

    <|open|>think<|sep|>…<|close|>think<|sep|><|open|>response<|sep|>…<|close|>response<|sep|>
    <|open|>tools<|sep|>
    <|open|>call tool="get_weather" index="1"<|sep|>
    <|open|>argument key="city" type="string"<|sep|>Oslo<|close|>argument<|sep|>
    <|close|>call<|sep|><|close|>tools<|sep|><|close|>message<|sep|>

The prompt has opened `think`. A model may leave out its closer: a response or a call ends it, too. The index is what
the result of a call refers to, so it is the call's id.
"""

from __future__ import annotations

from streamparse.families.calls.grammar import CALL_ID, Calls, Maybe, Section
from streamparse.families.tagged.decoder import TaggedArguments, Values
from streamparse.families.tagged.grammar import QUOTED_NAME, Tags, marker, with_attribute
from streamparse.families.tagged.state import TaggedCallState
from streamparse.families.tagged.writer import WriteParameters
from streamparse.formats.format import Format
from streamparse.formats.prompt import Prompt, plain_id
from streamparse.formats.thinking import between


def _open(name: str) -> str:
    return f"<|open|>{name}<|sep|>"


def _close(name: str) -> str:
    return f"<|close|>{name}<|sep|>"


_TOOLS, _END = Section((_open("tools"),), (_close("tools"),)), _close("call")
_TAGS = Tags(
    open=with_attribute("<|open|>argument", "key", "<|sep|>"),
    close=marker(_close("argument")),
    end=marker(_END),
    outer=(marker(_close("tools")), marker(_close("message"))),
    next=(marker('<|open|>call tool="'),),
)
_VALUES = Values(attribute=("type", "string"), has_escaped_keys=True)
_DECODER = TaggedArguments(_TAGS, _VALUES)


def _read_head(name: str, call_id: str | None) -> tuple[str, str | None]:
    return _VALUES.read_key(name), call_id


KIMI_K3 = Format(
    name="kimi_k3",
    calls=(
        Calls(
            TaggedCallState,
            head=('<|open|>call tool="', QUOTED_NAME, '"', Maybe('index="', CALL_ID, '"'), "<|sep|>"),
            tail=(_END,),
            sections=(_TOOLS,),
            begins=("",),
            options=_TAGS,
            read_head=_read_head,
        ),
    ),
    reasoning=between(
        "kimi_k3",
        (_open("think"),),
        (_close("think"), _open("response")),
        starts_open=True,
        is_ended_by_calls=True,
    ),
    arguments=_DECODER,
    dropped=(
        _close("response"),
        _open("tools"),
        _close("tools"),
        _close("message"),
        '<|open|>message role="assistant"<|sep|>',
        "<|end_of_msg|>",
    ),
    prompt=Prompt(
        call=f'{_open("tools")}<|open|>call tool="$name" index="$call_id"<|sep|>$arguments{_END}{_close("tools")}',
        result=(
            f'<|open|>message role="tool" tool="$name" index="$call_id"<|sep|>$result{_close("message")}<|end_of_msg|>'
        ),
        write=WriteParameters(_DECODER, f'<|open|>argument key="$key" type="$type"<|sep|>$value{_close("argument")}'),
        identify=plain_id("1"),
    ),
    models=("*kimi-k3*",),
)
