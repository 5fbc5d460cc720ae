"""The formats that come with the library: where each of them is declared.

    "roo"           streamparse/formats/cline.py, `ROO`
    "xml_tag"       an alias of "xml": streamparse/formats/xml.py, `XML`
    "ministral"     what an engine calls "mistral"

A format is imported when it is first asked for. Most programs need one or two, and all of them together take as long
to import as the rest of the library. The price: name and aliases stand here as well as in the declaration (a test
compares them). What the engines call their parsers, where it is another name, stands here alone; and which model writes
which format stands in `models.py`.
"""

from __future__ import annotations

from functools import cache
from typing import NamedTuple

from streamparse import deferred
from streamparse.formats.format import Format

#: By name, in the order in which they are listed: the module that declares it, and its aliases.
_TABLE: dict[str, tuple[str, ...]] = {
    "auto": ("auto",),
    "xml": ("xml", "xml_tag"),
    "json": ("json", "json_tool"),
    "sentinel": ("sentinel",),
    "native": ("native", "api_tool_call"),
    "cline": ("cline",),
    "roo": ("cline",),
    "hermes": ("hermes", "qwen25"),
    "qwen3": ("hermes",),
    "longcat": ("longcat",),
    "mistral": ("mistral",),
    "mistral_v3": ("mistral",),
    "deepseek_v3": ("deepseek",),
    "deepseek_v31": ("deepseek",),
    "ernie45": ("ernie", "ernie"),
    "internlm": ("internlm", "interns1"),
    "granite20b": ("granite", "granite_20b_fc"),
    "gigachat3": ("gigachat", "gigachat"),
    "minimax_m1": ("minimax_m1",),
    "granite3": ("granite", "granite"),
    "jamba": ("tool_calls_list",),
    "hunyuan_a13b": ("tool_calls_list",),
    "apriel": ("tool_calls_list",),
    "nemotron_v2": ("nemotron_v2",),
    "phi4": ("phi4", "phi4_mini_json", "firefunction"),
    "xlam": ("xlam",),
    "apertus": ("apertus", "apertus2509"),
    "beam": ("beam",),  # its calls have the headers of harmony, and more to tell them
    "harmony": ("harmony", "gpt_oss"),
    "muse": ("muse", "muse_glimmer"),
    "inkling": ("inkling",),
    "solar_open": ("solar",),
    "functionary_v31": ("functionary",),
    "functionary_v32": ("functionary",),
    "plamo3": ("plamo3",),
    "kimi_k2": ("kimi",),
    "kimi_vl": ("kimi",),
    "cohere_command3": ("cohere",),
    "cohere_command4": ("cohere",),
    "command_r": ("cohere",),
    "qwen3_coder": ("qwen3_coder", "qwen3_xml", "nemotron_v3", "step3p5", "nanbeige", "ornith"),
    "granite_thinking": ("qwen3_coder",),
    "minicpmv": ("qwen3_coder",),
    "mimo": ("qwen3_coder",),
    "seed_oss": ("qwen3_coder", "seed"),
    "glm45": ("glm", "glm", "poolside_v1"),
    "glm47": ("glm", "ling3"),
    "spark25": ("glm",),
    "iquest_q1": ("glm",),
    "k2_horizon": ("k2_horizon",),
    "hunyuan3": ("glm", "hy_v3"),
    "hy_v4": ("glm",),
    "deepseek_v32": ("dsml",),
    "deepseek_v4": ("dsml",),
    "deepseek_v41": ("dsml",),
    "gigachat35": ("dsml",),
    "minimax_m2": ("invoke",),
    "minimax_m3": ("minimax_m3",),
    "step3": ("step3",),
    "dots": ("invoke",),
    "minicpm5": ("invoke",),
    "kimi_k3": ("kimi_k3",),
    "pythonic": ("pythonic",),
    "llama4_pythonic": ("pythonic",),
    "olmo3": ("olmo3",),
    "lfm2": ("lfm2",),
    "functiongemma": ("gemma",),
    "gemma4": ("gemma",),
    "llama3_json": ("llama3", "llama3", "llama4_json"),
    "llama3_code": ("llama3",),
}
#: By the name of the format, what engines (vLLM, SGLang, Ollama, NVIDIA's) call the parser that reads it.
_ENGINE_NAMES: dict[str, tuple[str, ...]] = {
    "hermes": ("granite4",),
    "qwen3": ("qwen", "qwen3_json", "qwen3_thinking", "qwen3_vl_instruct", "qwen3_vl_thinking", "trinity", "holo2"),
    "qwen3_coder": ("qwen3.5", "nemotron_3", "nemotron_3_nano"),
    "granite_thinking": ("granite_thinking_parser",),
    "kimi_vl": ("kimi",),
    "mistral": ("ministral",),
    "deepseek_v3": ("deepseek_r1", "cogito"),
    "deepseek_v31": ("deepseek3",),
    "minimax_m1": ("minimax",),
    "minimax_m2": ("minimax_m2_append_think", "minimax_append_think"),
    "glm45": ("laguna",),
    "hunyuan3": ("hunyuan",),
    "harmony": ("openai_gptoss",),
    "muse": ("glimmer",),
    "cohere_command4": ("cohere",),
    "nemotron_v2": ("llama_nemotron_json",),
    "llama4_pythonic": ("llama4",),
    "lfm2": ("lfm2_thinking",),
    "olmo3": ("olmo3_think",),
}


class Shipped(NamedTuple):
    """Where to find a format."""

    name: str
    module: str


#: By names and aliases.
SHIPPED: dict[str, Shipped] = {
    key: Shipped(name, module) for name, (module, *aliases) in _TABLE.items() for key in (name, *aliases)
}


#: By what engines call them.
IN_ENGINES: dict[str, Shipped] = {key: SHIPPED[name] for name, keys in _ENGINE_NAMES.items() for key in keys}


@cache
def load(shipped: Shipped) -> Format:
    """The format itself: the constant of its name."""
    found = deferred.load(f"streamparse.formats.{shipped.module}", shipped.name.upper())
    assert isinstance(found, Format)
    return found
