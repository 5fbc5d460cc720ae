"""The guarantees for formats with messages and blocks, on random documents of their markers."""

from __future__ import annotations

import random

import pytest

from streamparse import ParserConfig, StreamingParser
from streamparse.testing import check_order, normalize
from streamparse.testing.checks import is_prefix
from tests import seeds
from tests.properties.documents import random_chunks

COUNT = seeds.times(80)
COMMON = ["{", "}", '{"a": 1}', "{}", '"', " ", "\n", "x", "é", "`", "<", "<|", "|>", "[", "]", ",", "text ", "python"]
#: What the markers of a format are made of; `~` keeps the pieces apart.
PIECES = {
    "harmony": "<|start|>~<|channel|>~<|message|>~<|constrain|>~<|end|>~<|call|>~<|return|>~assistant~analysis~final"
    "~ to=~functions.f~commentary~ to=python~json~<|channel|>analysis<|message|>"
    "~<|channel|>commentary to=f<|message|>{",
    "beam": "<|start|>assistant~ to=~f~user~<|channel|>analysis~ <|constrain|>xml~<|message|>~<|end|>~<|call|>"
    '~<|return|>~<rfl:parameter name="a">~</rfl:parameter>~ to=f<|channel|>analysis<|message|><rfl:parameter name="a">'
    "~<|start|>assistant to=f<|channel|>analysis <|constrain|>xml<|message|>~<|channel|>analysis<|message|>",
    "plamo3": "<|plamo:begin_tool_requests:plamo|>~<|plamo:begin_tool_request:plamo|><|plamo:begin_tool_name:plamo|>~f"
    "~<|plamo:end_tool_name:plamo|><|plamo:begin_tool_arguments:plamo|>~<|plamo:constrain|>json~<|plamo:msg|>"
    "~<|plamo:end_tool_arguments:plamo|>~<|plamo:end_tool_request:plamo|>~<|plamo:end_tool_requests:plamo|>"
    "~<|plamo:end_think:plamo|>~<|plamo:begin_think:plamo|>~<|plamo:begin_",
    "kimi_vl": "<|tool_calls_section_begin|>~<|tool_call_begin|>~functions.f:0~<|tool_call_argument_begin|>"
    "~<|tool_call_end|>~<|tool_calls_section_end|>~◁think▷~◁/think▷~◁",
    "muse": "<|start|>assistant~ to=~self~user~f~<|message|>~<|eom|>~<|eot|>~<atem:function_calls>"
    '~<atem:invoke name="f">~<atem:parameter name="a">~</atem:parameter>~</atem:invoke>~</atem:function_calls>'
    '~ to=f<|message|><atem:function_calls><atem:invoke name="f">~ to=self<|message|>',
    "inkling": "<|message_model|>~f~<|content_invoke_tool_json|>~<|content_invoke_tool_text|>~<|content_text|>"
    '~<|content_thinking|>~<|end_message|>~{"name": "f", "args": {~"args": ~"name": "g"~<|content_tool_error|>',
    "solar_open": "<|begin|>assistant~<|tool_calls|>~<|tool_call:begin|>~c1~<|tool_call:name|>~f~<|tool_call:args|>"
    "~<|tool_call:end|>~<|calls|>~<|think|>~<|content|>~<|end|>",
    "functionary_v31": "<function=~f~>~</function>~<|python_tag|>~<|eom_id|>~<think>~</think>",
    "functionary_v32": ">>>~all\n~f\n~f~>~<|eot_id|>~f\n{",
    "kimi_k2": "<|tool_calls_section_begin|>~<|tool_call_begin|>~functions.f:0~7~<|tool_call_argument_begin|>"
    '~<|tool_call_end|>~<|tool_calls_section_end|>~<think>~</think>~<|tool_call_begin|>7<|tool_call_argument_begin|>{"a"',
    "cohere_command3": "<|START_THINKING|>~<|END_THINKING|>~<|START_ACTION|>~<|END_ACTION|>~<|START_RESPONSE|>"
    '~<|END_RESPONSE|>~{"tool_name": "f", "parameters": ~"tool_call_id": "0"~: ',
    "command_r": 'Action:~```json~```~{"tool_name": "f", "parameters": {}}~{"tool_name": "f", "parameters": {',
}
TOOLS = [{"name": "f", "parameters": {"properties": {"a": {}}}}]


def document(rng: random.Random, format: str) -> str:
    pieces = [*PIECES[format].split("~") * 2, *COMMON]
    return "".join(rng.choice(pieces) for _ in range(rng.randrange(1, 14)))


@pytest.mark.parametrize("format", sorted(PIECES))
def test_the_events_are_the_same_for_every_chunking_and_nothing_is_taken_back(format: str) -> None:
    rng = seeds.rng(11)
    for _ in range(COUNT):
        text = document(rng, format)
        config = ParserConfig(
            reasoning=rng.choice(["open", "closed", None]),
            tools_in_reasoning=rng.random() < 0.3,
            code=rng.choice(["auto", "parse", "text"]),
            parse_tool_calls=rng.random() < 0.9,
        )
        names = [format] if rng.random() < 0.8 else ["harmony", format, "xml"]
        whole = None
        for chunks in ([text], list(text), random_chunks(rng, text), random_chunks(rng, text)):
            parser = StreamingParser(names, config, tools=TOOLS)
            shown = [event for chunk in chunks for event in parser.feed(chunk)]
            events = shown + parser.finalize()
            check_order(events)
            found = normalize(events)
            whole = whole or found
            assert found == whole, (text, chunks, config)
            assert is_prefix(normalize(shown), found), (text, config)
