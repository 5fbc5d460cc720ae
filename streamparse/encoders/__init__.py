"""Out to any client: what a `Reply` or a `Presenter` gives, in the words of an interface that clients know.

    encoder = OpenAIEncoder(model="qwen3-coder", tools=TOOLS)
    for item in reply:
        for chunk in encoder.encode(item): ...
    encoder.finish()                                  nothing, unless the reply was left before its end

`parts.py` is what all of them share; `openai.py` and `wire.py` are the encoders.
"""

from streamparse.encoders.openai import OpenAIEncoder, fold
from streamparse.encoders.wire import JsonlEncoder, SseEncoder

__all__ = ["JsonlEncoder", "OpenAIEncoder", "SseEncoder", "fold"]
