"""The agent for editors, driven by the protocol's own client. As a program: tests/e2e/test_acp_program.py."""

from __future__ import annotations

import asyncio
import json
import socket
import sys
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path

import acp
import pytest
from acp import schema
from acp.client.connection import ClientSideConnection
from openai import AsyncOpenAI

from streamparse.agent import Agent
from streamparse.agent.acp import serve
from streamparse.presenter import Rules, Toolbox
from streamparse.presenter.decision import Ask
from streamparse.workspace import workspace_tools
from tests.agent.editor import Editor, new_session, prompt
from tests.agent.kit import CALC, PATCH, QUICK, files, no_task_is_left
from tests.agent.scripted_server import AnyReply, Broken, Calls, Hanging, ScriptedServer, Text

ROOT = Path(__file__).parents[2]
DONE = Text("Done.")


@asynccontextmanager
async def connected(
    editor: Editor, replies: Sequence[AnyReply], rules: Rules | None = None
) -> AsyncIterator[tuple[ClientSideConnection, ScriptedServer]]:
    """An editor and the agent, with a pair of sockets between them. Afterwards no task is left."""
    left, right = socket.socketpair()
    with ScriptedServer(replies) as server:
        async with AsyncOpenAI(base_url=server.url, api_key="none", max_retries=0) as client:

            def make_agent(folder: str, ask: Ask, others: Toolbox) -> Agent:
                tools = workspace_tools(folder) | others
                return Agent(
                    client, model="m", tools=tools, ask=ask, rules=rules or Rules(read_only="allow"), limits=QUICK
                )

            reader, writer = await asyncio.open_connection(sock=left)
            serving = asyncio.create_task(serve(make_agent, reader=reader, writer=writer))
            from_agent, to_agent = await asyncio.open_connection(sock=right)
            connection = acp.connect_to_agent(editor, to_agent, from_agent, use_unstable_protocol=True)
            try:
                yield connection, server
            finally:
                await connection.close()
                to_agent.close()
                await asyncio.wait_for(serving, 20)
                writer.close()
    for _ in range(20):
        await asyncio.sleep(0)
    await no_task_is_left()


def write(content: str, path: str = "a.txt") -> Calls:
    return Calls(("write_file", {"path": path, "content": content}))


async def test_it_says_what_it_can() -> None:
    async with connected(Editor(), []) as (connection, _):
        answer = await connection.initialize(protocol_version=99)
    assert answer.protocol_version == acp.PROTOCOL_VERSION
    assert answer.agent_info.name == "streamparse"
    assert answer.agent_capabilities.mcp_capabilities.http is True


async def test_thoughts_text_calls_and_output(tmp_path: Path) -> None:
    editor = Editor()
    (tmp_path / "a.txt").write_text("one\n")
    script = [
        Text("Look.", thoughts="What is in it?", finish_reason="length"),
        Calls(("read_file", {"path": "a.txt"}), ("run_bash", {"command": "echo two; false"})),
        DONE,
    ]
    async with connected(editor, script) as (connection, server):
        session = await new_session(connection, tmp_path)
        block = schema.EmbeddedResourceContentBlock(
            type="resource", resource=schema.TextResourceContents(uri="file:///b", text="bee")
        )
        link = schema.ResourceContentBlock(type="resource_link", name="c", uri="file:///c")
        picture = schema.ImageContentBlock(type="image", data="", mime_type="image/png")
        answer = await connection.prompt(session_id=session, prompt=[acp.text_block("go"), block, link, picture])
    assert answer.stop_reason == "end_turn"
    assert editor.said("agent_thought_chunk") == "What is in it?"
    assert editor.said("agent_message_chunk") == "Look.Done."
    assert server.requests[0]["messages"][-1]["content"] == "go\n\nfile:///b:\nbee\n\nSee file:///c"
    assert editor.statuses() == [
        ("turn_2_1", "pending"),
        ("turn_2_1", "in_progress"),
        ("turn_2_1", "completed"),
        ("turn_2_2", "pending"),
        ("turn_2_2", "in_progress"),
        ("turn_2_2", "failed"),
    ]
    starts = [update for _, update in editor.updates if update.session_update == "tool_call"]
    assert [(start.title, start.kind) for start in starts] == [("read_file", "read"), ("run_bash", "execute")]
    assert editor.asked[0].title == "[run_bash for 'echo two; false']"
    [last] = [update for _, update in editor.updates if getattr(update, "status", None) == "failed"]
    assert last.content[0].content.text == "two\n[exit code 1]"


async def test_a_file_is_shown_as_a_diff_while_it_is_written(tmp_path: Path) -> None:
    editor = Editor()
    (tmp_path / "a.txt").write_text("old\n")
    content = "a line of the new file\n" * 100
    script = [Hanging(write(content), 60)]
    async with connected(editor, script) as (connection, _):
        session = await new_session(connection, tmp_path)
        working = asyncio.ensure_future(prompt(connection, session))
        await editor.until("FileEditToolCallContent")
        assert (tmp_path / "a.txt").read_text() == "old\n"
        await connection.cancel(session_id=session)
        assert await working == "cancelled"
    diffs = [update.content[0] for _, update in editor.updates if getattr(update, "content", None)]
    assert {(diff.path, diff.old_text) for diff in diffs if diff.type == "diff"} == {(str(tmp_path / "a.txt"), "old\n")}
    assert all(content.startswith(diff.new_text) for diff in diffs if diff.type == "diff")
    assert editor.statuses()[-1] == ("turn_1_1", "failed")
    assert (tmp_path / "a.txt").read_text() == "old\n"


async def test_a_patch_is_shown_as_a_diff_before_the_question(tmp_path: Path) -> None:
    editor = Editor()
    (tmp_path / "calc.py").write_text(CALC)
    change = "*** Update File: calc.py\n@@\n-    return a + b\n+    return b + a\n"
    tree = f"*** Begin Patch\n{change}*** Add File: b\n+x\n*** End Patch"
    wrong = "<<<<<<< SEARCH\nnowhere\n=======\n>>>>>>> REPLACE"
    script = [
        Calls(("patch_file", {"path": "calc.py", "patch": PATCH})),
        Calls(("patch_file", {"patch": tree})),
        Calls(("patch_file", {"path": "calc.py", "patch": wrong})),
        Calls(("patch_file", {"path": "../x", "patch": wrong})),
        DONE,
    ]
    async with connected(editor, script) as (connection, _):
        await prompt(connection, await new_session(connection, tmp_path))
    shown = [
        [(Path(diff.path).name, diff.old_text, diff.new_text) for diff in update.content]
        for _, update in editor.updates
        if getattr(update, "raw_input", None) and update.content
    ]
    fixed = CALC.replace("-", "+")
    turned = fixed.replace("a + b", "b + a")
    assert shown == [[("calc.py", CALC, fixed)], [("calc.py", fixed, turned), ("b", None, "x\n")]]
    assert files(tmp_path) == {"b": "x\n", "calc.py": turned}
    assert [status for _, status in editor.statuses() if status in ("completed", "failed")] == [
        "completed",
        "completed",
        "failed",
        "failed",
    ]


async def test_a_file_outside_of_the_folder_is_refused(tmp_path: Path) -> None:
    editor = Editor()
    folder = tmp_path / "folder"
    folder.mkdir()
    async with connected(editor, [write("x" * 100, "../a.txt"), DONE]) as (connection, _):
        assert await prompt(connection, await new_session(connection, folder)) == "end_turn"
    assert files(tmp_path) == {}
    assert editor.statuses()[-1] == ("turn_1_1", "failed")


async def test_a_large_file_is_not_shown_anew_for_every_piece(tmp_path: Path) -> None:
    editor = Editor()
    content = "a line of the file\n" * 500
    async with connected(editor, [write(content), DONE]) as (connection, _):
        await prompt(connection, await new_session(connection, tmp_path))
    sizes = [
        len(update.content[0].new_text)
        for _, update in editor.updates
        if update.session_update == "tool_call_update" and update.content
    ]
    assert sizes == sorted(sizes)
    assert sizes[-1] == len(content)
    assert sum(sizes) < 12 * len(content)


@pytest.mark.parametrize(
    ("answer", "written", "questions"),
    [
        ("allow_once", ["a.txt", "b.txt"], 2),
        ("allow_always", ["a.txt", "b.txt"], 1),
        ("reject_once", ["b.txt"], 2),
        ("reject_always", [], 1),
        ("cancelled", ["b.txt"], 2),
        ("whatever", ["b.txt"], 2),
    ],
)
async def test_every_answer_to_a_question(answer: str, written: list[str], questions: int, tmp_path: Path) -> None:
    editor = Editor(answer)
    script = [write("x", "a.txt"), write("x", "b.txt"), DONE]
    async with connected(editor, script) as (connection, _):
        assert await prompt(connection, await new_session(connection, tmp_path)) == "end_turn"
    assert list(files(tmp_path)) == written
    assert len(editor.asked) == questions


@pytest.mark.parametrize("script", [[Hanging(Text("Let me think about it"), 2)], [Hanging(DONE, -1)]])
async def test_a_reply_can_be_cancelled_in_the_middle(script: list[AnyReply], tmp_path: Path) -> None:
    editor = Editor()
    async with connected(editor, [*script, DONE]) as (connection, server):
        session = await new_session(connection, tmp_path)
        working = asyncio.ensure_future(prompt(connection, session))
        await asyncio.to_thread(server.hangs.wait, 20)
        await connection.cancel(session_id=session)
        assert await working == "cancelled"
        assert await prompt(connection, session) == "end_turn"


async def test_an_editor_that_cannot_ask_has_said_no(tmp_path: Path) -> None:
    editor = Editor("fails")
    async with connected(editor, [write("x"), DONE]) as (connection, server):
        assert await prompt(connection, await new_session(connection, tmp_path)) == "end_turn"
    assert files(tmp_path) == {}
    sentence = "The call was denied. The editor could not ask: There is no window"
    assert server.requests[1]["messages"][-1]["content"] == sentence
    assert editor.statuses()[-1] == ("turn_1_1", "failed")


async def test_halves_of_characters_reach_no_editor(tmp_path: Path) -> None:
    """Few languages read such JSON as Python does."""
    editor = Editor()
    script = [Text("a\ud800b", "length", "c\udfffd"), write("e\ud800f", "g\ud800h.txt"), DONE]
    async with connected(editor, script) as (connection, _):
        assert await prompt(connection, await new_session(connection, tmp_path)) == "end_turn"
    updates = [*(update for _, update in editor.updates), *editor.asked]
    said = json.dumps([update.model_dump(mode="python") for update in updates], ensure_ascii=False)
    assert said.encode("utf-8", "replace").decode() == said
    assert (editor.said("agent_message_chunk"), editor.said("agent_thought_chunk")) == ("a?bDone.", "c?d")
    assert all(half in said for half in ("e?f", "g?h.txt"))


async def test_a_question_can_be_cancelled(tmp_path: Path) -> None:
    editor = Editor("wait")
    async with connected(editor, [write("x"), DONE]) as (connection, _):
        session = await new_session(connection, tmp_path)
        working = asyncio.ensure_future(prompt(connection, session))
        await editor.has_asked.wait()
        await connection.cancel(session_id=session)
        assert await working == "cancelled"
    assert files(tmp_path) == {}


async def test_two_sessions_at_once(tmp_path: Path) -> None:
    editor = Editor("wait")
    folders = [tmp_path / "a", tmp_path / "b"]
    for folder in folders:
        folder.mkdir()
    async with connected(editor, [write("x"), write("y"), DONE]) as (connection, _):
        first, second = [await new_session(connection, folder) for folder in folders]
        waiting = asyncio.ensure_future(prompt(connection, first))
        await editor.has_asked.wait()
        assert await prompt(connection, second) == "end_turn"
        assert files(folders[1]) == {"a.txt": "y"}
        with pytest.raises(acp.RequestError) as caught:
            await prompt(connection, first)
        assert "the agent is at work" in str(caught.value.data)
        await connection.cancel(session_id=first)
        assert await waiting == "cancelled"
    assert files(folders[0]) == {}
    assert editor.said("agent_message_chunk", first) == ""
    assert editor.said("agent_message_chunk", second) == "Done."


async def test_an_unknown_session(tmp_path: Path) -> None:
    async with connected(Editor(), []) as (connection, _):
        with pytest.raises(acp.RequestError) as caught:
            await prompt(connection, "nobody")
        assert caught.value.data == {"message": "there is no session nobody"}
        with pytest.raises(acp.RequestError):
            await connection.close_session(session_id="nobody")
        await connection.cancel(session_id="nobody")
        with pytest.raises(acp.RequestError) as caught:
            await new_session(connection, tmp_path / "missing")
        assert "missing" in str(caught.value.data)


async def test_an_error_of_the_provider(tmp_path: Path) -> None:
    failure = Broken(Text("Let me"), 1)
    async with connected(Editor(), [failure, failure, failure, DONE]) as (connection, _):
        session = await new_session(connection, tmp_path)
        with pytest.raises(acp.RequestError) as caught:
            await prompt(connection, session)
        assert caught.value.data == {"message": "the model could not be asked: the server is overloaded"}
        assert await prompt(connection, session) == "end_turn"


async def test_a_session_can_be_closed_while_it_works(tmp_path: Path) -> None:
    async with connected(Editor(), [Hanging(DONE, 0)]) as (connection, server):
        session = await new_session(connection, tmp_path)
        working = asyncio.ensure_future(prompt(connection, session))
        await asyncio.to_thread(server.hangs.wait, 20)
        await connection.close_session(session_id=session)
        assert await working == "cancelled"
        with pytest.raises(acp.RequestError):
            await prompt(connection, session)


async def test_an_editor_that_goes_takes_everything_with_it(tmp_path: Path) -> None:
    editor = Editor()
    script = [Calls(("run_bash", {"command": "echo pid=$$; exec sleep 1000"}))]
    async with connected(editor, script) as (connection, _):
        working = asyncio.ensure_future(prompt(connection, await new_session(connection, tmp_path)))
        process = await editor.process()
        assert process.exists()
    with pytest.raises(ConnectionError):
        await working
    assert not process.exists()


# -- servers of the Model Context Protocol ----------------------------------------------------------------------------


def program(tmp_path: Path) -> schema.McpServerStdio:
    environment = {"PYTHONPATH": str(ROOT), "PID_FILE": str(tmp_path / "pid"), "GREETING": "Hej"}
    variables = [schema.EnvVariable(name=name, value=value) for name, value in environment.items()]
    return schema.McpServerStdio(
        name="my server", command=sys.executable, args=["-m", "tests.agent.mcp_server"], env=variables
    )


async def test_servers_that_the_editor_names_are_connected_to_and_left(tmp_path: Path) -> None:
    editor = Editor()
    folder = tmp_path / "folder"
    folder.mkdir()
    script = [Calls(("my_server_greet", {"name": "Ada"})), DONE]
    async with connected(editor, script) as (connection, server):
        session = await new_session(connection, folder, [program(tmp_path)])
        process = Path("/proc", (tmp_path / "pid").read_text())
        assert process.exists()
        assert await prompt(connection, session) == "end_turn"
        assert server.requests[1]["messages"][-1]["content"] == "Hej, Ada!"
        assert [asked.title for asked in editor.asked] == ["[my_server_greet for 'Ada']"]
        await connection.close_session(session_id=session)
        assert not process.exists()


async def test_a_server_that_cannot_be_reached_is_an_error_and_nothing_is_left(tmp_path: Path) -> None:
    nowhere = schema.HttpMcpServer(type="http", name="docs", url="http://127.0.0.1:9/mcp", headers=[])
    missing = schema.McpServerStdio(name="gone", command="/no/such/program", args=[], env=[])
    old = schema.SseMcpServer(type="sse", name="old", url="http://127.0.0.1:9/sse", headers=[])
    async with connected(Editor(), []) as (connection, _):
        for server in (nowhere, missing, old):
            with pytest.raises(acp.RequestError) as caught:
                await new_session(connection, tmp_path, [server])
            assert f"the MCP server {server.name}" in str(caught.value.data)
