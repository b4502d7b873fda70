"""Options and small helpers that several commands share."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from cuescope.commands import complete

if TYPE_CHECKING:
    from cuescope.inside.translator import Translator

# Panels of --help
OUT, LANGUAGE, MACHINE = "What is written", "Language", "Machine"


def a_model(metavar: str, text: str) -> Any:
    """The argument that names a model."""
    return typer.Argument(metavar=metavar, help=text, autocompletion=complete.models)


def a_set(kind: Callable[..., Any], text: str) -> Any:
    """The argument or option that names a challenge set."""
    return kind(metavar="SET", help=text, autocompletion=complete.data)


def in_panel(panel: str, text: str, *names: str, metavar: str | None = None) -> Any:
    """An option that stands in a panel of --help."""
    return typer.Option(*names, metavar=metavar, help=text, rich_help_panel=panel)


_NAMES = "firefox:en-pt, argos:zh-en, a folder, an .argosmodel file, or a hub name."
_SETS = "simplegen (shipped), winomt:DIR, or a .tsv / .jsonl file."
Model = Annotated[str, a_model("MODEL", _NAMES)]
Data = Annotated[str, a_set(typer.Option, _SETS)]
Json = Annotated[
    Path | None,
    typer.Option("--json", metavar="OUT", help="Write the numbers here.", rich_help_panel=OUT),
]
Fresh = Annotated[bool, typer.Option("--fresh", help="Begin anew: forget what is kept.")]
Limit = Annotated[int, typer.Option(help="So many pairs, drawn at random from all; 0: all.", min=0)]
Lang = Annotated[
    str | None,
    typer.Option(
        help="Target language, if the model does not say.",
        autocompletion=complete.languages,
        rich_help_panel=LANGUAGE,
    ),
]
Src = Annotated[
    str | None,
    typer.Option(help="Source language, for models of many languages.", rich_help_panel=LANGUAGE),
]
Tgt = Annotated[
    str | None, typer.Option(help="Target language, likewise.", rich_help_panel=LANGUAGE)
]
Device = Annotated[
    str, typer.Option(help="Where to compute: cpu, cuda, mps.", rich_help_panel=MACHINE)
]
Threads = Annotated[
    int,
    typer.Option(
        help="CPU threads; 0: as many as are fastest now.", min=0, max=1024, rich_help_panel=MACHINE
    ),
]


@dataclass(frozen=True)
class ModelOptions:
    """A model as the command line names it, and how it is opened."""

    model: Model
    src: Src = None
    tgt: Tgt = None
    device: Device = "cpu"
    threads: Threads = 0

    def open(self) -> Translator:
        """Load it."""
        return open_model(self.model, self.src, self.tgt, self.device, self.threads)


def listed(names: str | None) -> tuple[str, ...]:
    """Names with commas between them, each once.

    >>> listed("ge, S3E,ge")
    ('ge', 's3e')
    """
    return tuple(dict.fromkeys(n.strip().lower() for n in (names or "").split(",") if n.strip()))


def open_model(
    name: str,
    src: str | None,
    tgt: str | None,
    device: str = "cpu",
    threads: int = 0,
    check: bool = True,
) -> Translator:
    """Load a model as the options say."""
    import torch

    from cuescope.inside.translator import load

    if threads or device == "cpu":
        from cuescope.models.threads import fastest

        torch.set_num_threads(threads or fastest())
    return load(name, src=src, tgt=tgt, device=device, check=check)


@contextmanager
def progress(label: str, total: int) -> Iterator[Callable[[int], None]]:
    """A progress bar on the error stream; yields what to call with each number of things done."""
    from rich.console import Console
    from rich.progress import (
        BarColumn,
        MofNCompleteColumn,
        Progress,
        TextColumn,
        TimeRemainingColumn,
    )

    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn())
    with Progress(
        *columns, TimeRemainingColumn(), console=Console(stderr=True), transient=True
    ) as bar:
        task = bar.add_task(label, total=total)
        yield lambda done: bar.advance(task, done)
