"""A conversation in every dialect: what people say, what the model said, and what came of its calls."""

from __future__ import annotations

from typing import Any

import pytest

from streamparse.invocations import ToolInvocation
from streamparse.messages import ToolResult
from streamparse.messages.conversation import Replied, Turn, write
from streamparse.messages.said import Media, Said
from streamparse.segment import Segment

PNG, PDF = Media("image/png", data="aWJv"), Media("application/pdf", data="aWJv", name="a.pdf")
ELSEWHERE = Media("image/png", url="https://example.org/a.png")
PAGE = Media("application/pdf", url="https://example.org/a.pdf")


def replied(*segments: Segment, **results: ToolResult) -> Replied:
    return Replied(list(segments), results)


def segment(number: int, kind: str, content: str, **more: Any) -> Segment:
    made = Segment(f"seg_{number}", kind, format="native", status="complete", **more)
    made.add(content)
    return made


def call(number: int, **more: Any) -> Segment:
    made = ToolInvocation(f"seg_{number}", "f", {"n": 1}, call_id=f"c{number}", **more)
    return segment(number, "tool_call", '{"n": 1}', call=made)


CHAT: list[Turn] = [
    Said("system", ["Be ", "brief."]),
    Said("user", ["Hi"]),
    replied(segment(1, "text", "Let me see."), call(2), seg_2=ToolResult("12 degrees")),
    Said("user", ["Thanks"]),
    replied(segment(3, "text", "Bye.")),
]


def test_chat_completions() -> None:
    function = {"name": "f", "arguments": '{"n": 1}'}
    made = {"role": "assistant", "content": "Let me see.", "tool_calls": [{"id": "c2", "type": "function"}]}
    made["tool_calls"][0]["function"] = function
    assert write("openai", CHAT) == [
        {"role": "system", "content": "Be brief."},
        {"role": "user", "content": "Hi"},
        made,
        {"role": "tool", "tool_call_id": "c2", "content": "12 degrees"},
        {"role": "user", "content": "Thanks"},
        {"role": "assistant", "content": "Bye."},
    ]


def test_responses() -> None:
    assert write("openai-responses", CHAT) == [
        {"type": "message", "role": "system", "content": "Be brief."},
        {"type": "message", "role": "user", "content": "Hi"},
        {"type": "message", "role": "assistant", "content": "Let me see."},
        {"type": "function_call", "call_id": "c2", "name": "f", "arguments": '{"n": 1}'},
        {"type": "function_call_output", "call_id": "c2", "output": "12 degrees"},
        {"type": "message", "role": "user", "content": "Thanks"},
        {"type": "message", "role": "assistant", "content": "Bye."},
    ]


def test_anthropic() -> None:
    text, use = (
        {"type": "text", "text": "Let me see."},
        {"type": "tool_use", "id": "c2", "name": "f", "input": {"n": 1}},
    )
    result = {"type": "tool_result", "tool_use_id": "c2", "content": "12 degrees", "is_error": False}
    assert write("anthropic", CHAT) == [
        {"role": "user", "content": "Hi"},
        {"role": "assistant", "content": [text, use]},
        {"role": "user", "content": [result]},
        {"role": "user", "content": "Thanks"},
        {"role": "assistant", "content": [{"type": "text", "text": "Bye."}]},
    ]


def test_google() -> None:
    function_call = {"functionCall": {"name": "f", "args": {"n": 1}, "id": "c2"}}
    response = {"functionResponse": {"name": "f", "response": {"output": "12 degrees"}, "id": "c2"}}
    assert write("google", CHAT) == [
        {"role": "user", "parts": [{"text": "Hi"}]},
        {"role": "model", "parts": [{"text": "Let me see."}, function_call]},
        {"role": "user", "parts": [response]},
        {"role": "user", "parts": [{"text": "Thanks"}]},
        {"role": "model", "parts": [{"text": "Bye."}]},
    ]


def test_bedrock() -> None:
    use = {"toolUse": {"toolUseId": "c2", "name": "f", "input": {"n": 1}}}
    result = {"toolResult": {"toolUseId": "c2", "content": [{"text": "12 degrees"}], "status": "success"}}
    assert write("bedrock", CHAT) == [
        {"role": "user", "content": [{"text": "Hi"}]},
        {"role": "assistant", "content": [{"text": "Let me see."}, use]},
        {"role": "user", "content": [result]},
        {"role": "user", "content": [{"text": "Thanks"}]},
        {"role": "assistant", "content": [{"text": "Bye."}]},
    ]


def test_a_text_format() -> None:
    assert write("hermes", CHAT) == [
        {"role": "system", "content": "Be brief."},
        {"role": "user", "content": "Hi"},
        {
            "role": "assistant",
            "content": 'Let me see.<tool_call>\n{"name": "f", "arguments": {"n": 1}}\n</tool_call>',
        },
        {"role": "user", "content": "<tool_response>\n12 degrees\n</tool_response>\n\nThanks"},
        {"role": "assistant", "content": "Bye."},
    ]


def test_in_a_text_format_roles_alternate() -> None:
    turns = [Said("user", ["A"]), Said("user", ["B"]), Said("system", ["C"]), replied(segment(1, "text", "D"))]
    assert write("hermes", [*turns, *turns[3:], Said("system", ["E"])]) == [
        {"role": "user", "content": "A\n\nB\n\nC"},
        {"role": "assistant", "content": "D\n\nD"},
        {"role": "user", "content": "E"},
    ]


DATA = "data:image/png;base64,aWJv"
FILE = "data:application/pdf;base64,aWJv"


@pytest.mark.parametrize(
    ("dialect", "media", "expected"),
    [
        ("openai", PNG, {"type": "image_url", "image_url": {"url": DATA}}),
        ("openai", ELSEWHERE, {"type": "image_url", "image_url": {"url": "https://example.org/a.png"}}),
        ("openai", PDF, {"type": "file", "file": {"filename": "a.pdf", "file_data": FILE}}),
        ("openai-responses", PNG, {"type": "input_image", "image_url": DATA, "detail": "auto"}),
        ("openai-responses", PDF, {"type": "input_file", "filename": "a.pdf", "file_data": FILE}),
        ("openai-responses", PAGE, {"type": "input_file", "file_url": "https://example.org/a.pdf"}),
        (
            "anthropic",
            PNG,
            {"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": "aWJv"}},
        ),
        ("anthropic", PAGE, {"type": "document", "source": {"type": "url", "url": "https://example.org/a.pdf"}}),
        ("google", PNG, {"inlineData": {"mimeType": "image/png", "data": "aWJv"}}),
        ("google", PAGE, {"fileData": {"mimeType": "application/pdf", "fileUri": "https://example.org/a.pdf"}}),
        ("bedrock", PNG, {"image": {"format": "png", "source": {"bytes": b"ibo"}}}),
    ],
)
def test_what_is_not_text(dialect: str, media: Media, expected: dict[str, Any]) -> None:
    [message] = write(dialect, [Said("user", ["Look:", media])])
    [text, shown] = message.get("content") or message["parts"]
    assert text["text"] == "Look:"
    assert shown == expected


@pytest.mark.parametrize(
    ("dialect", "media", "where"),
    [
        ("openai", PAGE, "from elsewhere"),
        ("bedrock", PAGE, "from elsewhere"),
        ("bedrock", PDF, "as bytes"),
        ("hermes", PDF, "as bytes"),
    ],
)
def test_what_a_dialect_has_no_place_for(dialect: str, media: Media, where: str) -> None:
    message = f"^the dialect has no place for a file of the type 'application/pdf', given {where}$"
    with pytest.raises(ValueError, match=message):
        write(dialect, [Said("user", [media])])


def test_a_file_that_is_nowhere() -> None:
    assert Media("image/png").address == ""


def test_a_call_without_a_result_is_answered() -> None:
    broken = call(2, status="truncated", error="it was cut off")
    assert [message["content"] for message in write("openai", [replied(call(1), broken)])[1:]] == [
        *("The call was not run.", "The call was not run: it was cut off."),
    ]


@pytest.mark.parametrize(
    ("dialect", "state"),
    [
        ("anthropic", {"interface": "anthropic", "blocks": [{}]}),
        ("anthropic", {"interface": "anthropic", "blocks": 7}),
        ("openai", {"interface": "openai-chat", "reasoning_details": 7}),
    ],
)
def test_a_state_that_is_none_is_left_out(dialect: str, state: dict[str, Any]) -> None:
    turn = replied(segment(1, "text", "Hi.", state=state), call(2, state=state))
    assert write(dialect, [turn]) == write(dialect, [replied(segment(1, "text", "Hi."), call(2))])
