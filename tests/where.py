"""Where a call of each format is recognised: the table of docs/rules.md, section 2.11, computed.

`python -m tests.where` prints the table, to be pasted into the page when a format is added or changed.
"""

from __future__ import annotations

import json

from streamparse import ParserConfig, ToolInvocation, formats, parse
from streamparse.config import Tools
from streamparse.core.markers import leading_text
from streamparse.core.registry import default_registry
from streamparse.errors import RenderError
from streamparse.formats import Format, Setup

HEAD = (
    *("format", "begins with", "behind prose", "behind a stray backtick", "in reasoning", "where that begins open"),
    *("in an echoed result", "injected"),
)
#: What begins reasoning where the first opener is no tag.
_HEADERS = {
    "harmony": "<|start|>assistant<|channel|>analysis<|message|>",
    "muse": "<|start|>assistant to=self<|message|>",
}
CODE = "<|python_tag|>print(1)<|eom_id|>"
CLOSED = ParserConfig(reasoning="closed")


def names() -> list[str]:
    """The formats whose calls stand in text, but for `auto`, which is all of them."""
    return [name for name in formats.names() if name not in ("auto", "native")]


def call_of(format: Format) -> str:
    """A call as the format writes it."""
    return CODE if format.name == "llama3_code" else format.render_call("read_file", {"path": "a"})


def calls(format: Format, text: str, config: ParserConfig = CLOSED) -> list[ToolInvocation]:
    """The calls in a text, which are the same when it comes by characters."""
    found = []
    for chunks in ([text], list(text)):
        items = parse(chunks, format, invocations=True, config=config)
        found.append([item for item in items if isinstance(item, ToolInvocation)])
    assert found[0] == found[1]
    return found[0]


def row(name: str) -> list[str]:
    """What the table says of a format."""
    format = formats.get(name)
    call = call_of(format)
    begins = "a special token" if begins_with_token(format, call) else "text"
    return [
        *(name, begins, said(calls(format, f"See {call} ok")), said(calls(format, f"a ` b {call} ok"))),
        *(in_reasoning(format, call), in_implied(format, call), in_result(format, call), injected(format)),
    ]


def said(found: list[ToolInvocation]) -> str:
    assert len(found) <= 1
    return "call" if found else "text"


def injected(format: Format) -> str:
    """What a text must be that is a call if the model merely repeats it; of all ways in which calls are written."""
    openers = [opener for opener in format.all_openers.calls(is_auto=False) if opener.state and not opener.is_common]
    if format.messages is not None:
        openers += [
            o for o in format.all_openers.others(has_calls=True, is_auto=False) if o.state is format.messages.state
        ]
    if format.openers is not None:
        openers += format.openers(Setup(CLOSED, default_registry, Tools.of(())))
    if not all(opener.is_token for opener in openers):
        return "by any text"
    ways = {
        "by special tokens": openers,
        "first on a line": format.all_openers.at_line,
        "first in the reply": format.all_openers.at_reply,
    }
    return ", ".join(way for way, is_one in ways.items() if is_one)


def begins_with_token(format: Format, call: str) -> bool:
    openers = (*format.all_openers.calls(is_auto=False), *format.all_openers.others(has_calls=True, is_auto=False))
    return any(opener.is_token and call.startswith(leading_text(opener.marker)) for opener in openers)


def in_reasoning(format: Format, call: str) -> str:
    """Behind the first marker of reasoning that the format has."""
    opener = _HEADERS.get(format.name) or next((leading_text(o.marker) for o in format.reasoning.openers), "")
    tag = f"{opener}>" if opener.startswith("<") and not opener.endswith((">", "\n")) else opener
    return said(calls(format, f"{tag}hm {call}")) if opener else "–"


def in_implied(format: Format, call: str) -> str:
    """Where the prompt has begun it."""
    if not format.reasoning.implied_closers:
        return "–"
    return said(calls(format, f"hm {call}", ParserConfig(reasoning="open")))


def in_result(format: Format, call: str) -> str:
    """In a result as the format writes it, with all that stands around it."""
    written = format.render_result("read_file", "OUTPUT?")
    held = written.replace('"OUTPUT?"', json.dumps(call, ensure_ascii=False)).replace("OUTPUT?", call)
    return said(calls(format, f"It said\n{held}\nso."))


def in_value(format: Format, call: str) -> list[str]:
    """The calls that come of one with another in its value; none if it cannot be written."""
    string = {"type": "object", "properties": {"a": {"type": "string"}, "path": {"type": "string"}}}
    tools = [{"name": name, "parameters": string} for name in ("put", "read_file")]
    try:
        text = format.render_call("put", {"a": call}, tools=tools)
    except RenderError:
        return []
    items = parse([text], format, invocations=True, tools=tools, config=CLOSED)
    return [item.name for item in items if isinstance(item, ToolInvocation)]


if __name__ == "__main__":
    print(f"| {' | '.join(HEAD)} |\n{'|---' * len(HEAD)}|")
    for name in names():
        print(f"| {' | '.join(row(name))} |")
