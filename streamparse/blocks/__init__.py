"""The view of many assistants: a reply as a list of blocks, each with a `partial` flag, that grows while it streams.

    parser = AssistantMessageParser("xml")
    for chunk in stream:
        draw(parser.process_chunk(chunk))       # [TextContent(…), ToolUse(…, partial=True)]: the same list each time
    draw(parser.finalize())

`block.py` is what blocks have in common, `content.py` a text that grows, `prose.py` text and reasoning, `tool_use.py` a
call, `custom_content.py` what states of your own make; `builder.py` makes blocks of the events of any format,
`message_parser.py` is parser and builder in one, `parameter_limit.py` stops parameters that are too long.
"""

from streamparse.blocks.block import Block
from streamparse.blocks.builder import BlockBuilder
from streamparse.blocks.custom_content import CustomContent
from streamparse.blocks.message_parser import AssistantMessageParser, parse_assistant_message
from streamparse.blocks.prose import ReasoningContent, TextContent
from streamparse.blocks.tool_use import ToolUse

__all__ = [
    "AssistantMessageParser",
    "Block",
    "BlockBuilder",
    "CustomContent",
    "ReasoningContent",
    "TextContent",
    "ToolUse",
    "parse_assistant_message",
]
