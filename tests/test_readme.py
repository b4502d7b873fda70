"""The front page says what is true: its Python runs as printed, its commands exist."""

from __future__ import annotations

import doctest
import re
import shlex
from pathlib import Path

import pytest
import typer.main

from cuescope.commands.cli import app

README = (Path(__file__).parents[1] / "README.md").read_text("utf-8")


@pytest.mark.slow
@pytest.mark.model
def test_python_prints_what_it_says(firefox):
    assert firefox
    (block,) = re.findall(r"```python\n(.*?)```", README, re.S)
    test = doctest.DocTestParser().get_doctest(block, {}, "README", "README.md", 0)
    assert len(test.examples) >= 8
    assert doctest.DocTestRunner().run(test).failed == 0


def test_commands_exist():
    commands = typer.main.get_command(app).whole()
    named = re.findall(r"^cuescope (.*?)(?:  +#.*)?$", README, re.M)
    assert len(named) >= 6
    for line in named:
        words = shlex.split(line)
        command = commands.commands[words[0]]
        if hasattr(command, "commands"):
            rest = re.split(r"\s*\|\s*", line.removeprefix(words[0]).strip())
            assert all(part.split()[0] in command.commands for part in rest), line
            continue
        known = {option for p in command.params for option in p.opts}
        assert {w for w in words if w.startswith("--")} <= known, line


def test_two_commands():
    assert "make demo" in README
    assert "make test" in README


def test_public_names_are_not_hidden_by_modules():
    """`import cuescope.x` sets the attribute x: a function of that name would be gone."""
    import pkgutil

    import cuescope

    modules = {module.name for module in pkgutil.iter_modules(cuescope.__path__)}
    assert modules.isdisjoint(cuescope.__all__)
    for name in cuescope.__all__:
        assert getattr(cuescope, name) is not None
