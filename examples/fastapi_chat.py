"""A chat back end: replies go to the browser as server-sent events of the wire form, and into the conversation.

uvicorn --app-dir examples fastapi_chat:app
curl -N localhost:8000/chats/1 -H "Content-Type: application/json" -d '{"content": "Hello"}'
"""

import json
from collections import defaultdict
from collections.abc import AsyncIterator
from typing import Annotated, Any

from fastapi import Body, FastAPI
from fastapi.responses import StreamingResponse

from streamparse import Reply

app = FastAPI()
chats: defaultdict[str, list[dict[str, Any]]] = defaultdict(list)


async def model(messages: list[dict[str, Any]]) -> AsyncIterator[dict[str, Any]]:
    """Stands for `await client.chat.completions.create(messages=messages, stream=True, …)` of an AsyncOpenAI."""
    for word in ("You ", "said: ", messages[-1]["content"]):
        yield {"choices": [{"delta": {"content": word}}]}
    yield {"choices": [{"delta": {}, "finish_reason": "stop"}]}


@app.post("/chats/{chat}")
async def send(chat: str, content: Annotated[str, Body(embed=True)]) -> StreamingResponse:
    chats[chat].append({"role": "user", "content": content})
    return StreamingResponse(events(chats[chat]), media_type="text/event-stream")


async def events(messages: list[dict[str, Any]]) -> AsyncIterator[str]:
    reply = Reply(model(messages))
    try:
        async for item in reply:
            yield f"data: {json.dumps(item.to_dict())}\n\n"
    finally:  # also when the browser has gone: what it was shown was said
        messages += reply.messages("openai")
