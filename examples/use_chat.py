"""A back end for `useChat` of the AI SDK: replies stream, and what may do harm is run when the person has agreed.

uvicorn --app-dir examples use_chat:app

In the page: useChat({transport: new DefaultChatTransport({api: "http://localhost:8000/chat"}),
sendAutomaticallyWhen: lastAssistantMessageIsCompleteWithApprovalResponses}), and a button that calls
addToolApprovalResponse({id: part.approval.id, approved: true}) for a part that is "approval-requested".
"""

import logging
from collections.abc import AsyncGenerator, AsyncIterator
from typing import Annotated, Any

from fastapi import Body, FastAPI, HTTPException
from fastapi.responses import StreamingResponse

from streamparse import Reply
from streamparse.encoders import AiSdkEncoder, AiSdkRequest, aframes
from streamparse.invocations import AnyItem
from streamparse.presenter import ApprovalError, Approvals, Presenter, Rules, Toolbox


def weather(city: str) -> str:
    """What the weather is."""
    return f"12 degrees in {city}"


def delete_file(path: str) -> str:
    """Deletes a file."""
    return f"{path} is deleted"  # in your program it would be


app = FastAPI()
tools = Toolbox.of([weather, delete_file])
rules = Rules({"weather": "allow"})  # about all else the person is asked
approvals = Approvals()
Open = tuple[AsyncGenerator[AnyItem, None], AiSdkEncoder]
waiting: dict[str, Open] = {}  # the messages that wait for an answer, by their chats


async def model(messages: list[dict[str, Any]]) -> AsyncIterator[str]:
    """Stands for a model that knows the format "hermes", or for any SDK's stream."""
    *_, last = messages
    if last["role"] == "user" and "delete" in last["content"]:
        yield 'I delete it. <tool_call>{"name": "delete_file", "arguments": {"path": "a.txt"}}</tool_call>'
    elif last["role"] == "user":
        yield '<tool_call>{"name": "weather", "arguments": {"city": "Oslo"}}</tool_call>'
    else:
        yield f"I am told: {last['content']}"


@app.post("/chat")
async def chat(body: Annotated[dict[str, Any], Body()]) -> StreamingResponse:
    try:
        request = AiSdkRequest.of(body)
        request.answer(approvals)
    except ApprovalError as error:  # it was asked too long ago
        raise HTTPException(409, str(error)) from error
    except ValueError as error:
        raise HTTPException(400, str(error)) from error
    opened = waiting.pop(request.chat_id, None)
    if opened is None or not request.decisions:
        if opened is not None:  # its question was left unanswered
            await opened[0].aclose()
        opened = replies(request.messages("openai")), AiSdkEncoder(tools=tools.specs)
    return StreamingResponse(frames(request.chat_id, opened), headers=AiSdkEncoder.headers)


async def frames(chat_id: str, opened: Open) -> AsyncIterator[str]:
    try:
        async for frame in aframes(*opened):
            if opened[1].is_waiting:  # before the client can answer
                waiting[chat_id] = opened
            yield frame
    except Exception:  # the client was told
        logging.exception("a reply failed")


async def replies(messages: list[dict[str, Any]]) -> AsyncGenerator[AnyItem, None]:
    """Reply after reply, until one has no calls. While a question is open, this waits from one request to the next."""
    while True:
        reply = Reply(model(messages), "hermes", tools=tools.specs)
        async with Presenter(reply, tools=tools, rules=rules, ask=approvals.ask) as presenter:
            async for item in presenter:
                yield item
        messages = [*messages, *reply.messages("openai", presenter.results)]
        if not reply.calls:
            return
