"""Which format a model writes, and whether its prompt has opened the reasoning, by the name of the model.

    find_model("Qwen/Qwen3.5-35B-A3B")                      ModelFormat("qwen3_coder", "open")
    find_model("unsloth/Qwen3-8B-GGUF:Q4_K_M")              ModelFormat("qwen3", "closed")
    find_model("accounts/fireworks/models/deepseek-v3p1")   ModelFormat("deepseek_v31", "closed")

A model's reasoning is "open" if its chat template, with the usual settings, ends with the opener of reasoning: the
reply then begins within. So it is if the model always thinks and its templates differ, as those of Ring do: an opener
that it writes first is swallowed. It is "closed" if the model writes the opener itself, or does not reason.

A name is what follows the last slash: the owner of a repository says nothing. (Of a path of files every part is looked
at, the last one first.) A pattern is a name in which `*` stands for anything; what stands between two of them is never
found within a word or a number: `*muse*` is not in `museum`, nor `*glm-5*` in `glm-50b`. Names are compared without
case, and without what people write differently: `Qwen-3`, `qwen_3` and `qwen3`, `v3p1` and `v3.1` are the same. Of
several patterns that fit, the one that is found first in the name counts (`Hermes-3-Llama-3.1` is a Hermes), then the
one that says most (`*qwen3-coder*` is more than `*qwen3*`).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from difflib import get_close_matches
from functools import cache, lru_cache
from typing import Literal, TypeAlias

from attrs import frozen

from streamparse.errors import RegistryError, shorten
from streamparse.formats.format import Format

_Reasoning: TypeAlias = Literal["open", "closed"]


@frozen
class ModelFormat:
    """What is known of a model: `ModelFormat(format="qwen3_coder", reasoning="open")`.

    `format` is the name of the format that the model writes. `reasoning` is "open" if the chat template of the model
    ends with the opener of reasoning, `<think>`, so that the reply begins within reasoning. It is "closed" if the model
    writes the opener itself, or does not reason. Both are for the usual settings of the chat template.
    """

    format: str
    reasoning: Literal["open", "closed"]


#: The models of the formats that come with the library: format, reasoning, patterns. The newest families stand first,
#: for those who look something up: the order decides nothing.
_TABLE: tuple[tuple[str, _Reasoning, str], ...] = (
    # New in the autumn of 2026
    ("deepseek_v41", "open", "*deepseek-v4.1*"),
    ("hy_v4", "open", "*hy4*"),
    ("k2_horizon", "open", "*k2-horizon*"),
    ("plamo3", "open", "*plamo-3*"),
    ("gigachat35", "closed", "*gigachat-3.5*"),
    ("iquest_q1", "open", "*iquest-q1*"),
    ("spark25", "closed", "*spark-2.5*"),
    ("beam", "closed", "*beam*"),
    ("minicpmv", "closed", "*minicpm-v-4.6*"),
    ("minicpmv", "open", "*minicpm-v-4.6*thinking*"),
    ("kimi_vl", "closed", "*kimi-vl*"),
    # DeepSeek. V3.1 and V3.2 think only if they are told to. Distilled ones write what R1 does.
    ("deepseek_v4", "open", "*deepseek-v4*"),
    ("deepseek_v32", "open", "*deepseek-v3.2*speciale*"),
    ("deepseek_v32", "closed", "*deepseek-v3.2*"),
    ("deepseek_v31", "closed", "*deepseek-v3.2-exp* *deepseek-v3.1* *deepseek-chat-v3.1* *deepseek-v3-v1*"),
    ("deepseek_v3", "open", "*deepseek-r1* *deepseek*r1t* *mai-ds-r1* *r1-1776*"),
    ("deepseek_v3", "closed", "*deepseek-v3* *deepseek-chat-v3* *deepseek-v2.5* *cogito-v2.1* *cogito-v2*deepseek*"),
    # Qwen. The smallest of 3.5 think only if they are told to.
    ("qwen3_coder", "open", "*qwen3.5* *qwen3.6* *qwen3.7* *qwen3.8*"),
    ("qwen3_coder", "closed", "*qwen3.5-0.8b* *qwen3.5:0.8b* *qwen3.5-2b* *qwen3.5:2b* *qwen3*coder*"),
    ("qwen3", "open", "*qwen3*thinking*"),
    ("qwen3", "closed", "*qwen3*"),
    ("hermes", "open", "*qwq*"),
    ("hermes", "closed", "*qwq*preview* *qwen2.5*"),
    # Built on Qwen by others
    ("qwen3_coder", "open", "*intern-s2* *ornith* *intellect-3* *nanbeige4.2*"),
    ("qwen3_coder", "closed", "*kat-dev* *kat-coder*"),
    ("qwen3", "open", "*holo2*"),
    ("qwen3", "closed", "*tongyi-deepresearch* *nemotron-orchestrator*"),
    # GLM, and what is written like it
    ("glm47", "open", "*glm-4.7* *glm-5* *ling-3*"),
    ("glm45", "open", "*ring-2.6*"),
    ("glm45", "closed", "*glm-4.5* *glm-4.6* *glyph* *autoglm* *laguna*"),
    ("hunyuan3", "closed", "*hunyuan-3* *hy3*"),
    ("hunyuan_a13b", "closed", "*hunyuan-a13b* *hunyuan-7b* *hunyuan-4b* *hunyuan-1.8b* *hunyuan-0.5b*"),
    # Kimi
    ("kimi_k3", "open", "*kimi-k3*"),
    ("kimi_k2", "open", "*kimi-k2-thinking* *kimi-k2.5* *kimi-k2.6* *kimi-k2.7*"),
    ("kimi_k2", "closed", "*kimi-k2* *kimi-linear*"),
    ("hermes", "closed", "*kimi-dev*"),
    # MiniMax
    ("minimax_m3", "closed", "*minimax-m3*"),
    ("minimax_m2", "open", "*minimax-m2*"),
    ("minimax_m1", "closed", "*minimax-m1* *minimax-text-01*"),
    # OpenAI, Meta, Google, Microsoft
    ("harmony", "closed", "*gpt-oss*"),
    ("muse", "closed", "*muse* *glimmer*"),
    ("llama4_pythonic", "closed", "*llama-4*"),
    ("llama3_json", "closed", "*llama-3* *llama-v3* *llama*nemotron-70b*"),
    ("gemma4", "closed", "*gemma-4*"),
    ("pythonic", "closed", "*gemma-3*"),
    ("functiongemma", "closed", "*functiongemma*"),
    ("phi4", "closed", "*phi-4-mini* *phi-4-multimodal* *firefunction*"),
    # NVIDIA
    ("qwen3_coder", "open", "*nemotron-3* *nemotron-nano-3*"),
    ("nemotron_v2", "open", "*nemotron-nano-9b-v2* *nemotron-nano-12b-v2*"),
    ("nemotron_v2", "closed", "*llama*nemotron*"),
    # Mistral. Up to the end of 2024 calls were a list.
    (
        "mistral",
        "closed",
        "*mistral-small* *mistral-medium* *mistral-large-3* *mistral-large-2512* *mistral-large-latest* "
        "*ministral-3* *magistral* *devstral* *voxtral*",
    ),
    (
        "mistral_v3",
        "closed",
        "mistral mistral:* *mistral-7b* *mistral-nemo* *mistral-large* *mixtral* *pixtral* *codestral* *mathstral* "
        "*ministral-8b* *ministral-3b-2410* *mistral-small-24* *mistral-small-2402* *mistral-small-2409* "
        "*mistral-small-instruct-2409*",
    ),
    # StepFun, Xiaomi, ByteDance, Meituan, Baidu, rednote, inclusionAI, OpenBMB, Shanghai AI Laboratory
    ("qwen3_coder", "open", "*step-3.5* *step-3.7*"),
    ("step3", "open", "*step3*"),
    ("hermes", "open", "*step3-vl*"),
    ("mimo", "closed", "*mimo-v2*"),
    ("hermes", "closed", "*mimo-7b* *mimo-vl*"),
    ("seed_oss", "closed", "*seed-oss*"),
    ("longcat", "open", "*longcat*thinking*"),
    ("longcat", "closed", "*longcat*"),
    ("ernie45", "open", "*ernie-4.5*thinking*"),
    ("ernie45", "closed", "*ernie-4.5*"),
    ("dots", "closed", "*dots-llm* *dots3*"),
    ("qwen3", "open", "*ring-1t* *ring-2.5* *ring-mini* *ring-flash* *ring-lite*"),
    ("qwen3", "closed", "*ling-1t* *ling-2.5* *ling-2.6* *ling-mini* *ling-flash* *ling-lite* *ling-plus*"),
    ("minicpm5", "open", "*minicpm-5*"),
    ("internlm", "closed", "*internlm2* *internlm3* *intern-s1*"),
    # Cohere, IBM, AI21, Ai2, ServiceNow, Arcee, LG, Upstage, Liquid, Sber, and others
    ("cohere_command4", "open", "*command-a-plus* *north-mini-code*"),
    ("cohere_command3", "open", "*command-a-reasoning*"),
    ("cohere_command3", "closed", "*command-r7b* *command-a*"),
    ("command_r", "closed", "*command-r*"),
    ("granite_thinking", "open", "*granite-4.2*"),
    ("hermes", "closed", "*granite-4*"),
    ("granite3", "closed", "*granite-3*"),
    ("granite20b", "closed", "*granite-20b-functioncalling*"),
    ("hermes", "open", "*jamba-reasoning*"),
    ("jamba", "closed", "*jamba*"),
    ("olmo3", "open", "*olmo-3*think*"),
    ("olmo3", "closed", "*olmo-3*"),
    ("apriel", "open", "*apriel-1.6* *apriel-nemotron*"),
    ("apriel", "closed", "*apriel*"),
    ("qwen3_coder", "open", "*trinity*thinking*"),
    ("qwen3", "closed", "*trinity*"),
    ("qwen3_coder", "open", "*k-exaone-2*"),
    ("hermes", "open", "*k-exaone-236b* *exaone-4.5*"),
    ("hermes", "closed", "*exaone-4.0*"),
    ("solar_open", "closed", "*solar-open-100b*"),
    ("lfm2", "closed", "*lfm2*"),
    ("gigachat3", "closed", "*gigachat-3*"),
    ("apertus", "closed", "*apertus*"),
    ("inkling", "closed", "*inkling*"),
    ("xlam", "closed", "*xlam* *llama*xlam* *qwen*xlam*"),
    ("pythonic", "closed", "*toolace* *ultravox* *watt-tool*"),
    ("functionary_v31", "closed", "*functionary*v3.1*"),
    ("functionary_v32", "closed", "*functionary*v3.2*"),
    ("hermes", "open", "*reka-edge*"),
    (
        "hermes",
        "closed",
        "*hermes* *openhermes* *llama-3-groq*tool-use* *smollm2* *smollm3* *bielik* *falcon-h1* *cogito* *k2-v2*",
    ),
)

#: What people write differently: words apart, a dot that is not in a number, `3p1` for 3.1, a number apart.
_APART = re.compile(r"[\s_]+|(?<!\d)\.|\.(?!\d)")
_POINT = re.compile(r"(?<=\d)p(?=\d)")
_HYPHEN = re.compile(r"(?<=[a-z])-(?=\d)")
#: What a name begins with that is a path, and what stands between its parts, as Hugging Face's cache writes it, too.
_PATH = re.compile(r"[/\\.~]|[a-z]:[/\\]", re.IGNORECASE)
_BETWEEN = re.compile(r"[/\\]|--")


@frozen
class _Row:
    """A pattern, and what stands between its stars, as it is looked for."""

    pattern: str
    pieces: tuple[str, ...]
    found: ModelFormat

    @classmethod
    def of(cls, pattern: str, format: str, reasoning: _Reasoning) -> _Row:
        pieces = tuple(piece.strip("-") for piece in _plain(pattern).split("*"))  # a piece ends with a word in any case
        return cls(pattern, pieces, ModelFormat(format, reasoning))

    def rank(self, name: str) -> tuple[int, int] | None:
        """The less the better: where it is found in `name`, and how little it says; None if it is not."""
        first, *others = self.pieces
        if not name.startswith(first) or (first and _is_within(name, len(first))):
            return None
        if not others:
            return (0, -len(first)) if name == first else None
        place, end = 0 if first else len(name), len(first)
        for piece in filter(None, others[:-1]):
            at = _find(piece, name, end)
            if at < 0:
                return None
            place, end = min(place, at), at + len(piece)
        start = len(name) - len(others[-1])
        if start < end or not name.endswith(others[-1]) or _is_within(name, start):
            return None
        return place, -sum(map(len, self.pieces))


def find_model(model: str, own: Iterable[Format] = ()) -> ModelFormat | None:
    """What is known of the model called `model`; `own` are formats with patterns, which count before the table."""
    if not isinstance(model, str):
        raise TypeError(f"a model is named by a string, not {model!r}")
    return _best(model, [row for format in own for row in _rows_of(format)]) or _in_table(model)


def unknown_model(model: str, own: Iterable[Format] = ()) -> RegistryError:
    """The error for a model that no pattern fits. To look for names that are near takes a millisecond."""
    rows = [row for format in own for row in _rows_of(format)]
    return RegistryError(f"no format is known for the model {shorten(model)!r}; {_hint(model, rows)}")


def models_of(format: Format) -> list[tuple[str, _Reasoning]]:
    """The patterns of a format's models, each with their reasoning."""
    rows = (*_rows_of(format), *_table())
    return [(row.pattern, row.found.reasoning) for row in rows if row.found.format == format.name]


def _rows_of(format: Format) -> Iterator[_Row]:
    usual: _Reasoning = "open" if format.reasoning.starts_open else "closed"
    yield from (_Row.of(pattern, format.name, usual) for pattern in format.models)
    yield from (_Row.of(pattern, format.name, "open") for pattern in format.open_models)


@cache
def _table() -> tuple[_Row, ...]:
    """The rows of the table, made when a model is first asked for."""
    return tuple(_Row.of(one, format, reasoning) for format, reasoning, patterns in _TABLE for one in patterns.split())


@lru_cache(maxsize=256)
def _in_table(model: str) -> ModelFormat | None:
    return _best(model, _table())


def _best(model: str, rows: Iterable[_Row]) -> ModelFormat | None:
    """What the row says that fits best; of a path, to the last part that one fits."""
    for name in _names(model) if rows else ():
        ranked = [(rank, row.found) for row in rows if (rank := row.rank(name)) is not None]
        if ranked:
            return min(ranked, key=lambda one: one[0])[1]
    return None


def _names(model: str) -> list[str]:
    """What the model may be called: what follows the last slash, or each part of a path, the last one first."""
    model = model.strip()
    if _PATH.match(model):
        return [_plain(part) for part in reversed(_BETWEEN.split(model))]
    return [_plain(model.rstrip("/").rpartition("/")[2])]


def _plain(name: str) -> str:
    return _HYPHEN.sub("", _POINT.sub(".", _APART.sub("-", name.strip().lower())))


def _find(piece: str, name: str, start: int) -> int:
    """Where `piece` is found in `name`, not within a word or a number; -1 if nowhere."""
    at = name.find(piece, start)
    while at >= 0 and (_is_within(name, at) or _is_within(name, at + len(piece))):
        at = name.find(piece, at + 1)
    return at


def _is_within(name: str, index: int) -> bool:
    """Whether the place before `index` is within a word or a number."""
    around = name[max(index - 1, 0) : index + 1]
    return 0 < index < len(name) and (around.isalpha() or around.isdigit())


def _hint(model: str, own: Iterable[_Row]) -> str:
    known = list(dict.fromkeys(row.pattern.strip("*-:").replace("*", "…") for row in (*own, *_table())))
    close = get_close_matches(_names(shorten(model))[0], known, n=3)
    meant = f"known names are like {', '.join(close)}; " if close else ""
    return (
        f"{meant}choose a format by its own name (`streamparse formats` lists them), 'auto', "
        "or 'native' for calls in the fields of a provider's chunks"
    )
