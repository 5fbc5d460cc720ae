"""A tool with one argument that is its body: a file's content, a patch, a command.

    <tool name="write_file">
      <arg name="path">a.py</arg>                       write_file {"tool_name": "write_file", "path": "a.py"}
      <arg name="content">print(1)</arg>                `print(1)`
      <arg name="mode">x</arg>                          END {"late": {"mode": "x"}}
    </tool>

Arguments stand in `<arg>` tags or in tags of their own names, inside `<arguments>` or not. Only the body is shown;
other text between the tags is swallowed, and so are comments. Where a value ends is the matter of `reader.py`, when
START comes and what is late that of `calls/body_call.py`.

A body may stand between raw markers, for content that holds closers of its own:

    <arg name="content">__START_CONTENT__
    print("</arg></tool>")
    __END_CONTENT__</arg>               `print("</arg></tool>")` and the line break behind it

The start marker counts as the first thing in the body, the end marker when the argument's closer follows. From the
first closer that fits, text is held: an end marker further on says that it was data; without one, that closer was the
end.
"""

from __future__ import annotations

from contextlib import suppress
from typing import Any, ClassVar

from streamparse.arguments import ArgumentsError, Signature
from streamparse.arguments.sink import never_closed
from streamparse.config import BodyTool
from streamparse.core.context import ParserContext
from streamparse.core.entities import decode_entities
from streamparse.families.calls.body_call import TextBodyCall
from streamparse.families.calls.read_state import BodyCallState
from streamparse.families.xml.decoder import XML_ARGUMENTS, is_ambiguous
from streamparse.families.xml.grammar import RawMarkers
from streamparse.families.xml.reader import XmlReader


class XmlBodyCall(TextBodyCall):
    """Is told what the reader finds."""

    def __init__(self, context: ParserContext, kind: str) -> None:
        opening = context.opening
        name = (opening.tool_name or "").lower()
        spec = context.tools.get(name)
        tool = context.tools.body_of(name) or BodyTool.of_kind(kind)
        metadata = {"path" if key == tool.path else key: value for key, value in opening.metadata.items()}
        super().__init__(context, opening.format, tool, metadata)
        self.signature = Signature.of(spec, context.config)
        for name, text in self._given.items():
            with suppress(ArgumentsError):
                self._given[name] = XML_ARGUMENTS.decode_shown(name, text, self.signature)

    def _give_text(self, name: str, raw: str, *, is_unclosed: bool) -> None:
        text = meant = decode_entities(raw)
        is_plain = name == self.path and self._waited_for != ()
        may_nest = "<" in raw and not is_plain
        if may_nest or (self.signature.schema.names and not is_plain):
            meant = self._read(name, raw)
        has_parts = may_nest and not isinstance(meant, str)
        if is_unclosed and is_ambiguous(raw, has_parts, self.signature, is_direct=self._tag.is_direct):
            self.report(never_closed(name))
            return
        is_new = name not in self._given
        self.give(name, raw if has_parts else text, raw, meant)
        if may_nest and is_new:
            self._note_tag(name, raw)

    def _note_tag(self, name: str, raw: str) -> None:
        """What an argument stood in, if that decides what it means: it is shown as it was written."""
        if self._tag.is_direct and name in self.late:
            self._tags[name] = "tag"
        elif self.metadata.get(name) == raw:
            self._tags[name] = "tag" if self._tag.is_direct else "arg"

    def _read(self, name: str, raw: str) -> Any:
        """What an argument means: a text, unless it has parts or the schema says otherwise."""
        try:
            return XML_ARGUMENTS.decode_written(name, raw, self.signature, is_direct=self._tag.is_direct)
        except ArgumentsError as error:
            self.report(str(error))
            return None


class XmlBodyState(BodyCallState):
    """The base of write_file, patch_file and run_bash as tools."""

    #: The raw markers around a body, if it may have any.
    raw: ClassVar[RawMarkers | None] = None

    def _open(self) -> tuple[XmlReader, XmlBodyCall]:
        context = self.context
        call = XmlBodyCall(context, self.segment_type)
        schema, limits = call.signature.schema, context.config.limits
        reader = XmlReader(
            context.scanner, self.opening.closer, schema, limits, context.searched, body=call.body, raw=self.raw
        )
        return reader, call

    @property
    def _is_empty(self) -> bool:
        return self.opening.is_empty

    def _choose_triggers(self) -> None:
        heads = self._reader.triggers
        self.triggers = None if heads is None else heads + self._call.triggers
