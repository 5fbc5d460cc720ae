"""The examples run, and print what they should."""

from __future__ import annotations

import json
import runpy
import subprocess
import sys
from pathlib import Path

import pytest
from fastapi.testclient import TestClient

from streamparse import EventReader, Outcome, StreamEnd

EXAMPLES = Path(__file__).parent.parent / "examples"
#: Serves until it is stopped.
SERVER = "fastapi_chat"


@pytest.mark.parametrize("name", sorted({path.stem for path in EXAMPLES.glob("*.py")} - {SERVER}))
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
    messages = [{"role": "user", "content": "Hello"}]
    events = runpy.run_path(str(EXAMPLES / f"{SERVER}.py"))["events"](messages)
    shown = [json.loads((await anext(events)).removeprefix("data: ")) for _ in range(2)]
    assert [event["payload"] for event in shown] == [{}, {"delta": "You "}]
    await events.aclose()
    assert messages[1:] == [{"role": "assistant", "content": "You "}]


def send(client: TestClient, content: str) -> str:
    """Send a message, as the browser does; the text of the reply, read from the wire."""
    response = client.post("/chats/1", json={"content": content})
    assert response.headers["content-type"] == "text/event-stream; charset=utf-8"
    *events, end = [json.loads(line.removeprefix("data: ")) for line in response.text.split("\n\n")[:-1]]
    assert StreamEnd.from_dict(end) == StreamEnd(Outcome("stop", "stop"))
    reader = EventReader()
    return "".join(reader.read(event).delta for event in events)
