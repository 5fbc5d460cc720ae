"""minimax_m3: parameters in tags of their own names, and a token before every tag.

    ]<]minimax[>[<tool_call>]<]minimax[>[<invoke name="get_weather">
    ]<]minimax[>[<city>Oslo]<]minimax[>[</city>]<]minimax[>[<at>]<]minimax[>[<lat>1]<]minimax[>[</lat>]<]minimax[>[</at>
    ]<]minimax[>[</invoke>]<]minimax[>[</tool_call>

What is nested stands in tags again, lists in `<item>`.
"""

from __future__ import annotations

from streamparse.core.markers import Atom
from streamparse.families.calls.grammar import NAME, Calls, Section
from streamparse.families.tagged.grammar import FEW_BLANKS, MAYBE_QUOTE, Tags, marker
from streamparse.families.tagged.nested import TAG_NAME, NestedArguments
from streamparse.families.tagged.state import TaggedCallState
from streamparse.families.tagged.writer import WriteNested
from streamparse.formats.format import Format
from streamparse.formats.prompt import Prompt
from streamparse.formats.thinking import between

_NS = "]<]minimax[>["
_TAG = Atom(TAG_NAME)
_HEAD = (_NS, "<invoke name=", MAYBE_QUOTE, NAME, MAYBE_QUOTE, ">")
_END = marker(_NS, FEW_BLANKS, "</invoke>")
_OUTER = marker(_NS, FEW_BLANKS, "</tool_call>")
_TAGS = Tags(
    open=(marker(_NS, FEW_BLANKS, "<", _TAG, ">"),),
    close=marker(_NS, FEW_BLANKS, "</", _TAG, ">"),
    end=_END,
    outer=(_OUTER,),
    next=(marker(*(piece for part in _HEAD for piece in (part, FEW_BLANKS))),),
)
_DECODER = NestedArguments(_NS)

MINIMAX_M3 = Format(
    name="minimax_m3",
    calls=(
        Calls(
            TaggedCallState,
            head=_HEAD,
            tail=(_END,),
            sections=(Section((_NS, "<tool_call>"), (_OUTER,)),),
            begins=("",),
            options=_TAGS,
        ),
    ),
    reasoning=between("minimax_m3", ("<mm:think>",), ("</mm:think>",), is_ended_by_calls=True),
    arguments=_DECODER,
    dropped=("[e~[",),
    prompt=Prompt(
        call=f'{_NS}<tool_call>{_NS}<invoke name="$name">$arguments{_NS}</invoke>{_NS}</tool_call>',
        result="]~b]tool\n<response>$result</response>[e~[",
        write=WriteNested(_DECODER, _NS),
    ),
    models=("*minimax-m3*",),
)
