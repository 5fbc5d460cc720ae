"""native: calls and reasoning come in fields of the provider's chunks, not in the text.

    {"choices": [{"delta": {"tool_calls": [{"index": 0, "id": "c", "function": {"name": "f", "arguments": "{}"}}]}}]}

Such fields are read in every format; to choose this one says that the text itself holds no calls. Reasoning tags are
looked for, because servers let them through.
"""

from __future__ import annotations

from streamparse.families.json.decoder import JSON_ARGUMENTS
from streamparse.formats.format import Format
from streamparse.formats.thinking import thinking

NATIVE = Format(
    name="native",
    in_auto=False,
    aliases=("api_tool_call",),
    reasoning=thinking("native"),
    arguments=JSON_ARGUMENTS,
    unwritten="has no text for calls: give the tools to the provider's own interface",
)
