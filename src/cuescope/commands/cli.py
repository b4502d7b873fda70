"""The command line: the same code as the Python API, with errors for people."""

from __future__ import annotations

import os
import sys
from typing import Annotated

import typer

from cuescope._version import __version__
from cuescope.commands import (
    ablate,
    attention,
    check,
    compare,
    data,
    investigate,
    mend,
    models,
    patch,
    run,
    score,
    show,
    translate,
    uncertainty,
)
from cuescope.errors import in_words

app = typer.Typer(
    name="cuescope",
    no_args_is_help=True,
    help="Does a translation model use the gender cue, which heads carry it, and how sure is it?",
    context_settings={"help_option_names": ["-h", "--help"]},
    pretty_exceptions_enable=False,
)
_MAIN, _INSIDE, _OUTSIDE, _THINGS = (
    "The whole question",
    "Inside a model",
    "Without looking inside",
    "Models and data",
)
for _panel, _commands in {
    _MAIN: (investigate.investigate, run.run, compare.compare, show.show),
    _INSIDE: (
        attention.attention,
        patch.patch,
        ablate.ablate,
        uncertainty.uncertainty,
        check.check,
    ),
    _OUTSIDE: (score.score, translate.translate),
}.items():
    for _command in _commands:
        app.command(rich_help_panel=_panel)(_command)
app.add_typer(mend.app, name="mend", rich_help_panel=_INSIDE)
app.add_typer(models.app, name="models", rich_help_panel=_THINGS)
app.add_typer(data.app, name="data", rich_help_panel=_THINGS)


def _version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"cuescope {__version__}")
        raise typer.Exit


@app.callback()
def root(
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Print the version.")
    ] = False,
) -> None:
    """The options before the command."""


def main() -> None:
    """Run a command; a mistake of the user's is said in words, with exit code 2."""
    os.environ.setdefault("TRANSFORMERS_VERBOSITY", "error")
    try:
        in_words(lambda: app(prog_name="cuescope"))
    except KeyboardInterrupt:
        sys.exit(130)
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(141)
