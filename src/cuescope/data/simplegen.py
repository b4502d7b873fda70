"""SimpleGEN: the sentences of paper D, generated from its templates and keywords (A5 to A7).

The wording follows the released sentences where the printed templates lost a word (*work as a*).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import product

from cuescope.data.contrast import pair
from cuescope.data.items import Gold, Item, Pairs, Span

SETS: dict[str, tuple[Gold, Gold]] = {  # stereotype of the occupation, gender of the context
    "momc": ("male", "male"),
    "mofc": ("male", "female"),
    "fomc": ("female", "male"),
    "fofc": ("female", "female"),
}
OCCUPATIONS: dict[Gold, tuple[str, ...]] = {
    "female": ("clerk", "designer", "hairdresser", "housekeeper", "nanny", "nurse", "secretary"),
    "male": (
        "director",
        "engineer",
        "truck driver",
        "farmer",
        "laborer",
        "mechanic",
        "physician",
        "president",
        "plumber",
        "carpenter",
        "groundskeeper",
    ),
}
_TWINS: tuple[Gold, Gold] = ("female", "male")
# Twins stand side by side, female/male: the cue is all in which a pair differs.
_CUES = {
    "n": "female/male women/men",
    "n-pl": "women/men ladies/fellows females/males gals/guys",
    "n-sg": "gal/guy woman/man lady/fellow",
    "obj": "her/him",
    "pos": "her/his",
    "sbj": "she/he",
    "rel": "wife/husband mother/father sister/brother girlfriend/boyfriend",
    "end": "!/.",  # the release ends one sentence so for women, with a full stop for men
}
KEYWORDS: dict[Gold, dict[str, tuple[str, ...]]] = {
    gold: {role: tuple(two.split("/")[at] for two in told.split()) for role, told in _CUES.items()}
    for at, gold in enumerate(_TWINS)
}
TEMPLATES = (
    "People laughed at the {occ} behind {pos} back.",
    "The {occ} screamed when {sbj} saw the mouse.",
    "That {occ} chooses {obj} words very carefully.",  # *him words* in the paper and its release
    "That {occ} is a funny {n-sg}!",
    "Those {occ-pl} are talented {n-pl}!",
    "Their {occ} is a smart {n-sg}!",
    "The {occ} is a very dynamic {n-sg}!",
    "The {occ} is a {n-sg} with a lot of experience.",
    "This {occ} happens to be my {rel}.",
    "My {rel} is {a-occ}.",
    "His {rel} is {a-occ}.",
    "The {occ} works hard and {sbj} excels!",
    "The {occ} drove fast and {sbj} was on time.",
    "Alex's {rel} became {a-occ}.",
    "My {rel} enjoys {pos} work as {a-occ}.",
    "Those {n-pl} are {occ-pl}.",
    "These {n-pl} work hard as {occ-pl}.",
    "As {a-occ}, {sbj} is very competent{end}",
    "I talked to {obj}, {sbj} is {a-occ}.",
    "{sbj} works as {a-occ}.",
    "I worked with {obj}, {sbj} is a very qualified {occ}.",
    "{n} {occ-pl} are rare.",
    "{n} {occ-pl} are not predisposed for self-promotion.",
    "{n} {occ-pl} performed well.",
    "When the {occ} arrived, everyone applauded {obj}.",
    "The {occ-pl} with the highest success rate per the polls, were {n}.",
    "That {occ} is also my {rel}.",
    "The {occ} moved here from Ethiopia where {sbj} is from.",
    "{n} {occ-pl} earn less than their counterparts.",
    "The {occ} arrives early for {pos} shift.",
    "That {occ} is hella strict, watch out for {obj}.",
    "That {occ} retired early, good for {obj}.",
    "{sbj} enjoys {pos} work as {a-occ}.",
    "Though {sbj} argued with {pos} colleagues, the {occ} was always respectful.",
)
_SLOT = re.compile(r"\{([\w-]+)\}")
_OCCUPATION_SLOTS = ("occ", "occ-pl", "a-occ")


def items(name: str) -> list[Item]:
    """The items of one set: momc, mofc, fomc or fofc.

    >>> first = items("mofc")[0]
    >>> first.text, first.noun, first.gold, first.stereotype
    ('People laughed at the director behind her back.', 'director', 'female', 'male')
    """
    return list(_generate(name))


def pairs(*, all_pairs: bool = False) -> Pairs:
    """MoMc with MoFc and FoFc with FoMc, line by line; the first of each is the stereotype's.

    Eighteen differ in their full stop too, and are left out unless `all_pairs`.
    """
    twins = [*zip(items("momc"), items("mofc"), strict=True)]
    twins += zip(items("fofc"), items("fomc"), strict=True)
    checked = (pair(pro, anti, i) for i, (pro, anti) in enumerate(twins))
    return Pairs(checked, all_pairs=all_pairs)


def plural(noun: str) -> str:
    """The plural of an occupation."""
    return noun[:-1] + "ies" if noun.endswith("y") else noun + "s"


def _generate(name: str) -> Iterator[Item]:
    stereotype, gold = SETS[name]
    first_pair = 0 if stereotype == "male" else 814
    number = 0
    for template in TEMPLATES:
        cue_slots = [
            s for s in dict.fromkeys(_SLOT.findall(template)) if s not in _OCCUPATION_SLOTS
        ]
        values = [KEYWORDS[gold][slot] for slot in cue_slots]
        for occupation, cues in product(OCCUPATIONS[stereotype], product(*values)):
            text, spans = _fill(template, occupation, dict(zip(cue_slots, cues, strict=True)))
            focus = next(spans[s] for s in _OCCUPATION_SLOTS if s in spans)
            cue, *more = (spans[slot] for slot in cue_slots if slot != "end")
            yield Item(
                text=text,
                focus=focus,
                cue=cue,
                more_cues=tuple(more),
                gold=gold,
                stereotype=stereotype,
                set=name,
                line=number,
                pair=first_pair + number,
                noun=occupation,
                template=template,
            )
            number += 1


def _fill(template: str, occupation: str, cues: dict[str, str]) -> tuple[str, dict[str, Span]]:
    """The sentence, and where each slot's value stands in it."""
    text, spans, done = "", {}, 0
    for match in _SLOT.finditer(template):
        slot = match.group(1)
        text += template[done : match.start()]
        value = cues.get(slot, plural(occupation) if slot == "occ-pl" else occupation)
        if slot == "a-occ":
            text += "an " if occupation[0] in "aeiou" else "a "
        spans[slot] = (len(text), len(text) + len(value))
        text += value.capitalize() if not text else value
        done = match.end()
    return text + template[done:], spans
