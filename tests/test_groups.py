"""Options that belong together: a value in the command, single options on the command line."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

import pytest
import typer
from typer.testing import CliRunner

from cuescope.commands.groups import grouped


@dataclass(frozen=True)
class Size:
    what: Annotated[str, typer.Argument(metavar="WHAT")]
    wide: Annotated[int, typer.Option(help="So wide.", min=1)] = 3
    high: int = 2


def said(*words: str) -> str:
    app = typer.Typer()

    @app.command()
    @grouped
    def draw(before: str = "b", *, size: Size, after: Annotated[str, typer.Option()]) -> None:
        """Draw it."""
        typer.echo(f"{before} {size!r} {after}")

    return CliRunner().invoke(app, words).output


@pytest.mark.parametrize(
    ("words", "made"),
    [
        (("box", "--after", "a"), "b Size(what='box', wide=3, high=2) a"),
        (("--high", "7", "box", "--before", "x", "--after", "a"), "x Size(what='box', wide=3, hi"),
        (("box", "--wide", "0", "--after", "a"), "Invalid value for '--wide'"),
        (("--after", "a"), "Missing argument 'WHAT'"),
        (("box",), "Missing option '--after'"),
    ],
)
def test_fields_are_options(words, made):
    assert made in said(*words)


def test_help_lists_them_in_place():
    told = said("--help")
    places = [told.index(name) for name in ("WHAT", "--before", "--wide", "--high", "--after")]
    assert places == sorted(places)
    assert "So wide." in told
    assert "Draw it." in told
