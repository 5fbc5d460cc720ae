from __future__ import annotations

from io import StringIO

import pytest

from streamparse.cli.plain_view import PlainView
from streamparse.cli.pump import pump

REPLY = (
    "<think>\nHm.\n</think>\n\nLook: \x1b[2J\n\n"
    '<write_file path="a\nb">\n1\n\n2\n</write_file>\n\n'
    '<tool name="f"><arg name="x">1</arg><arg name="x">2</arg></tool><run_bash></run_bash>\n<run_bash>ls'
)
SHOWN = r"""[reasoning]
Hm.

Look: \x1b[2J

[write_file a\nb]
1

2
[complete] write_file(path="a\nb", content=[3 lines])

[tool_call f]
<arg name="x">1</arg><arg name="x">2</arg>
[malformed: x is given twice] f()

[run_bash]
[complete] run_bash(command=[1 line])

[run_bash]
ls
[truncated] run_bash(command=[1 line])
"""


def test_text_that_was_reasoning_is_followed_by_a_line_that_says_so() -> None:
    file = StringIO()
    pump([b"Hm.\n</think>\nOk."], PlainView(file), invocations=True)
    assert file.getvalue() == "Hm.\n[that was reasoning]\n\nOk.\n"


@pytest.mark.parametrize("size", [1, 2, 7, 1000])
def test_segments_stand_one_below_the_other_whatever_the_chunks(size: int) -> None:
    file = StringIO()
    pump([REPLY.encode()], PlainView(file), chunk_size=size, invocations=True)
    assert file.getvalue() == SHOWN
