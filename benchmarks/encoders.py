"""What it costs to encode a reply for a client, microseconds per event beyond the parsing; and a client, to read it."""

from __future__ import annotations

from collections.abc import Callable
from time import perf_counter

from benchmarks.report import Report, Row
from benchmarks.speed import TOKEN
from benchmarks.verify import cut
from streamparse import Reply, ToolSpec
from streamparse.encoders import AgUiEncoder, AiSdkEncoder, AnthropicEncoder, OpenAIEncoder, ResponsesEncoder
from streamparse.encoders.encoder import StreamEncoder
from streamparse.encoders.stream import chunks
from streamparse.invocations import AnyItem
from tests.e2e import node

_MICROSECONDS = 5.0
_CLIENT_SECONDS = 1.5
_PROSE = "The grass is green, and so is the *tree*.\n\n"
_CODE = 'def f(x):\n    return "é" + x\n'
_TOOLS = [ToolSpec("f", {"type": "object", "properties": {"path": {"type": "string"}, "text": {"type": "string"}}})]
_PATH = "<parameter=path>\na.py\n</parameter>"
_IN_TAGS = f"<tool_call>\n<function=f>\n{_PATH}\n<parameter=text>\n{{}}\n</parameter>\n</function>\n</tool_call>"
_IN_JSON = '<tool_call>\n{{"name": "f", "arguments": {{"path": "a.py", "text": "{}"}}}}\n</tool_call>'
_ENCODERS: dict[str, Callable[[], StreamEncoder]] = {
    "openai": lambda: OpenAIEncoder(model="m", tools=_TOOLS),
    "anthropic": lambda: AnthropicEncoder(model="m", tools=_TOOLS),
    "responses": lambda: ResponsesEncoder(model="m", tools=_TOOLS),
    "ai-sdk": lambda: AiSdkEncoder(tools=_TOOLS),
    "ag-ui": lambda: AgUiEncoder(thread_id="t", run_id="r", tools=_TOOLS),
}


def _replies(size: int) -> dict[str, tuple[str, str]]:
    """What is encoded: its format and its text."""
    code = _CODE * (size // len(_CODE))
    return {
        "prose": ("hermes", _PROSE * (size // len(_PROSE))),
        "reasoning": ("hermes", f"<think>{_PROSE * (size // len(_PROSE))}</think>Hi."),
        "a call in JSON": ("hermes", _IN_JSON.format(code.replace('"', '\\"').replace("\n", "\\n"))),
        "a call in tags": ("qwen3_coder", _IN_TAGS.format(code)),
        "short calls": ("hermes", _IN_JSON.format(_CODE[:9]) * (size // 100)),
    }


def _best(make: Callable[[], StreamEncoder], items: list[AnyItem], rounds: int) -> float:
    """Seconds for all items, in the best of several rounds."""
    best = float("inf")
    for _ in range(rounds):
        encode = make().encode
        started = perf_counter()
        for item in items:
            encode(item)
        best = min(best, perf_counter() - started)
    return best


def report_encoders(report: Report, *, quick: bool) -> None:
    """Each encoder with each kind of reply, in chunks of a few characters."""
    size = 20_000 if quick else 100_000
    report.section(f"Encoders: microseconds per event, replies of {size:,} characters in chunks of {TOKEN}")
    for name, (format, text) in _replies(size).items():
        items: list[AnyItem] = list(Reply(cut(text, TOKEN), format, tools=_TOOLS))
        for kind, make in _ENCODERS.items():
            cost = _best(make, items, 3 if quick else 7) / len(items) * 1e6
            report.add(Row(f"{kind}: {name}", f"{cost:.2f} us", f"<= {_MICROSECONDS:.0f} us", cost <= _MICROSECONDS))
    _report_client(report)


def _report_client(report: Report) -> None:
    """The real client of the AI SDK, which reads all arguments anew each time that more of them come."""
    format, text = _replies(100_000)["a call in JSON"]
    parts = list(chunks(Reply(cut(text, TOKEN), format, tools=_TOOLS), AiSdkEncoder(tools=_TOOLS)))
    try:
        costs = node.call("client_cost.mjs", stdin={"parts": parts})
    except node.MissingClientsError as missing:
        report.add(Row("ai-sdk: the client", f"SKIPPED: {missing}"))
        return
    for client, milliseconds in costs.items():
        seconds = milliseconds / 1000
        name = f"{client} reads a call of 100,000 characters, {len(parts)} parts"
        report.add(Row(name, f"{seconds:.2f} s", f"<= {_CLIENT_SECONDS} s", seconds <= _CLIENT_SECONDS))
