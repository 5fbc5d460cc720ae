"""formats/shipped.py: formats are imported when they are asked for."""

from __future__ import annotations

import json
import pkgutil
import subprocess
import sys
from importlib import import_module

import pytest

from streamparse import formats
from streamparse.formats import Format
from streamparse.formats.shipped import IN_ENGINES, SHIPPED, Shipped, load

MODULES = [f"streamparse.formats.{module.name}" for module in pkgutil.iter_modules(formats.__path__)]


def declared() -> dict[str, tuple[str, str]]:
    """By names and aliases, the name of each format and the module that declares it."""
    found: dict[str, tuple[str, str]] = {}
    for module in MODULES:
        for constant, value in vars(import_module(module)).items():
            if isinstance(value, Format) and constant == value.name.upper() and _is_home(module, value):
                found |= {key: (value.name, module.rpartition(".")[2]) for key in (value.name, *value.aliases)}
    return found


def _is_home(module: str, format: Format) -> bool:
    """Whether the module declares the format, and does not merely use it."""
    source = import_module(module).__spec__
    assert source is not None
    assert source.origin is not None
    with open(source.origin, encoding="utf-8") as file:
        return f"\n{format.name.upper()} = " in file.read()


def test_the_table_says_what_the_modules_declare() -> None:
    assert dict(SHIPPED) == declared()


def test_no_format_is_declared_that_the_table_does_not_know() -> None:
    known = {id(load(shipped)) for shipped in SHIPPED.values()}
    unknown = [
        f"{module}.{constant}"
        for module in MODULES
        for constant, value in vars(import_module(module)).items()
        if isinstance(value, Format) and id(value) not in known
    ]
    assert unknown == []


def test_names_come_in_the_order_of_the_table() -> None:
    assert formats.names()[: len({shipped.name for shipped in SHIPPED.values()})] == tuple(
        dict.fromkeys(shipped.name for shipped in SHIPPED.values())
    )
    assert formats.names()[:9] == ("auto", "xml", "json", "sentinel", "native", "cline", "roo", "hermes", "qwen3")


#: What engines call their parsers, of tools and of reasoning; and what is written otherwise here.
ENGINES = {
    "vLLM": "granite-20b-fc granite20b, granite4 hermes, qwen3_json qwen3, deepseek_r1 deepseek_v3, "
    "openai_gptoss harmony, holo2 qwen3, minimax_m2_append_think minimax_m2, minimax minimax_m1, "
    "phi4_mini_json phi4, hy_v3 hunyuan3, qwen3_xml qwen3_coder, nemotron_v3 qwen3_coder, "
    "granite granite3, llama4_json llama3_json, poolside_v1 glm45, "
    "granite_thinking_parser granite_thinking",
    "SGLang": "deepseekv3 deepseek_v3, deepseekv31 deepseek_v31, deepseekv32 deepseek_v32, "
    "deepseekv4 deepseek_v4, deepseek-r1 deepseek_v3, deepseek-v3 deepseek_v3, gpt-oss harmony, "
    "minimax-m2 minimax_m2, minimax-m3 minimax_m3, minimax-append-think minimax_m2, qwen qwen3, "
    "qwen25 hermes, qwen3-thinking qwen3, hunyuan hunyuan3, trinity qwen3, nanbeige qwen3_coder, "
    "glm glm45, interns1 internlm, llama3 llama3_json, llama4 llama4_pythonic, ling3 glm47, "
    "nemotron_3 qwen3_coder, apertus2509 apertus, step3p5 qwen3_coder",
    "Ollama": "qwen3-coder qwen3_coder, qwen3.5 qwen3_coder, qwen3-vl-instruct qwen3, qwen3-vl-thinking qwen3, "
    "ministral mistral, deepseek3 deepseek_v31, glm-4.7 glm47, poolside-v1 glm45, laguna glm45, "
    "cohere cohere_command4, glimmer muse, cogito deepseek_v3, nemotron-3-nano qwen3_coder, "
    "lfm2-thinking lfm2, olmo3-think olmo3",
    "people": "XML xml, Deep Seek V3.1 deepseek_v31, llama_nemotron_json nemotron_v2, GPT_OSS harmony, Kimi-K2 kimi_k2",
}


@pytest.mark.parametrize("engine", ENGINES)
def test_names_are_taken_as_engines_write_them(engine: str) -> None:
    pairs = [pair.rsplit(" ", 1) for pair in ENGINES[engine].split(", ")]
    assert [(name, formats.get(name).name) for name, _ in pairs] == [(name, format) for name, format in pairs]


def test_no_two_formats_have_names_that_are_compared_alike() -> None:
    named: dict[str, set[str]] = {}
    for name, found in (*SHIPPED.items(), *IN_ENGINES.items()):
        named.setdefault(formats._key(name), set()).add(found.name)
    assert {key: names for key, names in named.items() if len(names) > 1} == {}
    assert set(SHIPPED) & set(IN_ENGINES) == set()


def test_a_format_is_the_constant_of_its_name() -> None:
    assert load(Shipped("roo", "cline")) is import_module("streamparse.formats.cline").ROO
    assert formats.get("qwen25") is formats.get("hermes") is import_module("streamparse.formats.hermes").HERMES


def imported_by(code: str) -> set[str]:
    """The modules of the library that a new process has imported after `code`."""
    report = "import sys, json; print(json.dumps([name for name in sys.modules if name.startswith('streamparse.')]))"
    done = subprocess.run([sys.executable, "-c", f"{code}\n{report}"], capture_output=True, text=True, check=True)
    return set(json.loads(done.stdout))


def test_nothing_is_imported_that_is_not_asked_for() -> None:
    homes = {f"streamparse.formats.{shipped.module}" for shipped in SHIPPED.values()}
    start = imported_by("import streamparse")
    assert start & homes == {"streamparse.formats.auto"}
    assert {name.split(".")[1] for name in start} & {"native", "providers", "diff", "blocks", "plans", "cli"} == set()
    hermes = imported_by("import streamparse; streamparse.StreamingParser('hermes')")
    assert hermes & homes == {"streamparse.formats.auto", "streamparse.formats.hermes"}
    handler = "import streamparse; streamparse.StreamingResponseHandler"
    assert imported_by(f"{handler}(model='mistral:7b')") & homes == imported_by(f"{handler}('mistral')") & homes
    assert imported_by("import streamparse; streamparse.for_model('mistral:7b')") & homes == start & homes
    everything = imported_by("import streamparse; streamparse.StreamingParser('auto')")
    assert everything & homes == homes
    chunks = imported_by("import streamparse; streamparse.StreamingResponseHandler('hermes').feed({'choices': []})")
    assert {"streamparse.native.stream", "streamparse.providers.read"} <= chunks


def test_what_a_declaration_is_made_of_can_be_imported_from_the_package() -> None:
    for name in formats.__all__:
        assert getattr(formats, name) is not None
    assert formats.JSON_ARGUMENTS is import_module("streamparse.families.json.decoder").JSON_ARGUMENTS
    assert not hasattr(formats, "JsonCallState")
