"""What providers stream, in neutral words: chunk objects and dicts -> text, reasoning and call deltas.

    reader = Reader()
    for chunk in client.chat.completions.create(..., stream=True):
        for delta in reader.read(chunk) or ():
            ...

`deltas.py` says what comes out, `read.py` how a chunk finds its reader, `memory.py` what is remembered from one chunk
to the next, `keys.py` how deltas find their call, `call.py` what of them is news; each provider has a module that opens
with the chunks it reads, through `fields.py`. `sse.py` turns the bytes of an HTTP API into chunks. Nothing is imported
from any SDK.
"""

from __future__ import annotations

from streamparse.chunk import Chunk
from streamparse.providers.deltas import (
    BlockEnd,
    CallDelta,
    CallEnd,
    Delta,
    File,
    Finish,
    OtherChoice,
    ProviderError,
    ReasoningDelta,
    RefusalDelta,
    ServerResult,
    Source,
    TextDelta,
)
from streamparse.providers.keys import CallKeys
from streamparse.providers.read import Reader, read

__all__ = [
    "BlockEnd",
    "CallDelta",
    "CallEnd",
    "CallKeys",
    "Chunk",
    "Delta",
    "File",
    "Finish",
    "OtherChoice",
    "ProviderError",
    "Reader",
    "ReasoningDelta",
    "RefusalDelta",
    "ServerResult",
    "Source",
    "TextDelta",
    "read",
]
