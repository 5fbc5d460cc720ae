"""Anthropic Messages.

    {"role": "assistant", "content": [
        {"type": "thinking", "thinking": "Hm", "signature": "…"},
        {"type": "text", "text": "Let me see.", "citations": […]},
        {"type": "server_tool_use", "id": "s1", "name": "web_search", "input": {"query": "cats"}},
        {"type": "web_search_tool_result", "tool_use_id": "s1", "content": […]},
        {"type": "tool_use", "id": "t1", "name": "search", "input": {"query": "cats"}}]}
    {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "t1", "content": "…", "is_error": false}]}

What the interface refuses is left out: text of blanks, thinking without a signature, a tool of Anthropic's whose input
was cut off. A turn with "pause" goes back alone, and Anthropic goes on with it. Text goes back as the blocks it came
as, if some of them have citations and a text format took nothing out of them; else as one. The container that code ran
in is no block: the request names it (`{"type": "container", "id": …}` is the state of the last segment).
"""

from __future__ import annotations

from streamparse.events import SegmentType
from streamparse.messages.results import Answer, Messages, ReplyParts, with_plain_ids
from streamparse.messages.said import Media, Said, SaidPart
from streamparse.messages.turns import Block, build_turns, loaded_input
from streamparse.messages.written import loaded
from streamparse.segment import Segment
from streamparse.wire import present

#: What goes back with a call besides its name and input.
_BESIDES = ("caller", "toolset_name")
_TOOLS = ("server_tool_use", "mcp_tool_use")
_RESULT = "_tool_result"
_UPLOAD = "container_upload"
#: The state that is no block: the request names it.
_CONTAINER = "container"


def build(reply: ReplyParts, answers: list[Answer]) -> Messages:
    """The assistant's turn, and one of the user with all results."""
    return build_turns(reply, with_plain_ids(answers), block=_block, call=_call, result=_result)


def say(said: Said) -> Block | None:
    """The message of a person; a system prompt is none, but a field of the request."""
    if said.role == "system":
        return None
    return {"role": "user", "content": said.text if said.is_text else [_said(part) for part in said.content]}


def _said(part: SaidPart) -> Block:
    if not isinstance(part, Media):
        return {"type": "text", "text": part}
    if part.data is None:
        source = {"type": "url", "url": part.address}
    else:
        source = {"type": "base64", "media_type": part.media_type, "data": part.data}
    return {"type": "image" if part.is_image else "document", "source": source}


def _block(segment: Segment) -> Block | list[Block] | None:
    kind = segment.state.get("type", "")
    match segment.type:
        case SegmentType.TEXT | SegmentType.REFUSAL if segment.content.strip():
            return _texts(segment)
        case SegmentType.REASONING:
            return _thinking(segment)
        case SegmentType.SERVER_TOOL if kind in _TOOLS:
            return _server_tool(segment)
        case SegmentType.SERVER_RESULT if kind.endswith(_RESULT):
            return _server_result(segment)
        case SegmentType.FILE if kind == _UPLOAD:
            return dict(segment.metadata)
    return None


def _texts(segment: Segment) -> list[Block]:
    """The text as the blocks it came as, blanks with the block behind them; as one block if that is not known."""
    content, cited = segment.content, segment.state.get("blocks", [])
    if sum(block["length"] for block in cited) != len(content):
        cited = [{"length": len(content)}]
    blocks: list[Block] = []
    begin = end = 0
    for block in cited:
        end += block["length"]
        if content[begin:end].strip():
            citations = [_citation(citation) for citation in block.get("citations", ())]
            blocks.append({"type": "text", "text": content[begin:end], **present(citations=citations)})
            begin = end
    blocks[-1]["text"] += content[begin:]
    return blocks


def _citation(citation: Block) -> Block:
    """A citation with the title that it must have, and without what only replies have."""
    title = "document_title" if "document_index" in citation else "title"
    return {title: None, **{name: value for name, value in citation.items() if name != "file_id"}}


def _thinking(segment: Segment) -> Block | None:
    """A block of thinking, or one that came without any text and is its own state."""
    state = segment.state
    if "type" in state:
        return None if segment.content or state["type"] == _CONTAINER else dict(state)
    signature = state.get("signature")
    return {"type": "thinking", "thinking": segment.content, "signature": signature} if signature else None


def _call(answer: Answer) -> Block:
    state = answer.call.state or {}
    besides: Block = {name: state[name] for name in _BESIDES if name in state}
    named = {"type": "tool_use", "id": answer.call_id, "name": answer.call.name}
    return {**named, "input": answer.call.arguments, **besides}


def _server_tool(segment: Segment) -> Block | None:
    given = loaded_input(segment)
    if given is None:
        return None
    named = {"id": segment.metadata.get("call_id", ""), "name": segment.metadata.get("tool_name", "")}
    return {**segment.state, **named, "input": given}


def _server_result(segment: Segment) -> Block | None:
    content = loaded(segment.content)
    if content is None:
        return None
    return {**segment.state, "tool_use_id": segment.metadata.get("call_id", ""), "content": content}


def _result(answer: Answer) -> Block:
    told = {"content": answer.content, "is_error": answer.is_error}
    return {"type": "tool_result", "tool_use_id": answer.call_id, **told}
