"""The recipes run: each with the real package, or, where that cannot be had, with what it uses of it."""

from __future__ import annotations

import json
import runpy
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from attrs import define, field
from langchain_core.language_models import GenericFakeChatModel
from langchain_core.messages import AIMessage

RECIPES = Path(__file__).parent.parent / "examples" / "recipes"
TOOLS = [
    {
        "type": "function",
        "function": {
            "name": "weather",
            "parameters": {
                "type": "object",
                "properties": {"city": {"type": "string"}, "days": {"type": "integer"}},
                "required": ["city"],
            },
        },
    }
]
HERMES = (
    "<think>Cold, é?</think>Let me look.\n"
    '<tool_call>\n{"name": "weather", "arguments": {"city": "Tromsø", "days": 2}}\n</tool_call>\n'
    '<tool_call>\n{"name": "weather", "arguments": {"city": "Oslo"}}\n</tool_call>'
)
CALLS = [("weather", {"city": "Tromsø", "days": 2}), ("weather", {"city": "Oslo"})]


def recipe(name: str) -> dict[str, Any]:
    return runpy.run_path(str(RECIPES / f"{name}.py"))


# -- vLLM -------------------------------------------------------------------------------------------------------------


@define
class Record:
    """Stands for the pydantic classes of vLLM, which the recipe only makes."""

    fields: dict[str, Any]

    def __init__(self, **fields: Any) -> None:
        self.fields = fields


class StubToolParser:
    """What vLLM's own base class has that its server looks at."""

    def __init__(self, tokenizer: Any, tools: list[Any] | None = None) -> None:
        self.prev_tool_call_arr: list[dict[str, Any]] = []
        self.current_tool_id = -1
        self.streamed_args_for_tool: list[str] = []
        self.model_tokenizer = tokenizer
        self.tools = tools


class StubManager:
    parsers: dict[str, type[StubToolParser]]

    @classmethod
    def register_module(cls, name: str, *, module: type[StubToolParser]) -> None:
        assert issubclass(module, StubToolParser)
        cls.parsers[name] = module


@define
class StubTool:
    spec: dict[str, Any]

    def model_dump(self) -> dict[str, Any]:
        return self.spec


@define
class StubRequest:
    tools: list[StubTool] | None = field(factory=lambda: [StubTool(tool) for tool in TOOLS])
    tool_choice: str = "auto"
    skip_special_tokens: bool = True


@pytest.fixture
def parsers(monkeypatch: pytest.MonkeyPatch) -> dict[str, Any]:
    """What the plugin has registered with vLLM."""
    names = ["DeltaFunctionCall", "DeltaMessage", "DeltaToolCall"]
    names += ["ExtractedToolCallInformation", "FunctionCall", "ToolCall"]
    StubManager.parsers = {}
    protocol = dict.fromkeys(names, Record)
    base = {"ToolParser": StubToolParser, "ToolParserManager": StubManager}
    for path, contents in {
        "vllm.entrypoints.generate.base.protocol": protocol,
        "vllm.tool_parsers.abstract_tool_parser": base,
    }.items():
        module = ModuleType(path)
        module.__dict__.update(contents)
        monkeypatch.setitem(sys.modules, path, module)
    recipe("vllm_tool_parser")
    return dict(StubManager.parsers)


def stream(parser: Any, text: str, size: int, request: StubRequest) -> Iterator[dict[str, Any]]:
    """What vLLM makes of it, in pieces of `size` characters: the fields of its messages."""
    for cut in range(0, len(text), size):
        piece = text[cut : cut + size]
        message = parser.extract_tool_calls_streaming(text[:cut], text[: cut + size], piece, [], [], [], request)
        if message is not None:
            yield message.fields


def test_vllm_has_a_parser_for_every_format(parsers: dict[str, Any]) -> None:
    assert {"streamparse_hermes", "streamparse_qwen3_coder", "streamparse_auto"} <= set(parsers)


@pytest.mark.parametrize("size", [1, 3, 1000])
def test_vllm_streams_calls(parsers: dict[str, Any], size: int) -> None:
    parser = parsers["streamparse_hermes"](tokenizer=None)
    messages = list(stream(parser, HERMES, size, StubRequest()))
    assert "".join(message["reasoning"] or "" for message in messages) == "Cold, é?"
    assert "".join(message["content"] or "" for message in messages) == "Let me look."
    calls = [call.fields for message in messages for call in message["tool_calls"]]
    heads = [call for call in calls if "id" in call]
    assert [(call["index"], call["type"], call["function"].fields["name"]) for call in heads] == [
        (0, "function", "weather"),
        (1, "function", "weather"),
    ]
    texts = ["".join(c["function"].fields["arguments"] for c in calls if c["index"] == index) for index in (0, 1)]
    assert [("weather", json.loads(text)) for text in texts] == CALLS
    # By these the server finds at the end that nothing is left to be sent.
    assert parser.streamed_args_for_tool == texts
    assert [call["arguments"] for call in parser.prev_tool_call_arr] == texts


def test_vllm_reads_a_whole_reply(parsers: dict[str, Any]) -> None:
    found = parsers["streamparse_hermes"](None, []).extract_tool_calls(HERMES, StubRequest()).fields
    assert (found["tools_called"], found["content"]) == (True, "Let me look.")
    functions = [call.fields["function"].fields for call in found["tool_calls"]]
    assert [(function["name"], json.loads(function["arguments"])) for function in functions] == CALLS
    assert parsers["streamparse_hermes"](None).extract_tool_calls("Hi.", StubRequest(tools=None)).fields == {
        "tools_called": False,
        "tool_calls": [],
        "content": "Hi.",
    }


def test_vllm_is_asked_for_special_tokens_where_there_are_tools(parsers: dict[str, Any]) -> None:
    parser = parsers["streamparse_mistral"](None)
    assert parser.adjust_request(StubRequest()).skip_special_tokens is False
    assert parser.adjust_request(StubRequest(tool_choice="none")).skip_special_tokens is True


# -- LangChain --------------------------------------------------------------------------------------------------------


def check_message(message: Any) -> None:
    assert message.content == "Let me look."
    assert message.additional_kwargs == {"reasoning_content": "Cold, é?"}
    assert [(call["name"], call["args"]) for call in message.tool_calls] == CALLS
    assert message.invalid_tool_calls == []
    assert message.response_metadata == {"finish_reason": "tool_calls"}


def test_langchain_streams_calls() -> None:
    model = GenericFakeChatModel(messages=iter([AIMessage(HERMES)]))  # in pieces of one word
    message, *chunks = (model | recipe("langchain_calls")["reads_calls"]("hermes", TOOLS)).stream("How warm?")
    assert len(chunks) > 5
    for chunk in chunks:
        message += chunk
    check_message(message)


async def test_langchain_streams_calls_with_async_for() -> None:
    model = GenericFakeChatModel(messages=iter([AIMessage(HERMES)]))
    chain = model | recipe("langchain_calls")["reads_calls"]("hermes", TOOLS)
    message, *chunks = [chunk async for chunk in chain.astream("How warm?")]
    for chunk in chunks:
        message += chunk
    check_message(message)


def test_langchain_invokes_the_whole_chain() -> None:
    model = GenericFakeChatModel(messages=iter([AIMessage(HERMES)]))
    check_message((model | recipe("langchain_calls")["reads_calls"]("hermes", TOOLS)).invoke("How warm?"))
