"""What is said of a run into a language without gender rules, and what is not."""

from __future__ import annotations

from typing import Any

from findings_of import findings
from sentences import Change, Said, all_of, put, site

WHY = "no gender rules for Hungarian"


def unread(found: Any) -> None:
    """No noun was read: nothing of the translations was measured."""
    found.update(unread=WHY, accuracy={}, f1={}, confusion={}, measures={}, with_pronouns=None)
    found.update(uncertainty=None, certified=None)
    for one in found["orders"].values():
        one.update(accuracy={}, measures={})
    for twin in (twin for pair in found["pairs"] for twin in pair["twins"]):
        twin.update(gender="unknown", correct=False, skipped=WHY, evidence=[], span=None)


def read(found: Any) -> None:
    """The nouns were read after all."""
    found["unread"] = ""
    for twin in (twin for pair in found["pairs"] for twin in pair["twins"]):
        twin.update(skipped="")


def unpatched(found: Any) -> None:
    """No head's effect was measured."""
    for sites in found["heads"].values():
        for one in sites.values():
            one.update(effect=None, attribution=None, together=None, carrying={}, agreements=[])


def attended(name: str, value: float) -> Change:
    """One head looks at the cue so much, the others hardly."""

    def change(found: Any) -> None:
        grid = site(found, name)["attention"]["all"]
        for part in ("scores", "low", "high"):
            grid[part] = [[0.01 for _ in row] for row in grid[part]]
        grid["scores"][1][0], grid["low"][1][0], grid["high"][1][0] = (
            value,
            value - 0.1,
            value + 0.1,
        )
        grid.update(threshold=0.08, n=60)

    return change


STUDY = all_of(
    unread,
    put(uncertainty={"samples": 4, "epsilon": 0.02, "measures": {}, "sets": [], "left_out": {}}),
)
UNREAD = [
    Said(
        r"^Whether the noun takes the gender of the pronoun was not measured: there are no gender "
        r"rules for Hungarian\.",
        unread,
        read,
    ),
    Said(
        r"Not known: there are no gender rules for Hungarian, so no noun was read\.",
        unread,
        read,
    ),
    Said(
        r"For want of gender rules, these were not measured: accuracy, minimal pair accuracy, the "
        r"other noun and how sure the model is\.",
        unread,
        read,
    ),
    Said(
        r"these were not measured: .* the other noun, how sure the model is and what the heads "
        r"carry\.",
        all_of(unread, unpatched),
        lambda f: site(f).update(effect=site(findings(60))["effect"]),
    ),
    Said(r"the other noun and the entropy of gender\.", STUDY, put(uncertainty=None)),
    Said(
        r"The heads were patched between the two translations that the set gives for each pair, "
        r"its references, whatever the model itself wrote\.",
        unread,
        unpatched,
    ),
    Said(r"To add rules: cs\.languages\.add, told in docs/adding-a-language\.md\.", unread, read),
    Said(
        r"Without them, heads can be patched between given translations: the column reference of "
        r"the set, told in docs/data\.md\.",
        all_of(unread, unpatched),
        read,
    ),
    Said(r"The cue is feminine, the noun was not read", unread, read),
    Said(r"The cue is feminine, the noun was not found", all_of(unread, read), unread),
    Said(r"not read\s+the noun was not looked for in a translation\s+60", unread, read),
    Said(r"In 120 of 120 translations the noun was not found;", all_of(unread, read), unread),
    Said(
        r"With the cue before the noun: of 48 encoder heads",
        unread,
        put(unread=""),
        before=25,
    ),
    Said(
        r"Of the attention of the noun, the pronoun gets most in 1\.0: 0\.41 \[0\.31, 0\.51\], "
        r"where a uniform share is 0\.08 \(n = 60 pairs\); that it is used there does not follow\.",
        all_of(unpatched, attended("encoder", 0.41)),
        attended("encoder", 0.3),
    ),
    Said(
        r"Of the attention of the step of the choice, the pronoun gets most in 1\.0: 0\.41",
        all_of(unpatched, attended("cross", 0.41)),
        lambda f: site(f, "cross").update(attention=None),
    ),
]
