"""The answer in plain words: for the first screen of the report and for the terminal."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from cuescope.findings import Findings, PairOf
from cuescope.report.answer_certainty import certainty
from cuescope.report.answer_heads import heads
from cuescope.report.carriers import RULE
from cuescope.report.say import SITES, cue_word, listed, many, model_name, reasons, rounded, share

_FEW = 30  # below this many pairs, a warning
_STABLE = 0.7  # the same below this rank correlation of two halves


@dataclass(frozen=True)
class Point:
    """One part of the question, and its answer in paragraphs."""

    question: str
    lines: tuple[str, ...]


@dataclass(frozen=True)
class Answer:
    """The question, the answer in one sentence, its parts, what to beware of, and the rule used."""

    question: str
    verdict: str
    points: tuple[Point, ...]
    caveats: tuple[str, ...]
    rule: str = RULE

    def __str__(self) -> str:
        parts = [" ".join((point.question, *point.lines)) for point in self.points]
        notes = [f"- {each}" for each in self.caveats]
        return "\n".join([self.question, self.verdict, "", *parts, "", self.rule, *notes])


def answer(found: Findings) -> Answer:
    """The answer that some findings give, numbers and intervals included."""
    cue = cue_word(found)
    return Answer(
        question=f"Does {model_name(found)} use the gender cue, "
        "which heads carry it, and how sure is it?",
        verdict=_verdict(found, cue),
        points=(
            Point("Does it use the cue?", (" ".join(_use(found, cue)),)),
            Point("Which heads carry it?", tuple(heads(found, cue))),
            Point("How sure is it?", tuple(certainty(found))),
        ),
        caveats=tuple(_caveats(found)),
    )


def _verdict(found: Findings, cue: str) -> str:
    both = found["mpa"].get("value")
    if both is None or not both["n"] or both["value"] is None:
        known = (
            "minimal pair accuracy was not measured" if found["pairs"] else "no pair was translated"
        )
        return f"Not known: {known}."
    value = both["value"]
    how = next(
        word
        for least, word in (
            (0.9, "Nearly always"),
            (0.5, "Mostly"),
            (0.1, "Sometimes"),
            (-1.0, "Hardly"),
        )
        if value >= least
    )
    pairs = f"of {many(both['n'], 'pair')}"
    return f"{how}: the noun follows the {cue} in {share(both)} {pairs}."


def _use(found: Findings, cue: str) -> Iterator[str]:
    names = {
        "pro": "where that is the stereotype",
        "anti": "where it is not",
        "reg": "overall",
        "other": "where the noun has no known stereotype",
    }
    for who, word, gender in (("female", "she", "feminine"), ("male", "he", "masculine")):
        parts = [
            f"in {share(number)} {names.get(name, f'in the set {name}')}"
            for name, by in found["accuracy"].items()
            for number in [number for key, number in by.items() if key == who and number["n"]]
        ]
        when = f"When the pronoun says “{word}”" if cue == "pronoun" else f"When the cue is {who}"
        told = f", the noun is {gender} {listed(parts)}." if parts else ": no sentence to judge by."
        yield when + told
    if total := len(found["pairs"]):
        same = sum(_stays(pair) for pair in found["pairs"])
        yield f"In {same:,} of {many(total, 'pair')} the noun has the same gender in both twins."


def _stays(pair: PairOf) -> bool:
    genders = {twin["gender"] for twin in pair["twins"]}
    return len(genders) == 1 and "unknown" not in genders


def _caveats(found: Findings) -> Iterator[str]:
    failed = [guard for guard in found["guards"] if guard["ok"] is False]
    for guard in failed:
        yield (f"A guard failed, so the numbers may be wrong: {guard['name']} ({guard['detail']}).")
    yield from found.get("notes", [])
    if not found["guards"]:
        yield "The wrapped model was not checked."
    pairs = found["data"]["pairs"]
    if 0 < pairs < _FEW:
        yield f"Only {many(pairs, 'pair')}: the intervals are wide, and perhaps not wide enough."
    if found["data"]["left_out"]:
        yield f"Pairs left out: {reasons(found['data']['left_out'])}."
    if found["unfinished"]:
        yield f"{many(found['unfinished'], 'translation')} cut off at the length limit."
    twins = [twin for pair in found["pairs"] for twin in pair["twins"]]
    if lost := sum(twin["gender"] == "unknown" for twin in twins):
        yield (
            f"In {lost:,} of {many(len(twins), 'translation')} the noun was not found; "
            "they count as wrong."
        )
    if mixed := sum(not twin["consistent"] for twin in twins):
        of = many(len(twins), "translation")
        yield f"In {mixed:,} of {of} the noun phrase contradicts itself."
    yield from _skipped(found)
    for name, site in found["sites"].items():
        if site["halves"] is not None and site["halves"] < _STABLE:
            told = rounded(site["halves"], 2)
            yield (
                f"The order of the {SITES.get(name, name)} heads is not stable: ρ = {told} between "
                "two halves of the pairs."
            )
    if found["uncertainty"] and found["uncertainty"]["left_out"]:
        yield f"Not sampled: {reasons(found['uncertainty']['left_out'])}."


def _skipped(found: Findings) -> Iterator[str]:
    """What the measures of the heads left out; those that left out the same are told together."""
    same: dict[str, tuple[dict[str, None], dict[str, None]]] = {}
    for name, site in found["sites"].items():
        for measure, skipped in site["skipped"].items():
            if any(skipped.values()):
                measures, sites = same.setdefault(reasons(skipped), ({}, {}))
                measures["attribution" if measure == "gradient" else measure] = None
                sites[SITES.get(name, name)] = None
    for why, (measures, sites) in same.items():
        yield f"Left out for {listed([*measures])} of {listed([*sites])} heads: {why}."
