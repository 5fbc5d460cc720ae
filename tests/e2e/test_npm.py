"""The clients from npm are those that package.json names, and can be loaded."""

from __future__ import annotations

import json

from tests.e2e import node


def test_clients_are_those_that_were_asked_for() -> None:
    versions = node.run("versions.mjs")
    asked = json.loads((node.NPM / "package.json").read_text())["dependencies"]
    assert int(versions.pop("node").split(".")[0]) >= 22
    assert versions == {name: asked[name].rpartition("@")[2] for name in versions}
