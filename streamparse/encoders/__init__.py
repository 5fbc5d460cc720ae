"""Out to any client: what a `Reply` or a `Presenter` gives, in the words of an interface that clients know.

    encoder = OpenAIEncoder(model="qwen3-coder", tools=TOOLS)
    for item in reply:
        for chunk in encoder.encode(item): ...
    encoder.finish()                                  nothing, unless the reply was left before its end

    for text in frames(reply, encoder): ...           all of that, as server-sent events
    encoder.fold(reply)                               what a request without `stream` gets

`parts.py` is what all of them are made of (`part.py`: what there is; `texts.py`, `prose.py`: which white space goes;
`ending.py`: how a reply has to end). `encoder.py` is what the encoders share: `openai.py` (its deltas:
`openai_deltas.py`), `anthropic.py` and `responses.py` (arguments that are no JSON: `item_arguments.py`) speak as
providers do, `ai_sdk.py` (what becomes of calls: `ai_sdk_steps.py`) and `ag_ui.py` to user interfaces (`run.py` is what
they share). `whole.py` folds parts for a response that is not streamed, `stream.py` encodes a whole reply, `wire.py`
has our own wire form. What user interfaces send back is read by `ai_sdk_request.py` and `ag_ui_request.py`
(`request.py` is what they share).
"""

from streamparse.encoders.ag_ui import AgUiEncoder
from streamparse.encoders.ag_ui_request import AgUiRequest
from streamparse.encoders.ai_sdk import AiSdkEncoder
from streamparse.encoders.ai_sdk_request import AiSdkRequest
from streamparse.encoders.anthropic import AnthropicEncoder
from streamparse.encoders.encoder import Encoder, StreamEncoder
from streamparse.encoders.openai import OpenAIEncoder
from streamparse.encoders.request import ClientRequest
from streamparse.encoders.responses import ResponsesEncoder, ToolItem
from streamparse.encoders.stream import achunks, aframes, chunks, frames
from streamparse.encoders.wire import JsonlEncoder, SseEncoder

__all__ = [
    "AgUiEncoder",
    "AgUiRequest",
    "AiSdkEncoder",
    "AiSdkRequest",
    "AnthropicEncoder",
    "ClientRequest",
    "Encoder",
    "JsonlEncoder",
    "OpenAIEncoder",
    "ResponsesEncoder",
    "SseEncoder",
    "StreamEncoder",
    "ToolItem",
    "achunks",
    "aframes",
    "chunks",
    "frames",
]
