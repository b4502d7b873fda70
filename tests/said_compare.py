"""Every sentence of a comparison: what makes it true, and what makes it false."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

from cuescope.run.compare import side_by_side
from cuescope.run.findings import Findings
from cuescope.show.compare.page import page
from findings_of import number
from sentences import of_page, site
from test_compare import entropies, made, saved

Runs = Callable[[], list[Findings]]


class Compared(NamedTuple):
    """A sentence, runs of which it is true, and runs of which it is false."""

    pattern: str
    true: Runs
    false: Runs


@cache
def compared(make: Runs) -> str:
    """All that the page of these runs says."""
    runs = make()
    with TemporaryDirectory() as folder:
        return of_page(page(side_by_side(*saved(Path(folder), *runs))))


def of(*outcomes: str, **facts: Any) -> Runs:
    """Runs a, b, c… by their pairs; `facts` are of the last."""

    def make() -> list[Findings]:
        runs = [made(one, name, name) for one, name in zip(outcomes, "abc", strict=False)]
        runs[-1].update(facts)  # type: ignore[typeddict-item]
        return [entropies(one, 0.1, 0.2, 0.3) for one in runs]

    return make


def changed(runs: Runs, change: Callable[[Any], object]) -> Runs:
    """The same with the last run changed."""

    def make() -> list[Findings]:
        found = runs()
        change(found[-1])
        return found

    return make


def skip(found: Any) -> None:
    found["pairs"][0]["twins"][0]["skipped"] = "not read"


def same_weights(found: Any) -> None:
    found["model"]["weights"] = "a"


def nothing_measured(found: Any) -> None:
    for twin in (twin for pair in found["pairs"] for twin in pair["twins"]):
        twin["skipped"] = "not read"


def elsewhere(found: Any) -> None:
    """Other sentences, the weights of the first run."""
    same_weights(found)
    for twin in (twin for pair in found["pairs"] for twin in pair["twins"]):
        twin["source"] += " elsewhere"


def in_turns() -> list[Findings]:
    """Each two runs have a contrast set in common, and no set is in all three."""
    runs = of(EVEN, EVEN, EVEN)()
    for at, run in enumerate(runs):
        for place, one in enumerate(run["uncertainty"]["sets"]):  # type: ignore[index]
            if place % 3 == at:
                one["noun"] = f"of run {at}"
    return runs


def no_threshold(found: Any) -> None:
    for one in found["heads"]["cue after"].values():
        one["attention"]["all"]["threshold"] = None


def each(facts: dict[str, Any]) -> list[Findings]:
    """Both runs with other facts."""
    return [{**one, **facts} for one in BOTH()]  # type: ignore[typeddict-item]


def extra(name: str) -> Callable[[Any], None]:
    words = {"label": "Mine", "says": "my own.", "unit": "share"}
    return lambda f: f["measures"].update({name: {**number(0.5), **words}})


LOW, HIGH, EVEN = "n" * 20, "B" * 15 + "n" * 5, "Bn" * 10
BOTH = of(EVEN, EVEN)
NO_MEASURES = {"measures": {}, "orders": {}, "with_pronouns": None}
COMPARED = [
    Compared(
        r"^b follows the cue in 75\.0 % of the 20 pairs, a in 0\.0 %",
        of(LOW, HIGH),
        of(LOW, EVEN),
    ),
    Compared(r"^Both follow the cue in 50\.0 % of the 20 pairs", BOTH, of(EVEN, HIGH)),
    Compared(r"^All follow the cue in 50\.0 % of the 20", of(EVEN, EVEN, EVEN), BOTH),
    Compared(r"^Runs side by side", changed(BOTH, nothing_measured), BOTH),
    Compared(
        r"b follows the cue more often than a: \+75\.0 points of minimal pair accuracy \[.*\] on "
        r"the 20 pairs judged in both, McNemar p < 0\.001 after Holm, as if pairs were independent",
        of(LOW, HIGH),
        of(HIGH, LOW),
    ),
    Compared(r"on the 19 pairs judged in both", changed(of(LOW, HIGH), skip), of(LOW, HIGH)),
    Compared(r"b follows the cue less often than a", of(HIGH, LOW), of(LOW, HIGH)),
    Compared(r"b and a do not clearly differ: \+0\.0 points", BOTH, of(LOW, HIGH)),
    Compared(r"^b and a share 20 pairs\.", changed(BOTH, nothing_measured), BOTH),
    # -- notes
    Compared(
        r"a and b share 12 pairs of 20 and 12: their difference is over those",
        of(EVEN, EVEN[:12]),
        BOTH,
    ),
    Compared(
        r"a translates into pt, b into fr: their difference is of model and language together",
        of(EVEN, EVEN, lang="fr"),
        BOTH,
    ),
    Compared(
        r"a and c share no pair: no difference is measured",
        changed(of(EVEN, EVEN, EVEN), elsewhere),
        of(EVEN, EVEN, EVEN),
    ),
    Compared(
        r"Mine is shown, not compared: its code is not here",
        changed(BOTH, extra("mine")),
        changed(BOTH, extra("mpa")),
    ),
    Compared(
        r"ΔH \(ge\) of a and b is not compared: not measured in both",
        changed(BOTH, lambda f: f.update(uncertainty=None)),
        BOTH,
    ),
    Compared(
        r"ΔH \(ge\) is not ranked: not measured in both",
        changed(BOTH, lambda f: f.update(uncertainty=None)),
        BOTH,
    ),
    Compared(
        r"ΔH \(ge\) of a and b is not compared: samples 128 against 64",
        changed(BOTH, lambda f: f["uncertainty"].update(samples=64)),
        BOTH,
    ),
    Compared(
        r"not compared: no contrast set in both",
        changed(BOTH, lambda f: [s.update(noun="x") for s in f["uncertainty"]["sets"]]),
        BOTH,
    ),
    Compared(
        r"ΔH \(ge\) is not ranked: no contrast set is in all runs",
        in_turns,
        of(EVEN, EVEN, EVEN),
    ),
    Compared(r"rank correlations need three runs on the same pairs", BOTH, of(LOW, EVEN, HIGH)),
    Compared(
        r"MPA: all runs have the same value, so there is no order to correlate",
        of(EVEN, EVEN, EVEN),
        of(LOW, EVEN, HIGH),
    ),
    # -- tables
    Compared(r"^too few pairs$", changed(BOTH, lambda f: site(f).update(enough=False)), BOTH),
    Compared(
        r"^none clearly$",
        changed(BOTH, lambda f: site(f).update(carrying={"2.1": "unsure"})),
        changed(BOTH, lambda f: site(f).update(carrying={})),
    ),
    Compared(
        r"^none$",
        changed(BOTH, lambda f: site(f).update(carrying={})),
        changed(BOTH, lambda f: site(f).update(carrying={"2.1": "unsure"})),
    ),
    Compared(r"^2\.1 41 %, 0\.7 38 %\nN/A$", changed(BOTH, no_threshold), BOTH),
    Compared(
        r"^The same heads in both runs\?\n(.*\n)*?Spearman's ρ of the heads' effects",
        changed(BOTH, same_weights),
        BOTH,
    ),
    Compared(
        r"b \(second\) less a \(first\), over 20 pairs that both have; in points of %, ΔH as it is",
        BOTH,
        of(EVEN, EVEN[:12]),
    ),
    Compared(
        r"over 20 pairs that all have; =: the same value as another\nlower is better: ",
        BOTH,
        of(EVEN, EVEN[:12]),
    ),
    Compared(
        r"^More measures, run by run\n(.*\n)*?Mine\n(.*\n)*?Shares in %",
        changed(BOTH, extra("mine")),
        BOTH,
    ),
    Compared(r"^b 50\.0 =$", BOTH, of(EVEN, HIGH)),
    *(
        Compared(pattern, BOTH, lambda change=change: each(change))  # type: ignore[misc]
        for pattern, change in {
            r"^The share of sentences whose noun has the gender that the cue shows, by set: .*\n"
            r"Gender accuracy in %, with 95 % intervals \(paper A, table 1\)": {"accuracy": {}},
            r"^■ male ● female, from 0 to 100 %": {"accuracy": {}},
            r"^A pair counts only if both its sentences are right: .*\n"
            r"Minimal pair accuracy in % \(paper A, table 2\)": NO_MEASURES,
            r"^The plot: MPA, from 0 to 100 %\.\nwith pronouns: pronouns and other words about the "
            r"noun decide where its phrase shows no gender": NO_MEASURES,
            r"^The right pairs by stereotype, in % \(paper A, table 3\)": NO_MEASURES,
            r"^What carries the cue to the noun\.": {"heads": {}},
            r"^layer\.head\. Look: .* do not correspond": {"heads": {}},
            r"^How sure they are\nEntropy of the samples, in nats: .*\n"
            r"Entropy of unambiguous and ambiguous inputs": {"uncertainty": None},
            r"^ΔH below 0: less sure of the ambiguous source": {"uncertainty": None},
        }.items()
    ),
]
ALWAYS = (
    "On the pairs that two runs share. The same nouns are left out in both runs, so what the runs "
    "have in common cancels out.",
    "* the paired 95 % interval leaves out 0. Only first, only second: sentences, or pairs where a "
    "measure is of pairs, that are a hit in one alone; p: McNemar's, as if independent, after Holm",
    "Do the measures put the models in the same order?",
    "Gender Acc.",
    "Models ranked by each measure, best first (paper B, table 13)",
)
