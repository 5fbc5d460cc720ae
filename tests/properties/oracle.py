"""An oracle for guarantee 3: what is certain after a prefix is what all its continuations agree on.

It knows nothing of holdback. It parses the prefix with each of many continuations behind it, among them the rest of
every marker there is, and takes the longest common beginning of the results, event by event and character by
character.

Of a piece of `&amp;` nothing is certain, although it begins with the very character that it stands for: whether `&`
means itself is known with the last character of the entity.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from typing import Any

from streamparse import ParserConfig, SegmentEvent, SegmentEventType, StreamingParser

_WHOLES = [
    '<tool name="q"></tool>',
    '<write_file path="p"></write_file>',
    '<patch_file path="p"></patch_file>',
    "<run_bash></run_bash>",
    "<think></think>",
    "<thinking></thinking>",
    '</arg><arg name="path">p</arg></tool>',
    "</arg></arguments></tool>",
    "</path><content></content></tool>",
    "</content><path>p</path></tool>",
    "</patch><path>p</path></tool>",
    "</patch></tool>",
    "</command></tool>",
    "</timeout><path>p</path></tool>",
    "__START_CONTENT__\nx__END_CONTENT__</arg></tool>",
    "__END_CONTENT__</content></tool>",
    "__START_PATCH__\nx__END_PATCH__</patch></tool>",
    '" path="p"></write_file>',
    "' name='q'>",
    '" name="q">',
    '="q"></tool>',
    "&amp;&lt;&gt;",
    "</arg ></tool >",
]
#: Markers that go over the end of the line: in a code span that is not closed they count.
_OVER_LINES = [
    '<parallel>\n<tool name="q"></tool></parallel>',
    '<sequential>\n<tool name="q"></tool></sequential>',
    '<multi_tool_use mode=\n"parallel"><tool name="q"></tool></multi_tool_use>',
    "</think\n>",
    "</thinking\n>",
]
_CONTINUATIONS = sorted(
    {
        "",
        *(
            "x",
            " ",
            "\n",
            "`",
            "``x",
            "x`",
            "\n``` \n",
            '"',
            "'",
            "=",
            "/",
            ">",
            "<",
            "\r\n",
            "\u00e9",
            "<x",
            "\n```\nx",
        ),
        *(whole[start:] for whole in _WHOLES for start in range(len(whole))),
        *(whole[start:] for whole in _OVER_LINES for start in range(whole.index("\n") + 1)),
        *(' name="q"' + whole for whole in (">", "/>", "></tool>")),
        *(' path="p">', ' path="p"/>'),
        *("x" + whole for whole in _WHOLES),
        *("\n" + whole for whole in _WHOLES),
    }
)


_PIECES_OF_AND = ("&a", "&am", "&amp")


def _tokens(events: Iterable[SegmentEvent]) -> list[tuple[Any, ...]]:
    tokens: list[tuple[Any, ...]] = []
    for event in events:
        if event.type is SegmentEventType.CONTENT:
            tokens += [(event.segment_id, character) for character in event.delta]
        else:
            tokens.append((event.segment_id, event.type, str(event.segment_type), str(event.payload)))
    return tokens


def shown(prefix: str, config: ParserConfig) -> list[tuple[Any, ...]]:
    """What a parser has shown after `prefix`."""
    return _tokens(StreamingParser("xml", config).feed(prefix))


@lru_cache(maxsize=4096)
def _whole(text: str, config: ParserConfig) -> tuple[tuple[Any, ...], ...]:
    parser = StreamingParser("xml", config)
    return tuple(_tokens(parser.feed(text) + parser.finalize()))


def certain(prefix: str, config: ParserConfig) -> list[tuple[Any, ...]]:
    """What all continuations of `prefix` agree on."""
    common: list[tuple[Any, ...]] | None = None
    for continuation in _CONTINUATIONS:
        tokens = _whole(prefix + continuation, config)
        if common is None:
            common = list(tokens)
            continue
        length = 0
        for mine, other in zip(common, tokens, strict=False):
            if mine != other:
                break
            length += 1
        del common[length:]
    common = common or []
    if prefix.endswith(_PIECES_OF_AND) and common and common[-1][1] == "&":
        del common[-1]
    return common
