"""What AiSdkEncoder writes, read over HTTP by the real clients: `ai` 7, 6 and 5, assistant-stream, and `useChat`."""

from __future__ import annotations

import json
import random
import runpy
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import Any

import pytest

from streamparse import Reply, ToolInvocation
from streamparse.encoders import AiSdkEncoder, chunks
from streamparse.invocations import AnyItem
from streamparse.invocations.lifecycle import ToolLifecycle
from streamparse.outcome import Outcome, StreamEnd
from tests import seeds
from tests.e2e import node
from tests.e2e.server import serve, serve_app
from tests.encoders.ai_sdk_client import AiSdkClient
from tests.encoders.kit import CALL, EMPTY_CALL, TOOLS, at_once, items, segment
from tests.encoders.test_ai_sdk import PLAN, QUESTION, beside, server_result, server_tool, step
from tests.properties.documents import random_chunks
from tests.properties.test_encoders import TOOLS as ANY_TOOLS
from tests.properties.test_encoders import any_reply
from tests.properties.test_one_story import WRITERS

Json = dict[str, Any]
EXAMPLE = Path(__file__).parents[2] / "examples" / "use_chat.py"
STOP = StreamEnd(Outcome("stop"))
LONG = (
    "<tool_call>" + '{"name": "f", "arguments": {"s": "' + "def f():\\n    return 'é 🎉'\\n" * 200 + '"}}</tool_call>'
)
CALLED = items(CALL)[:-1]
RAN = [step("running"), step("progress", message="a"), step("result", content={"t": 1}), STOP]
WITH_STATE = segment(1, "reasoning", "Hm.", state={"interface": "anthropic", "signature": "s"})

#: Messages: the items of each of their responses.
MESSAGES: dict[str, list[list[AnyItem]]] = {
    "text": [items(list("<think>Hm.</think>\n\nHi.\nThere."), outcome=Outcome("stop"))],
    "half": [items(["Hi \ud83d", "\u2028", "\x00<>"], outcome=Outcome("stop"))],
    "no number": [[*CALLED, step("result", content={"t": float("nan")}), STOP]],
    "no name": [[*items(CALL.replace('"s"', '"__proto__"'))[:-1], step("result", content={"__proto__": 1}), STOP]],
    "no data": [[*beside("note", {"constructor": {"prototype": 1}}, "n"), *beside("note", {"a": float("nan")}), STOP]],
    "nothing to say": [items(" ", outcome=Outcome("stop"))],
    "calls": [items(list(f"Hi.\n{CALL}\n{EMPTY_CALL}\nBye."), outcome=Outcome("stop"))],
    "long call": [items(list(LONG), outcome=Outcome("stop"))],
    "at once": [at_once()],
    "cut call": [items(list(f"Hi.{CALL}{LONG[:600]}"), outcome=Outcome("stop"))],
    "malformed": [items('<tool_call>{"name": "f", "arguments": nothing}</tool_call>', outcome=Outcome("stop"))],
    "failed": [items("Hi.", outcome=Outcome("error", error="out of memory"))],
    "provider's": [[*WITH_STATE, *server_tool('{"q": ', '"a"}'), *server_result("[1]", call_id="s1"), STOP]],
    "cut provider's": [[*server_tool('{"q": ')[:-1]]],
    "source": [[*beside("source", {"url": "u", "title": "t", "cited_text": "c"}), STOP]],
    "document": [[*beside("source", {"title": "t"}), STOP]],
    "file": [[*beside("file", {"media_type": "image/png"}, "AAAA"), STOP]],
    "note": [[*beside("note", {"a": 1}, "n", "o"), *beside("note", {}, "p"), STOP, *beside("note", {}, "q"), STOP]],
    "plan": [list(Reply(PLAN, "xml", tools=TOOLS))],
    "refusal": [[*segment(1, "refusal", "I won't."), StreamEnd(Outcome("refusal"))]],
    "result": [[*CALLED, *RAN, *items("Done.", outcome=Outcome("stop"))]],
    "failed result": [[*CALLED, step("progress", message="a"), step("result", content="No.", is_error=True), STOP]],
    "skipped": [[*CALLED, step("skipped", message="No."), STOP]],
    "skipped cut": [[*items(CALL[:50])[:-1], step("skipped", message="No."), STOP]],
    "denied by a rule": [[*CALLED, step("denied", message="No."), STOP]],
    "approved": [[*CALLED, QUESTION], [step("approved"), *RAN]],
    "edited": [[*CALLED, QUESTION], [step("approved", arguments={"s": "y"}), *RAN, *items("Done.")]],
    "denied": [[*CALLED, QUESTION], [step("denied", message="No."), STOP, *items("So be it.")]],
    "result later": [[*CALLED, STOP], [ToolLifecycle("result", "seg_1", "f", content="r"), *items("Done.")]],
}


def encode(version: Any, name: str) -> list[list[Json]]:
    """The responses of a message."""
    encoder = AiSdkEncoder(version=version, tools=TOOLS, message_id="m1", id="x")
    return [list(chunks(iter(response), encoder)) for response in MESSAGES[name]]


def recordings(version: int) -> Iterator[tuple[str, tuple[str, bytes]]]:
    encoder = AiSdkEncoder()
    for name in MESSAGES:
        for number, response in enumerate(encode(version, name)):
            body = "".join(map(encoder.frame, response)) + encoder.last_frame
            yield f"{name} {number}", ("text/event-stream", body.encode())


@pytest.fixture(scope="module", params=[7, 6, 5])
def read(request: pytest.FixtureRequest) -> tuple[int, dict[str, Json]]:
    """What a version of the client has made of all messages."""
    version = request.param
    names = [[f"{name} {number}" for number in range(len(responses))] for name, responses in MESSAGES.items()]
    with serve(dict(recordings(version))) as url:
        found = node.run("read_messages.mjs", stdin={"ai": f"ai{version}", "url": url, "chats": names})
    return version, dict(zip(MESSAGES, found, strict=True))


@pytest.mark.parametrize("name", MESSAGES)
def test_the_client_makes_of_it_what_the_rules_say(read: tuple[int, dict[str, Json]], name: str) -> None:
    version, found = read
    client = AiSdkClient(version)
    for response in encode(version, name):
        client.read(response)
    assert found[name]["errors"] == client.errors
    assert found[name]["message"] == {"id": "m1", "role": "assistant", "parts": client.parts}


def any_life(call: ToolInvocation, rng: random.Random) -> list[AnyItem]:
    """What may become of a call."""

    def step(state: Any, **about: Any) -> ToolLifecycle:
        return ToolLifecycle(state, call.id, call.name, **about)

    if not call.is_complete:
        return [step("skipped", message="No.")]
    question = step("approval_requested", approval_id="q", message="?", reason=rng.choice([None, "r"]))
    asked = [question] if rng.random() < 0.6 else []
    if rng.random() < 0.3:
        return [*asked, step("denied", message="No.")]
    approved = [step("approved", arguments=rng.choice([None, {"s": "e"}]))] if asked else []
    told = [step("progress", message="p" * rng.choice([1, 300])) for _ in range(rng.randrange(3))]
    content = rng.choice(["r", {"a": 1}, None, [], "é🎉"])
    return [*asked, *approved, step("running"), *told, step("result", content=content, is_error=rng.random() < 0.3)]


def any_message(rng: random.Random) -> list[AnyItem]:
    """Replies in a format, what became of their calls, and perhaps not all of it."""
    stream: list[AnyItem] = []
    format = rng.choice(WRITERS)
    for _ in range(rng.randint(1, 2)):
        for item in Reply(random_chunks(rng, any_reply(format, rng)), format, tools=ANY_TOOLS):
            stream.append(item)
            stream += any_life(item, rng) if isinstance(item, ToolInvocation) and rng.random() < 0.7 else []
    return stream[: rng.randrange(len(stream) + 1)] if rng.random() < 0.4 else stream


@pytest.mark.parametrize("version", [7, 6, 5])
def test_any_message_is_to_the_client_what_the_rules_say(version: Any) -> None:
    rng = seeds.rng(f"messages for ai {version}")
    bodies: dict[str, tuple[str, bytes]] = {}
    chats: list[list[str]] = []
    clients: list[AiSdkClient] = []
    for number in range(seeds.times(40)):
        encoder = AiSdkEncoder(version=version, tools=ANY_TOOLS, message_id="m1")
        client, stream, names = AiSdkClient(version), iter(any_message(rng)), list[str]()
        while response := list(chunks(stream, encoder)):
            client.read(response)
            names.append(f"{number} {len(names)}")
            body = "".join(map(encoder.frame, response)) + encoder.last_frame
            bodies[names[-1]] = ("text/event-stream", body.encode())
        chats.append(names)
        clients.append(client)
    with serve(bodies) as url:
        found = node.run("read_messages.mjs", stdin={"ai": f"ai{version}", "url": url, "chats": chats})
    for told, client in zip(found, clients, strict=True):
        assert told["message"]["parts"] == client.parts


def test_messages_are_exactly_these(read: tuple[int, dict[str, Json]]) -> None:
    version, found = read
    call = {"type": "dynamic-tool", "toolName": "f", "toolCallId": "call_x0000"}
    cut = found["cut call"]["message"]["parts"][-1]
    assert cut["input"].startswith('{"s": "def f():\\n    return \'é 🎉\'')
    assert {**cut, "input": ""} == {
        **{"type": "dynamic-tool", "toolName": "f", "toolCallId": "call_x0001"},
        **{"state": "output-error", "input": "", "errorText": "the call was cut off before its end"},
    }
    assert found["result"]["message"]["parts"] == [
        {"type": "step-start"},
        {**call, "state": "output-available", "input": {"s": "x", "n": 1}, "output": {"t": 1}},
        *({"type": "step-start"}, {"type": "text", "text": "Done.", "state": "done"}),
    ]
    denied = found["denied"]["message"]["parts"][1]
    if version == 5:
        assert denied == {**call, "state": "output-error", "input": {"s": "x", "n": 1}, "errorText": "No."}
    else:
        descriptor = {"approvalId": "q1", "description": "[f for 'x']", "reason": "no rule allows it"}
        approval = {"id": "call_x0000", "descriptor": descriptor}
        if version == 7:
            approval |= {"requestReason": "no rule allows it", "approved": False}
        assert denied == {**call, "state": "output-denied", "input": {"s": "x", "n": 1}, "approval": approval}


def test_assistant_ui_reads_the_same() -> None:
    names = ["text", "calls", "cut call", "failed", "result", "file", "source"]
    with serve(dict(recordings(7))) as url:
        found = node.run("read_assistant_stream.mjs", stdin={"url": url, "names": [f"{name} 0" for name in names]})
    told = [[shortly(part) for part in each["message"]["parts"]] for each in found]
    *told, (text, complete, (name, arguments, result)), failed, ran, file, source = [told[0], told[1], *told[2:]]
    assert told == [
        [("reasoning", "Hm."), ("text", "\n\nHi.\nThere.")],
        [("text", "Hi."), ("f", '{"s":"x","n":1}', None), ("g", "{}", None), ("text", "\nBye.")],
    ]
    assert (text, complete) == (("text", "Hi."), ("f", '{"s":"x","n":1}', None))
    assert (name, result) == ("f", ("the call was cut off before its end", True))
    assert arguments.startswith('{"s": "def f')
    assert not arguments.endswith("}")
    assert failed == [("text", "Hi.")]
    assert ran == [("f", '{"s":"x","n":1}', ({"t": 1}, False)), ("text", "Done.")]
    assert file == [("file", "data:image/png;base64,AAAA")]
    assert source == [("source", "u")]
    assert found[3]["message"]["status"]["error"]["message"] == "out of memory"


def shortly(part: Json) -> tuple[Any, ...]:
    """A part of assistant-ui's message."""
    if part["type"] != "tool-call":
        return part["type"], part.get("text", part.get("data", part.get("url")))
    result = (part["result"], part["isError"]) if part["state"] == "result" else None
    return part["toolName"], part["argsText"], result


@pytest.fixture(scope="module")
def page() -> Iterator[str]:
    with serve_app(runpy.run_path(str(EXAMPLE))["app"]) as url:
        yield f"{url}/chat"


@pytest.mark.parametrize("approves", [True, False])
def test_use_chat_asks_and_goes_on(page: str, approves: bool) -> None:
    about = {"url": page, "says": "Please delete a.txt", "approves": approves, "reason": "So be it."}
    found = node.run("use_chat.mjs", stdin=about)
    said, message = found["messages"]
    call = message["parts"][2]
    approval = call.pop("approval")
    told = "a.txt is deleted\n\nThe person says: So be it." if approves else "The person denied the call. So be it."
    output = {"state": "output-available", "output": told} if approves else {"state": "output-denied"}
    tool = {"type": "dynamic-tool", "toolName": "delete_file", "toolCallId": approval["id"]}
    assert said["parts"] == [{"type": "text", "text": "Please delete a.txt"}]
    assert message["parts"] == [
        *({"type": "step-start"}, {"type": "text", "text": "I delete it.", "state": "done"}),
        {**tool, "input": {"path": "a.txt"}, **output},
        *({"type": "step-start"}, {"type": "text", "text": f"I am told: {told}", "state": "done"}),
    ]
    question = approval.pop("descriptor")
    assert len(question.pop("approvalId")) == 16
    assert question == {"description": "[delete_file for 'a.txt']", "reason": "no rule allows it"}
    assert approval == {
        **{"id": tool["toolCallId"], "requestReason": "no rule allows it"},
        **{"approved": approves, "reason": "So be it."},
    }
    assert [request.get("messageId") for request in found["posted"]] == [None, message["id"]]
    assert (found["error"], found["statuses"][-1]) == (None, "ready")
    assert found["shown"].endswith(f"I am told: {told}")


def test_use_chat_answers_one_question_after_the_other() -> None:
    server = runpy.run_path(str(EXAMPLE))
    text = "".join(
        f'<tool_call>{{"name": "{name}", "arguments": {json.dumps(arguments)}}}</tool_call>'
        for name, arguments in (
            ("delete_file", {"path": "a"}),
            ("weather", {"city": "b"}),
            ("delete_file", {"path": "c"}),
        )
    )

    async def model(messages: list[Json]) -> AsyncIterator[str]:
        yield text if messages[-1]["role"] == "user" else str([message["content"] for message in messages[-3:]])

    server["replies"].__globals__["model"] = model
    with serve_app(server["app"]) as url:
        about = {"url": f"{url}/chat", "says": "Hi", "approves": True}
        agreed, denied = (node.run("use_chat.mjs", stdin={**about, "approves": approves}) for approves in (True, False))
    *calls, text = (part for part in agreed["messages"][1]["parts"] if part["type"] != "step-start")
    outputs = ["a is deleted", "12 degrees in b", "c is deleted"]
    assert [(part["state"], part["output"]) for part in calls] == [("output-available", output) for output in outputs]
    assert text["text"] == str(outputs)
    assert len(agreed["posted"]) == 3
    *calls, text = (part for part in denied["messages"][1]["parts"] if part["type"] != "step-start")
    skipped = "The call was not run, because delete_file was denied before it."
    assert [(part["state"], part.get("errorText")) for part in calls] == [
        *(("output-denied", None), ("output-error", skipped), ("output-error", skipped)),
    ]
    assert text["text"] == str(["The person denied the call.", skipped, skipped])
    assert len(denied["posted"]) == 2


def test_use_chat_without_a_question(page: str) -> None:
    found = node.run("use_chat.mjs", stdin={"url": page, "says": "How warm is it?", "approves": True})
    call, text = (part for part in found["messages"][1]["parts"] if part["type"] != "step-start")
    assert (call["toolName"], call["output"]) == ("weather", "12 degrees in Oslo")
    assert text == {"type": "text", "text": "I am told: 12 degrees in Oslo", "state": "done"}
    assert len(found["posted"]) == 1
