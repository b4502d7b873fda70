"""Paper A on the authors' own OPUS-MT outputs: the published protocol and ours, side by side.

Prints accuracy (all, male, female) on REG / PRO / ANTI, MPA with Pro-F / Pro-M, the agreement
with the published verdicts that are not "unknown" by gender and by right / wrong, and each
disagreement with our evidence, sorted by what the noun phrase itself shows. "ours" is by the noun's
own phrase; "with pronouns" is the second reading.

    python probes/paper_a_outputs.py [--disagreements FILE]
"""

from __future__ import annotations

import argparse
import json
from collections import Counter
from pathlib import Path
from typing import NamedTuple

from cuescope.data import reference
from cuescope.errors import in_words
from cuescope.gender import Reading
from cuescope.gender.reading import By
from cuescope.gender.romance.words import is_open
from cuescope.measures.verdict import Verdict
from cuescope.run.score import Score, score

SETS = ("reg", "pro", "anti")
Published = dict[str, set[int]]


def published(name: str) -> Published:
    path = reference.find("translations", "opus-mt", f"en-it.{name}.published.json")
    return {key: set(lines) for key, lines in json.loads(path.read_text("utf-8")).items()}


def percent(hits: int, n: int) -> str:
    return f"{100 * hits / n:5.1f}" if n else "    -"


def accuracies(name: str, verdicts: tuple[Verdict, ...], theirs: Published) -> None:
    """All, male, female: published, ours, and both where the published verdict is not unknown."""
    known = theirs["predicted_male_indices"] | theirs["predicted_female_indices"]
    rows: dict[str, list[str]] = {}
    both: tuple[tuple[str, By], ...] = (("ours", "phrase"), ("with pronouns", "pronouns"))
    for gold in ("all", "male", "female"):
        chosen = [v for v in verdicts if gold in ("all", v.item.gold)]
        decided = [v for v in chosen if v.item.line in known]
        right = theirs["correct_indices"]
        for among, tail in ((chosen, ""), (decided, ", known")):
            hits = percent(sum(v.item.line in right for v in among), len(among))
            rows.setdefault(f"published{tail}", []).append(hits)
            for label, by in both:
                hits = percent(sum(v.correct_by(by) for v in among), len(among))
                rows.setdefault(f"{label}{tail}", []).append(hits)
    for label, cells in rows.items():
        print(f"  {name:4} {label:20} all {cells[0]}  male {cells[1]}  female {cells[2]}")
    unknown = sum(v.reading.gender == "unknown" for v in verdicts)
    neutral = sum(v.reading.gender == "neutral" for v in verdicts)
    n = len(verdicts)
    print(
        f"  {name:4} unknown: published {percent(n - len(known), n)} %, ours "
        f"{percent(unknown, n)} % (and neutral {percent(neutral, n)} %)"
    )


class Difference(NamedTuple):
    """A line on which we differ from a published verdict that is not unknown."""

    verdict: Verdict
    published: str
    right: bool  # is the published gender the one the English pronoun asks for?
    shown: str  # what in the translation shows our gender

    def line(self, name: str) -> str:
        """As it is listed: where, what, the published gender, ours with its evidence."""
        v = self.verdict
        return (
            f"{name} {v.item.line}: {v.item.noun} | {v.translation} | published {self.published}, "
            f"ours {v.reading}"
        )


def shown_by(reading: Reading) -> str:
    """The class of a disagreement, by the first word that decided our reading."""
    if reading.gender == "unknown":
        return (
            "the noun is not in the translation (costruì una scrivania): the published is a guess"
        )
    if reading.beyond:
        return "only a pronoun about it (l'ha ringraziata): not the noun's own phrase"
    if not reading.evidence:
        return "no word shows a gender (l'assistente): undecidable, the published is a guess"
    rule = reading.evidence[0].rule
    if rule in ("article", "determiner"):
        return "a gendered article (dal falegname): the published verdict is wrong"
    if rule in ("attribute", "predicate"):
        return "what agrees with it (è stata assunta): the published verdict is wrong"
    word = reading.evidence[0].word.lower()
    if is_open(word, "it"):
        return "a masculine noun, also said of women (l'avvocato): nothing speaks for the published"
    return "the noun's own form (dell'avvocato): the published verdict is wrong"


def differences(verdicts: tuple[Verdict, ...], theirs: Published) -> list[Difference]:
    genders = (("male", "masculine"), ("female", "feminine"))
    return [
        Difference(v, gender, v.item.line in theirs["correct_indices"], shown_by(v.reading))
        for v in verdicts
        for key, gender in genders
        if v.item.line in theirs[f"predicted_{key}_indices"] and v.reading.gender != gender
    ]


def classes(found: list[Difference]) -> None:
    """How many disagreements of each kind, and how many of the published verdicts are gold."""
    print(f"\n  {len(found)} disagreements by what shows the gender in the translation")
    for shown, n in Counter(d.shown for d in found).most_common():
        chosen = [d for d in found if d.shown == shown and d.verdict.item.gold != "neutral"]
        right = sum(d.right for d in chosen)
        print(f"  {n:4}  {shown}; published verdict is gold in {right} of {len(chosen)}")


def pairs(result: Score, theirs: dict[str, Published]) -> None:
    ours = result.mpa
    assert ours is not None
    every = [p for p, _, _ in result.judged]
    kept = [p for p in every if p.minimal]
    known = {
        name: theirs[name]["predicted_male_indices"] | theirs[name]["predicted_female_indices"]
        for name in ("pro", "anti")
    }
    right = theirs["pro"]["correct_indices"] & theirs["anti"]["correct_indices"]

    def ours_by(by: By) -> set[int]:
        twins = {p.index: [result.sets[s][p.index] for s in ("pro", "anti")] for p in kept}
        return {line for line, both in twins.items() if all(v.correct_by(by) for v in both)}

    mine, wider = ours_by("phrase"), ours_by("pronouns")
    decided = [p for p in kept if p.index in known["pro"] & known["anti"]]
    for label, chosen, hits in (
        ("published, all lines", every, right),
        ("published", kept, right),
        ("ours", kept, mine),
        ("with pronouns", kept, wider),
        ("published, known", decided, right),
        ("ours, known", decided, mine),
        ("with pronouns, known", decided, wider),
    ):
        good = [p for p in chosen if p.index in hits]
        female = sum(p.pro.stereotype == "female" for p in good)
        print(
            f"  {label:21} MPA {percent(len(good), len(chosen))} ({len(good)}/{len(chosen)})  "
            f"Pro-F {percent(female, len(good))}  Pro-M {percent(len(good) - female, len(good))}"
        )
    print(f"  ours, strict: {ours.strict}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--disagreements", type=Path, help="write them here, not on the screen")
    args = parser.parse_args()
    folder = reference.find("translations", "opus-mt")
    outputs = {name: folder / f"en-it.{name}.txt" for name in SETS}
    result = score("winomt", outputs, "it")
    theirs = {name: published(name) for name in SETS}
    listed: list[str] = []
    every: list[Difference] = []
    total = same = agreed = 0
    wide = Counter[str]()
    for name in SETS:
        verdicts = result.sets[name]
        accuracies(name, verdicts, theirs[name])
        differ = differences(verdicts, theirs[name])
        known = theirs[name]["predicted_male_indices"] | theirs[name]["predicted_female_indices"]
        shown = len(known) - sum(
            v.item.line in known and v.reading.gender == "neutral" for v in verdicts
        )
        agree = len(known) - len(differ)
        print(f"  {name:4} agreement {percent(agree, len(known))} % of {len(known)}")
        print(f"  {name:4} where the phrase shows a gender {percent(agree, shown)} % of {shown}\n")
        judged = [v for v in verdicts if v.item.line in known]
        alike = sum(v.correct == (v.item.line in theirs[name]["correct_indices"]) for v in judged)
        total, same, agreed = total + len(known), same + agree, agreed + alike
        for v in judged:
            female = v.item.line in theirs[name]["predicted_female_indices"]
            wide["gender"] += v.reading.with_pronouns == ("feminine" if female else "masculine")
            gold = v.item.line in theirs[name]["correct_indices"]
            wide["right / wrong"] += v.correct_by("pronouns") == gold
        listed += [d.line(name) for d in differ]
        every += differ
    print(f"  agreement in all: gender {same}/{total} = {same / total:.3%}, ", end="")
    print(f"right / wrong {agreed}/{total} = {agreed / total:.3%}")
    shares = ", ".join(f"{what} {n}/{total} = {n / total:.3%}" for what, n in wide.items())
    print(f"  with pronouns: {shares}")
    pairs(result, theirs)
    classes(every)
    if args.disagreements:
        args.disagreements.write_text("\n".join(listed) + "\n", "utf-8")
    else:
        print("\n".join(["\ndisagreements:", *listed]))


if __name__ == "__main__":
    in_words(main)
