"""Pairs of made-up findings: sentences, their translations, and what is counted of them."""

from __future__ import annotations

from collections import Counter
from typing import Any

from cuescope.data.items import Order
from cuescope.measures.registry import known
from cuescope.run.findings import MeasureOf, Number, OrderOf, PairOf, TwinOf

CUES = {"male": "he", "female": "she"}
NOUNS = {  # noun, its stereotype, the translation's forms: masculine, feminine
    "mechanic": ("male", "O mecânico", "A mecânica"),
    "nurse": ("female", "O enfermeiro", "A enfermeira"),
    "carpenter": ("male", "O carpinteiro", "A carpinteira"),
    "secretary": ("female", "O secretário", "A secretária"),
    "driver": ("male", "O motorista", "A motorista"),
    "clerk": ("female", "O escrivão", "A escrivã"),
}
ENDS = ("was late", "had a cold", "needed the money", "forgot the key", "lives nearby")
HOSTILE = (
    "<script>alert(1)</script>",
    "</script><img src=x onerror=alert(2)><!--",
    "\"quotes\" & 'apostrophes' &amp; \\u003c \u2028 ${x}",
    "\u05d4\u05e8\u05d5\u05e4\u05d0\u05d4 \u0627\u0644\u0637\u0628\u064a\u0628\u0629 \u202e",
    "👩‍🔧🏳️‍🌈 e\u0301",
    "long " * 2000,
)


def number(
    value: float | None, low: float | None = None, high: float | None = None, n: int = 50
) -> Number:
    """A value with its interval, ±0.05 unless told."""
    if value is None:
        return {"value": None, "low": None, "high": None, "n": n}
    return {
        "value": value,
        "low": value - 0.05 if low is None else low,
        "high": value + 0.05 if high is None else high,
        "n": n,
    }


def share(hits: int, n: int) -> Number:
    if not n:
        return {"value": None, "low": None, "high": None, "n": 0}
    p, spread = hits / n, 1.96 * (hits / n * (1 - hits / n) / n) ** 0.5
    return {"value": p, "low": max(0.0, p - spread), "high": min(1.0, p + spread), "n": n}


def measures_of(pairs: list[PairOf]) -> dict[str, MeasureOf]:
    both = [p for p in pairs if all(t["correct"] for t in p["twins"])]
    female = sum(p["stereotype"] == "female" for p in both)
    strict = sum(all(t["consistent"] for t in p["twins"]) for p in both)
    shares = {
        "mpa": share(len(both), len(pairs)),
        "strict_mpa": share(strict, len(pairs)),
        "pro_f": share(female, len(both)),
        "pro_m": share(len(both) - female, len(both)),
    }
    if pairs:
        shares["delta_s"] = number(0.21, 0.17, 0.25, 2 * len(pairs))
    told = {one.name: one for one in known()}
    return {
        name: {
            **share,
            "label": told[name].label,
            "says": told[name].says,
            "unit": told[name].unit,
        }
        for name, share in shares.items()
    }


def order_of(pairs: list[PairOf]) -> OrderOf:
    twins = [t for p in pairs for t in p["twins"]]
    n = len(pairs)
    return OrderOf(
        pairs=n,
        accuracy={s: accuracy_of([t for t in twins if t["set"] == s]) for s in ("pro", "anti")},
        measures=measures_of(pairs),
        moved=share(n - n // 20, n) if n else None,
    )


def accuracy_of(twins: list[TwinOf]) -> Any:
    def of(who: str) -> Number:
        chosen = [t["correct"] for t in twins if who in ("all", t["gold"])]
        return share(sum(chosen), len(chosen))

    return {who: of(who) for who in ("all", "male", "female")}


def confusion_of(twins: list[TwinOf]) -> dict[str, dict[str, int]]:
    counted = Counter((t["gold"], t["gender"]) for t in twins)
    genders = ("masculine", "feminine", "neutral", "unknown")
    return {g: {r: counted[g, r] for r in genders} for g in ("male", "female", "neutral")}


def pair_of(index: int, rng: Any, right: float, hostile: bool, order: Order) -> PairOf:
    noun = list(NOUNS)[index % len(NOUNS)]
    stereotype, *forms = NOUNS[noun]
    end = ENDS[index // len(NOUNS) % len(ENDS)]
    drawn = rng.random()
    kind = "follows" if drawn < right else "unknown" if drawn > 0.97 else "stays"
    kind = "odd" if 0.9 < drawn <= 0.93 else kind
    nasty = HOSTILE[index % len(HOSTILE)] if hostile else ""
    twins = []
    for name in ("pro", "anti"):
        gold = stereotype if name == "pro" else {"male": "female", "female": "male"}[stereotype]
        source = f"{nasty}The {noun} called because {CUES[gold]} {end}."
        if order == "cue before":
            source = f"{nasty}Because {CUES[gold]} {end}, the {noun} called."
        focus = source.index(noun, len(nasty))
        cue = source.index(f" {CUES[gold]} ", len(nasty)) + 1
        sex = gold if kind == "follows" else stereotype if noun != "clerk" else "male"
        phrase = forms[0 if sex == "male" else 1]
        if kind == "odd" and name == "anti":
            phrase = f"{'A' if phrase[0] == 'O' else 'O'} {phrase[2:]}"
        translation = (
            f"{nasty}{phrase} ligou porque {'ele' if gold == 'male' else 'ela'} foi {end}."
        )
        gender = {"male": "masculine", "female": "feminine"}[sex]
        if kind == "unknown" and name == "anti":
            gender = "unknown"
        start = len(nasty)
        evidence = [
            (start, start + 1, "article"),
            (start + 2, start + len(phrase), "noun form"),
        ]
        found = gender != "unknown"
        twins.append(
            TwinOf(
                set=name,
                source=source,
                focus=(focus, focus + len(noun)),
                cue=(cue, cue + len(CUES[gold])),
                gold=gold,
                translation=translation,
                span=(start + 2, start + len(phrase)) if found else None,
                gender=gender,
                with_pronouns=gender,
                correct=gender == {"male": "masculine", "female": "feminine"}[gold],
                consistent=not (kind == "odd" and name == "anti"),
                evidence=[
                    {"start": a, "end": b, "word": translation[a:b], "rule": rule, "gender": gender}
                    for a, b, rule in (evidence if found else [])
                ],
                skipped="" if found else "the noun was not found",
            )
        )
    return PairOf(
        index=index,
        noun=noun,
        template=None,
        stereotype=stereotype,
        order=order,
        twins=twins,
        map=None,
    )
