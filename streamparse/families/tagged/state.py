"""A call whose parameters stand in tags.

    <function=f> <parameter=a>1</parameter> <parameter=b>2</parameter> </function>
                 └ content, as it is written ─────────────────────┘

The content is all that stands between the head of the call and its closer, without the blanks at its ends; it is shown
as it comes, save what may be the end of the call. Where that is, is the matter of `reader.py`.

If the reply ends behind a parameter, the end of the call was forgotten, or the reply was cut off. So the call is
complete, and repaired, only if its tool is declared and has all that it needs.
"""

from __future__ import annotations

from streamparse.core.state import NEED_MORE, Progress
from streamparse.families.calls.grammar import Head
from streamparse.families.calls.missing_end import lacks_only_end
from streamparse.families.calls.shown import RawContent
from streamparse.families.calls.state import MarkedCallState
from streamparse.families.tagged.grammar import Tags
from streamparse.families.tagged.reader import TaggedReader


class TaggedCallState(MarkedCallState):
    """START, the parameters as they are written, END."""

    _reader: TaggedReader
    _content: RawContent
    _tool: str

    def _open_call(self, head: Head) -> None:
        super()._open_call(head)
        self._tool = head.name or ""
        scanner, empty = self.context.scanner, self._calls.get_options(Tags).empty
        if empty and scanner.buf.startswith(empty, scanner.pos):
            scanner.pos += len(empty)
            self._end_call()
        else:
            scanner.pos += bool(empty)  # the last character of the head is left

    def _in_arguments(self) -> Progress:
        """Blanks before the first parameter are not content."""
        context = self.context
        if not context.scanner.peek_past_blanks():
            return NEED_MORE
        tags, max_held = self._calls.get_options(Tags), context.config.limits.max_held
        self._reader = TaggedReader(context.scanner, tags, max_held, context.searched, keeps_text=False)
        self._content = RawContent(context)
        self._phase = "_in_parameters"
        return self._in_parameters()

    def _in_parameters(self) -> Progress:
        reader = self._reader
        reader.read(self._content)
        self._content.show(reader.content_end)
        if reader.is_ended:
            return self._end_parameters()
        self.triggers, self.look_closer = reader.triggers, reader.look_closer
        return NEED_MORE

    def _end_parameters(self) -> Progress:
        reader, tags = self._reader, self._calls.get_options(Tags)
        unclosed = self.context.judge_unclosed(reader.unclosed, tags.all_ends)
        problem = reader.problem or unclosed
        if problem:
            return self._end_call("malformed", problem)
        return self._end_call(repaired=reader.is_repaired)

    def on_limit(self) -> None:
        """No closer that fits came in time."""
        self._reader.pass_limit(self._content)
        self._end_parameters()

    def finalize(self) -> None:
        """Without its end the call is truncated. What stands behind one that was held may be calls again."""
        while self._phase == "_in_parameters":
            reader = self._reader
            if lacks_only_end(reader, self._tool, reader.given, self.context):
                reader.cut(self._content)
                self.context.scanner.pos = self.context.scanner.end  # blanks before the end would belong to it
                self._end_call(repaired=True)
                break
            reader.finish(self._content)
            if not reader.is_ended:
                self._content.show(self.context.scanner.end)
                break
            self._end_parameters()
            self.run()
        super().finalize()
