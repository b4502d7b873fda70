"""The command line: the same code as the Python API, with errors for people."""

from __future__ import annotations

import os
import sys
from typing import Annotated, ClassVar

import typer

from cuescope._version import __version__
from cuescope.commands.lazily import Lazily
from cuescope.errors import in_words


class Commands(Lazily):
    """The commands, as `cuescope --help` lists them."""

    TOLD: ClassVar = {
        "The whole question": {
            "investigate": "Does this model use the cue? Translate, look inside, write a report.",
            "run": "Investigate as a YAML file says; several runs are compared at the end.",
            "compare": "Models or releases side by side: accuracy, pairs, heads, sentences.",
            "show": "Show what a run found: the answer in words and the table.",
            "verify": "Compute a random tenth of a run anew, and compare.",
        },
        "Inside a model": {
            "attention": "Where each head looks: how much the noun attends to its cue.",
            "patch": "What each head carries: it speaks as in the twin, and the gap closes.",
            "ablate": "What is lost without each head: it is taken out, and the gap shrinks.",
            "serve": "A live page: type a sentence, swap the pronoun, turn a head up or off.",
            "uncertainty": "How sure the model is: entropies of he / she / they versions.",
            "check": "Is the model wrapped rightly? Every guard, one line each; writes nothing.",
            "mend": "Mend a model: fit a change, judge it, export it as a file.",
        },
        "Without looking inside": {
            "score": "Any system's translations scored: accuracy, minimal pairs and more.",
            "gate": "Compare a release with the one before; exit code 1 if it must not ship.",
            "translate": "Translate a file, one sentence per line.",
            "audit": "Audits of whole systems: speed against bias, relationships (papers D, C).",
        },
        "Models and data": {
            "models": "Models by name: list them, get them, see where they are.",
            "data": "Challenge sets: list them, show them, fetch WinoMT.",
        },
    }


app = typer.Typer(
    name="cuescope",
    cls=Commands,
    no_args_is_help=True,
    help="Does a translation model use the gender cue, which heads carry it, and how sure is it?",
    context_settings={"help_option_names": ["-h", "--help"]},
    pretty_exceptions_enable=False,
)


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
