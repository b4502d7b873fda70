"""`cuescope data`: list the challenge sets, fetch the one that is not shipped."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from cuescope.commands.options import a_set
from cuescope.errors import CueScopeError

app = typer.Typer(help="Challenge sets: list them, show them, fetch WinoMT.", no_args_is_help=True)

# The branch moves, the content does not: each file is taken only if its hash is this one.
_SOURCE = "https://raw.githubusercontent.com/gabrielStanovsky/mt_gender/master/data/aggregates"
_WINOMT = {
    "en.txt": "11797c54a74876c4ae63d029e88ec35ded8ee335251c51ff861f8790a7e258af",
    "en_pro.txt": "ed06dd39ca549f8766e4958de15afe706e4f3185c1ec580125d0c71b9f530064",
    "en_anti.txt": "da3e5744ed70481c80333a082f06fa6696be5db20c12a48a74845b245ce502e1",
}


@app.command("list")
def list_sets() -> None:
    """The challenge sets and where they come from; writes nothing.

    Example: cuescope data list
    """
    from rich.console import Console
    from rich.table import Table

    made = Table("set", "sentences", "where from")
    made.add_row("simplegen", "2,664", "shipped: generated from paper D (the default)")
    made.add_row("relationships", "8,520", "shipped: generated from paper C, es fr it")
    made.add_row("winomt, winomt:DIR", "7,056", "`cuescope data get winomt` (MIT)")
    made.add_row("FILE.tsv, FILE.jsonl", "", "your own: docs/data.md")
    Console().print(made)


@app.command("show")
def show(
    data: Annotated[str, a_set(typer.Argument, "simplegen, relationships, winomt:DIR or a file.")],
    only: Annotated[str, typer.Option("--set", help="Only the sentences of this set.")] = "",
) -> None:
    """Print the source sentences, one a line: what a system is to translate.

    Example: cuescope data show simplegen --set mofc > mofc.en
    """
    from cuescope.data import load

    items = [item for item in load(data) if only in ("", item.set)]
    if not items:
        names = sorted({item.set for item in load(data)})
        raise CueScopeError("no such set", expected=", ".join(names), found=only)
    for item in items:
        typer.echo(item.text)


@app.command("get")
def get(
    name: Annotated[str, typer.Argument(metavar="NAME", help="winomt.")],
    to: Annotated[
        Path | None,
        typer.Option(metavar="DIR", help="Folder to put it in; else where reference data are."),
    ] = None,
) -> None:
    """Fetch a challenge set to where `--data winomt` finds it, checked by hash.

    Where that is, docs/data.md says: CUESCOPE_DATA, or the user's cache.

    Example: cuescope data get winomt
    """
    from cuescope.data import reference

    if name not in reference.FETCHED:
        raise CueScopeError(
            "nothing to fetch under that name",
            expected=", ".join(reference.FETCHED),
            found=name,
            do="`cuescope data list` shows what is shipped; docs/data.md, where others are from",
        )
    from cuescope.files.fetch import download

    place = to or reference.folder() / name
    for file, sha256 in _WINOMT.items():
        download(f"{_SOURCE}/{file}", place / file, sha256, label=f"WinoMT {file}")
    typer.echo(f"WinoMT is in {place}: use --data {f'winomt:{to}' if to else 'winomt'}")
