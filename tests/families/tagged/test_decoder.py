"""families/tagged/decoder.py: parameters in tags, and what their texts mean."""

from __future__ import annotations

from typing import Any

import pytest

from streamparse import Limits, ParserConfig, StreamingResponseHandler, ToolSpec, formats
from streamparse.arguments import ArgumentsError, DecodedCall, Signature
from tests.formats.kit import tool

TOOL = tool("f", a="string", n="integer", o=["object", "null"], l="array", b="boolean")


def decode(format: str, content: str, tool: Any = TOOL, *, is_truncated: bool = False, **limits: int) -> DecodedCall:
    decoder = formats.get(format).arguments
    assert decoder is not None
    config = ParserConfig(limits=Limits(**limits))
    spec = ToolSpec.from_any(tool) if tool else None
    return decoder.decode_call(content, Signature.of(spec, config), is_truncated=is_truncated)


def qwen(**texts: str) -> str:
    return "\n".join(f"<parameter={key}>{text}</parameter>" for key, text in texts.items())


@pytest.mark.parametrize(
    ("text", "value"),
    [
        *(("x", "x"), ("\nx\n", "x"), ("\n\nx\n\n", "\nx\n"), (" x ", " x "), ("\n", ""), ("", "")),
        *(("\r\nx\r\n", "x"), ("\r\n\r\nx\n\r\n", "\r\nx\n"), ("\r\nx", "x"), ("x\r\n", "x"), ("\r\n", "")),
        *(("\nx\r\n", "x"), ("\r\nx\n", "x"), ("\rx\r", "\rx\r"), ("\n\rx\r\r\n", "\rx\r"), ("\n\r", "\r")),
        *(("&lt;", "&lt;"), ("<b>1</b>", "<b>1</b>"), ("</parameter>", "</parameter>"), ("1", "1"), ("None", "None")),
        *(('"x"', '"x"'), ("</parameter>\0", "</parameter>\0")),
    ],
)
def test_a_string_is_the_text_without_one_line_break_at_each_end(text: str, value: str) -> None:
    assert decode("qwen3_coder", qwen(a=text)) == DecodedCall({"a": value})
    assert decode("qwen3_coder", qwen(a=text), None) == DecodedCall({"a": value})


@pytest.mark.parametrize(
    ("key", "text", "value"),
    [
        *(("n", "\n5\n", 5), ("n", "five", "five"), ("b", "True", True), ("b", "None", "None")),
        *(
            ("o", '{"x": [1]}', {"x": [1]}),
            ("o", "{'x': True, 'y': None}", {"x": True, "y": None}),
            ("o", "None", None),
        ),
        *(("l", "['a', 1,]", ["a", 1]), ("l", "[x]", "[x]"), ("l", "it's", "it's")),
        *(
            ("l", "[False, None]", [False, None]),
            ("l", "['say \"x\"', 'it\\'s', 'a\\n']", ['say "x"', "it's", "a\n"]),
            ("l", "[\"it's True\", 'True']", ["it's True", "True"]),
            ("l", "[1, 2,\n]", [1, 2]),
            ("l", "['\\d', (1, 2)]", ["\\d", [1, 2]]),
            ("l", "['a'] and more", "['a'] and more"),
            ("l", "['a", "['a"),
            ("l", "{'a': 1}", "{'a': 1}"),
            ("l", "None", "None"),
            ("l", "('a',)", "('a',)"),
            ("l", "NoneSuch", "NoneSuch"),
            ("o", "{'a': 1,}", {"a": 1}),
            ("o", "{1: 2}", "{1: 2}"),
            ("n", "0x10", "0x10"),
            ("n", "1_000", "1_000"),
            ("n", "Truely", "Truely"),
        ),
    ],
)
def test_the_schema_says_what_a_text_is_and_literals_may_be_pythons(key: str, text: str, value: object) -> None:
    assert decode("qwen3_coder", qwen(**{key: text})) == DecodedCall({key: value})


def test_other_formats_have_no_literals_of_python() -> None:
    assert decode("dots", "<parameter name=\"l\">['a']</parameter>") == DecodedCall({"l": "['a']"})


def test_a_format_without_line_breaks_takes_the_text_as_it_is() -> None:
    assert decode("minimax_m2", '<parameter name="a">\n x \n</parameter>') == DecodedCall({"a": "\n x \n"})


def test_no_format_decodes_entities() -> None:
    assert decode("mimo", qwen(a="a &lt;&amp;&quot; b", n="&#53;")) == DecodedCall(
        {"a": "a &lt;&amp;&quot; b", "n": "&#53;"}
    )
    assert decode("qwen3_coder", qwen(a="&lt;")) == DecodedCall({"a": "&lt;"})


@pytest.mark.parametrize(
    ("text", "value"),
    [
        *(("x\n", "x\n"), ("x\r\n", "x\r\n"), ("\nx\n", "x"), ("\nx", "x"), ("\r\nx\r\n", "x"), ("\n\nx\n\n", "\nx\n")),
        *(("\n", ""), ("\n\n", ""), ("", ""), ("\r", "\r"), ("x", "x")),
    ],
)
def test_in_seed_oss_the_last_line_break_belongs_to_the_tags_if_the_first_does(text: str, value: str) -> None:
    assert decode("seed_oss", qwen(a=text)) == DecodedCall({"a": value})


@pytest.mark.parametrize("quote", ['"', "'", ""])
def test_a_key_stands_in_either_quotes_or_in_none(quote: str) -> None:
    content = f"<parameter  name = {quote}a{quote} >x</parameter><parameter\nname={quote}n{quote}>1</parameter>"
    assert decode("minimax_m2", content) == DecodedCall({"a": "x", "n": 1})


@pytest.mark.parametrize(
    ("attributes", "text", "value"),
    [
        *((' string="true"', "1", "1"), (' string="false"', "1", 1), (" string='false'", '"x"', "x")),
        *((' string="TRUE"', "1", "1"), ("", "1", "1"), (' note="x"', "{}", "{}"), (" string=false", "[]", [])),
    ],
)
def test_an_attribute_says_whether_a_text_is_a_string_or_json(attributes: str, text: str, value: object) -> None:
    content = f'<｜DSML｜parameter name="x"{attributes}>{text}</｜DSML｜parameter>'
    assert decode("deepseek_v32", content) == DecodedCall({"x": value})


_MARKED = {
    "deepseek_v32": '<｜DSML｜parameter name="%s" string="false">%s</｜DSML｜parameter>',
    "deepseek_v4": '<｜DSML｜parameter name="%s" string="false">%s</｜DSML｜parameter>',
    "kimi_k3": '<|open|>argument key="%s" type="object"<|sep|>%s<|close|>argument<|sep|>',
}


@pytest.mark.parametrize("format", _MARKED)
@pytest.mark.parametrize(
    ("key", "text"), [("x", "oops"), ("x", ""), ("n", "five"), ("o", '{"a": 1'), ("l", "[1,]"), ("b", "None")]
)
def test_what_is_marked_as_json_and_fits_nowhere_stays_a_string(format: str, key: str, text: str) -> None:
    assert decode(format, _MARKED[format] % (key, text)) == DecodedCall({key: text})


@pytest.mark.parametrize("format", _MARKED)
@pytest.mark.parametrize(
    ("key", "text", "value"),
    [
        *(("a", "oops", "oops"), ("a", '{"x"', '{"x"'), ("a", "5", "5"), ("a", '"5"', "5"), ("a", "[1]", "[1]")),
        *(("b", "True", True), ("n", '"5"', 5), ("n", "5.0", 5), ("n", "true", "true"), ("o", '"{}"', {})),
    ],
)
def test_what_is_marked_as_json_and_does_not_fit_is_what_the_schema_makes_of_it(
    format: str, key: str, text: str, value: object
) -> None:
    assert decode(format, _MARKED[format] % (key, text)) == DecodedCall({key: value})


@pytest.mark.parametrize(
    ("key", "text", "value"),
    [("n", "5", 5), ("n", "five", "five"), ("o", '{"x": 1}', {"x": 1}), ("b", "true", True), ("a", "5", "5")],
)
def test_what_is_marked_as_a_string_stays_one_only_where_the_schema_has_a_place_for_it(
    key: str, text: str, value: object
) -> None:
    content = f'<｜DSML｜parameter name="{key}" string="true">{text}</｜DSML｜parameter>'
    assert decode("deepseek_v4", content) == DecodedCall({key: value})


def test_without_the_attribute_the_schema_says_it() -> None:
    assert decode("deepseek_v32", '<｜DSML｜parameter name="n">1</｜DSML｜parameter>') == DecodedCall({"n": 1})


def test_json_that_is_nested_too_deeply_is_malformed() -> None:
    content = '<｜DSML｜parameter name="x" string="false">[[[]]]</｜DSML｜parameter>'
    with pytest.raises(ArgumentsError, match=r"^x is nested too deeply$"):
        decode("deepseek_v32", content, max_depth=2)
    with pytest.raises(ArgumentsError, match=r"^l is nested too deeply$"):
        decode("qwen3_coder", qwen(l="[[[]]]"), max_depth=2)


def test_keys_of_kimi_are_escaped() -> None:
    content = '<|open|>argument key="a&quot;&amp;quot;" type="string"<|sep|>&amp;<|close|>argument<|sep|>'
    assert decode("kimi_k3", content) == DecodedCall({'a"&quot;': "&amp;"})


@pytest.mark.parametrize(
    ("content", "arguments"),
    [
        ('<param name="a"><![CDATA[</param></function>]]></param>', {"a": "</param></function>"}),
        ('<param name="a">\n<![CDATA[]]]]>\n</param>', {"a": "]]"}),
        ('<param name="n"><![CDATA[ 1 ]]></param>', {"n": 1}),
        ('<param name="a">x <![CDATA[y]]></param>', {"a": "x <![CDATA[y]]>"}),
    ],
)
def test_quotes_around_the_whole_value_are_not_part_of_it(content: str, arguments: dict[str, Any]) -> None:
    assert decode("minicpm5", content) == DecodedCall(arguments)


# -- what is not as it should be --------------------------------------------------------------------------------------


def test_a_parameter_that_is_not_closed_is_the_rest() -> None:
    assert decode("qwen3_coder", qwen(n="1") + "<parameter=a>\nx\n") == DecodedCall({"n": 1, "a": "x"}, True)


def test_a_parameter_that_is_closed_in_the_wrong_place_is_malformed() -> None:
    with pytest.raises(ArgumentsError) as caught:
        decode("qwen3_coder", "<parameter=a>x</parameter> and more")
    assert str(caught.value) == "a is closed, but neither a parameter nor the end of the call follows"


def test_the_opener_of_a_declared_parameter_in_one_without_a_closer_begins_it() -> None:
    content = "<parameter=a>\nx\n<parameter=n>\n1\n<parameter=b>true</parameter>"
    assert decode("qwen3_coder", content) == DecodedCall({"a": "x", "n": 1, "b": True}, True)


@pytest.mark.parametrize(
    ("content", "arguments"),
    [
        ("<parameter=a>x<parameter=z>1</parameter>", {"a": "x<parameter=z>1"}),
        ("<parameter=a>x<parameter=n>1</parameter><parameter=n>2</parameter>", {"a": "x<parameter=n>1", "n": 2}),
        ("<parameter=a>x</parameter>.<parameter=n>1</parameter>", {"a": "x</parameter>.<parameter=n>1"}),
    ],
)
def test_one_that_is_not_declared_or_given_elsewhere_is_data(content: str, arguments: dict[str, Any]) -> None:
    assert decode("qwen3_coder", content) == DecodedCall(arguments)


def test_without_a_declaration_it_is_data() -> None:
    content = "<parameter=a>x<parameter=n>1</parameter>"
    assert decode("qwen3_coder", content, None) == DecodedCall({"a": "x<parameter=n>1"})


def test_a_key_without_a_value_is_malformed() -> None:
    pair, key = "<arg_key>a</arg_key>\n<arg_value>x</arg_value>", "<arg_key>n</arg_key>"
    for content in (f"{key}{pair}", f"{pair}\n{key}", key):
        with pytest.raises(ArgumentsError, match=r"^there is a key without a value$"):
            decode("glm45", content)
    assert decode("glm45", f"{pair}{key}{pair}", is_truncated=True) == DecodedCall({"a": "x"})


@pytest.mark.parametrize(
    "content", ["text", "text" + qwen(a="x"), "</function>", "<parameter=", "<arg_key>a</arg_key>"]
)
def test_text_where_a_parameter_should_be_is_malformed(content: str) -> None:
    with pytest.raises(ArgumentsError, match=r"^there is text where a parameter should be$"):
        decode("qwen3_coder", content)


def test_a_parameter_may_be_given_twice_if_it_is_the_same() -> None:
    assert decode("qwen3_coder", qwen(a="x") + qwen(a="x")) == DecodedCall({"a": "x"})
    with pytest.raises(ArgumentsError, match=r"^a is given twice$"):
        decode("qwen3_coder", qwen(a="x") + qwen(a="y"))


@pytest.mark.parametrize(
    ("content", "arguments"),
    [
        *(("", {}), ("<parameter=a>x", {}), ("<parameter=a>x</para", {}), ("text", {}), ("<parameter", {})),
        *(
            (qwen(a="x"), {"a": "x"}),
            (qwen(a="x") + "\n</func", {"a": "x"}),
            (qwen(a="x") + "<parameter=n", {"a": "x"}),
        ),
        *((qwen(a="x") + " and", {}), ('{"a": "x"}', {"a": "x"})),
        *((qwen(a="x") + qwen(a="y", n="1"), {"a": "x"}),),
    ],
)
def test_of_a_truncated_call_what_is_complete_counts(content: str, arguments: dict[str, Any]) -> None:
    assert decode("qwen3_coder", content, is_truncated=True) == DecodedCall(arguments)


# -- JSON -------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("content", "arguments"),
    [
        *((' {"k": 1} ', {"k": 1}), ('"{\\"k\\": 1}"', {"k": 1}), ('{"input": {}, "k": 1}', {"input": {}, "k": 1})),
    ],
)
def test_an_object_in_place_of_parameters_is_the_arguments(content: str, arguments: dict[str, Any]) -> None:
    assert decode("deepseek_v32", content) == DecodedCall(arguments)


def test_an_object_that_is_none_is_malformed() -> None:
    with pytest.raises(ArgumentsError, match=r"^the arguments are not JSON: "):
        decode("deepseek_v32", '{"k": 1} <p>')


def test_an_end_in_a_value_is_data_only_within_the_limit() -> None:
    text = "x</function>" + "y" * 40
    assert decode("qwen3_coder", qwen(a=text)) == DecodedCall({"a": text})
    with pytest.raises(ArgumentsError, match=r"^there is text where a parameter should be$"):
        decode("qwen3_coder", qwen(a=text), max_held=20)


def test_of_a_call_that_was_cut_off_all_of_the_last_text_counts() -> None:
    decoder = formats.get("qwen3_coder").arguments
    assert decoder is not None
    signature = Signature.of(ToolSpec.from_any(TOOL), ParserConfig())
    content = "<parameter=n>1</parameter><parameter=a>x</para"
    assert decoder.decode_cut(content, signature) == {"n": 1, "a": "x</para"}
    assert decoder.decode_partial(content, signature) == {"n": 1, "a": "x"}
    assert decoder.decode_cut("text", signature) == {}


_TYPED = "<ifm|arg_key>x</ifm|arg_key><ifm|arg_type>%s</ifm|arg_type><ifm|arg_value>%s</ifm|arg_value>"


@pytest.mark.parametrize(
    ("kind", "text", "value"),
    [
        *(("string", "1", "1"), (" String ", "1", "1"), ("integer", "1", 1), ("object", '{"a": [1]}', {"a": [1]})),
        *(("", "1", "1"), (" ", "1", "1"), ("null", "null", None), ("array", "[]", [])),
    ],
)
def test_a_tag_says_whether_a_text_is_a_string_or_json(kind: str, text: str, value: object) -> None:
    assert decode("k2_horizon", _TYPED % (kind, text)) == DecodedCall({"x": value})


_PAIR = "<arg_key>%s</arg_key><arg_value>%s</arg_value>"


@pytest.mark.parametrize(
    ("key", "text", "value"),
    [
        *(("n", "null", None), ("x", "null", None), ("x", "Null", None), ("x", "nul", "nul"), ("x", " null", " null")),
        *(("a", "null", "null"), ("l", "null", None), ("o", "null", None), ("n", "5", 5)),
    ],
)
def test_null_is_null_unless_a_string_is_wanted(key: str, text: str, value: object) -> None:
    assert decode("spark25", _PAIR % (key, text)) == DecodedCall({key: value})


def test_null_is_a_text_in_other_formats() -> None:
    assert decode("glm47", _PAIR % ("x", "null")) == DecodedCall({"x": "null"})


def test_what_may_become_null_is_not_shown_yet() -> None:
    handler = StreamingResponseHandler("spark25", tools=[TOOL])
    shown = []
    pairs = ("<arg_key>a</arg_key><arg_value>nu", "</arg_value><arg_key>x</arg_key><arg_value>nu", "m")
    for chunk in (f"<tool_call>f{pairs[0]}", *pairs[1:]):
        handler.feed(chunk)
        shown.append(handler.partial_arguments("seg_1"))
    assert shown == [{"a": "nu"}, {"a": "nu"}, {"a": "nu", "x": "num"}]
