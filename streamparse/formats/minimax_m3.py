"""minimax_m3: parameters in tags of their own names, and a token before every tag.

    ]<]minimax[>[<tool_call>
    ]<]minimax[>[<invoke name="get_weather">]<]minimax[>[<city>Oslo]<]minimax[>[</city>]<]minimax[>[</invoke>
    ]<]minimax[>[</tool_call>

What is nested stands in tags again, `]<]minimax[>[<lat>1]<]minimax[>[</lat>`, lists in `<item>`.
"""

from __future__ import annotations

from streamparse.families.calls.grammar import NAME, Section
from streamparse.families.tagged.grammar import FEW_BLANKS, MAYBE_QUOTE, OWN_KEY, marker
from streamparse.formats.prompt import Turn
from streamparse.formats.tagged_calls import tagged_format
from streamparse.formats.thinking import between

_NS = "]<]minimax[>["
_CLOSE = marker(_NS, FEW_BLANKS, "</tool_call>")

MINIMAX_M3 = tagged_format(
    "minimax_m3",
    call=f'{_NS}<invoke name="$name">$arguments{_NS}</invoke>',
    parameter=f"{_NS}<$key>$value{_NS}</$key>",
    section=(f"{_NS}<tool_call>", f"{_NS}</tool_call>"),
    bare="always",
    result=Turn("]~b]tool\n<response>$result</response>[e~["),
    around=Section((_NS, "<tool_call>"), (_CLOSE,)),
    written={
        "head": (_NS, "<invoke name=", MAYBE_QUOTE, NAME, MAYBE_QUOTE, ">"),
        "open": (marker(_NS, FEW_BLANKS, "<", OWN_KEY, ">"),),
        "close": marker(_NS, FEW_BLANKS, "</", OWN_KEY, ">"),
        "end": marker(_NS, FEW_BLANKS, "</invoke>"),
        "outer": (_CLOSE,),
        "is_nested": True,
    },
    reasoning=between("minimax_m3", ("<mm:think>",), ("</mm:think>",), calls="ends"),
    prompt={"tokens": ("]~b]", "]~!b[", _NS)},
    dropped=("[e~[",),
)
