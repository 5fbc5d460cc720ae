"""cline and roo: tools as bare tags, their parameters as tags in them.

    <read_file>
    <path>src/a.py</path>
    </read_file>

Two assistants, Cline and Roo Code, write calls like this, each with tools of its own (`cline_tools.py`); `tools=`
replaces them. The names are exact. `<read_file>` is an opener only if a tag follows, so it may be spoken of in prose.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from streamparse.config import ToolSpec
from streamparse.core.opening import Opener
from streamparse.core.state import BaseState
from streamparse.families.cline.body_state import ParameterCommandState, ParameterPatchState, ParameterWriteState
from streamparse.families.cline.decoder import PARAMETER_ARGUMENTS
from streamparse.families.cline.grammar import Parameters, is_tag_name
from streamparse.families.cline.state import ParameterCallState
from streamparse.families.cline.writer import WriteCall, describe_as_tags
from streamparse.formats import teaching
from streamparse.formats.cline_tools import CLINE_TOOLS, ROO_TOOLS
from streamparse.formats.format import Format, Setup
from streamparse.formats.plan_tags import plan_openers
from streamparse.formats.prompt import Prompt
from streamparse.formats.thinking import thinking

_STATES: dict[str | None, type[BaseState]] = {
    None: ParameterCallState,
    "write_file": ParameterWriteState,
    "patch_file": ParameterPatchState,
    "run_bash": ParameterCommandState,
}


@lru_cache(maxsize=64)
def _openers(format: str, tools: tuple[Parameters, ...]) -> tuple[Opener, ...]:
    return tuple(
        Opener(marker, _STATES[parameters.kind], format, parameters)
        for parameters in tools
        for marker in parameters.openers
    )


def _format(name: str, tools: tuple[ToolSpec, ...]) -> Format:
    own = tuple(map(Parameters.of, tools))

    def openers(setup: Setup) -> Sequence[Opener]:
        declared = tuple(Parameters.of(spec) for spec in setup.tools.values() if is_tag_name(spec.name))
        return (*_openers(name, declared if setup.tools else own), *plan_openers(name))

    return Format(
        name=name,
        openers=openers,
        reasoning=thinking(name),
        arguments=PARAMETER_ARGUMENTS,
        tools=tools,
        prompt=Prompt(
            call=WriteCall({tool.name.lower(): tool for tool in tools}),
            result="[$name] Result:\n$result",
            describe=describe_as_tags,
            teach=teaching.PARAMETERS,
        ),
        in_auto=False,
    )


CLINE = _format("cline", CLINE_TOOLS)
ROO = _format("roo", ROO_TOOLS)
