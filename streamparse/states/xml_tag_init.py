"""The opening tag of a block, from its `<` on.

    <tool name="x" mode="fast">         the state that reads the tool x
    <write_file path='a>b'>             the state that is registered for that tag
    <think>                             reasoning
    <tool name=x>, <write_file>         text: no quotes, no path

Text hands over here when a known name and the character behind it have been seen. The tag is held until its `>`; at the
first character that cannot belong to it, its `<` is text and text reads on right behind that.
"""

from __future__ import annotations

import re

from streamparse.core.context import ParserContext
from streamparse.core.registry import REASONING_TAGS
from streamparse.core.state import NEED_MORE, BaseState, Opening
from streamparse.core.tag_lexer import TagLexer

_TAG = re.compile(r"<([^ \t\r\n/>]+)")


class XmlTagInitState(BaseState):
    """Reads one opening tag and hands over to the state for it."""

    format = "xml"

    def __init__(self, context: ParserContext) -> None:
        super().__init__(context)
        scanner = context.scanner
        match = _TAG.match(scanner.buf, scanner.pos)
        assert match is not None  # the opener's marker was just matched here
        self._tag = match[1].lower()
        self._lexer = TagLexer(self._required(), context.config.limits.max_tag - len(match[0]))
        scanner.hold()
        scanner.pos = match.end()

    def _required(self) -> tuple[str, ...]:
        return ("name",) if self._tag == "tool" else self._required_by(self._tag)

    def _required_by(self, tool: str) -> tuple[str, ...]:
        state = self.context.registry.get(tool)
        return state.required if state else ()

    def run(self) -> bool:
        """Read on in the tag."""
        scanner, lexer = self.context.scanner, self._lexer
        scanner.pos = lexer.read(scanner.buf, scanner.pos, len(scanner.buf))
        if lexer.is_done:
            scanner.release()
            self._open()
        elif lexer.is_failed:
            self._give_back()
        return NEED_MORE

    def _open(self) -> None:
        opening = Opening(self._tag, None, self._lexer.attributes, self._lexer.is_empty, self.format)
        if self._tag in REASONING_TAGS:
            self.context.open("reasoning", opening)
            return
        if self._tag == "tool":
            opening.tool_name = opening.attributes.pop("name")
            if opening.attributes:
                # What a tool requires of a tag of its own is found in any case here, too.
                required = self._required_by(opening.tool_name)
                opening.attributes = {
                    key.lower() if key.lower() in required else key: value for key, value in opening.attributes.items()
                }
        self.context.open_tool(opening)

    def _give_back(self) -> None:
        """It was no tag: show its `<` and let prose read the rest, which may hold another tag."""
        scanner = self.context.scanner
        scanner.rollback()
        self.context.emitter.emit_prose(scanner.take(scanner.pos + 1), self.context.prose.segment_type)
        self.context.transition_to("text")

    def finalize(self) -> None:
        """A tag that is cut off is text."""
        self._give_back()
