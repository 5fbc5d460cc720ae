"""llama3_json: a JSON object with name and parameters, behind a special token or where the reply begins.

    <|python_tag|>{"name": "get_weather", "parameters": {"city": "Oslo"}}; {"name": "noop", "parameters": {}}
    <|python_tag|>brave_search.call(query="oslo")<|eom_id|>             a built-in tool: arguments as Python writes them
    <|python_tag|>print(1)<|eom_id|>                                    code to run: the tool `python`, one argument

Llama 3.1 to 3.3, Llama 4 with a JSON prompt (`<|python_start|>`). Without the token an object is a call only where the
reply begins, and only while its keys are those of a call; `auto` does not look for it. Code ends at `<|eom_id|>`: it is
whatever the token begins that is none of the others, and has a format of its own, llama3_code, because its one argument
is the text itself. Objects in Python's quotes are not read.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from streamparse.core.markers import BLANKS, Atom
from streamparse.errors import RenderError
from streamparse.families.calls.grammar import Calls, Maybe, Section, name_like
from streamparse.families.calls.raw_state import RawCallState
from streamparse.families.json.bare_state import BareObjectState
from streamparse.families.json.keys import JsonKeys
from streamparse.families.json.object_state import JsonObjectCallState
from streamparse.families.json.plain_text import CODE_ARGUMENTS
from streamparse.families.literals.python import JSON_OR_PYTHON_ARGUMENTS, PYTHON
from streamparse.families.literals.state import LiteralCallState
from streamparse.formats.format import Format
from streamparse.formats.prompt import ANY_NAME, Prompt, Turn
from streamparse.formats.thinking import thinking

_TAG = "<|python_tag|>"
_ENDS = ("<|eot_id|>", "<|eom_id|>")
_KEYS = JsonKeys()
#: What may stand between two objects.
_BETWEEN = Atom("[,;]")
_BUILTIN = r"[A-Za-z_][A-Za-z0-9_]{0,255}+"
#: Code that llama3_json would take for a call of another kind.
_NO_CODE = re.compile(rf"\s*+(?:(?:[,;]\s*+)?+\{{|{_BUILTIN}\s*+\.call\s*+\()", re.ASCII)
_RESULT = Turn("<|start_header_id|>ipython<|end_header_id|>\n\n$result<|eot_id|>", "ipython")


def _python(name: str, call_id: str | None) -> tuple[str, str | None]:
    return "python", None


def _write_code(arguments: Mapping[str, Any]) -> str:
    """The code, and nothing else."""
    code = arguments.get("code")
    if len(arguments) != 1 or not isinstance(code, str):
        raise RenderError("code is called with one argument, code, which is a string")
    if _NO_CODE.match(code):
        raise RenderError("the code would be read as something else")
    return code


LLAMA3_CODE = Format(
    name="llama3_code",
    calls=(Calls(RawCallState, head=(_TAG,), tail=_ENDS, begins=("",), read_head=_python),),
    reasoning=thinking("llama3_code"),
    arguments=CODE_ARGUMENTS,
    dropped=_ENDS,
    turn_tokens=_ENDS,
    prompt=Prompt(
        call=f"{_TAG}$arguments<|eom_id|>",
        result=_RESULT,
        write=_write_code,
        name=re.compile("python"),
        example=("python", {"code": "print(6 * 7)"}),
    ),
)
LLAMA3_JSON = Format(
    name="llama3_json",
    openers=lambda setup: LLAMA3_CODE.all_openers.calls(is_auto=setup.is_auto),
    calls=(
        Calls(
            JsonObjectCallState,
            head=(Maybe(_BETWEEN),),
            sections=(Section((_TAG,), _ENDS), Section(("<|python_start|>",), ("<|python_end|>",))),
            is_bare=False,
            options=_KEYS,
        ),
        Calls(
            LiteralCallState,
            head=(_TAG, name_like(_BUILTIN), ".call"),
            tail=_ENDS,
            begins=("(",),
            options=PYTHON,
        ),
        Calls(BareObjectState, tail=_ENDS, options=_KEYS, place="reply", certain=(("{", BLANKS, '"'),)),
    ),
    reasoning=thinking("llama3_json"),
    arguments=JSON_OR_PYTHON_ARGUMENTS,
    dropped=(*_ENDS, "<|eot|>", "<|eom|>", "<|python_start|>", "<|python_end|>"),
    turn_tokens=_ENDS,
    prompt=Prompt(
        call=f'{_TAG}{{"name": $quoted_name, "parameters": $arguments}}',
        result=_RESULT,
        name=ANY_NAME,
    ),
    aliases=("llama3", "llama4_json"),
)
