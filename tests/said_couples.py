"""Every sentence of the relationship audit: what makes it true, and what makes it false."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pandas as pd

from cuescope.audit.possessive import Possessive
from cuescope.audit.relationships import Couples
from cuescope.data import relationships as sentences
from cuescope.measures import relationships as measure
from cuescope.measures.carriers import Carrier
from cuescope.measures.relationships import Relationships
from cuescope.signature import Signature
from cuescope.stats.value import Value
from said_audit import Audited, share

JOBS = ("analyst", "boss", "judge", "lawyer", "nurse", "teacher")
NONE = "no heads were asked for"


def rows(right: Callable[[dict[str, str], int], bool]) -> pd.DataFrame:
    """Portuguese sentences of six occupations whose possessive is right where it is told."""
    some = [row for row in sentences.rows("pt") if row["subject_word_en"] in JOBS]
    for number, row in enumerate(some):
        hers = (row["subject_gender"] == "female") == right(row, number)
        row["target_sent"] = f"the {row['subject_word_en']} met {'her' if hers else 'his'} love."
    return measure.judged(pd.DataFrame(some), "a model")


def of_two(row: dict[str, str]) -> bool:
    return row["subject_gender"] != row["relationship_gender"]


def mostly(row: dict[str, str], number: int) -> bool:
    """All of two genders, a third of one, of no kind more than of others."""
    return of_two(row) or number * 37 % 101 < 34


def never(row: dict[str, str], number: int) -> bool:
    return of_two(row)


def always(row: dict[str, str], number: int) -> bool:
    return True


def logits(value: float, wide: float = 0.5) -> Value:
    return Value("x", value, value - wide, value + wide, 60, percent=False)


def head(layer: int, value: float, word: Any = "carries", site: str = "encoder") -> Carrier:
    return Carrier(site, layer, 7, value, value - 0.02, value + 0.02, 0.01, word)


def seen(
    subject: Value, partner: Value, times: Value, *heads: Carrier, **skipped: int
) -> Possessive:
    """What was found inside; the heads are those of the subject's gender."""
    pull = {"subject": subject, "partner": partner, "ratio": times}
    decided = {"by the subject": share(0.28), "by the partner": share(0.35)}
    why = {name.replace("_", " "): count for name, count in skipped.items()}
    theirs = [head(0, 0.1, "little")] if heads else []
    known = {("subject", "encoder"): list(heads), ("partner", "encoder"): theirs}
    return Possessive(60, why, pull, decided, known, {})  # type: ignore[arg-type]


def audit(
    right: Callable[[dict[str, str], int], bool] = mostly,
    inside: Possessive | str = NONE,
    figures: pd.DataFrame | None = None,
    **facts: Any,
) -> Callable[[], Couples]:
    def make() -> Couples:
        found = Relationships(rows(right), figures)
        return Couples(found, {"a model": inside}, signature=Signature(), **facts)

    return make


PLAIN = audit()
EVEN = seen(logits(4.8), logits(5.5), logits(1.1))
LOOKED = audit(inside=EVEN)
KNOWN = pd.DataFrame(
    {
        "income": [1.0, 2.0, 3.0, 5.0, 2.5, 4.0],
        "women_pct": [9.0, 2.0, 4.0, 1.0, 8.0, 3.0],
        "age": [3.0, 1.0, 4.0, 1.5, 9.0, 2.0],
    },
    index=list(JOBS),
)
COUPLES = [
    Audited(
        r"^a model: the English possessive has the subject's gender in 33\.3 % \[.*\] of the "
        r"sentences about two people of one gender, in 100\.0 % \[.*\] of those about a woman and "
        r"a man\.",
        PLAIN,
        audit(always),
    ),
    Audited(r"^Inside a model nothing can be told: no heads were asked for\.", PLAIN, LOOKED),
    Audited(
        r"^a model: 1,200 translations were cut off at 2 times the sub-words of their source\.",
        audit(cut={"a model": 1200}),
        audit(cut={"a model": 0}),
    ),
    Audited(
        r"^Left out: a model, es \(it translates from pt\)\.",
        audit(left_out={"a model, es": "it translates from pt"}),
        PLAIN,
    ),
    Audited(
        r"^At the choice between her and his, a woman as the subject moves the model by 4\.8 "
        r"\[4\.3, 5\.3\] logits towards her, a man as the partner by 5\.5 \[5\.0, 6\.0\]: 1\.1 "
        r"\[0\.6, 1\.6\] times as much; which of the two weighs more cannot be told\. In all four "
        r"sentences of a kind the subject decides in 28\.0 % \[.*\] of 60, the partner in 35\.0 %",
        LOOKED,
        PLAIN,
    ),
    Audited(
        r"the partner's gender clearly weighs more than the subject's own",
        audit(inside=seen(logits(2), logits(6), logits(3))),
        LOOKED,
    ),
    Audited(
        r"the subject's gender clearly weighs more than the partner's",
        audit(inside=seen(logits(6), logits(1), logits(0.2))),
        # the other way round for the subject, and far: the ratio is below 1, and tells nothing
        audit(inside=seen(logits(-1), logits(6), logits(-6))),
    ),
    Audited(
        r"which of the two weighs more cannot be told",
        audit(inside=seen(logits(0.2), logits(6), logits(30))),
        audit(inside=seen(logits(2), logits(6), logits(3))),
    ),
    Audited(
        r"^Heads that carry the subject's gender into the possessive: encoder 4\.7 \(97 %\)\.",
        audit(inside=seen(logits(2), logits(2), logits(1), head(5, 0.2, "unsure"), head(4, 0.97))),
        audit(inside=seen(logits(2), logits(2), logits(1), head(4, 0.97, "unsure"))),
    ),
    Audited(  # the strongest first, of whatever site
        r"into the possessive: cross 1\.7 \(66 %\), encoder 4\.7 \(14 %\)\.",
        audit(inside=seen(
            logits(2), logits(2), logits(1), head(4, 0.14), head(1, 0.66, site="cross")
        )),
        audit(inside=seen(
            logits(2), logits(2), logits(1), head(4, 0.74), head(1, 0.66, site="cross")
        )),
    ),
    Audited(
        r"^Heads that carry the subject's gender into the possessive: none clearly\.",
        LOOKED,
        audit(inside=seen(logits(2), logits(2), logits(1), head(4, 0.97))),
    ),
    Audited(
        r"encoder 7\.7 \(20 %\), and 2 more\.",
        audit(inside=seen(logits(2), logits(2), logits(1), *(head(n, 0.2) for n in range(10)))),
        audit(inside=seen(logits(2), logits(2), logits(1), *(head(n, 0.2) for n in range(8)))),
    ),
    Audited(
        r"^The heads with most of the partner's gender$",
        audit(inside=seen(logits(2), logits(2), logits(1), head(4, 0.97))),
        LOOKED,
    ),
    Audited(
        r"^Share of the gap between the twins, in per cent, that the head restores alone when it "
        r"speaks as in the twin\.",
        audit(inside=seen(logits(2), logits(2), logits(1), head(4, 0.97))),
        LOOKED,
    ),
    Audited(
        r"^60 fours; not used: 3 no choice\.",
        audit(inside=seen(logits(2), logits(2), logits(1), no_choice=3)),
        LOOKED,
    ),
    Audited(r"^60 fours; not used: none\.", LOOKED,
            audit(inside=seen(logits(2), logits(2), logits(1), no_choice=3))),
    Audited(r"^Logistic regression, same-gender sentences \(table 2\)", PLAIN, audit(always)),
    Audited(
        r"^N = 180, d\.f\. = \d, LLR = .*\. As in the paper, as if sentences were independent: of "
        r"one occupation they are not\.",
        PLAIN,
        audit(always),
    ),
    Audited(
        r"^Subject gender: male \(default female\)$",
        PLAIN,
        audit(always),
    ),
    Audited(
        r"^Relationship target: wife, husband \(default engaged\)$",
        PLAIN,
        audit(always),
    ),
    Audited(r"^Female representation$", audit(figures=KNOWN), PLAIN),
    Audited(r"^No regression: ", audit(always), PLAIN),
    Audited(
        r"^No income for nurse: taken as average\.",
        audit(figures=KNOWN.drop(index="nurse")),
        audit(figures=KNOWN),
    ),
    Audited(
        r"^120 same-gender sentences whose possessive has not the subject's gender; some of them:",
        PLAIN,
        audit(never),
    ),
    Audited(
        r"^0 same-gender sentences whose possessive has not the subject's gender\.$",
        audit(always),
        PLAIN,
    ),
]  # fmt: skip
ALWAYS_COUPLES = (
    "Whose wife is it?",
    "Spanish, French, Italian and Portuguese say “su esposa”, “sua moglie” of a man's wife and of "
    "a woman's alike; English must say “his wife” or “her wife”, by the gender of the subject.",
    "same gender",
    "different gender",
    "girlfriend, boyfriend",
    "wife, husband",
    "Accuracy for same- and different-gender couples; the tables have the numbers",
    "In per cent. p: as in the paper, as if sentences were independent.",
    "Accuracy of the possessive",
    "By the subject's gender",
    "By kind of partner",
    "By template",
)
