"""longcat: what hermes writes, or what GLM 4.5 does, in tags of its own.

    <longcat_tool_call>                                         LongCat-Flash-Chat
    {"name": "get_weather", "arguments": {"city": "Oslo"}}
    </longcat_tool_call>

    <longcat_tool_call>get_weather                              LongCat-Flash-Thinking-2601, LongCat-Flash-Lite
    <longcat_arg_key>city</longcat_arg_key>
    <longcat_arg_value>Oslo</longcat_arg_value>
    </longcat_tool_call>

A value that can be read as JSON is that, unless the schema says that it is a string. Calls are taught as JSON.
"""

from __future__ import annotations

from attrs import evolve

from streamparse.families.tagged.values import Values
from streamparse.formats.format import Format
from streamparse.formats.glm import pair_format
from streamparse.formats.hermes import object_format
from streamparse.formats.thinking import thinking

_TAG = "longcat_tool_call"


def _format() -> Format:
    pairs = pair_format(
        "longcat",
        _TAG,
        "longcat_",
        call=f"<{_TAG}>$name\n$arguments</{_TAG}>",
        parameter="<longcat_arg_key>$key</longcat_arg_key>\n<longcat_arg_value>$value</longcat_arg_value>\n",
        result="$result",
        values=Values(has_json=True),
    )
    objects = object_format(
        "longcat",
        _TAG,
        thinking("longcat", "longcat_think"),
        tokens=("<longcat_s>", "<longcat_system>", "<longcat_user>", "<longcat_assistant>"),
        dropped=("</longcat_s>",),
    )
    of_pairs = (calls for calls in pairs.calls if calls.in_auto)  # the others are objects, too
    return evolve(objects, calls=(*objects.calls, *of_pairs), arguments=pairs.arguments)


LONGCAT = _format()
