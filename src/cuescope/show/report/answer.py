"""The answer in plain words: for the first screen of the report and for the terminal."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from cuescope.data.items import Order
from cuescope.run.findings import Findings, Number, PairOf, measured
from cuescope.show.report import unread
from cuescope.show.report.answer_certainty import certainty
from cuescope.show.report.answer_certainty import details as sure_details
from cuescope.show.report.answer_heads import details as head_details
from cuescope.show.report.answer_heads import heads
from cuescope.show.report.headline import evidence, headline
from cuescope.show.report.say import (
    ORDERS,
    SITES,
    apart,
    cue_word,
    decimals,
    listed,
    many,
    model_name,
    reasons,
    share,
    story_of,
)
from cuescope.show.report.selectivity import others
from cuescope.stats.shown import rounded

_FEW = 30  # below this many pairs, a warning
_STABLE = 0.7  # the same below this rank correlation of two halves


@dataclass(frozen=True)
class Point:
    """One part of the question, and its answer in paragraphs."""

    question: str
    lines: tuple[str, ...]
    details: tuple[str, ...] = ()  # for those who ask: ranks, correlations, entropies


@dataclass(frozen=True)
class Answer:
    """The question, the answer in one sentence, its parts, what to beware of, and the rule used."""

    question: str
    headline: str  # in everyday words
    evidence: str  # the counts and intervals behind the headline
    verdict: str
    lead: str  # what stands below it
    points: tuple[Point, ...]
    caveats: tuple[str, ...]
    rule: str

    def __str__(self) -> str:
        parts = [" ".join((one.question, *one.lines, *one.details)) for one in self.points]
        notes = [f"- {each}" for each in self.caveats]
        return "\n".join(
            [
                *(self.question, self.headline, self.evidence, self.verdict, self.lead, ""),
                *(*parts, "", self.rule, *notes),
            ]
        )


def answer(findings: Findings) -> Answer:
    """The answer that some findings give, numbers and intervals included."""
    return Answer(
        question=f"Does {model_name(findings)} use the gender cue, "
        "which heads carry it, and how sure is it?",
        headline=headline(findings),
        evidence=evidence(findings),
        verdict=_verdict(findings),
        lead=" ".join(_lead(findings)),
        points=(
            Point("Does it use the cue?", tuple(_use(findings))),
            Point("Which heads carry it?", tuple(heads(findings)), tuple(head_details(findings))),
            Point("How sure is it?", tuple(certainty(findings)), tuple(sure_details(findings))),
        ),
        caveats=tuple(_caveats(findings)),
        rule=findings["rule"],
    )


_HOW = ((0.9, "nearly always"), (0.5, "mostly"), (0.1, "sometimes"), (-1.0, "hardly"))


def _verdict(findings: Findings) -> str:
    """How often the cue decides, for each order of noun and cue by itself."""
    both, cue = findings["measures"].get("mpa"), cue_word(findings)
    if findings["pairs"] and unread.unread(findings):
        return unread.verdict(findings)
    if both is None or not both["n"] or both["value"] is None:
        known = (
            "minimal pair accuracy was not measured"
            if findings["pairs"]
            else "no pair was translated"
        )
        return f"Not known: {known}."
    orders = _orders(findings)
    if len(orders) < 2:
        told = f"the noun follows the {cue} in {share(both)} of {many(both['n'], 'pair')}"
        return f"{_how(both).capitalize()}: {told}."
    first, *rest = orders.items()
    told = (
        f"{_how(first[1]).capitalize()}: the noun follows the {cue} in {share(first[1])} of "
        f"{many(first[1]['n'], 'pair')} with {ORDERS[first[0]][0]}"
    )
    more = [f"{_how(n)}, in {share(n)} of {n['n']:,}, with {ORDERS[o][0]}" for o, n in rest]
    return f"{'; '.join([told, *more])}."


def _how(number: Number) -> str:
    """The word for a share; of these pairs alone where the interval reaches to another word."""
    word = _word(number["value"] or 0.0)
    ends = (number["low"], number["high"])
    holds = all(end is None or _word(end) == word for end in ends)
    return word if holds else f"{word} in these pairs"


def _word(share: float) -> str:
    """The word for a share as it is told: no “hardly” beside 10 %."""
    told = round(share, 2 + decimals(share))
    return next(word for least, word in _HOW if told >= least)


def _orders(findings: Findings) -> dict[Order, Number]:
    """Minimal pair accuracy by order, where it is known."""
    known = {order: one["measures"].get("mpa") for order, one in findings["orders"].items()}
    return {o: n for o, n in known.items() if n and n["n"] and n["value"] is not None}


def _lead(findings: Findings) -> Iterator[str]:
    """In all, and moved: a cue may move every choice its way and decide none."""
    both, several = findings["measures"].get("mpa"), len(_orders(findings)) > 1
    if several and both:
        yield f"In all, {share(both)} of {many(both['n'], 'pair')}."
    moved = [
        f"{share(one['moved'])} of {one['moved']['n']:,} pairs looked into"
        + f" with {ORDERS[order][0]}" * (len(findings["orders"]) > 1)
        for order, one in findings["orders"].items()
        if one["moved"] is not None and one["moved"]["n"]
    ]
    if moved:
        yield (
            f"Decided or not, the {cue_word(findings)} moves the choice its way in {listed(moved)}."
        )


def _use(findings: Findings) -> Iterator[str]:
    if unread.unread(findings):
        yield from unread.wanting(findings)
        return
    several = len(findings["orders"]) > 1
    for order, one in findings["orders"].items():
        lead = f"{ORDERS[order][1]}: " if several else ""
        told = " ".join(
            _of_set(one["accuracy"], [p for p in findings["pairs"] if p["order"] == order])
        )
        yield f"{lead}{told[0].lower()}{told[1:]}" if lead else told
    if not findings["orders"]:
        yield " ".join(_of_set(findings["accuracy"], findings["pairs"]))
    yield from others(findings)
    wide, own = findings["with_pronouns"], findings["measures"].get("mpa")
    if wide and wide["mpa"]["n"] and own:
        told, before = apart(wide["mpa"], own)
        more = f"{told} of the pairs in place of {before}"
        if told == before:
            more = f"as many of the pairs, {before}"
        yield (
            "All of this reads the noun's own phrase. If pronouns and other words about it decide "
            f"where that shows no gender, both twins are right in {more}."
        )


_SETS = {
    "pro": "where that is the stereotype",
    "anti": "where it is not",
    "reg": "overall",
    "other": "where the noun has no known stereotype",
}


def _of_set(accuracy: Mapping[str, Any], pairs: Sequence[PairOf]) -> Iterator[str]:
    """How often the noun has the cue's gender, and how often both twins have the same."""
    for who, gender in (("female", "feminine"), ("male", "masculine")):
        parts = [
            f"in {share(by[who])} {_SETS.get(name, f'in the set {name}')}"
            for name, by in accuracy.items()
            if who in by and by[who]["n"]
        ]
        told = f", so is the noun {listed(parts)}." if parts else ": no sentence to judge by."
        yield f"When the cue is {gender}{told}"
    if total := len(pairs):
        same = sum(_genders(pair) in ({"masculine"}, {"feminine"}) for pair in pairs)
        yield f"In {same:,} of {many(total, 'pair')} the noun has the same gender in both twins."
        if none := sum(_genders(pair) == {"neutral"} for pair in pairs):
            yield f"In {none:,} it shows none in either."


def _genders(pair: PairOf) -> set[str]:
    return {twin["gender"] for twin in pair["twins"]}


def _caveats(findings: Findings) -> Iterator[str]:
    failed = [guard for guard in findings["guards"] if guard["ok"] is False]
    for guard in failed:
        yield (f"A guard failed, so the numbers may be wrong: {guard['name']} ({guard['detail']}).")
    yield from findings.get("notes", [])
    if not findings["guards"]:
        yield "The wrapped model was not checked."
    pairs = findings["data"]["pairs"]
    if 0 < pairs < _FEW:
        yield f"Only {many(pairs, 'pair')}: the intervals are wide, and perhaps not wide enough."
    if findings["data"]["left_out"]:
        yield f"Pairs left out: {reasons(findings['data']['left_out'])}."
    if findings["unfinished"]:
        yield f"{many(findings['unfinished'], 'translation')} cut off at the length limit."
    twins = [twin for pair in findings["pairs"] for twin in pair["twins"]]
    if lost := sum(twin["gender"] == "unknown" and not twin["skipped"] for twin in twins):
        yield (
            f"In {lost:,} of {many(len(twins), 'translation')} the noun was not found; "
            f"{'it counts' if lost == 1 else 'they count'} as wrong."
        )
    if mixed := sum(not twin["consistent"] for twin in twins):
        of = many(len(twins), "translation")
        yield f"In {mixed:,} of {of} the noun phrase contradicts itself."
    yield from _skipped(findings)
    for story, name, site in measured(findings):
        halves = site["halves"]
        if halves is not None and halves["value"] is not None and halves["value"] < _STABLE:
            yield (
                f"The order of the {SITES.get(name, name)} heads is not stable with "
                f"{story_of(findings, story)}: ρ = {rounded(halves['value'], 2)} between two "
                f"halves of the pairs, the mean of {halves['n']} splits."
            )
    if findings["uncertainty"] and findings["uncertainty"]["left_out"]:
        yield f"Not sampled: {reasons(findings['uncertainty']['left_out'])}."


def _skipped(findings: Findings) -> Iterator[str]:
    """What the measures of the heads left out; those that left out the same are told together."""
    same: dict[tuple[str, str], tuple[dict[str, None], dict[str, None]]] = {}
    for _, name, site in measured(findings):
        for measure, skipped in site["skipped"].items():
            if any(skipped.values()):
                unit = "Sentences" if measure == "attention" else "Pairs"
                measures, sites = same.setdefault((unit, reasons(skipped)), ({}, {}))
                measures[measure] = None
                sites[SITES.get(name, name)] = None
    for (unit, why), (measures, sites) in same.items():
        yield f"{unit} left out for {listed([*measures])} of {listed([*sites])} heads: {why}."
