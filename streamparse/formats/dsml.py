"""deepseek_v32, deepseek_v4, deepseek_v41 and gigachat35: DSML, tags that say of each value whether it is a string.

    <｜DSML｜function_calls>
    <｜DSML｜invoke name="get_weather">
    <｜DSML｜parameter name="city" string="true">Oslo</｜DSML｜parameter>
    <｜DSML｜parameter name="days" string="false">2</｜DSML｜parameter>
    </｜DSML｜invoke>
    </｜DSML｜function_calls>

V4 has `tool_calls` for `function_calls`. A call may also have a JSON object in it, or be empty: `<｜DSML｜invoke … />`.
V4.1 has a blank before the name of every tag, `<｜DSML｜ invoke name="…">`, and `calls` around them; its prompt has
opened the reasoning. GigaChat 3.5 writes what V4 does with another token: `<｜GCML｜invoke name="…">`.
Tags around calls that have another name (`<｜DSML｜toolcalls>`) are swallowed, wherever they stand.
"""

from __future__ import annotations

from typing import Any

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


def _format(
    name: str, token: str, section: str, result: str | Turn, *tokens: str, opens: bool = False, **more: Any
) -> Format:
    """The format of this name: `token` stands before the name of every tag, `section` is the tag around all calls."""
    begin, end = f"<{token}{section}>", f"</{token}{section}>"
    return tagged_format(
        name,
        call=f'<{token}invoke name="$name">\n$arguments</{token}invoke>',
        parameter=f'<{token}parameter name="$key" string="$is_string">$value</{token}parameter>\n',
        section=(begin, end),
        bare="always",
        result=result,
        prompt={"tokens": (token.strip(),)},
        values=Values(attribute=("string", "true")),
        written={"head": (f"<{token}invoke name=", QUOTE, NAME, QUOTE), "empty": "/>"},
        reasoning=thinking(name, starts_open=opens, calls="ends"),
        dropped=(*tokens, *(f"<{slash}{token}{tag}>" for tag in (section, *_AROUND) for slash in ("", "/"))),
        **more,
    )


_DSML = "｜DSML｜"
_RESULT = "<tool_result>$result</tool_result>"

DEEPSEEK_V32 = _format(
    "deepseek_v32",
    _DSML,
    "function_calls",
    Turn("<function_results>\n<result>$result</result>\n</function_results>"),  # right behind the turn of the calls
    *TOKENS,
)
DEEPSEEK_V4 = _format("deepseek_v4", _DSML, "tool_calls", _RESULT, *TOKENS)
DEEPSEEK_V41 = _format("deepseek_v41", f"{_DSML} ", "calls", _RESULT, *TOKENS, opens=True)
GIGACHAT35 = _format(
    "gigachat35",
    "｜GCML｜",
    "tool_calls",
    Turn("function result<|role_sep|>\n$result<|message_sep|>\n\n"),
    *("</s>", "<|message_sep|>", "<|role_sep|>"),
)
