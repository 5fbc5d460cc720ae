"""deepseek_v32 and deepseek_v4: DSML, tags that say of each value whether it is a string.

    <｜DSML｜function_calls>
    <｜DSML｜invoke name="get_weather">
    <｜DSML｜parameter name="city" string="true">Oslo</｜DSML｜parameter>
    <｜DSML｜parameter name="days" string="false">2</｜DSML｜parameter>
    </｜DSML｜invoke>
    </｜DSML｜function_calls>

V4 has `tool_calls` for `function_calls`. A call may also have a JSON object in it, or be empty: `<｜DSML｜invoke … />`.
"""

from __future__ import annotations

from streamparse.families.calls.grammar import NAME, Calls, Section
from streamparse.families.tagged.decoder import TaggedArguments, Values
from streamparse.families.tagged.grammar import QUOTE, Tags, marker, with_attribute
from streamparse.families.tagged.state import TaggedCallState
from streamparse.families.tagged.writer import WriteParameters
from streamparse.formats.format import Format
from streamparse.formats.prompt import Prompt
from streamparse.formats.thinking import thinking

_HEAD = ("<｜DSML｜invoke name=", QUOTE, NAME, QUOTE)
_END = "</｜DSML｜invoke>"
_PARAMETER = '<｜DSML｜parameter name="$key" string="$is_string">$value</｜DSML｜parameter>\n'


def _format(name: str, section: str, result: str, models: tuple[str, ...]) -> Format:
    """The format of this name, with this tag around all calls."""
    begin, end = f"<｜DSML｜{section}>", f"</｜DSML｜{section}>"
    tags = Tags(
        open=with_attribute("<｜DSML｜parameter"),
        close=marker("</｜DSML｜parameter>"),
        end=marker(_END),
        outer=(marker(end),),
        next=(marker(*_HEAD),),
        empty="/>",
    )
    decoder = TaggedArguments(tags, Values(attribute=("string", "true")))
    return Format(
        name=name,
        calls=(
            Calls(
                TaggedCallState,
                head=_HEAD,
                tail=(_END,),
                sections=(Section((begin,), (end,)),),
                begins=(">", "/>"),
                options=tags,
            ),
        ),
        reasoning=thinking(name, is_ended_by_calls=True),
        arguments=decoder,
        dropped=("<｜end▁of▁sentence｜>", begin, end),
        prompt=Prompt(
            call=f'{begin}\n<｜DSML｜invoke name="$name">\n$arguments{_END}\n{end}',
            result=result,
            write=WriteParameters(decoder, _PARAMETER),
        ),
        models=models,
    )


DEEPSEEK_V32 = _format(
    "deepseek_v32",
    "function_calls",
    "<function_results>\n<result>$result</result>\n</function_results>",
    ("*deepseek-v3.2*",),
)
DEEPSEEK_V4 = _format("deepseek_v4", "tool_calls", "<tool_result>$result</tool_result>", ("*deepseek-v4*",))
