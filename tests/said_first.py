"""Every sentence of the first screen: what makes it true, and what makes it false."""

from __future__ import annotations

from typing import Any

from findings_of import findings, number
from sentences import Change, Said, after, all_of, nothing, put, site_put, within
from test_circuit import made_up


def readings(*pairs: tuple[str, str], fill: str = "") -> Change:
    """The readings of the twins, the male cue's first, and whether they are right; of the rest,
    right, or of one gender."""

    def change(found: Any) -> None:
        for at, pair in enumerate(found["pairs"]):
            wanted = pairs[at] if at < len(pairs) else (fill, fill) if fill else ("male", "female")
            right = {"male": "masculine", "female": "feminine"}
            for twin in pair["twins"]:
                gender = wanted[twin["gold"] == "female"]
                twin["gender"] = right.get(gender, gender)
                twin["correct"] = twin["gender"] == right[twin["gold"]]
                twin["skipped"] = ""

    return change


def unchanged(*numbers: float, n: int = 25) -> Any:
    """The measure behind the headline."""
    return number(*numbers, n=n) | {"label": "unchanged", "says": "So.", "unit": "share"}


def cue_is(found: Any, gold: str, word: str) -> None:
    """A word of the sentence as the cue of the first twin of one gender."""
    twin = next(t for t in found["pairs"][0]["twins"] if t["gold"] == gold)
    start = twin["source"].index(f" {word} ") + 1 if word != "The" else 0
    twin["cue"] = (start, start + len(word))


def no_pronoun(found: Any) -> None:
    """No twin's cue is a pronoun."""
    for pair in found["pairs"]:
        for twin in pair["twins"]:
            twin["cue"] = (0, 3)


SAME = [("masculine", "masculine")]
FIRST = [
    # -- the headline
    Said(
        r"^In 58 of 60 pairs, “she” in place of “he” does not change the noun's gender\.",
        readings(*[("masculine", "masculine")] * 29, *[("feminine", "feminine")] * 29),
        readings(*[("masculine", "masculine")] * 29, *[("neutral", "neutral")] * 29),
    ),
    Said(
        r"^In all 60 pairs, “she” in place of “he” does not change the noun's gender\.",
        readings(*[("feminine", "feminine")] * 60),
        readings(*[("feminine", "feminine")] * 59),
    ),
    Said(
        r"^In 74 of 100 pairs, “she” in place of “he” does not change",
        readings(*[("masculine", "masculine")] * 148),  # 148 of 200
        readings(*[("masculine", "masculine")] * 150),
        pairs=200,
    ),
    Said(
        r"^In more than 99 of 100 pairs, “she” in place of “he” does not change",
        readings(*[("masculine", "masculine")] * 399),
        readings(*[("masculine", "masculine")] * 400),
        pairs=400,
    ),
    Said(
        r"^In 40 of 60 pairs the noun takes the gender of the pronoun\.",
        readings(*[("masculine", "masculine")] * 20),
        readings(*[("masculine", "masculine")] * 21),
    ),
    Said(
        r"^In 40 of 60 pairs the noun shows no gender, whichever the pronoun\.",
        readings(*[("neutral", "neutral")] * 40),
        readings(*[("neutral", "masculine")] * 40),
    ),
    Said(
        r"^In 40 of 60 pairs the noun changes with the pronoun, but is not right in both sentences",
        readings(*[("neutral", "masculine")] * 20, *[("feminine", "masculine")] * 20),
        readings(*[("neutral", "neutral")] * 40),
    ),
    Said(
        r"^In 40 of 60 pairs the noun's gender could not be read in one sentence or both\.",
        readings(*[("unknown", "masculine")] * 40),
        readings(*[("neutral", "masculine")] * 40),
    ),
    Said(r"^No pair was translated\.", nothing, lambda f: f.update(findings(2)), pairs=0),
    Said(
        r"^In the one pair, “she” in place of “he” does not change the noun's gender\.",
        readings(("masculine", "masculine")),
        readings(("masculine", "feminine")),
        pairs=1,
    ),
    Said(
        r"^“She” in place of “he” does not change the noun's gender in 30 of 35 pairs with the "
        r"pronoun after the noun and in 24 of 25 pairs with it before the noun\.",
        readings(
            *[("masculine", "masculine")] * 30,
            *[("male", "female")] * 6,
            fill="masculine",
        ),
        readings(*[("masculine", "masculine")] * 35, fill="masculine"),
        before=25,
    ),
    Said(
        r"^In all 35 pairs with the pronoun after the noun “she” in place of “he” does not change "
        r"the noun's gender; in all 25 pairs with the pronoun before the noun the noun takes the "
        r"gender of the pronoun\.",
        readings(*[("masculine", "masculine")] * 35),
        readings(*[("masculine", "masculine")] * 34),
        before=25,
    ),
    Said(
        r"^In \d+ of 60 pairs, a feminine cue, such as “she”, in place of a masculine one does",
        lambda f: cue_is(f, "male", "The"),
        lambda f: cue_is(f, "male", "he"),
    ),
    Said(
        r"^Counted: 58 of 60 pairs, 97 % \[92, 102\]\.",
        all_of(
            readings(*[("masculine", "masculine")] * 58),
            lambda f: f["measures"].update(unchanged=unchanged(0.97, n=60)),
        ),
        lambda f: f["measures"].pop("unchanged"),
    ),
    Said(
        r"^Counted: 28 of 35 pairs, 80 % \[75, 85\], with the pronoun after the noun; 25 of 25 "
        r"pairs, 100 % \(all of 25\), with the pronoun before the noun\.",
        all_of(
            readings(
                *[("masculine", "masculine")] * 28, *[("male", "female")] * 7, fill="feminine"
            ),
            lambda f: after(f)["measures"].update(unchanged=unchanged(0.8, n=35)),
            lambda f: f["orders"]["cue before"]["measures"].update(
                unchanged=unchanged(1.0, 1.0, 1.0)
            ),
        ),
        readings(*[("masculine", "masculine")] * 29, *[("male", "female")] * 6, fill="feminine"),
        before=25,
    ),
    # -- the pair
    Said(
        r"The cue is the word that says whether the noun is a man or a woman, here “he” and "
        r"“she”\. Two sentences alike but for the cue are twins\.",
        nothing,
        lambda f: [t.update(cue=None) for p in f["pairs"] for t in p["twins"]],
    ),
    Said(
        r"Chosen by rule: the noun has the same gender in both twins, as in most pairs "
        r"\(58 of 60\); of these the shortest with a pronoun whose attention was kept\. Open "
        r"this pair",
        readings(*SAME * 58),
        put(maps=None),
        maps=12,
    ),
    Said(
        r"as in most pairs \(60 of 60\); of these the shortest\.",
        all_of(readings(*SAME * 60), no_pronoun, put(maps=None)),
        lambda f: f.update(findings(60)),
    ),
    Said(
        r"as in most pairs with the cue after the noun \(35 of 35\); of these",
        readings(*SAME * 35),
        readings(*SAME * 34),
        before=25,
    ),
    Said(
        r"Chosen by rule: .*, the commonest outcome of pairs \(25 of 60\)",
        readings(*SAME * 25, *[("neutral", "neutral")] * 20),
        readings(*SAME * 31),
    ),
    *(
        Said(
            rf"Chosen by rule: {what}, as in most", readings(*[kind] * 40), readings(*[other] * 40)
        )
        for what, kind, other in (
            ("the noun has the right gender in both twins", ("male", "female"), SAME[0]),
            (
                "the noun shows no gender in either twin",
                ("neutral", "neutral"),
                ("neutral", "masculine"),
            ),
            (
                "the noun's gender differs, but is not right in both twins",
                ("neutral", "masculine"),
                ("neutral", "neutral"),
            ),
            (
                "the noun's gender could not be read in one twin or both",
                ("unknown", "masculine"),
                SAME[0],
            ),
        )
    ),
    Said(r"^The cue is feminine, the noun is masculine ✗", readings(*SAME * 60), readings()),
    Said(
        r"^The cue is masculine, the noun is masculine ✓",
        readings(),
        readings(*SAME[:0], fill="feminine"),
    ),
    Said(
        r"^The cue is feminine, the noun shows no gender ○",
        readings(fill="neutral"),
        readings(fill="feminine"),
    ),
    Said(
        r"^The cue is feminine, the noun was not found \?",
        readings(fill="unknown"),
        readings(fill="feminine"),
    ),
    # -- the marks
    Said(
        r"^How often the noun is right\nThe share of sentences whose noun has the gender of the "
        r"pronoun\.",
        nothing,
        no_pronoun,
    ),
    Said(
        r"^“she”, masculine stereotype\n12 % \[7, 17\]\nof 77 sentences",
        within("accuracy", "anti", female=number(0.12, n=77)),
        within("accuracy", "anti", female=number(0.13, n=77)),
    ),
    Said(r"^feminine cue, masculine stereotype", no_pronoun, lambda f: f.update(findings(60))),
    Said(r"^masculine cue, masculine stereotype", no_pronoun, lambda f: f.update(findings(60))),
    Said(
        r"^The bar is an interval of 95 %: were the sentences drawn anew, such bars would hold the "
        r"true share about 95 times in 100\. Here: nouns are redrawn with all their sentences\.",
        nothing,
        put(accuracy={}),
    ),
    # -- figures without scripts
    Said(r"^attention, 0 to 0\.\d+$", nothing, lambda f: f.update(heads={})),
    Said(r"^Entropy of every sentence, GE$", nothing, put(uncertainty=None)),
    # -- the way of the cue, and details
    Said(
        r"^From the sentence, below, up to the gender of its noun\. Circles are attention heads, "
        r"by layer and number\. Solid lines are what a head passes on, as wide as the share of the "
        r"gap that returns through it; dotted lines are where it looks from the noun\. The gap "
        r"between twins is how much more the model leans to the feminine form with the feminine "
        r"cue than with the masculine one\. Numbers: Circuit\.",
        put(circuit=made_up()),
        put(circuit=None),
    ),
    Said(
        r"^The gap is how much more the model leans to the feminine form with the feminine "
        r"cue than with the masculine one\.",
        put(circuit=None),
        put(circuit=made_up()),
    ),
    Said(
        r"coder heads with the cue after the noun\.",
        nothing,
        site_put(agreements=[]),
    ),
    Said(
        r"Cross-attention heads with the cue after the noun\.",
        nothing,
        site_put("cross", enough=False),
    ),
    Said(
        r"Encoder heads with the cue before the noun and the translations alike up to it\.",
        nothing,
        lambda f: f["heads"]["cue before"]["encoder"].update(agreements=[]),
        before=25,
    ),
    Said(
        r"Cross-attention heads with the cue before the noun and the translations alike up to it\.",
        nothing,
        lambda f: f["heads"]["cue before"]["cross"].update(enough=False),
        before=25,
    ),
]
