"""What `patch` and `ablate` share: pairs made ready, and the result out."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from cuescope.commands import complete
from cuescope.commands.options import Data, Json, Limit, progress

if TYPE_CHECKING:
    from cuescope.inside.ready import Ready, Twins
    from cuescope.inside.translator import Translator
    from cuescope.stats.scores import Scores
    from cuescope.stats.value import Value

Site = Annotated[
    str,
    typer.Option(
        help="encoder, decoder, cross; several with commas.", autocompletion=complete.sites
    ),
]
OnlySubjects = Annotated[
    bool, typer.Option("--subject", help="Only pairs whose focus noun opens the sentence.")
]
Forms = Annotated[
    Path | None,
    typer.Option(
        metavar="FILE.tsv",
        help="pair, feminine, masculine: the translations to choose between, for any language.",
    ),
]
Choice = Annotated[str, typer.Option(help="'logit difference' or probability.")]


@dataclass(frozen=True)
class HeadOptions:
    """The heads that are swept, the pairs that they are swept over, and where the result goes."""

    data: Data
    site: Site = "encoder"
    json_out: Json = None
    limit: Limit = 0
    subject: OnlySubjects = False
    forms: Forms = None

    def ready(self, mt: Translator) -> Ready[Twins]:
        """The pairs, made ready for a model."""
        from cuescope import data as sets
        from cuescope.inside.ready import subject_pairs

        pairs = sets.pairs(self.data)
        pairs = subject_pairs(pairs) if self.subject else pairs
        pairs = pairs.sample(self.limit)
        forms = None if self.forms is None else _forms(self.forms, [one.index for one in pairs])
        with progress("translate", 2 * len(pairs)) as told:
            return mt.twins(pairs, forms=forms, progress=told)


def _forms(path: Path, pairs: list[int]) -> list[tuple[str, str]]:
    """The two translations of each pair, by its number."""
    from cuescope.errors import CueScopeError
    from cuescope.files import at, read_lines

    found: dict[int, tuple[str, str]] = {}
    for line, text in enumerate(read_lines(path)):
        number, *two = (cell.strip() for cell in text.split("\t"))
        if line == 0 and number == "pair":
            continue
        if not re.fullmatch(r"[0-9]{1,18}", number) or len(two) != 2 or not all(two):
            raise CueScopeError(
                f"{at(path, line)}: not the forms of a pair",
                expected="pair, feminine, masculine, with tabs between them",
                found=repr(text[:80]),
            )
        found[int(number)] = (two[0], two[1])
    if missing := [pair for pair in pairs if pair not in found]:
        raise CueScopeError(
            f"{path}: some pairs have no forms",
            expected=f"a line for each of {len(pairs)} pairs",
            found=f"none for {', '.join(map(str, missing[:5]))}",
        )
    return [found[pair] for pair in pairs]


def sites_of(mt: Translator, site: str) -> tuple[str, ...]:
    """The named sites, each of them there."""
    found = tuple(dict.fromkeys(site.split(",")))
    for name in found:
        mt.attention(name, 0)
    return found


def finish(found: dict[str, Scores], json_out: Path | None, what: str) -> None:
    """Write, then show: the grids, the stability, what was skipped, the signatures."""
    from rich.console import Console

    from cuescope.commands.attention import show, show_orders
    from cuescope.files import write
    from cuescope.measures.agreement import halves

    made = [_json(scores) for scores in found.values()]
    if json_out is not None:
        text = json.dumps(made[0] if len(made) == 1 else made, ensure_ascii=False, allow_nan=False)
        write(json_out, f"{text}\n")
    console = Console(stderr=str(json_out) == "-")
    for scores in found.values():
        show(scores.mean(), console, what=what)
        show_orders(scores, console)
        if len(scores) > 3:
            rho = halves(scores)
            console.print(f"two halves of the pairs: {_halves(rho)}", highlight=False)
        for reason, count in scores.skipped.items():
            console.print(f"skipped: {count} pairs, {reason}", highlight=False, markup=False)
    for scores in found.values():
        console.print(str(scores.signature), highlight=False, style="dim", markup=False)


def _json(scores: Scores) -> dict[str, Any]:
    from cuescope.commands.attention import orders_json
    from cuescope.measures.agreement import halves

    made = {**scores.to_json(), "by": {"order": orders_json(scores)}}
    return {**made, "halves": halves(scores).number()} if len(scores) > 3 else made


def _halves(rho: Value) -> str:
    """The mean over the splits, and where 95 % of them lie."""
    from cuescope.stats.shown import shown

    told = shown(rho.value, rho.low, rho.high, unit="number", digits=2)
    return f"ρ = {told} over {rho.over}"
