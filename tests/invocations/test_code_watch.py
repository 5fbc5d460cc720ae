"""invocations/code_watch.py: which calls stand in Markdown code."""

from __future__ import annotations

import pytest

from streamparse import SegmentContent, SegmentEnd, SegmentStart, ToolInvocation, ToolInvocationAdapter, parse
from streamparse.blocks import BlockBuilder, ToolUse
from streamparse.events import SegmentEvent
from streamparse.invocations.open_call import MOST_DELTAS

CALL = "<run_bash>ls</run_bash>"
FENCED = f"```sh\n{CALL}\n```\n{CALL}"


def calls(text: str, **options: object) -> list[ToolInvocation]:
    return [item for item in parse(text, invocations=True, **options) if isinstance(item, ToolInvocation)]  # type: ignore[call-overload]


@pytest.mark.parametrize(
    ("text", "is_fenced"),
    [
        (CALL, False),
        (f"```\n{CALL}", True),
        (f"  ```\r\n{CALL}", True),
        (f"```{CALL}", True),
        (f"```\na\n```{CALL}", True),  # a run that is not alone on its line closes nothing
        (f"```\na\n``` \n{CALL}", False),
        (f"```\na\n~~~\n{CALL}", True),
        (f"x ```\n{CALL}", True),
        (f"x ```py \t\n{CALL}", True),
        (f"x ```\na``` {CALL}", False),
        (f"x ```\na\n```\n{CALL}", False),
        (f"x ```\na ```` `` ~~~\n{CALL}", True),
        (f"x ``` is a fence\n{CALL}", False),
        (f"x ```~~~\n{CALL}", False),
        (f"x ``` `\n{CALL}", False),
        (f"> ```\n> a\n> ```\n{CALL}", False),
        (f"x ~~~\n{CALL}", False),
        (f"x ```{CALL}``` y", True),
        (f"x ```y``` {CALL}", False),
        (f"```y``` {CALL}", False),
        (f"~~~ ` \n{CALL}", True),
        (f"`x\n{CALL}", False),
        (f"`` ` `` {CALL}", False),
        (f"x ~ {CALL}", False),
    ],
)
def test_a_call_in_a_fence_is_marked(text: str, is_fenced: bool) -> None:
    assert [call.is_fenced for call in calls(text)] == [is_fenced]


def test_a_span_of_several_lines_does_not_depend_on_the_pieces() -> None:
    start: list[SegmentEvent] = [SegmentStart("s", "text")]
    call = [SegmentStart("c", "run_bash"), SegmentEnd("c", "malformed")]
    for text, is_fenced in (("x ```p.y \t\n", True), ("x ```p y\n", False)):
        pieces: list[SegmentEvent] = [SegmentContent("s", one) for piece in text for one in (piece, "") * MOST_DELTAS]
        assert [made.is_fenced for made in ToolInvocationAdapter().feed_all([*start, *pieces, *call])] == [is_fenced]


def test_a_call_behind_a_run_is_no_word() -> None:
    assert [call.is_fenced for call in calls(f"x ```{CALL}\n{CALL}")] == [True, False]


def test_a_fence_that_comes_in_many_pieces_is_one() -> None:
    start: list[SegmentEvent] = [SegmentStart("s", "text")]
    call = [SegmentStart("c", "run_bash"), SegmentEnd("c", "malformed")]
    for count, is_fenced in ((3 * MOST_DELTAS + 1, True), (2, False)):
        events = [*start, *(SegmentContent("s", "`") for _ in range(count)), SegmentContent("s", "\n"), *call]
        assert [made.is_fenced for made in ToolInvocationAdapter().feed_all(events)] == [is_fenced]
        blocks = BlockBuilder().feed_all(events)
        assert [block.invocation.is_fenced for block in blocks if isinstance(block, ToolUse) and block.invocation] == [
            is_fenced
        ]


def test_segments_of_other_types_are_no_prose() -> None:
    note: list[SegmentEvent] = [SegmentStart("n", "note"), SegmentContent("n", "```\n"), SegmentEnd("n")]
    call = [SegmentStart("c", "run_bash"), SegmentEnd("c", "malformed")]
    assert [made.is_fenced for made in ToolInvocationAdapter().feed_all([*note, *call])] == [False]


def test_an_adapter_and_a_builder_forget_the_code_of_the_last_reply() -> None:
    events = list(parse("```\n"))
    call = [SegmentStart("c", "run_bash"), SegmentEnd("c", "malformed")]
    adapter = ToolInvocationAdapter()
    adapter.feed_all(events)
    adapter.finalize()
    assert [made.is_fenced for made in adapter.feed_all(call)] == [False]
    builder = BlockBuilder()
    builder.feed_all(events)
    builder.reset()
    (block,) = builder.feed_all(call)
    assert isinstance(block, ToolUse)
    assert block.invocation is not None
    assert not block.invocation.is_fenced


def test_blocks_tell_the_same() -> None:
    blocks = BlockBuilder().feed_all(parse(FENCED))
    made = [block.invocation for block in blocks if isinstance(block, ToolUse)]
    assert made == calls(FENCED)
    assert [call and call.is_fenced for call in made] == [True, False]


def test_a_native_call_stands_beside_the_text() -> None:
    function = {"name": "f", "arguments": "{}"}
    delta = {"content": "```\n", "tool_calls": [{"index": 0, "id": "c", "function": function}]}
    assert [call.is_fenced for call in calls([{"choices": [{"delta": delta}]}])] == [False]  # type: ignore[arg-type]


def test_a_call_says_whether_its_tool_is_declared() -> None:
    assert [call.is_declared for call in calls(CALL)] == [None]
    assert [call.is_declared for call in calls(CALL, tools=[{"name": "Run_Bash"}])] == [True]
    assert [call.is_declared for call in calls(CALL, tools=[{"name": "f"}])] == [False]
