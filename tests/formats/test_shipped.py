"""formats/shipped.py: formats are imported when they are asked for."""

from __future__ import annotations

import json
import pkgutil
import subprocess
import sys
from importlib import import_module

from streamparse import formats
from streamparse.formats import Format
from streamparse.formats.shipped import SHIPPED, Shipped, load

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
    everything = imported_by("import streamparse; streamparse.StreamingParser('auto')")
    assert everything & homes == homes
    chunks = imported_by("import streamparse; streamparse.StreamingResponseHandler('hermes').feed({'choices': []})")
    assert {"streamparse.native.stream", "streamparse.providers.read"} <= chunks


def test_what_a_declaration_is_made_of_can_be_imported_from_the_package() -> None:
    for name in formats.__all__:
        assert getattr(formats, name) is not None
    assert formats.JSON_ARGUMENTS is import_module("streamparse.families.json.decoder").JSON_ARGUMENTS
    assert not hasattr(formats, "JsonCallState")
