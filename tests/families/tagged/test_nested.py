"""families/tagged/nested.py: tags in tags."""

from __future__ import annotations

from typing import Any

import pytest

from streamparse import Limits, ParserConfig, ToolSpec, formats
from streamparse.arguments import ArgumentsError, DecodedCall, Signature
from tests.formats.kit import tool

NS = "]<]minimax[>["
AT = {"type": "object", "properties": {"lat": {"type": "number"}, "name": {"type": "string"}}}
TOOL = tool("f", s="string", n="integer", at=AT, tags={"type": "array", "items": {"type": "integer"}}, item="object")


def decode(content: str, tool: Any = TOOL, *, is_truncated: bool = False, **limits: int) -> DecodedCall:
    """`content` has `@` for the token before each tag."""
    decoder = formats.get("minimax_m3").arguments
    assert decoder is not None
    signature = Signature.of(ToolSpec.from_any(tool) if tool else None, ParserConfig(limits=Limits(**limits)))
    return decoder.decode_call(content.replace("@", NS), signature, is_truncated=is_truncated)


@pytest.mark.parametrize(
    ("content", "arguments"),
    [
        *(
            ("", {}),
            ("@<s>x@</s>", {"s": "x"}),
            ("@ <s> x\n@\n</s>\n@<n>5@</n>", {"s": " x\n", "n": 5}),
            ("@<s>@</s>", {"s": ""}),
        ),
        ("@<at>@<lat>1@</lat> @<name>1@</name>\n@</at>", {"at": {"lat": 1, "name": "1"}}),
        ("@<tags>@<item>1@</item>@<item>2@</item>@</tags>", {"tags": [1, 2]}),
        ("@<tags>@<x>1@</x>@</tags>", {"tags": [1]}),
        ("@<tags>[1, 2]@</tags>@<at>{}@</at>", {"tags": [1, 2], "at": {}}),
        ("@<tags>@</tags>@<at>@</at>", {"tags": [], "at": {}}),
        ("@<item>@<item>1@</item>@</item>", {"item": {"item": "1"}}),
        ("@<s>a@</s>@<s>b@</s>", {"s": ["a", "b"]}),
        ("@<o>@<p>1@</p>@<p>2@</p>@<q>@<r>x@</r>@</q>@</o>", {"o": {"p": ["1", "2"], "q": {"r": "x"}}}),
        ("@<o>@<item>1@</item>@</o>", {"o": ["1"]}),
        (' {"n": 1} ', {"n": 1}),
    ],
)
def test_tags_are_objects_items_are_lists_and_the_schema_types_the_rest(
    content: str, arguments: dict[str, Any]
) -> None:
    assert decode(content) == DecodedCall(arguments)


def test_without_a_schema_texts_are_strings() -> None:
    assert decode("@<n>5@</n>@<at>@<lat>1@</lat>@</at>", None) == DecodedCall({"n": "5", "at": {"lat": "1"}})


def test_the_last_parameter_may_be_unclosed() -> None:
    assert decode("@<n>5@</n>@<s>x") == DecodedCall({"n": 5, "s": "x"}, True)


@pytest.mark.parametrize(
    ("content", "error"),
    [
        *(("@<at>@<lat>1", "lat was never closed"), ("@<at>@<lat>1@</lat>", "at was never closed")),
        ("@<s>x@</n>", "n is closed, but it is not open"),
        *(
            (content, "there is text where a parameter should be")
            for content in ("x", "x@<s>@</s>", "@<s>@</s>x", "@</s>")
        ),
        *(
            (content, "there is text where a parameter should be")
            for content in ("@<o>x@<p>@</p>@</o>", "@<o>@<p>@</p>x@</o>")
        ),
        ('{"n": 1', "the arguments are not JSON: Expecting ',' delimiter: line 1 column 8 (char 7)"),
    ],
)
def test_what_cannot_be_decoded_is_malformed(content: str, error: str) -> None:
    with pytest.raises(ArgumentsError) as caught:
        decode(content)
    assert str(caught.value) == error


def test_what_is_nested_too_deeply_is_malformed() -> None:
    assert decode("@<a>@<b>x@</b>@</a>", max_depth=2) == DecodedCall({"a": {"b": "x"}})
    with pytest.raises(ArgumentsError, match=r"^a is nested too deeply$"):
        decode("@<a>@<b>@<c>x@</c>@</b>@</a>", max_depth=2)


@pytest.mark.parametrize("content", ["@<n>5@</n>@<s>x", "@<n>5@</n>@<at>@<lat>1@</lat>", "@<n>5@</n>\n@</inv"])
def test_of_a_truncated_call_what_is_complete_counts(content: str) -> None:
    assert decode(content, is_truncated=True) == DecodedCall({"n": 5})
