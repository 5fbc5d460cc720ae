"""Formats from response templates: what each kind of field becomes, in every chunking, and what is refused."""

from __future__ import annotations

from typing import Any

import pytest

from streamparse import Reply, StreamingResponseHandler
from streamparse.core.markers import BLANKS, SOME_BLANKS, Atom
from streamparse.errors import RenderError
from streamparse.formats import Format
from streamparse.formats.response_template.pattern import read_pattern
from streamparse.testing import assert_chunk_invariant

TOOLS = [
    {
        "name": "get_weather",
        "parameters": {
            "type": "object",
            "properties": {"city": {"type": "string"}, "days": {"type": "integer"}, "tags": {"type": "array"}},
        },
    },
    {"name": "noop"},
]
NAMED = {"type": "function", "function": {"name": "{name}", "arguments": "{content}"}}
WHOLE = {"type": "function", "function": "{content}"}
THINK = {"open": "<think>", "close": "</think>"}


def template(calls: dict[str, Any] | None = None, **more: Any) -> dict[str, Any]:
    fields = {"reasoning_content": THINK, "content": {"close": "<|im_end|>"}, **more}
    return {"start_anchor": "<|im_start|>assistant\n", "fields": {**fields, **({"tool_calls": calls} if calls else {})}}


def read(spec: dict[str, Any], text: str) -> tuple[str, str, list[tuple[str, dict[str, Any], str]]]:
    """Reasoning, text and calls; the same for every chunking."""
    format = Format.from_response_template(spec, "mine")
    assert_chunk_invariant(text, [format], tools=TOOLS)  # type: ignore[list-item]
    reply = Reply(text, format, tools=TOOLS).read()
    return reply.reasoning, reply.text, [(call.name, call.arguments, call.status) for call in reply.calls]


OSLO = ("get_weather", {"city": "Oslo", "days": 2}, "complete")
OBJECT = {"open_pattern": r"\s*<tool_call>", "close": "</tool_call>", "content": "json", "transform": WHOLE}
EACH = {
    "open": "<|ACTION|>",
    "close": "<|END|>",
    "content": "json",
    "transform_each": True,
    "transform": {"type": "function", "id": "{no}", "function": {"name": "{tool}", "arguments": "{input}"}},
}
ARGUMENTS = {"open_pattern": r"<call:(?P<name>\w+)>", "close": "</call>", "content": "json", "transform": NAMED}
TAGS = {
    "open_pattern": r"\s*<tool_call>\s*<function=(?P<name>[^>\n]+)>",
    "close_pattern": r"</function>\s*</tool_call>",
    "content": "xml-inline",
    "content_args": {"tag_pattern": r"<parameter=(?P<key>[^>\n]+)>\s*(?P<value>.*?)\s*</parameter>"},
    "transform": NAMED,
}
GEMMA = {
    **ARGUMENTS,
    "content_args": {"unquoted_keys": True, "string_delims": [['<|"|>', '<|"|>']]},
}
LINES = {**ARGUMENTS, "content": "kv-lines"}


@pytest.mark.parametrize(
    ("calls", "written"),
    [
        (OBJECT, '<tool_call>\n{"name": "get_weather", "arguments": {"city": "Oslo", "days": 2}}\n</tool_call>'),
        (EACH, '<|ACTION|>[{"no": "1", "tool": "get_weather", "input": {"city": "Oslo", "days": 2}}]<|END|>'),
        (ARGUMENTS, '<call:get_weather>{"city": "Oslo", "days": 2}</call>'),
        (
            TAGS,
            "\n<tool_call>\n<function=get_weather>\n<parameter=city>\nOslo\n</parameter>\n<parameter=days>\n2\n"
            "</parameter>\n</function>\n</tool_call>",
        ),
        (GEMMA, '<call:get_weather>{city:<|"|>Oslo<|"|>,days:2}</call>'),
        ({**GEMMA, "content_args": {"unquoted_keys": True}}, '<call:get_weather>{city:"Oslo",days:2}</call>'),
        (LINES, "<call:get_weather>\ncity: Oslo\nnothing\n: x\ndays: 2\n</call>"),
    ],
    ids=["objects", "each", "arguments", "tags", "gemma", "unquoted keys", "lines"],
)
def test_calls_of_every_kind_are_read(calls: dict[str, Any], written: str) -> None:
    assert read(template(calls), f"<think>Hm.</think>Hi.{written}<|im_end|>") == ("Hm.", read_text(written), [OSLO])


def read_text(written: str) -> str:
    """The answer: a call in tags takes the line break before it along only if it is the model's."""
    return "Hi.\n" if written.startswith("\n") else "Hi."


def test_a_closer_in_a_string_ends_nothing() -> None:
    text = '<call:get_weather>{"city": "</call><|im_end|>"}</call>'
    assert read(template(ARGUMENTS), text) == (
        "",
        "",
        [("get_weather", {"city": "</call><|im_end|>"}, "complete")],
    )


def test_a_call_that_is_cut_off_is_truncated() -> None:
    assert read(template(ARGUMENTS), '<call:get_weather>{"city": "Os')[2] == [("get_weather", {}, "truncated")]
    assert read(template(LINES), "<call:get_weather>city: Oslo\nday")[2] == [
        ("get_weather", {"city": "Oslo"}, "truncated")
    ]


def test_an_id_in_the_opener_is_that_of_the_call() -> None:
    calls = {**ARGUMENTS, "open_pattern": r"<call:(?P<name>\w+) (?P<no>\d+)>", "transform": {"id": "{no}", **NAMED}}
    reply = Reply("<call:noop 7>{}</call>", Format.from_response_template(template(calls))).read()
    assert [(call.name, call.call_id, call.status) for call in reply.calls] == [("noop", "7", "complete")]


def test_arguments_are_shown_while_they_are_written() -> None:
    handler = StreamingResponseHandler(Format.from_response_template(template(TAGS)), tools=TOOLS)
    *_, start = handler.feed("<tool_call><function=get_weather><parameter=city>Os")[:1]
    assert handler.partial_arguments(start.segment_id) == {"city": "Os"}
    handler.abort()


def test_one_text_is_the_argument_of_a_tool() -> None:
    assert read(template({**ARGUMENTS, "content": "text"}), "<call:noop>print(1)</call>")[2] == [
        ("noop", {"input": "print(1)"}, "complete")
    ]


def test_json_in_tags_and_closers_of_several_kinds() -> None:
    args = {"tag_pattern": r'<arg name="(?P<key>[^"]+)">(?P<value>.*?)</arg>', "value_parser": {"name": "json"}}
    calls = {**TAGS, "open_pattern": r"<(?:run|call) (?P<name>\w+)>", "close": ["</run>", "</call>"]}
    del calls["close_pattern"]
    spec = template({**calls, "content_args": args})
    for tag in ("run", "call"):
        text = f'<{tag} noop><arg name="a">[1, "x"]</arg><arg name="b">\n</arg></{tag}>'
        assert read(spec, text)[2] == [("noop", {"a": [1, "x"], "b": "\n"}, "complete")]


def test_what_closes_answers_too_is_no_closer_of_reasoning() -> None:
    spec = {
        "start_anchor": "<|start|>assistant",
        "fields": {
            "thinking": {"open": "<|channel|>analysis<|message|>", "close": "<|end|>"},
            "content": {"open_pattern": r"<\|channel\|>(?:final|answer)<\|message\|>", "close": "<|end|>"},
            "tool_calls": {
                "open_pattern": r"<\|channel\|>commentary to=functions\.(?P<name>\w+).*?<\|message\|>",
                "close": "<|call|>",
                "content": "json",
                "transform": NAMED,
            },
        },
    }
    text = (
        "<|channel|>analysis<|message|>Hm.<|end|><|start|>assistant<|channel|>answer<|message|>Hi.<|end|>"
        "<|start|>assistant<|channel|>commentary to=functions.noop <|constrain|>json<|message|>{}<|call|>"
    )
    assert read(spec, text) == ("Hm.", "Hi.", [("noop", {}, "complete")])


def test_headers_of_messages_are_not_shown() -> None:
    spec = {
        "start_anchor": "<|model|>",
        "fields": {
            "content": {"open_pattern": r"[^<]*<\|text\|>", "close": "<|end|>"},
            "tool_calls": {
                "open_pattern": r"[^<]*<\|json\|>",
                "close": "<|end|>",
                "content": "json",
                "transform": {"function": {"name": "{content.name}", "arguments": "{content.args}"}},
            },
        },
    }
    text = '<|text|>Hi.<|end|><|model|>to noop<|json|>{"name": "noop", "args": {}}<|end|><|model|>x<|text|>So.<|end|>'
    assert read(spec, text) == ("", "Hi.So.", [("noop", {}, "complete")])


def test_blanks_before_a_marker_are_the_text_that_they_are() -> None:
    for blanks in (r"\s*", r"[ \n]*", r"\n+", ""):
        spec = {"fields": {"reasoning": {"open_pattern": rf"{blanks}<t>", "close": "</t>"}}}
        assert read(spec, "a\n<t>Hm.</t>b") == ("Hm.", "a\nb", [])


def test_a_template_without_calls_and_content() -> None:
    spec = {"start_anchor_pattern": r"<\|assistant\|>\s*\Z", "fields": {"reasoning": THINK, "other": {"open": "<o>"}}}
    assert read(spec, "<|assistant|><think>Hm.</think><o>x") == ("Hm.", "<o>x", [])
    assert read({"start_anchor": "A:", "fields": {"content": {}}}, "A:x") == ("", "x", [])


def test_the_prompt_tells_whether_reasoning_is_open() -> None:
    format = Format.from_response_template(template())
    assert format.reasoning_is_open("<|im_start|>assistant\n<think>\n")
    assert not format.reasoning_is_open("<|im_start|>assistant\n<think>\n\n</think>\n\n")


def test_there_is_no_prompt_side() -> None:
    message = "the format 'mine' comes from a response template, which does not say how calls are written in a prompt"
    with pytest.raises(RenderError) as caught:
        Format.from_response_template(template(ARGUMENTS), "mine").render_call("noop", {})
    assert str(caught.value) == message


def without(spec: dict[str, Any], key: str) -> dict[str, Any]:
    return {name: value for name, value in spec.items() if name != key}


FIELD = "the field 'tool_calls': "


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ([], "the response template must be a mapping, not list"),
        ({**template(), "shape": 1}, "the response template has keys that are not known here: shape"),
        ({**template(), "version": 2}, "the response template has the version 2: only 1 is known"),
        ({"start_anchor": "x", "fields": {}}, "the response template has no fields"),
        (template(other=[]), "the field 'other' must be a mapping, not list"),
        (template(other={"opens": "x"}), "the field 'other' has keys that are not known here: opens"),
        (
            template(content={"close": []}),
            "the field 'content': 'close' must be a string that is not empty, or a list of them",
        ),
        (
            template(content={"close": ""}),
            "the field 'content': 'close' must be a string that is not empty, or a list of them",
        ),
        (template(content={"close_pattern": 1}), "the field 'content': 'close_pattern' must be a string, not int"),
        (
            template(content={"close": "x", "close_pattern": "x"}),
            "the field 'content' has both 'close' and 'close_pattern'",
        ),
        (
            template(reasoning_content={"open": "<think>"}),
            "the field 'reasoning_content': reasoning needs a marker that opens it, and one that closes it",
        ),
        (
            template(without(ARGUMENTS, "transform")),
            f"{FIELD}a transform must say what the function of a call is, as in {{'function': '{{content}}'}}",
        ),
        (
            template({**ARGUMENTS, "transform": {"function": {"name": "x {name}"}}}),
            f"{FIELD}its transform does not say what the name and the arguments of a call are",
        ),
        (
            template({**ARGUMENTS, "open_pattern": r"<call:\w+>"}),
            f"{FIELD}what opens a call does not have the group 'name', which is its name",
        ),
        (
            template({**ARGUMENTS, "transform": {"function": {"name": "{name}", "arguments": "{content.x}"}}}),
            f"{FIELD}the arguments of a call whose name is a group must be '{{content}}': 'content.x'",
        ),
        (
            template({**ARGUMENTS, "transform": {"function": {"name": "{content.name}", "arguments": "{content}"}}}),
            f"{FIELD}the arguments 'content' are not in the object that has the name",
        ),
        (template({**OBJECT, "content": "text"}), f"{FIELD}calls with their names inside must be plain JSON"),
        (template(without(OBJECT, "open_pattern")), f"{FIELD}nothing opens a call"),
        (template({**ARGUMENTS, "content": "int"}), f"{FIELD}calls whose content is 'int' are not known here"),
        (
            template({**GEMMA, "content_args": {"string_delims": [["<", ">"]]}}),
            f"{FIELD}strings must end with the quote that they begin with",
        ),
        (template({**ARGUMENTS, "content_args": [1]}), f"{FIELD}'content_args' must be a mapping, not list"),
        *(
            (
                template({**ARGUMENTS, "content": "kv-lines", "content_args": {key: wrong}}),
                f"{FIELD}{key!r} must be a string that is not empty",
            )
            for key in ("line_sep", "kv_sep")
            for wrong in ("", 5)
        ),
        *(
            (
                template({**GEMMA, "content_args": {"string_delims": wrong}}),
                f"{FIELD}'string_delims' must be a list of pairs",
            )
            for wrong in (5, ["''"], [["'"]])
        ),
        *(
            (
                template({**GEMMA, "content_args": {"string_delims": [[wrong, wrong]]}}),
                f"{FIELD}the quotes of strings must be strings that are not empty",
            )
            for wrong in ("", 5)
        ),
        (template({**TAGS, "content_args": {}}), f"{FIELD}its tag_pattern has no group 'value'"),
        (
            template({**TAGS, "content_args": {"tag_pattern": r"<(?P<key>\w+)>(?P<value>.*)"}}),
            f"{FIELD}its tag_pattern must have a group 'key' before the value, and one closer behind it",
        ),
        *(
            (
                template({**ARGUMENTS, "open_pattern": pattern}),
                "the group 'name' takes any character, and no text behind it says where it ends",
            )
            for pattern in ("<a>(?P<name>.+?)", r"<a>(?P<name>[\s\S]+)\s*")
        ),
        (
            template({**TAGS, "content_args": {"tag_pattern": "<a>(?P<value>.*?)</a>"}}),
            f"{FIELD}its tag_pattern must have a group 'key' before the value, and one closer behind it",
        ),
        (template(without(TAGS, "close_pattern")), f"{FIELD}nothing closes a call"),
        *(
            (
                {**about, "fields": {"content": {key: pattern}}},
                f"the field 'content': {key!r} begins with characters that may be text of the reply",
            )
            for about, key, pattern in (
                ({}, "open_pattern", ".*<call>"),
                ({}, "open_pattern", r"\s*[^<]+<call>"),
                ({}, "close_pattern", "(?:a|[ -~]{3,})</call>"),
                ({"start_anchor": "<|model|>"}, "open_pattern", r"\s.?<call>"),
                ({"start_anchor": "<|model|>"}, "close_pattern", "[^<]*</call>"),
            )
        ),
    ],
)
def test_what_cannot_be_read_is_refused(spec: Any, message: str) -> None:
    with pytest.raises(ValueError) as caught:
        Format.from_response_template(spec)
    assert str(caught.value) == message


# -- patterns ---------------------------------------------------------------------------------------------------------


def shown(pattern: str) -> list[list[str]]:
    """Texts in quotes, atoms as they are."""
    ways = read_pattern(pattern, lambda group, run: Atom(f"{group}={run}"))
    return [[str(part) if isinstance(part, Atom) else repr(part) for part in way] for way in ways]


@pytest.mark.parametrize(
    ("pattern", "ways"),
    [
        ("abc", [["'abc'"]]),
        (r"<\|a\|>\n", [[r"'<|a|>\n'"]]),
        (r"a\s*b\s+c\sd", [["'a'", BLANKS, "'b'", SOME_BLANKS, "'c'", SOME_BLANKS, "'d'"]]),
        ("a(?:b|c)d", [["'abd'"], ["'acd'"]]),
        ("ab?c", [["'abc'"], ["'ac'"]]),
        ("(ab)?c", [["'abc'"], ["'c'"]]),
        ("a|b", [["'a'"], ["'b'"]]),
        (r"(?P<x>\w+)>>", [["x=(?:(?!>>)\\w){1,256}+", "'>>'"]]),
        (r"[^\]a]*?b", [["(?:(?!b)[^\\]a]){0,256}+", "'b'"]]),
        (r".{2,9}\s*,", [[r"(?:(?!,)[\s\S]){2,9}+", BLANKS, "','"]]),
        (r"\d{3}", [[r"(?:\d){3,3}+"]]),
        (r"x{2,}", [["(?:x){2,256}+"]]),
        (r"\d?x", [[r"(?:(?!x)\d){0,1}+", "'x'"]]),
    ],
)
def test_patterns_are_taken_apart(pattern: str, ways: list[list[str]]) -> None:
    assert shown(pattern) == ways


@pytest.mark.parametrize(
    ("pattern", "what", "index"),
    [
        ("(?:ab)+", "a group is repeated", 6),
        ("(?:a|b){2}", "a group is repeated", 7),
        ("a)", "a ) closes nothing", 1),
        ("(?:a", "a group is not closed", 0),
        ("[a", "a set is not closed", 0),
        ("(?<=a)b", "'(?<' is not known here", 0),
        ("^a", "'^a' is not known here", 0),
        (r"a\b", r"'\\b' is not known here", 1),
        ("a\\", r"'\\' is not known here", 1),
        ("(?P<x>a|b)", "the group 'x' must be characters of one kind, such as [^<]+", 0),
        ("(?P<x>a)", "the group 'x' must be characters of one kind, such as [^<]+", 0),
        ("a?b?c?d?e?f?g?", "it can be written in more than 64 ways", 14),
    ],
)
def test_patterns_that_cannot_be_held_back_are_refused(pattern: str, what: str, index: int) -> None:
    with pytest.raises(ValueError) as caught:
        read_pattern(pattern, lambda _, run: Atom(run))
    assert str(caught.value) == f"the pattern {pattern!r} cannot be used in a stream: {what} (at index {index})"
