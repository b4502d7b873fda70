"""Help and completion: every command has an example and says what it writes; shells can ask."""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys

import pytest
import typer.main

from cuescope.commands.cli import app

ROOT = typer.main.get_command(app).whole()


def commands(group=ROOT, path=()):
    """Every command with its path."""
    for name, command in group.commands.items():
        if hasattr(command, "commands"):
            yield from commands(command, (*path, name))
        else:
            yield (*path, name), command


ALL = dict(commands())


def parsed(line: str) -> None:
    """Walk a command line through the parser, without running it."""
    words = shlex.split(line)
    assert words[0] == "cuescope", line
    group, path = ROOT, []
    while hasattr(group, "commands"):
        path.append(words[1 + len(path)])
        assert path[-1] in group.commands, line
        group = group.commands[path[-1]]
    group.make_context(" ".join(path), words[1 + len(path) :], resilient_parsing=False)


@pytest.mark.parametrize("path", ALL, ids=" ".join)
def test_help_has_an_example_that_parses(path):
    text = ALL[path].help
    examples = re.findall(r"^(?:Example: |  )(cuescope .*)", text, re.M)
    assert examples
    for example in examples:
        assert example.startswith(" ".join(("cuescope", *path)))
        parsed(example.partition(" > ")[0])
    assert all(len(line) <= 78 for line in text.splitlines()), "would break on a small screen"


@pytest.mark.parametrize("path", ALL, ids=" ".join)
def test_help_says_what_is_written(path):
    assert re.search(r"[Ww]rit|[Pp]rint|Fetch|[Ss]ave|[Rr]eport", ALL[path].help)


@pytest.mark.parametrize("path", ALL, ids=" ".join)
def test_options_are_explained(path):
    for option in ALL[path].params:
        assert option.help, f"{option.name} has no help"
        assert "[" not in option.help, f"{option.name}: rich takes brackets for markup"


@pytest.mark.parametrize("name", ROOT.commands)
def test_the_list_says_what_the_command_says(name):
    """Commands are listed unimported: their lines stand in `cli.py` once more."""
    told = {k: v for lines in ROOT.TOLD.values() for k, v in lines.items()}
    assert ROOT.commands[name].help.partition("\n")[0] == told[name]


def test_commands_stand_in_panels():
    panels = {c.rich_help_panel for c in ROOT.commands.values()}
    assert all(isinstance(panel, str) for panel in panels)
    assert len(panels) >= 3


def asked(what: str, **given: str) -> subprocess.CompletedProcess[str]:
    """The program as a shell's completion calls it: click's protocol."""
    return subprocess.run(
        [sys.executable, "-X", "importtime", "-m", "cuescope"],
        env={**os.environ, "_CUESCOPE_COMPLETE": what, **given},
        capture_output=True,
        text=True,
        check=True,
    )


def complete(*words: str) -> list[str]:
    """What bash is offered for the last word; nothing heavy is imported for it."""
    line = " ".join(("cuescope", *words))
    done = asked("complete_bash", COMP_WORDS=line, COMP_CWORD=str(len(words)))
    assert not re.search(r"\| +(torch|pandas|matplotlib)$", done.stderr, re.M)
    return done.stdout.split()


@pytest.mark.slow
@pytest.mark.parametrize(
    ("words", "offered"),
    [
        (["comp"], ["compare"]),
        (["attention", "fire"], ["firefox:en-pt", "firefox:pt-en"]),
        (["models", "get", "argos"], ["argos:zh-en"]),
        (["patch", "firefox:en-pt", "--data", "s"], ["simplegen"]),
        (["patch", "firefox:en-pt", "--site", "c"], ["cross"]),
        (["attention", "firefox:en-pt", "--site", "encoder,d"], ["encoder,decoder"]),
        (["score", "--lang", "f"], ["fr"]),
    ],
)
def test_completion(words, offered):
    assert complete(*words)[: len(offered)] == offered


def test_completion_of_runs_and_own_sets(tmp_path, monkeypatch):
    (tmp_path / "artifacts" / "demo").mkdir(parents=True)
    (tmp_path / "artifacts" / "demo" / "findings.json").write_text("{}")
    (tmp_path / "mine.tsv").write_text("")
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join(map(os.path.abspath, filter(None, sys.path))))
    monkeypatch.chdir(tmp_path)
    assert complete("compare", "art") == ["artifacts/demo"]
    assert complete("score", "--data", "m") == ["mine.tsv"]


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_the_script_for_a_shell(shell):
    assert "_CUESCOPE_COMPLETE" in asked(f"source_{shell}").stdout
