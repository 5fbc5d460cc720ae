"""families/xml/decoder.py and values.py: the corners that no call in the corpus reaches."""

from __future__ import annotations

from typing import Any

import pytest

from streamparse.arguments import ArgumentDecoder, ArgumentsError, DecodedCall, Schema, Signature, is_same
from streamparse.config import Limits, ParserConfig
from streamparse.families.xml.decoder import XML_ARGUMENTS

LIMITS = Limits()


def signed(node: Any = None, limits: Limits = LIMITS) -> Signature:
    """The signature of a tool with these parameters."""
    return Signature(ParserConfig(limits=limits), Schema(node))


def signature(node: Any, limits: Limits) -> Signature:
    """The signature of a tool whose parameter `x` is this."""
    return signed({"properties": {"x": node}, "$defs": {}}, limits)


def value(raw: str, node: Any = None, *, is_direct: bool = True, limits: Limits = LIMITS) -> Any:
    return XML_ARGUMENTS.decode_written("x", raw, signature(node, limits), is_direct=is_direct)


def call(content: str, node: Any = None) -> dict[str, Any]:
    return XML_ARGUMENTS.decode_call(content, signed(node), is_truncated=False).arguments


@pytest.mark.parametrize(
    "raw",
    [
        "<a>1</a",
        "<a>1</a x>",
        "<a><b>1</a></a>",
        "<a><b>1</a></b>",
        "</a><a>1</a>",
        "<a>1</a><b",
        "<a>1</a>.",
        ".<a>1</a>",
        "<a>1</a><!-- x",
        "<a>1</a>.<!-- x -->",
        "<a b=1>1</a>",
        '<a b="1">1</a>',
        "<arg>1</arg>",
        "< a>1</a>",
        "<1>1</1>",
    ],
)
def test_what_is_not_all_pairs_of_tags_is_text(raw: str) -> None:
    assert value(raw) == raw
    assert value(raw, is_direct=False) == raw


@pytest.mark.parametrize(
    ("raw", "expected"),
    [
        ("<a>1</a>", {"a": "1"}),
        ("<A>1</a >", {"A": "1"}),
        ("<a><b>1</a>", {"a": "<b>1"}),
        ("<a>1</b></a>", {"a": "1</b>"}),
        ("<a><b>1</b> x</a><c/>", {"a": "<b>1</b> x", "c": ""}),
        ("<!-- <a>0</a> --><a>1</a><!-- x -->\n", {"a": "1"}),
        ("<a><!-- x --></a>", {"a": "<!-- x -->"}),
        ("<a>1</a><a>2</a><a>3</a>", {"a": ["1", "2", "3"]}),
        ("<a><item>1</item></a><a>2</a>", {"a": [["1"], "2"]}),
        ('<arg name="a">1</arg><b>2</b>', {"a": "1", "b": "2"}),
        ('<arg name="a">1</arg><arg name="a">1</arg>', {"a": "1"}),
        ('<arg name="a"><b>1</b></arg>', {"a": "<b>1</b>"}),
        ("<item>1</item><b>2</b>", {"item": "1", "b": "2"}),
        ('<a xmlns:n="u"><n:b>1</n:b></a>', {"a": {"n:b": "1"}}),
        ("<item><item>1</item></item><item/>", [["1"], ""]),
    ],
)
def test_parts_of_a_direct_tag(raw: str, expected: Any) -> None:
    assert value(raw) == expected


def test_a_named_part_given_twice_is_told() -> None:
    with pytest.raises(ArgumentsError, match=r"^a is given twice$"):
        value('<arg name="a">1</arg><arg name="a">2</arg>', is_direct=False)


A = {"type": "object", "properties": {"kind": {"const": "a"}, "v": {"type": "integer"}}, "required": ["kind"]}
B = {"type": "object", "properties": {"kind": {"enum": ["b", "c"]}, "v": {"type": "string"}}, "required": ["kind"]}
CLOSED = {"properties": {"w": {"type": "integer"}}, "additionalProperties": False}


@pytest.mark.parametrize(
    ("raw", "expected"),
    [
        ("<kind>a</kind><v>5</v>", {"kind": "a", "v": 5}),
        ("<kind> b </kind><v>5</v>", {"kind": "b", "v": "5"}),
        ("<kind>c</kind><v>5</v>", {"kind": "c", "v": "5"}),
        ("<w>5</w>", {"w": 5}),
        ("<kind>z</kind><v>5</v>", {"kind": "z", "v": 5}),
    ],
)
def test_of_several_kinds_of_objects_the_one_that_fits(raw: str, expected: Any) -> None:
    assert value(raw, {"anyOf": [A, B, CLOSED]}) == expected


@pytest.mark.parametrize(
    ("raw", "expected"),
    [("<b>bold</b>", "<b>bold</b>"), ("<w>5</w>", {"w": 5}), ("<kind>a</kind>", {"kind": "a"})],
)
def test_where_a_string_is_possible_an_object_must_fit(raw: str, expected: Any) -> None:
    assert value(raw, {"anyOf": [{"type": "string"}, A, CLOSED]}) == expected


def test_a_property_that_comes_several_times_has_the_type_of_the_items() -> None:
    node = {"properties": {"n": {"type": "array", "items": {"type": "integer"}}, "m": {"type": "integer"}}}
    assert value("<n>1</n><n>2</n><m>3</m><m>4</m>", node) == {"n": [1, 2], "m": [3, 4]}
    assert value("<n><item>1</item></n>", node) == {"n": [1]}


def test_parts_may_be_as_deep_as_the_limit_and_no_deeper() -> None:
    limits = Limits(max_depth=2)
    assert value("<a><b>1</b></a>", limits=limits) == {"a": {"b": "1"}}
    with pytest.raises(ArgumentsError, match=r"^x is nested too deeply$"):
        value("<a><b><c>1</c></b></a>", limits=limits)
    assert value("<a><b><c>1</c></b></a>", {"type": "string"}, limits=limits) == "<a><b><c>1</c></b></a>"
    with pytest.raises(ArgumentsError, match=r"^x is nested too deeply$"):
        value("[[[1]]]", {"type": "array"}, limits=limits)
    with pytest.raises(ArgumentsError, match=r"^x is nested too deeply$"):
        value("<a>[[[1]]]</a>", {"properties": {"a": {"type": "array"}}}, limits=limits)


def test_depth_that_is_only_text_does_not_count() -> None:
    raw = "<br>" * 2000
    assert value(raw) == raw


def test_values_deeper_than_python_compares_are_not_the_same() -> None:
    def deep() -> list[Any]:
        nested: list[Any] = []
        for _ in range(100_000):
            nested = [nested]
        return nested

    assert not is_same(deep(), deep())
    limits = Limits(max_depth=100_000)
    nested = "<a>" * 5_000 + "</a>" * 5_000
    with pytest.raises(ArgumentsError, match=r"^x is given twice$"):
        XML_ARGUMENTS.decode_call(f"<x>{nested}</x><x>{nested}</x>", signed(None, limits), is_truncated=False)


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        ("<a>1</a> text <b>2</b>", {"a": "1", "b": "2"}),
        ("<!-- <a>0</a> --><a>1</a>", {"a": "1"}),
        ("<a>1</a><!-- <b>0</b>", {"a": "1"}),
        ("<!-- none -->", {}),
        ("<arguments>\n</arguments>", {}),
        ("<arguments/>", {}),
        ("<ARGUMENTS><a>1</a></Arguments >", {"a": "1"}),
        ("<a></a x></a>", {"a": "</a x>"}),
        ("<a/><b />", {"a": "", "b": ""}),
        ("<path>p</path><!-- x --><path>p</path>", {"path": "p"}),
    ],
)
def test_between_arguments_nothing_means_anything(content: str, expected: dict[str, Any]) -> None:
    assert call(content) == expected


def test_the_base_of_decoders_says_what_must_be_defined() -> None:
    decoder = ArgumentDecoder()
    with pytest.raises(NotImplementedError):
        decoder.decode_call("", signed(), is_truncated=False)
    assert decoder.decode_shown("x", "&amp;", signed()) == "&amp;"
    assert decoder.decode_written("x", "&amp;", signed(), is_direct=False) == "&amp;"


def test_a_known_name_needs_a_closer_that_fits_and_any_other_does_not() -> None:
    for name in ("path", "content", "patch", "command"):
        assert call(f"<{name}>a</{name}>b</{name}>") == {name: f"a</{name}>b"}
    assert call("<query>a</query>b</query>") == {"query": "a"}


def test_a_tag_with_an_angle_in_an_attribute_is_no_tag() -> None:
    assert value('<a b="<">1</a>') == '<a b="<">1</a>'
    with pytest.raises(ArgumentsError, match=r"^no arguments were found in the text of the call$"):
        call('<arg name="a<b">1')


def test_a_tag_longer_than_the_limit_is_no_tag() -> None:
    def read(name: str) -> dict[str, Any]:
        content = f'<arg name="{name}">1</arg>'
        return XML_ARGUMENTS.decode_call(content, signed(None, Limits(max_tag=20)), is_truncated=False).arguments

    assert read("a" * 7) == {"a" * 7: "1"}  # `<arg name="aaaaaaa">` has 20 characters
    with pytest.raises(ArgumentsError, match=r"^no arguments were found"):
        read("a" * 8)


def test_a_comment_behind_text_is_text() -> None:
    assert value("x<!-- <a>1</a> -->") == "x<!-- <a>1</a> -->"
    assert value("<a>1</a>x<!-- y --><b>2</b>") == "<a>1</a>x<!-- y --><b>2</b>"
    assert value("x<!-- y --><a>1</a>") == "x<!-- y --><a>1</a>"


def test_one_closer_that_does_not_fit_says_nothing_of_others() -> None:
    assert call("<path>p</path> note <content>a</content>b</content>") == {"path": "p", "content": "a</content>b"}


def test_values_that_are_equal_in_python_may_differ_in_json() -> None:
    node = {"properties": {"x": {"type": ["integer", "boolean"]}}}
    assert call("<x>1</x><x> 1 </x>", node) == {"x": 1}
    with pytest.raises(ArgumentsError, match=r"^x is given twice$"):
        call("<x>1</x><x>true</x>", node)


# -- calls that are being written -------------------------------------------------------------------------------------


def partial(content: str, **properties: Any) -> dict[str, Any]:
    return XML_ARGUMENTS.decode_partial(content, signed({"properties": properties} if properties else None))


STRING, INTEGER = {"type": "string"}, {"type": "integer"}
OPTIONAL, ARRAY = {"type": ["string", "null"]}, {"type": "array"}


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        ("", {}),
        ("text", {}),
        ("<x", {}),
        ("<x>", {}),
        ("<x>\n ", {}),
        ("<x>\n a", {"x": "\n a"}),
        ("<x>a ", {"x": "a "}),
        ("<x>a</x>", {"x": "a"}),
        ("<x>a</x>\n<y>b", {"x": "a", "y": "b"}),
        ("<x>a</x><y>", {"x": "a"}),
        ("<x>a</x> <y", {"x": "a"}),
        ('<x>a</x><y z="', {"x": "a"}),
        ("<arguments><x>a", {"x": "a"}),
        ('<arg name="x">a', {"x": "a"}),
        ('<arg name="x">a</arg>', {"x": "a"}),
        ('<arg name="x">a</arg><arg name="y">b', {"x": "a", "y": "b"}),
        ('<arg name="x">a</arg><arg na', {"x": "a"}),
        # known to every tool, so the closer is loose: what follows may be data
        ("<path>a</path><lines>1", {"path": "a"}),
        ("<path>a</path><lines>1</lines><path", {"path": "a"}),
        # comments
        ("<!-- <x>a</x>", {}),
        ("<!-- <x>a</x> --><y>b", {"y": "b"}),
        ("<y>b</y><!-- <x>a", {"y": "b"}),
        # no argument comes twice
        ("<x>a</x><x>b", {"x": "a"}),
        ("<x>a</x><x>b</x><y>c", {"x": "a"}),
    ],
)
def test_the_last_argument_grows(content: str, expected: dict[str, Any]) -> None:
    assert partial(content) == expected


@pytest.mark.parametrize("piece", ["<", "</", "</x", "</X", "</x ", "</x\n\n"])
def test_no_piece_of_the_closer_is_shown(piece: str) -> None:
    assert partial(f"<x>a{piece}") == {"x": "a"}
    assert partial(f"<x>{piece}", x=STRING) == {"x": ""}
    assert partial(f'<arg name="x">a{piece.replace("x", "arg").replace("X", "ARG")}') == {"x": "a"}


@pytest.mark.parametrize("text", ["< ", "</y", "</xy", "<xy", "</x y", "<x</", "</ x", "<b>bold</b>", "< b"])
def test_what_cannot_be_its_closer_is_shown(text: str) -> None:
    assert partial(f"<x>a{text}.") == {"x": f"a{text}."}


@pytest.mark.parametrize(
    "piece", ["&", "&a", "&am", "&amp", "&ap", "&apos", "&q", "&l", "&gt", "&#", "&#1", "&#x", "&#x1f"]
)
def test_no_piece_of_an_entity_is_shown(piece: str) -> None:
    assert partial(f"<x>&lt;{piece}") == {"x": "<"}


@pytest.mark.parametrize("text", ["& ", "&x", "&Amp", "&amp ", "&#a", "&#x1g", "&#12345678", "&bogus;"])
def test_what_cannot_be_an_entity_is_shown(text: str) -> None:
    assert partial(f"<x>a{text}") == {"x": f"a{text}"}


@pytest.mark.parametrize(
    ("content", "properties", "expected"),
    [
        ("<x>", {"x": STRING}, {"x": ""}),
        ("<x> <b>", {"x": STRING}, {"x": " <b>"}),
        ("<x>5", {"x": INTEGER}, {}),
        ("<x>5</x", {"x": INTEGER}, {}),
        ("<x>5</x>", {"x": INTEGER}, {}),
        ("<x>5</x></tool", {"x": INTEGER}, {}),
        ("<x>5</x></tool>", {"x": INTEGER}, {"x": 5}),
        ("<X>5</X><Y>a", {"x": INTEGER, "y": STRING}, {"x": 5, "y": "a"}),
        ("<x>", {"x": OPTIONAL}, {}),
        ("<x>nul", {"x": OPTIONAL}, {}),
        ("<x>nuls", {"x": OPTIONAL}, {"x": "nuls"}),
        ("<x><b>", {"x": OPTIONAL}, {"x": "<b>"}),
        ("<x>null</x>", {"x": OPTIONAL}, {}),
        ("<x>null</x><x>", {"x": OPTIONAL}, {"x": None}),
        ("<x>[1, 2", {"x": ARRAY}, {}),
        ("<x><item>1</item>", {"x": ARRAY}, {}),
        ("<x>[1, 2]</x>", {"x": ARRAY}, {}),
        ("<x>[1, 2]</x><y>", {"x": ARRAY, "y": STRING}, {"x": [1, 2], "y": ""}),
        ("<x>da", {"x": {"enum": ["date", "rank"]}}, {}),
        ("<x>a", {"x": {"type": ["string", "array"]}}, {"x": "a"}),
        ("<x><i", {"x": {"type": ["string", "array"]}}, {}),
        ('<arg name="x"><b', {"x": {"type": ["string", "object"]}}, {}),
    ],
)
def test_a_value_that_is_no_text_is_shown_when_it_is_complete(
    content: str, properties: dict[str, Any], expected: dict[str, Any]
) -> None:
    found = partial(content, **properties)
    assert repr(found) == repr(expected)


@pytest.mark.parametrize("content", ["<x><", "<x><a", "<x>\n<a>1</a>", "<x><!-- y -->", "<x><b>bold</b> and plain"])
def test_what_may_have_parts_is_shown_when_it_is_complete(content: str) -> None:
    assert partial(content) == {}


@pytest.mark.parametrize("value", ["<", "<i", "<item>1</item>", "<ARG name='a'>", "<!", " <!-- y -->"])
def test_an_arg_may_have_parts_of_few_names(value: str) -> None:
    assert partial(f'<arg name="x">{value}') == {}


@pytest.mark.parametrize("value", ["<b", "<items>", "<args>", "<div>1</div>", "< item>", "<!D"])
def test_all_else_in_an_arg_is_text(value: str) -> None:
    assert partial(f'<arg name="x">{value}') == {"x": value}


def test_what_cannot_be_decoded_ends_what_is_shown() -> None:
    signature = signed({"properties": {"x": ARRAY}}, Limits(max_depth=1))
    assert XML_ARGUMENTS.decode_partial("<a>1</a><x>[[1]]</x><b>2", signature) == {"a": "1"}


def test_what_stands_in_a_comment_without_an_end_is_no_argument() -> None:
    content = "<x>1</x><!-- <y>2</y>"
    assert XML_ARGUMENTS.decode_call(content, signed(), is_truncated=True).arguments == {"x": "1"}
    assert call(content) == {"x": "1"}


# -- decoders of one's own --------------------------------------------------------------------------------------------


class LineDecoder(ArgumentDecoder):
    """One argument per line; what is cut is not complete."""

    def decode_call(self, content: str, signature: Signature, *, is_truncated: bool) -> DecodedCall:
        *lines, last = content.split("\n")
        if "!" in content:
            raise ArgumentsError("not so loud")
        return DecodedCall(dict.fromkeys(lines if is_truncated else [*lines, last], True))


def test_a_decoder_that_knows_nothing_of_it_shows_what_is_complete() -> None:
    assert LineDecoder().decode_partial("a\nb\nc", signed()) == {"a": True, "b": True}
    assert LineDecoder().decode_partial("a\nb!\nc", signed()) == {}


def test_the_end_of_a_call_in_a_value_counts_past_the_limit() -> None:
    limits = Limits(max_held=5)
    for raw in ('<arg name="a">x</tool>' + "y" * 20, "<a>x</tool>" + "y" * 20):
        decoded = XML_ARGUMENTS.decode_call(raw, signature({"type": "string"}, limits), is_truncated=False)
        assert (decoded.arguments, decoded.is_repaired) == ({"a": "x"}, True)
        assert XML_ARGUMENTS.decode_partial(raw, signature({"type": "string"}, limits)) == {"a": "x"}


def test_a_closer_that_does_not_fit_is_content_past_the_limit() -> None:
    raw, limits = '<arg name="a">x</arg>' + " y" * 20 + "</arg>", Limits(max_held=5)
    assert XML_ARGUMENTS.decode_partial(raw, signature({"type": "string"}, limits)) != {}
