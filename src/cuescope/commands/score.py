"""`cuescope score`: any system's output against a challenge set."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from cuescope.commands import complete
from cuescope.commands.options import OUT, Json, a_set
from cuescope.errors import CueScopeError

_SG = "Only for simplegen"

if TYPE_CHECKING:
    import pandas as pd
    from rich.table import Table

    from cuescope.measures.relationships import Relationships
    from cuescope.run.score import Score
    from cuescope.run.score_simplegen import SimpleGenScore
    from cuescope.stats.value import Value


def score(
    data: Annotated[
        str,
        a_set(typer.Option, "winomt:DIR, simplegen, relationships, or a .tsv / .jsonl file."),
    ],
    translations: Annotated[
        list[str],
        typer.Option(
            metavar="FILE", help="SET=FILE or FILE, once per set (relationships: SYSTEM=FILE.csv)."
        ),
    ],
    lang: Annotated[
        str | None,
        typer.Option(
            help="Target language: de es fr it pt ru uk.", autocompletion=complete.languages
        ),
    ] = None,
    json_out: Json = None,
    table: Annotated[
        Path | None,
        typer.Option(
            metavar="OUT",
            help="Write a row per sentence here (.csv or .parquet).",
            rich_help_panel=OUT,
        ),
    ] = None,
    sources: Annotated[
        list[str] | None,
        typer.Option(
            metavar="FILE", help="SET=FILE or FILE: the source sentences.", rich_help_panel=_SG
        ),
    ] = None,
    expected: Annotated[
        str | None, typer.Option(help="The gender that is right, f or m.", rich_help_panel=_SG)
    ] = None,
    dictionary: Annotated[
        Path | None, typer.Option(help="Check by this dictionary (CSV).", rich_help_panel=_SG)
    ] = None,
    occupations: Annotated[
        Path | None,
        typer.Option(
            help="Figures per occupation (TSV).", rich_help_panel="Only for relationships"
        ),
    ] = None,
    aligner: Annotated[str, typer.Option(help="builtin, systran or eflomal.")] = "builtin",
    all_pairs: Annotated[
        bool, typer.Option("--all-pairs", help="Count pairs that are not minimal too.")
    ] = False,
    force: Annotated[
        bool,
        typer.Option("--force", help="Score blank, untranslated or other-language files too."),
    ] = False,
) -> None:
    """Any system's translations scored: accuracy, minimal pairs and more.

    Needs no model. Prints confusion tables and values with intervals; --json
    OUT writes them with the evidence of every verdict (-: standard output, and
    nothing else there), --table OUT a row per sentence.

    Example: cuescope score --data mine.tsv --lang it --translations mine.it
    """
    if table is not None and table.suffix not in (".csv", ".parquet"):
        raise CueScopeError("unknown kind of table", expected=".csv or .parquet", found=table.name)
    _refuse(
        data, sources=sources, expected=expected, dictionary=dictionary, occupations=occupations
    )
    outputs = named(translations, "--translations")
    result: Any
    show: Callable[[Any, Any], None]
    if data == "simplegen":
        result = _simplegen(outputs, lang, sources, expected, dictionary, aligner, force)
        show = _show_simplegen
    elif data == "relationships":
        from cuescope.measures.relationships import Relationships

        systems = {name or Path(path).stem: path for name, path in outputs.items()}
        result = Relationships.of(systems, occupations)
        show = _show_relationships
    else:
        from cuescope.run.score import score as score_sets

        if lang is None:
            raise CueScopeError("which language?", expected="--lang", do="name the target language")
        result = score_sets(data, outputs, lang, engine=aligner, all_pairs=all_pairs, force=force)
        show = _show_score
    from rich.console import Console

    from cuescope.files import write
    from cuescope.run.kept_score import summed

    # All is made before any is written, and written before shown: a closed pipe loses nothing.
    made = {}
    if json_out is not None:
        told = summed(result.to_json())
        text = json.dumps(told, ensure_ascii=False, indent=1, allow_nan=False)
        made[json_out] = f"{text}\n".encode()
    if table is not None:
        made[table] = _encoded(result.table(), table)
    for path, content in made.items():
        write(path, content)
    for warning in getattr(result, "warnings", ()):
        typer.echo(f"warning: {warning}", err=True)
    show(result, Console(stderr=str(json_out) == "-"))


_ONLY = {
    "sources": "simplegen",
    "expected": "simplegen",
    "dictionary": "simplegen",
    "occupations": "relationships",
}


def _refuse(data: str, **given: object) -> None:
    """An option that would be ignored is an error."""
    for name, value in given.items():
        if value and data != _ONLY[name]:
            raise CueScopeError(
                f"--{name} is only for --data {_ONLY[name]}", found=f"--data {data}"
            )


def named(given: list[str], option: str) -> dict[str, str]:
    """`name=FILE` or `FILE`; a file whose own name holds a `=` is taken as it is."""
    found: dict[str, str] = {}
    for value in given:
        name, equals, path = value.partition("=")
        if not equals or Path(value).exists():
            name, path = "", value
        key = name if name or "" not in found else Path(path).stem
        if key in found:
            raise CueScopeError(
                f"{option}: {key or 'the unnamed set'} is given twice",
                found=f"{found[key]}, {path}",
            )
        found[key] = path
    return found


def _simplegen(
    outputs: dict[str, str],
    lang: str | None,
    sources: list[str] | None,
    expected: str | None,
    dictionary: Path | None,
    aligner: str,
    force: bool,
) -> SimpleGenScore:
    from cuescope.data.items import Gold
    from cuescope.run.score_simplegen import score_simplegen

    golds: dict[str, Gold] = {"f": "female", "m": "male", "female": "female", "male": "male"}
    if expected is not None and expected not in golds:
        raise CueScopeError("--expected", expected="f or m", found=expected)
    return score_simplegen(
        outputs,
        lang,
        sources=named(sources or [], "--sources"),
        expected=golds[expected] if expected else None,
        dictionary_file=dictionary,
        engine=aligner,
        force=force,
    )


def _encoded(rows: pd.DataFrame, path: Path) -> bytes:
    if path.suffix == ".csv":
        return str(rows.to_csv(index=False)).encode()
    import io

    stream = io.BytesIO()
    try:
        rows.to_parquet(stream, index=False)
    except ImportError:
        raise CueScopeError(
            "Parquet needs pyarrow", do="pip install pyarrow, or name a .csv file"
        ) from None
    return stream.getvalue()


def _table(title: str, *columns: str) -> Table:
    from rich.table import Table

    made = Table(title=title, title_justify="left")
    for number, column in enumerate(columns):
        made.add_column(column, justify="left" if number == 0 else "right")
    return made


def _print(console: Any, *values: Value) -> None:
    for value in values:
        console.print(value.brief(), highlight=False, markup=False)


def _show_score(result: Score, console: Any) -> None:
    from cuescope.measures.accuracy import GENDERS

    for name in result.sets:
        made = _table(f"{name}: gold against reading", "gold", *GENDERS)
        for gold, row in result.confusion(name).items():
            if any(row.values()):
                made.add_row(gold, *(str(row[gender]) for gender in GENDERS))
        console.print(made)
        for verdict in result.sets[name]:
            if verdict.skipped:
                console.print(f"skipped: {verdict.skipped}", highlight=False, markup=False)
        _print(console, *result.accuracy(name).values())
        _print(console, *result.accuracy(name, "pronouns").values(), *result.f1(name).values())
    _print(console, *result.measures().values())
    pairs = result.mpa
    if pairs is not None:
        wider = result.mpa_with_pronouns
        assert wider is not None  # of the same pairs
        _print(console, wider.value)
        console.print(f"{pairs.pairs} pairs; left out: {len(pairs.left_out)}", highlight=False)
        for pair in pairs.left_out:
            console.print(f"  pair {pair.index}: {pair.reason}", highlight=False, markup=False)
    console.print(str(result.signature), highlight=False, style="dim", markup=False)


def _show_simplegen(result: SimpleGenScore, console: Any) -> None:
    from cuescope.measures.simplegen import OUTCOMES

    made = _table("by protocol", "protocol", *OUTCOMES)
    for name, outcome in result.protocols.items():
        counts = outcome.counts()
        made.add_row(
            name + (" *" if name == result.chosen else ""), *(str(counts[o]) for o in OUTCOMES)
        )
    console.print(made)
    chosen = result.result
    _print(console, *(chosen.correct(name) for name in chosen.outcomes), *chosen.deltas().values())
    console.print(str(chosen.signature), highlight=False, style="dim", markup=False)


_FORMS = {"coef": ".4f", "se": ".3f", "z": ".3f", "p": ".2g"}


def _show_relationships(result: Relationships, console: Any) -> None:
    from cuescope.stats.shown import shown

    made = _table("accuracy", "system", "same gender", "different gender", "McNemar p")
    for model in dict.fromkeys(result.frame["model"]):
        kinds = [result.accuracy(model, kind) for kind in ("same_gender", "diff_gender")]
        test = result.mcnemar(model)
        told = [str(shown(v.value, v.low, v.high)) for v in kinds]
        made.add_row(model, *told, f"{max(test.p, 1e-300):.2g}" if test else "-")
    console.print(made)
    fit = result.regression
    if fit is None:
        console.print(f"no regression: {result.no_regression}", highlight=False, markup=False)
    else:
        title = f"logistic regression: N={fit.nobs}, LLR={fit.llr:.1f}, d.f.={fit.df}"
        terms = _table(title, "term", "coef", "se", "z", "p")
        for name, term in fit.terms.items():
            figures = [f"{term[part]:{form}}" for part, form in _FORMS.items()]
            terms.add_row(name.replace("[", "\\["), *figures)
        console.print(terms)
    console.print("p values: as in the paper, as if sentences were independent", highlight=False)
    for name, missing in result.without_figures().items():
        if missing:
            console.print(f"no {name} for {', '.join(missing)}: taken as average", highlight=False)
    console.print(str(result.signature), highlight=False, style="dim", markup=False)
