"""The samples of the models, as they write them: a call, two calls, reasoning and a call, and what is special."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from attrs import field, frozen

from tests.formats.open.kit import WEATHER, C, Case, R, Row, T

W = '{"city": "Oslo", "days": 2}'
#: The two calls as objects with the keys that most models use.
CALL = '{"name": "get_weather", "arguments": ' + W + "}"
NOOP = '{"name": "noop", "arguments": {}}'
P_CALL = '{"name": "get_weather", "parameters": ' + W + "}"
P_NOOP = '{"name": "noop", "parameters": {}}'

#: What stands around the calls where the format does not mind.
BEFORE, AFTER = "So, 1 < 2.\n", " That is all."


@frozen
class Think:
    """Text before (and behind) the first call, what it gives, and the setting it needs."""

    before: str
    rows: Sequence[Row]
    after: str = ""
    reasoning: str = "auto"


@frozen
class Sample:
    """A call with arguments, and one without behind it."""

    format: str
    one: str
    two: str
    #: The arguments as they are written, with and without any.
    content: str = W
    empty: str = "{}"
    #: What is text between the two.
    between: str = ""
    ids: tuple[str | None, str | None] = (None, None)
    think: Sequence[Think] = ()
    #: Reasoning is closed for those whose prompt opens it.
    config: dict[str, Any] = field(factory=dict)
    is_surrounded: bool = True
    #: What prose stands between two calls, where not any will do.
    prose: str = " and "

    def cases(self) -> Iterator[Case]:
        first = C("get_weather", self.content, WEATHER, self.ids[0])
        second = C("noop", self.empty, {}, self.ids[1])
        yield Case(self.format, "a call", self.one, [first], self.config)
        if self.two:
            yield Case(self.format, "two calls", self.two, [first, T(self.between), second], self.config)
        for number, think in enumerate(self.think, 1):
            config = {} if think.reasoning == "auto" else {"reasoning": think.reasoning}
            text = think.before + self.one + think.after
            yield Case(self.format, f"reasoning {number} and a call", text, [*think.rows, first], config)
        if self.is_surrounded:
            text = BEFORE + self.one + self.prose + self.one + AFTER
            rows = [T(BEFORE), first, T(self.prose), first, T(AFTER)]
            yield Case(self.format, "calls inside prose", text, rows, self.config)


CLOSED = {"reasoning": "closed"}
NEED = R("Need weather.")


def objects(opener: str, closer: str, between: str = "\n") -> tuple[str, str]:
    """One object between two markers; the pair again for the next call."""
    one = opener + CALL + closer
    return one, one + between + opener + NOOP + closer


def array(opener: str, closer: str = "") -> tuple[str, str]:
    return f"{opener}[{CALL}]{closer}", f"{opener}[{CALL}, {NOOP}]{closer}"


def functions(outer: str, head: str, tail: str) -> tuple[str, str]:
    """`<tool_call>␤<function=…>` with parameters inline."""
    one = (
        f"{head}<function=get_weather>\n<parameter=city>Oslo</parameter>\n<parameter=days>2</parameter>\n"
        f"</function>{tail}"
    )
    return one, f"{one}{outer}{head}<function=noop>\n</function>{tail}"


def invokes(begin: str, end: str, prefix: str = "") -> tuple[str, str]:
    """`<invoke name=…>` inside one section."""
    one = (
        f'<{prefix}invoke name="get_weather">\n<{prefix}parameter name="city">Oslo</{prefix}parameter>\n'
        f'<{prefix}parameter name="days">2</{prefix}parameter>\n</{prefix}invoke>\n'
    )
    none = f'<{prefix}invoke name="noop">\n</{prefix}invoke>\n'
    return begin + one + end, begin + one + none + end


def dsml(section: str) -> tuple[str, str]:
    bar = "｜DSML｜"
    head, end = f"<{bar}{section}>\n", f"</{bar}{section}>"
    one = (
        f'<{bar}invoke name="get_weather">\n<{bar}parameter name="city" string="true">Oslo</{bar}parameter>\n'
        f'<{bar}parameter name="days" string="false">2</{bar}parameter>\n</{bar}invoke>\n'
    )
    none = f'<{bar}invoke name="noop">\n</{bar}invoke>\n'
    return head + one + end, head + one + none + end


PARAMETERS = '<parameter name="city">Oslo</parameter>\n<parameter name="days">2</parameter>'
FUNCTION_PARAMETERS = "<parameter=city>Oslo</parameter>\n<parameter=days>2</parameter>"
DSML_PARAMETERS = (
    '<｜DSML｜parameter name="city" string="true">Oslo</｜DSML｜parameter>\n'
    '<｜DSML｜parameter name="days" string="false">2</｜DSML｜parameter>'
)
QWEN_PARAMETERS = "<parameter=city>\nOslo\n</parameter>\n<parameter=days>\n2\n</parameter>"
QWEN_CALL = f"<tool_call>\n<function=get_weather>\n{QWEN_PARAMETERS}\n</function>\n</tool_call>"
GLM_ARGUMENTS = (
    "<arg_key>city</arg_key>\n<arg_value>Oslo</arg_value>\n<arg_key>days</arg_key>\n<arg_value>2</arg_value>"
)
GLM47_ARGUMENTS = GLM_ARGUMENTS.replace("\n", "")
NS = "]<]minimax[>["
M3_ARGUMENTS = f"{NS}<city>Oslo{NS}</city>{NS}<days>2{NS}</days>"
K3_ARGUMENTS = (
    '<|open|>argument key="city" type="string"<|sep|>Oslo<|close|>argument<|sep|>'
    '<|open|>argument key="days" type="number"<|sep|>2<|close|>argument<|sep|>'
)
K3_CALL = f'<|open|>call tool="get_weather" index="1"<|sep|>{K3_ARGUMENTS}<|close|>call<|sep|>'
K3_NOOP = '<|open|>call tool="noop" index="2"<|sep|><|close|>call<|sep|>'
STEP_PARAMETERS = PARAMETERS.replace("parameter", "steptml:parameter")
STEP_CALL = (
    '<｜tool_call_begin｜>function<｜tool_sep｜><steptml:invoke name="get_weather">\n'
    f"{STEP_PARAMETERS}\n</steptml:invoke><｜tool_call_end｜>\n"
)
STEP_NOOP = (
    '<｜tool_call_begin｜>function<｜tool_sep｜><steptml:invoke name="noop">\n</steptml:invoke><｜tool_call_end｜>\n'
)
V3_CALL = f"<｜tool▁call▁begin｜>function<｜tool▁sep｜>get_weather\n```json\n{W}\n```<｜tool▁call▁end｜>"
V3_NOOP = "<｜tool▁call▁begin｜>function<｜tool▁sep｜>noop\n```json\n{}\n```<｜tool▁call▁end｜>"
V31_CALL = f"<｜tool▁call▁begin｜>get_weather<｜tool▁sep｜>{W}<｜tool▁call▁end｜>"
V31_NOOP = "<｜tool▁call▁begin｜>noop<｜tool▁sep｜>{}<｜tool▁call▁end｜>"
K2_CALL = f"<|tool_call_begin|>functions.get_weather:0<|tool_call_argument_begin|>{W}<|tool_call_end|>"
K2_NOOP = "<|tool_call_begin|>functions.noop:1<|tool_call_argument_begin|>{}<|tool_call_end|>"
COHERE_CALL = '    {"tool_call_id": "0", "tool_name": "get_weather", "parameters": ' + W + "}"
COHERE_NOOP = '    {"tool_call_id": "1", "tool_name": "noop", "parameters": {}}'
COHERE = (
    f"<|START_ACTION|>[\n{COHERE_CALL}\n]<|END_ACTION|>",
    f"<|START_ACTION|>[\n{COHERE_CALL},\n{COHERE_NOOP}\n]<|END_ACTION|>",
)
HARMONY_CALL = (
    f"<|start|>assistant<|channel|>commentary to=functions.get_weather <|constrain|>json<|message|>{W}<|call|>"
)
HARMONY_NOOP = "<|start|>assistant<|channel|>commentary to=functions.noop <|constrain|>json<|message|>{}<|call|>"
INKLING_CALL = (
    f'<|message_model|>get_weather<|content_invoke_tool_json|>{{"name": "get_weather", "args": {W}}}<|end_message|>'
)
INKLING_NOOP = '<|message_model|>noop<|content_invoke_tool_json|>{"name": "noop", "args": {}}<|end_message|>'
ATEM_PARAMETERS = PARAMETERS.replace("parameter", "atem:parameter")
MUSE_CALL = (
    ' to=get_weather<|message|><atem:function_calls>\n<atem:invoke name="get_weather">\n'
    f"{ATEM_PARAMETERS}\n</atem:invoke>\n</atem:function_calls><|eom|>"
)
MUSE_NOOP = (
    '<|start|>assistant to=noop<|message|><atem:function_calls>\n<atem:invoke name="noop">\n</atem:invoke>\n'
    "</atem:function_calls><|eom|>"
)
INTERN = "<|action_start|> <|plugin|>\n"
SOLAR = "<|begin|>assistant<|tool_calls|>"
SOLAR_CALL = f"<|tool_call:begin|>c1<|tool_call:name|>get_weather<|tool_call:args|>{W}<|tool_call:end|>"
SOLAR_NOOP = "<|tool_call:begin|>c2<|tool_call:name|>noop<|tool_call:args|>{}<|tool_call:end|>"
PY = "city='Oslo', days=2"
GEMMA = 'city:<|"|>Oslo<|"|>,days:2'
FUNCTION_GEMMA = "city:<escape>Oslo<escape>,days:<escape>2<escape>"

THOUGHT = Think("<think>\nNeed weather.\n</think>\n\n", [R("\nNeed weather.\n"), T("\n\n")])
PLAIN_THOUGHT = Think("<think>Need weather.</think>", [NEED])
OPEN_THOUGHT = Think("Need weather.</think>", [NEED], reasoning="open")
OPENED_THOUGHT = Think("Need weather.</think>", [NEED])
OPEN_LINES = Think("Need weather.\n</think>\n\n", [R("Need weather.\n"), T("\n\n")], reasoning="open")

SAMPLES = [
    Sample("hermes", *objects("<tool_call>\n", "\n</tool_call>"), between="\n", think=[THOUGHT, PLAIN_THOUGHT]),
    Sample("qwen3", *objects("<tool_call>\n", "\n</tool_call>"), between="\n", think=[THOUGHT, OPEN_LINES]),
    Sample("longcat", *objects("<longcat_tool_call>\n", "\n</longcat_tool_call>"), between="\n"),
    Sample(
        "internlm",
        f"{INTERN}{P_CALL}<|action_end|>",
        f"{INTERN}{P_CALL}<|action_end|>\n{INTERN}{P_NOOP}<|action_end|>",
        between="\n",
    ),
    Sample("granite20b", f"<function_call> {CALL}", f"<function_call> {CALL}\n<function_call> {NOOP}", between="\n"),
    Sample("gigachat3", f"<|function_call|>{CALL}", ""),
    Sample(
        "inkling",
        INKLING_CALL,
        INKLING_CALL + INKLING_NOOP,
        think=[Think("<|message_model|><|content_thinking|>Need weather.<|end_message|>", [NEED])],
    ),
    Sample(
        "minimax_m1",
        f"<tool_calls>\n{CALL}\n</tool_calls>",
        f"<tool_calls>\n{CALL}\n{NOOP}\n</tool_calls>",
    ),
    Sample("llama3_json", f"<|python_tag|>{P_CALL}", f"<|python_tag|>{P_CALL}; {P_NOOP}"),
    Sample("mistral_v3", *array("[TOOL_CALLS] ")),
    Sample(
        "mistral",
        f"[TOOL_CALLS]get_weather[ARGS]{W}",
        f"[TOOL_CALLS]get_weather[ARGS]{W}[TOOL_CALLS]noop[ARGS]{{}}",
        think=[Think("[THINK]Need weather.[/THINK]", [NEED]), PLAIN_THOUGHT],
    ),
    Sample(
        "granite3",
        *array("<|tool_call|>"),
        think=[
            Think("Here is my thought process: Need weather. Here is my response: ", [R(" Need weather. "), T(" ")]),
            PLAIN_THOUGHT,
        ],
    ),
    Sample(
        "jamba",
        f"<tool_calls>[\n    {CALL}\n]</tool_calls>",
        f"<tool_calls>[\n    {CALL},\n    {NOOP}\n]</tool_calls>",
    ),
    Sample(
        "hunyuan_a13b",
        *array("<tool_calls>", "</tool_calls>"),
        think=[Think("<think>\nNeed weather.\n</think>\n<answer>\n", [R("\nNeed weather.\n")], "\n</answer>")],
    ),
    Sample(
        "apriel",
        *array("<tool_calls>", "</tool_calls>"),
        config=CLOSED,
        think=[Think("Need weather.\n[BEGIN FINAL RESPONSE]\n", [NEED])],
    ),
    Sample(
        "nemotron_v2",
        *array("<TOOLCALL>", "</TOOLCALL>"),
        think=[Think("Need weather.\n</think>\n", [R("Need weather.\n"), T("\n")], reasoning="open")],
    ),
    Sample("phi4", *array("functools")),
    Sample("xlam", *array(""), is_surrounded=False),
    Sample(
        "apertus",
        f'<|tools_prefix|>[{{"get_weather": {W}}}]<|tools_suffix|>',
        f'<|tools_prefix|>[{{"get_weather": {W}}}, {{"noop": {{}}}}]<|tools_suffix|>',
        think=[Think("<|inner_prefix|>Need weather.<|inner_suffix|>", [NEED])],
    ),
    Sample(
        "cohere_command3",
        *COHERE,
        ids=("0", "1"),
        config=CLOSED,
        think=[
            Think("Need weather.<|END_THINKING|>", [NEED]),
            Think("<|START_THINKING|>Need weather.<|END_THINKING|>", [NEED], reasoning="closed"),
        ],
    ),
    Sample(
        "cohere_command4",
        *COHERE,
        ids=("0", "1"),
        config=CLOSED,
        think=[
            Think("Need weather.<|END_THINKING|>", [NEED]),
            Think("<|START_THINKING|>Need weather.<|END_THINKING|>", [NEED], reasoning="closed"),
        ],
    ),
    Sample(
        "command_r",
        f'Action:\n```json\n[\n{{"tool_name": "get_weather", "parameters": {W}}}\n]\n```',
        f'Action:\n```json\n[\n{{"tool_name": "get_weather", "parameters": {W}}},\n'
        '{"tool_name": "noop", "parameters": {}}\n]\n```',
        is_surrounded=False,
    ),
    Sample(
        "deepseek_v3",
        f"<｜tool▁calls▁begin｜>{V3_CALL}<｜tool▁calls▁end｜>",
        f"<｜tool▁calls▁begin｜>{V3_CALL}\n{V3_NOOP}<｜tool▁calls▁end｜>",
        think=[THOUGHT, OPEN_LINES],
    ),
    Sample(
        "deepseek_v31",
        f"<｜tool▁calls▁begin｜>{V31_CALL}<｜tool▁calls▁end｜>",
        f"<｜tool▁calls▁begin｜>{V31_CALL}{V31_NOOP}<｜tool▁calls▁end｜>",
        think=[OPEN_THOUGHT],
    ),
    Sample("deepseek_v32", *dsml("function_calls"), content=DSML_PARAMETERS, empty="", think=[PLAIN_THOUGHT]),
    Sample("deepseek_v4", *dsml("tool_calls"), content=DSML_PARAMETERS, empty="", think=[PLAIN_THOUGHT]),
    Sample(
        "kimi_k2",
        f"<|tool_calls_section_begin|>{K2_CALL}<|tool_calls_section_end|>",
        f"<|tool_calls_section_begin|>{K2_CALL}{K2_NOOP}<|tool_calls_section_end|>",
        ids=("functions.get_weather:0", "functions.noop:1"),
        think=[PLAIN_THOUGHT, OPEN_THOUGHT],
    ),
    Sample(
        "kimi_k3",
        f"<|open|>tools<|sep|>{K3_CALL}<|close|>tools<|sep|>",
        f"<|open|>tools<|sep|>{K3_CALL}{K3_NOOP}<|close|>tools<|sep|>",
        content=K3_ARGUMENTS,
        empty="",
        ids=("1", "2"),
        config=CLOSED,
        think=[
            Think(
                "<|open|>think<|sep|>Need weather.<|close|>think<|sep|>"
                "<|open|>response<|sep|>Checking.<|close|>response<|sep|>",
                [NEED, T("Checking.")],
                "<|close|>message<|sep|>",
                reasoning="closed",
            ),
            Think("Need weather.<|close|>think<|sep|>", [NEED]),
        ],
    ),
    Sample(
        "functionary_v31",
        f"<function=get_weather>{W}</function>",
        f"<function=get_weather>{W}</function><function=noop>{{}}</function>",
    ),
    Sample(
        "functionary_v32",
        f"get_weather\n{W}",
        f"get_weather\n{W}>>>noop\n{{}}",
        is_surrounded=False,
    ),
    Sample(
        "harmony",
        HARMONY_CALL,
        HARMONY_CALL + HARMONY_NOOP,
        think=[Think("<|channel|>analysis<|message|>Need weather.<|end|>", [NEED])],
    ),
    Sample(
        "solar_open",
        f"{SOLAR}{SOLAR_CALL}<|calls|>",
        f"{SOLAR}{SOLAR_CALL}{SOLAR_NOOP}<|calls|>",
        ids=("c1", "c2"),
        think=[Think("<|think|>Need weather.<|end|>", [NEED])],
    ),
    Sample(
        "qwen3_coder",
        QWEN_CALL,
        QWEN_CALL + "\n<tool_call>\n<function=noop>\n</function>\n</tool_call>",
        content=QWEN_PARAMETERS,
        empty="",
        between="\n",
        think=[OPEN_LINES, THOUGHT],
    ),
    Sample(
        "mimo",
        *functions("\n", "<tool_call>\n", "\n</tool_call>"),
        content=FUNCTION_PARAMETERS,
        empty="",
        between="\n",
        think=[PLAIN_THOUGHT],
    ),
    Sample(
        "seed_oss",
        *functions("\n", "<seed:tool_call>\n", "\n</seed:tool_call>"),
        content=FUNCTION_PARAMETERS,
        empty="",
        between="\n",
        think=[Think("<seed:think>Need weather.</seed:think>", [NEED])],
    ),
    Sample(
        "glm45",
        f"<tool_call>get_weather\n{GLM_ARGUMENTS}\n</tool_call>",
        f"<tool_call>get_weather\n{GLM_ARGUMENTS}\n</tool_call>\n<tool_call>noop\n</tool_call>",
        content=GLM_ARGUMENTS,
        empty="",
        between="\n",
        think=[Think("<think>Need weather.</think>\n", [NEED, T("\n")])],
    ),
    Sample(
        "glm47",
        f"<tool_call>get_weather{GLM47_ARGUMENTS}</tool_call>",
        f"<tool_call>get_weather{GLM47_ARGUMENTS}</tool_call><tool_call>noop</tool_call>",
        content=GLM47_ARGUMENTS,
        empty="",
        think=[PLAIN_THOUGHT, OPEN_THOUGHT],
    ),
    Sample(
        "hunyuan3",
        f"<tool_calls>\n<tool_call>get_weather<tool_sep>\n{GLM_ARGUMENTS}\n</tool_call>\n</tool_calls>",
        f"<tool_calls>\n<tool_call>get_weather<tool_sep>\n{GLM_ARGUMENTS}\n</tool_call>\n"
        "<tool_call>noop<tool_sep>\n</tool_call>\n</tool_calls>",
        content=GLM_ARGUMENTS,
        empty="",
        think=[PLAIN_THOUGHT],
    ),
    Sample(
        "minimax_m2",
        *invokes("<minimax:tool_call>\n", "</minimax:tool_call>"),
        content=PARAMETERS,
        empty="",
        config=CLOSED,
        think=[Think("Need weather.\n</think>\n\n", [R("Need weather.\n"), T("\n\n")])],
    ),
    Sample(
        "minimax_m3",
        f'{NS}<tool_call>{NS}<invoke name="get_weather">{M3_ARGUMENTS}{NS}</invoke>{NS}</tool_call>',
        f'{NS}<tool_call>{NS}<invoke name="get_weather">{M3_ARGUMENTS}{NS}</invoke>'
        f'{NS}<invoke name="noop">{NS}</invoke>{NS}</tool_call>',
        content=M3_ARGUMENTS,
        empty="",
        think=[Think("<mm:think>Need weather.</mm:think>", [NEED])],
    ),
    Sample(
        "step3",
        f"<｜tool_calls_begin｜>\n{STEP_CALL}<｜tool_calls_end｜>",
        f"<｜tool_calls_begin｜>\n{STEP_CALL}{STEP_NOOP}<｜tool_calls_end｜>",
        content=STEP_PARAMETERS,
        empty="",
        think=[OPEN_THOUGHT],
    ),
    Sample(
        "dots",
        *invokes("<dots_function_call>\n", "</dots_function_call>"),
        content=PARAMETERS,
        empty="",
        think=[PLAIN_THOUGHT],
    ),
    Sample(
        "minicpm5",
        '<function name="get_weather"><param name="city">Oslo</param><param name="days">2</param></function>',
        '<function name="get_weather"><param name="city">Oslo</param><param name="days">2</param></function>'
        '<function name="noop"></function>',
        content='<param name="city">Oslo</param><param name="days">2</param>',
        empty="",
    ),
    Sample(
        "muse",
        MUSE_CALL,
        MUSE_CALL + MUSE_NOOP,
        content=ATEM_PARAMETERS,
        empty="",
        is_surrounded=False,
    ),
    Sample(
        "pythonic",
        "[get_weather(city='Oslo', days=2)]",
        "[get_weather(city='Oslo', days=2), noop()]",
        content=PY,
        empty="",
        prose=" and\n",
    ),
    Sample(
        "olmo3",
        '<function_calls>get_weather(city="Oslo", days=2)</function_calls>',
        '<function_calls>get_weather(city="Oslo", days=2)\nnoop()</function_calls>',
        content='city="Oslo", days=2',
        empty="",
        config=CLOSED,
        think=[OPENED_THOUGHT],
    ),
    Sample(
        "lfm2",
        "<|tool_call_start|>[get_weather(city='Oslo', days=2)]<|tool_call_end|>",
        "<|tool_call_start|>[get_weather(city='Oslo', days=2), noop()]<|tool_call_end|>",
        content=PY,
        empty="",
        think=[PLAIN_THOUGHT],
    ),
    Sample(
        "functiongemma",
        f"<start_function_call>call:get_weather{{{FUNCTION_GEMMA}}}<end_function_call>",
        f"<start_function_call>call:get_weather{{{FUNCTION_GEMMA}}}<end_function_call>"
        "<start_function_call>call:noop{}<end_function_call>",
        content=FUNCTION_GEMMA,
        empty="",
    ),
    Sample(
        "gemma4",
        f"<|tool_call>call:get_weather{{{GEMMA}}}<tool_call|>",
        f"<|tool_call>call:get_weather{{{GEMMA}}}<tool_call|><|tool_call>call:noop{{}}<tool_call|>",
        content=GEMMA,
        empty="",
        think=[Think("<|channel>thought\nNeed weather.<channel|>", [NEED])],
    ),
]

OSLO = '{"city": "Oslo"}'
ONE_CITY = {"city": "Oslo"}

SPECIAL = [
    Case(
        "muse",
        "reasoning and an answer",
        " to=self<|message|>Need weather.<|eom|><|start|>assistant to=user<|message|>It is cold.<|eot|>",
        [NEED, T("It is cold.")],
    ),
    Case(
        "harmony",
        "reasoning and the final answer",
        "<|channel|>analysis<|message|>Easy.<|end|><|start|>assistant<|channel|>final<|message|>Four.<|return|>",
        [R("Easy."), T("Four.")],
    ),
    Case(
        "harmony",
        "a preamble, and the recipient in the role",
        "<|channel|>commentary<|message|>Checking.<|end|><|start|>assistant to=functions.get_weather"
        f"<|channel|>commentary json<|message|>{OSLO}<|call|>",
        [T("Checking."), C("get_weather", OSLO, ONE_CITY)],
    ),
    Case(
        "mistral",
        "an id (Small 3.2)",
        f"[TOOL_CALLS]get_weather[CALL_ID]a1b2c3d4e[ARGS]{OSLO}",
        [C("get_weather", OSLO, ONE_CITY, "a1b2c3d4e")],
    ),
    Case("mistral", "no [ARGS] (v11)", f"[TOOL_CALLS]get_weather{OSLO}", [C("get_weather", OSLO, ONE_CITY)]),
    Case(
        "functionary_v31",
        "one parameter",
        f"<function=get_weather>{OSLO}</function>",
        [C("get_weather", OSLO, ONE_CITY)],
    ),
    Case(
        "functionary_v32",
        "an answer to all, then a call",
        f"all\nChecking.>>>get_weather\n{OSLO}",
        [T("Checking."), C("get_weather", OSLO, ONE_CITY)],
    ),
    Case(
        "command_r",
        "on one line",
        f'Action:\n```json\n[{{"tool_name": "get_weather", "parameters": {OSLO}}}]\n```',
        [C("get_weather", OSLO, ONE_CITY)],
    ),
    Case(
        "command_r",
        "a plan before",
        f'Plan: look.\nAction:\n```json\n[{{"tool_name": "get_weather", "parameters": {OSLO}}}]\n```\nDone.',
        [T("Plan: look.\n"), C("get_weather", OSLO, ONE_CITY), T("\nDone.")],
    ),
    Case(
        "cohere_command3",
        "an answer",
        "Plan.<|END_THINKING|><|START_RESPONSE|>Four.<|END_RESPONSE|>",
        [R("Plan."), T("Four.")],
    ),
    Case(
        "cohere_command4",
        "an answer",
        "Plan.<|END_THINKING|><|START_TEXT|>Four.<|END_TEXT|>",
        [R("Plan."), T("Four.")],
    ),
    Case(
        "minimax_m1",
        "one object per line",
        f'<tool_calls>\n{{"name": "get_weather", "arguments": {OSLO}}}\n{NOOP}\n</tool_calls>',
        [C("get_weather", OSLO, ONE_CITY), C("noop", "{}", {})],
    ),
    Case(
        "apriel",
        "reasoning, then a call",
        f"Plan.\n[BEGIN FINAL RESPONSE]\n<tool_calls>[{NOOP}]</tool_calls>",
        [R("Plan."), C("noop", "{}", {})],
    ),
    Case(
        "solar_open",
        "reasoning, then a call",
        "<|think|>Plan.<|end|><|begin|>assistant<|tool_calls|><|tool_call:begin|>c1<|tool_call:name|>noop"
        "<|tool_call:args|>{}<|tool_call:end|><|calls|>",
        [R("Plan."), C("noop", "{}", {}, "c1")],
    ),
    Case(
        "solar_open",
        "an answer",
        "<|think|>Plan.<|end|><|begin|>assistant<|content|>Four.<|end|>",
        [R("Plan."), T("Four.")],
    ),
    Case(
        "gigachat3",
        "the older form",
        f"Sure.<|message_sep|>\n\nfunction call<|role_sep|>\n{NOOP}",
        [T("Sure."), C("noop", "{}", {})],
    ),
    Case(
        "hunyuan3",
        "tags with a suffix",
        "<tool_calls:opensource><tool_call:opensource>noop<tool_sep:opensource></tool_call:opensource>"
        "</tool_calls:opensource>",
        [C("noop", "", {})],
    ),
    Case(
        "deepseek_v4",
        "a tag that closes itself",
        '<｜DSML｜tool_calls><｜DSML｜invoke name="noop"/></｜DSML｜tool_calls>',
        [C("noop", "", {})],
    ),
    Case(
        "deepseek_v32",
        "a JSON body",
        '<｜DSML｜function_calls><｜DSML｜invoke name="noop">{"k": 1}</｜DSML｜invoke></｜DSML｜function_calls>',
        [C("noop", '{"k": 1}', {"k": 1})],
    ),
    Case(
        "llama3_json",
        "a tool of Llama 3.1 itself",
        '<|python_tag|>brave_search.call(query="oslo")',
        [C("brave_search", 'query="oslo"', {"query": "oslo"})],
    ),
    Case(
        "ernie45",
        "reasoning and an answer",
        "Plan.\n</think>\n\n<response>\nFour.\n</response>\n",
        [R("Plan.\n"), T("Four.")],
    ),
    Case(
        "ernie45",
        "reasoning and a call",
        f"Plan.\n</think>\n\n\n<tool_call>\n{CALL}\n</tool_call>\n",
        [R("Plan.\n"), C("get_weather", W, WEATHER)],
    ),
    Case(
        "ernie45",
        "two calls",
        f"<tool_call>\n{CALL}\n</tool_call>\n<tool_call>\n{NOOP}\n</tool_call>\n",
        [C("get_weather", W, WEATHER), C("noop", "{}", {})],
        CLOSED,
    ),
    Case("xlam", "in a fence", f"```json\n[{NOOP}]\n```", [C("noop", "{}", {})]),
]

CASES = [*(case for sample in SAMPLES for case in sample.cases()), *SPECIAL]
