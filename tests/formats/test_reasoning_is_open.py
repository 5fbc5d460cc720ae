"""Format.reasoning_is_open: whether the text of a chat template ends within reasoning."""

from __future__ import annotations

import pytest

from streamparse import formats

CHAT = "<|im_start|>user\nHi<|im_end|>\n<|im_start|>assistant\n"


@pytest.mark.parametrize(
    ("format", "prompt", "is_open"),
    [
        ("qwen3", CHAT, False),
        ("qwen3", f"{CHAT}<think>\n", True),
        ("qwen3", f"{CHAT}<think>\n\n</think>\n\n", False),
        ("qwen3", f"{CHAT}<think>\nOkay, the user", True),
        ("qwen3", f"{CHAT}<think>a</think>b<|im_end|>\n{CHAT}", False),
        ("qwen3", f"{CHAT}<think>a</think>b<|im_end|>\n{CHAT}<think>", True),
        ("qwen3", f"<|im_start|>system\nThink behind <think>.<|im_end|>\n{CHAT}", False),
        ("qwen3", "", False),
        ("native", f"{CHAT}<thinking>", True),
        ("deepseek_v3", "<｜User｜>What is <think>?<｜Assistant｜>", False),
        ("deepseek_v3", "<｜User｜>Hi<｜Assistant｜><think>\n", True),
        ("deepseek_v31", "<｜User｜>Hi<｜Assistant｜></think>", False),
        ("mistral", "[SYSTEM_PROMPT]a[THINK]b[/THINK][/SYSTEM_PROMPT][INST]Hi [THINK][/INST]", False),
        ("mistral", "[INST]Hi[/INST][THINK]", True),
        ("hermes", "[|system|]<think>[|endofturn|]\n[|assistant|]\n", False),
        ("ernie45", f"{CHAT}<think>\n", True),
        ("ernie45", f"{CHAT}<think>\n\n</think>\n\n", False),
        ("apriel", "<|assistant|>\nHere are my reasoning steps:\n", True),
        ("apriel", "<|assistant|>\n", False),
        ("cohere_command4", "<|CHATBOT_TOKEN|><|START_THINKING|>", True),
        ("cohere_command4", "<|CHATBOT_TOKEN|><|START_THINKING|><|END_THINKING|>", False),
        ("kimi_k3", "<|open|>message<|sep|><|open|>think<|sep|>", True),
        ("kimi_k3", "<|open|>think<|sep|><|close|>think<|sep|><|open|>response<|sep|>", False),
        ("hunyuan3", "<think:opensource>", True),
        ("hunyuan3", "<think:opensource></think:opensource>", False),
        ("gemma4", "<|turn>model\n<|channel>thought\n<channel|>", False),
        ("minimax_m2", "]~b]ai\n<think>\n", True),
        ("harmony", "<|start|>assistant", False),
        ("command_r", "<think>", False),
    ],
)
def test_whether_a_prompt_ends_within_reasoning(format: str, prompt: str, is_open: bool) -> None:
    assert formats.get(format).reasoning_is_open(prompt) == is_open
