"""sentinel: blocks between `[[SEG_START {…}]]` and `[[SEG_END]]`.

    [[SEG_START {"type": "run_bash"}]]ls[[SEG_END]]

For prompts that want every kind of segment in one syntax, with bodies that need no escaping.
"""

from __future__ import annotations

from streamparse.arguments import SENTINEL_ARGUMENTS
from streamparse.core.markers import exact
from streamparse.core.opening import Opener
from streamparse.formats.format import Format
from streamparse.formats.thinking import thinking
from streamparse.states.sentinel import START, SentinelInitState

_OPENERS = (Opener(exact(START), SentinelInitState, "sentinel"),)

SENTINEL = Format(
    name="sentinel",
    openers=lambda setup: _OPENERS,
    reasoning=thinking("sentinel"),
    arguments=SENTINEL_ARGUMENTS,
)
