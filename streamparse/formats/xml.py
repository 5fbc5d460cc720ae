"""xml: tools, shorthands and reasoning as tags.

    <tool name="search"><arg name="query">cats</arg></tool>
    <write_file path="a.py">…</write_file>   <patch_file path="a.py">…</patch_file>   <run_bash>…</run_bash>
    <think>…</think>

Every state that is registered with `bare=True` adds a tag.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from streamparse.core.markers import open_tag
from streamparse.core.opening import Opener
from streamparse.families.xml.decoder import XML_ARGUMENTS
from streamparse.families.xml.writer import form_of, write_call
from streamparse.formats import teaching
from streamparse.formats.format import Format, Setup
from streamparse.formats.plan_tags import plan_openers
from streamparse.formats.prompt import ANY_NAME, Prompt
from streamparse.formats.thinking import thinking
from streamparse.states.patch_file import PatchFileState
from streamparse.states.run_bash import RunBashState
from streamparse.states.tool import ToolState
from streamparse.states.write_file import WriteFileState
from streamparse.states.xml_tag_init import XmlTagInitState

_TOOL_STATES = {
    "write_file": WriteFileState,
    "patch_file": PatchFileState,
    "run_bash": RunBashState,
    "": ToolState,
}


def _openers(setup: Setup) -> Sequence[Opener]:
    return _tags(setup.registry.bare_names())


@lru_cache(maxsize=64)
def _tags(registered: tuple[str, ...]) -> tuple[Opener, ...]:
    names = dict.fromkeys(("tool", *(name for name in _TOOL_STATES if name), *registered))
    return (*(Opener(open_tag(name), XmlTagInitState, "xml") for name in names), *plan_openers("xml"))


XML = Format(
    name="xml",
    aliases=("xml_tag",),
    openers=_openers,
    tool_states=_TOOL_STATES,
    reasoning=thinking("xml"),
    arguments=XML_ARGUMENTS,
    prompt=Prompt(
        call=write_call,
        result="<tool_result name=$quoted_name>\n$result\n</tool_result>",
        name=ANY_NAME,
        form=form_of,
        teach=teaching.teach_xml,
    ),
)
