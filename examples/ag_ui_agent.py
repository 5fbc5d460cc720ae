"""A back end for AG-UI clients, such as CopilotKit: an agent with a tool that asks a person before it runs.

uvicorn --app-dir examples ag_ui_agent:app

The question ends the run, as the protocol wants it. The thread waits here, and goes on in the run with the answer.
"""

import logging
from collections.abc import AsyncGenerator, AsyncIterator
from typing import Any

from fastapi import FastAPI, HTTPException
from fastapi.responses import StreamingResponse

from streamparse import Reply
from streamparse.encoders import AgUiEncoder, AgUiRequest, aframes
from streamparse.invocations import AnyItem
from streamparse.presenter import ApprovalError, Approvals, Presenter, Toolbox


def send_mail(to: str, subject: str) -> str:
    """Send a mail."""
    return f"The mail to {to} is on its way."


TOOLS = Toolbox.of([send_mail])
app = FastAPI()
approvals = Approvals()
waiting: dict[str, tuple[AgUiEncoder, AsyncGenerator[AnyItem, None]]] = {}


async def model(messages: list[dict[str, Any]]) -> AsyncIterator[dict[str, Any]]:
    """Stands for `await client.chat.completions.create(messages=messages, tools=TOOLS.declared("openai"), …)`."""
    last = messages[-1]
    if last["role"] == "tool":
        yield {"choices": [{"delta": {"content": f"Done: {last['content']}"}, "finish_reason": "stop"}]}
        return
    yield {"choices": [{"delta": {"content": "I write to Ada."}}]}
    for name, arguments in ((("send_mail", '{"to": "ada@exa')), (None, 'mple.org", "subject": "Hi"}')):
        call = {"index": 0, "id": "c1" if name else None, "function": {"name": name, "arguments": arguments}}
        yield {"choices": [{"delta": {"tool_calls": [call]}}]}
    yield {"choices": [{"delta": {}, "finish_reason": "tool_calls"}]}


async def agent(messages: list[dict[str, Any]]) -> AsyncGenerator[AnyItem, None]:
    """Replies, and what becomes of their calls, until one has no call."""
    while True:
        reply = Reply(model(messages), tools=TOOLS.specs)
        async with Presenter(reply, tools=TOOLS, ask=approvals.ask) as presenter:
            async for item in presenter:
                yield item
        if not reply.calls:
            return
        messages += reply.messages("openai", presenter.results)


@app.post("/agent")
async def run(body: dict[str, Any]) -> StreamingResponse:
    try:
        request = AgUiRequest.of(body)
        request.answer(approvals)
    except ApprovalError as error:  # it was asked too long ago
        raise HTTPException(409, str(error)) from error
    except ValueError as error:
        raise HTTPException(400, str(error)) from error
    opened = waiting.pop(request.thread_id, None)
    if opened is not None and request.decisions:
        encoder, items = opened
        encoder.resume(request.run_id)
    else:
        if opened is not None:  # its question was left unanswered
            await opened[1].aclose()
        encoder = AgUiEncoder(
            thread_id=request.thread_id, run_id=request.run_id, tools=TOOLS.specs, taken=request.call_ids
        )
        items = agent(request.messages("openai"))
    return StreamingResponse(events(request.thread_id, encoder, items), media_type="text/event-stream")


async def events(thread: str, encoder: AgUiEncoder, items: AsyncGenerator[AnyItem, None]) -> AsyncIterator[str]:
    try:
        async for frame in aframes(items, encoder):
            if encoder.is_waiting:  # before the client can answer
                waiting[thread] = encoder, items
            yield frame
    except Exception:  # the client was told
        logging.exception("a reply failed")
