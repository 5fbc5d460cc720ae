"""The formats of open models, and the tools that their tests declare. (Their cases: tests/corpus.)"""

from __future__ import annotations

from streamparse import formats
from tests.formats.kit import tool

#: The names of the issue, in its order.
NAMES = (
    *("hermes", "qwen3", "longcat", "ernie45", "internlm", "granite20b", "gigachat3", "inkling", "minimax_m1"),
    *("llama3_json", "mistral_v3", "mistral", "granite3", "jamba", "hunyuan_a13b", "apriel", "nemotron_v2", "phi4"),
    *("xlam", "apertus", "cohere_command3", "cohere_command4", "command_r", "deepseek_v3", "deepseek_v31"),
    *("deepseek_v32", "deepseek_v4", "kimi_k2", "kimi_k3", "functionary_v31", "functionary_v32", "harmony"),
    *("solar_open", "qwen3_coder", "mimo", "seed_oss", "glm45", "glm47", "hunyuan3", "minimax_m2", "minimax_m3"),
    *("step3", "dots", "minicpm5", "muse", "pythonic", "olmo3", "lfm2", "functiongemma", "gemma4", "deepseek_v41"),
    *("gigachat35", "hy_v4", "iquest_q1", "spark25", "k2_horizon", "plamo3", "beam", "kimi_vl", "granite_thinking"),
    "minicpmv",
)
#: Those of them that are there, and one that is written like another.
THERE = tuple(name for name in (*NAMES, "llama4_pythonic") if name in formats.names())

TOOLS = (tool("get_weather", city="string", days="integer"), tool("noop"))
