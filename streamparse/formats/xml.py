"""xml: tools, shorthands and reasoning as tags.

    <tool name="search"><arg name="query">cats</arg></tool>
    <write_file path="a.py">…</write_file>   <patch_file path="a.py">…</patch_file>   <run_bash>…</run_bash>
    <think>…</think>

Every state that is registered with `bare=True` adds a tag.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from streamparse.core.markers import Marker, closer, opener
from streamparse.core.registry import REASONING_TAGS, ToolStateRegistry, default_registry
from streamparse.formats.format import Format
from streamparse.states.patch_file import PatchFileState
from streamparse.states.reasoning import ReasoningState
from streamparse.states.run_bash import RunBashState
from streamparse.states.tool import ToolState
from streamparse.states.write_file import WriteFileState
from streamparse.states.xml_tag_init import XmlTagInitState

default_registry.register("write_file", WriteFileState, bare=True)
default_registry.register("patch_file", PatchFileState, bare=True)
default_registry.register("run_bash", RunBashState, bare=True)


def _call_openers(registry: ToolStateRegistry) -> Mapping[str, Sequence[Marker]]:
    return {"xml_tag_init": [opener(name) for name in ("tool", *registry.bare_names())]}


XML = Format(
    name="xml",
    aliases=("xml_tag",),
    states={"xml_tag_init": XmlTagInitState, "tool": ToolState, "reasoning": ReasoningState},
    call_openers=_call_openers,
    reasoning_openers={"xml_tag_init": [opener(tag) for tag in REASONING_TAGS]},
    stray_closers=[closer(tag) for tag in REASONING_TAGS],
)
