"""families/tagged/state.py: where a parameter ends, and where the call does."""

from __future__ import annotations

from typing import Any

import pytest

from streamparse import Limits, StreamingParser, ToolSpec
from streamparse.testing import Segment, normalize
from tests.formats import kit
from tests.formats.kit import read, text

CALL = "<tool_call>\n<function=f>\n%s</function>\n</tool_call>"
STRAY = {"status": "malformed", "error": "there is text where a parameter should be"}
REPAIRED = {"repaired": True}
UNCLOSED = {"status": "malformed", "error": "a was never closed"}


def call(content: str, end: dict[str, Any] | None = None, name: str = "f") -> Segment:
    return kit.call(name, content, **(end or {}))


def rows(content: str, **config: Any) -> list[Segment]:
    return read("qwen3_coder", content, **config).rows


# -- the content ------------------------------------------------------------------------------------------------------


def test_the_content_is_all_parameters_without_the_blanks_around_them() -> None:
    body = "<parameter=a>\n1\n</parameter> \r\n\t<parameter=b>2</parameter>"
    assert rows("a " + CALL % f" {body}\n \n" + " b") == [text("a "), call(body), text(" b")]


def test_a_call_without_parameters_has_no_content() -> None:
    assert rows(CALL % "" + CALL % " \n ") == [call(""), call("")]


@pytest.mark.parametrize(
    "value",
    [
        *("", " ", "\n", "<", "</", "</p", "<parameter", "<parameter=", "</parameter", "</func", "</tool_cal"),
        *("a</parameter>b", "</parameter></parameter>", "</parameter> <", "</parameter>\n<parameter=", "<function=g>"),
        *("</parameter>\n</functio", "</parameter><parameter=\n>", "<tool_call>", "vector<int> & </b>", "\0", "{"),
    ],
)
def test_a_value_may_hold_anything_that_is_not_a_closer_with_the_right_thing_behind_it(value: str) -> None:
    body = f"<parameter=a>{value}</parameter>\n<parameter=b>{value}</parameter>"
    assert rows(CALL % body + ".") == [call(body), text(".")]


def test_what_cannot_be_the_end_is_shown_at_once_and_what_may_be_is_not() -> None:
    parser = StreamingParser("qwen3_coder")
    shown = []
    for chunk in ("<tool_call><function=f>", "<par", "ameter=a", ">x</", "p", "ara", "meter>", "\n", "<p", "x"):
        shown.append("".join(event.delta for event in parser.feed(chunk)))
    assert shown == ["", "<par", "ameter=a", ">x", "</p", "ara", "meter>", "", "\n<p", "x"]


def test_a_possible_end_inside_a_possible_key_is_not_shown() -> None:
    """`<arg_key>a</` may go on as `</arg_key>` or as `</tool_call>`."""
    parser = StreamingParser("glm45")
    assert "".join(event.delta for event in parser.feed("<tool_call>f<arg_key>a</")) == "<arg_key>a"
    assert "".join(event.delta for event in parser.feed("arg")) == "</arg"


# -- the end ----------------------------------------------------------------------------------------------------------


def test_the_end_in_an_open_parameter_is_data_if_a_closer_that_fits_comes_later() -> None:
    body = "<parameter=a>x</function>\n</tool_call> y</parameter>"
    assert rows(CALL % body + CALL % body, is_wild=True) == [call(body), call(body)]


@pytest.mark.parametrize("end", ["</function>\n</tool_call>", "</function>", "</tool_call>"])
@pytest.mark.parametrize("rest", ["", "<|im_end|>", "<|im_end|><|endoftext|>"])
def test_without_such_a_closer_the_call_ended_there_if_the_stream_does(end: str, rest: str) -> None:
    assert rows(f"<tool_call><function=f><parameter=a>x\n{end}{rest}") == [call("<parameter=a>x\n", REPAIRED)]


def test_blanks_behind_such_an_end_are_text() -> None:
    assert rows("<tool_call><function=f><parameter=a>x</function> \r\n</tool_call>\n ") == [
        *(call("<parameter=a>x", REPAIRED), text("\n ")),
    ]


@pytest.mark.parametrize("end", ["</function>\n</tool_call>", "</function>", "</tool_call>"])
@pytest.mark.parametrize(
    "rest", [" and </parameter> more", ".", "</tool_cal", "</parameter>.", "\n</function>x", "<tool"]
)
def test_if_anything_else_stands_behind_it_the_call_is_malformed(end: str, rest: str) -> None:
    body = "<parameter=b>1</parameter><parameter=a>x\n"
    found = read("qwen3_coder", f"<tool_call><function=f>{body}{end}{rest}", is_wild=True)
    assert found.rows[0] == call(body, UNCLOSED)
    assert found.rows[1:] in ([], [text(rest)], [text(rest.replace("\n</function>", ""))])
    assert found.states == [("malformed", False, "a was never closed")]


def test_behind_a_call_that_ended_there_come_calls_again() -> None:
    """Each of them is held in its turn, the last one is cut off."""
    one = "<function=f><parameter=a>x</function>"
    assert rows(f"<tool_call>{one}{one}</tool_call>.<tool_call>{one}<function=f><parameter=a>y", is_wild=True) == [
        *(call("<parameter=a>x", UNCLOSED), call("<parameter=a>x", UNCLOSED), text(".")),
        *(call("<parameter=a>x", UNCLOSED), call("<parameter=a>y", {"status": "truncated"})),
    ]


def test_behind_a_call_that_ended_there_no_call_is_complete() -> None:
    other = CALL % "<parameter=a>y</parameter>"
    found = rows("<function=f><parameter=a>x</function>" + "." * 30 + other, is_wild=True, limits=Limits(max_held=20))
    behind = {"status": "malformed", "error": "it stands behind an argument that was never closed"}
    assert found == [
        *(call("<parameter=a>x", UNCLOSED), text("." * 30)),
        call("<parameter=a>y</parameter>", behind),
    ]


def test_at_the_limit_the_call_ended_there_too() -> None:
    body = "<parameter=a>x"
    late = "</function></tool_call>" + "y" * 30
    assert rows(CALL % (body + late + "</parameter>"), is_wild=True, limits=Limits(max_held=20)) == [
        *(call(body, UNCLOSED), text("y" * 30 + "</parameter></function>\n</tool_call>")),
    ]
    assert rows(CALL % (body + late + "</parameter>"), is_wild=True, limits=Limits(max_held=200)) == [
        call(body + late + "</parameter>"),
    ]


@pytest.mark.parametrize(
    ("instead", "rest"),
    [
        ("</tool_call>.", [text(".")]),
        ("<function=g></function></tool_call>.", [call("", name="g"), text(".")]),
        ("<tool_call><function=g></function></tool_call>.", [call("", name="g"), text(".")]),
    ],
)
def test_what_stands_in_place_of_the_end_is_the_end(instead: str, rest: list[Segment]) -> None:
    body = "<parameter=a>x</parameter>"
    assert rows(f"<tool_call><function=f>{body}\n{instead}")[0] == call(body, REPAIRED)
    assert rows(f"<tool_call><function=f>{body}{instead}")[1:] == rest


@pytest.mark.parametrize(
    "content",
    [
        *("", "<parameter=a", "<parameter=a>", "<parameter=a>x</para", "<parameter=a>x</parameter>"),
        *(
            "<parameter=a>x</parameter>\n",
            "<parameter=a>x</parameter>\n</functio",
            '{"a": ',
            "text",
            "<parameter=a>x</",
        ),
    ],
)
def test_a_call_without_its_end_is_truncated_and_nothing_of_it_is_lost(content: str) -> None:
    assert rows(f"<tool_call><function=f>\n{content}") == [call(content, {"status": "truncated"})]


# -- other contents ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("stray", ["text", "<p>", "<parameter>", "<parameter=\n", "[1]", "</parameter>", "< "])
def test_text_where_a_parameter_should_be_makes_the_call_malformed(stray: str) -> None:
    for body in (stray, f"{stray}<parameter=a>x</parameter>", f'{{"a": 1}}{stray}', f"{stray}<parameter=a>x"):
        found = rows(CALL % body + ".")
        assert found == [call(body, STRAY), text(".")]


def test_behind_a_malformed_call_whose_parameter_is_not_closed_come_calls_again() -> None:
    one = "<function=f>text<parameter=a>x</function>"
    assert rows(f"<tool_call>{one}{one}.</tool_call>") == [
        *(call("text<parameter=a>x", STRAY), call("text<parameter=a>x", STRAY), text(".</tool_call>")),
    ]


def test_what_stands_in_place_of_the_end_ends_a_malformed_call_too() -> None:
    assert rows("<tool_call><function=f>text</tool_call>.") == [call("text", STRAY), text(".")]


def test_a_json_object_is_read_to_its_end() -> None:
    body = '{"a": "</function>", "b": {"c": [1]}}'
    assert rows(CALL % f" {body} " + ".") == [call(body), text(".")]


def test_an_empty_call_ends_with_its_head() -> None:
    found = read("deepseek_v4", '<｜DSML｜invoke name="f"/> <｜DSML｜invoke name="f" ></｜DSML｜invoke>.')
    assert found.rows == [call(""), text(" "), call(""), text(".")]


def test_a_value_in_quotes_ends_with_them() -> None:
    body = '<param name="a"> <![CDATA[x</param></function>]]]></param> <param name="b">y</param>'
    assert read("minicpm5", f'<function name="f">{body}</function>.').rows == [call(body), text(".")]


def test_quotes_that_are_not_closed_are_repaired_like_a_parameter() -> None:
    body = '<param name="a"><![CDATA[x</param>'
    assert read("minicpm5", f'<function name="f">{body}</function>\n').rows == [call(body, REPAIRED), text("\n")]
    found = read("minicpm5", f'<function name="f">{body}</function> more', is_wild=True)
    assert found.rows == [call(body, UNCLOSED), text(" more")]


@pytest.mark.parametrize("gap", ["", "\n", "\\n", " \\n\n"])
def test_a_key_without_a_value_makes_the_call_malformed(gap: str) -> None:
    pair, key = "<arg_key>a</arg_key><arg_value>x</arg_value>", "<arg_key>b</arg_key>"
    for body in (key + pair, pair + gap + key + gap, key + pair + gap + key, key, key + key + gap, pair + key + "x"):
        found = read("glm45", f"<tool_call>f{gap}{body}</tool_call>.")
        assert found.rows == [
            call(body, {"status": "malformed", "error": "there is a key without a value"}),
            text("."),
        ]
        assert found.states == [("malformed", False, "there is a key without a value")]
    assert read("glm45", f"<tool_call>f{pair}{key}").rows == [call(pair + key, {"status": "truncated"})]


def test_the_first_problem_of_a_call_is_the_one_that_is_told() -> None:
    body = "text<arg_key>b</arg_key>"
    assert read("hunyuan3", f"<tool_call>f<tool_sep>{body}</tool_call>").rows == [call(body, STRAY)]


@pytest.mark.parametrize(
    "value", ["", "x", "\\n", "x\\n", "\\", "</arg_value>\\x", "</arg_value>\\", "</tool_call>\\n"]
)
@pytest.mark.parametrize("gap", ["\\n", "\n\\n ", "\\n\\n"])
def test_a_line_break_as_two_characters_is_one_between_tags_and_never_in_a_value(gap: str, value: str) -> None:
    one, two = (
        f"<arg_key>a</arg_key>{gap}<arg_value>{value}</arg_value>",
        "<arg_key>b</arg_key><arg_value>y</arg_value>",
    )
    found = read("glm45", f"<tool_call>f{gap}{one}{gap}{two}{gap}</tool_call>{gap}", is_wild=True)
    assert found.rows == [call(f"{one}{gap}{two}"), text(gap)]
    assert found.calls == [("f", {"a": value, "b": "y"})]


def test_a_backslash_between_tags_is_data_if_no_n_follows() -> None:
    pair = "<arg_key>a</arg_key><arg_value>x</arg_value>"
    for body in (f"{pair}\\{pair}", f"{pair}\\\\n{pair}", f"{pair}\\n\\{pair}"):
        found = read("glm45", f"<tool_call>f{body}</tool_call>")
        assert found.rows == [call(body)]
        assert found.calls == [
            ("f", {"a": body.removeprefix("<arg_key>a</arg_key><arg_value>")[: -len("</arg_value>")]})
        ]


# -- a file about tags ------------------------------------------------------------------------------------------------


def test_a_file_about_tags_does_not_wait_for_its_end() -> None:
    tools = [
        ToolSpec(
            "save", kit.tool("save", path="string", content="string", mode="string")["parameters"], kind="write_file"
        )
    ]
    parser = StreamingParser("qwen3_coder", tools=tools)
    parser.feed("<tool_call><function=save><parameter=path>a</parameter><parameter=content>see <parameter=mode>x")
    shown = normalize(parser.feed("</parameter> there"))
    assert [event.to_dict()["payload"] for event in shown] == [{"delta": "<parameter=mode>x</parameter> there"}]
