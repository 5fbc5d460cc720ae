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
from streamparse.core.state import BaseState, Opening
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

    def run(self) -> None:
        """Read on in the tag."""
        scanner = self.context.scanner
        scanner.pos = self._lexer.read(scanner.buf, scanner.pos, len(scanner.buf))
        if self._lexer.is_done:
            scanner.release()
            self._open()
        elif self._lexer.is_failed:
            self._give_back()

    def _open(self) -> None:
        attributes, is_empty = self._lexer.attributes, self._lexer.is_empty
        if self._tag == "tool":
            name = attributes.pop("name")
            # Whatever a tool requires of its own tag is found in any case here, too.
            required = self._required_by(name)
            attributes = {key.lower() if key.lower() in required else key: attributes[key] for key in attributes}
            self.context.open_tool(Opening("tool", name, attributes, is_empty, self.format))
        elif self._tag in REASONING_TAGS:
            self.context.open("reasoning", Opening(self._tag, None, attributes, is_empty, self.format))
        else:
            self.context.open_tool(Opening(self._tag, None, attributes, is_empty, self.format))

    def _give_back(self) -> None:
        """It was no tag: show its `<` and let prose read the rest, which may hold another tag."""
        scanner = self.context.scanner
        scanner.rollback()
        self.context.emitter.emit_prose(scanner.take(scanner.pos + 1), self.context.prose.segment_type)
        self.context.transition_to("text")

    def finalize(self) -> None:
        """A tag that is cut off is text."""
        self._give_back()
