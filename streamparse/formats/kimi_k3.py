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

from streamparse.core.markers import Atom, exact
from streamparse.families.calls.grammar import CALL_ID, Maybe
from streamparse.families.tagged.grammar import QUOTED_NAME, marker
from streamparse.families.tagged.values import Values
from streamparse.formats.prompt import Turn, plain_id
from streamparse.formats.tagged_calls import tagged_format
from streamparse.formats.thinking import between


def _open(name: str) -> str:
    return f"<|open|>{name}<|sep|>"


def _close(name: str) -> str:
    return f"<|close|>{name}<|sep|>"


_MESSAGE = _close("message")
#: Where `<|sep|>` is forgotten: the next token, looked at and left.
_BEFORE_TOKEN = Atom("(?=<)")

KIMI_K3 = tagged_format(
    "kimi_k3",
    call=f'<|open|>call tool="$name" index="$call_id"<|sep|>$arguments{_close("call")}',
    parameter=f'<|open|>argument key="$key" type="$type"<|sep|>$value{_close("argument")}',
    section=(_open("tools"), _close("tools")),
    joint="",
    bare="always",
    result=Turn(f'<|open|>message role="tool" tool="$name" index="$call_id"<|sep|>$result{_MESSAGE}<|end_of_msg|>'),
    values=Values(attribute=("type", "string")),
    written={
        "head": ('<|open|>call tool="', QUOTED_NAME, '"', Maybe('index="', CALL_ID, '"'), "<|sep|>"),
        "outer": (marker(_close("tools")), marker(_MESSAGE)),
        "next": (marker('<|open|>call tool="'),),
        "has_escaped_keys": True,
    },
    prompt={"identify": plain_id("1")},
    reasoning=between(
        "kimi_k3",
        (_open("think"),),
        (_close("think"), (*exact("<|close|>think"), _BEFORE_TOKEN)),
        answers=(_open("response"),),
        starts_open=True,
        calls="ends",
    ),
    dropped=(
        *(_open("response"), _close("response"), _open("tools"), _close("tools"), _MESSAGE),
        *('<|open|>message role="assistant"<|sep|>', "<|end_of_msg|>"),
    ),
)
