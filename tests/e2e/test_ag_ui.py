"""What AgUiEncoder writes, read by the real clients of AG-UI, 1.0.0 and 0.0.59, from a server on this machine."""

from __future__ import annotations

import json
import runpy
from collections.abc import AsyncIterator, Iterator
from copy import deepcopy
from pathlib import Path
from typing import Any

import pytest
from fastapi.responses import StreamingResponse

from streamparse import SegmentStart, ToolInvocation, ToolSpec
from streamparse.encoders import AgUiEncoder, chunks
from streamparse.invocations import AnyItem
from streamparse.invocations.lifecycle import ToolLifecycle
from streamparse.outcome import Outcome, StreamEnd, Usage
from tests import seeds
from tests.e2e import node
from tests.e2e.server import pieces, serve_app
from tests.e2e.test_ai_sdk import ANY_TOOLS, any_message
from tests.encoders.ag_ui_client import Client
from tests.encoders.kit import CALL, EMPTY_CALL, TOOLS, at_once, items, segment

Json = dict[str, Any]

CLIENTS = ["ag-ui-client-1", "ag-ui-client-0"]
EXAMPLE = Path(__file__).parent.parent.parent / "examples/ag_ui_agent.py"
LONG = "def f():\n    return 'é 🎉 \\\\' \t\n" * 40
FILE = f'<tool_call>{{"name": "f", "arguments": {{"s": {json.dumps(LONG)}, "n": 1}}}}</tool_call>'
STATE = {"interface": "anthropic", "signature": "x"}


def about(number: int, kind: str, metadata: Json, *contents: str) -> list[AnyItem]:
    return [SegmentStart(f"seg_{number}", kind, metadata), *segment(number, kind, *contents)[1:]]


def of_all_kinds() -> list[AnyItem]:
    """What comes of providers and of programs, besides text and calls."""
    source, text = about(9, "source", {"url": "https://example.org"}), segment(2, "text", "So ", "it is.")
    return [
        *segment(1, "reasoning", "Hm.", state=STATE),
        *(*text[:2], *source, *text[2:]),
        *about(3, "server_tool", {"tool_name": "web_search", "call_id": "s1"}, '{"query": "x"}'),
        *about(4, "server_result", {"call_id": "s1"}, "found"),
        *about(5, "server_tool", {"tool_name": "run"}),
        *segment(6, "refusal", "No."),
        *about(7, "file", {"media_type": "image/png"}, "iVBO"),
        *about(8, "plan", {"plan_id": "p"}),
        ToolInvocation("seg_10", "f", {"s": "x"}, call_id="c", state=STATE),
        ToolLifecycle("running", "seg_10", "f"),
        ToolLifecycle("result", "seg_10", "f", content="no such file", is_error=True),
        StreamEnd(Outcome("stop", usage=Usage(5, 7, 3, 2), model="m")),
    ]


STREAMS: dict[str, list[AnyItem]] = {
    "text": items(list("Hi.\nThere."), outcome=Outcome("stop", usage=Usage(5, 7, 3, 2), model="m")),
    "nothing": items("", outcome=Outcome("stop")),
    "calls": items(list(f"<think>Hm.</think>\n\nHi.\n{CALL}\n{EMPTY_CALL}\n"), outcome=Outcome("stop")),
    "file": items(list(f"Sure:\n\n```json\n{FILE}\n```\nDone."), outcome=Outcome("tool_calls")),
    "at once": at_once(),
    "half": items(["\ud83d"], outcome=Outcome("stop")),
    "all kinds": of_all_kinds(),
    "two replies": [*items(f"Hi.{CALL}")[:-1], ToolLifecycle("result", "seg_2", "f", content="ok"), *items("So.")],
    "left in text": items("Hi.")[:2],
    "left in reasoning": items("<think>Hm.</think>")[:2],
    "cut text": items("Hi.", outcome=Outcome("length")),
    "cut call": items(list(f"Hi.{CALL}{FILE[:90]}"), outcome=Outcome("stop")),
    "failed": items("Hi.", outcome=Outcome("error", error="out of memory")),
}


def runs_of(stream: list[AnyItem], tools: list[ToolSpec]) -> tuple[list[str], list[Client]]:
    """The responses of all runs of a stream, and what a client knows behind each of them."""
    encoder, client, rest = AgUiEncoder(thread_id="t", run_id="r0", id="m", tools=tools), Client(), iter(stream)
    responses, known = list[str](), list[Client]()
    while events := list(chunks(rest, encoder)):
        responses.append("".join(map(encoder.frame, events)))
        known.append(deepcopy(client.read(events)))
        encoder.resume(f"r{len(known)}")
    return responses, known


RUNS = {name: runs_of(stream, TOOLS) for name, stream in STREAMS.items()}
ANY = seeds.rng("runs of AG-UI")
RUNS |= {f"any {number}": runs_of(any_message(ANY), ANY_TOOLS) for number in range(seeds.times(60))}


@pytest.fixture(scope="module")
def url() -> Iterator[str]:
    app = runpy.run_path(str(EXAMPLE))["app"]

    @app.post("/runs/{name}/{number}")
    async def replay(name: str, number: int) -> StreamingResponse:
        async def body() -> AsyncIterator[bytes]:
            for piece in pieces(RUNS[name][0][number].encode()):
                yield piece

        return StreamingResponse(body(), media_type="text/event-stream")

    with serve_app(app) as address:
        yield address


def without_ids(value: Any) -> Any:
    """Messages with the ids that the example makes up replaced by their order."""
    text, made = json.dumps(value), list[str]()
    for message in value:
        if message["id"] not in made:
            made.append(message["id"])
            text = text.replace(f'"{message["id"]}"', f'"m{len(made)}"')
    return json.loads(text)


@pytest.mark.parametrize("client", CLIENTS)
def test_a_client_knows_what_the_encoder_has_told(url: str, client: str) -> None:
    threads = [{"runs": [run(url, name, number) for number in range(len(RUNS[name][0]))]} for name in RUNS]
    found = node.run("ag_ui.mjs", client, stdin=threads)
    assert found["warnings"] == []
    for name, told in zip(RUNS, found["threads"], strict=True):
        custom: list[Any] = []
        for theirs, ours in zip(told, RUNS[name][1], strict=True):
            custom += theirs["custom"]
            assert theirs["messages"] == ours.messages, name
            assert custom == [list(pair) for pair in ours.custom], name
            assert theirs["error"] == ours.last.get("code"), name
            assert theirs["interrupts"] == ours.interrupts, name


def run(url: str, name: str, number: int) -> Json:
    """A run, which answers the question of the one before."""
    answers = {"answers": [{"status": "cancelled"}]} if number else {}
    return {"url": f"{url}/runs/{name}/{number}", "runId": f"r{number}", **answers}


USER = {"id": "u1", "role": "user", "content": "Write to Ada."}
ASKED = {
    **{"id": "m2", "role": "assistant", "content": "I write to Ada."},
    "toolCalls": [
        {
            **{"id": "c1", "type": "function"},
            "function": {"name": "send_mail", "arguments": '{"to": "ada@example.org", "subject": "Hi"}'},
        }
    ],
}


def rest(result: str, **metadata: Any) -> list[Json]:
    """What follows the answer: the result of the call, and what the model makes of it."""
    told = {"metadata": metadata} if metadata else {}
    return [
        {"id": "m3", "role": "tool", "toolCallId": "c1", "content": result, **told},
        {"id": "m4", "role": "assistant", "content": f"Done: {result}"},
    ]


ANSWERS: list[tuple[Json, list[Json]]] = [
    (
        {"status": "resolved", "payload": {"approved": True}},
        rest("The mail to ada@example.org is on its way."),
    ),
    (
        {
            "status": "resolved",
            "payload": {
                "approved": True,
                "editedArgs": {"to": "bob@example.org", "subject": "Hi"},
                "reason": "Not Ada.",
            },
        },
        rest("The mail to bob@example.org is on its way.\n\nThe person says: Not Ada."),
    ),
    (
        {"status": "resolved", "payload": {"approved": False, "reason": "Not now."}},
        rest("The person denied the call. Not now.", error=True, state="denied"),
    ),
    (
        {"status": "cancelled"},
        rest("The person denied the call. The person left the question unanswered.", error=True, state="denied"),
    ),
]


@pytest.mark.parametrize("client", CLIENTS)
def test_a_question_is_answered_in_the_next_run(url: str, client: str) -> None:
    agent = f"{url}/agent"
    threads = [
        {
            "messages": [USER],
            "runs": [{"url": agent, "runId": "r1"}, {"url": agent, "runId": "r2", "answers": [answer]}],
        }
        for answer, _ in ANSWERS
    ]
    found = node.run("ag_ui.mjs", client, stdin=threads)
    assert found["warnings"] == []
    for (answer, expected), [first, second] in zip(ANSWERS, found["threads"], strict=True):
        [interrupt] = first["interrupts"]
        assert (interrupt["reason"], interrupt["toolCallId"]) == ("tool_call", "c1")
        assert interrupt["message"] == "[send_mail for 'ada@example.org']"
        assert first["error"] is None
        assert without_ids(first["messages"]) == [{**USER, "id": "m1"}, ASKED]
        assert second["error"] is None, answer
        assert without_ids(second["messages"]) == [{**USER, "id": "m1"}, ASKED, *expected]
        assert second["interrupts"] == []
