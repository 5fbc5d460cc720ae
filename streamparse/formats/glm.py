"""glm45, glm47 and their kin: keys and values in tags of their own.

    <tool_call>get_weather
    <arg_key>city</arg_key>
    <arg_value>Oslo</arg_value>
    </tool_call>

They may also write a JSON object behind the name, or one that has name and arguments, as hermes does.
GLM 4.7 and 5 write the same without line breaks. GLM 4.5 sometimes writes a line break between two tags as the two
characters `\\n`. A key without a value makes the call malformed.
IQuest Q1 writes what GLM 4.7 does in `<iquest_tool_call>`, and so does Spark 2.5, for whom `null` is null.
Hunyuan 3 has `<tool_sep>` behind the name, `<tool_calls>` around all calls, and may have a suffix in every tag:
`<tool_call:opensource>`. Hunyuan 4 has no `<tool_sep>`, and no line breaks.
"""

from __future__ import annotations

from typing import Any

from attrs import evolve

from streamparse.core.markers import Atom
from streamparse.families.calls.grammar import NAME, Section
from streamparse.families.tagged.grammar import FEW_BLANKS, KEY, marker
from streamparse.families.tagged.values import Values
from streamparse.formats.format import Format
from streamparse.formats.json_calls import between_tags
from streamparse.formats.prompt import Turn
from streamparse.formats.tagged_calls import tagged_format
from streamparse.formats.thinking import between, thinking

#: A line break as two characters, which may be cut.
_WRITTEN_BREAK = r"\\(?:n|\Z)"
#: Blanks between a name and a key, a key and a value; and between two parameters, where they may be many.
_GAP = Atom(rf"(?:[ \t\r\n]|{_WRITTEN_BREAK}){{0,64}}+")
_LONG_GAP = Atom(rf"[ \t\r\n]*+(?:{_WRITTEN_BREAK}[ \t\r\n]*+){{0,64}}+")
_TOKENS = ("<|user|>", "<|observation|>", "<|endoftext|>")
_ON_LINES = "<arg_key>$key</arg_key>\n<arg_value>$value</arg_value>\n"
_INLINE = "<arg_key>$key</arg_key><arg_value>$value</arg_value>"


def pair_format(name: str, tag: str = "tool_call", prefix: str = "", *, opens: bool = False, **more: Any) -> Format:
    """The format of this name, with this tag around each call, and `prefix` before the names of the tags in it."""
    head = (f"<{tag}>", NAME, _GAP)
    key = (f"<{prefix}arg_key>", FEW_BLANKS, KEY, FEW_BLANKS, f"</{prefix}arg_key>")
    return tagged_format(
        name,
        bare="with_parameters",
        takes_json=True,
        other_calls=(evolve(between_tags(tag), in_auto=False),),  # there they are those of hermes
        written={
            "head": head,
            "open": (marker(*key, _GAP, f"<{prefix}arg_value>"),),
            "next": (
                *(marker(*head[:1], FEW_BLANKS, *head[1:], begin) for begin in (key[0], f"</{tag}>", "{")),
                marker(f"<{tag}>", FEW_BLANKS, "{"),
            ),
            "orphans": (marker(*key),),
            "gap": _LONG_GAP,
        },
        reasoning=thinking(name, starts_open=opens, calls="ends"),
        **more,
    )


GLM45 = pair_format(
    "glm45",
    call="<tool_call>$name\n$arguments</tool_call>",
    parameter=_ON_LINES,
    result=Turn("<|observation|>\n<tool_response>\n$result\n</tool_response>"),
    dropped=(*_TOKENS, "<|begin_of_box|>", "<|end_of_box|>"),
    aliases=("glm", "poolside_v1"),
)
GLM47 = pair_format(
    "glm47",
    call="<tool_call>$name$arguments</tool_call>",
    parameter=_INLINE,
    result=Turn("<|observation|><tool_response>$result</tool_response>"),
    dropped=_TOKENS,
    aliases=("ling3",),
)

SPARK25 = pair_format(
    "spark25",
    call="<tool_call>$name\n$arguments</tool_call>",
    parameter=f"{_INLINE}\n",
    result="<tool_response>\n$result\n</tool_response>",
    values=Values(has_null=True),
)
IQUEST_Q1 = pair_format(
    "iquest_q1",
    "iquest_tool_call",
    opens=True,
    call="<iquest_tool_call>$name$arguments</iquest_tool_call>",
    parameter=_INLINE,
    result="<tool_response>$result</tool_response>",
    dropped=("<|iquest_end|>", "<|endoftext|>"),
)

#: The suffix of a tag: `:opensource`, in every tag or in none.
_SUFFIX = Atom(r"(?::[^<>\s]{0,64}+)?+")


def _tag(name: str) -> tuple[str, ...]:
    return (f"<{name}", _SUFFIX, ">")


def _hunyuan(name: str, *separator: str, opens: bool = False, **more: Any) -> Format:
    """The format of this name; where no `separator` stands behind the name of a tool, a key or the end must."""
    key = (*_tag("arg_key"), FEW_BLANKS, KEY, FEW_BLANKS, *_tag("/arg_key"))
    close, end, think, thought = (marker(*_tag(tag)) for tag in ("/tool_calls", "/tool_call", "think", "/think"))
    return tagged_format(
        name,
        section=("<tool_calls>", "</tool_calls>"),
        around=Section(_tag("tool_calls"), (close,)),
        begins=() if separator else (marker(*_tag("arg_key")), end),
        result="<tool_responses>\n<tool_response>\n$result\n</tool_response>\n</tool_responses>",
        written={
            "head": (*_tag("tool_call"), NAME, *separator),
            "open": (marker(*key, FEW_BLANKS, *_tag("arg_value")),),
            "close": marker(*_tag("/arg_value")),
            "end": end,
            "outer": (close,),
            "orphans": (marker(*key),),
        },
        reasoning=between(name, (think,), (thought,), starts_open=opens, calls="ends"),
        **more,
    )


HUNYUAN3 = _hunyuan(
    "hunyuan3",
    *_tag("tool_sep"),
    call="<tool_call>$name<tool_sep>\n$arguments</tool_call>",
    parameter=_ON_LINES,
    bare="always",
    aliases=("hy_v3",),
)
HY_V4 = _hunyuan(
    "hy_v4",
    opens=True,
    call="<tool_call>$name$arguments</tool_call>",
    parameter=_INLINE,
    joint="",
    bare="with_parameters",
)
