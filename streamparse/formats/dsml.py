"""deepseek_v32 and deepseek_v4: DSML, tags that say of each value whether it is a string.

    <｜DSML｜function_calls>
    <｜DSML｜invoke name="get_weather">
    <｜DSML｜parameter name="city" string="true">Oslo</｜DSML｜parameter>
    <｜DSML｜parameter name="days" string="false">2</｜DSML｜parameter>
    </｜DSML｜invoke>
    </｜DSML｜function_calls>

V4 has `tool_calls` for `function_calls`. A call may also have a JSON object in it, or be empty: `<｜DSML｜invoke … />`.
Tags around calls that have another name (`<｜DSML｜toolcalls>`) are swallowed, wherever they stand.
"""

from __future__ import annotations

from streamparse.families.calls.grammar import NAME
from streamparse.families.tagged.grammar import QUOTE
from streamparse.families.tagged.values import Values
from streamparse.formats.deepseek import TOKENS
from streamparse.formats.format import Format
from streamparse.formats.prompt import Turn
from streamparse.formats.tagged_calls import tagged_format
from streamparse.formats.thinking import thinking

#: What stands around calls, also by mistake.
_AROUND = ("function_calls", "tool_calls", "functioncalls", "toolcalls", "tools", "tool")


def _format(name: str, section: str, result: str | Turn) -> Format:
    """The format of this name, with this tag around all calls."""
    begin, end = f"<｜DSML｜{section}>", f"</｜DSML｜{section}>"
    return tagged_format(
        name,
        call='<｜DSML｜invoke name="$name">\n$arguments</｜DSML｜invoke>',
        parameter='<｜DSML｜parameter name="$key" string="$is_string">$value</｜DSML｜parameter>\n',
        section=(begin, end),
        bare="always",
        result=result,
        prompt={"tokens": ("｜DSML｜",)},
        values=Values(attribute=("string", "true")),
        written={"head": ("<｜DSML｜invoke name=", QUOTE, NAME, QUOTE), "empty": "/>"},
        reasoning=thinking(name, is_ended_by_calls=True),
        dropped=(*TOKENS, *(f"<{slash}｜DSML｜{name}>" for name in _AROUND for slash in ("", "/"))),
    )


DEEPSEEK_V32 = _format(
    "deepseek_v32",
    "function_calls",
    Turn("<function_results>\n<result>$result</result>\n</function_results>"),  # right behind the turn of the calls
)
DEEPSEEK_V4 = _format("deepseek_v4", "tool_calls", "<tool_result>$result</tool_result>")
