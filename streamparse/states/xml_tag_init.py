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

from attrs import frozen

from streamparse.core.markers import close_tag
from streamparse.core.opening import Opening, Options
from streamparse.core.state import NEED_MORE, BaseState, Progress
from streamparse.families.xml.lexer import TagLexer

_NAME = re.compile(r"<([^ \t\r\n/>]++)")
#: The usual tag, whole or cut: at most one attribute, and nothing in it to decode. A short one is read in one step,
#: and again with the next chunk if it is cut. Whatever this does not match is left to `TagLexer`, which knows all the
#: rules.
_USUAL = re.compile(
    r"""
    <([^ \t\r\n/>]++)
    (?: (?: [ ]([A-Za-z_]{1,64}+)="([^"<&]*+)" )?+ (/?+)>
      | [ ] (?: [A-Za-z_]{1,64}+ (?: = (?: "[^"<&]*+"?+ )?+ )?+ )?+ \Z )
    """,
    re.VERBOSE,
)
_WHOLE = 4
_SHORT = 256


@frozen
class TagState(Options):
    """A tag that is no tool: the state that reads what it opens."""

    state: type[BaseState]


class XmlTagInitState(BaseState):
    """Reads one opening tag and hands over to the state for it."""

    _lexer: TagLexer | None = None

    def run(self) -> Progress:
        """Read on in the tag."""
        scanner, lexer = self.context.scanner, self._lexer
        if lexer is None:
            match = _USUAL.match(scanner.buf, scanner.pos)
            size = match.end() - scanner.pos if match else 0
            if match and size <= _SHORT and size <= self.context.config.limits.max_tag:
                if match.lastindex == _WHOLE:
                    self._open_usual(match)
                return NEED_MORE
            lexer = self._lexer = self._begin_lexer()
        scanner.pos = lexer.read(scanner.buf, scanner.pos, len(scanner.buf))
        if lexer.is_done:
            scanner.release()
            self._open_lexed(lexer.attributes, lexer.is_empty)
        elif lexer.is_failed:
            self._give_up(lexer)
        return NEED_MORE

    def _open_usual(self, match: re.Match[str]) -> None:
        tag, name, value, slash = match.groups()
        tag = tag.lower()
        required = self._required(tag)
        if name and name.lower() in required:
            name = name.lower()
        if required and required != (name,):
            self._give_back()
            return
        self.context.scanner.pos = match.end()
        if tag == "tool":
            self._open(tag, value, {}, slash == "/")
        else:
            self._open(tag, None, {name: value} if name else {}, slash == "/")

    def _begin_lexer(self) -> TagLexer:
        scanner = self.context.scanner
        match = _NAME.match(scanner.buf, scanner.pos)
        assert match is not None  # the marker that led here begins so
        self._tag = match[1].lower()
        scanner.hold()
        scanner.pos = match.end()
        return TagLexer(self._required(self._tag), self.context.config.limits.max_tag - len(match[0]))

    def _required(self, tag: str) -> tuple[str, ...]:
        return ("name",) if tag == "tool" else self._required_by(tag)

    def _required_by(self, tool: str) -> tuple[str, ...]:
        opener = self.context.opener
        options = opener.options
        state = options.state if isinstance(options, TagState) else self.context.tool_state(tool, opener.format)
        return state.required

    def _open_lexed(self, attributes: dict[str, str], is_empty: bool) -> None:
        name = None
        if self._tag == "tool":
            name = attributes.pop("name")
            # What a tool requires of a tag of its own is found in any case here, too.
            required = self._required_by(name)
            attributes = {key.lower() if key.lower() in required else key: attributes[key] for key in attributes}
        self._open(self._tag, name, attributes, is_empty)

    def _open(self, tag: str, tool_name: str | None, attributes: dict[str, str], is_empty: bool) -> None:
        context = self.context
        opener = context.opener
        opening = Opening(tag, close_tag(tag), tool_name, attributes, is_empty, opener.format)
        if isinstance(opener.options, TagState):
            context.open(opener.options.state, opening)
        else:
            context.open_tool(opening)

    def _give_up(self, lexer: TagLexer) -> None:
        """It is no tag. What stands in its quotes is read again, and behind one that is too long a body may come."""
        self.context.scanner.rollback()
        if lexer.is_too_long or lexer.holds_tags:
            self.context.distrust_rest()
        self._give_back()

    def _give_back(self) -> None:
        """It was no tag: show its `<` and let prose read the rest, which may hold another tag."""
        scanner = self.context.scanner
        self.context.show(scanner.take(scanner.pos + 1))
        self.context.transition_to("text")

    def finalize(self) -> None:
        """A tag that is cut off is text."""
        if self._lexer is not None:
            self._give_up(self._lexer)
        else:
            self._give_back()
