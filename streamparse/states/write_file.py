"""A file being written.

    <write_file path="a.py">print(1)</write_file>
    <tool name="write_file"><arg name="path">a.py</arg><arg name="content">print(1)</arg></tool>

Both give write_file {"path": "a.py", …} `print(1)`. The content is never decoded. One line break
right behind its tag is not part of it.
"""

from __future__ import annotations

from streamparse.events import SegmentType
from streamparse.families.calls.body_call import WAITED_FOR
from streamparse.families.xml.body_state import XmlBodyState
from streamparse.families.xml.grammar import RawMarkers
from streamparse.states.delimited import DelimitedState


class WriteFileTool(XmlBodyState):
    """`<tool name="write_file">`: the body is the file's content."""

    segment_type = SegmentType.WRITE_FILE.value
    raw = RawMarkers.of("__START_CONTENT__", "__END_CONTENT__")


class WriteFileState(DelimitedState):
    """`<write_file path="…">`: all of it is the file's content."""

    segment_type = SegmentType.WRITE_FILE.value
    required = WAITED_FOR[segment_type]
    as_tool = WriteFileTool
    skips_break = True
