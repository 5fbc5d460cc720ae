"""The agent for editors: Zed, JetBrains, Neovim, Emacs and others start it and talk to it by the Agent Client Protocol.

    streamparse agent --acp --base-url http://localhost:8000/v1 --model qwen3-coder

`AcpAgent` answers the editor's requests; each session has an `Agent` of its own, for the folder that the editor names.
What a `Presenter` gives becomes updates of the session: text and thoughts as they come, calls with what they are about,
a file that is being written as a diff that grows, the output of commands, and questions before anything is changed.
Servers of the Model Context Protocol that the editor names are connected to, and left with the session. The only module
that knows the package `agent-client-protocol`, which is the extra `acp`.
"""

from __future__ import annotations

import asyncio
import os
import uuid
from collections.abc import Sequence
from contextlib import aclosing
from typing import TYPE_CHECKING, Any, cast

import acp
from acp import schema
from attrs import define, field

from streamparse import deferred
from streamparse._version import __version__
from streamparse.agent.agent import Agent, MakeAgent
from streamparse.config import BODIES
from streamparse.encoders.growth import Growth
from streamparse.errors import ParserStateError, StreamparseError, TreeError, in_words
from streamparse.events import SegmentContent, SegmentStart, SegmentType
from streamparse.invocations import AnyItem, ToolInvocation
from streamparse.messages.results import as_text
from streamparse.presenter import ApprovalRequest, Decision, Toolbox, ToolLifecycle, describe
from streamparse.presenter.decision import OUTCOMES
from streamparse.presenter.sendable import sendable
from streamparse.workspace.edits import changes_of
from streamparse.workspace.texts import Texts

if TYPE_CHECKING:
    from streamparse.agent.mcp_servers import AnyServer, McpServers, Program, Url

_KINDS: dict[str, schema.ToolKind] = {
    "read_file": "read", "write_file": "edit", "patch_file": "edit", "list_files": "search", "search_files": "search",
    "run_bash": "execute",
}  # fmt: skip
_ANSWERS: dict[schema.PermissionOptionKind, str] = {
    "allow_once": "Allow", "allow_always": "Always allow", "reject_once": "Reject", "reject_always": "Always reject",
}  # fmt: skip
_OPTIONS = [schema.PermissionOption(option_id=kind, name=name, kind=kind) for kind, name in _ANSWERS.items()]
#: How much of a command's output is shown while it comes.
_MOST_OUTPUT = 10_000
_STOP_REASONS: dict[str | None, schema.StopReason] = {
    "turns": "max_turn_requests", "seconds": "max_turn_requests", "tokens": "max_tokens", "cancelled": "cancelled",
    "repetition": "end_turn", "done": "end_turn",
}  # fmt: skip


@define
class _Growing:
    """A text that an editor is shown as it grows, each time all of it, so not for every few characters."""

    pieces: list[str] = field(factory=list)
    _growth: Growth = field(factory=Growth)

    def add(self, more: str) -> bool:
        """Take in more; whether it is worth an update."""
        self.pieces.append(more)
        return self._growth.add(len(more))

    def text(self) -> str:
        """All of it."""
        self.pieces = ["".join(self.pieces)]
        return self.pieces[0]


@define
class _File:
    """A file that a call is writing: what is there now, and what has come of the new one."""

    path: str
    before: str | None
    content: _Growing = field(factory=_Growing)


class _Updates:
    """What a presenter gives, as updates of a session in the folder, which an editor shows."""

    def __init__(self, folder: str) -> None:
        self._folder = folder
        self._texts = Texts(folder)
        self._files: dict[str, _File] = {}
        self._outputs: dict[str, _Growing] = {}
        self._changing: set[str] = set()  # calls of which a diff is shown

    def of(self, item: AnyItem) -> list[Any]:
        """What the editor is told of the next item."""
        match item:
            case SegmentStart():
                return self._start(item)
            case SegmentContent():
                return self._content(item)
            case ToolInvocation():
                return self._call(item)
            case ToolLifecycle():
                return self._lifecycle(item)
        return []

    def _start(self, start: SegmentStart) -> list[Any]:
        name = str(start.metadata.get("tool_name", start.segment_type))
        if start.segment_type != SegmentType.TOOL_CALL and start.segment_type not in BODIES:
            return []
        path = start.metadata.get("path")
        if start.segment_type == SegmentType.WRITE_FILE and isinstance(path, str):
            self._files[start.segment_id] = _File(self._full_path(path), self._before(path))
        title = sendable(f"{name} {path}" if isinstance(path, str) else name)
        locations = [schema.ToolCallLocation(path=self._full_path(path))] if isinstance(path, str) else None
        kind = _KINDS.get(name, "other")
        return [acp.start_tool_call(start.segment_id, title, kind=kind, status="pending", locations=locations)]

    def _content(self, content: SegmentContent) -> list[Any]:
        if content.segment_type == SegmentType.TEXT:
            return [acp.update_agent_message_text(sendable(content.delta))]
        if content.segment_type == SegmentType.REASONING:
            return [acp.update_agent_thought_text(sendable(content.delta))]
        file = self._files.get(content.segment_id)
        if file is None:
            return []
        return [_file_update(content.segment_id, file)] if file.content.add(content.delta) else []

    def _call(self, call: ToolInvocation) -> list[Any]:
        """The call is whole: what it is about, and the files as they would be."""
        changes = changes_of(self._texts, call)
        content = [
            _diff(self._full_path(change.moved_to or change.path), change.after or "", change.before)
            for change in changes
        ]
        self._changing |= {call.id} if changes else set()
        return [
            acp.update_tool_call(
                call.id, title=describe(call), raw_input=sendable(call.arguments), content=content or None
            )
        ]

    def _lifecycle(self, item: ToolLifecycle) -> list[Any]:
        name = item.invocation_id
        if item.state == "running":
            return [acp.update_tool_call(name, status="in_progress")]
        if item.state == "progress":
            output = self._outputs.setdefault(name, _Growing())
            is_worth_it = output.add(item.message or "")
            return [acp.update_tool_call(name, content=_shown(output.text()[-_MOST_OUTPUT:]))] if is_worth_it else []
        if not item.is_last:
            return []
        is_shown = name in self._changing
        self._changing.discard(name)
        self._outputs.pop(name, None)
        self._files.pop(name, None)
        text = as_text(item.content) if item.state == "result" else item.message or ""
        if item.is_error or item.state != "result":
            return [acp.update_tool_call(name, status="failed", content=_shown(text))]
        # The diff of what was changed stays where it is.
        return [acp.update_tool_call(name, status="completed", content=None if is_shown else _shown(text))]

    def _full_path(self, path: str) -> str:
        """Editors want whole paths."""
        return sendable(os.path.join(self._folder, path))

    def _before(self, path: str) -> str | None:
        """The text of a file before it is written, if there is one."""
        try:
            return self._texts.read(path)
        except TreeError:
            return None  # the call will be refused, with the reason


@define
class _Session:
    """A conversation in one folder."""

    id: str
    agent: Agent
    updates: _Updates
    servers: McpServers | None


class AcpAgent:
    """What an editor talks to."""

    def __init__(self, make_agent: MakeAgent) -> None:
        self._make_agent = make_agent
        self._sessions: dict[str, _Session] = {}
        self._client: acp.Client | None = None

    def on_connect(self, conn: acp.Client) -> None:
        """The editor is there."""
        self._client = conn

    async def initialize(self, protocol_version: int, **_: Any) -> acp.InitializeResponse:
        """Which version is spoken, and what can be done."""
        return acp.InitializeResponse(
            protocol_version=min(protocol_version, acp.PROTOCOL_VERSION),
            agent_capabilities=schema.AgentCapabilities(
                mcp_capabilities=schema.McpCapabilities(http=True, sse=False),
                prompt_capabilities=schema.PromptCapabilities(embedded_context=True),
                session_capabilities=schema.SessionCapabilities(close=schema.SessionCloseCapabilities()),
            ),
            agent_info=schema.Implementation(name="streamparse", version=__version__),
        )

    async def new_session(self, cwd: str, mcp_servers: Sequence[Any] | None = None, **_: Any) -> acp.NewSessionResponse:
        """A new conversation in the folder `cwd`, with the tools of these servers."""
        name = uuid.uuid4().hex
        servers: McpServers | None = None
        others = Toolbox()
        try:
            updates = _Updates(cwd)
            if mcp_servers:
                wanted = [_server(server, cwd) for server in mcp_servers]
                servers = cast("McpServers", deferred.load("streamparse.agent.mcp_servers", "McpServers")())
                others = await servers.connect(wanted)
            agent = self._make_agent(cwd, lambda request: self._ask(name, request), others)
        except BaseException as error:
            if servers is not None:
                await servers.close()
            if isinstance(error, StreamparseError | OSError | ValueError):
                raise acp.RequestError.invalid_params({"message": str(error)}) from error
            raise
        self._sessions[name] = _Session(name, agent, updates, servers)
        return acp.NewSessionResponse(session_id=name)

    async def close_session(self, session_id: str, **_: Any) -> None:
        """The editor has closed it."""
        session = self._session(session_id)
        del self._sessions[session_id]
        session.agent.cancel()
        if session.servers is not None:
            await session.servers.close()

    async def cancel(self, session_id: str, **_: Any) -> None:
        """The person has stopped the model."""
        session = self._sessions.get(session_id)
        if session is not None:  # nobody waits for an answer to this
            session.agent.cancel()

    async def prompt(self, session_id: str, prompt: list[Any], **_: Any) -> acp.PromptResponse:
        """Work on what the person wrote."""
        session = self._session(session_id)
        task = "\n\n".join(text for block in prompt if (text := _text_of(block)))
        try:
            async with aclosing(session.agent.run(task)) as items:
                async for item in items:
                    for update in session.updates.of(item):
                        await self._update(session.id, update)
        except ParserStateError as error:
            raise acp.RequestError.invalid_request({"message": str(error)}) from error
        except Exception as error:
            raise acp.RequestError.internal_error({"message": in_words(error)}) from error
        return acp.PromptResponse(stop_reason=_STOP_REASONS[session.agent.stopped])

    async def close(self) -> None:
        """The editor has gone."""
        for name in list(self._sessions):
            await self.close_session(name)

    def _session(self, session_id: str) -> _Session:
        session = self._sessions.get(session_id)
        if session is None:
            raise acp.RequestError.invalid_params({"message": f"there is no session {session_id}"})
        return session

    async def _update(self, session_id: str, update: Any) -> None:
        assert self._client is not None
        await self._client.session_update(session_id=session_id, update=update)

    async def _ask(self, session_id: str, request: ApprovalRequest) -> Decision:
        """Ask by the editor; a question that it takes back is answered with no."""
        assert self._client is not None
        call = request.invocation
        about = schema.ToolCallUpdate(
            tool_call_id=call.id, title=request.description, raw_input=sendable(call.arguments)
        )
        try:
            response = await self._client.request_permission(session_id=session_id, tool_call=about, options=_OPTIONS)
        except acp.RequestError as error:
            return Decision("reject_once", feedback=f"The editor could not ask: {in_words(error)}", is_answered=False)
        outcome = response.outcome
        if isinstance(outcome, schema.AllowedOutcome) and outcome.option_id in OUTCOMES:
            return Decision(outcome.option_id)  # type: ignore[arg-type]  # it is one of them
        return Decision("reject_once")


async def serve(
    make_agent: MakeAgent,
    *,
    reader: asyncio.StreamReader | None = None,
    writer: asyncio.StreamWriter | None = None,
) -> None:
    """Talk to an editor until it closes the streams: those of the program that it has started, if none are given."""
    agent = AcpAgent(make_agent)
    try:
        # Requests that it does not know are answered so by the package.
        # What is not stable there yet is that sessions can be closed.
        await acp.run_agent(cast(acp.Agent, agent), writer, reader, use_unstable_protocol=True)
    finally:
        await agent.close()


def _server(server: Any, folder: str) -> AnyServer:
    """What the editor says of a server."""
    if isinstance(server, schema.McpServerStdio):
        program: type[Program] = deferred.load("streamparse.agent.mcp_servers", "Program")
        environment = {variable.name: variable.value for variable in server.env}
        return program(server.name, server.command, server.args, environment, folder)
    if isinstance(server, schema.HttpMcpServer):
        url: type[Url] = deferred.load("streamparse.agent.mcp_servers", "Url")
        return url(server.name, server.url, {header.name: header.value for header in server.headers})
    raise acp.RequestError.invalid_params(
        {"message": f"the MCP server {server.name} is of a kind that is not supported"}
    )


def _file_update(name: str, file: _File) -> Any:
    return acp.update_tool_call(name, content=[_diff(file.path, file.content.text(), file.before)])


def _diff(path: str, after: str, before: str | None) -> Any:
    return acp.tool_diff_content(path, sendable(after), sendable(before))


def _shown(text: str) -> list[Any] | None:
    return [acp.tool_content(acp.text_block(sendable(text)))] if text else None


def _text_of(block: Any) -> str:
    """What the person wrote, and the resources that they named."""
    if isinstance(block, schema.TextContentBlock):
        return block.text
    if isinstance(block, schema.ResourceContentBlock):
        return f"See {block.uri}"
    resource = getattr(block, "resource", None)
    text = getattr(resource, "text", None)
    return f"{getattr(resource, 'uri', '')}:\n{text}" if isinstance(text, str) else ""
