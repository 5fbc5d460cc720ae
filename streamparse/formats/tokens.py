"""Special tokens by their shape: `<|im_end|>` and `<｜User｜>`, and Gemma's `<|channel>` and `<channel|>`.

Which tokens a format has besides, such as `[TOOL_CALLS]`, it says itself (`Format.dropped`, `Prompt.tokens`).
"""

from __future__ import annotations

import re

from streamparse.core.markers import Marker, leading_text

#: The usual shape, as a pattern.
SHAPE = r"<[|｜][^<>\s]{1,64}?[|｜]>"
_TOKEN = re.compile(rf"{SHAPE}|<[|｜][^<>|｜\s]+>|<[^<>|｜\s]+[|｜]>")


def begins_with_token(marker: Marker) -> bool:
    """Whether `marker` begins with what looks like a special token, whatever the format."""
    return _TOKEN.match(leading_text(marker)) is not None
