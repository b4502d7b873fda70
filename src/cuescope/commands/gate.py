"""`cuescope gate`: may this release ship?"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated

import typer

from cuescope.commands import complete
from cuescope.commands.options import OUT, Json, a_set
from cuescope.errors import CueScopeError

_RELEASE = "A run's folder, the .json of `score --json`, or FILE or SET=FILE,SET=FILE with --data."
Sentences = Annotated[
    int, typer.Option(min=0, help="So many changed pairs and sentences are printed; 0: all.")
]
Data = Annotated[
    str | None, a_set(typer.Option, "The set, where releases are files of translations.")
]
Lang = Annotated[
    str | None,
    typer.Option(help="Their language, likewise.", autocompletion=complete.languages),
]


def gate(
    candidate: Annotated[str, typer.Argument(metavar="CANDIDATE", help=_RELEASE)],
    baseline: Annotated[
        str, typer.Option(metavar="BASE", help="The release to measure it by, likewise.")
    ],
    max_drop: Annotated[
        str | None,
        typer.Option(
            metavar="NAME=POINTS,…", help="Allowed drops; mpa=0,male=0,female=0 if none is given."
        ),
    ] = None,
    fail_under: Annotated[
        str | None, typer.Option(metavar="NAME=PERCENT,…", help="Floors for the candidate.")
    ] = None,
    data: Data = None,
    lang: Lang = None,
    sentences: Sentences = 10,
    json_out: Json = None,
    markdown: Annotated[
        Path | None,
        typer.Option(
            metavar="OUT.md", help="Write it for a pull request here.", rich_help_panel=OUT
        ),
    ] = None,
) -> None:
    """Compare a release with the one before; exit code 1 if it must not ship.

    It fails when a share dropped by more than allowed, beyond chance, or is
    below a floor. Prints the rules and the sentences that broke; --markdown
    and --json write them (- is standard output, and nothing else goes there).
    Needs no model.

    Example: cuescope gate new.json --baseline old.json --max-drop mpa=2
    """
    from rich.console import Console

    from cuescope.files import write
    from cuescope.run.release import gate as judged
    from cuescope.show.release import page, tables
    from cuescope.show.release import sentences as told

    if [str(json_out), str(markdown)] == ["-", "-"]:
        raise CueScopeError("standard output can hold one of --json and --markdown")
    found = judged(
        candidate,
        baseline,
        max_drop=points(max_drop, "--max-drop"),
        fail_under=points(fail_under, "--fail-under"),
        data=data,
        lang=lang,
    )
    if json_out is not None:
        text = json.dumps(found.to_json(), ensure_ascii=False, indent=1, allow_nan=False)
        write(json_out, f"{text}\n")
    if markdown is not None:
        write(markdown, page.markdown(found, sentences))
    console = Console(stderr="-" in (str(json_out), str(markdown)))
    console.print(tables.rules(found).to_rich(), highlight=False)
    for kind in ("broke", "mended"):
        for line in told.lines(found.release, kind, sentences):
            console.print(line, highlight=False, markup=False, soft_wrap=True)
    for note in found.release.notes:
        console.print(f"note: {note}", highlight=False, markup=False)
    console.print(f"gate: {tables.verdict(found)}", highlight=False, markup=False)
    if not found.passed:
        raise typer.Exit(1)


def points(given: str | None, option: str) -> dict[str, float] | None:
    """`mpa=2,female=1` as numbers.

    >>> points("mpa=2, female=0.5", "--max-drop")
    {'mpa': 2.0, 'female': 0.5}
    """
    if given is None:
        return None
    found: dict[str, float] = {}
    for part in given.split(","):
        name, _, number = part.partition("=")
        try:
            found[name.strip()] = float(number)
        except ValueError:
            raise CueScopeError(
                f"{option}: not a number of points", expected="mpa=2,female=1", found=part
            ) from None
    return found
