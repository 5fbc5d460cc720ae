"""The examples run, and print what they should."""

from __future__ import annotations

import asyncio
import json
import runpy
import subprocess
import sys
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import httpx
import pytest
from fastapi.testclient import TestClient

from streamparse import EventReader, Outcome, StreamEnd

EXAMPLES = Path(__file__).parent.parent / "examples"
SERVER = "fastapi_chat"
AG_UI = "ag_ui_agent"
USE_CHAT = "use_chat"
WRONG_OUTCOME = "the outcome of a decision is one of allow_once, allow_always, reject_once, reject_always, not 'yes'"
#: Serve until they are stopped.
SERVERS = {SERVER, AG_UI, USE_CHAT}


@pytest.mark.parametrize("name", sorted({path.stem for path in EXAMPLES.glob("*.py")} - SERVERS))
def test_an_example_prints_what_is_recorded(name: str) -> None:
    done = subprocess.run([sys.executable, str(EXAMPLES / f"{name}.py")], capture_output=True, text=True, timeout=60)
    assert done.stderr == ""
    assert done.stdout == (EXAMPLES / "expected" / f"{name}.txt").read_text(encoding="utf-8")


def test_the_server_streams_replies_and_keeps_the_conversation() -> None:
    server = runpy.run_path(str(EXAMPLES / f"{SERVER}.py"))
    with TestClient(server["app"]) as client:
        assert [send(client, "Hello"), send(client, "Bye")] == ["You said: Hello", "You said: Bye"]
    assert server["chats"] == {
        "1": [
            {"role": "user", "content": "Hello"},
            {"role": "assistant", "content": "You said: Hello"},
            {"role": "user", "content": "Bye"},
            {"role": "assistant", "content": "You said: Bye"},
        ]
    }


async def test_what_a_browser_was_shown_before_it_went_is_in_the_conversation() -> None:
    async def model(_: object) -> AsyncIterator[dict[str, Any]]:
        yield {"choices": [{"delta": {"content": "You "}}]}
        await asyncio.Event().wait()

    messages = [{"role": "user", "content": "Hello"}]
    stream = runpy.run_path(str(EXAMPLES / f"{SERVER}.py"))["events"]
    stream.__globals__["model"] = model
    events = stream(messages)
    shown = [json.loads((await anext(events)).removeprefix("data: ")) for _ in range(2)]
    assert [event["payload"] for event in shown] == [{}, {"delta": "You "}]
    await events.aclose()
    assert messages[1:] == [{"role": "assistant", "content": "You "}]


async def test_the_server_asks_in_one_request_and_takes_the_answer_of_another() -> None:
    server = runpy.run_path(str(EXAMPLES / f"{SERVER}.py"))
    messages = [{"role": "user", "content": "Mail to Ada"}]
    shown: list[dict[str, Any]] = []
    transport = httpx.ASGITransport(server["app"])
    async with httpx.AsyncClient(transport=transport, base_url="http://test") as client:

        async def answer(approval_id: str, **body: object) -> tuple[int, object]:
            response = await client.post(f"/approvals/{approval_id}", json=body)
            return response.status_code, response.json()

        async for line in server["events"](messages):
            shown.append(json.loads(line.removeprefix("data: ")))
            if (event := shown[-1]).get("state") == "approval_requested":
                assert await answer(event["approval_id"], outcome="yes") == (422, {"detail": WRONG_OUTCOME})
                assert (await answer(event["approval_id"], outcome="allow_once", arguments=5))[0] == 422
                assert await answer(event["approval_id"], outcome="allow_once", feedback="Be nice.") == (200, None)
        detail = f"no question with the id '{shown[5]['approval_id']}' is open"
        assert await answer(shown[5]["approval_id"], outcome="allow_once") == (409, {"detail": detail})
    assert [event["state"] for event in shown if "state" in event] == [
        *("approval_requested", "approved", "running", "result"),
    ]
    assert [message["content"] for message in messages] == [
        "Mail to Ada",
        None,
        "The mail to Ada is on its way.\n\nThe person says: Be nice.",
        "You said: The mail to Ada is on its way.\n\nThe person says: Be nice.",
    ]


def send(client: TestClient, content: str) -> str:
    """Send a message, as the browser does; the text of the reply, read from the wire."""
    response = client.post("/chats/1", json={"content": content})
    assert response.headers["content-type"] == "text/event-stream; charset=utf-8"
    *events, end = [json.loads(line.removeprefix("data: ")) for line in response.text.split("\n\n")[:-1]]
    assert StreamEnd.from_dict(end) == StreamEnd(Outcome("stop", "stop"))
    reader = EventReader()
    return "".join(reader.read(event).delta for event in events)


def test_the_agent_for_ag_ui_asks_in_one_run_and_goes_on_in_the_next() -> None:
    server = runpy.run_path(str(EXAMPLES / f"{AG_UI}.py"))
    with TestClient(server["app"]) as client:
        [left] = run(client, "r0")[-1]["outcome"]["interrupts"]
        [interrupt] = run(client, "r1")[-1]["outcome"]["interrupts"]  # the question before is left, and asked anew
        late = body("r2", {"interruptId": left["id"], "status": "cancelled"})
        refused = [client.post("/agent", json=sent) for sent in (late, {"threadId": 5})]
        assert [(response.status_code, response.json()["detail"]) for response in refused] == [
            (409, f"no question with the id {left['id']!r} is open"),
            (400, "'threadId' is a text, not 5"),
        ]
        second = run(
            client, "r2", {"interruptId": interrupt["id"], "status": "resolved", "payload": {"approved": True}}
        )
    assert [event["type"] for event in second] == [
        *("RUN_STARTED", "CUSTOM", "CUSTOM", "TOOL_CALL_RESULT"),
        *("TEXT_MESSAGE_START", "TEXT_MESSAGE_CONTENT", "TEXT_MESSAGE_END", "RUN_FINISHED"),
    ]
    assert second[3]["content"] == "The mail to ada@example.org is on its way."
    assert server["waiting"] == {}


def body(run_id: str, *resume: dict[str, Any]) -> dict[str, Any]:
    messages = [{"id": "u1", "role": "user", "content": "Write to Ada."}]
    return {"threadId": "t", "runId": run_id, "messages": messages, "resume": list(resume)}


def run(client: TestClient, run_id: str, *resume: dict[str, Any]) -> list[dict[str, Any]]:
    """Run the agent, as a client of AG-UI does; the events."""
    response = client.post("/agent", json=body(run_id, *resume))
    return [json.loads(line.removeprefix("data: ")) for line in response.text.split("\n\n")[:-1]]


def test_the_back_end_for_use_chat_asks_in_one_response_and_goes_on_in_the_next() -> None:
    server = runpy.run_path(str(EXAMPLES / f"{USE_CHAT}.py"))
    said = {"id": "m1", "role": "user", "parts": [{"type": "text", "text": "Please delete a.txt"}]}
    with TestClient(server["app"]) as client:
        first = chat(client, said)
        call, _, request, end = first[-4:]
        assert (call["type"], request["approvalDescriptor"]["description"], end["finishReason"]) == (
            *("tool-input-delta", "[delete_file for 'a.txt']", "tool-calls"),
        )
        again = chat(client, said)[-2]  # the question before is left, and asked anew
        approval = {"id": again["approvalId"], "approved": True, "descriptor": again["approvalDescriptor"]}
        part = {"type": "dynamic-tool", "toolName": "delete_file", "toolCallId": again["toolCallId"]}
        part |= {"state": "approval-responded", "input": {"path": "a.txt"}, "approval": approval}
        answer = {"id": "m2", "role": "assistant", "parts": [part]}
        assert [chunk.get("output", chunk.get("delta")) for chunk in chat(client, said, answer)] == [
            *(None, None, "a.txt is deleted", None, None, None, "I am told: a.txt is deleted", None, None, None),
        ]
        assert server["waiting"] == {}
        refused = [client.post("/chat", json=chat_body(said, answer)), client.post("/chat", json={"messages": 5})]
    assert [(response.status_code, response.json()["detail"]) for response in refused] == [
        (409, f"no question with the id {again['approvalDescriptor']['approvalId']!r} is open"),
        (400, "'messages' is a list, not 5"),
    ]


async def test_a_chat_that_is_sent_twice_at_the_same_time_is_answered_twice() -> None:
    server = runpy.run_path(str(EXAMPLES / f"{USE_CHAT}.py"))
    both = asyncio.Barrier(2)

    async def model(messages: list[dict[str, Any]]) -> AsyncIterator[str]:
        yield "Hi."
        await both.wait()

    server["replies"].__globals__["model"] = model
    said = chat_body({"id": "m1", "role": "user", "parts": [{"type": "text", "text": "Hi"}]})
    transport = httpx.ASGITransport(server["app"])
    async with httpx.AsyncClient(transport=transport, base_url="http://test") as client:
        async with asyncio.timeout(10):
            responses = await asyncio.gather(*(client.post("/chat", json=said) for _ in range(2)))
    assert [response.text.count('"delta": "Hi."') for response in responses] == [1, 1]


def chat_body(*messages: dict[str, Any]) -> dict[str, Any]:
    return {"id": "c1", "trigger": "submit-message", "messages": list(messages)}


def chat(client: TestClient, *messages: dict[str, Any]) -> list[dict[str, Any]]:
    """Send a chat, as `useChat` does; the parts of the response."""
    response = client.post("/chat", json=chat_body(*messages))
    assert response.headers["x-vercel-ai-ui-message-stream"] == "v1"
    *lines, done, rest = response.text.split("\n\n")
    assert (done, rest) == ("data: [DONE]", "")
    return [json.loads(line.removeprefix("data: ")) for line in lines]
