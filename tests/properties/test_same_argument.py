"""The same argument text has the same value, whatever the tool and whatever the way it is reached.

A value is written between the tags of an argument, in three kinds of calls: a tool with a body, whose state reads the
argument while it streams; a tool without one, whose decoder reads it at the end; and the same call once more, from its
content alone. They must agree on all of it: whether the call is complete, what the value is, and which sentence says
what is wrong.
"""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from streamparse import StreamingResponseHandler, ToolInvocation, ToolSpec
from tests import seeds

PIECES = [
    *(
        '<arg name="x">',
        "<arg name='note'>",
        "<arg>",
        "<arg/>",
        "</arg>",
        "</arg >",
        "</arg x>",
        "</arg",
        "<note>",
        "</note>",
    ),
    *(
        "<note/>",
        "<b>",
        "</b>",
        "<item>",
        "</item>",
        "</tool>",
        "</tool >",
        "</arguments>",
        "<arguments>",
        "<!--",
        "-->",
    ),
    *("a", "b c", " ", "\n", "\r\n", "<", ">", "&amp;", "&am", "é", "__END_CONTENT__"),
]
STRING: dict[str, Any] = {"type": "object", "properties": {"note": {"type": "string"}}}
OBJECT: dict[str, Any] = {"type": "object", "properties": {"note": {"type": "object"}}}
#: The argument in an `<arg>`, and in a tag of its own name; what stands before it; and what tools declare of it.
FORMS = {
    "arg": ('<arg name="path">p</arg><arg name="content">c</arg>', '<arg name="note">', "</arg>"),
    "direct": ("<path>p</path><content>c</content>", "<note>", "</note>"),
}
SCHEMAS = {"undeclared": None, "string": STRING, "object": OBJECT}


def read(name: str, text: str, schema: dict[str, Any] | None, end: str) -> list[tuple[object, ...]]:
    """What the calls in a reply come to: only a complete call has a value to compare."""
    tools = [] if schema is None else [ToolSpec(name, schema)]
    handler = StreamingResponseHandler("xml", tools=tools)
    handler.feed(f'<tool name="{name}">{text}{end}')
    handler.finalize()
    return [_said(invocation) for invocation in handler.invocations]


def _said(invocation: ToolInvocation) -> tuple[object, ...]:
    value = repr(invocation.arguments.get("note")) if invocation.is_complete else None
    return invocation.status, invocation.error, invocation.is_complete and invocation.repaired, value


def check(value: str, form: str, schema: dict[str, Any] | None, end: str = "</tool> and more") -> None:
    before, opener, closer = FORMS[form]
    text = f"{before}{opener}{value}{closer}"
    assert read("write_file", text, schema, end) == read("other", text, schema, end)


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("schema", SCHEMAS)
def test_an_argument_has_the_same_value_whatever_the_tool(form: str, schema: str) -> None:
    rng = seeds.rng(14)
    for _ in range(seeds.times(200)):
        check("".join(rng.choices(PIECES, k=rng.randint(0, 8))), form, SCHEMAS[schema])


@given(st.lists(st.sampled_from(PIECES), max_size=10).map("".join), st.sampled_from(list(FORMS)))
@settings(max_examples=seeds.times(80))
def test_an_argument_has_the_same_value_whatever_the_tool_and_the_end_of_the_call(value: str, form: str) -> None:
    for end in ("</tool>", "</arguments></tool>", "<other>1</other></tool>", " text</tool>", ""):
        check(value, form, None, end)


@given(st.lists(st.sampled_from(PIECES), max_size=10).map("".join), st.sampled_from(list(FORMS)))
@settings(max_examples=seeds.times(80))
def test_the_state_and_the_decoder_agree(value: str, form: str) -> None:
    """The content that the state cut out of the stream, with nothing behind it, is the same call again.

    Unless it is what stands behind it that makes it malformed.
    """
    before, opener, closer = FORMS[form]
    handler = StreamingResponseHandler("xml")
    handler.feed(f'<tool name="other">{before}{opener}{value}{closer}</tool> <b>more</b>')
    handler.finalize()
    for invocation in handler.invocations:
        if invocation.status == "truncated" or str(invocation.error).endswith(" was never closed"):
            continue
        again = StreamingResponseHandler("xml")
        again.feed(f'<tool name="{invocation.name}">{invocation.raw}</tool>')
        again.finalize()
        assert [made.to_dict() for made in again.invocations] == [{**invocation.to_dict(), "id": "seg_1"}]


@pytest.mark.parametrize("form", FORMS)
def test_an_argument_has_the_same_value_in_two_calls(form: str) -> None:
    """What stands behind a call does not change what was read of it, and neither does what stands before."""
    rng = seeds.rng(15)
    before, opener, closer = FORMS[form]
    for _ in range(seeds.times(100)):
        value = "".join(rng.choices(["a", "<b>", "</b>", "&amp;", "\n", "<item>1</item>"], k=rng.randint(0, 6)))
        text = f"{before}{opener}{value}{closer}"
        (alone,) = read("other", text, None, "</tool>")
        assert read("other", text, None, f'</tool> and <tool name="other">{text}</tool>') == [alone, alone]
