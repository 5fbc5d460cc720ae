"""Tool parsers for vLLM, one for each format: `streamparse_hermes`, `streamparse_qwen3_coder` and so on.

    vllm serve Qwen/Qwen3-8B --enable-auto-tool-choice \
        --tool-parser-plugin vllm_tool_parser.py --tool-call-parser streamparse_hermes

They read calls out of the text while it is generated, whatever tokens it is made of. What the model thinks is the
business of vLLM's reasoning parser; where none is chosen, it is told as reasoning all the same.
"""

from collections.abc import Sequence
from typing import Any, ClassVar

from vllm.entrypoints.generate.base.protocol import (
    DeltaFunctionCall,
    DeltaMessage,
    DeltaToolCall,
    ExtractedToolCallInformation,
    FunctionCall,
    ToolCall,
)
from vllm.tool_parsers.abstract_tool_parser import ToolParser, ToolParserManager

from streamparse import Reply, StreamingResponseHandler, formats
from streamparse.encoders import OpenAIEncoder


class StreamparseToolParser(ToolParser):
    """Reads the calls of one request."""

    format: ClassVar[str]
    #: With `tool_choice="required"`, too, the model writes calls in its own format.
    supports_required_and_named = False

    def __init__(self, tokenizer: Any, tools: list[Any] | None = None) -> None:
        super().__init__(tokenizer, tools)
        self._stream: tuple[StreamingResponseHandler, OpenAIEncoder] | None = None
        self._items: list[Any] = []  # events and calls that were read, in their order

    def adjust_request(self, request: Any) -> Any:
        """Markers of calls may be special tokens, which vLLM would leave out of the text."""
        if request.tools and request.tool_choice != "none":
            request.skip_special_tokens = False
        return request

    def extract_tool_calls(self, model_output: str, request: Any) -> ExtractedToolCallInformation:
        """A whole reply."""
        tools = tools_of(request)
        response = OpenAIEncoder(tools=tools).fold(Reply(model_output, self.format, tools=tools))
        message = response["choices"][0]["message"]
        calls = [
            ToolCall(id=call["id"], type="function", function=FunctionCall(**call["function"]))
            for call in message.get("tool_calls", [])
        ]
        return ExtractedToolCallInformation(
            tools_called=bool(calls), tool_calls=calls, content=message["content"] or None
        )

    def extract_tool_calls_streaming(
        self,
        previous_text: str,
        current_text: str,
        delta_text: str,
        previous_token_ids: Sequence[int],
        current_token_ids: Sequence[int],
        delta_token_ids: Sequence[int],
        request: Any,
    ) -> DeltaMessage | None:
        """The next piece of a reply."""
        if self._stream is None:
            tools = tools_of(request)
            take = self._items.append
            handler = StreamingResponseHandler(self.format, tools=tools, on_segment_event=take, on_tool_invocation=take)
            self._stream = handler, OpenAIEncoder(tools=tools)
        handler, encoder = self._stream
        handler.feed(delta_text)
        content, reasoning, calls = "", "", list[DeltaToolCall]()
        while self._items:
            for chunk in encoder.encode(self._items.pop(0)):
                delta = chunk["choices"][0]["delta"]
                content += delta.get("content") or ""
                reasoning += delta.get("reasoning_content") or ""
                calls += [self._call(call) for call in delta.get("tool_calls", [])]
        if not (content or reasoning or calls):
            return None
        return DeltaMessage(content=content or None, reasoning=reasoning or None, tool_calls=calls)

    def _call(self, call: dict[str, Any]) -> DeltaToolCall:
        """A piece of a call. vLLM looks at the end whether all of its arguments were sent, so they are kept."""
        index, function = call["index"], call["function"]
        if "id" in call:
            self.prev_tool_call_arr.append({"name": function["name"], "arguments": ""})
            self.streamed_args_for_tool.append("")
            self.current_tool_id = index
        self.streamed_args_for_tool[index] += function["arguments"]
        self.prev_tool_call_arr[index]["arguments"] = self.streamed_args_for_tool[index]
        more = {"id": call["id"], "type": "function"} if "id" in call else {}
        return DeltaToolCall(index=index, function=DeltaFunctionCall(**function), **more)


def tools_of(request: Any) -> list[dict[str, Any]]:
    """The tools that may be called, as a provider's dicts."""
    return [] if request.tool_choice == "none" else [tool.model_dump() for tool in request.tools or []]


for name in formats.names():
    parser = type(f"Streamparse_{name}", (StreamparseToolParser,), {"format": name})
    ToolParserManager.register_module(f"streamparse_{name}", module=parser)
