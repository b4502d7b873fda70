"""`cuescope mend`: change a model so that it follows the cue, judge the change, hand it back."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, cast

import typer

from cuescope.commands.options import (
    OUT,
    Device,
    Json,
    Limit,
    Model,
    Src,
    Tgt,
    Threads,
    open_model,
    progress,
)
from cuescope.errors import CueScopeError

if TYPE_CHECKING:
    from cuescope.inside.heads import Head
    from cuescope.mend.fit import People
    from cuescope.mend.judge import Material, Says
    from cuescope.mend.mend import Mend as Mended
    from cuescope.models.translator import Translator

app = typer.Typer(
    help="Mend a model: fit a change, judge it, export it as a file.", no_args_is_help=True
)
File = Annotated[Path, typer.Argument(metavar="MEND", help="A mend, as `fit` wrote it.")]
FITTED = ("louder", "floor", "tuned", "gated", "choosing", "contrastive", "debiased")
UNTUNED = ("choosing", "contrastive", "debiased")  # neither heads nor steps
HEADLESS = ("gated", *UNTUNED)
_HEADS = "Heads as layer.head with commas, or all."


def heads_of(said: str, layers: int, heads: int) -> list[Head]:
    """Heads as people write them.

    >>> heads_of("2.1,0.7", 6, 8), len(heads_of("all", 6, 8))
    ([(2, 1), (0, 7)], 48)
    """
    if said == "all":
        return [(layer, head) for layer in range(layers) for head in range(heads)]
    parts = [part.strip() for part in said.split(",") if part.strip()]
    if bad := [part for part in parts if not re.fullmatch(r"\d+\.\d+", part)]:
        raise CueScopeError(
            "heads are named by layer and head", expected="2.1,0.7 or all", found=bad[0]
        )
    return [(int(a), int(b)) for a, b in (part.split(".") for part in parts)]


@app.command("fit")
def fit(
    model: Model,
    out: Annotated[
        Path, typer.Option("--out", metavar="FILE", help="The mend.", rich_help_panel=OUT)
    ],
    kind: Annotated[str, typer.Option(help=f"{', '.join(FITTED)}.")] = "tuned",
    encoder: Annotated[str, typer.Option(help=_HEADS)] = "",
    decoder: Annotated[str, typer.Option(help=_HEADS)] = "",
    cross: Annotated[str, typer.Option(help=_HEADS)] = "",
    people: Annotated[
        str, typer.Option(help="Tune on sentences with one person, or with two as well.")
    ] = "two",
    steps: Annotated[int, typer.Option(help="Most steps; 0: 300, 800 for gated units.", min=0)] = 0,
    rate: Annotated[
        float, typer.Option(help="Size of a step; 0: 3e-4 for tuned heads, 3e-3 for gated units.")
    ] = 0.0,
    hold: Annotated[
        float,
        typer.Option(help="Weight of staying where it was; 0: 1."),
    ] = 0.0,
    times: Annotated[
        int,
        typer.Option(
            help="Lessons of each template; 0: 2 for tuned heads, 4 for gated units.", min=0
        ),
    ] = 0,
    found: Annotated[
        bool, typer.Option("--found", help="Choosing: ask the rules whose pronoun it is, always.")
    ] = False,
    control: Annotated[
        bool, typer.Option("--control", help="As many other heads, drawn at random.")
    ] = False,
    seed: Annotated[int, typer.Option(help="Of all that is drawn.")] = 0,
    src: Src = None,
    tgt: Tgt = None,
    device: Device = "cpu",
    threads: Threads = 0,
) -> None:
    """Fit a mend on the project's own sentences and write it to --out.

    Louder heads get the factor with most pairs right, an attention floor its
    share; tuned heads get new query, key, value and output slices, in small
    steps, stopped where sentences held out are best. Gated units are added to
    the feed-forward blocks and fire only where a cue is or has come. Choosing,
    contrastive decoding and hard-debiasing change no weight.
    Prints the mend, and what could not be used, by reason.

    Example: cuescope mend fit firefox:en-pt --encoder 2.1,0.7 --out two.mend
    """
    from cuescope.inside.options import check_option
    from cuescope.mend.fit import People, at_random, fit_floor, fit_louder

    check_option("--people", people, People)
    if kind not in FITTED:
        raise CueScopeError("this kind is not fitted", expected=" or ".join(FITTED), found=kind)
    said = {"encoder": encoder, "decoder": decoder, "cross": cross}
    if kind in HEADLESS and (control or any(said.values())):
        raise CueScopeError(
            f"{kind} changes no head",
            expected="no heads, no --control",
            found="--control" if control else "some",
        )
    mt = open_model(model, src, tgt, device, threads)
    numbers = {"steps": steps, "rate": rate, "hold": hold, "seed": seed}
    given = {name: value for name, value in numbers.items() if value}
    if kind in UNTUNED:
        from cuescope.mend.fit import without_heads

        return _saved(without_heads(mt, kind, found=found), out)
    if kind == "gated":
        return _saved(_fitted(mt, kind, None, cast(People, people), times, given), out)
    heads = {s: heads_of(h, *mt.sites.get(s, (0, 0))) for s, h in said.items() if h}
    if not heads:
        raise CueScopeError(
            "no head is named",
            expected="--encoder 2.1,0.7, --cross all …",
            found="none",
            do="`cuescope patch` finds the heads that carry the cue",
        )
    if control:
        heads = {site: list(some) for site, some in at_random(mt, heads, seed).items()}
    if kind in ("louder", "floor"):
        return _saved((fit_louder if kind == "louder" else fit_floor)(mt, heads), out)
    return _saved(_fitted(mt, kind, heads, cast(People, people), times, given), out)


def _saved(mend: Mended, out: Path) -> None:
    mend.save(out)
    typer.echo(repr(mend))


def _fitted(
    mt: Translator,
    kind: str,
    heads: dict[str, list[Head]] | None,
    people: People,
    times: int,
    given: dict[str, Any],
) -> Mended:
    """Tuned heads or gated units, with the steps on the screen and what was not used after them."""
    from cuescope.mend.fit import fit_gated, fit_tuned, gating
    from cuescope.mend.tune import Tuning

    how: Any = gating(people, **given) if kind == "gated" else Tuning(**{"rate": 3e-4, **given})
    with progress("fitting", how.steps) as done:

        def told(*_: object) -> None:
            done(how.every)

        asked: Any = {"people": people, "told": told} | ({"times": times} if times else {})
        if heads is None:
            mend, skipped = fit_gated(mt, how=how, **asked)
        else:
            mend, skipped = fit_tuned(mt, heads, tuning=how, **asked)
    for reason, count in skipped.most_common():
        typer.echo(f"{count} lessons not used: {reason}", err=True)
    return mend


@app.command("show")
def show(mend: File) -> None:
    """Print what a mend is and what it was fitted on; writes nothing.

    Example: cuescope mend show two.mend
    """
    from cuescope.mend import Mend

    opened = Mend.load(mend)
    typer.echo(repr(opened))
    typer.echo(f"for {opened.model}, weights {opened.weights}; {opened.size:,} weights of its own")
    typer.echo(str(opened.signature))


@app.command("judge")
def judge(
    mends: Annotated[
        list[Path], typer.Argument(metavar="MEND...", help="Mends of one model, to judge alike.")
    ],
    data: Annotated[str, typer.Option(metavar="SET", help="simplegen, or winomt:DIR.")] = "winomt",
    limit: Limit = 0,
    ordinary: Annotated[
        str | None,
        typer.Option(metavar="SRC,REF", help="Ordinary text and its reference, for BLEU and chrF."),
    ] = None,
    engine: Annotated[
        bool, typer.Option("--engine", help="Exported, in Firefox's own engine, not here.")
    ] = False,
    groups: Annotated[
        int, typer.Option(help="Sentences of each SimpleGEN group; 0: none.", min=0)
    ] = 40,
    sets: Annotated[
        int, typer.Option(help="Contrast sets to sample, for H(GE) and ΔH; 0: none.", min=0)
    ] = 8,
    json_out: Json = None,
    figure: Annotated[
        Path | None,
        typer.Option("--figure", metavar="OUT", help="Gain against damage.", rich_help_panel=OUT),
    ] = None,
    cards: Annotated[
        Path | None,
        typer.Option("--cards", metavar="DIR", help="A card a mend.", rich_help_panel=OUT),
    ] = None,
    report: Annotated[
        Path | None,
        typer.Option("--report", metavar="OUT", help="All of it as a page.", rich_help_panel=OUT),
    ] = None,
    src: Src = None,
    tgt: Tgt = None,
    device: Device = "cpu",
    threads: Threads = 0,
) -> None:
    """Judge mends by everything at once, beside the plain model.

    Prints one table: strict MPA, accuracy by gender, the other noun, sentences
    with they and without a cue, SimpleGEN's groups, H(GE) and ΔH (by our own
    arithmetic: the engine does not sample), BLEU, CPU time; shares with
    intervals, and the change pair by pair. --report OUT, --json OUT,
    --figure OUT and --cards DIR write it.

    Example: cuescope mend judge two.mend --data simplegen --limit 100
    """
    import tempfile

    from rich.console import Console

    from cuescope.files import write
    from cuescope.mend import Mend, table
    from cuescope.mend.judge import judged
    from cuescope.show import mends as shown

    opened = {path.stem: Mend.load(path) for path in mends}
    if len({(one.model, one.weights) for one in opened.values()}) != 1:
        raise CueScopeError(
            "these mends are for several models",
            expected="mends of one model",
            found=", ".join(sorted({one.model for one in opened.values()})),
        )
    mt = open_model(next(iter(opened.values())).model, src, tgt, device, threads)
    material = _material(mt, data, limit, ordinary, groups)
    with tempfile.TemporaryDirectory(prefix="cuescope-") as scratch:
        systems = _systems(mt, opened, Path(scratch) if engine else None)
        found = judged(systems, material, keep=True)
    on = _judged_on(material, data, sets, engine)
    if sets:
        from cuescope.mend.sure import beside, entropies

        found = beside(found, entropies(mt, opened, material.pairs, sets))
    Console().print(shown.judged_table(found, on).to_rich())
    if json_out:
        import json

        write(json_out, json.dumps(table.to_json(found), indent=1, ensure_ascii=False))
    for name, one in opened.items() if cards else ():
        assert cards
        both = [found[0], next(row for row in found if row.name == name)]
        write(cards / f"{name}.md", table.card(one, both, on))
    if figure:
        from cuescope.show.figures.canvas import save

        save(shown.figure(found), figure)
    if report:
        write(report, shown.mends_page(found, opened, on))


def _judged_on(material: Material, data: str, sets: int, engine: bool) -> str:
    """What the numbers are of, sizes named."""
    said = [f"{len(material.pairs):,} pairs of {data}", f"{len(material.free)} without a cue"]
    if material.groups:
        most = max(map(len, material.groups.values()))
        said.append(f"{most} of each SimpleGEN group, some of whose nouns the lessons have")
    if material.ordinary:
        said.append(f"{len(material.ordinary):,} lines of ordinary text")
    if sets:
        here = ", sampled here" if engine else ""
        said.append(f"{sets} contrast sets for entropies{here}")
    return "; ".join(said) + (" (in Firefox's own engine)" if engine else "")


def _material(mt: object, data: str, limit: int, ordinary: str | None, groups: int) -> Material:
    from cuescope import data as known
    from cuescope.data import simplegen
    from cuescope.data.items import sample
    from cuescope.files import read_sentences
    from cuescope.inside.ready import target_language
    from cuescope.mend.judge import Material
    from cuescope.mend.lessons import plain

    name, _, place = data.partition(":")
    texts: list[list[str]] = [[], []]
    if ordinary:
        paths = ordinary.split(",")
        if len(paths) != 2:
            raise CueScopeError("--ordinary is two files", expected="SRC,REF", found=ordinary)
        texts = [read_sentences(path) for path in paths]
        if len(texts[0]) != len(texts[1]):
            raise CueScopeError(
                "source and reference differ in length",
                expected=f"{len(texts[0])} lines",
                found=str(len(texts[1])),
            )
    return Material(
        pairs=known.pairs(name, place or None).sample(limit),
        lang=target_language(mt),  # type: ignore[arg-type]
        free=tuple(plain(12, seed=5, held_out=True)),
        ordinary=tuple(texts[0]),
        references=tuple(texts[1]),
        groups={
            one: tuple(sample(simplegen.items(one), groups)) for one in simplegen.SETS if groups
        },
    )


def _systems(mt: object, opened: dict[str, Mended], scratch: Path | None) -> dict[str, Says]:
    """Plain and mended, here; or exported to `scratch`, in Firefox's engine."""
    from cuescope.mend import engine as firefox
    from cuescope.mend import judge as made
    from cuescope.mend.export import export
    from cuescope.models import catalog
    from cuescope.models.translator import Translator

    assert isinstance(mt, Translator)
    if scratch is None:
        return {"plain": made.plain(mt)} | {n: made.mended(m, mt) for n, m in opened.items()}
    folders = {"plain": Path(catalog.locate(mt.name)[1])}
    for name, mend in opened.items():
        folders[name] = export(mend, mt, scratch / name)

    def says(folder: Path) -> Says:
        return lambda texts, _: firefox.translate(folder, texts)

    return {name: says(folder) for name, folder in folders.items()}


@app.command("export")
def export_command(
    mend: File,
    to: Annotated[
        Path, typer.Option("--to", metavar="DIR", help="A new folder.", rich_help_panel=OUT)
    ],
    card: Annotated[
        Path | None, typer.Option(help="Its README: a card that `judge --cards` wrote.")
    ] = None,
    src: Src = None,
    tgt: Tgt = None,
) -> None:
    """Write the mended model as a folder that its maker's own engine opens.

    Firefox's models become Marian's int8 binary with the vocabulary beside it,
    Hugging Face's a folder of safetensors; the mend and its card lie beside.

    Example: cuescope mend export two.mend --to mended
    """
    from cuescope.files import read_lines
    from cuescope.mend import Mend
    from cuescope.mend.export import export

    opened = Mend.load(mend)
    text = "\n".join(read_lines(card)) + "\n" if card else ""
    mt = open_model(opened.model, src, tgt)
    typer.echo(f"written: {export(opened, mt, to, text)}")


@app.command("engine")
def engine() -> None:
    """Fetch Firefox's own engine (Bergamot, WebAssembly) from npm into the cache.

    Example: cuescope mend engine
    """
    from cuescope.mend import engine as firefox

    typer.echo(f"Firefox's engine is in {firefox.fetch()}")
