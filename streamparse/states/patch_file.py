"""A patch to a file.

    <patch_file path="a.py">@@ -1 +1 @@…</patch_file>
    <tool name="patch_file"><arg name="path">a.py</arg><arg name="patch">@@ -1 +1 @@…</arg></tool>

Both give patch_file {"path": "a.py", …} `@@ -1 +1 @@…`. The patch is never decoded. One line break
right behind its tag is not part of it.
"""

from __future__ import annotations

from streamparse.events import SegmentType
from streamparse.families.calls.body_call import WAITED_FOR
from streamparse.families.xml.body_state import XmlBodyState
from streamparse.families.xml.grammar import RawMarkers
from streamparse.states.delimited import DelimitedState


class PatchFileTool(XmlBodyState):
    """`<tool name="patch_file">`: the body is the patch."""

    segment_type = SegmentType.PATCH_FILE.value
    raw = RawMarkers.of("__START_PATCH__", "__END_PATCH__")


class PatchFileState(DelimitedState):
    """`<patch_file path="…">`: all of it is the patch."""

    segment_type = SegmentType.PATCH_FILE.value
    required = WAITED_FOR[segment_type]
    as_tool = PatchFileTool
    skips_break = True
