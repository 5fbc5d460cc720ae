"""The same broken JSON has the same outcome in every format whose calls are JSON.

Arguments are made of brackets, quotes, commas, escapes and words at random, and put where a format has its arguments,
as its own prompt side writes them. What must come of them is told by a reader of a dozen lines, character by
character, and by what the very same call gives with arguments that are right.
"""

from __future__ import annotations

import random
from typing import Any
from zlib import crc32

import pytest
from attrs import frozen
from hypothesis import given, settings
from hypothesis import strategies as st

from streamparse import ParserConfig, StreamingResponseHandler, ToolInvocation, formats
from streamparse.arguments.json_text import JsonTextError, read_written
from streamparse.errors import RenderError
from streamparse.families.json.partial import read_complete
from streamparse.testing import Segment, segments
from tests.formats.kit import run, with_bounds
from tests.properties.documents import COUNT, random_chunks

CONFIG = ParserConfig(reasoning="closed")
EXAMPLES = max(15, COUNT // 4)
RIGHT = '{"x": "y"}'
BEHIND = "\nDone, and so on."


# -- formats -----------------------------------------------------------------------------------------------------------


@frozen
class Way:
    """How a format writes a call: what stands before its arguments, and behind them."""

    format: str
    before: str
    after: str

    @property
    def has_closer(self) -> bool:
        """Whether anything but brackets shows that the call has ended."""
        return bool(self.after.strip("}] \n"))

    @property
    def is_object(self) -> bool:
        """Whether the arguments stand in an object: then they may be any value."""
        return self.after.lstrip().startswith("}")

    def right(self) -> list[Segment]:
        """What comes of the call if it is right."""
        return run([self.before + RIGHT + self.after + BEHIND], self.format, config=CONFIG).segments


def ways() -> list[Way]:
    found = []
    # The header of a sentinel is JSON that is right, or text.
    for name in sorted(set(formats.names()) - {"sentinel"}):
        try:
            before, arguments, after = formats.get(name).render_call("f", {"x": "y"}).partition(RIGHT)
        except RenderError:
            continue
        if arguments:
            found.append(Way(name, before, after))
    return found


WAYS = ways()
by_format = pytest.mark.parametrize("way", WAYS, ids=[way.format for way in WAYS])


def test_these_are_the_formats_whose_calls_are_json() -> None:
    names = {way.format for way in WAYS}
    assert len(names) >= 31
    assert {"json", "hermes", "mistral", "mistral_v3", "llama3_json", "kimi_k2", "deepseek_v3", "harmony"} <= names
    assert {way.format for way in WAYS if not way.has_closer} == {
        *("json", "mistral", "mistral_v3", "phi4", "xlam", "granite20b", "granite3", "gigachat3", "llama3_json"),
        "functionary_v32",
    }


# -- arguments ---------------------------------------------------------------------------------------------------------


def read(text: str) -> tuple[int | None, bool]:
    """Where the value in `text` ends, if it does, and whether the text ends in a string. Its rules are the promise."""
    lists, in_string, is_escaped = [0], False, False
    for index, mark in enumerate(text):
        if in_string:
            in_string = is_escaped or mark != '"'
            is_escaped = not is_escaped and mark == "\\"
        elif mark == '"':
            in_string = True
        elif mark == "{":
            lists.append(0)
        elif mark == "[":
            lists[-1] += 1
        elif mark == "]":
            lists[-1] = max(0, lists[-1] - 1)
        elif mark == "}":
            lists.pop()
        if lists in ([], [0]) and not in_string:
            return (index + 1 if lists else index), False
    return None, in_string


PIECES = [
    *("{", "}", "[", "]", '"', ",", ":", " ", "a", "1", "\\", "\n", "\\'"),
    *('"a": 1', '"b": [1', '"c": {', '"d": "x"', ", ", '\\"', "null", "}", "]", '"}"', "[]", "{}", '"e": "\\\'"'),
]
texts = st.lists(st.sampled_from(PIECES), max_size=14).map("".join)


def cut_to_end(text: str) -> str | None:
    end = read(text)[0]
    return None if end is None else text[:end]


closed = texts.map(lambda text: cut_to_end("{" + text + "}}}}}")).filter(bool)
lists = texts.map(lambda text: cut_to_end("[" + text + "}}}}}")).filter(bool)
opened = texts.map(lambda text: "{" + text).filter(lambda text: read(text)[0] is None)
#: Outside of strings a closer is one; inside it is data.
opened_outside = opened.filter(lambda text: not read(text)[1])


def in_chunks(text: str) -> list[str]:
    return random_chunks(random.Random(crc32(text.encode())), text)


def outcome(way: Way, text: str) -> tuple[list[Segment], list[ToolInvocation]]:
    """What comes of `text`, whole and cut anywhere."""
    whole = with_bounds(run([text], way.format, config=CONFIG), text, way.format, config=CONFIG)
    assert run(in_chunks(text), way.format, config=CONFIG).events == whole.events
    return whole.bounds, whole.invocations


def with_content(right: list[Segment], content: str, **end: Any) -> list[Segment]:
    """The segments up to the call, with the `content` of its arguments, and how it ends."""
    index = next(index for index, segment in enumerate(right) if segment[0] == "tool_call")
    kind, metadata, shown, _ = right[index]
    return [*right[:index], (kind, metadata, shown.partition(RIGHT)[0] + content, end)]


def check_invocation(made: ToolInvocation, arguments: str, status: str | None) -> None:
    """The state and the decoder agree: a call that ended by itself is complete if its arguments are JSON."""
    if status is not None:
        assert (made.status, bool(made.error)) == (status, True)
        return
    value, error = decode(arguments)
    if error is None and isinstance(value, dict):
        assert (made.status, made.arguments) == ("complete", value)
        return
    assert (made.status, made.arguments) == ("malformed", {})
    if made.raw == arguments:  # the content is the arguments
        assert made.error == f"the arguments are not JSON: {error}"
    else:
        assert (made.error or "").startswith("the call is not JSON: ")


def decode(arguments: str) -> tuple[Any, str | None]:
    """What the arguments are, and why they are none."""
    try:
        return read_written(arguments, 512)[0], None
    except JsonTextError as error:
        return None, str(error)


# -- the promise -------------------------------------------------------------------------------------------------------


@by_format
@given(arguments=closed)
@settings(max_examples=EXAMPLES, deadline=None)
def test_brackets_that_balance_end_a_call_whatever_stands_between_them(way: Way, arguments: str) -> None:
    right = way.right()
    shown, invocations = outcome(way, way.before + arguments + way.after + BEHIND)
    assert shown == [(kind, meta, content.replace(RIGHT, arguments), end) for kind, meta, content, end in right]
    (made,) = invocations
    check_invocation(made, arguments, None)


@by_format
@given(arguments=opened)
@settings(max_examples=EXAMPLES, deadline=None)
def test_a_call_that_is_cut_off_is_truncated_and_says_what_it_said_so_far(way: Way, arguments: str) -> None:
    shown, invocations = outcome(way, way.before + arguments)
    assert shown == with_content(way.right(), arguments, status="truncated")
    (made,) = invocations
    check_invocation(made, arguments, "truncated")
    assert made.arguments == (read_complete(arguments, 512, 1) or {})


@pytest.mark.parametrize("way", [way for way in WAYS if way.is_object], ids=lambda way: way.format)
@given(arguments=lists)
@settings(max_examples=EXAMPLES, deadline=None)
def test_a_list_for_arguments_ends_with_its_bracket_or_before_the_brace_around_it(way: Way, arguments: str) -> None:
    right = way.right()
    shown, (made,) = outcome(way, way.before + arguments + way.after + BEHIND)
    assert [segment[:3] for segment in shown] == [
        (kind, metadata, content.replace(RIGHT, arguments)) for kind, metadata, content, _ in right
    ]
    if way.format != "inkling" or decode(arguments)[1] is None:  # there it may be a text
        assert (made.status, made.arguments) == ("malformed", {})


@pytest.mark.parametrize("way", [way for way in WAYS if way.has_closer], ids=lambda way: way.format)
@given(arguments=opened_outside)
@settings(max_examples=EXAMPLES, deadline=None)
def test_the_closer_of_a_call_that_is_open_ends_it_and_the_reply_goes_on(way: Way, arguments: str) -> None:
    shown, invocations = outcome(way, way.before + arguments + way.after + BEHIND)
    right = way.right()
    index = next(index for index, segment in enumerate(shown) if segment[0] == "tool_call")
    error = shown[index][3].get("error")
    brackets = way.after[: len(way.after) - len(way.after.lstrip("}] \n"))]
    for rest in (brackets, brackets.rstrip()):  # a closer may have its own blanks before it
        expected = with_content(right, arguments + rest, status="malformed", error=error)
        if shown[: index + 1] == expected:
            break
    assert shown[: index + 1] == expected
    assert shown[index + 1 :] == right[index + 1 :]
    (made,) = invocations
    check_invocation(made, arguments, "malformed")


@given(arguments=st.one_of(closed, opened))
@settings(max_examples=EXAMPLES, deadline=None)
def test_a_native_call_says_the_same_of_the_same_arguments(arguments: str) -> None:
    handler = StreamingResponseHandler("native")
    function = {"name": "f", "arguments": ""}
    deltas = [
        {"function": function, "id": "c"},
        *({"function": {"arguments": piece}} for piece in in_chunks(arguments)),
    ]
    events = [
        event
        for delta in deltas
        for event in handler.feed({"choices": [{"delta": {"tool_calls": [{"index": 0, **delta}]}}]})
    ]
    events += handler.finalize()
    status = None if read(arguments)[0] else "truncated"
    (segment,) = segments(events)
    (made,) = handler.invocations
    assert segment[:3] == ("tool_call", {"tool_name": "f", "call_id": "c"}, arguments)
    assert made.repaired == (made.is_complete and read_written(arguments, 512)[1])
    mended = {"repaired": True} if made.repaired else {}
    assert segment[3] == (mended if made.is_complete else {"status": made.status, "error": made.error})
    check_invocation(made, arguments, status)
