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
from streamparse.families.cline.body_state import ClineCommandState, ClinePatchState, ClineWriteState
from streamparse.families.cline.decoder import CLINE_ARGUMENTS
from streamparse.families.cline.grammar import ClineTool, is_tag_name
from streamparse.families.cline.state import ClineCallState
from streamparse.families.cline.writer import describe_as_tags, write_call
from streamparse.formats import teaching
from streamparse.formats.cline_tools import CLINE_TOOLS, ROO_TOOLS
from streamparse.formats.format import Format, Setup
from streamparse.formats.plan_tags import plan_openers
from streamparse.formats.prompt import Prompt
from streamparse.formats.thinking import thinking

_STATES: dict[str | None, type[BaseState]] = {
    None: ClineCallState,
    "write_file": ClineWriteState,
    "patch_file": ClinePatchState,
    "run_bash": ClineCommandState,
}


@lru_cache(maxsize=64)
def _openers(format: str, tools: tuple[ClineTool, ...]) -> tuple[Opener, ...]:
    return tuple(
        Opener(marker, _STATES[parameters.kind], format, parameters)
        for parameters in tools
        for marker in parameters.openers
    )


def _format(name: str, tools: tuple[ToolSpec, ...]) -> Format:
    own = tuple(map(ClineTool.of, tools))

    def openers(setup: Setup) -> Sequence[Opener]:
        declared = tuple(ClineTool.of(spec) for spec in setup.tools.values() if is_tag_name(spec.name))
        return (*_openers(name, declared if setup.tools else own), *plan_openers(name))

    return Format(
        name=name,
        openers=openers,
        reasoning=thinking(name),
        arguments=CLINE_ARGUMENTS,
        tools=tools,
        prompt=Prompt(
            call=write_call,
            result="[$name] Result:\n$result",
            describe=describe_as_tags,
            teach=teaching.PARAMETERS,
        ),
        in_auto=False,
    )


CLINE = _format("cline", CLINE_TOOLS)
ROO = _format("roo", ROO_TOOLS)
