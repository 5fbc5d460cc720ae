"""formats/models.py: the format of a model, by its name."""

from __future__ import annotations

import pytest

from streamparse import RegistryError, StreamingParser, format_for_model, formats
from streamparse.formats import Format
from streamparse.formats.models import find_format

#: Names as people write them: of repositories, of Ollama, of files.
MODELS = {
    "hermes": [
        *("NousResearch/Hermes-2-Pro-Llama-3-8B", "NousResearch/Hermes-2-Pro-Mistral-7B"),
        *("NousResearch/Hermes-2-Theta-Llama-3-8B", "NousResearch/Hermes-3-Llama-3.1-70B", "hermes3:8b"),
        *("NousResearch/Hermes-4-14B", "Qwen/Qwen2.5-7B-Instruct", "Qwen/Qwen2.5-Coder-32B-Instruct", "qwen2.5:14b"),
        *("Qwen/QwQ-32B", "ibm-granite/granite-4.0-h-small", "granite4:tiny-h", "HuggingFaceTB/SmolLM3-3B"),
        *("speakleash/Bielik-11B-v3.0-Instruct", "arcee-ai/Trinity-Mini", "RekaAI/reka-edge-2603"),
        "LGAI-EXAONE/K-EXAONE-236B-A23B",
    ],
    "qwen3": [
        *("qwen-3-32b", "Qwen/Qwen3-VL-8B-Instruct"),
        "Qwen/Qwen3-8B",
        "Qwen/Qwen3-235B-A22B-Thinking-2507",
        "qwen3:30b-a3b",
        "Qwen3-32B-Q4_K_M.gguf",
    ],
    "longcat": ["meituan-longcat/LongCat-Flash-Chat"],
    "mistral": [
        *("mistralai/Mistral-Small-3.2-24B-Instruct-2506", "mistralai/Devstral-Small-2507", "devstral:24b"),
        *("mistralai/Magistral-Small-2509", "mistralai/Ministral-3-8B-Instruct-2512"),
        *("mistralai/Mistral-Large-3-675B-Instruct-2512", "mistral-medium-2508", "mistral-large-latest"),
    ],
    "mistral_v3": [
        *("mistralai/Mistral-7B-Instruct-v0.3", "mistralai/Mistral-Nemo-Instruct-2407", "mistral-nemo:12b"),
        *("mistralai/Mixtral-8x22B-Instruct-v0.1", "mistralai/Mistral-Large-Instruct-2407", "mistral:7b"),
        *("mistralai/Mistral-Small-Instruct-2409", "mistralai/Mistral-Small-24B-Instruct-2501"),
    ],
    "deepseek_v3": [
        *("deepseek-ai/DeepSeek-V3", "deepseek-ai/DeepSeek-V3-0324", "deepseek-ai/DeepSeek-R1", "deepseek-r1:70b"),
        *("deepseek-ai/DeepSeek-R1-0528", "deepcogito/cogito-v2-preview-llama-70B", "deepseek-v3:671b"),
        *("deepseek-ai/DeepSeek-R1-Distill-Qwen-32B", "deepseek-ai/DeepSeek-R1-Distill-Llama-70B"),
        *("deepseek-ai/DeepSeek-R1-0528-Qwen3-8B", "deepcogito/cogito-v1-preview-qwen-32B"),
    ],
    "deepseek_v31": ["deepseek-ai/DeepSeek-V3.1", "deepseek-ai/DeepSeek-V3.1-Terminus"],
    "ernie45": ["baidu/ERNIE-4.5-21B-A3B-Thinking", "baidu/ERNIE-4.5-300B-A47B-PT"],
    "internlm": ["internlm/internlm2_5-7b-chat", "internlm/internlm2-chat-20b", "internlm/Intern-S1"],
    "granite20b": ["ibm-granite/granite-20b-functioncalling"],
    "gigachat3": ["ai-sage/GigaChat3-10B-A1.8B", "ai-sage/GigaChat3-702B-A36B-preview", "ai-sage/GigaChat3.1-10B"],
    "minimax_m1": ["MiniMaxAI/MiniMax-M1-80k"],
    "granite3": [
        *("ibm-granite/granite-3.0-8b-instruct", "ibm-granite/granite-3.1-8b-instruct", "granite3.3:8b"),
        "ibm-granite/granite-3.3-8b-instruct",
    ],
    "jamba": ["ai21labs/AI21-Jamba-1.5-Mini", "ai21labs/AI21-Jamba-Large-1.6"],
    "hunyuan_a13b": ["tencent/Hunyuan-A13B-Instruct"],
    "apriel": ["ServiceNow-AI/Apriel-1.5-15b-Thinker", "ServiceNow-AI/Apriel-1.6-15b-Thinker"],
    "nemotron_v2": ["nvidia/NVIDIA-Nemotron-Nano-9B-v2", "nvidia/NVIDIA-Nemotron-Nano-12B-v2"],
    "phi4": ["microsoft/Phi-4-mini-instruct", "phi4-mini:3.8b", "fireworks-ai/firefunction-v2"],
    "xlam": [
        *("Salesforce/Llama-xLAM-2-8b-fc-r", "Salesforce/xLAM-2-32b-fc-r", "Salesforce/xLAM-2-3b-fc-r"),
        "Salesforce/Llama-xLAM-2-70b-fc-r",
    ],
    "apertus": ["swiss-ai/Apertus-8B-Instruct-2509", "swiss-ai/Apertus-70B-Instruct-2509"],
    "cohere_command3": [
        *("CohereLabs/c4ai-command-r7b-12-2024", "CohereLabs/c4ai-command-a-03-2025", "command-a:111b"),
        "CohereLabs/command-a-reasoning-08-2025",
    ],
    "cohere_command4": ["CohereLabs/command-a-plus"],
    "command_r": [
        *("CohereLabs/c4ai-command-r-plus-08-2024", "CohereLabs/c4ai-command-r-v01", "command-r:35b"),
        "CohereLabs/c4ai-command-r-08-2024",
    ],
    "deepseek_v32": ["deepseek-ai/DeepSeek-V3.2", "deepseek-ai/DeepSeek-V3.2-Exp"],
    "deepseek_v4": ["deepseek-ai/DeepSeek-V4-Flash"],
    "kimi_k2": ["moonshotai/Kimi-K2-Instruct-0905", "moonshotai/Kimi-K2-Thinking", "moonshotai/Kimi-K2.5"],
    "kimi_k3": ["moonshotai/Kimi-K3"],
    "functionary_v31": ["meetkai/functionary-medium-v3.1"],
    "functionary_v32": ["meetkai/functionary-small-v3.2"],
    "harmony": ["openai/gpt-oss-20b", "gpt-oss:120b"],
    "solar_open": ["upstage/Solar-Open-100B"],
    "qwen3_coder": [
        *("Qwen/Qwen3-Coder-30B-A3B-Instruct", "Qwen/Qwen3-Next-80B-A3B-Instruct", "Qwen/Qwen3.5-35B-A3B"),
        *("nvidia/NVIDIA-Nemotron-3-Nano-30B-A3B-BF16", "stepfun-ai/Step-3.5-Flash", "LGAI-EXAONE/K-EXAONE-2"),
        *("qwen3-coder:30b", "qwen-3-coder-480b"),
    ],
    "mimo": ["XiaomiMiMo/MiMo-V2-Flash", "XiaomiMiMo/MiMo-VL-7B-RL"],
    "seed_oss": ["ByteDance-Seed/Seed-OSS-36B-Instruct"],
    "glm45": ["zai-org/GLM-4.5-Air", "zai-org/GLM-4.6V", "poolside/Laguna-XS.2"],
    "glm47": ["zai-org/GLM-4.7-Flash", "zai-org/GLM-5.1", "inclusionAI/Ling-3"],
    "hunyuan3": ["tencent/Hunyuan-3", "tencent/Hy3"],
    "minimax_m2": ["MiniMaxAI/MiniMax-M2", "MiniMaxAI/MiniMax-M2.5"],
    "minimax_m3": ["MiniMaxAI/MiniMax-M3"],
    "step3": ["stepfun-ai/step3"],
    "dots": ["rednote-hilab/dots.llm1.inst"],
    "minicpm5": ["openbmb/MiniCPM5-1B"],
    "muse": ["muse-glimmer"],
    "inkling": ["Inkling-1"],
    "pythonic": ["Team-ACE/ToolACE-2-Llama-3.1-8B", "fixie-ai/ultravox-v0_5-llama-3_2-1b"],
    "llama4_pythonic": ["meta-llama/Llama-4-Scout-17B-16E-Instruct", "llama4:scout"],
    "llama3_json": ["meta-llama/Meta-Llama-3.1-70B-Instruct", "meta-llama/Llama-3.3-70B-Instruct", "llama3.2:3b"],
    "olmo3": ["allenai/Olmo-3-7B-Instruct", "allenai/Olmo-3.1-32B-Think"],
    "lfm2": ["LiquidAI/LFM2-1.2B-Tool", "LiquidAI/LFM2.5-1.2B-Instruct"],
    "functiongemma": ["google/functiongemma-270m-it"],
    "gemma4": ["google/gemma-4-31b-it", "gemma4:27b"],
}


@pytest.mark.parametrize(("model", "format"), [(model, name) for name, models in MODELS.items() for model in models])
def test_the_format_of_a_model(model: str, format: str) -> None:
    assert format_for_model(model) == format
    assert formats.format_for_model(f"  {model.upper()} ") == format


def test_the_name_is_one_that_a_parser_takes() -> None:
    assert all(StreamingParser(format_for_model(models[0])) for models in MODELS.values())


def test_every_format_of_a_model_is_found_by_each_of_its_patterns() -> None:
    for name in formats.names():
        for pattern in formats.get(name).models:
            assert pattern == pattern.lower(), "patterns are written as they are compared"
            assert format_for_model(pattern.replace("*", "")) == name


def test_the_pattern_that_says_most_wins_whatever_the_order() -> None:
    wide, narrow = Format("wide", models=("*ab*",)), Format("narrow", models=("*x*", "*ab-c*"))
    for known in ([wide, narrow], [narrow, wide]):
        assert find_format("q/AB-C-7b", known) is narrow
        assert find_format("q/ab-7b", known) is wide
        assert find_format("ab-c/ab-7b", known) is wide, "the owner says nothing"


def test_a_pattern_that_begins_where_the_name_does_counts_most() -> None:
    tuned, base = Format("tuned", models=("mine-*",)), Format("base", models=("*llama-3.1*",))
    assert find_format("Mine-3-Llama-3.1-8B", [base, tuned]) is tuned
    assert find_format("not-Mine-3-Llama-3.1-8B", [base, tuned]) is base


def test_only_a_star_stands_for_anything() -> None:
    (known,) = [Format("a", models=("b?[c].*d",))]
    assert find_format("b?[c].\n d", [known]) is known
    with pytest.raises(RegistryError):
        find_format("bxc.d", [known])


@pytest.mark.parametrize(
    ("model", "hint"),
    [
        ("acme/Deepsek-V3.1", "known names are like deepseek-v3.1, deepseek-v3.2, deepseek-v3; "),
        ("zzz", ""),
    ],
)
def test_an_unknown_model_is_refused_with_a_hint(model: str, hint: str) -> None:
    with pytest.raises(RegistryError) as caught:
        format_for_model(model)
    assert str(caught.value) == (
        f"no format is known for the model {model!r}; {hint}"
        "choose a format by its own name (`streamparse formats` lists them), or 'auto'"
    )


def test_a_model_is_named_by_a_string() -> None:
    with pytest.raises(TypeError, match=r"^a model is named by a string, not 5$"):
        format_for_model(5)  # type: ignore[arg-type]
