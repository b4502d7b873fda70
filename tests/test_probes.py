"""Probes are run by hand: what they take from the library must still be there."""

from __future__ import annotations

import ast
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from types import ModuleType

import pytest

PROBES = Path(__file__).resolve().parents[1] / "probes"


def taken(module: str, name: str) -> object:
    """What `from module import name` gives."""
    found = import_module(module)
    if not hasattr(found, name) and find_spec(f"{module}.{name}"):
        return import_module(f"{module}.{name}")
    return getattr(found, name)


def gone(source: str) -> list[str]:
    """Names of the library that a script asks for and that are not there."""
    tree, lost, modules = ast.parse(source), [], dict[str, ModuleType]()
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and (node.module or "").split(".")[0] == "cuescope":
            for alias in node.names:
                try:
                    found = taken(str(node.module), alias.name)
                except (AttributeError, ModuleNotFoundError):
                    lost.append(f"{node.module}.{alias.name}")
                    continue
                if isinstance(found, ModuleType):
                    modules[alias.asname or alias.name] = found
        elif isinstance(node, ast.Import):
            for alias in node.names:
                if alias.name == "cuescope":
                    modules[alias.asname or alias.name] = import_module("cuescope")
    stored = {
        n.id for n in ast.walk(tree) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)
    }
    stored |= {n.arg for n in ast.walk(tree) if isinstance(n, ast.arg)}
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
            name = node.value.id
            if name in modules and name not in stored and not hasattr(modules[name], node.attr):
                lost.append(f"{modules[name].__name__}.{node.attr}")
    return lost


@pytest.mark.parametrize("probe", sorted(PROBES.glob("*.py")), ids=lambda path: path.stem)
def test_what_a_probe_asks_for_is_there(probe):
    assert not gone(probe.read_text("utf-8"))


def test_what_is_gone_is_found():
    source = "from cuescope.mend import engine, lessons\nengine.timed(1)\nlessons.plain(1)\n"
    assert gone(source) == ["cuescope.mend.engine.timed"]
    assert gone("from cuescope.mend import nothing") == ["cuescope.mend.nothing"]
    assert gone("import cuescope as cs\ncs.load, cs.lode") == ["cuescope.lode"]
