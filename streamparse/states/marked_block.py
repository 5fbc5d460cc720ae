"""The opening marker of a block that a program has declared by its markers.

    :::note Mind the gap. :::       register_block("note", opens=":::note", closes=":::")

A marker that ends like a word does so in the text, too: `:::notebook` opens no note. What stands in the block is the
matter of its state, a DelimitedState if the declaration names none.
"""

from __future__ import annotations

from functools import lru_cache

from attrs import frozen

from streamparse.core.markers import Atom, Marker, exact
from streamparse.core.opening import Opener, Opening, Options
from streamparse.core.registry import MarkedBlock
from streamparse.core.state import NEED_MORE, BaseState, Progress
from streamparse.states.delimited import DelimitedState

#: The character behind a word, looked at and left.
_WORD_END = Atom(r"(?=[^A-Za-z0-9_-])")


@frozen
class BlockOptions(Options):
    """The block that the marker opens, and how much of the text the marker is."""

    block: MarkedBlock
    size: int


class MarkedBlockState(BaseState):
    """Reads the opening marker, and hands over."""

    def run(self) -> Progress:
        """The marker is there, all of it."""
        options = self.context.opener.get_options(BlockOptions)
        block = options.block
        self.context.scanner.pos += options.size
        closer, *others = map(exact, _spellings(block.closes))
        opening = Opening(block.name, closer, other_closers=tuple(others))
        self.context.open(block.state or DelimitedState, opening)
        return NEED_MORE


@lru_cache(maxsize=64)
def block_openers(blocks: tuple[MarkedBlock, ...], *, at_line: bool) -> tuple[Opener, ...]:
    """What opens those of `blocks` that count anywhere, or only where a line begins."""
    return tuple(
        Opener(_opening_marker(opens), MarkedBlockState, "", BlockOptions(block, len(opens)), in_reasoning="text")
        for block in blocks
        if block.at_line == at_line
        for opens in _spellings(block.opens)
    )


def _opening_marker(opens: str) -> Marker:
    is_word = opens[-1].isascii() and (opens[-1].isalnum() or opens[-1] in "_-")
    return (*exact(opens), _WORD_END) if is_word else exact(opens)


def _spellings(marker: str) -> tuple[str, ...]:
    """With LF, and with CRLF if there are line breaks."""
    plain = marker.replace("\r\n", "\n")
    return tuple(dict.fromkeys((plain, plain.replace("\n", "\r\n"))))
