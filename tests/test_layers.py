"""Imports point one way, and the core needs nothing but attrs."""

from __future__ import annotations

import ast
import importlib
import sys
from collections.abc import Iterator
from pathlib import Path

import streamparse
from streamparse.core.state import BaseState

ROOT = Path(streamparse.__file__).parent
MODULES = {
    ".".join(("streamparse", *path.relative_to(ROOT).with_suffix("").parts)).removesuffix(".__init__"): ast.parse(
        path.read_text(encoding="utf-8")
    )
    for path in sorted(ROOT.rglob("*.py"))
}

#: From the bottom to the top: a module imports from its own layer and those below. A new one must be given its place.
LAYERS = [
    {"_version", "errors", "events", "outcome", "wire", "config", "chunk", "deferred", "cancelling"},
    {"core", "directory"},
    {"diff"},
    {"arguments"},
    {"families"},
    {"states"},
    {"formats"},
    {"parser", "invocations", "providers"},
    {"native"},
    {"delivery", "handler", "iterate"},
    {"segment"},
    {"messages"},
    {"reply"},
    {"blocks", "plans"},
    {"presenter"},
    {"workspace", "encoders"},
    {"agent", "proxy"},
    {"testing", "cli", "wire_schema"},
    {"__main__"},
]
#: What looks up, when it is asked to: a call that was written is read again, by what reads streams; and a format is
#: made of a template, by what makes formats.
UPWARD = {
    "streamparse.formats.read_back": "streamparse.handler",
    "streamparse.formats.format": "streamparse.formats.response_template",
}
RANK = {name: rank for rank, layer in enumerate(LAYERS) for name in layer}

#: From the bottom to the top: a family knows those before it.
FAMILIES = ["calls", "json", "literals", "xml", "tagged", "cline", "messages"]

#: What a state's file may import from another: its base class, or the state that it hands over to.
BASES = {
    "answer": {"text"},
    "reasoning": {"text"},
    "plan": {"text"},
    "code": {"span_ahead"},
    "span_ahead": {"text"},
    "write_file": {"delimited"},
    "patch_file": {"delimited"},
    "run_bash": {"delimited"},
    "sentinel": {"delimited"},
    "marked_block": {"delimited"},
}


def deferred_imports(tree: ast.AST) -> Iterator[ast.expr]:
    """The modules that are imported by `deferred.load(module, name)` anywhere in `tree`."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and ast.unparse(node.func) == "deferred.load":
            yield node.args[0]


def imports(tree: ast.AST) -> Iterator[str]:
    """The full names of the modules that are imported anywhere in `tree`, at once or later."""
    yield from (module.value for module in deferred_imports(tree) if isinstance(module, ast.Constant))
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, "relative imports hide the layer"
            for alias in node.names:
                name = f"{node.module}.{alias.name}"
                yield name if name in MODULES else str(node.module)


def own_imports(name: str) -> list[str]:
    return sorted({other for other in imports(MODULES[name]) if other.split(".")[0] == "streamparse"})


def layer(name: str) -> str:
    return name.split(".")[1]


def test_every_module_has_its_place() -> None:
    assert {layer(name) for name in MODULES if name != "streamparse"} == set(RANK)


def test_imports_point_one_way() -> None:
    upward = [
        f"{name} imports {other}"
        for name in MODULES
        if name != "streamparse"
        for other in own_imports(name)
        if other == "streamparse" or (RANK[layer(other)] > RANK[layer(name)] and UPWARD.get(name) != other)
    ]
    assert upward == []


def test_the_package_itself_leaves_the_rim_alone() -> None:
    assert [other for other in own_imports("streamparse") if RANK[layer(other)] > RANK["reply"]] == []


def family(name: str) -> int:
    """Where the family of a module stands among the others; the package itself is below all."""
    return FAMILIES.index(name.split(".")[2]) if name.count(".") > 1 else -1


def test_a_family_knows_only_those_before_it() -> None:
    upward = [
        f"{name} imports {other}"
        for name in MODULES
        if name.startswith("streamparse.families.")
        for other in own_imports(name)
        if other.startswith("streamparse.families.") and family(other) > family(name)
    ]
    assert upward == []


def test_states_import_no_other_state_but_their_base() -> None:
    states = {
        name.removeprefix("streamparse.states."): name for name in MODULES if name.startswith("streamparse.states.")
    }
    foreign = [
        f"{short} imports {other}"
        for short, name in states.items()
        for other in own_imports(name)
        if layer(other) == "states" and other.removeprefix("streamparse.states.") not in BASES.get(short, set())
    ]
    assert foreign == []


def is_for_types(node: ast.AST) -> bool:
    return isinstance(node, ast.If) and isinstance(node.test, ast.Name) and node.test.id == "TYPE_CHECKING"


def test_no_module_imports_itself_in_a_circle_at_run_time() -> None:
    graph = {
        name: {
            other
            for node in tree.body
            if not is_for_types(node)
            for other in imports(node)
            if other in MODULES and other != "streamparse" and UPWARD.get(name) != other
        }
        for name, tree in MODULES.items()
    }
    while leaves := {name for name, needs in graph.items() if not needs}:
        graph = {name: needs - leaves for name, needs in graph.items() if name not in leaves}
    assert graph == {}


def test_no_import_stands_in_a_function() -> None:
    hidden = [
        f"{name}:{inner.lineno}"
        for name, tree in MODULES.items()
        for node in ast.walk(tree)
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda | ast.ClassDef)
        for inner in ast.walk(node)
        if isinstance(inner, ast.Import | ast.ImportFrom)
    ]
    assert hidden == []


def test_what_waits_for_its_use_is_imported_in_one_place() -> None:
    users = {name for name in MODULES if "importlib" in imports(MODULES[name])}
    assert users == {"streamparse.deferred"}
    assert [name for name, tree in MODULES.items() if "__import__" in ast.unparse(tree)] == []


def test_what_waits_for_its_use_is_named_where_it_stands_or_in_the_table_of_formats() -> None:
    """So that the tests above see it. What the table names are modules of `formats`: see test_shipped.py."""
    computed = [
        (name, ast.unparse(module))
        for name, tree in MODULES.items()
        for module in deferred_imports(tree)
        if not (isinstance(module, ast.Constant) and module.value in MODULES)
    ]
    assert computed == [("streamparse.formats.shipped", "f'streamparse.formats.{shipped.module}'")]


#: The modules that need an optional dependency: one for each extra that has it.
OPTIONAL = {
    ("click", "streamparse.cli.app"),
    ("rich", "streamparse.cli.pretty"),
    ("openai", "streamparse.cli.openai_client"),
    ("acp", "streamparse.agent.acp"),
    ("pathspec", "streamparse.workspace.ignored"),
    ("mcp", "streamparse.agent.mcp_servers"),
    ("httpx2", "streamparse.agent.mcp_servers"),
    ("httpx2", "streamparse.proxy.transport"),
    ("starlette", "streamparse.proxy.asgi"),
    ("uvicorn", "streamparse.cli.proxy"),
    ("tree_sitter", "streamparse.presenter.bash_grammar"),
    ("tree_sitter_bash", "streamparse.presenter.bash_grammar"),
    ("rapidfuzz", "streamparse.diff.similarity"),
    ("json_repair", "streamparse.families.json.repair"),
    ("jsonschema", "streamparse.arguments.json_schema"),
    ("referencing", "streamparse.arguments.json_schema"),
}


def test_nothing_is_imported_but_attrs_and_the_standard_library_and_each_extra_in_one_module() -> None:
    foreign = {
        (root, name)
        for name, tree in MODULES.items()
        for other in imports(tree)
        if (root := other.split(".")[0]) not in (*sys.stdlib_module_names, "attrs", "streamparse")
    }
    assert foreign == OPTIONAL


def all_states() -> list[type[BaseState]]:
    """Every state of the library."""
    for name in MODULES:
        if layer_or_root(name) not in ("cli", "__main__", ""):
            importlib.import_module(name)
    found: list[type[BaseState]] = []
    waiting: list[type[BaseState]] = [BaseState]
    while waiting:
        subclasses = waiting.pop().__subclasses__()
        waiting += subclasses
        found += [state for state in subclasses if state.__module__.startswith("streamparse.")]
    return found


def layer_or_root(name: str) -> str:
    return layer(name) if name != "streamparse" else ""


def test_a_state_is_made_of_at_most_four_classes() -> None:
    """One object that is spread over more of them is read in more files than anyone remembers."""
    deep = {state.__name__: len(state.__mro__) - 1 for state in all_states() if len(state.__mro__) - 1 > 4}
    assert deep == {}


def is_phase(node: ast.AST) -> bool:
    """Whether it says which phase comes next, or first."""
    if not isinstance(node, ast.Assign):
        return False
    return "_phase" in [getattr(target, "attr", getattr(target, "id", "")) for target in node.targets]


def test_a_phase_that_is_named_is_a_method() -> None:
    """Phases are names, of states and of readers: a misspelt one must not wait for the text that leads to it."""
    unknown, machines = [], []
    for name, tree in MODULES.items():
        for owner in tree.body:
            phases = [node for node in ast.walk(owner) if is_phase(node)] if isinstance(owner, ast.ClassDef) else []
            if not phases:
                continue
            machine = getattr(importlib.import_module(name), owner.name)
            machines.append(owner.name)
            leaves = [leaf.value for phase in phases for leaf in ast.walk(phase) if isinstance(leaf, ast.Constant)]
            names = [leaf for leaf in leaves if isinstance(leaf, str) and leaf.startswith("_")]
            owners = machine.__subclasses__() or [machine]  # a base may leave a phase to those that are made of it
            unknown += [
                f"{owner.name}: {leaf}" for leaf in names for own in owners if not callable(getattr(own, leaf, None))
            ]
    assert unknown == []
    assert {"JsonMembers", "Candidate", "JsonFields", "ClineReader", "XmlReader"} <= set(machines)
