"""How the parameters of a call are followed while they come.

    <parameter=path>a.py</parameter>            give("path", "a.py")
    <parameter=content>␤print(1)␤</par          begin_body(), add_body("print(1)")

TaggedFollower is for parameters that are texts, NestedFollower for those that may have parts. Where they begin and end
is the matter of `reader.py`; what their texts mean, that of `values.py` and `nested.py`.

In a body may stand the opener of another parameter, if the closer of the body was forgotten: what comes from there on
is kept back until that parameter is given elsewhere, a closer in the body shows that it is a text about tags, or the
call has ended. Then it is known what it was.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from streamparse.arguments.decoder import ArgumentsError, Signature
from streamparse.arguments.follower import Record
from streamparse.arguments.sink import ValueTag, never_closed
from streamparse.core.scanner import StreamScanner
from streamparse.families.tagged.grammar import Tags
from streamparse.families.tagged.nested import Nodes
from streamparse.families.tagged.reader import TaggedReader
from streamparse.families.tagged.values import Values


class _Body:
    """The text of a body, shown as it comes; what stands behind the opener of another parameter is kept back."""

    def __init__(self, record: Record, tags: Tags, values: Values, tag: ValueTag, names: set[str]) -> None:
        self._record = record
        self._tags = tags
        self._names = set() if tag.is_quoted else names  # of parameters that may begin in it
        self._breaks = values.growing(tag)
        self.kept = ""  # what may be, or become, the opener of one of them
        self.is_doubtful = False  # it is one
        self.has_closer = False

    @property
    def is_plain(self) -> bool:
        """Whether text without a tag or a line break is shown as it is."""
        is_waiting = self.kept or self.is_doubtful
        return not is_waiting and (self._breaks is None or self._breaks.is_complete)

    def add(self, text: str, *, is_followed: bool) -> None:
        """More of it."""
        if not self.has_closer and self._tags.following.heads[0] in text and self._tags.has_closer(text):
            self.has_closer = True
            self._names, self.is_doubtful = set(), False  # it is a text about tags, and so nothing else begins in it
        if self.is_doubtful:
            self.kept += text
            return
        text, self.kept = self.kept + text, ""
        if self._names and self._tags.following.heads[0] in text:
            text = self._keep_opener(text)
        self.show(text, is_followed=is_followed and not self.kept)

    def _keep_opener(self, text: str) -> str:
        """`text` without the opener of another parameter, and what comes behind it; or without a piece of one.

        A piece of an opener may go on with what may be a closer: `<arg_key>mode</arg_` is one, before `key>` comes.
        """
        for begin, _, name, _ in self._tags.find_openers(text):
            if name in self._names:
                self.is_doubtful = True
                self.kept = text[begin:]
                return text[:begin]
        half = self._tags.find_half_opener(text)
        self.kept = text[half:]
        return text[:half]

    def show(self, text: str, *, is_followed: bool) -> None:
        """It belongs to the body, line breaks at its ends aside."""
        if self._breaks is not None:
            text = self._breaks.add(text, is_followed=is_followed)
        self._record.add_body(text)

    def end(self, *, is_cut: bool) -> None:
        """That was all of it; if it was cut off, what is kept back belongs to it."""
        if not self.is_doubtful:
            self.show(self.kept, is_followed=True)
            self.kept = ""
            if is_cut and self._breaks is not None:
                self._record.add_body(self._breaks.cut())


class _Doubtful(NamedTuple):
    """A parameter that is closed; but another may begin in its text, if its own closer was forgotten."""

    name: str
    tag: ValueTag
    text: str  # of a body, from the opener of the other one on
    body: _Body | None
    is_contested: bool = False  # a closer stands in the text of one behind it, so it may be a text about tags


class TaggedFollower:
    """Is told what the reader finds in the content, and tells the record of the call."""

    def __init__(self, tags: Tags, values: Values, record: Record, signature: Signature) -> None:
        self._tags = tags
        self._values = values
        self._record = record
        self._signature = signature
        self._scanner = StreamScanner()
        self._reader = TaggedReader(self._scanner, tags, signature.limits.max_held, {})
        #: The names of declared parameters that were not given.
        self._names = set(signature.spec.parameter_names if signature.spec else ())
        self._name = ""
        self._tag = ValueTag()
        self._body: _Body | None = None  # it is what is being read
        self._doubtful: list[_Doubtful] = []
        self.is_repaired = False

    @property
    def triggers(self) -> str | None:
        """Tags, and what a value may end with."""
        body, triggers = self._body, self._reader.triggers
        if triggers is None or self._scanner.buf or body is None or not body.is_plain:
            return None
        return triggers + self._values.triggers

    def feed(self, text: str) -> None:
        """Read on."""
        self._scanner.buf += text
        self._reader.read(self)
        self._scanner.compact()

    def finish(self, *, is_cut: bool) -> None:
        """Behind the content stands the end of the call, unless it was cut off."""
        if is_cut:
            self._reader.finish(self)
        else:
            self._scanner.buf += self._tags.end_text
            self._reader.read_all(self)
        self._settle(is_over=True)

    # -- the sink of the reader ---------------------------------------------------------------------------------------

    def open_value(self, name: str, tag: ValueTag) -> None:
        """A parameter begins."""
        self._name, self._tag = name, tag
        self._names.discard(name)
        self._settle()
        if name == self._record.body and self._values.is_text(tag) and self._record.begin_body():
            self._body = _Body(self._record, self._tags, self._values, tag, self._names)
        else:
            self._record.begin_value(name)

    def take(self, text: str, *, is_followed: bool) -> None:
        """More of it."""
        if self._body is not None:
            self._body.add(text, is_followed=is_followed)
        else:
            self._record.add_value(self._name, text)

    take_held = take

    def close_value(self, *, is_unclosed: bool = False) -> None:
        """It is complete, or its closer is missing."""
        self.is_repaired = self.is_repaired or is_unclosed
        body, self._body = self._body, None
        text = (body.kept if body else self._record.take_value()) or ""
        has_closer = body.has_closer if body else self._tags.has_closer(text)
        if is_unclosed and has_closer:
            self.report(f"{self._name} is closed, but neither a parameter nor the end of the call follows")
        if body is not None:
            body.end(is_cut=False)
        if has_closer and not self._tag.is_quoted:
            self._doubtful = [doubtful._replace(is_contested=True) for doubtful in self._doubtful]
        parameter = _Doubtful(self._name, self._tag, text, body)
        if has_closer or not self._openers(parameter):
            self._give(parameter)
        else:
            self._doubtful.append(parameter)

    def drop_value(self) -> None:
        """It has no end: what there is of the body counts."""
        body, self._body = self._body, None
        if body is not None:
            body.end(is_cut=True)

    def report(self, problem: str) -> None:
        """The call is malformed."""
        self._record.report(problem)

    # -- values -------------------------------------------------------------------------------------------------------

    def _openers(self, parameter: _Doubtful) -> list[tuple[int, int, str, str]]:
        """The parameters that may begin in the text of one: they are declared, and not given by themselves.

        Each begins once; what looks like its opener behind that is data.
        """
        if parameter.tag.is_quoted or self._tags.following.heads[0] not in parameter.text:
            return []
        found: dict[str, tuple[int, int, str, str]] = {}
        for opener in self._tags.find_openers(parameter.text):
            if opener[2] in self._names:
                found.setdefault(opener[2], opener)
        return list(found.values())

    def _settle(self, *, is_over: bool = False) -> None:
        """What was in doubt is data if the others were given after all; if nothing more comes, they began there."""
        waiting, self._doubtful = self._doubtful, []
        for parameter in waiting:
            openers = self._openers(parameter)
            if openers and not is_over:
                self._doubtful.append(parameter)
                continue
            text = parameter.text
            self._give(parameter._replace(text=text[: openers[0][0]] if openers else text))
            if openers and parameter.is_contested:
                self.report(never_closed(parameter.name))
                continue
            for number, (_, start, name, attributes) in enumerate(openers):
                self.is_repaired = True
                self._names.discard(name)
                end = openers[number + 1][0] if number + 1 < len(openers) else len(text)
                self._give(_Doubtful(name, ValueTag(attributes=attributes), text[start:end], None))

    def _give(self, parameter: _Doubtful) -> None:
        name, tag, text, body, _ = parameter
        if body is not None:
            if body.is_doubtful:
                body.show(text, is_followed=True)
            return
        try:
            value = self._values.read(name, text, tag, self._signature)
        except ArgumentsError as error:
            self.report(str(error))
            return
        self._record.give(name, value)


class NestedFollower:
    """The same for values that may have parts: the body is a text that stands in no other tag."""

    def __init__(self, tags: Tags, record: Record, signature: Signature) -> None:
        self._tags = tags
        self._record = record
        self._scanner = StreamScanner()
        self._reader = TaggedReader(self._scanner, tags, signature.limits.max_held, {})
        self._nodes = Nodes(signature)
        self._given: dict[str, list[Any]] = {}
        self._is_shown = False  # what is being read is the body, and shown as it comes
        self._error: ArgumentsError | None = None  # nothing more is read

    @property
    def is_repaired(self) -> bool:
        """Whether the closer of the last value was missing."""
        return self._nodes.is_repaired

    @property
    def triggers(self) -> str | None:
        """Tags, in the body."""
        return self._reader.triggers if self._is_shown and not self._scanner.buf else None

    def feed(self, text: str) -> None:
        """Read on."""
        if self._error is None:
            self._scanner.buf += text
            try:
                self._reader.read(self)
            except ArgumentsError as error:
                self._error = error
            self._scanner.compact()

    def finish(self, *, is_cut: bool) -> None:
        """Behind the content stands the end of the call, unless it was cut off. Raises ArgumentsError."""
        if self._error is not None:
            raise self._error
        if is_cut:
            self._reader.finish(self)
        else:
            self._scanner.buf += self._tags.end_text
            self._reader.read_all(self)

    # -- the sink of the reader ---------------------------------------------------------------------------------------

    def open_value(self, name: str, tag: ValueTag) -> None:
        """A value begins, or a part of one."""
        if self._nodes.is_open:
            self._record.add_value(name, name)  # it counts
        else:
            self._record.begin_value(name)
        self._nodes.open_value(name, tag)

    def take(self, text: str, *, is_followed: bool) -> None:
        """More of it. A body that begins with a text is one."""
        nodes, record = self._nodes, self._record
        if self._is_shown:
            record.add_body(text)
            return
        is_body = nodes.is_text and nodes.name == record.body not in self._given
        if is_body or record.add_value(nodes.name, text):
            nodes.take(text, is_followed=is_followed)
        beginning = nodes.growing_text if is_body else None
        if beginning is not None and record.begin_body():
            self._is_shown = True
            record.add_body(beginning)

    take_held = take

    def close_value(self, *, is_unclosed: bool = False) -> None:
        """It is complete. One that comes several times is a list."""
        self._nodes.close_value(is_unclosed=is_unclosed)
        if self._nodes.is_open:
            return
        name, value = self._nodes.take_argument()
        values = self._given.setdefault(name, [])
        values.append(value)
        is_kept = self._record.take_value() is not None and not self._is_shown
        self._is_shown = False
        if is_kept:
            self._record.give(name, value if len(values) == 1 else list(values))

    def drop_value(self) -> None:
        """It has no end: what there is of the body was shown."""

    def report(self, problem: str) -> None:
        """The call is malformed."""
        raise ArgumentsError(problem)
