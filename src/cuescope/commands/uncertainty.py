"""cuescope uncertainty: how sure is the model, and is it less sure where it should be?"""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from cuescope.commands import complete
from cuescope.commands.groups import grouped
from cuescope.commands.options import OUT, Data, Lang, ModelOptions, listed, progress
from cuescope.errors import CueScopeError
from cuescope.measures.parts import MEASURES

PARTS = "Parts of S3E and SE"
_SENTENCES = 9  # whose best translations are printed

if TYPE_CHECKING:
    from rich.table import Table

    from cuescope.run.exact import Exact
    from cuescope.run.study import Study


@grouped
def uncertainty(
    *,
    data: Data = "simplegen",
    samples: Annotated[int, typer.Option(help="Samples of each source.")] = 128,
    epsilon: Annotated[float, typer.Option(help="Tokens less likely than this are cut.")] = 0.02,
    measures: Annotated[
        str,
        typer.Option(help="Of ge, s3e, se: any, with commas.", autocompletion=complete.measures),
    ] = "ge",
    limit: Annotated[
        int | None, typer.Option(help="So many contrast sets, drawn at random from all.", min=1)
    ] = None,
    similarity: Annotated[
        str,
        typer.Option(
            help="For s3e: use (from PyPI), chars, or a sentence-transformers model.",
            rich_help_panel=PARTS,
        ),
    ] = "intfloat/multilingual-e5-base",
    equivalence: Annotated[
        str, typer.Option(help="For se: an NLI model, or normalised.", rich_help_panel=PARTS)
    ] = "MoritzLaurer/mDeBERTa-v3-base-mnli-xnli",
    loose: Annotated[
        bool,
        typer.Option(help="For se: loose instead of strict entailment.", rich_help_panel=PARTS),
    ] = False,
    alpha: Annotated[
        float | None,
        typer.Option(
            help="S3E's α; tuned on the entropy of gender, which needs ge, if not given.",
            rich_help_panel=PARTS,
        ),
    ] = None,
    exact: Annotated[
        bool,
        typer.Option(
            "--exact", help="Also certified: the tree enumerated, the noun's gender bounded."
        ),
    ] = False,
    width: Annotated[
        float, typer.Option(help="With --exact: of the interval of a sentence's P(gender).")
    ] = 0.01,
    best: Annotated[
        bool,
        typer.Option(
            "--best", help="With --exact: also the most probable translation of each gender."
        ),
    ] = False,
    seed: Annotated[int, typer.Option(help="Of the samples.")] = 0,
    json_: Annotated[
        str | None,
        typer.Option("--json", metavar="OUT", help="Write everything here.", rich_help_panel=OUT),
    ] = None,
    lang: Lang = None,
    model: ModelOptions,
) -> None:
    """How sure the model is: entropies of he / she / they versions.

    Samples every version and prints, for each measure, H, norm-H and ΔH with
    intervals; --json OUT writes them with a row per sentence. With --exact
    the probability of each gender and its entropies are certified as well:
    intervals that contain them, without samples.

    Example: cuescope uncertainty firefox:en-pt --data simplegen --limit 100
    """
    from rich.console import Console

    from cuescope import data as sets_of
    from cuescope import files
    from cuescope.inside.ready import target_language
    from cuescope.measures.parts import part
    from cuescope.run.exact import MOST
    from cuescope.run.exact import exact as exact_sets
    from cuescope.run.study import contrast_sets, study
    from cuescope.sampling.enumerate import check_width
    from cuescope.sampling.truncate import check

    check(samples, epsilon)
    check_width(width)
    if best and not exact:
        raise CueScopeError("--best searches what is enumerated", found="no --exact", do="add it")
    names = _names(measures)
    sets, left_out = contrast_sets(sets_of.load(data), limit)
    mt = model.open()
    target = target_language(mt, lang) if "ge" in names or exact else ""
    parts = {name: part(name, target, similarity, equivalence, loose) for name in names}
    with progress("sampling", len({item.text for one in sets for item in one})) as done:
        found = study(
            mt,
            sets,
            parts,
            samples=samples,
            epsilon=epsilon,
            seed=seed,
            alpha=alpha,
            progress=done,
        )
    console = Console()
    skipped = "".join(f"; {n} items left out: {why}" for why, n in left_out.items())
    console.print(f"{mt!r}\n{data}: {len(sets)} contrast sets{skipped}", markup=False)
    for name in names:
        console.print(_table(found, name))
    if found.tuned:
        console.print(found.tuned)
    told = found.to_json()
    if exact:
        with progress("enumerating", len({item.text for one in sets for item in one})) as done:
            sure = exact_sets(
                mt, sets, width, epsilon=epsilon, most=MOST, best=best, lang=lang, progress=done
            )
        console.print(_certified(sure))
        if best:
            console.print(_best(sure))
        told["certified"] = sure.to_json()
        console.print(f"certified {sure.signature}", markup=False)
    console.print(f"signature {found.signature}", markup=False)
    if json_:
        files.write(Path(json_), json.dumps(told, indent=1, ensure_ascii=False))


def _names(measures: str) -> list[str]:
    names = listed(measures)
    if not names or set(names) - set(MEASURES):
        raise CueScopeError("no such measure", expected="ge, s3e, se, with commas", found=measures)
    return list(names)


def _table(found: Study, name: str) -> Table:
    from rich.table import Table

    part = found.measured[name][0].part
    table = Table(name.upper(), "value", "95 % interval", title=part, title_justify="left")
    for label, value in found.values[name].items():
        table.add_row(label, f"{value.value:.3f}", f"{value.low:.3f} – {value.high:.3f}")
    table.add_row("sets without any entropy", str(found.certain(name)), "")
    return table


def _certified(found: Exact) -> Table:
    from rich.table import Table

    from cuescope.stats.shown import outwards

    spent = found.certified
    wide = f", {spent.exhausted} wider than asked" if spent.exhausted else ""
    title = (
        f"certified: {spent.evaluations / len(spent):.0f} evaluations a sentence, width "
        f"{spent[0].width:g}{wide}"
    )
    table = Table("mean of all", "between", title=title, title_justify="left")
    for name, ends in found.values.items():
        if not name.startswith(("P(neutral)", "P(unknown)")) or ends[1] > spent[0].width:
            table.add_row(name, outwards(ends))
    return table


def _best(found: Exact) -> Table:
    """The most probable translation of each gender, of the first sentences."""
    from rich.table import Table

    from cuescope.stats.shown import outwards

    spent = found.certified
    shown = min(len(spent), _SENTENCES)
    title = (
        f"most probable translations: {sum(one.searched for one in spent) / len(spent):.0f} more "
        f"evaluations a sentence; {shown} of {len(spent)} sentences, all of them with --json"
    )
    table = Table("source", "gender", "P", "translation", title=title, title_justify="left")
    for one in spent[:shown]:
        ranked = sorted(one.best.items(), key=lambda each: -each[1].truncated)
        for place, (gender, best) in enumerate(ranked):
            unsure = "" if best.certain else " (perhaps not the best)"
            source = "" if place else one.source
            table.add_row(source, gender, outwards(one.interval(gender)), f"{best.text}{unsure}")
    return table
