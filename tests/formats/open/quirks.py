"""What models of each format do besides the sample: other keys, ids, missing and doubled closers, odd places."""

from __future__ import annotations

from typing import Any

from tests.formats.kit import tool
from tests.formats.open.kit import CUT, TOOLS, WEATHER, C, Case, R, Row, T, bad
from tests.formats.open.samples import (
    CALL,
    CLOSED,
    COHERE_CALL,
    COHERE_NOOP,
    DSML_PARAMETERS,
    GLM47_ARGUMENTS,
    GLM_ARGUMENTS,
    HARMONY_CALL,
    K2_CALL,
    K3_ARGUMENTS,
    K3_CALL,
    NOOP,
    NS,
    ONE_CITY,
    OSLO,
    P_CALL,
    P_NOOP,
    PARAMETERS,
    QWEN_CALL,
    QWEN_PARAMETERS,
    SOLAR,
    SOLAR_CALL,
    V3_CALL,
    V31_CALL,
    W,
)

OPEN = {"reasoning": "open"}
WEATHER_CALL = C("get_weather", W, WEATHER)
NOOP_CALL = C("noop", "{}", {})
EMPTY_CALL = C("noop", "", {})


def city(content: str, value: Any = "Oslo", **end: Any) -> Row:
    return C("get_weather", content, {"city": value}, **end)


def _hermes_like(format: str, opener: str, closer: str, config: dict[str, Any]) -> list[Case]:
    """One object between markers: what holds for hermes holds for those that copy it."""
    quoted = '"{\\"city\\": \\"Oslo\\"}"'

    def case(title: str, text: str, *rows: Row) -> Case:
        return Case(format, title, text, rows, config)

    return [
        case("no blanks", f"{opener}{CALL}{closer}", WEATHER_CALL),
        case("blanks all over", f"{opener} \n {CALL} \n {closer}.", WEATHER_CALL, T(".")),
        case("keys the other way round", f'{opener}{{"arguments": {W}, "name": "get_weather"}}{closer}', WEATHER_CALL),
        case("parameters for arguments", f"{opener}\n{P_CALL}\n{closer}", WEATHER_CALL),
        case(
            "arguments in a string",
            f'{opener}{{"name": "get_weather", "arguments": {quoted}}}{closer}',
            city(quoted),
        ),
        case("no closer at the end", f"{opener}\n{CALL}", WEATHER_CALL),
        case("half a closer at the end", f"{opener}\n{CALL}\n{closer[:-3]}", WEATHER_CALL),
        case(
            "the closer in a string",
            f'{opener}{{"name": "get_weather", "arguments": {{"city": "{closer}"}}}}{closer}!',
            city(f'{{"city": "{closer}"}}', closer),
            T("!"),
        ),
        case(
            "cut in a string",
            f'{opener}{{"name": "get_weather", "arguments": {{"city": "Os',
            C("get_weather", '{"city": "Os', None, **CUT),
        ),
        case(
            "no JSON in the arguments, and the stream goes on",
            f'{opener}{{"name": "get_weather", "arguments": {{"city" "Oslo"}}}}{closer} ok',
            bad("get_weather", '{"city" "Oslo"}'),
            T(" ok"),
        ),
    ]


JSON_OBJECTS = [
    *_hermes_like("hermes", "<tool_call>", "</tool_call>", {}),
    *_hermes_like("qwen3", "<tool_call>", "</tool_call>", {}),
    *_hermes_like("longcat", "<longcat_tool_call>", "</longcat_tool_call>", {}),
    Case("hermes", "two objects in a pair", f"<tool_call>{CALL}\n{NOOP}</tool_call>", [WEATHER_CALL, NOOP_CALL]),
    Case("hermes", "a list in a pair", f"<tool_call>\n[{CALL}, {NOOP}]\n</tool_call>", [WEATHER_CALL, NOOP_CALL]),
    Case("hermes", "the opener in prose", "Write <tool_call> first.", [T("Write <tool_call> first.")]),
    Case(
        "hermes",
        "the opener in code",
        f"See `<tool_call>{NOOP}</tool_call>`.",
        [T(f"See `<tool_call>{NOOP}</tool_call>`.")],
    ),
    Case(
        "hermes",
        "calls in reasoning stay there",
        f"<think>a<tool_call>{NOOP}</tool_call></think>b",
        [R(f"a<tool_call>{NOOP}</tool_call>"), T("b")],
    ),
    Case(
        "hermes",
        "several thoughts, doubled closers",
        "<think>a</think></think>b<think>c</think>",
        [R("a"), T("b"), R("c")],
    ),
    Case("hermes", "a thought that does not end", "<think>a", [R("a", **CUT)]),
    Case(
        "qwen3",
        "a call ends reasoning",
        f"<think>hm <tool_call>\n{CALL}\n</tool_call> ok",
        [R("hm "), WEATHER_CALL, T(" ok")],
    ),
    Case(
        "qwen3",
        "a call ends reasoning that the prompt began",
        f"hm\n<tool_call>\n{CALL}\n</tool_call>",
        [R("hm\n"), WEATHER_CALL],
        OPEN,
    ),
    Case(
        "qwen3",
        "closers again and again",
        f"hm</think></think><tool_call>{NOOP}</tool_call></think>!",
        [R("hm"), NOOP_CALL, T("!")],
        OPEN,
    ),
    Case("ernie45", "an answer alone", "<response>\nFour.\n</response>\n", [T("Four.")], CLOSED),
    Case("ernie45", "reasoning that is never closed", "Plan.", [R("Plan.", **CUT)]),
    Case(
        "ernie45",
        "the opener of reasoning too",
        "<think>Plan.</think>\n\n<response>\nFour.\n</response>\n",
        [R("Plan."), T("Four.")],
        CLOSED,
    ),
    Case("ernie45", "no closer at the end", f"Plan.\n</think>\n\n\n<tool_call>\n{CALL}", [R("Plan.\n"), WEATHER_CALL]),
    Case("internlm", "no blank, no line", f"<|action_start|><|plugin|>{P_CALL}<|action_end|>", [WEATHER_CALL]),
    Case(
        "internlm",
        "arguments for parameters",
        f"<|action_start|> <|plugin|>\n{CALL}<|action_end|>.",
        [WEATHER_CALL, T(".")],
    ),
    Case("internlm", "no closer at the end", f"Hi<|action_start|> <|plugin|>{P_NOOP}", [T("Hi"), NOOP_CALL]),
    Case("granite20b", "text behind", f"<function_call> {CALL}\nDone.", [WEATHER_CALL, T("\nDone.")]),
    Case("granite20b", "no blanks at all", f"<function_call>{CALL}<function_call>{NOOP}", [WEATHER_CALL, NOOP_CALL]),
    Case(
        "granite20b",
        "cut before the last bracket",
        f"<function_call> {CALL[:-2]}",
        [C("get_weather", W[:-1], None, **CUT)],
    ),
    Case("gigachat3", "the end of the turn", f"Hi<|function_call|>{CALL}</s>", [T("Hi"), WEATHER_CALL]),
    Case(
        "gigachat3",
        "a raw line break in a string",
        '<|function_call|>{"name": "get_weather", "arguments": {"city": "Os\nlo\t"}}',
        [city('{"city": "Os\nlo\t"}', "Os\nlo\t")],
    ),
    Case("inkling", "an answer", "<|message_model|><|content_text|>Four.<|end_message|>", [T("Four.")]),
    Case(
        "inkling",
        "the end of sampling",
        "<|message_model|><|content_text|>Four.<|content_model_end_sampling|>",
        [T("Four.")],
    ),
    Case(
        "inkling",
        "the name only in the object",
        f'<|message_model|><|content_invoke_tool_json|>{{"name": "get_weather", "args": {W}}}<|end_message|>',
        [WEATHER_CALL],
    ),
    Case(
        "inkling",
        "a call whose payload is text",
        "<|message_model|>noop<|content_invoke_tool_text|>ls -l<|end_message|>!",
        [C("noop", "ls -l", None), T("!")],
    ),
    Case(
        "inkling",
        "an error token by itself",
        "<|message_model|><|content_text|>Hm.<|end_message|><|content_tool_error|>",
        [T("Hm.")],
    ),
    Case("minimax_m1", "all on one line", f"<tool_calls>{CALL}{NOOP}</tool_calls>.", [WEATHER_CALL, NOOP_CALL, T(".")]),
    Case("minimax_m1", "no closer at the end", f"<tool_calls>\n{CALL}\n{NOOP}", [WEATHER_CALL, NOOP_CALL]),
    Case(
        "minimax_m1",
        "cut in the second",
        f"<tool_calls>\n{CALL}\n{CALL[:-2]}",
        [WEATHER_CALL, C("get_weather", W[:-1], None, **CUT)],
    ),
    Case("llama3_json", "no marker", P_CALL, [WEATHER_CALL]),
    Case("llama3_json", "no marker, two calls", f"{P_CALL};{P_NOOP}", [WEATHER_CALL, NOOP_CALL]),
    Case("llama3_json", "arguments for parameters", f"<|python_tag|>{CALL}<|eom_id|>", [WEATHER_CALL]),
    Case("llama3_json", "the end of the turn", "Four.<|eot_id|>", [T("Four.")]),
    Case("llama3_json", "an object that is no call", '{"a": 1}', [T('{"a": 1}')]),
]

ARRAYS = [
    Case("mistral_v3", "no blank", f"[TOOL_CALLS][{CALL},{NOOP}]", [WEATHER_CALL, NOOP_CALL]),
    Case(
        "mistral_v3",
        "ids",
        f'[TOOL_CALLS] [{{"id": "a1b2c3d4e", "name": "get_weather", "arguments": {OSLO}}}]',
        [C("get_weather", OSLO, ONE_CITY, "a1b2c3d4e")],
    ),
    Case("mistral_v3", "text behind the list", f"[TOOL_CALLS] [{NOOP}] and so on", [NOOP_CALL, T(" and so on")]),
    Case(
        "mistral_v3",
        "cut in the second",
        f"[TOOL_CALLS] [{CALL}, {CALL[:-2]}",
        [WEATHER_CALL, C("get_weather", W[:-1], None, **CUT)],
    ),
    Case("mistral_v3", "the end of the turn", f"[TOOL_CALLS] [{NOOP}]</s>", [NOOP_CALL]),
    Case("granite3", "the marker of 3.1", f"<tool_call>[{CALL}, {NOOP}]", [WEATHER_CALL, NOOP_CALL]),
    Case("granite3", "blanks behind the marker", f"<|tool_call|> \n[{CALL}].", [WEATHER_CALL, T(".")]),
    Case("granite3", "other sentences", "Here's my thought process: a Here's my response: b", [R(" a "), T(" b")]),
    Case("granite3", "the wrappers of 3.3", "<think>a</think><response>b</response>", [R("a"), T("b")]),
    Case("jamba", "no lines", f"<tool_calls>[{CALL}]</tool_calls>.", [WEATHER_CALL, T(".")]),
    Case("jamba", "no closer at the end", f"Hi <tool_calls>[{CALL}, {NOOP}]", [T("Hi "), WEATHER_CALL, NOOP_CALL]),
    Case("jamba", "a blank before is no content", f" <tool_calls>[{CALL}]</tool_calls>", [WEATHER_CALL]),
    Case("hunyuan_a13b", "the role's name", f"助手：<tool_calls>[{CALL}]</tool_calls>", [WEATHER_CALL]),
    Case(
        "hunyuan_a13b",
        "calls in reasoning stay there",
        f"<think>a <tool_calls>[{NOOP}]</tool_calls></think>b",
        [R(f"a <tool_calls>[{NOOP}]</tool_calls>"), T("b")],
    ),
    Case("hunyuan_a13b", "an answer", "<think>\na\n</think>\n<answer>\nFour.\n</answer>", [R("\na\n"), T("Four.")]),
    Case(
        "apriel",
        "ids",
        '<tool_calls>[{"id": "c7", "name": "noop", "arguments": {}}]</tool_calls>',
        [C("noop", "{}", {}, "c7")],
        CLOSED,
    ),
    Case("apriel", "an answer", "Plan.\n[BEGIN FINAL RESPONSE]\nFour.", [R("Plan."), T("Four.")]),
    Case("apriel", "reasoning that is never closed", "Plan.\n[BEGIN FINAL", [R("Plan.\n[BEGIN FINAL", **CUT)]),
    Case("nemotron_v2", "blanks", f"<TOOLCALL> [ {CALL} ,\n{NOOP} ] </TOOLCALL>.", [WEATHER_CALL, NOOP_CALL, T(".")]),
    Case("nemotron_v2", "no closer at the end", f"<TOOLCALL>[{CALL}]", [WEATHER_CALL]),
    Case("phi4", "a blank before", f" functools[{CALL}]", [WEATHER_CALL]),
    Case("phi4", "parameters for arguments", f"functools[{P_CALL}, {P_NOOP}] ok", [WEATHER_CALL, NOOP_CALL, T(" ok")]),
    Case("phi4", "the word in prose", "import functools; functools.wraps", [T("import functools; functools.wraps")]),
    Case("xlam", "the marker of mistral", f"[TOOL_CALLS][{CALL}]", [WEATHER_CALL]),
    Case("xlam", "the marker of hermes", f"<tool_call>[{CALL}]</tool_call>", [WEATHER_CALL]),
    Case("xlam", "after reasoning", f"<think>a</think>[{CALL}]", [R("a"), WEATHER_CALL]),
    Case(
        "xlam", "a fence after reasoning", f"<think>a</think>\n```json\n[{CALL}]\n```", [R("a"), T("\n"), WEATHER_CALL]
    ),
    Case("xlam", "a list that holds no calls", "[1, 2]", [T("[1, 2]")]),
    Case(
        "apertus",
        "blanks",
        f'<|tools_prefix|> [ {{"get_weather" : {W} }} , {{"noop": {{}}}} ] <|tools_suffix|>.',
        [WEATHER_CALL, NOOP_CALL, T(".")],
    ),
    Case("apertus", "no closer at the end", f'<|tools_prefix|>[{{"get_weather": {W}}}]', [WEATHER_CALL]),
    Case(
        "apertus",
        "two thoughts",
        "<|inner_prefix|>a<|inner_suffix|>b<|inner_prefix|>c<|inner_suffix|><|inner_suffix|>",
        [R("a"), T("b"), R("c")],
    ),
    *(
        Case(format, title, text, rows, CLOSED)
        for format in ("cohere_command3", "cohere_command4")
        for title, text, rows in (
            (
                "no lines",
                f"<|START_ACTION|>[{COHERE_CALL.strip()},{COHERE_NOOP.strip()}]<|END_ACTION|>",
                [C("get_weather", W, WEATHER, "0"), C("noop", "{}", {}, "1")],
            ),
            ("no closer at the end", f"<|START_ACTION|>[\n{COHERE_NOOP}", [C("noop", "{}", {}, "1")]),
        )
    ),
    Case(
        "command_r",
        "two on one line",
        'Action:\n```json\n[{"tool_name": "noop", "parameters": {}}, {"tool_name": "noop", "parameters": {}}]\n```',
        [NOOP_CALL, NOOP_CALL],
    ),
    Case(
        "command_r",
        "no closing fence at the end",
        'Action:\n```json\n[\n{"tool_name": "noop", "parameters": {}}\n]',
        [NOOP_CALL],
    ),
    Case("command_r", "the word in prose", "Action: none needed", [T("Action: none needed")]),
]

NAMES_OUTSIDE = [
    Case("mistral", "text behind the arguments", f"[TOOL_CALLS]get_weather[ARGS]{W} ok", [WEATHER_CALL, T(" ok")]),
    Case(
        "mistral",
        "an id and no [ARGS]",
        f"[TOOL_CALLS]get_weather[CALL_ID]a1b2c3d4e{OSLO}",
        [C("get_weather", OSLO, ONE_CITY, "a1b2c3d4e")],
    ),
    Case("mistral", "a call ends reasoning", "[THINK]a[TOOL_CALLS]noop[ARGS]{}b", [R("a"), NOOP_CALL, T("b")]),
    Case("mistral", "the end of the turn", "[TOOL_CALLS]noop{}</s>", [NOOP_CALL]),
    Case(
        "mistral",
        "cut in the arguments",
        f"[TOOL_CALLS]get_weather[ARGS]{W[:-1]}",
        [C("get_weather", W[:-1], None, **CUT)],
    ),
    Case(
        "deepseek_v3",
        "fences and lines inside the arguments",
        "<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>function<｜tool▁sep｜>get_weather\n```json\n"
        '{\n  "city": "```json\\n{}\\n```"\n}\n```<｜tool▁call▁end｜><｜tool▁calls▁end｜>.',
        [city('{\n  "city": "```json\\n{}\\n```"\n}', "```json\n{}\n```"), T(".")],
    ),
    Case(
        "deepseek_v3",
        "no closers at the end",
        "<｜tool▁calls▁begin｜>" + V3_CALL[: V3_CALL.index("\n```<")],
        [WEATHER_CALL],
    ),
    Case(
        "deepseek_v31",
        "several lines",
        V31_CALL.replace('"Oslo", ', '"Oslo",\n').join(("<｜tool▁calls▁begin｜>", "<｜tool▁calls▁end｜>")),
        [C("get_weather", W.replace(", ", ",\n"), WEATHER)],
    ),
    Case("deepseek_v31", "the section is never closed", f"Hi<｜tool▁calls▁begin｜>{V31_CALL}", [T("Hi"), WEATHER_CALL]),
    Case(
        "deepseek_v31",
        "the end of the turn",
        f"<｜tool▁calls▁begin｜>{V31_CALL}<｜tool▁calls▁end｜><｜end▁of▁sentence｜>",
        [WEATHER_CALL],
    ),
    Case(
        "kimi_k2",
        "an id without its prefix",
        "<|tool_calls_section_begin|>"
        f"{K2_CALL.replace('functions.get_weather:0', 'get_weather:12')}<|tool_calls_section_end|>",
        [C("get_weather", W, WEATHER, "get_weather:12")],
    ),
    Case(
        "kimi_k2",
        "an id that is a number: the schema says whose",
        f"<|tool_calls_section_begin|>{K2_CALL.replace('functions.get_weather:0', '3')}<|tool_calls_section_end|>",
        [C("get_weather", W, WEATHER, "3")],
    ),
    Case(
        "kimi_k2",
        "blanks and lines",
        f"<|tool_calls_section_begin|>\n<|tool_call_begin|>\nfunctions.get_weather:0\n<|tool_call_argument_begin|> {W}"
        " <|tool_call_end|>\n<|tool_calls_section_end|>",
        [C("get_weather", W, WEATHER, "functions.get_weather:0")],
    ),
    Case(
        "kimi_k2",
        "a section inside reasoning, and text behind it",
        f"<think>a<|tool_calls_section_begin|>{K2_CALL}<|tool_calls_section_end|>b",
        [R("a"), C("get_weather", W, WEATHER, "functions.get_weather:0"), T("b")],
    ),
    Case("functionary_v31", "no closer at the end", f"<function=get_weather>{W}", [WEATHER_CALL]),
    Case("functionary_v31", "text around", "a<function=noop>{}</function>b", [T("a"), NOOP_CALL, T("b")]),
    Case(
        "functionary_v32",
        "two calls and an answer",
        f"get_weather\n{W}>>>noop\n{{}}>>>all\nFour.",
        [WEATHER_CALL, NOOP_CALL, T("Four.")],
    ),
    Case("functionary_v32", "an answer only", "all\nFour.", [T("Four.")]),
    Case("functionary_v32", "cut", f"get_weather\n{W[:-1]}", [C("get_weather", W[:-1], None, **CUT)]),
    Case(
        "harmony", "a call on the channel of reasoning", HARMONY_CALL.replace("commentary", "analysis"), [WEATHER_CALL]
    ),
    Case("harmony", "no constraint", HARMONY_CALL.replace(" <|constrain|>json", ""), [WEATHER_CALL]),
    Case("harmony", "a constraint without its token", HARMONY_CALL.replace("<|constrain|>", ""), [WEATHER_CALL]),
    Case("harmony", "no start in the first message", HARMONY_CALL.removeprefix("<|start|>assistant"), [WEATHER_CALL]),
    Case(
        "harmony",
        "the recipient twice",
        HARMONY_CALL.replace("assistant<|", "assistant to=functions.get_weather<|"),
        [WEATHER_CALL],
    ),
    Case(
        "harmony",
        "the channel again behind the name",
        HARMONY_CALL.replace("get_weather <|constrain|>", "get_weather<|channel|>commentary <|constrain|>"),
        [WEATHER_CALL],
    ),
    Case(
        "harmony",
        "a tool of its own",
        '<|channel|>analysis to=browser.search code<|message|>{"query": "oslo"}<|call|>',
        [C("browser.search", '{"query": "oslo"}', {"query": "oslo"})],
    ),
    Case(
        "harmony",
        "several thoughts",
        "<|channel|>analysis<|message|>a<|end|><|start|>assistant<|channel|>analysis<|message|>b<|end|>"
        "<|start|>assistant<|channel|>final<|message|>c<|return|>",
        [R("a"), R("b"), T("c")],
    ),
    Case("harmony", "cut in a thought", "<|channel|>analysis<|message|>a<|e", [R("a<|e", **CUT)]),
    Case("solar_open", "the section is never closed", f"{SOLAR}{SOLAR_CALL}", [C("get_weather", W, WEATHER, "c1")]),
    Case(
        "solar_open",
        "after an answer",
        f"<|content|>Hm.<|end|>{SOLAR}{SOLAR_CALL}<|calls|>",
        [T("Hm."), C("get_weather", W, WEATHER, "c1")],
    ),
]

VALUES = tool(
    "put",
    text="string",
    count="integer",
    ratio="number",
    flag="boolean",
    items={"type": "array"},
    map={"type": "object"},
    maybe={"anyOf": [{"type": "integer"}, {"type": "null"}]},
)


def _qwen(*parameters: tuple[str, str], end: str = "\n</function>\n</tool_call>") -> tuple[str, str]:
    content = "\n".join(f"<parameter={key}>\n{value}\n</parameter>" for key, value in parameters)
    return f"<tool_call>\n<function=put>\n{content}{end}", content


def _typed_qwen() -> list[Case]:
    """Values are text: the schema types them; strings keep every character but one line break at each end."""
    table: list[tuple[str, str, Any]] = [
        ("count", "-7", -7),
        ("ratio", "1.5", 1.5),
        ("flag", "true", True),
        ("flag", "False", False),
        ("items", '[1, {"a": null}]', [1, {"a": None}]),
        ("map", '{"a": [true]}', {"a": [True]}),
        ("maybe", "null", None),
        ("maybe", "3", 3),
        ("text", "3", "3"),
        ("text", "null", "null"),
        ("text", "", ""),
        ("text", "\n a < b & </b> &amp;\n", "\n a < b & </b> &amp;\n"),
        ("text", "a</parameter>b", "a</parameter>b"),
        ("text", "<parameter=text>\nx", "<parameter=text>\nx"),
        ("count", "many", "many"),
    ]
    cases = []
    for key, value, expected in table:
        text, content = _qwen((key, value))
        cases.append(
            Case(
                "qwen3_coder",
                f"{key} {value!r}",
                text + ".",
                [C("put", content, {key: expected}), T(".")],
                {},
                [VALUES],
            )
        )
    return cases


TAGGED = [
    *_typed_qwen(),
    Case(
        "qwen3_coder",
        "no <tool_call>",
        f"Hi\n<function=get_weather>\n{QWEN_PARAMETERS}\n</function>",
        [T("Hi\n"), C("get_weather", QWEN_PARAMETERS, WEATHER)],
    ),
    Case(
        "qwen3_coder",
        "one line",
        "<tool_call><function=get_weather><parameter=city>Oslo</parameter><parameter=days>2</parameter></function>"
        "</tool_call>",
        [C("get_weather", "<parameter=city>Oslo</parameter><parameter=days>2</parameter>", WEATHER)],
    ),
    Case(
        "qwen3_coder",
        "two functions in a block",
        QWEN_CALL.replace("</tool_call>", "<function=noop>\n</function>\n</tool_call>"),
        [C("get_weather", QWEN_PARAMETERS, WEATHER), EMPTY_CALL],
    ),
    Case(
        "qwen3_coder",
        "no </parameter> before the next",
        "<tool_call>\n<function=get_weather>\n<parameter=city>\nOslo\n<parameter=days>\n2\n</parameter>\n</function>\n"
        "</tool_call>",
        [C("get_weather", "<parameter=city>\nOslo\n<parameter=days>\n2\n</parameter>", WEATHER)],
    ),
    Case(
        "qwen3_coder",
        "no </parameter> before the end",
        "<tool_call>\n<function=get_weather>\n<parameter=city>\nOslo\n</function>\n</tool_call>",
        [city("<parameter=city>\nOslo\n", repaired=True)],
    ),
    Case(
        "qwen3_coder",
        "no </function>",
        f"<tool_call>\n<function=get_weather>\n{QWEN_PARAMETERS}\n</tool_call> ok",
        [C("get_weather", QWEN_PARAMETERS, WEATHER, repaired=True), T(" ok")],
    ),
    Case(
        "qwen3_coder",
        "no closers at the end",
        f"<tool_call>\n<function=get_weather>\n{QWEN_PARAMETERS}\n",
        [C("get_weather", QWEN_PARAMETERS + "\n", None, **CUT)],
    ),
    Case(
        "qwen3_coder",
        "only the last closer is missing",
        QWEN_CALL.removesuffix("\n</tool_call>"),
        [C("get_weather", QWEN_PARAMETERS, WEATHER)],
    ),
    Case(
        "qwen3_coder",
        "a call ends reasoning",
        f"hm\n{QWEN_CALL}",
        [R("hm\n"), C("get_weather", QWEN_PARAMETERS, WEATHER)],
        OPEN,
    ),
    Case(
        "qwen3_coder",
        "CRLF around values",
        QWEN_CALL.replace("\n", "\r\n") + "\r\n.",
        [C("get_weather", QWEN_PARAMETERS.replace("\n", "\r\n"), WEATHER), T("\r\n.")],
    ),
    Case(
        "seed_oss",
        "CRLF around values",
        f"<seed:tool_call>\n<function=get_weather>\n{QWEN_PARAMETERS}\n</function>\n</seed:tool_call>.".replace(
            "\n", "\r\n"
        ),
        [C("get_weather", QWEN_PARAMETERS.replace("\n", "\r\n"), WEATHER), T(".")],
    ),
    Case(
        "qwen3_coder",
        "only one CRLF at each end belongs to the tags",
        "<tool_call><function=get_weather><parameter=city>\r\n\r\nOslo\r\r\n</parameter></function></tool_call>",
        [city("<parameter=city>\r\n\r\nOslo\r\r\n</parameter>", "\r\nOslo\r")],
    ),
    Case(
        "mimo",
        "entities",
        "<tool_call>\n<function=get_weather>\n<parameter=city>a &lt; b &amp;amp; c</parameter>\n</function>\n"
        "</tool_call>",
        [city("<parameter=city>a &lt; b &amp;amp; c</parameter>", "a < b &amp; c")],
    ),
    Case(
        "mimo",
        "a closer inside a value",
        "<tool_call><function=get_weather><parameter=city>a</parameter>b</parameter></function></tool_call>",
        [city("<parameter=city>a</parameter>b</parameter>", "a</parameter>b")],
    ),
    Case(
        "seed_oss",
        "lines around values",
        f"<seed:tool_call>\n<function=get_weather>\n{QWEN_PARAMETERS}\n</function>\n</seed:tool_call>",
        [C("get_weather", QWEN_PARAMETERS, WEATHER)],
    ),
    Case(
        "seed_oss",
        "several thoughts",
        "<seed:think>a</seed:think>b<seed:think>c</seed:think></seed:think>",
        [R("a"), T("b"), R("c")],
    ),
    Case(
        "glm45",
        "the line break as two characters",
        "<tool_call>get_weather\\n" + GLM_ARGUMENTS.replace("\n", "\\n") + ("\\n</tool_call>."),
        [C("get_weather", GLM_ARGUMENTS.replace("\n", "\\n"), WEATHER), T(".")],
    ),
    *(
        Case(
            format,
            f"a key without a value {title}",
            f"{opener}<arg_key>days</arg_key>{rest}</tool_call>.",
            [
                C("get_weather", f"<arg_key>days</arg_key>{rest}", None, status="malformed", error="?"),
                T("."),
            ],
        )
        for format, opener in (
            ("glm45", "<tool_call>get_weather\n"),
            ("glm47", "<tool_call>get_weather"),
            ("hunyuan3", "<tool_call>get_weather<tool_sep>"),
        )
        for title, rest in (
            ("before the end", ""),
            ("before another", "\n<arg_key>city</arg_key>\n<arg_value>Oslo</arg_value>"),
        )
    ),
    Case("glm45", "no line in a call without arguments", "a<tool_call>noop</tool_call>b", [T("a"), EMPTY_CALL, T("b")]),
    Case(
        "glm45",
        "a closer inside a value",
        "<tool_call>get_weather\n<arg_key>city</arg_key>\n<arg_value>a</arg_value>b</tool_call>c</arg_value>\n"
        "</tool_call>.",
        [
            city(
                "<arg_key>city</arg_key>\n<arg_value>a</arg_value>b</tool_call>c</arg_value>",
                "a</arg_value>b</tool_call>c",
            ),
            T("."),
        ],
    ),
    Case("glm45", "a call ends reasoning", "<think>a<tool_call>noop\n</tool_call>b", [R("a"), EMPTY_CALL, T("b")]),
    Case(
        "glm47",
        "text between calls",
        "<tool_call>noop</tool_call> and <tool_call>noop</tool_call>",
        [EMPTY_CALL, T(" and "), EMPTY_CALL],
    ),
    Case(
        "glm47",
        "cut in a value",
        f"<tool_call>get_weather{GLM47_ARGUMENTS.removesuffix('</arg_value>')}",
        [C("get_weather", GLM47_ARGUMENTS.removesuffix("</arg_value>"), None, **CUT)],
    ),
    Case("glm47", "a call ends reasoning", "a<tool_call>noop</tool_call>b", [R("a"), EMPTY_CALL, T("b")], OPEN),
    Case(
        "hunyuan3",
        "arguments and reasoning with a suffix",
        "<think:opensource>a</think:opensource><tool_calls:opensource>\n<tool_call:opensource>get_weather"
        "<tool_sep:opensource>\n<arg_key:opensource>city</arg_key:opensource>\n<arg_value:opensource>Oslo"
        "</arg_value:opensource>\n</tool_call:opensource>\n</tool_calls:opensource>",
        [
            R("a"),
            city("<arg_key:opensource>city</arg_key:opensource>\n<arg_value:opensource>Oslo</arg_value:opensource>"),
        ],
    ),
    Case(
        "hunyuan3",
        "calls end reasoning",
        "<think>a<tool_calls>\n<tool_call>noop<tool_sep>\n</tool_call>\n</tool_calls>b",
        [R("a"), EMPTY_CALL, T("b")],
    ),
    *(
        Case(format, title, f"<｜DSML｜{section}>\n{text}\n</｜DSML｜{section}>.", [*rows, T(".")], config, tools)
        for format, section in (("deepseek_v32", "function_calls"), ("deepseek_v4", "tool_calls"))
        for title, text, rows, config, tools in (
            ("closes itself", '<｜DSML｜invoke name="noop"/>', [EMPTY_CALL], {}, TOOLS),
            (
                "a JSON body",
                f'<｜DSML｜invoke name="get_weather">\n{W}\n</｜DSML｜invoke>',
                [WEATHER_CALL],
                {},
                TOOLS,
            ),
            (
                "a JSON body in a wrapper",
                f'<｜DSML｜invoke name="get_weather">{{"arguments": {W}}}</｜DSML｜invoke>',
                [C("get_weather", f'{{"arguments": {W}}}', WEATHER)],
                {},
                TOOLS,
            ),
            (
                "what should be JSON is none",
                '<｜DSML｜invoke name="get_weather">'
                '<｜DSML｜parameter name="days" string="false">two</｜DSML｜parameter>'
                '</｜DSML｜invoke><｜DSML｜invoke name="noop"/>',
                [
                    bad("get_weather", '<｜DSML｜parameter name="days" string="false">two</｜DSML｜parameter>'),
                    EMPTY_CALL,
                ],
                {},
                TOOLS,
            ),
            (
                "its own types before the schema's",
                '<｜DSML｜invoke name="put"><｜DSML｜parameter name="text" string="true">3</｜DSML｜parameter>'
                '<｜DSML｜parameter name="items" string="false">[1, null]</｜DSML｜parameter></｜DSML｜invoke>',
                [
                    C(
                        "put",
                        '<｜DSML｜parameter name="text" string="true">3</｜DSML｜parameter>'
                        '<｜DSML｜parameter name="items" string="false">[1, null]</｜DSML｜parameter>',
                        {"text": "3", "items": [1, None]},
                    )
                ],
                {},
                (),
            ),
        )
    ),
    Case(
        "deepseek_v4",
        "a block inside reasoning",
        (
            '<think>a<｜DSML｜tool_calls>\n<｜DSML｜invoke name="get_weather">\n'
            f"{DSML_PARAMETERS}\n</｜DSML｜invoke>\n</｜DSML｜tool_calls></think>b"
        ),
        [R("a"), C("get_weather", DSML_PARAMETERS, WEATHER), T("b")],
    ),
    Case("deepseek_v4", "closers again and again", "<think>a</think></think>b</think>", [R("a"), T("b")]),
    *(
        Case("minimax_m2", title, f"<minimax:tool_call>\n{text}\n</minimax:tool_call>.", [row, T(".")], CLOSED)
        for title, text, row in (
            (
                "other quotes",
                "<invoke name='get_weather'>\n<parameter name='city'>Oslo</parameter>\n</invoke>",
                city("<parameter name='city'>Oslo</parameter>"),
            ),
            (
                "no quotes",
                "<invoke name=get_weather>\n<parameter name=city>Oslo</parameter>\n</invoke>",
                city("<parameter name=city>Oslo</parameter>"),
            ),
            (
                "blanks around a value are the value's",
                '<invoke name="get_weather">\n<parameter name="city">\n Oslo \n</parameter>\n</invoke>',
                city('<parameter name="city">\n Oslo \n</parameter>', "\n Oslo \n"),
            ),
            (
                "a closer inside a value",
                '<invoke name="get_weather">\n<parameter name="city">a</parameter>b</parameter>\n</invoke>',
                city('<parameter name="city">a</parameter>b</parameter>', "a</parameter>b"),
            ),
        )
    ),
    Case(
        "minimax_m2",
        "cut in a value",
        f'<minimax:tool_call>\n<invoke name="get_weather">\n{PARAMETERS[:-4]}',
        [C("get_weather", PARAMETERS[:-4], None, **CUT)],
        CLOSED,
    ),
    Case(
        "minimax_m3",
        "objects and lists",
        f'{NS}<tool_call>{NS}<invoke name="put">{NS}<map>{NS}<a>1{NS}</a>{NS}</map>'
        f"{NS}<items>{NS}<item>1{NS}</item>{NS}<item>2{NS}</item>{NS}</items>{NS}</invoke>{NS}</tool_call>",
        [
            C(
                "put",
                f"{NS}<map>{NS}<a>1{NS}</a>{NS}</map>"
                f"{NS}<items>{NS}<item>1{NS}</item>{NS}<item>2{NS}</item>{NS}</items>",
                {"map": {"a": 1}, "items": [1, 2]},
            )
        ],
        {},
        [
            tool(
                "put",
                map={"type": "object", "properties": {"a": {"type": "integer"}}},
                items={"type": "array", "items": {"type": "integer"}},
            )
        ],
    ),
    Case(
        "minimax_m3",
        "lines between the prefix and its tag",
        f'{NS}\n<tool_call>{NS} <invoke name="get_weather">{NS} <city>Oslo{NS}\n</city>{NS} </invoke>'
        f"{NS}\n</tool_call>.",
        [city(f"{NS} <city>Oslo{NS}\n</city>"), T(".")],
    ),
    Case("minimax_m3", "a closer of reasoning first of all", "</mm:think>Four.", [T("Four.")]),
    Case(
        "step3",
        "angle brackets in a value",
        '<｜tool_calls_begin｜>\n<｜tool_call_begin｜>function<｜tool_sep｜><steptml:invoke name="get_weather">\n'
        '<steptml:parameter name="city">a < b <c>\n</steptml:parameter>\n</steptml:invoke><｜tool_call_end｜>\n'
        "<｜tool_calls_end｜>",
        [city('<steptml:parameter name="city">a < b <c>\n</steptml:parameter>', "a < b <c>\n")],
    ),
    Case(
        "step3",
        "the section is never closed",
        '<｜tool_calls_begin｜>\n<｜tool_call_begin｜>function<｜tool_sep｜><steptml:invoke name="noop">\n'
        "</steptml:invoke><｜tool_call_end｜>",
        [EMPTY_CALL],
    ),
    Case(
        "dots",
        "an object in the wrapper",
        f"<dots_function_call>\n{CALL}\n</dots_function_call>.",
        [WEATHER_CALL, T(".")],
    ),
    Case(
        "dots",
        "anyOf",
        '<dots_function_call>\n<invoke name="put">\n<parameter name="maybe">null</parameter>\n'
        '<parameter name="count">4</parameter>\n</invoke>\n</dots_function_call>',
        [
            C(
                "put",
                '<parameter name="maybe">null</parameter>\n<parameter name="count">4</parameter>',
                {"maybe": None, "count": 4},
            )
        ],
        {},
        [VALUES],
    ),
    Case(
        "minicpm5",
        "CDATA",
        '<function name="get_weather"><param name="city"><![CDATA[a </param> & <b>]]></param></function>.',
        [city('<param name="city"><![CDATA[a </param> & <b>]]></param>', "a </param> & <b>"), T(".")],
    ),
    Case(
        "minicpm5",
        "lines",
        '<function name="get_weather">\n<param name="days">2</param>\n</function>',
        [C("get_weather", '<param name="days">2</param>', {"days": 2})],
    ),
    Case(
        "minicpm5",
        "cut",
        '<function name="get_weather"><param name="city">Os',
        [C("get_weather", '<param name="city">Os', None, **CUT)],
    ),
    Case(
        "kimi_k3",
        "no closer of reasoning",
        f"Hm.<|open|>tools<|sep|>{K3_CALL}<|close|>tools<|sep|>",
        [R("Hm."), C("get_weather", K3_ARGUMENTS, WEATHER, "1")],
    ),
    Case(
        "kimi_k3",
        "what should be JSON is none",
        '<|open|>tools<|sep|><|open|>call tool="get_weather"<|sep|><|open|>argument key="days" type="number"<|sep|>two'
        "<|close|>argument<|sep|><|close|>call<|sep|><|close|>tools<|sep|>",
        [bad("get_weather", '<|open|>argument key="days" type="number"<|sep|>two<|close|>argument<|sep|>')],
    ),
    Case(
        "kimi_k3",
        "an answer ends reasoning",
        "Hm.<|open|>response<|sep|>Four.<|close|>message<|sep|>",
        [R("Hm."), T("Four.")],
    ),
    Case(
        "kimi_k3",
        "entities in names, not in values",
        '<|open|>tools<|sep|><|open|>call tool="put" index="7"<|sep|><|open|>argument key="a &amp; &quot;b&quot;" '
        'type="string"<|sep|>&amp;<|close|>argument<|sep|><|close|>call<|sep|><|close|>tools<|sep|>',
        [
            C(
                "put",
                '<|open|>argument key="a &amp; &quot;b&quot;" type="string"<|sep|>&amp;<|close|>argument<|sep|>',
                {'a & "b"': "&amp;"},
                "7",
            )
        ],
        CLOSED,
    ),
    Case(
        "muse",
        "calls that are quoted are no calls",
        ' to=self<|message|>I write <atem:invoke name="noop">\n</atem:invoke>.<|eom|><|start|>assistant to=user'
        '<|message|>So <atem:function_calls>\n<atem:invoke name="noop">\n</atem:invoke>\n</atem:function_calls><|eot|>',
        [
            R('I write <atem:invoke name="noop">\n</atem:invoke>.'),
            T('So <atem:function_calls>\n<atem:invoke name="noop">\n</atem:invoke>\n</atem:function_calls>'),
        ],
    ),
    Case(
        "muse",
        "the name doubled in the header",
        ' to=get_weather.get_weather<|message|><atem:function_calls>\n<atem:invoke name="get_weather">\n'
        '<atem:parameter name="days">2</atem:parameter>\n</atem:invoke>\n</atem:function_calls><|eom|>',
        [C("get_weather", '<atem:parameter name="days">2</atem:parameter>', {"days": 2})],
    ),
]


def _literal(format: str, opener: str, closer: str) -> list[Case]:
    """Calls as Python writes them."""
    table: list[tuple[str, str, dict[str, Any]]] = [
        ("both quotes", """a='it\\'s "x"', b="it's \\"x\\"\"""", {"a": 'it\'s "x"', "b": 'it\'s "x"'}),
        ("brackets in strings", "a=')], b(', b='[x](y)'", {"a": ")], b(", "b": "[x](y)"}),
        ("escapes", r"a='a\nb\t\\ \u00e9'", {"a": "a\nb\t\\ é"}),
        ("numbers", "a=-1, b=2.5, c=1e3", {"a": -1, "b": 2.5, "c": 1000.0}),
        ("constants of Python", "a=True, b=False, c=None", {"a": True, "b": False, "c": None}),
        ("constants of JSON", "a=true, b=false, c=null", {"a": True, "b": False, "c": None}),
        ("nested", "a=[1, {'b': [None]}], c={}", {"a": [1, {"b": [None]}], "c": {}}),
    ]
    return [
        Case(format, title, f"{opener}f({text}){closer}.", [C("f", text, arguments), T(".")], CLOSED, ())
        for title, text, arguments in table
        if (format, title) != ("pythonic", "constants of JSON")
    ]


LITERAL = [
    *_literal("pythonic", "[", "]"),
    *_literal("olmo3", "<function_calls>", "</function_calls>"),
    *_literal("lfm2", "<|tool_call_start|>[", "]<|tool_call_end|>"),
    *(
        Case("pythonic", f"no call: {text}", text, [T(text)])
        for text in (
            "[a link](https://x.org/a(b)).",
            "[1] said so",
            "[get_weather] and [x, y](z)",
            "[ ] todo",
            "a[f(x)] = [g(1)]",
            "[f(x)]",
        )
    ),
    Case(
        "llama4_pythonic",
        "its tokens",
        "<|python_start|>[get_weather(city='Oslo', days=2)]<|python_end|>",
        [C("get_weather", "city='Oslo', days=2", WEATHER)],
    ),
    Case("pythonic", "cut", "[get_weather(city='Os", [C("get_weather", "city='Os", None, **CUT)]),
    Case(
        "pythonic",
        "cut in the second",
        "[noop(), get_weather(city='Os",
        [EMPTY_CALL, C("get_weather", "city='Os", None, **CUT)],
    ),
    Case(
        "olmo3",
        "three lines",
        '<function_calls>\nnoop()\nget_weather(city="Oslo", days=2)\nnoop()\n</function_calls>.',
        [EMPTY_CALL, C("get_weather", 'city="Oslo", days=2', WEATHER), EMPTY_CALL, T(".")],
        CLOSED,
    ),
    Case(
        "lfm2",
        "the echo of the model",
        "<|tool_call_start|>[get_weather(city='Oslo', days=2)]<|tool_call_end|>[get_weather(city='Oslo', days=2)]"
        "<|tool_call_end|>Done.",
        [C("get_weather", "city='Oslo', days=2", WEATHER), T("Done.")],
    ),
    Case(
        "lfm2",
        "a list of JSON",
        f"<|tool_call_start|>[{CALL}, {NOOP}]<|tool_call_end|>.",
        [WEATHER_CALL, NOOP_CALL, T(".")],
    ),
    Case(
        "lfm2",
        "dotted names, reserved words, padded numbers, raw lines",
        "<|tool_call_start|>[a.b.c(class='x', in=007, s='1\n2')]<|tool_call_end|>",
        [C("a.b.c", "class='x', in=007, s='1\n2'", {"class": "x", "in": 7, "s": "1\n2"})],
    ),
    Case(
        "functiongemma",
        "nested",
        "<start_function_call>call:put{map:{a:<escape>x, }<escape>,b:[1,true]},count:3}<end_function_call>.",
        [
            C(
                "put",
                "map:{a:<escape>x, }<escape>,b:[1,true]},count:3",
                {"map": {"a": "x, }", "b": [1, True]}, "count": 3},
            ),
            T("."),
        ],
        {},
        [VALUES],
    ),
    Case(
        "functiongemma",
        "cut",
        "<start_function_call>call:get_weather{city:<escape>Os",
        [C("get_weather", "city:<escape>Os", None, **CUT)],
    ),
    Case(
        "gemma4",
        "every type",
        '<|tool_call>call:put{text:<|"|>a "b" }<|"|>,flag:true,maybe:null,ratio:-1.5,items:[1,<|"|>2<|"|>,{}],'
        'map:{a:{b:<|"|><|"|>}}}<tool_call|>.',
        [
            C(
                "put",
                'text:<|"|>a "b" }<|"|>,flag:true,maybe:null,ratio:-1.5,items:[1,<|"|>2<|"|>,{}],'
                'map:{a:{b:<|"|><|"|>}}',
                {
                    "text": 'a "b" }',
                    "flag": True,
                    "maybe": None,
                    "ratio": -1.5,
                    "items": [1, "2", {}],
                    "map": {"a": {"b": ""}},
                },
            ),
            T("."),
        ],
        {},
        [VALUES],
    ),
    Case(
        "gemma4",
        "keys in its quotes",
        '<|tool_call>call:get_weather{<|"|>city<|"|>:<|"|>Oslo<|"|>,days:2}<tool_call|>',
        [C("get_weather", '<|"|>city<|"|>:<|"|>Oslo<|"|>,days:2', WEATHER)],
    ),
    Case(
        "gemma4",
        "two thoughts",
        "<|channel>thought\na<channel|>b<|channel>thought\nc<channel|><channel|>",
        [R("a"), T("b"), R("c")],
    ),
    Case("gemma4", "cut", '<|tool_call>call:get_weather{city:<|"|>Os', [C("get_weather", 'city:<|"|>Os', None, **CUT)]),
]

MORE = [
    Case(
        "apertus",
        "calls inside reasoning are calls",
        '<|inner_prefix|>a<|tools_prefix|>[{"noop": {}}]<|tools_suffix|>b<|inner_suffix|>c',
        [R("a"), NOOP_CALL, R("b"), T("c")],
    ),
    Case(
        "llama3_json",
        "code for the interpreter",
        "<|python_tag|>import os\nprint(os.getcwd())<|eom_id|>",
        [C("python", "import os\nprint(os.getcwd())", None)],
    ),
    Case("granite3", "no marker", f"[{CALL}]", [WEATHER_CALL]),
    Case(
        "seed_oss",
        "a look at the budget inside reasoning",
        "<seed:think>a<seed:cot_budget_reflect> b </seed:cot_budget_reflect>c</seed:think>d",
        [R("a b c"), T("d")],
    ),
]

#: Documents out of order: all that is said of them is that they end, and give the same however they are cut.
ODD = [
    ("glm45", "<tool_call>noop<arg_key>y</arg_key>\n</tool_call>."),
    ("glm45", "<tool_call>noop<arg_key><arg_key>y</arg_key>\n</tool_call>."),
    ("glm45", "<tool_call>noop<arg_key>y</arg_key>\n<tool_call>noop<arg_key>"),
    ("glm47", "<tool_call>noop<arg_key>y</arg_key>\n</tool_call>."),
    ("hunyuan3", "<tool_call>noop<tool_sep><arg_key>y</arg_key>\n</tool_call>."),
    ("minimax_m3", f"{NS}<invoke name=y>{NS}<d>{NS}</invoke>{NS}<l>"),
]

CASES = [*JSON_OBJECTS, *ARRAYS, *NAMES_OUTSIDE, *TAGGED, *LITERAL, *MORE]
