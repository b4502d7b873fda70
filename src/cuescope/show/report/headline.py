"""The answer in everyday words: what becomes of the noun in most pairs, and nothing else."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Literal

from cuescope.data.items import Order
from cuescope.run.findings import Findings, PairOf
from cuescope.show.report import unread
from cuescope.show.report.say import cue_word, cues, listed, many, share

Outcome = Literal["unchanged", "follows", "none", "turned", "unread"]
_WHERE: dict[Order, str] = {"cue after": "after the noun", "cue before": "before the noun"}
_MEASURE = {"unchanged": "unchanged", "follows": "mpa"}  # the number that has an interval


def outcome(pair: PairOf) -> Outcome:
    """What the readings of both twins say of a pair; one of them, always."""
    genders = {twin["gender"] for twin in pair["twins"]}
    if "unknown" in genders or any(twin["skipped"] for twin in pair["twins"]):
        return "unread"
    if all(twin["correct"] for twin in pair["twins"]):
        return "follows"
    if genders == {"neutral"}:
        return "none"
    return "unchanged" if len(genders) == 1 else "turned"


def commonest(pairs: Sequence[PairOf]) -> tuple[Outcome, int]:
    """The outcome that most pairs have, and how many."""
    return Counter(map(outcome, pairs)).most_common(1)[0]


def headline(findings: Findings) -> str:
    """The commonest outcome, for each order of noun and cue where there are two."""
    if not findings["pairs"]:
        return "No pair was translated."
    if unread.unread(findings):
        return unread.headline(findings)
    told = _clauses(findings, by_order(findings))
    first = next(at for at, letter in enumerate(told) if letter.isalpha())  # after a quote
    return f"{told[:first]}{told[first].upper()}{told[first + 1 :]}."


def _clauses(findings: Findings, parts: dict[Order, list[PairOf]]) -> str:
    if len(parts) < 2:
        kind, n = commonest(findings["pairs"])
        comma = "," * (kind == "unchanged")
        return f"{_often(n, len(findings['pairs']))}{comma} {_said(kind, findings)}"
    word = cue_word(findings)
    told = {order: commonest(pairs) for order, pairs in parts.items()}
    often = {order: _often(n, len(parts[order])) for order, (_, n) in told.items()}
    kinds = {kind for kind, _ in told.values()}
    if len(kinds) > 1:
        clauses = (
            f"{often[order]} with the {word} {_WHERE[order]} {_said(kind, findings)}"
            for order, (kind, _) in told.items()
        )
        return "; ".join(clauses)
    (first, *rest), (kind,) = parts, kinds
    more = [f"{often[order]} with it {_WHERE[order]}" for order in rest]
    first_often = f"{often[first]} with the {word} {_WHERE[first]}"
    return f"{_said(kind, findings)} {listed([first_often, *more])}"


def evidence(findings: Findings) -> str:
    """The numbers behind the headline, with their intervals; empty where none was measured."""
    parts = by_order(findings)
    told = []
    for order in parts if len(parts) > 1 else [None]:
        pairs = parts[order] if order else findings["pairs"]
        measures = findings["orders"][order]["measures"] if order else findings["measures"]
        kind, n = commonest(pairs) if pairs else ("unread", 0)
        number = measures.get(_MEASURE.get(kind, ""))
        if number is not None and number["value"] is not None:
            where = f", with the {cue_word(findings)} {_WHERE[order]}" if order else ""
            told.append(f"{n:,} of {many(len(pairs), 'pair')}, {share(number)}{where}")
    return f"Counted: {'; '.join(told)}." if told else ""


def _said(kind: Outcome, findings: Findings) -> str:
    word, (he, she) = cue_word(findings), _named(findings)
    return {
        "unchanged": f"{she} in place of {he} does not change the noun's gender",
        "follows": f"the noun takes the gender of the {word}",
        "none": f"the noun shows no gender, whichever the {word}",
        "turned": f"the noun changes with the {word}, but is not right in both sentences",
        "unread": "the noun's gender could not be read in one sentence or both",
    }[kind]


def _named(findings: Findings) -> tuple[str, str]:
    """The two cues, quoted where all pairs have the same."""
    words = {gold: cues(findings, gold) for gold in ("male", "female")}
    everywhere = all(twin["cue"] for pair in findings["pairs"] for twin in pair["twins"])
    if everywhere and all(len(some) == 1 for some in words.values()):
        (he,), (she,) = words["male"], words["female"]
        return f"“{he}”", f"“{she}”"
    shown = Counter(
        twin["source"][slice(*twin["cue"])].casefold()
        for pair in findings["pairs"]
        for twin in pair["twins"]
        if twin["cue"] and twin["gold"] == "female"
    )
    such = f", such as “{shown.most_common(1)[0][0]}”," if shown else ""
    return "a masculine one", f"a feminine {cue_word(findings)}{such}"


def _often(n: int, total: int) -> str:
    """A count out of a hundred, or out of all where there are fewer.

    >>> _often(93, 1000), _often(7, 9), _often(9, 9), _often(1999, 2000)
    ('in 9 of 100 pairs', 'in 7 of 9 pairs', 'in all 9 pairs', 'in more than 99 of 100 pairs')
    """
    if total == 1:
        return "in the one pair"
    if n == total:
        return f"in all {total:,} pairs"
    if total < 100:
        return f"in {n} of {total} pairs"
    told = round(100 * n / total)
    return "in more than 99 of 100 pairs" if told == 100 else f"in {told} of 100 pairs"


def by_order(findings: Findings) -> dict[Order, list[PairOf]]:
    """The pairs of each order of noun and cue that there is."""
    parts = {o: [p for p in findings["pairs"] if p["order"] == o] for o in findings["orders"]}
    return {order: pairs for order, pairs in parts.items() if pairs}
