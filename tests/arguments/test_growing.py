"""What is certain of arguments that are still being written, in the formats of models: texts grow, nothing goes."""

from __future__ import annotations

from typing import Any

import pytest

from streamparse import ParserConfig, ToolSpec, formats
from streamparse.arguments import ArgumentDecoder, ArgumentsError, DecodedCall, Signature
from streamparse.arguments.json_text import may_be_json
from streamparse.families.json.plain_text import CODE_ARGUMENTS, INPUT_ARGUMENTS
from streamparse.families.literals.gemma import FUNCTION_GEMMA_ARGUMENTS, GEMMA_ARGUMENTS
from streamparse.families.literals.python import JSON_OR_PYTHON_ARGUMENTS, PYTHON_ARGUMENTS, PYTHON_OR_JSON_ARGUMENTS
from tests.formats.kit import tool

NS = "]<]minimax[>["
TOOL = tool("f", s="string", t="string", n="integer", o=["object", "string"], b=["boolean", "string"])


def decoder_of(format: str) -> ArgumentDecoder:
    decoder = formats.get(format).arguments
    assert decoder is not None
    return decoder


def grown(decoder: ArgumentDecoder, content: str, spec: Any = None, name: str = "") -> dict[str, Any]:
    signature = Signature.of(ToolSpec.from_any(spec) if spec else None, ParserConfig(), name)
    return decoder.decode_partial(content, signature)


def steps(decoder: ArgumentDecoder, content: str, spec: Any = None) -> list[dict[str, Any]]:
    """What is shown while `content` comes, where that is something new."""
    seen: list[dict[str, Any]] = []
    for end in range(len(content) + 1):
        now = grown(decoder, content[:end], spec)
        if not seen or seen[-1] != now:
            seen.append(now)
    return seen


# -- tags -------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("format", "content", "seen"),
    [
        ("qwen3_coder", "<parameter=s>a</parameter>", ["", "a"]),
        ("qwen3_coder", "<parameter=s>\na\n\nb\n</parameter>", ["", "a", "a\n", "a\n\nb"]),
        ("qwen3_coder", "<parameter=s>a</p>b</parameter>", ["", "a", "a</p>", "a</p>b"]),
        ("qwen3_coder", "<parameter=s>a</functionb", ["", "a", "a</functionb"]),
        ("qwen3_coder", "<parameter=s>a<parameter=u", ["", "a"]),
        ("qwen3_coder", "<parameter=s>a<parameter=u>b", ["", "a", "a<parameter=u>", "a<parameter=u>b"]),
        (
            "mimo",
            "<parameter=s>\n&amp;\n</parameter>",
            ["", "\n", "\n&", "\n&a", "\n&am", "\n&amp", "\n&amp;", "\n&amp;\n"],
        ),
        ("seed_oss", "<parameter=s>a\n</parameter>", ["", "a", "a\n"]),
        ("seed_oss", "<parameter=s>\na\n</parameter>", ["", "a"]),
        ("glm45", "<arg_key>s</arg_key>\n<arg_value>a</arg_value>", ["", "a"]),
        ("minicpm5", '<param name="s"><![CDATA[a]]b]]></param>', ["", "a", "a]]b"]),
        ("deepseek_v32", '<｜DSML｜parameter name="s" string="true">1</｜DSML｜parameter>', ["", "1"]),
    ],
)
def test_a_text_in_tags_grows_without_a_piece_of_a_tag(format: str, content: str, seen: list[str]) -> None:
    found = steps(decoder_of(format), content, TOOL)
    values = [step["s"] for step in found if "s" in step]
    # A closer that may still turn out to be data ends the text for the time being.
    assert values == seen


@pytest.mark.parametrize(
    ("format", "content", "arguments"),
    [
        # What the schema, an attribute or the format may make something else of is shown when it is complete.
        ("qwen3_coder", "<parameter=s>a</parameter><parameter=n>1", {"s": "a"}),
        ("qwen3_coder", "<parameter=s>a</parameter><parameter=n>1</parameter>", {"s": "a"}),
        ("qwen3_coder", "<parameter=n>1</parameter><parameter=s>a</parameter>", {"n": 1, "s": "a"}),
        ("qwen3_coder", "<parameter=n>1</parameter></function>", {"n": 1}),
        ("qwen3_coder", "<parameter=b>Tru", {}),
        ("minimax_m2", '<parameter name="b">yes', {"b": "yes"}),
        ("minimax_m2", '<parameter name="b">tru', {}),
        ("deepseek_v32", '<｜DSML｜parameter name="s" string="false">1', {}),
        # One that is given twice is not shown again.
        ("qwen3_coder", "<parameter=s>a</parameter><parameter=s>b", {"s": "a"}),
        # If it is never closed, it ends where another one begins that is declared.
        ("qwen3_coder", "<parameter=s>a<parameter=t>b", {"s": "a"}),
        # Or that one is given by itself: then it is data.
        ("qwen3_coder", "<parameter=s>a<parameter=t>b</parameter><parameter=n>1</parameter></function>", {"s": "a"}),
        ("qwen3_coder", "<parameter=n>1<parameter=t>b</parameter><parameter=s>a", {}),
        (
            "qwen3_coder",
            "<parameter=s>a<parameter=t>b</parameter><parameter=n>1</parameter><parameter=t>c",
            {"s": "a<parameter=t>b", "n": 1, "t": "c"},
        ),
        ("qwen3_coder", "<parameter=s>a</parameter>x<parameter=t>b", {"s": "a</parameter>x<parameter=t>b"}),
        ("qwen3_coder", "<parameter=t>a</parameter><parameter=s>a<parameter=t>b", {"t": "a", "s": "a<parameter=t>b"}),
        # JSON in the place of tags.
        ("qwen3_coder", '{"s": "ab', {"s": "ab"}),
        # What came before something that is wrong.
        ("qwen3_coder", "<parameter=s>a</parameter><parameter=s>b</parameter><parameter=t>c", {"s": "a"}),
    ],
)
def test_what_is_certain_of_parameters_in_tags(format: str, content: str, arguments: dict[str, Any]) -> None:
    assert grown(decoder_of(format), content, TOOL) == arguments


@pytest.mark.parametrize(
    ("text", "is_shown"),
    [
        ("Os", True),
        ("12", False),
        ("12 a", True),
        ("tr", False),
        ("try", True),
        ('"a', False),
        ("{", False),
        ("", False),
    ],
)
def test_a_text_that_may_be_json_is_shown_when_it_is_complete(text: str, is_shown: bool) -> None:
    [content] = [content for content in _muse(text) if content]
    assert grown(decoder_of("muse"), content) == ({"x": text} if is_shown else {})


def _muse(text: str) -> list[str]:
    """A parameter of muse without its end, as the format writes it."""
    whole = formats.get("muse").render_call("f", {"x": "@@"})
    decoder = decoder_of("muse")
    tags = decoder.tags  # type: ignore[attr-defined]
    start = tags.find_openers(whole)[0][0]
    return [whole[start : whole.index("@@")] + text]


@pytest.mark.parametrize(
    ("content", "arguments"),
    [
        ("", {}),
        ("@<s>", {}),
        ("@<s> ", {}),
        ("@<s>a b", {"s": "a b"}),
        ("@<s>a]", {"s": "a"}),
        ("@<s>a@", {"s": "a"}),
        ("@<s>a@</s", {"s": "a"}),
        ("@<s>a@</s>", {"s": "a"}),
        ("@<s>a@</s>@<s>b", {"s": "a"}),
        ("@<n>1", {}),
        ("@<o>@<x>1", {}),
        ("@<o>@<x>1@</x>", {}),
        ("@<s>a@</t>", {"s": "a"}),
        ('{"s": "ab', {"s": "ab"}),
    ],
)
def test_what_is_certain_of_nested_tags(content: str, arguments: dict[str, Any]) -> None:
    assert grown(decoder_of("minimax_m3"), content.replace("@", NS), TOOL) == arguments


# -- literals ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("content", "arguments"),
    [
        ("", {}),
        ("s", {}),
        ("s=", {}),
        ("s='", {"s": ""}),
        ("s='a", {"s": "a"}),
        ("s='a'", {"s": "a"}),
        ("s='a' ", {"s": "a"}),
        ("s='a' 'b", {"s": "ab"}),
        ("s='a' r", {"s": "a"}),
        ("s=r", {}),
        ("s=r'\\", {"s": ""}),
        (r"s=r'\n", {"s": r"\n"}),
        ("s='a' +", {"s": "a"}),
        ("s='a', ", {"s": "a"}),
        ("s='a', t", {"s": "a"}),
        ("s='a', t=\"b", {"s": "a", "t": "b"}),
        ("s='a', s='b", {"s": "a"}),
        ("s='''a''", {"s": "a"}),
        ("s='''a''b", {"s": "a''b"}),
        ('s="""a", t="b", n=1', {"s": 'a", t="b", n=1'}),
        ("n=1", {}),
        ("n='1", {}),
        ("o='x", {"o": "x"}),
        ("o={'a': 'b", {}),
        ("'by place", {"s": "by place"}),
        (r"s='a\u00e9", {"s": "aé"}),
        *((f"s='a{half}", {"s": "a"}) for half in ("\\", r"\x", r"\x4", r"\u", r"\u00e", r"\U0001f60", r"\1", r"\12")),
        *((f"s='a{half}", {"s": "a"}) for half in (r"\N", r"\N{BULL", "\\\r", r"\ud83d", r"\ud83d\u", r"\ud83d\ude0")),
        (r"s='a\\", {"s": "a\\"}),
        (r"s='a\ud83d\ude00", {"s": "a😀"}),
        (r"s='a\ud83dx", {"s": "a\ud83dx"}),
        (r"s='a\101", {"s": "aA"}),
        (r"s='a\q", {"s": r"a\q"}),
    ],
)
def test_what_is_certain_of_python(content: str, arguments: dict[str, Any]) -> None:
    assert grown(PYTHON_ARGUMENTS, content, TOOL) == arguments


def test_three_quotes_without_an_end_are_no_complete_string() -> None:
    signature = Signature(ParserConfig())
    assert PYTHON_ARGUMENTS.decode_call("s='''a', t='b', ", signature, is_truncated=True).arguments == {}


@pytest.mark.parametrize("decoder", [PYTHON_OR_JSON_ARGUMENTS, JSON_OR_PYTHON_ARGUMENTS])
def test_json_grows_where_python_may_stand(decoder: ArgumentDecoder) -> None:
    assert grown(decoder, '{"a": ["b", "c') == {"a": ["b", "c"]}
    assert grown(decoder, "a='b") == {"a": "b"}


@pytest.mark.parametrize(
    ("content", "arguments"),
    [
        ("s:", {}),
        ("s:<|", {}),
        ('s:<|"|>', {"s": ""}),
        ('s:<|"|>a', {"s": "a"}),
        ('s:<|"|>a<', {"s": "a"}),
        ('s:<|"|>a<b', {"s": "a<b"}),
        ('s:<|"|>a<|"|', {"s": "a"}),
        ('s:<|"|>a<|"|>', {"s": "a"}),
        ('s:<|"|>a<|"|> ', {"s": "a"}),
        ('s:<|"|>a<|"|> x', {"s": "a"}),
        ('s:<|"|>a<|"|>,t:b', {"s": "a"}),
        ('n:<|"|>1', {}),
    ],
)
def test_what_is_certain_of_gemma(content: str, arguments: dict[str, Any]) -> None:
    assert grown(GEMMA_ARGUMENTS, content, TOOL) == arguments
    escaped = content.replace('<|"|>', "<escape>")
    if "<|" not in escaped:
        assert grown(FUNCTION_GEMMA_ARGUMENTS, escaped, TOOL) == arguments


def test_where_all_values_are_texts_only_the_schema_tells_a_string() -> None:
    assert grown(FUNCTION_GEMMA_ARGUMENTS, "b:<escape>tru", TOOL) == {}
    assert grown(GEMMA_ARGUMENTS, 'b:<|"|>tru', TOOL) == {"b": "tru"}
    assert grown(FUNCTION_GEMMA_ARGUMENTS, "b:<escape>yes", TOOL) == {"b": "yes"}


def test_values_that_cannot_be_read_show_nothing() -> None:
    spec = tool("f", o="object")
    deep = '{"a":' * 600 + "1" + "}" * 600
    assert grown(FUNCTION_GEMMA_ARGUMENTS, f"o:<escape>{deep}<escape>,s:<escape>a", spec) == {}


# -- texts ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("content", "arguments"),
    [
        ("", {}),
        ("  ", {}),
        ("pri", {"code": "pri"}),
        ("{", {}),
        ('{"code": "pr', {"code": "pr"}),
        ('"a', {"code": '"a'}),
    ],
)
def test_code_grows_unless_it_may_be_an_object(content: str, arguments: dict[str, Any]) -> None:
    assert grown(CODE_ARGUMENTS, content, name="python") == arguments


def test_other_tools_are_given_objects() -> None:
    assert grown(CODE_ARGUMENTS, "pri", name="f") == {}
    assert grown(CODE_ARGUMENTS, '{"a": "b', name="f") == {"a": "b"}


@pytest.mark.parametrize(
    ("content", "arguments"),
    [("", {}), (" ", {}), ("Os", {"input": "Os"}), ("12", {}), ("12 a", {"input": "12 a"}), ('{"a": "b', {"a": "b"})],
)
def test_an_input_grows_when_it_cannot_be_json(content: str, arguments: dict[str, Any]) -> None:
    assert grown(INPUT_ARGUMENTS, content) == arguments


@pytest.mark.parametrize("text", ["true", "false", "null", "-12.5e+3", "0", '"a"', "[1]", '{"a": 1}', " 7 \n"])
def test_every_beginning_of_json_may_be_json(text: str) -> None:
    assert all(may_be_json(text[:end]) for end in range(len(text) + 1))


@pytest.mark.parametrize("text", ["truth", "fa!", "no", "12 3", "1.2.3", "x", "--1", "'a'", "NaN", "Infinity", "<"])
def test_what_cannot_become_json(text: str) -> None:
    assert not may_be_json(text)


# -- in pieces --------------------------------------------------------------------------------------------------------


def shown(decoder: ArgumentDecoder, *pieces: str, spec: Any = None, name: str = "") -> list[dict[str, Any]]:
    """What is shown behind each of the pieces."""
    growing = decoder.grow(Signature.of(ToolSpec.from_any(spec) if spec else None, ParserConfig(), name))
    found = []
    for piece in pieces:
        growing.feed(piece)
        found.append(dict(growing.show()))
    return found


def test_what_comes_behind_an_object_is_not_read() -> None:
    assert shown(decoder_of("hermes"), '{"a": "b', '"}', ', "c": 1}') == [{"a": "b"}, {"a": "b"}, {"a": "b"}]


def test_a_string_of_an_object_is_read_on() -> None:
    assert shown(decoder_of("hermes"), r'"{\"a\": \"x', "y", r"\", \"b\": [1,") == [
        {"a": "x"},
        {"a": "xy"},
        {"a": "xy", "b": [1]},
    ]


def test_another_string_does_not_take_the_place_of_the_arguments() -> None:
    pieces = (r'{"arguments": "{\"a\": \"x', r'", "arguments": "{\"b\": \"', "y")
    assert shown(decoder_of("json"), *pieces) == [{"a": "x"}] * 3
    pieces = (r'{"input": {"a": "x', r'"}, "function": {"arguments": {"b": "', "y")
    assert shown(decoder_of("json"), *pieces) == [{"a": "x"}] * 3


@pytest.mark.parametrize(
    ("format", "given", "again"),
    [
        ("json", '{"arguments": {"s": "a", ', '"s": "b"'),
        ("cline", "<s>a</s>", "<s>b</s>"),
        ("minimax_m3", f"{NS}<s>a{NS}</s>", f"{NS}<s>b{NS}</s>"),
    ],
)
def test_what_was_shown_of_an_argument_that_comes_again_stays(format: str, given: str, again: str) -> None:
    """Whether the last one counts, or all are a list, is told by the call that is complete."""
    assert shown(decoder_of(format), given, *again, spec=TOOL) == [{"s": "a"}] * (1 + len(again))
    assert grown(decoder_of(format), given + again, TOOL) == {"s": "a"}


@pytest.mark.parametrize(
    ("format", "content", "piece"),
    [("cline", "<n>1</n><s>a", "</"), ("minimax_m3", f"{NS}<n>1{NS}</n>{NS}<s>a", NS[:3])],
)
def test_what_is_cut_has_a_piece_of_its_closer(format: str, content: str, piece: str) -> None:
    growing = decoder_of(format).grow(Signature.of(ToolSpec.from_any(TOOL), ParserConfig()))
    growing.feed(content + piece)
    assert growing.show() == {"n": 1, "s": "a"}
    assert growing.cut() == {"n": 1, "s": f"a{piece}"}


def test_what_cannot_be_read_ends_what_is_shown() -> None:
    deep = "[" * 1_000 + "]" * 1_000
    spec = tool("f", s="string", l="array", t="string")
    assert shown(decoder_of("cline"), "<s>a</s>", f"<l>{deep}</l>", "<t>b", spec=spec) == [{"s": "a"}] * 3


def test_an_object_is_no_text_any_more() -> None:
    assert shown(INPUT_ARGUMENTS, " ", '{"a": "b', "c") == [{}, {"a": "b"}, {"a": "bc"}]
    assert shown(INPUT_ARGUMENTS, "1", "2 b", "c") == [{}, {"input": "12 b"}, {"input": "12 bc"}]


def test_nothing_is_read_behind_what_is_wrong() -> None:
    tags = ("<parameter=s>a</parameter>", "text", "</parameter><parameter=s>b</parameter>", "<parameter=t>c")
    assert shown(decoder_of("qwen3_coder"), *tags, spec=TOOL) == [
        {"s": "a"},
        {"s": "a</parameter>text"},
        {"s": "a</parameter>text"},
        {"s": "a</parameter>text"},
    ]
    assert shown(decoder_of("qwen3_coder"), "text", "<parameter=s>a", spec=TOOL) == [{}, {}]


def test_what_is_cut_may_turn_out_to_be_wrong() -> None:
    growing = decoder_of("qwen3_coder").grow(Signature.of(ToolSpec.from_any(TOOL), ParserConfig()))
    growing.feed("<parameter=s>a</parameter>b</function>")
    assert growing.show() == {"s": "a</parameter>b"}
    assert growing.cut() == {"s": "a</parameter>b"}


def test_what_stands_before_the_opener_of_a_forgotten_parameter_stays() -> None:
    """Half an opener may be one; in front of a whole one, it is none."""
    pieces = ("<parameter=s>a<", "<par", "ameter=t>b")
    assert shown(decoder_of("qwen3_coder"), *pieces, spec=TOOL) == [{"s": "a"}, {"s": "a<"}, {"s": "a<"}]


def test_a_snapshot_does_not_grow_with_the_next() -> None:
    first, second = shown(decoder_of("hermes"), '{"a": [1, {"b": [2, ', '3, "c')
    assert (first, second) == ({"a": [1, {"b": [2]}]}, {"a": [1, {"b": [2, 3, "c"]}]})


class Own(ArgumentDecoder):
    """The decoder of a format of one's own: the content is the argument, if there is any."""

    def decode_call(self, content: str, signature: Signature, *, is_truncated: bool) -> DecodedCall:
        if not content:
            raise ArgumentsError("there is nothing")
        return DecodedCall({"s": content})


def test_where_all_is_read_again_what_is_cut_is_what_was_shown() -> None:
    growing = Own().grow(Signature(ParserConfig()))
    assert growing.show() == {}
    growing.feed("a")
    growing.feed("b")
    assert growing.show() == growing.cut() == {"s": "ab"}


def test_strings_of_literals_grow_piece_by_piece() -> None:
    pieces = ("s='a", "\\", "n", "\\x4", "1' ", "r", "'\\", "n' r")
    texts = ["a", "a", "a\n", "a\n", "a\nA", "a\nA", "a\nA", "a\nA\\n"]
    assert shown(PYTHON_ARGUMENTS, *pieces, spec=TOOL) == [{"s": text} for text in texts]
    assert shown(PYTHON_ARGUMENTS, "s='a' r", "x", ", t='b'", spec=TOOL) == [{"s": "a"}] * 3
    assert shown(PYTHON_ARGUMENTS, "s='a', n=[1, (", "')]', 2)], t='", "''b''", "', ", "x=1", spec=TOOL) == [
        {"s": "a"},
        {"s": "a", "n": [1, [")]", 2]], "t": ""},
        {"s": "a", "n": [1, [")]", 2]], "t": "b"},
        {"s": "a", "n": [1, [")]", 2]], "t": "b"},
        {"s": "a", "n": [1, [")]", 2]], "t": "b"},
    ]


def test_what_may_be_python_or_json_is_decided_at_the_end() -> None:
    growing = PYTHON_OR_JSON_ARGUMENTS.grow(Signature.of(ToolSpec.from_any(TOOL), ParserConfig()))
    growing.feed('"')
    assert (growing.show(), growing.cut()) == ({}, {"s": ""})
    assert shown(JSON_OR_PYTHON_ARGUMENTS, " s", " =", "'a", "b", spec=TOOL) == [{}, {}, {"s": "a"}, {"s": "ab"}]
    assert shown(JSON_OR_PYTHON_ARGUMENTS, "s" * 1_024, "='a", spec=TOOL) == [{}, {}]


def test_a_name_may_be_nothing() -> None:
    signature = Signature(ParserConfig())
    assert GEMMA_ARGUMENTS.decode_call('<|"|><|"|>:<|"|>a<|"|>', signature, is_truncated=False).arguments == {"": "a"}


def test_a_closer_that_waits_may_close_what_is_given_twice() -> None:
    given = '<arg name="s">a</arg><arg name="s">b'
    assert shown(decoder_of("xml"), given, "</arg>", spec=TOOL) == [{"s": "a"}, {"s": "a"}]


def test_behind_what_is_held_nothing_is_shown_until_it_is_decided() -> None:
    """A closer of a known argument, and a tag behind it that no one knows."""
    held = ("<path>a</path><note>x", "y", "</no", "te>", "<more>z")
    assert shown(decoder_of("xml"), *held, "</path><path>b") == [
        *[{"path": "a"}] * 5,
        {"path": "a</path><note>xy</note><more>z"},
    ]
    assert shown(decoder_of("xml"), *held, "</more></tool>") == [
        *[{"path": "a"}] * 5,
        {"path": "a", "note": "xy", "more": "z"},
    ]
    assert shown(decoder_of("xml"), "<path>a</path><s>b</s><path>c</path><note>", "x") == [{"path": "a", "s": "b"}] * 2
    assert shown(decoder_of("xml"), "<path>a</tool>", "b") == [{"path": "a"}] * 2


def test_what_may_stand_around_arguments_is_shown_when_it_is_closed() -> None:
    """In a tool that has arguments, a tag of another name may be none: then those in it are arguments."""
    assert shown(decoder_of("xml"), "<in>a", "b</in>", spec=TOOL) == [{}, {"in": "ab"}]
    assert shown(decoder_of("xml"), "<in>a", "<s>b", spec=TOOL) == [{}, {"s": "b"}]
    assert shown(decoder_of("xml"), "<in>a", "<s>b") == [{"in": "a"}, {"in": "a<s>b"}]


def test_a_text_without_its_closer_stays_when_it_makes_the_call_malformed() -> None:
    pieces = ('<arg name="s"><arg name="n">3', "</tool>", "</arg>", "</tool>")
    assert shown(decoder_of("xml"), *pieces, spec=TOOL) == [
        *[{"s": '<arg name="n">3'}] * 3,
        {"s": '<arg name="n">3</tool></arg>'},
    ]
    growing = decoder_of("xml").grow(Signature.of(ToolSpec.from_any(TOOL), ParserConfig()))
    growing.feed(pieces[0] + pieces[1])
    assert growing.cut() == {"s": '<arg name="n">3'}


def test_of_a_tool_that_is_not_declared_nothing_may_be_known() -> None:
    signature = Signature.of(None, ParserConfig(), "f")
    assert decoder_of("cline").decode_partial("<path>a", signature) == {}
    assert decoder_of("cline").decode_cut("<path>a", signature) == {}
    with pytest.raises(ArgumentsError, match="f is not declared"):
        decoder_of("cline").grow(signature)


@pytest.mark.parametrize(
    ("content", "arguments"),
    [(' {"a": "x y', {"a": "x y"}), ("a='x y", {"a": "x y"}), ('"{', {}), ("", {})],
)
def test_python_or_json_grows_piece_by_piece(content: str, arguments: dict[str, Any]) -> None:
    growing = PYTHON_OR_JSON_ARGUMENTS.grow(Signature.of(None, ParserConfig()))
    for character in content:
        growing.feed(character)
    assert growing.show() == arguments
