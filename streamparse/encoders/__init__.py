"""Out to any client: what a `Reply` or a `Presenter` gives, in the words of an interface that clients know.

encoder = OpenAIEncoder(model="qwen3-coder", tools=TOOLS)
for item in reply:
    for chunk in encoder.encode(item): ...
encoder.finish()                                  nothing, unless the reply was left before its end

for text in frames(reply, encoder): ...           all of that, as server-sent events
encoder.fold(reply)                               what a request without `stream` gets

part.py, parts.py       what clients want to know of a reply: every encoder is made of it
  texts.py, prose.py    the texts in it: which white space goes
  ending.py             how a reply has to end, whatever its provider said
encoder.py              what all encoders share
openai.py               Chat Completions; openai_deltas.py: its deltas
anthropic.py            Messages
responses.py            Responses; responses_items.py: its items; item_arguments.py: arguments that are no JSON
run.py                  what the encoders for user interfaces share, which tell several replies
  ai_sdk.py             the AI SDK; ai_sdk_parts.py: its parts; ai_sdk_steps.py: what becomes of calls
  ag_ui.py              AG-UI
  plan_data.py, server_calls.py, growth.py
wire.py                 our own wire form
whole.py, stream.py     parts folded for a response that is not streamed; a whole reply, encoded
request.py              what user interfaces send: ai_sdk_request.py, ag_ui_request.py; sent.py: JSON of anybody
"""

from streamparse.encoders.ag_ui import AgUiEncoder
from streamparse.encoders.ag_ui_request import AgUiRequest
from streamparse.encoders.ai_sdk import AiSdkEncoder
from streamparse.encoders.ai_sdk_request import AiSdkRequest
from streamparse.encoders.anthropic import AnthropicEncoder
from streamparse.encoders.encoder import Encoder, StreamEncoder
from streamparse.encoders.openai import OpenAIEncoder
from streamparse.encoders.request import ClientRequest
from streamparse.encoders.responses import ResponsesEncoder
from streamparse.encoders.responses_items import ToolItem
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
