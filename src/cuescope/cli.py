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
    data,
    investigate,
    models,
    patch,
    run,
    score,
    show,
    translate,
    uncertainty,
)
from cuescope.errors import CueScopeError

app = typer.Typer(
    name="cuescope",
    no_args_is_help=True,
    help="Does a translation model use the gender cue, which heads carry it, and how sure is it?",
    context_settings={"help_option_names": ["-h", "--help"]},
    pretty_exceptions_enable=False,
)
app.command()(investigate.investigate)
app.command()(run.run)
app.command()(show.show)
app.command()(attention.attention)
app.command()(patch.patch)
app.command()(ablate.ablate)
app.command()(uncertainty.uncertainty)
app.command()(translate.translate)
app.command()(check.check)
app.command()(score.score)
app.add_typer(models.app, name="models")
app.add_typer(data.app, name="data")


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
        app()
    except CueScopeError as error:
        print(f"cuescope: {error}", file=sys.stderr)
        sys.exit(2)
    except KeyboardInterrupt:
        sys.exit(130)
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(141)
