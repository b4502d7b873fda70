"""`cuescope audit`: papers D and C on models: does speed cost her gender? whose wife is it?"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from cuescope.commands import complete
from cuescope.commands.groups import grouped
from cuescope.commands.options import (
    LANGUAGE,
    MACHINE,
    OUT,
    Fresh,
    Lang,
    Src,
    Tgt,
    in_panel,
    listed,
)

if TYPE_CHECKING:
    from rich.console import Console

    from cuescope.audit.settings import RelationshipSettings, SpeedSettings

app = typer.Typer(
    no_args_is_help=True,
    help="Audits of whole systems: speed against bias, relationships (papers D, C).",
)
_HOW_MUCH = "How much"
_NAMES = "firefox:en-pt, a folder, or a hub name; several stand side by side."
Models = Annotated[
    list[str], typer.Argument(metavar="MODEL...", help=_NAMES, autocompletion=complete.models)
]
Folder = Annotated[
    Path | None,
    in_panel(OUT, "Folder of the audit; artifacts/audit-… if not given.", metavar="DIR"),
]
Jobs = Annotated[
    int, in_panel(MACHINE, "Processes that translate, one core each; 0: as many as cores.")
]


@dataclass(frozen=True)
class AuditOptions:
    """What both audits are told: the languages, where it is written, on how many cores."""

    out: Folder = None
    src: Src = None
    tgt: Tgt = None
    jobs: Jobs = 0
    fresh: Fresh = False

    def of(self, model: str, models: int) -> Mapping[str, Any]:
        """The settings of one model: its folder is the one named, or inside it, if of several."""
        folder = str(self.out) if self.out else None
        if self.out and models > 1:
            folder = str(self.out / model.strip("/.").replace(":", "-").replace("/", "-"))
        return {"out": folder, "src": self.src, "tgt": self.tgt, "jobs": self.jobs}


@app.callback()
def root() -> None:
    """Audits of whole systems: speed against bias, relationships (papers D, C)."""


@app.command("speed")
@grouped
def speed(
    models: Models,
    test_set: Annotated[
        tuple[Path, Path],
        typer.Option(metavar="SRC REF", help="Sentences and their translations, line by line."),
    ],
    *,
    grid: Annotated[str, typer.Option(help="full, or small for larger models.")] = "full",
    knobs: Annotated[
        str | None, typer.Option(help="Only these, with commas: bs1,int8,bits4,shortlist …")
    ] = None,
    pairs: Annotated[int, in_panel(_HOW_MUCH, "SimpleGEN pairs, drawn at random; 0: all.")] = 0,
    test: Annotated[
        int, in_panel(_HOW_MUCH, "Sentences of the test set, drawn at random; 0: all.")
    ] = 0,
    others: Annotated[
        str | None,
        in_panel(
            _HOW_MUCH, "A set with two people, for the other noun: winomt:DIR.", metavar="SET"
        ),
    ] = None,
    other_pairs: Annotated[
        int, in_panel(_HOW_MUCH, "Pairs of that set, drawn at random; 0: all.")
    ] = 60,
    timed: Annotated[int, in_panel(_HOW_MUCH, "Sentences that are timed.")] = 32,
    rounds: Annotated[int, in_panel(_HOW_MUCH, "How often each knob is timed.")] = 5,
    dictionary: Annotated[
        Path | None, in_panel(LANGUAGE, "Check SimpleGEN by this dictionary (CSV).")
    ] = None,
    lang: Lang = None,
    audit: AuditOptions,
) -> None:
    """Does speed cost her gender? BLEU, time and SimpleGEN for every knob.

    Beam, bits, layers, shortlist, int8 engines, alone and stacked, as in paper
    D's tables 4a and 4b. Times are ratios to the baseline of the same round.
    What is done is kept in the folder; an interrupted audit goes on. Writes
    report.html, speed.json and the figure; a knob without its engine is a row
    that says so.

    Example: cuescope audit speed firefox:en-pt --test-set dev.en dev.pt
    """
    from cuescope.audit.settings import SpeedSettings

    settings = [
        SpeedSettings(
            model,
            str(test_set[0]),
            str(test_set[1]),
            grid=grid,
            knobs=listed(knobs),
            lang=lang,
            dictionary=str(dictionary) if dictionary else None,
            pairs=pairs,
            test=test,
            others=others,
            other_pairs=other_pairs,
            timed=timed,
            rounds=rounds,
            **audit.of(model, len(models)),
        )
        for model in models
    ]
    carry_out_speed(settings, audit.out, fresh=audit.fresh)


@app.command("relationships")
@grouped
def relationships(
    *,
    models: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="MODEL...",
            help="Models into English: firefox:pt-en, a folder, a hub name.",
            autocompletion=complete.models,
        ),
    ] = None,
    translations: Annotated[
        list[str] | None,
        typer.Option(
            metavar="SYSTEM=FILE", help="A system's output, as `score --data relationships` takes."
        ),
    ] = None,
    langs: Annotated[str, typer.Option(help="Source languages, with commas.")] = "es,fr,it,pt",
    occupations: Annotated[
        Path | None, typer.Option(help="Figures per occupation (TSV), for the regression.")
    ] = None,
    limit: Annotated[
        int, in_panel(_HOW_MUCH, "Sentences of each language, drawn at random; 0: all.")
    ] = 0,
    heads: Annotated[
        int, in_panel(_HOW_MUCH, "Fours of sentences for the heads; 0: do not look inside.")
    ] = 60,
    audit: AuditOptions,
) -> None:
    """Whose wife is it? The possessive of same- and different-gender couples.

    Translates paper C's sentences (Portuguese ones are the project's own),
    writes its figure 2, McNemar's test and the regression, and looks which
    heads carry the subject's gender, or the partner's, into his / her. Given
    outputs of other systems stand beside. Writes report.html,
    relationships.json and the figure into --out.

    Example: cuescope audit relationships firefox:pt-en --langs pt
    """
    from cuescope.audit.settings import RelationshipSettings
    from cuescope.commands.score import named

    settings = [
        RelationshipSettings(
            model,
            langs=listed(langs),
            occupations=str(occupations) if occupations else None,
            limit=limit,
            heads=heads,
            **audit.of(model, len(models or [])),
        )
        for model in models or []
    ]
    outputs = named(translations or [], "--translations")
    given = {name or Path(path).stem: path for name, path in outputs.items()}
    carry_out_relationships(settings, given, audit.out, occupations, fresh=audit.fresh)


def carry_out_relationships(
    settings: list[RelationshipSettings],
    outputs: dict[str, str],
    out: Path | None,
    occupations: Path | None = None,
    *,
    fresh: bool = False,
) -> None:
    """Measure every system, print the tables, write the page and the figure."""
    import json

    from rich.console import Console

    from cuescope.audit.possessive import Possessive
    from cuescope.audit.relationships import audit
    from cuescope.files import write
    from cuescope.show.audit import couples
    from cuescope.show.figures.canvas import save

    console = Console()
    with watched() as watch:
        found = audit(settings, outputs, occupations=occupations, fresh=fresh, watch=watch)
    folder = out or (settings[0].folder if settings else Path("artifacts/audit-relationships"))
    text = json.dumps(found.to_json(), ensure_ascii=False, indent=1, allow_nan=False)
    write(folder / "relationships.json", f"{text}\n")
    save(couples.figure(found), folder / "figure-2.png")
    write(folder / "report.html", couples.couples_page(found))
    tables = [couples.accuracy_table(found), couples.regression_table(found)]
    for inside in found.inside.values():
        if isinstance(inside, Possessive):
            tables += couples.heads_tables(inside)
    for table in filter(None, tables):
        console.print(table.to_rich(), "", highlight=False)
    for line in couples.answer(found):
        console.print(line, highlight=False, markup=False)
    path = folder / "report.html"
    console.print(f"report: {path}", highlight=False, markup=False, soft_wrap=True)


def carry_out_speed(
    settings: list[SpeedSettings], out: Path | None, *, fresh: bool = False
) -> None:
    """Measure every model, print the tables, write the page and the figures."""
    from rich.console import Console

    from cuescope.audit.speed import speed
    from cuescope.files import write
    from cuescope.show.audit import speed_tables as tables
    from cuescope.show.audit import words
    from cuescope.show.audit.page import speed_page
    from cuescope.show.figures.canvas import save
    from cuescope.show.figures.drops import drops

    console, found = Console(), []
    for use in settings:
        with watched() as watch:
            found.append(speed(use, fresh=fresh, watch=watch))
    for one, use in zip(found, settings, strict=True):
        if any(row.drops for row in one.rows[1:]):
            save(drops(one), use.folder / "figure-1.png")
        write(use.folder / "report.html", speed_page([one]))
        made = (
            tables.paper_table(one, "alone"),
            tables.paper_table(one, "stacked"),
            tables.drops_table(one),
            tables.beside_table(one),
        )
        for table in made:
            console.print(table.to_rich(), "", highlight=False)
        for line in words.speed(one):
            console.print(line, highlight=False, markup=False)
    _tell(console, [use.folder for use in settings], out, lambda: speed_page(found))


def from_yaml(
    config: Path, given: list[dict[str, Any]], console: Console, *, dry: bool, fresh: bool
) -> None:
    """The audits that a YAML file asks for; `dry` only says which."""
    from cuescope.audit.settings import RelationshipSettings, SpeedSettings, of_yaml

    settings = of_yaml(config, given)
    if not dry:
        if fast := [one for one in settings if isinstance(one, SpeedSettings)]:
            return carry_out_speed(fast, None, fresh=fresh)
        couples = [one for one in settings if isinstance(one, RelationshipSettings)]
        return carry_out_relationships(couples, {}, None, fresh=fresh)
    for use in settings:
        console.print(f"{use.folder}: {use.words()}", highlight=False, markup=False, soft_wrap=True)


def _tell(console: Console, folders: list[Path], out: Path | None, joint: Any) -> None:
    """Where the pages are; of several models one more with all, in the folder that was named."""
    from cuescope.files import write

    pages = [folder / "report.html" for folder in folders]
    if len(folders) > 1:
        pages.append((out or Path("artifacts")) / "report.html")
        write(pages[-1], joint())
    for path in pages:
        console.print(f"report: {path}", highlight=False, markup=False, soft_wrap=True)


@contextmanager
def watched() -> Iterator[Any]:
    """Progress bars as `investigate` has them, for stages that are named as they come."""
    from cuescope.show.watch import watching

    with watching({}) as watch:
        yield watch.named
