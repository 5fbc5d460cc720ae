"""A chat back end: replies go to the browser as server-sent events of the wire form, and into the conversation.

uvicorn --app-dir examples fastapi_chat:app
curl -N localhost:8000/chats/1 -H "Content-Type: application/json" -d '{"content": "Mail to Ada"}'
curl localhost:8000/approvals/ID -H "Content-Type: application/json" -d '{"outcome": "allow_once"}'

Before the mail is sent, the person is asked: the first request waits, and the second one brings the answer. ID is the
`approval_id` of the event `approval_requested`.
"""

import json
from collections import defaultdict
from collections.abc import AsyncIterator
from typing import Annotated, Any

from fastapi import Body, FastAPI, HTTPException
from fastapi.responses import StreamingResponse

from streamparse import Reply
from streamparse.encoders import SseEncoder, achunks
from streamparse.presenter import ApprovalError, Approvals, Decision, Presenter, Toolbox


def send_mail(to: str) -> str:
    """Send a mail."""
    return f"The mail to {to} is on its way."


TOOLS = Toolbox.of([send_mail])
app = FastAPI()
approvals = Approvals(expires=600)
chats: defaultdict[str, list[dict[str, Any]]] = defaultdict(list)


async def model(messages: list[dict[str, Any]]) -> AsyncIterator[dict[str, Any]]:
    """Stands for `await client.chat.completions.create(messages=messages, tools=TOOLS.declared("openai"), …)`."""
    said = messages[-1]["content"]
    if said.startswith("Mail to "):
        call = {"name": "send_mail", "arguments": json.dumps({"to": said.removeprefix("Mail to ")})}
        yield {"choices": [{"delta": {"tool_calls": [{"index": 0, "id": "c1", "function": call}]}}]}
        yield {"choices": [{"delta": {}, "finish_reason": "tool_calls"}]}
        return
    for word in ("You ", "said: ", said):
        yield {"choices": [{"delta": {"content": word}}]}
    yield {"choices": [{"delta": {}, "finish_reason": "stop"}]}


@app.post("/chats/{chat}")
async def send(chat: str, content: Annotated[str, Body(embed=True)]) -> StreamingResponse:
    chats[chat].append({"role": "user", "content": content})
    return StreamingResponse(events(chats[chat]), media_type="text/event-stream")


async def events(messages: list[dict[str, Any]]) -> AsyncIterator[str]:
    while True:
        reply = Reply(model(messages), tools=TOOLS.specs)
        presenter = Presenter(reply, tools=TOOLS, ask=approvals.ask)
        try:
            async with presenter:
                async for event in achunks(presenter, SseEncoder()):
                    yield event
        finally:  # also when the browser has gone: what it was shown was said
            messages += reply.messages("openai", presenter.results)
        if not reply.calls:
            return


@app.post("/approvals/{approval_id}")
async def answer(approval_id: str, body: dict[str, Any]) -> None:
    try:
        decision = Decision(**body)  # "outcome", and if the person likes, "feedback" and "arguments"
    except (TypeError, ValueError) as error:
        raise HTTPException(422, str(error)) from error
    try:
        approvals.answer(approval_id, decision)
    except ApprovalError as error:  # it was answered before, or it came too late
        raise HTTPException(409, str(error)) from error
