"""formats/models.py: the format of a model and its reasoning, by its name. The names are in `models.txt`."""

from __future__ import annotations

import re
from pathlib import Path
from typing import NamedTuple

import pytest

from streamparse import ModelFormat, RegistryError, StreamingParser, for_model, format_for_model, formats
from streamparse.formats import Format, between
from streamparse.formats.models import find_model, models_of


class Row(NamedTuple):
    model: str
    format: str
    reasoning: str
    source: str

    def __str__(self) -> str:
        return self.model


LINES = (Path(__file__).parent / "models.txt").read_text(encoding="utf-8").splitlines()
ROWS = [Row(*re.split(" {2,}", line)) for line in LINES if line and not line.startswith("#")]
#: How others call what they have quantised, and what hosts, servers and files call it.
VARIANTS = [
    *("{}-AWQ", "{}-GPTQ-Int4", "{}-FP8", "{}-NVFP4", "{}-MLX-4bit", "{}-w4a16", "{}-bnb-4bit", "{}-GGUF"),
    *("{}.Q4_K_M.gguf", "{}-Q8_0.gguf", "{}-UD-Q4_K_XL-00001-of-00003.gguf", "unsloth/{}-GGUF:Q4_K_M", "{}:free"),
    *("accounts/fireworks/models/{}", "openrouter/acme/{}:free", "hf.co/bartowski/acme_{}-GGUF", "acme.{}-v1:0"),
    *("/models/{}/", "/data/{}/model.safetensors", "~/models/{}/snapshots/0a1b2c", "C:\\models\\{}.gguf"),
    "/root/.cache/huggingface/hub/models--acme--{}/snapshots/0a1b2c",
]


def test_there_are_as_many_names_as_were_promised() -> None:
    assert len(ROWS) == len({row.model for row in ROWS}) >= 250
    assert {row.reasoning for row in ROWS} == {"open", "closed"}


@pytest.mark.parametrize("row", ROWS, ids=str)
def test_the_format_and_the_reasoning_of_a_model(row: Row) -> None:
    assert for_model(row.model) == ModelFormat(row.format, row.reasoning)  # type: ignore[arg-type]
    assert for_model(f"  {row.model.upper()} ") == for_model(row.model)
    assert format_for_model(row.model) == formats.get(row.format).name == row.format


@pytest.mark.parametrize("variant", VARIANTS)
def test_a_variant_of_a_model_is_the_same(variant: str) -> None:
    # Of repositories, and each variant of some of them: there are many.
    plain = [row for row in ROWS if re.fullmatch(r"[^/:]+/[^/:]+(?<!GGUF)", row.model)][
        VARIANTS.index(variant) % 4 :: 4
    ]
    found = {row.model: for_model(variant.format(row.model.partition("/")[2])) for row in plain}
    assert found == {row.model: (ModelFormat(row.format, row.reasoning)) for row in plain}  # type: ignore[arg-type]
    assert len(plain) > 50


def test_every_pattern_of_the_table_is_that_of_a_model() -> None:
    for name in formats.names():
        for pattern, reasoning in models_of(formats.get(name)):
            named = pattern.strip("*-:").replace("*", "-")
            assert for_model(named) == ModelFormat(name, reasoning), pattern


def test_the_table_alone_knows_the_models_of_the_formats_that_come_with_the_library() -> None:
    assert [name for name in formats.names() if formats.get(name).models or formats.get(name).open_models] == []


@pytest.mark.parametrize(
    "model",
    [
        *(
            "museum-7b",
            "acme/string-2.5",
            "kling-1t",
            "glm-50b",
            "beamsearch-7b",
            "codellama:7b",
            "THUDM/glm-4-9b-chat",
        ),
        *("gpt-4o", "claude-sonnet-4-5", "gemini-2.5-pro", "upstage/Solar-Open2-250B", "google/gemma-2-9b-it", ""),
        *("meta-llama/Llama-2-7b-chat-hf", "meta-llama/Llama-Guard-3-8B", "qwen3/acme-7b", "/"),
    ],
)
def test_what_only_looks_like_a_model_is_none(model: str) -> None:
    with pytest.raises(RegistryError):
        for_model(model)


def test_the_name_is_one_that_a_parser_takes() -> None:
    assert all(StreamingParser(name) for name in {format_for_model(row.model) for row in ROWS} & set(formats.names()))


# -- patterns ----------------------------------------------------------------------------------------------------------


def found(model: str, *known: Format) -> str | None:
    one = find_model(model, known)
    return one and one.format


def test_the_pattern_that_says_most_wins_whatever_the_order() -> None:
    wide, narrow = Format("wide", models=("*ab*",)), Format("narrow", models=("*x*", "*ab-c*"))
    for known in ([wide, narrow], [narrow, wide]):
        assert found("q/AB-C-7b", *known) == "narrow"
        assert found("q/ab-7b", *known) == "wide"
        assert found("ab-c/ab-7b", *known) == "wide", "the owner says nothing"


def test_the_pattern_that_is_found_first_counts_most() -> None:
    tuned, base = Format("tuned", models=("mine-*", "*ours*")), Format("base", models=("*acme-3.1-instruct*",))
    assert found("Mine-x-Acme-3.1-instruct", base, tuned) == "tuned"
    assert found("not-Mine-3-Acme-3.1-instruct", base, tuned) == "base"
    assert found("ours-acme-3.1-instruct", base, tuned) == "tuned"
    assert found("acme-3.1-instruct-ours", base, tuned) == "base"


@pytest.mark.parametrize(
    ("pattern", "fitting", "others"),
    [
        ("*ab*", ["ab", "x-ab", "x.ab:y", "7ab7", "ab-c"], ["xab", "abc", "a-b"]),
        ("*ab-3*", ["ab3", "ab_3", "AB 3-x", "ab-3.1", "ab-3b"], ["ab-31", "xab-3", "b-3"]),
        ("*ab*c*d", ["ab-c-d", "x-ab-y-c-z-d", "ab.c.d"], ["ab-c-de", "ab-cd", "ab-d", "c-ab-d"]),
        ("ab*", ["ab", "ab-c", "ab7"], ["abc", "x-ab"]),
        ("*ab", ["ab", "x-ab"], ["xab", "ab-x"]),
        ("ab-*", ["ab-c", "ab-7b", "AB_7b", "ab"], ["abc", "x-ab"]),
        ("ab-*-cd*", ["ab-7b-cd-2", "ab-x-cd", "ab.7b.cd"], ["ab-7b", "ab-7b-cde"]),
        ("*-7b", ["ab-7b", "ab:7b", "ab-c-7b"], ["ab-17b", "ab-7bc"]),
        ("ab*ab", ["ab-ab", "ab-x-ab"], ["ab"]),
        ("ab", ["ab", "AB", "q/ab"], ["ab-c", "x-ab"]),
        ("*v3.1*", ["v3p1", "v-3.1", "x-v3.1-y"], ["v3-1", "v3.12"]),
        ("b?[c].*d", ["b?[c]. d", "b?[c]_\nd"], ["bxc.d"]),
        ("*", ["anything", ""], []),
        ("**ab**", ["x-ab-y"], ["a"]),
    ],
)
def test_what_a_pattern_stands_for(pattern: str, fitting: list[str], others: list[str]) -> None:
    format = Format("a", models=(pattern,))
    assert [found(name, format) for name in fitting] == ["a"] * len(fitting)
    assert [found(name, format) for name in others] == [None] * len(others)


def test_a_format_of_ones_own_says_which_of_its_models_begin_within_reasoning() -> None:
    format = Format("a", models=("*ab*",), open_models=("*ab*thinking*", "*qwen3-8b-ours*"))
    assert find_model("ab-7b", [format]) == ModelFormat("a", "closed")
    assert find_model("ab-7b-thinking", [format]) == ModelFormat("a", "open")
    assert find_model("Qwen3-8B-Ours", [format]) == ModelFormat("a", "open")
    assert find_model("Qwen3-8B", [format]) == ModelFormat("qwen3", "closed")
    assert models_of(format) == [("*ab*", "closed"), ("*ab*thinking*", "open"), ("*qwen3-8b-ours*", "open")]
    always = Format("b", models=("*ab*",), reasoning=between("b", ("<t>",), ("</t>",), starts_open=True))
    assert find_model("ab-7b", [always]) == ModelFormat("b", "open")


def test_the_patterns_of_a_registered_format_count_before_the_table(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(formats, "_formats", dict(formats._formats))
    formats.register(Format("mine", models=("*qwen3*",)))
    assert for_model("Qwen/Qwen3-Coder-30B-A3B") == ModelFormat("mine", "closed")
    assert for_model("mistral:7b") == ModelFormat("mistral_v3", "closed")


@pytest.mark.parametrize(
    ("model", "hint"),
    [
        ("acme/Deepsek-V3.1", "known names are like deepseek-v3.1, deepseek-v4.1, deepseek-v3.2; "),
        ("zzz", ""),
    ],
)
def test_an_unknown_model_is_refused_with_a_hint(model: str, hint: str) -> None:
    with pytest.raises(RegistryError) as caught:
        format_for_model(model)
    assert str(caught.value) == (
        f"no format is known for the model {model!r}; {hint}"
        "choose a format by its own name (`streamparse formats` lists them), 'auto', "
        "or 'native' for calls in the fields of a provider's chunks"
    )


def test_a_model_is_named_by_a_string() -> None:
    with pytest.raises(TypeError, match=r"^a model is named by a string, not 5$"):
        for_model(5)  # type: ignore[arg-type]
