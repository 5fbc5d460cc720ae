"""Out to any client: what a `Reply` or a `Presenter` gives, in the words of an interface that clients know.

    encoder = OpenAIEncoder(model="qwen3-coder", tools=TOOLS)
    for item in reply:
        for chunk in encoder.encode(item): ...
    encoder.finish()                                  nothing, unless the reply was left before its end

    for text in frames(reply, encoder): ...           all of that, as server-sent events
    encoder.fold(reply)                               what a request without `stream` gets

`parts.py` is what all of them are made of, and `prose.py` decides which white space goes; `encoder.py` is what the
encoders of providers' interfaces share: `openai.py`, `anthropic.py` and `responses.py`, with `item_arguments.py` for
arguments that are no JSON. `whole.py` folds parts for a response that is not streamed, `stream.py` encodes a whole
reply, `wire.py` has our own wire form.
"""

from streamparse.encoders.anthropic import AnthropicEncoder
from streamparse.encoders.encoder import Encoder
from streamparse.encoders.openai import OpenAIEncoder
from streamparse.encoders.responses import ResponsesEncoder, ToolItem
from streamparse.encoders.stream import achunks, aframes, chunks, frames
from streamparse.encoders.wire import JsonlEncoder, SseEncoder

__all__ = [
    "AnthropicEncoder",
    "Encoder",
    "JsonlEncoder",
    "OpenAIEncoder",
    "ResponsesEncoder",
    "SseEncoder",
    "ToolItem",
    "achunks",
    "aframes",
    "chunks",
    "frames",
]
